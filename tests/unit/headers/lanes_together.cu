// Which lanes are together, where the rule is one meeting point at the end of each condition and each loop. Prints a line
// for each place: the lanes, as masks, in the order in which they come. CUDA promises none of it: an H200 prints the same but
// beside the call of a function, where nvcc parts lanes that could stay together.
// On a GPU it differs: nvcc parts lanes at the call of a function, and CUDA promises nothing about it
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int most = 64;
__device__ unsigned masks[most];
__device__ int places[most], count;

__device__ void note(int place, unsigned lanes) {
    if ((lanes & ((1u << threadIdx.x) - 1)) != 0) return;  // the first of them does it for all
    const int at = atomicAdd(&count, 1);
    masks[at] = lanes;
    places[at] = place;
}

__device__ __noinline__ void in_a_function(int place) {
    note(place, __activemask());
}

__global__ void branches() {
    const int lane = static_cast<int>(threadIdx.x);
    note(1, __activemask());
    if (lane % 2 == 0) {
        note(2, __activemask());
        if (lane < 8) note(3, __activemask());
        note(4, __activemask());
    } else {
        note(5, __activemask());
    }
    note(6, __activemask());
    if (lane < 4) in_a_function(7);
    in_a_function(9);
    if (lane >= 16) return;
    note(10, __activemask());
}

__global__ void trips() {
    const int lane = static_cast<int>(threadIdx.x);
    for (int trip = 0; trip <= lane % 4; trip++) {
        if ((lane + trip) % 2 == 0) note(20 + trip, __activemask());
        for (int inner = 0; inner < lane / 16 + 1; inner++) note(30 + 2 * trip + inner, __activemask());
    }
    note(40, __activemask());
}

void print() {
    unsigned lanes[most];
    int place[most], n = 0;
    cudaMemcpyFromSymbol(&n, count, sizeof n);
    cudaMemcpyFromSymbol(lanes, masks, sizeof lanes);
    cudaMemcpyFromSymbol(place, places, sizeof place);
    for (int p = 0; p < 50; p++)
        for (int i = 0; i < n; i++)
            if (place[i] == p) printf("%d: %08x\n", p, lanes[i]);
    n = 0;
    cudaMemcpyToSymbol(count, &n, sizeof n);
}

int main() {
    branches<<<1, 32>>>();
    print();
    trips<<<1, 32>>>();
    print();
}
