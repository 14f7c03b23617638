// correct
// In each trip of a loop other lanes are there. Nothing promises that those that are together are in the same trip.
#include "groups.h"

__global__ void trips(int* lanes_of_trip) {
    const int lane = static_cast<int>(threadIdx.x);
    for (int trip = 0; trip <= lane % 8; trip++) {
        if ((lane + trip) % 2 == 0) {
            const auto here = cg::coalesced_threads();
            const auto same = cg::labeled_partition(here, trip);
            const unsigned ones = same.ballot(1);
            if (same.thread_rank() == 0) atomicAdd(&lanes_of_trip[trip], __popc(ones));
            here.sync();
        }
    }
}

int main() {
    int got[8], wanted[8] = {}, *d_got;
    for (int lane = 0; lane < 32; lane++)
        for (int trip = 0; trip <= lane % 8; trip++) wanted[trip] += (lane + trip) % 2 == 0;
    CHECK(cudaMalloc(&d_got, sizeof got));
    CHECK(cudaMemset(d_got, 0, sizeof got));
    trips<<<1, 32>>>(d_got);
    CHECK(cudaMemcpy(got, d_got, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_got));
    return say(std::memcmp(got, wanted, sizeof got) == 0);
}
