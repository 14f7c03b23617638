// fault: shared-race; line: 12; with: 10
// One warp writes single bytes, another reads whole words of them, with no barrier between.
#include "tricky.h"

__global__ void mix(unsigned* out) {
    __shared__ unsigned words[32];
    auto* bytes = reinterpret_cast<unsigned char*>(words);
    const int t = threadIdx.x;
    if (t < 32) {
        for (int i = 0; i < 4; ++i) bytes[4 * t + i] = static_cast<unsigned char>(t);
    } else {
        out[t - 32] = words[t - 32];
    }
}

int main() {
    unsigned* out = zeros<unsigned>(32);
    mix<<<1, 64>>>(out);
    return verdict(fetch(out, 32)[0] == 0);
}
