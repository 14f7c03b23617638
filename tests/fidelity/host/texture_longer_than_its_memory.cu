// fault: oob-global; line: 14
// The size of a texture of linear memory is in bytes: here it is multiplied twice.
#include "host.h"
int main() {
    int* d_table;
    CHECK(cudaMalloc(&d_table, bytes));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_table;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = bytes * sizeof(int);
    const cudaTextureDesc d = {};
    cudaTextureObject_t table;
    cudaCreateTextureObject(&table, &resource, &d, nullptr);
    cudaDeviceSynchronize();
    std::puts(cudaGetErrorString(cudaGetLastError()));
    return 1;
}
