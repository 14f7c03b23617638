// H200:TODO 4. Sums of 32 of 64 Mi ints: shuffles, shared memory with __syncwarp, __reduce_add_sync, lane 0 alone. Prints ms.
#include <cstdio>
__global__ void shuffles(const int* d_in, int n, int* d_sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = i < n ? d_in[i] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0 && i < n) d_sums[i / 32] = sum;
}
__global__ void one_instruction(const int* d_in, int n, int* d_sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = __reduce_add_sync(0xffffffff, i < n ? d_in[i] : 0);
    if (threadIdx.x % 32 == 0 && i < n) d_sums[i / 32] = sum;
}
__global__ void shared_memory(const int* d_in, int n, int* d_sums) {
    __shared__ int part[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    part[threadIdx.x] = i < n ? d_in[i] : 0;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        if (lane < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncwarp();
    }
    if (lane == 0 && i < n) d_sums[i / 32] = part[threadIdx.x];
}
__global__ void lane_0_alone(const int* d_in, int n, int* d_sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (threadIdx.x % 32 != 0) return;
    for (int k = i; k < n && k < i + 32; ++k) sum += d_in[k];
    if (i < n) d_sums[i / 32] = sum;
}
template <class K>
void time_it(const char* name, K kernel, const int* d_in, int n, int* d_sums) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float best = 1e9f;
    for (int k = 0; k < 10; ++k) {
        cudaEventRecord(a);
        kernel<<<(n + 127) / 128, 128>>>(d_in, n, d_sums);
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        best = ms < best ? ms : best;
    }
    printf("%-20s %8.3f ms %s\n", name, best, cudaGetErrorString(cudaGetLastError()));
}
int main() {
    const int n = 64 << 20;
    int *d_in, *d_sums;
    cudaMalloc(&d_in, n * 4ull);
    cudaMalloc(&d_sums, n / 32 * 4ull);
    cudaMemset(d_in, 1, n * 4ull);
    time_it("five shuffles", shuffles, d_in, n, d_sums);
    time_it("__reduce_add_sync", one_instruction, d_in, n, d_sums);
    time_it("shared memory", shared_memory, d_in, n, d_sums);
    time_it("lane 0 alone", lane_0_alone, d_in, n, d_sums);
}
