// fault: api-misuse; line: 6
// Bytes are fetched as floats, without cudaReadModeNormalizedFloat.
#include "host.h"
__global__ void look(cudaTextureObject_t texture, float* out) {
    const int x = static_cast<int>(threadIdx.x);
    out[x] = tex2D<float>(texture, x + 0.5f, 0.5f);
}
int main() {
    const unsigned char in[n] = {1, 2, 3};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 1));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in, n, n, 1, cudaMemcpyHostToDevice));
    float* d_out;
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    look<<<1, n>>>(texture_of(array), d_out);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
