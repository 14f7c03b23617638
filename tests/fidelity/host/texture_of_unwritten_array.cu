// fault: uninit-global; line: 6
// Only the first row of the array is ever written.
#include "host.h"
__global__ void look(cudaTextureObject_t texture, int* out) {
    const int x = static_cast<int>(threadIdx.x);
    out[x] = tex2D<int>(texture, x + 0.5f, 1.5f);
}
int main() {
    static int in[n];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in, bytes, bytes, 1, cudaMemcpyHostToDevice));
    int* d_out;
    CHECK(cudaMalloc(&d_out, bytes));
    look<<<1, n>>>(texture_of(array), d_out);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
