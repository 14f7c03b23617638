// What the programs of this folder share: cooperative groups, and the last line of each.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudaError_t error_ = (call);                                                       \
        if (error_ != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            std::exit(2);                                                                        \
        }                                                                                        \
    } while (0)

inline int say(bool right) {
    std::puts(right ? "right" : "wrong");
    return right ? 0 : 1;
}
