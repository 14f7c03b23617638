// correct
// devices: 2
// A stream may wait for an event of another device. The host may wait for any.
#include "devices.h"

int main() {
    int *d_from, *d_to;
    std::vector<int> h(n);
    cudaStream_t first, second;
    cudaEvent_t made, copied;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    CHECK(cudaMalloc(&d_from, bytes));
    CHECK(cudaSetDevice(1));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CHECK(cudaMalloc(&d_to, bytes));
    CHECK(cudaSetDevice(0));
    number<<<1, n, 0, first>>>(d_from);
    CHECK(cudaEventRecord(made, first));
    CHECK(cudaStreamWaitEvent(second, made, 0));
    CHECK(cudaMemcpyPeerAsync(d_to, 1, d_from, 0, bytes, second));
    CHECK(cudaEventRecord(copied, second));
    CHECK(cudaStreamWaitEvent(first, copied, 0));
    add_one<<<1, n, 0, first>>>(d_from);
    CHECK(cudaSetDevice(1));
    add_one<<<1, n, 0, second>>>(d_to);
    CHECK(cudaMemcpyAsync(h.data(), d_to, bytes, cudaMemcpyDeviceToHost, second));
    CHECK(cudaStreamSynchronize(second));
    CHECK(cudaStreamSynchronize(first));
    return say(holds(h.data(), 1, 1));
}
