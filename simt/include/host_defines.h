// Part of CUDA that programs include by this name.
#pragma once

#include "simt/cuda/qualifiers.h"
