// fault: oob-global; line: 14
// With an array the extent's width is in elements.
#include "host.h"
int main() {
    static int in[4][n];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in, bytes, n, 4);
    p.dstArray = array;
    p.extent = make_cudaExtent(bytes, 4, 1);
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
