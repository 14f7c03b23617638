// correct
// A maximum of floats by compare-and-swap on their bits.
#include "ordered.h"

__device__ void atomic_max(float* address, float value) {
    auto* bits = reinterpret_cast<int*>(address);
    int old = atomicAdd(bits, 0);
    while (__int_as_float(old) < value) {
        const int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old) return;
        old = seen;
    }
}

__global__ void largest(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(out, in[i]);
}

int main() {
    const int n = 700;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i * 53 % 701);
    float *in = upload(values), *out = zeros<float>(1);
    largest<<<3, 256>>>(in, out, n);
    return verdict(fetch(out, 1)[0] == 700.0f);
}
