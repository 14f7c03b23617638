// fault: use-after-free; line: 6
// The array is freed before the kernel that reads it through a texture.
#include "host.h"
__global__ void look(cudaTextureObject_t texture, int* out) {
    const int x = static_cast<int>(threadIdx.x);
    out[x] = tex2D<int>(texture, x + 0.5f, 0.5f);
}
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4));
    const cudaTextureObject_t texture = texture_of(array);
    int* d_out;
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaFreeArray(array));
    look<<<1, n>>>(texture, d_out);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
