// correct
// Neighbouring threads write neighbouring bytes and halves of one word.
#include "ordered.h"

__global__ void fill(unsigned char* bytes, unsigned short* halves, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bytes[i] = static_cast<unsigned char>(i);
    halves[i] = static_cast<unsigned short>(3 * i);
}

int main() {
    const int n = 333;
    auto* bytes = zeros<unsigned char>(n);
    auto* halves = zeros<unsigned short>(n);
    fill<<<11, 33>>>(bytes, halves, n);
    const auto a = fetch(bytes, n);
    const auto b = fetch(halves, n);
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && a[i] == i % 256 && b[i] == 3 * i;
    return verdict(right);
}
