// fault: global-race; line: 19; with: 8
// The writer fences before the flag, and the reader looks at the flag; between the look and the reads it has no fence.
#include "ordered.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 3 * t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            *flag = 1;
        }
        return;
    }
    if (t == 0)
        while (*flag == 0) continue;
    __syncthreads();
    out[t] = data[t] + 1;
}

int main() {
    int *data = zeros<int>(64), *flag = zeros<int>(1), *out = zeros<int>(64);
    pass<<<2, 64>>>(data, flag, out);
    return verdict(fetch(out, 64)[5] == 16);
}
