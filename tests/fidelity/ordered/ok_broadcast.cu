// correct
// One thread writes, all read, and the next round waits for the readers.
#include "ordered.h"

__global__ void rounds(int* out, int n) {
    __shared__ int value;
    int sum = 0;
    for (int r = 0; r < n; ++r) {
        if (static_cast<int>(threadIdx.x) == r % static_cast<int>(blockDim.x)) value = r;
        __syncthreads();
        sum += value;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    int* out = zeros<int>(2 * 96);
    rounds<<<2, 96>>>(out, 20);
    return verdict(fetch(out, 2 * 96) == std::vector<int>(2 * 96, 190));
}
