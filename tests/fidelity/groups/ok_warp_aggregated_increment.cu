// correct
// Lanes that keep an element take their places with one atomic for all of them.
#include "groups.h"

constexpr int n = 1000;

__device__ int next_place(int* count) {
    const cg::coalesced_group together = cg::coalesced_threads();
    int first = 0;
    if (together.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(together.num_threads()));
    return together.shfl(first, 0) + static_cast<int>(together.thread_rank());
}

__global__ void keep(const int* in, int* out, int* count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n && in[i] % 3 == 0) out[next_place(count)] = in[i];
}

int main() {
    int in[n], out[n], count = 0, wanted = 0;
    long long sum = 0, sum_wanted = 0;
    for (int i = 0; i < n; i++) {
        in[i] = (i * 7919) % 1009;
        if (in[i] % 3 == 0) wanted++, sum_wanted += in[i];
    }
    int *d_in, *d_out, *d_count;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof in));
    CHECK(cudaMalloc(&d_count, sizeof(int)));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_count, 0, sizeof(int)));
    keep<<<(n + 127) / 128, 128>>>(d_in, d_out, d_count);
    CHECK(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    if (count != wanted) return say(false);
    CHECK(cudaMemcpy(out, d_out, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) sum += out[i];
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_count));
    return say(sum == sum_wanted);
}
