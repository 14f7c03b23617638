// correct
// Dynamic shared memory carved in three arrays, of double, int and char, each used to its last element.
#include "tricky.h"

__global__ void mix(int n, double* out) {
    extern __shared__ double room[];
    double* values = room;
    int* numbers = reinterpret_cast<int*>(values + n);
    char* letters = reinterpret_cast<char*>(numbers + n);
    const int t = threadIdx.x;
    values[t] = t / 2.0;
    numbers[t] = 2 * t;
    letters[t] = static_cast<char>(t % 100);
    __syncthreads();
    const int u = n - 1 - t;
    out[t] = values[u] + numbers[u] + letters[u];
}

int main() {
    const int n = 96;
    double* out = zeros<double>(n);
    mix<<<1, n, n*(sizeof(double) + sizeof(int) + 1)>>>(n, out);
    return verdict(fetch(out, n)[95] == 0.0 && fetch(out, n)[0] == 47.5 + 190 + 95);
}
