// fault: global-race; line: 16
// The producer goes on writing after it has raised the flag.
#include "ordered.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data[0] = 1;
        __threadfence();
        *flag = 1;
        data[1] = 2;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = data[0] + data[1];
    }
}

int main() {
    int *data = zeros<int>(2), *flag = zeros<int>(1), *out = zeros<int>(1);
    pass<<<2, 32>>>(data, flag, out);
    return verdict(fetch(out, 1)[0] == 3);
}
