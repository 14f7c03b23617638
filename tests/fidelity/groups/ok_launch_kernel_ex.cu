// correct
// A cooperative launch by an attribute, of an instance of a template, in a stream, three hundred rounds long.
#include "groups.h"

template <class T>
__global__ void pass_on(T* ring, int rounds) {
    const auto grid = cg::this_grid();
    if (!grid.is_valid()) return;
    const auto me = grid.thread_rank(), next = (me + 1) % grid.size();
    for (int round = 0; round < rounds; round++) {
        const T mine = ring[me];
        grid.sync();
        ring[next] = mine + 1;
        grid.sync();
    }
}

int main() {
    int ring[64], *d_ring, rounds = 300;
    for (int i = 0; i < 64; i++) ring[i] = i;
    CHECK(cudaMalloc(&d_ring, sizeof ring));
    CHECK(cudaMemcpy(d_ring, ring, sizeof ring, cudaMemcpyHostToDevice));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 16;
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, pass_on<int>, d_ring, rounds - 1));
    rounds = 1;
    void* arguments[] = {&d_ring, &rounds};
    CHECK(cudaLaunchKernelExC(&config, (void*)pass_on<int>, arguments));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(ring, d_ring, sizeof ring, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_ring));
    bool right = true;
    for (int i = 0; i < 64; i++) right = right && ring[(i + 300) % 64] == i + 300;
    return say(right);
}
