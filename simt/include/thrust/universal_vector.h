#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cuda/vector.h>

#include_next <thrust/universal_vector.h>

#include "../simt/thrust/algorithms.h"
