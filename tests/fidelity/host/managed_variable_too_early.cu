// fault: managed-race; line: 9; with: 8
#include "host.h"
__managed__ int counter = 5;
__global__ void raise() {
    counter += 2;
}
int main() {
    raise<<<1, 1>>>();
    const int seen = counter;
    CHECK(cudaDeviceSynchronize());
    return say(seen == 7);
}
