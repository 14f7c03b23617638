// fault: global-race; line: 7
// atomicAdd_block on a counter that several blocks share.
#include "ordered.h"

__global__ void count(const int* in, int* counter, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) atomicAdd_block(counter, 1);
}

int main() {
    const int n = 256;
    int *in = upload(std::vector<int>(n, 1)), *counter = zeros<int>(1);
    count<<<4, 64>>>(in, counter, n);
    return verdict(fetch(counter, 1)[0] == n);
}
