// correct
// Half a warp polls for a flag that the other half raises after asking who is with it.
#include "groups.h"

__global__ void hand_over(int* flag, int* value, int* out) {
    if (threadIdx.x >= 16) {
        while (atomicAdd(flag, 0) == 0) {
        }
        out[threadIdx.x - 16] = *value;
    } else {
        const auto here = cg::coalesced_threads();
        if (here.thread_rank() == 0) {
            *value = static_cast<int>(here.size());
            __threadfence();
            atomicExch(flag, 1);
        }
    }
}

int main() {
    int out[16], *d_flag, *d_value, *d_out;
    CHECK(cudaMalloc(&d_flag, sizeof(int)));
    CHECK(cudaMalloc(&d_value, sizeof(int)));
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemset(d_flag, 0, sizeof(int)));
    hand_over<<<1, 32>>>(d_flag, d_value, d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_flag));
    CHECK(cudaFree(d_value));
    CHECK(cudaFree(d_out));
    bool right = true;
    for (int x : out) right = right && x == 16;
    return say(right);
}
