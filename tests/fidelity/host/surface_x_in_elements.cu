// fault: misaligned; line: 6
// x of a surface is in bytes.
#include "host.h"
__global__ void paint(cudaSurfaceObject_t surface) {
    const int x = static_cast<int>(threadIdx.x);
    surf2Dwrite(x, surface, x, 0);
}
int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 4, cudaArraySurfaceLoadStore));
    paint<<<1, n>>>(surface_of(array));
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
