// As what CUB these headers answer: that of CUDA 13.0, whose older names are here, too.
#pragma once

#define CUB_VERSION 300001
#define CUB_MAJOR_VERSION 3
#define CUB_MINOR_VERSION 0
#define CUB_SUBMINOR_VERSION 1
#define CUB_PATCH_NUMBER 0
