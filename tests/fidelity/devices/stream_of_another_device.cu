// fault: wrong-device; line: 12
// devices: 2
// The stream was made for device 0, and device 1 is the current one at the launch.
#include "devices.h"

int main() {
    int* d;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&d, bytes));
    number<<<1, n, 0, stream>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    return say(true);
}
