// fault: wrong-device; line: 13
// devices: 2
// The event was made while device 0 was the current one; the stream is device 1's.
#include "devices.h"

int main() {
    cudaStream_t stream;
    cudaEvent_t done;
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaSetDevice(1));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventRecord(done, stream));
    CHECK(cudaEventSynchronize(done));
    return say(true);
}
