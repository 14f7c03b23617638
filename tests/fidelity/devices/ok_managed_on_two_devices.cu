// correct
// devices: 2
// Managed memory goes to whoever touches it.
#include "devices.h"

int main() {
    int *x, last = -1;
    CHECK(cudaMallocManaged(&x, bytes));
    number<<<1, n>>>(x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    CHECK(cudaMemPrefetchAsync(x, bytes, cudaMemLocation{cudaMemLocationTypeDevice, 1}, 0));
    add_one<<<1, n>>>(x);
    CHECK(cudaDeviceSynchronize());
    bool right = holds(x, 1, 1);
    CHECK(cudaMemRangeGetAttribute(&last, sizeof last, cudaMemRangeAttributeLastPrefetchLocation, x, bytes));
    CHECK(cudaFree(x));
    return say(right && last == 1);
}
