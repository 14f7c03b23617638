// correct
// Lanes above n return; the others shuffle and vote with the mask of those that are left.
#include "tricky.h"

__global__ void sum(const int* in, int n, int* out) {
    const int t = threadIdx.x;
    const unsigned left = __ballot_sync(0xffffffff, t < n);
    if (t >= n) return;
    int value = in[t];
    for (int step = 16; step > 0; step /= 2) {
        const int source = t + step;
        const int other = __shfl_sync(left, value, source < n ? source : t);
        if (source < n && t < step) value += other;
        __syncwarp(left);
    }
    if (t == 0) *out = value;
}

int main() {
    std::vector<int> values(32, 5);
    int *in = upload(values), *out = zeros<int>(1);
    sum<<<1, 32>>>(in, 20, out);
    return verdict(fetch(out, 1)[0] == 100);
}
