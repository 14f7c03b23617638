// fault: stream-race; line: 13; with: 9
// default-stream: per-thread
// The kernel is in the other thread's default stream; that the thread has ended does not mean that its kernel has.
#include "devices.h"

int main() {
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    std::thread other([=] { number<<<1, n>>>(d_in);
    });
    other.join();
    CHECK(cudaMalloc(&d_out, bytes));
    twice<<<1, n>>>(d_out, d_in);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return say(true);
}
