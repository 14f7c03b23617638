// correct
// Nobody raises the flag; the threads look many times, and by the clock, and then go on without it.
#include "ordered.h"

__global__ void look_for_a_while(volatile int* flag, int* out) {
    int tries = 0;
    while (*flag == 0 && tries < 50000) ++tries;
    const long long end = clock64() + 20000;
    while (*flag == 0 && clock64() < end) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tries;
}

int main() {
    int *flag = zeros<int>(1), *out = zeros<int>(6);
    look_for_a_while<<<2, 3>>>(flag, out);
    return verdict(fetch(out, 6)[5] == 50000);
}
