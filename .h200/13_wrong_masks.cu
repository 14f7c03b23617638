// H200:TODO 3. What an H200 makes of three wrong sums: right by luck, wrong, or a hang? (It may hang: run it under `timeout 20`.)
#include <cstdio>
__global__ void early_return(const int* d_in, int n, int* d_sum) {
    int i = threadIdx.x;
    if (i >= n) return;
    int sum = d_in[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (i == 0) *d_sum = sum;
}
__global__ void in_the_branch(const int* d_in, int n, int* d_sum) {
    int i = threadIdx.x, sum = 0;
    if (i < n) {
        sum = d_in[i];
        for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    }
    __syncwarp();
    if (i == 0) *d_sum = sum;
}
__global__ void half_mask(const int* d_in, int n, int* d_sum) {
    int i = threadIdx.x, sum = i < n ? d_in[i] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffff, sum, step);
    if (i == 0) *d_sum = sum;
}
__global__ void no_syncwarp(const int* d_in, int n, int* d_sum) {
    __shared__ int part[32];
    int i = threadIdx.x;
    part[i] = i < n ? d_in[i] : 0;
    for (int step = 16; step > 0; step /= 2)
        if (i < step) part[i] += part[i + step];
    if (i == 0) *d_sum = part[0];
}
template <class K>
void ask(const char* name, K kernel, int n, int expected) {
    int in[32], sum = -1;
    for (int i = 0; i < 32; ++i) in[i] = n == 3 ? 7 + i : i + 1;
    int *d_in, *d_sum;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_sum, 4);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(d_in, n, d_sum);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(&sum, d_sum, 4, cudaMemcpyDeviceToHost);
    printf("%-16s n = %2d: %d, expected %d, %s\n", name, n, sum, expected, cudaGetErrorString(e));
    fflush(stdout);
}
int main() {
    ask("early return", early_return, 3, 24);
    ask("no __syncwarp", no_syncwarp, 32, 528);
    ask("no __syncwarp", no_syncwarp, 3, 24);
    ask("half a mask", half_mask, 32, 528);
    ask("in the branch", in_the_branch, 3, 24);
}
