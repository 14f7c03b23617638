// fault: api-misuse; line: 6
// The layers of an array are read as if they were slices of a volume.
#include "host.h"
__global__ void look(cudaTextureObject_t texture, int* out) {
    const int x = static_cast<int>(threadIdx.x);
    out[x] = tex3D<int>(texture, x + 0.5f, 0.5f, 0.5f);
}
int main() {
    static int in[4][n];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, 2, 2), cudaArrayLayered));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in, bytes, n, 2);
    p.dstArray = array;
    p.extent = make_cudaExtent(n, 2, 2);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    int* d_out;
    CHECK(cudaMalloc(&d_out, bytes));
    look<<<1, n>>>(texture_of(array), d_out);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
