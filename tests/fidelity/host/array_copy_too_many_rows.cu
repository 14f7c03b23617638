// fault: oob-global; line: 9
// A row too many is copied back.
#include "host.h"
int main() {
    static int out[5][n];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4));
    cudaMemcpy2DFromArray(out, bytes, array, 0, 0, bytes, 5, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
