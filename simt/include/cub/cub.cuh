// CUB for the CPU machine: warp-wide and block-wide primitives run in the calling kernel, device-wide ones as kernels of
// their own, and all of them are checked. Documented by NVIDIA under these names.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
#include <cub/version.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
