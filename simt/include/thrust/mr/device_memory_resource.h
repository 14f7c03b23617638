#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cuda/memory_resource.h>

#include_next <thrust/mr/device_memory_resource.h>
