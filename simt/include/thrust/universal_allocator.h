#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cuda/memory.h>

#include_next <thrust/universal_allocator.h>
