// Lesson 15: what another thread sees, and when.
//
// A block hands a letter to another block, by a flag. Then the last of many blocks finishes a sum, in one kernel. Then a row of
// blocks passes on where each may write. The five places marked TODO are yours. Save after each; the verdict says what to mend.
#include <cuda_runtime.h>

#include "lessons/15_memory_model/interface.h"

constexpr int threads = 128;
constexpr unsigned int all_lanes = 0xffffffff;

// [flag]
// Called by all threads of a block. Whoever sees the flag raised sees all that they wrote before the call.
__device__ void raise_flag(int* flag) {
    // TODO: (1) when all threads of the block are here, one of them makes sure that their writes come first, and raises the flag.
}

// Called by all threads of a block. When it returns, the flag has been raised, and they see what came before it.
__device__ void wait_for(int* flag) {
    // TODO: (2) one thread looks until the flag is raised, with eyes that look at memory each time; the others wait for it.
}
// [/flag]

// [letter]
__global__ void letter_kernel(const int* d_in, int n, int* d_letter, int* d_flag, int* d_out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t < n) d_letter[t] = 3 * d_in[t];
        raise_flag(d_flag);
    } else {
        wait_for(d_flag);
        if (t < n) d_out[t] = d_letter[t] + 1;
    }
}
// [/letter]

extern "C" int pass_letter(const int* d_in, int n, int* d_letter, int* d_flag, int* d_out) {
    letter_kernel<<<2, threads>>>(d_in, n, d_letter, d_flag, d_out);
    return cudaGetLastError();
}

// Given, from lesson 13: thread 0 gets the sum of what the block's threads bring. The block calls it with all its threads.
__device__ float block_sum(float sum) {
    __shared__ float of_warp[threads / 32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    __syncthreads();  // it may be called again: the sums of the last call have been read
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / warpSize ? of_warp[lane] : 0;
        for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(all_lanes, sum, step);
    }
    return sum;
}

// [sum]
__global__ void sum_kernel(const float* d_in, int n, float* d_partials, unsigned int* d_done, float* d_sum) {
    __shared__ bool is_last;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += d_in[i];
    mine = block_sum(mine);
    // TODO: (3) thread 0 leaves the block's sum in d_partials, then takes a ticket from d_done; set is_last for all threads.
    is_last = false;
    if (!is_last) return;
    // TODO: (4) the last block adds up all of d_partials, stores the sum, and leaves d_done ready for the next call.
}
// [/sum]

extern "C" int sum_once(const float* d_in, int n, float* d_partials, unsigned int* d_done, float* d_sum, int blocks) {
    sum_kernel<<<blocks, threads>>>(d_in, n, d_partials, d_done, d_sum);
    return cudaGetLastError();
}

// [keep]
// A warp a block. Each block waits for the one before it to learn where its own numbers go.
__global__ void keep_kernel(const int* d_in, int n, int* d_out, int* d_count, unsigned int* d_next, int* d_ends, int* d_flags) {
    int lane = threadIdx.x;
    // TODO: (5) a number for this block, 0, 1, 2, ...: which 32 numbers of d_in it takes. Mind who waits for whom.
    int number = blockIdx.x;
    int i = number * warpSize + lane;
    bool keep = i < n && d_in[i] >= 0;
    unsigned int kept = __ballot_sync(all_lanes, keep);

    int begin = 0;
    if (number > 0) {
        wait_for(&d_flags[number - 1]);
        begin = d_ends[number - 1];
    }
    int end = begin + __popc(kept);
    if (lane == 0) d_ends[number] = end;
    raise_flag(&d_flags[number]);

    if (keep) d_out[begin + __popc(kept & ((1u << lane) - 1))] = d_in[i];
    if (lane == 0 && number == gridDim.x - 1) *d_count = end;
}
// [/keep]

extern "C" int keep_in_order(const int* d_in, int n, int* d_out, int* d_count, unsigned int* d_next, int* d_ends, int* d_flags) {
    int blocks = (n + 31) / 32;
    cudaError_t status = cudaMemset(d_flags, 0, blocks * sizeof(int));
    if (status == cudaSuccess) status = cudaMemset(d_next, 0, sizeof(unsigned int));
    if (status != cudaSuccess) return status;
    keep_kernel<<<blocks, 32>>>(d_in, n, d_out, d_count, d_next, d_ends, d_flags);
    return cudaGetLastError();
}
