// fault: shared-race; line: 10
// __syncwarp between threads of different warps.
#include "ordered.h"

__global__ void reverse(int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    out[t] = s[63 - t];
}

int main() {
    int* out = zeros<int>(64);
    reverse<<<1, 64>>>(out);
    return verdict(fetch(out, 64)[0] == 63);
}
