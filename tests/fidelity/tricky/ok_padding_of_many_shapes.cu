// correct
// Structs whose padding lies in the middle, at the end, or fills whole words: written member by member, read whole.
#include "tricky.h"

struct Ended {
    double value;
    int count;
};
struct Begun {
    char tag;
    double value;
};
struct Long {
    int first;
    double value;
    char last;
};
struct Pointed {
    const int* from;
    short many;
};

__global__ void fill(Ended* a, Begun* b, Long* c, Pointed* d) {
    __shared__ Ended room[32];
    const int t = threadIdx.x;
    room[t].value = t;
    room[t].count = 1;
    __syncthreads();
    const Ended mine = room[31 - t];
    a[t].value = mine.value;
    a[t].count = mine.count;
    b[t].tag = 'b';
    b[t].value = t;
    c[t].first = t;
    c[t].value = 2 * t;
    c[t].last = 'c';
    d[t].from = &c[t].first;
    d[t].many = 4;
}

__global__ void use(const Ended* a, const Begun* b, const Long* c, const Pointed* d, double* out) {
    const int t = threadIdx.x;
    const Ended x = a[t];
    const Begun y = b[31 - t];
    const Long z = c[t];
    const Pointed p = d[t];
    out[t] = x.value + x.count + y.value + y.tag + z.first + z.value + *p.from + p.many;
}

int main() {
    Ended* a = nullptr;
    Begun* b = nullptr;
    Long* c = nullptr;
    Pointed* d = nullptr;
    cudaMalloc(&a, 32 * sizeof(Ended));
    cudaMalloc(&b, 32 * sizeof(Begun));
    cudaMalloc(&c, 32 * sizeof(Long));
    cudaMalloc(&d, 32 * sizeof(Pointed));
    double* out = zeros<double>(32);
    fill<<<1, 32>>>(a, b, c, d);
    use<<<1, 32>>>(a, b, c, d, out);
    return verdict(fetch(out, 32)[2] == 29 + 1 + 29 + 'b' + 2 + 4 + 2 + 4);
}
