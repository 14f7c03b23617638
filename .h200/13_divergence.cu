// H200:TODO 2. The two sensors, divided and sorted, with 4/6 terms as in the exercise and with 64/96. Prints ms for 64 Mi readings.
#include <cstdio>
template <int N>
__device__ float by_curve(float x, const float* d) {
    float y = 0;
#pragma unroll 1
    for (int k = 0; k < N; ++k) y = y * x + d[k];
    return y;
}
template <int N>
__device__ float by_knots(float x, const float* d) {
    float y = 0;
#pragma unroll 1
    for (int k = 0; k < N; ++k) y += fabsf(x - d[k]);
    return y;
}
template <int C, int K>
__global__ void divided(const float* d_raw, int n, const float* c, const float* k, float* d_out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 2 == 0) d_out[i] = by_curve<C>(d_raw[i], c);
    else d_out[i] = by_knots<K>(d_raw[i], k);
}
template <int C, int K>
__global__ void sorted(const float* d_raw, int n, const float* c, const float* k, float* d_out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % warpSize, warp = i / warpSize;
    int sensor = warp % 2, mine = warp / 2 * 2 * warpSize + 2 * lane + sensor;
    if (mine >= n) return;
    if (sensor == 0) d_out[mine] = by_curve<C>(d_raw[mine], c);
    else d_out[mine] = by_knots<K>(d_raw[mine], k);
}
template <class Kernel>
void time_it(const char* name, Kernel kernel, float* d_raw, int n, float* d_lists, float* d_out) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float best = 1e9f;
    for (int k = 0; k < 10; ++k) {
        cudaEventRecord(a);
        kernel<<<(n + 127) / 128, 128>>>(d_raw, n, d_lists, d_lists, d_out);
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        best = ms < best ? ms : best;
    }
    printf("%-24s %8.3f ms %s\n", name, best, cudaGetErrorString(cudaGetLastError()));
}
int main() {
    const int n = 64 << 20;
    float *d_raw, *d_lists, *d_out;
    cudaMalloc(&d_raw, n * 4ull);
    cudaMalloc(&d_out, n * 4ull);
    cudaMalloc(&d_lists, 4096);
    cudaMemset(d_raw, 0, n * 4ull);
    cudaMemset(d_lists, 0, 4096);
    time_it("divided, 4 and 6 terms", divided<4, 6>, d_raw, n, d_lists, d_out);
    time_it("sorted, 4 and 6 terms", sorted<4, 6>, d_raw, n, d_lists, d_out);
    time_it("divided, 96 and 96", divided<96, 96>, d_raw, n, d_lists, d_out);
    time_it("sorted, 96 and 96", sorted<96, 96>, d_raw, n, d_lists, d_out);
}
