// correct
// A work-efficient scan in place, up and down the tree.
#include "ordered.h"

__global__ void scan(int* values) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[2 * t] = values[2 * t];
    s[2 * t + 1] = values[2 * t + 1];
    int step = 1;
    for (int d = 64; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    }
    if (t == 0) s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            const int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            const int v = s[left];
            s[left] = s[right];
            s[right] += v;
        }
    }
    __syncthreads();
    values[2 * t] = s[2 * t];
    values[2 * t + 1] = s[2 * t + 1];
}

int main() {
    int* values = upload(std::vector<int>(128, 4));
    scan<<<1, 64>>>(values);
    const auto got = fetch(values, 128);
    bool right = true;
    for (int i = 0; i < 128; ++i) right = right && got[i] == 4 * i;
    return verdict(right);
}
