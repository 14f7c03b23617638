// correct
// Every thread fences its own result; after the barrier one thread signs for the block.
#include "ordered.h"

__device__ unsigned finished;

__global__ void square_then_sum(const int* in, int* squares, int* out, int n) {
    __shared__ bool last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = in[i] * in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    int mine = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) mine += squares[k];
    atomicAdd(out, mine);
}

int main() {
    const int n = 1000;
    std::vector<int> values(n, 3);
    int *in = upload(values), *squares = zeros<int>(n), *out = zeros<int>(1);
    square_then_sum<<<8, 128>>>(in, squares, out, n);
    return verdict(fetch(out, 1)[0] == 9 * n);
}
