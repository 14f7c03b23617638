// correct
// Each thread reads its own element through a surface and then writes it: nobody reads what this launch wrote.
#include "host.h"
__global__ void increase(cudaSurfaceObject_t surface, int boundary) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * static_cast<int>(sizeof(int));
    const int old = surf1Dread<int>(surface, x, cudaBoundaryModeZero);
    if (boundary == 0) surf1Dwrite(old + 1, surface, x, cudaBoundaryModeZero);  // more threads than elements
}
int main() {
    int h[n];
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, n, 0, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, h, bytes, bytes, 1, cudaMemcpyHostToDevice));
    const cudaSurfaceObject_t surface = surface_of(array);
    increase<<<3, 128>>>(surface, 0);
    increase<<<3, 128>>>(surface, 0);
    CHECK(cudaMemcpy2DFromArray(h, bytes, array, 0, 0, bytes, 1, cudaMemcpyDeviceToHost));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    return say(holds(h, 1, 2));
}
