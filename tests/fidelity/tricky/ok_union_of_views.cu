// correct
// A union: written as four bytes, read as one word; and in shared memory written as a word, read as bytes by other lanes.
#include "tricky.h"

union View {
    unsigned word;
    unsigned char byte[4];
};

__global__ void view(unsigned* out) {
    __shared__ View shown[32];
    View mine;
    for (int i = 0; i < 4; ++i) mine.byte[i] = static_cast<unsigned char>(threadIdx.x + i);
    shown[threadIdx.x].word = mine.word;
    __syncthreads();
    out[threadIdx.x] = shown[31 - threadIdx.x].byte[3];
}

int main() {
    unsigned* out = zeros<unsigned>(32);
    view<<<1, 32>>>(out);
    return verdict(fetch(out, 32)[0] == 34);
}
