// fault: launch-config; line: 13
#include "groups.h"

__global__ void fill(int* x) {
    cg::this_grid().sync();
    x[0] = 1;
}

int main() {
    int* d_x;
    CHECK(cudaMalloc(&d_x, sizeof(int)));
    void* arguments[] = {&d_x};
    if (cudaLaunchCooperativeKernel((void*)fill, 100000, 256, arguments) == cudaErrorCooperativeLaunchTooLarge)
        std::puts("too large");
    return 0;
}
