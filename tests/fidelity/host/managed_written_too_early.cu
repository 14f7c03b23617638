// fault: managed-race; line: 10; with: 9
// The host prepares the next input while a kernel may still read the last one.
#include "host.h"
int main() {
    int *in, *out;
    CHECK(cudaMallocManaged(&in, bytes));
    CHECK(cudaMallocManaged(&out, bytes));
    for (int i = 0; i < n; ++i) in[i] = i + 1;
    twice<<<1, n>>>(out, in);
    in[0] = 7;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return say(true);
}
