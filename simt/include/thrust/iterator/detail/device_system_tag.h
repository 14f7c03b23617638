#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cuda/detail/execution_policy.h>

#include_next <thrust/iterator/detail/device_system_tag.h>
