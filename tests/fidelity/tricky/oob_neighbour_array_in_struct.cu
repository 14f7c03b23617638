// fault: oob-shared; line: 12
// A shared struct of two arrays: one index runs from the first array into the second.
#include "tricky.h"

struct Room {
    int a[16];
    int b[16];
};
__global__ void put(int* out, int n) {
    __shared__ Room room;
    room.b[threadIdx.x] = 7;
    room.a[threadIdx.x + n] = 1;
    out[threadIdx.x] = room.b[threadIdx.x];
}

int main() {
    int* out = zeros<int>(16);
    put<<<1, 16>>>(out, 1);
    return verdict(true);
}
