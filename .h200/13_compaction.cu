// H200:TODO 1. Compaction of 64 Mi ints: a ticket for each kept number against one atomic a warp. Prints ms.
#include <cstdio>
#include <vector>
__global__ void tickets(const int* d_in, int n, int* d_out, int* d_count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int value = d_in[i];
    if (value > 0) d_out[atomicAdd(d_count, 1)] = value;
}
// The address from volatile, so that the compiler cannot gather the warp's additions by itself.
__global__ void tickets_not_gathered(const int* d_in, int n, int* d_out, int* d_count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int value = d_in[i];
    if (value > 0) {
        int place;
        asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(place) : "l"(d_count) : "memory");
        d_out[place] = value;
    }
}
__global__ void by_ballot(const int* d_in, int n, int* d_out, int* d_count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    int value = i < n ? d_in[i] : 0;
    bool keeps = value > 0;
    unsigned keepers = __ballot_sync(0xffffffff, keeps);
    int first = 0;
    if (lane == 0) first = atomicAdd(d_count, __popc(keepers));
    first = __shfl_sync(0xffffffff, first, 0);
    if (keeps) d_out[first + __popc(keepers & ((1u << lane) - 1))] = value;
}
template <class K>
void time_it(const char* name, K kernel, const int* d_in, int n, int* d_out, int* d_count) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float best = 1e9f;
    int count = 0;
    for (int k = 0; k < 10; ++k) {
        cudaMemset(d_count, 0, 4);
        cudaEventRecord(a);
        kernel<<<(n + 127) / 128, 128>>>(d_in, n, d_out, d_count);
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        best = ms < best ? ms : best;
        cudaMemcpy(&count, d_count, 4, cudaMemcpyDeviceToHost);
    }
    printf("%-22s %8.3f ms, %d kept, %s\n", name, best, count, cudaGetErrorString(cudaGetLastError()));
}
int main() {
    const int n = 64 << 20;
    std::vector<int> in(n);
    unsigned r = 13;
    for (int& v : in) v = (r = r * 1664525u + 1013904223u) >> 30 & 1 ? 1 + (r >> 8 & 0xffff) : -1;
    int *d_in, *d_out, *d_count;
    cudaMalloc(&d_in, n * 4ull);
    cudaMalloc(&d_out, n * 4ull);
    cudaMalloc(&d_count, 4);
    cudaMemcpy(d_in, in.data(), n * 4ull, cudaMemcpyHostToDevice);
    time_it("a ticket each", tickets, d_in, n, d_out, d_count);
    time_it("a ticket each (asm)", tickets_not_gathered, d_in, n, d_out, d_count);
    time_it("one atomic a warp", by_ballot, d_in, n, d_out, d_count);
}
