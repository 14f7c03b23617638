// fault: api-misuse; line: 8
#include <cuda.h>

#include "host.h"

int main() {
    int devices = 0;
    const CUresult error = cuDeviceGetCount(&devices);
    std::printf("%d devices, %d\n", devices, static_cast<int>(error));
}
