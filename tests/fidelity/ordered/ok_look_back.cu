// correct
// A scan in one pass: blocks publish sums, then prefixes, and look back for them.
#include "ordered.h"

constexpr int tile = 64;

__global__ void scan(const int* in, int* out, int* sums, int* prefixes, volatile int* state, int n) {
    __shared__ int s[2][tile];
    __shared__ int before;
    const int b = blockIdx.x, t = threadIdx.x, i = b * tile + t;
    int at = 0;
    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int h = 1; h < tile; h *= 2) {
        s[1 - at][t] = s[at][t] + (t >= h ? s[at][t - h] : 0);
        at = 1 - at;
        __syncthreads();
    }
    if (t == 0) {
        const int sum = s[at][tile - 1];
        sums[b] = sum;
        __threadfence();
        state[b] = 1;
        int total = 0;
        for (int k = b - 1; k >= 0; --k) {
            int seen;
            do {
                seen = state[k];
            } while (seen == 0);
            __threadfence();
            if (seen == 2) {
                total += prefixes[k];
                break;
            }
            total += sums[k];
        }
        prefixes[b] = total + sum;
        __threadfence();
        state[b] = 2;
        before = total;
    }
    __syncthreads();
    if (i < n) out[i] = before + s[at][t];
}

int main() {
    const int n = 3001, blocks = (n + tile - 1) / tile;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 7 % 11;
    int *in = upload(values), *out = zeros<int>(n), *sums = zeros<int>(blocks),
        *prefixes = zeros<int>(blocks), *state = zeros<int>(blocks);
    scan<<<blocks, tile>>>(in, out, sums, prefixes, state, n);
    const auto got = fetch(out, n);
    bool right = true;
    for (int i = 0, sum = 0; i < n; ++i) right = right && got[i] == (sum += values[i]);
    return verdict(right);
}
