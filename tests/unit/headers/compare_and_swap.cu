// The lanes of a warp look at a place together, and then swap or exchange there: on a GPU all but one of them come with
// an old look. And one function, given shared and global addresses.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void swap(unsigned* place, unsigned* right) {
    const unsigned seen = atomicAdd(place, 0u);
    if (atomicCAS(place, seen, threadIdx.x + 1) == seen) atomicAdd(right, 1u);
}

__global__ void exchange(unsigned* place, unsigned* right) {
    const unsigned seen = atomicAdd(place, 0u);
    if (atomicExch(place, threadIdx.x + 1) == seen) atomicAdd(right, 1u);
}

__device__ __noinline__ void raise(unsigned* place) {
    atomicMax(place, threadIdx.x);
}

__global__ void raise_both(unsigned* place) {
    __shared__ unsigned own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    raise(&own);
    __syncthreads();
    if (threadIdx.x == 31) raise(place);
}

unsigned *d, h[2];

void show(const char* name) {
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    std::printf("%s: %u of 32\n", name, h[1]);
    cudaMemset(d, 0, sizeof(h));
}

int main() {
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    swap<<<1, 32>>>(d, d + 1);
    show("swap");
    exchange<<<1, 32>>>(d, d + 1);
    show("exchange");
    raise_both<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
