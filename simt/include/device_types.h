// Part of CUDA that programs include by this name.
#pragma once

#include "driver_types.h"
