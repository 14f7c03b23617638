// correct
// Value and index packed into 64 bits for one atomicMax.
#include "ordered.h"

__global__ void argmax(const int* in, unsigned long long* best, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(best, static_cast<unsigned long long>(in[i]) << 32 | static_cast<unsigned>(i));
}

int main() {
    const int n = 2000;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 37 % 1999;
    int* in = upload(values);
    auto* best = zeros<unsigned long long>(1);
    argmax<<<16, 128>>>(in, best, n);
    const unsigned long long got = fetch(best, 1)[0];
    int where = 0;
    for (int i = 0; i < n; ++i)
        if (values[i] >= values[where]) where = i;
    return verdict(static_cast<int>(got & 0xffffffffu) == where &&
                   static_cast<int>(got >> 32) == values[where]);
}
