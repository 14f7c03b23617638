// correct
// Lanes with the same bin make one atomic together.
#include "groups.h"

constexpr int n = 2000, bins = 11;

__global__ void histogram(const int* in, int* count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const auto here = cg::coalesced_threads();
    const auto same = cg::labeled_partition(here, in[i] % bins);
    if (same.thread_rank() == 0) atomicAdd(&count[in[i] % bins], static_cast<int>(same.size()));
}

int main() {
    int in[n], wanted[bins] = {}, got[bins];
    for (int i = 0; i < n; i++) wanted[(in[i] = (i * 7919) % 10007) % bins]++;
    int *d_in, *d_count;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_count, sizeof got));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_count, 0, sizeof got));
    histogram<<<(n + 255) / 256, 256>>>(d_in, d_count);
    CHECK(cudaMemcpy(got, d_count, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_count));
    return say(std::memcmp(got, wanted, sizeof got) == 0);
}
