// correct
// A table in linear memory is read by index; the next launch may change it.
#include "host.h"
__global__ void look_up(cudaTextureObject_t table, int* out) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = tex1Dfetch<int>(table, n - 1 - i);
}
int main() {
    int *d_table, *d_out;
    CHECK(cudaMalloc(&d_table, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_table;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = bytes;
    const cudaTextureDesc d = {};
    cudaTextureObject_t table;
    CHECK(cudaCreateTextureObject(&table, &resource, &d, nullptr));
    number<<<1, n>>>(d_table);
    look_up<<<1, n>>>(table, d_out);
    add_one<<<1, n>>>(d_table);
    int h[n];
    CHECK(cudaMemcpy(h, d_out, bytes, cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && h[i] == n - i;
    CHECK(cudaDestroyTextureObject(table));
    CHECK(cudaFree(d_table));
    CHECK(cudaFree(d_out));
    return say(right);
}
