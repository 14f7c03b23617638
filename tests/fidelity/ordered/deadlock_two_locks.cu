// fault: deadlock; line: 9
// Two blocks take two locks, each in its own order, and both hold what the other one wants.
#include "ordered.h"

__global__ void move_between(int* locks, int* accounts) {
    const int mine = blockIdx.x, other = 1 - blockIdx.x;
    while (atomicCAS(&locks[mine], 0, 1) != 0) {
    }
    while (atomicCAS(&locks[other], 0, 1) != 0) {
    }
    __threadfence();
    accounts[mine] -= 5;
    accounts[other] += 5;
    __threadfence();
    atomicExch(&locks[other], 0);
    atomicExch(&locks[mine], 0);
}

int main() {
    int *locks = zeros<int>(2), *accounts = zeros<int>(2);
    move_between<<<2, 1>>>(locks, accounts);
    return verdict(fetch(accounts, 1)[0] == 0);
}
