// fault: global-race; line: 13
// The flag is volatile, the data is not, and nothing keeps their order.
#include "ordered.h"

__global__ void pass(int* data, volatile int* flag, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        *out = *data;
    }
}

int main() {
    int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
    pass<<<2, 32>>>(data, flag, out);
    return verdict(fetch(out, 1)[0] == 42);
}
