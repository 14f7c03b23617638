// correct
// Each block waits for the one before it and goes on from its sum.
#include "ordered.h"

__global__ void running_total(const int* in, int* total, volatile int* ready) {
    if (threadIdx.x != 0) return;
    const int b = blockIdx.x;
    int before = 0;
    if (b > 0) {
        while (ready[b - 1] == 0) {
        }
        __threadfence();
        before = total[b - 1];
    }
    total[b] = before + in[b];
    __threadfence();
    ready[b] = 1;
}

int main() {
    const int n = 200;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i % 9;
    int *in = upload(values), *total = zeros<int>(n), *ready = zeros<int>(n);
    running_total<<<n, 32>>>(in, total, ready);
    const auto got = fetch(total, n);
    bool right = true;
    for (int i = 0, sum = 0; i < n; ++i) right = right && got[i] == (sum += values[i]);
    return verdict(right);
}
