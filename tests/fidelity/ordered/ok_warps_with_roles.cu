// correct
// One warp loads and another computes; a volatile flag and __threadfence_block pass the tile on.
#include "ordered.h"

__global__ void pipeline(const int* in, int* out, int tiles) {
    __shared__ int tile[32];
    __shared__ volatile int full;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < tiles; ++k) {
            if (lane == 0)
                while (full != 0) {
                }
            __syncwarp();
            tile[lane] = in[k * 32 + lane];
            __syncwarp();
            if (lane == 0) {
                __threadfence_block();
                full = 1;
            }
        }
    } else {
        for (int k = 0; k < tiles; ++k) {
            if (lane == 0)
                while (full == 0) {
                }
            __syncwarp();
            out[k * 32 + lane] = 2 * tile[lane];
            __syncwarp();
            if (lane == 0) {
                __threadfence_block();
                full = 0;
            }
        }
    }
}

int main() {
    std::vector<int> values(5 * 32);
    for (int i = 0; i < 5 * 32; ++i) values[i] = i;
    int *in = upload(values), *out = zeros<int>(5 * 32);
    pipeline<<<1, 64>>>(in, out, 5);
    const auto got = fetch(out, 5 * 32);
    bool right = true;
    for (int i = 0; i < 5 * 32; ++i) right = right && got[i] == 2 * i;
    return verdict(right);
}
