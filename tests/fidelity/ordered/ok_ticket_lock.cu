// correct
// Blocks are served in the order of their tickets.
#include "ordered.h"

__device__ unsigned tickets;
__device__ volatile unsigned serving;

__global__ void visit(int* order) {
    if (threadIdx.x != 0) return;
    const unsigned mine = atomicAdd(&tickets, 1);
    while (serving != mine) {
    }
    __threadfence();
    order[0] = order[0] + 1;
    order[order[0]] = mine;
    __threadfence();
    serving = mine + 1;
}

int main() {
    int* order = zeros<int>(41);
    visit<<<40, 32>>>(order);
    const auto got = fetch(order, 41);
    bool right = got[0] == 40;
    for (int i = 0; i < 40; ++i) right = right && got[i + 1] == i;
    return verdict(right);
}
