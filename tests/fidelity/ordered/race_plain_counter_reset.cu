// fault: global-race; line: 10
// A counter of atomics is set back by a plain store while other blocks still count.
#include "ordered.h"

__global__ void count(unsigned* counter, const int* in) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) *counter = 0;
        return;
    }
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0) atomicAdd(counter, 1u);
}

int main() {
    auto* counter = zeros<unsigned>(1);
    int* in = upload(std::vector<int>(128, 1));
    count<<<2, 64>>>(counter, in);
    return verdict(fetch(counter, 1)[0] == 128);
}
