// fault: warp-race; line: 15
// Two lanes at a time store what the function returns into the same element.
#include "ordered.h"

struct Range {
    int first, last, step;
};

__device__ __noinline__ Range range_of(int i) {
    return {i, 2 * i, 3};
}

__global__ void pairs(Range* out) {
    const int i = threadIdx.x;
    out[i / 2] = range_of(i);
}

int main() {
    Range* out = zeros<Range>(16);
    pairs<<<1, 32>>>(out);
    return verdict(fetch(out, 16)[0].step == 3);
}
