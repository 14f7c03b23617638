// fault: oob-global; line: 14
// The volume on the device has room for three slices.
#include "host.h"
constexpr int width = 16, height = 4;
int main() {
    static int in[4][height][width];
    cudaPitchedPtr d_volume;
    CHECK(cudaMalloc3D(&d_volume, make_cudaExtent(sizeof in[0][0], height, 3)));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in, sizeof in[0][0], width, height);
    p.dstPtr = d_volume;
    p.extent = make_cudaExtent(sizeof in[0][0], height, 4);
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
