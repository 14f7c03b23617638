// correct
// devices: 2
// The address of a variable is that of the current device's copy: it can be set, copied, and reached as a peer.
#include "devices.h"

__device__ int table[n];

__global__ void fill_by_name(int factor) {
    table[threadIdx.x] = factor * (static_cast<int>(threadIdx.x) + 1);
}

int main() {
    void *first, *second;
    std::vector<int> h(n);
    cudaPointerAttributes a;
    CHECK(cudaGetSymbolAddress(&first, table));
    CHECK(cudaSetDevice(1));
    CHECK(cudaGetSymbolAddress(&second, table));
    CHECK(cudaPointerGetAttributes(&a, second));
    bool right = first != second && a.device == 1;
    fill_by_name<<<1, n>>>(3);
    CHECK(cudaMemcpyPeer(first, 0, second, 1, bytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
    add_one<<<1, n>>>(static_cast<int*>(first));
    CHECK(cudaMemcpyFromSymbol(h.data(), table, bytes));
    right = right && holds(h.data(), 3, 1);
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    add_one<<<1, n>>>(static_cast<int*>(second));
    CHECK(cudaMemset(first, 0, bytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    CHECK(cudaMemcpyFromSymbol(h.data(), table, bytes));
    return say(right && holds(h.data(), 3, 1));
}
