// correct
// The host works on one half of a managed buffer while a kernel works on the other.
#include "host.h"
int main() {
    int* x;
    CHECK(cudaMallocManaged(&x, 2 * bytes));
    number<<<1, n>>>(x);
    for (int i = n; i < 2 * n; ++i) x[i] = i - n + 1;
    CHECK(cudaDeviceSynchronize());
    const bool right = holds(x, 1, 0) && holds(x + n, 1, 0);
    CHECK(cudaFree(x));
    return say(right);
}
