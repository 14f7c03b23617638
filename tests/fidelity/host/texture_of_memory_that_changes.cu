// fault: global-race; line: 7
// A kernel writes the memory that it reads through a texture: another block's element.
#include "host.h"
__global__ void shift(cudaTextureObject_t texture, int* data) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int left = tex1Dfetch<int>(texture, (i + n - 1) % n);
    data[i] = left;
}
int main() {
    int* d_data;
    CHECK(cudaMalloc(&d_data, bytes));
    number<<<1, n>>>(d_data);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_data;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = bytes;
    const cudaTextureDesc d = {};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
    shift<<<4, n / 4>>>(texture, d_data);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
