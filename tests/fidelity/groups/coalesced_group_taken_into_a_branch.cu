// fault: shfl-mask; line: 8
#include "groups.h"

__global__ void sums(int* out) {
    const auto all = cg::coalesced_threads();
    int sum = 0;
    if (threadIdx.x < 10) {
        sum = cg::reduce(all, static_cast<int>(threadIdx.x), cg::plus<int>());
    }
    all.sync();
    out[threadIdx.x] = sum;
}

int main() {
    int* d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
    sums<<<1, 32>>>(d_out);
    cudaDeviceSynchronize();
    return 0;
}
