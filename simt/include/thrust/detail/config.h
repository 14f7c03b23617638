// Thrust's configuration for the CPU machine: its functions are host functions (there is one pass for host and device
// code), and of the device system only the parts in simt/thrust/ are ours. The rest is the package's.
#pragma once

#include <host_defines.h>
// Without this word Thrust takes __host__ and __device__ for leftovers and undefines them.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__
#endif

#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#include_next <thrust/detail/config.h>
#pragma pop_macro("__CUDA_ARCH__")

// The device system is still thrust::cuda; where Thrust asks for its files, those of a system without any are read.
#undef __THRUST_DEVICE_SYSTEM_ROOT
#define __THRUST_DEVICE_SYSTEM_ROOT thrust/system/cpp
