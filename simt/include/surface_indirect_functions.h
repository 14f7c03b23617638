// Part of CUDA that programs include by this name.
#pragma once

#include "cuda_runtime.h"
