// fault: global-race; line: 8
// A barrier orders the threads, and not the texture cache.
#include "host.h"
__global__ void paint_and_look(cudaSurfaceObject_t surface, cudaTextureObject_t texture, int* out) {
    const int x = static_cast<int>(threadIdx.x);
    surf2Dwrite(x, surface, x * static_cast<int>(sizeof(int)), 0);
    __syncthreads();
    out[x] = tex2D<int>(texture, n - 1 - x + 0.5f, 0.5f);
}
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4, cudaArraySurfaceLoadStore));
    int* d_out;
    CHECK(cudaMalloc(&d_out, bytes));
    paint_and_look<<<1, n>>>(surface_of(array), texture_of(array), d_out);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
