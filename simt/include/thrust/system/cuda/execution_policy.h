#pragma once

#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/cuda/detail/par.h>

#include "../../../simt/thrust/algorithms.h"
