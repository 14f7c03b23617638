// fault: stream-race; line: 23
// Nothing makes the copy into the array wait for the kernel that reads it.
#include "host.h"
__global__ void look(cudaTextureObject_t texture, int* out) {
    const int x = static_cast<int>(threadIdx.x);
    out[x] = tex2D<int>(texture, x + 0.5f, 0.5f);
}
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4));
    int* h;
    CHECK(cudaMallocHost(&h, 4 * bytes));
    std::memset(h, 0, 4 * bytes);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, bytes, bytes, 4, cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = texture_of(array);
    int* d_out;
    CHECK(cudaMalloc(&d_out, bytes));
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    look<<<1, n, 0, a>>>(texture, d_out);
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, h, bytes, bytes, 4, cudaMemcpyHostToDevice, b));
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
