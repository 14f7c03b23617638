// correct
// A bitonic sort in shared memory.
#include "ordered.h"

__global__ void sort(int* values) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = values[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 2; k <= 256; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            const int other = t ^ j;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                const int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads();
        }
    }
    values[blockIdx.x * 256 + t] = s[t];
}

int main() {
    std::vector<int> start(512);
    for (int i = 0; i < 512; ++i) start[i] = i * 73 % 257;
    int* values = upload(start);
    sort<<<2, 256>>>(values);
    const auto got = fetch(values, 512);
    bool right = true;
    for (int i = 1; i < 512; ++i) right = right && (i == 256 || got[i - 1] <= got[i]);
    return verdict(right);
}
