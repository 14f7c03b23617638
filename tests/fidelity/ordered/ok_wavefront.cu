// correct
// Blocks of a table wait for their neighbours above and to the left.
#include "ordered.h"

constexpr int side = 9;

__global__ void paths(int* table, volatile int* done) {
    const int row = blockIdx.y, col = blockIdx.x, at = row * side + col;
    if (threadIdx.x != 0) return;
    int ways = row == 0 && col == 0 ? 1 : 0;
    if (row > 0) {
        while (done[at - side] == 0) {
        }
        __threadfence();
        ways += table[at - side];
    }
    if (col > 0) {
        while (done[at - 1] == 0) {
        }
        __threadfence();
        ways += table[at - 1];
    }
    table[at] = ways;
    __threadfence();
    done[at] = 1;
}

int main() {
    int *table = zeros<int>(side * side), *done = zeros<int>(side * side);
    paths<<<dim3(side, side), 32>>>(table, done);
    return verdict(fetch(table, side * side)[side * side - 1] == 12870);
}
