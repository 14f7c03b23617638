// correct
// A struct with padding is copied whole, through shared memory and registers: nothing wrote its padding, and nobody needs it.
#include "tricky.h"

struct Padded {
    char tag;
    double value;
    short count;
};

__global__ void reverse(Padded* items) {
    __shared__ Padded room[32];
    Padded mine;
    mine.tag = 'a';
    mine.value = threadIdx.x;
    mine.count = 3;
    room[threadIdx.x] = mine;
    __syncthreads();
    Padded other = room[31 - threadIdx.x];
    items[threadIdx.x] = other;
}

__global__ void add(const Padded* items, Padded* out) {
    Padded p = items[threadIdx.x];
    p.value += p.count;
    out[threadIdx.x] = p;
}

int main() {
    Padded *a = nullptr, *b = nullptr;
    cudaMalloc(&a, 32 * sizeof(Padded));
    cudaMalloc(&b, 32 * sizeof(Padded));
    reverse<<<1, 32>>>(a);
    add<<<1, 32>>>(a, b);
    const auto got = fetch(b, 32);
    bool right = true;
    for (int i = 0; i < 32; ++i) right = right && got[i].value == 31 - i + 3 && got[i].tag == 'a';
    return verdict(right);
}
