// fault: oob-global; line: 9
// The width of a row is given in elements of the wrong size: twice as many bytes as the array has.
#include "host.h"
int main() {
    static double in[4][n];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4));
    cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], 4, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
