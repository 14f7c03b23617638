// fault: global-race; line: 7
// A thread fetches what it has just written through a pointer.
#include "host.h"
__global__ void write_and_fetch(cudaTextureObject_t texture, unsigned char* data, int* out) {
    const int i = static_cast<int>(threadIdx.x);
    data[i] = static_cast<unsigned char>(i);
    out[i] = tex1Dfetch<unsigned char>(texture, i);
}
int main() {
    unsigned char* d_data;
    int* d_out;
    CHECK(cudaMalloc(&d_data, n));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_data;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.linear.sizeInBytes = n;
    const cudaTextureDesc d = {};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
    write_and_fetch<<<1, n>>>(texture, d_data, d_out);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
