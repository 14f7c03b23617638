// correct
// devices: 3
// __device__ and __constant__ variables: each device has its own, with the value that the text gives it.
#include "devices.h"

__device__ int counter = 100;
__device__ int table[n];
__constant__ int step = 1;
__managed__ int shared_by_all = 0;

__global__ void count(int times) {
    counter += step * times;
    table[times] = counter;
    shared_by_all += 1;
}

int main() {
    bool right = true;
    for (int k = 0; k < 3; ++k) {
        CHECK(cudaSetDevice(k));
        const int of_this_one = k + 1;
        if (k != 1) CHECK(cudaMemcpyToSymbol(step, &of_this_one, sizeof(int)));
        count<<<1, 1>>>(7);
        CHECK(cudaDeviceSynchronize());
    }
    const int expected[] = {107, 107, 121};
    for (int k = 2; k >= 0; --k) {
        CHECK(cudaSetDevice(k));
        int found = 0, entry = 0;
        CHECK(cudaMemcpyFromSymbol(&found, counter, sizeof(int)));
        CHECK(cudaMemcpyFromSymbol(&entry, table, sizeof(int), 7 * sizeof(int)));
        right = right && found == expected[k] && entry == found;
    }
    return say(right && shared_by_all == 3);
}
