// correct
// A block brings a tile into shared memory, waits for it, and reads what others brought.
#include "groups.h"

constexpr int n = 300, size = 128;

__global__ void reverse_tiles(const int* in, int* out) {
    __shared__ __align__(16) int tile[size];
    const auto block = cg::this_thread_block();
    for (int first = 0; first < n; first += size) {
        const int here = n - first < size ? n - first : size;
        cg::memcpy_async(block, tile, in + first, here * sizeof(int));
        cg::wait(block);
        const int i = static_cast<int>(block.thread_rank());
        if (i < here) out[first + i] = tile[here - 1 - i];
        block.sync();
    }
}

int main() {
    int in[n], out[n], *d_in, *d_out;
    for (int i = 0; i < n; i++) in[i] = i;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof in));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    reverse_tiles<<<1, size>>>(d_in, d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    bool right = true;
    for (int i = 0; i < n; i++) {
        const int first = i / size * size, here = n - first < size ? n - first : size;
        right = right && out[i] == first + here - 1 - (i - first);
    }
    return say(right);
}
