// What every header of CUB brings along.
#pragma once

#include <cuda_runtime.h>

#include <cub/version.cuh>

#include "simt/cub/basics.h"
