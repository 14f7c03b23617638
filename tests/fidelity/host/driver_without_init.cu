// fault: api-misuse; line: 6
#include "host.h"

int main() {
    int devices = 0;
    const CUresult error = cuDeviceGetCount(&devices);
    std::printf("%d devices, %d\n", devices, static_cast<int>(error));
}
