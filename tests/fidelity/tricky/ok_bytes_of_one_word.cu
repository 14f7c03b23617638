// correct
// Four blocks write the four bytes of each word, and nobody reads them before the next launch, by words.
#include "tricky.h"

__global__ void bytes(unsigned char* to) {
    to[4 * threadIdx.x + blockIdx.x] = static_cast<unsigned char>(blockIdx.x + 1);
}
__global__ void halves(unsigned short* to) {
    to[2 * threadIdx.x + blockIdx.x] = static_cast<unsigned short>(0x1111 * (blockIdx.x + 1));
}
__global__ void words(const unsigned* a, const unsigned* b, unsigned* out) {
    out[threadIdx.x] = a[threadIdx.x] ^ b[threadIdx.x];
}

int main() {
    unsigned *a = nullptr, *b = nullptr, *out = zeros<unsigned>(64);
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    bytes<<<4, 64>>>(reinterpret_cast<unsigned char*>(a));
    halves<<<2, 64>>>(reinterpret_cast<unsigned short*>(b));
    words<<<1, 64>>>(a, b, out);
    return verdict(fetch(out, 64)[7] == (0x04030201u ^ 0x22221111u));
}
