// fault: oob-global; line: 13
#include "host.h"

int main() {
    cuInit(0);
    CUcontext context;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    CUdeviceptr x;
    cuMemAlloc(&x, 1000);
    std::vector<int> numbers(1000, 1);
    // 1000 bytes were asked for, not 1000 numbers.
    cuMemcpyHtoD(x, numbers.data(), numbers.size() * sizeof(int));
    cuMemFree(x);
    cuDevicePrimaryCtxRelease(0);
}
