// fault: misaligned; line: 6
// A double is read at an address that is a multiple of 4 and not of 8: the fourth float of a row.
#include "tricky.h"

__global__ void get(const float* d, double* out) {
    out[threadIdx.x] = *reinterpret_cast<const double*>(d + 2 * threadIdx.x + 1);
}

int main() {
    float* d = zeros<float>(64);
    double* out = zeros<double>(32);
    get<<<1, 16>>>(d, out);
    return verdict(true);
}
