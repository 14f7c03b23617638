// fault: oob-global; line: 6
// A thread too many writes beyond the row: surfaces trap by default.
#include "host.h"
__global__ void paint(cudaSurfaceObject_t surface) {
    const int x = static_cast<int>(threadIdx.x);
    surf2Dwrite(x, surface, x * static_cast<int>(sizeof(int)), 0);
}
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4, cudaArraySurfaceLoadStore));
    paint<<<1, n + 1>>>(surface_of(array));
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
