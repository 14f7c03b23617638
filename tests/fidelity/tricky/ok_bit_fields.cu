// correct
// Bit-fields of one word: each thread changes those of its own struct.
#include "tricky.h"

struct Flags {
    unsigned a : 3, b : 7, c : 22;
};

__global__ void set(Flags* flags) {
    Flags& mine = flags[threadIdx.x];
    mine.a = threadIdx.x % 8;
    mine.b = threadIdx.x;
    mine.c = mine.a + mine.b;
}

int main() {
    Flags* flags = zeros<Flags>(64);
    set<<<1, 64>>>(flags);
    return verdict(fetch(flags, 64)[9].c == 1 + 9);
}
