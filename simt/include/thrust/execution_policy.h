#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cuda/execution_policy.h>

#include_next <thrust/execution_policy.h>
