// fault: wrong-device; line: 8
// devices: 2
// A texture object is good on the device that was current when it was made.
#include "devices.h"

__global__ void fetch(int* out, cudaTextureObject_t texture) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = tex1Dfetch<int>(texture, i);
}

int main() {
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    number<<<1, n>>>(d_in);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_in;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d_out, bytes));
    fetch<<<1, n>>>(d_out, texture);
    CHECK(cudaDeviceSynchronize());
    return say(true);
}
