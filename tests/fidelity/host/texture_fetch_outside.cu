// advice: oob-global; line: 6
// An index beyond linear memory: the hardware reads 0.
#include "host.h"
__global__ void look_up(cudaTextureObject_t table, int* out) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = tex1Dfetch<int>(table, i + 1);
}
int main() {
    int *d_table, *d_out;
    CHECK(cudaMalloc(&d_table, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    number<<<1, n>>>(d_table);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_table;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = bytes;
    const cudaTextureDesc d = {};
    cudaTextureObject_t table;
    CHECK(cudaCreateTextureObject(&table, &resource, &d, nullptr));
    look_up<<<1, n>>>(table, d_out);
    int h[n];
    CHECK(cudaMemcpy(h, d_out, bytes, cudaMemcpyDeviceToHost));
    bool right = h[n - 1] == 0;
    for (int i = 0; i < n - 1; ++i) right = right && h[i] == i + 2;
    CHECK(cudaDestroyTextureObject(table));
    CHECK(cudaFree(d_table));
    CHECK(cudaFree(d_out));
    return say(right);
}
