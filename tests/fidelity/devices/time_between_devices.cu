// fault: wrong-device; line: 16
// devices: 2
// The clocks of two devices have nothing to do with each other.
#include "devices.h"

int main() {
    cudaEvent_t start, stop;
    float ms = 0;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventRecord(start));
    CHECK(cudaSetDevice(1));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(start));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return say(true);
}
