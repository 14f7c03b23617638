// correct
// memset and memcpy inside a kernel, in shared and local memory, of lengths that are no multiple of 4.
#include "tricky.h"

__global__ void move(const char* in, char* out) {
    __shared__ char room[32][13];
    char mine[13];
    memset(mine, 'x', sizeof mine);
    memcpy(mine, in + threadIdx.x, 5);
    memcpy(room[threadIdx.x], mine, sizeof mine);
    __syncthreads();
    memcpy(out + 13 * threadIdx.x, room[31 - threadIdx.x], 13);
}

int main() {
    std::vector<char> text(40, 'b');
    char *in = upload(text), *out = nullptr;
    cudaMalloc(&out, 32 * 13);
    move<<<1, 32>>>(in, out);
    const auto got = fetch(out, 32 * 13);
    return verdict(got[0] == 'b' && got[5] == 'x' && got[415] == 'x');
}
