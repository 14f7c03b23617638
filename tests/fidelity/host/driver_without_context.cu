// fault: api-misuse; line: 7
#include "host.h"

int main() {
    cuInit(0);
    CUdeviceptr x = 0;
    const CUresult error = cuMemAlloc(&x, 1024);
    std::printf("%d\n", static_cast<int>(error));
}
