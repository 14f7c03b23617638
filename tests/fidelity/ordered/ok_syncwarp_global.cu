// correct
// The same in global memory: a butterfly of lanes.
#include "ordered.h"

__global__ void butterfly(int* values, int* scratch) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int m = 1; m < 32; m *= 2) {
        scratch[t] = values[t];
        __syncwarp();
        values[t] += scratch[t ^ m];
        __syncwarp();
    }
}

int main() {
    int *values = upload(std::vector<int>(128, 1)), *scratch = zeros<int>(128);
    butterfly<<<2, 64>>>(values, scratch);
    return verdict(fetch(values, 128) == std::vector<int>(128, 32));
}
