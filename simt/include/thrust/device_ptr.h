#pragma once

#include_next <thrust/device_ptr.h>

#include "../simt/thrust/algorithms.h"
