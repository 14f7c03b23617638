// correct
// The members of padded structs are written in place, one by one, and the structs read whole from global memory.
#include "tricky.h"

struct Padded {
    char tag;
    int value;
    char last;
};

__global__ void fill(Padded* items) {
    items[threadIdx.x].tag = 't';
    items[threadIdx.x].value = threadIdx.x;
    items[threadIdx.x].last = 'l';
}

__global__ void copy(const Padded* items, Padded* out) {
    out[threadIdx.x] = items[31 - threadIdx.x];
}

int main() {
    Padded *a = nullptr, *b = nullptr;
    cudaMalloc(&a, 32 * sizeof(Padded));
    cudaMalloc(&b, 32 * sizeof(Padded));
    fill<<<1, 32>>>(a);
    copy<<<1, 32>>>(a, b);
    const auto got = fetch(b, 32);
    return verdict(got[3].value == 28 && got[3].last == 'l');
}
