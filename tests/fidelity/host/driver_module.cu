// fault: api-misuse; line: 11
#include "host.h"

int main() {
    cuInit(0);
    CUcontext context;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    CUmodule module;
    // A CPU cannot run what is in there.
    const CUresult error = cuModuleLoad(&module, "kernel.ptx");
    std::printf("%d\n", static_cast<int>(error));
    cuDevicePrimaryCtxRelease(0);
}
