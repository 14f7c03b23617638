// 2^26 particles (2 GiB): velocity scaled and clipped in place as an array of structures, the same with one float4 load and store, and as a
// structure of arrays; and the conversion with eight float loads, with two float4, and with a thread for each float. Prints ms (median of 9).
// The limit is so high that nothing is clipped: the counter is not what is measured.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

struct Particle {
    float x, y, z, mass, vx, vy, vz, charge;
};
__device__ unsigned int clipped;
__device__ float clip(float value, float limit) {
    if (value >= -limit && value <= limit) return value;
    atomicAdd(&clipped, 1u);
    return value < 0 ? -limit : limit;
}
__global__ void aos(Particle* p, int n, float factor, float limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].vx = clip(factor * p[i].vx, limit);
    p[i].vy = clip(factor * p[i].vy, limit);
    p[i].vz = clip(factor * p[i].vz, limit);
}
__global__ void aos_wide(Particle* p, int n, float factor, float limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4* d_motion = reinterpret_cast<float4*>(&p[i].vx);
    float4 m = *d_motion;
    m.x = clip(factor * m.x, limit);
    m.y = clip(factor * m.y, limit);
    m.z = clip(factor * m.z, limit);
    *d_motion = m;
}
__global__ void soa(float* d, int n, size_t pitch, float factor, float limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int f = 4; f <= 6; ++f) d[f * pitch + i] = clip(factor * d[f * pitch + i], limit);
}
__global__ void soa_pieces(float* d, int n, size_t pitch, float factor, float limit) {  // eight neighbours a thread
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int f = 4; f <= 6; ++f)
        for (int k = 8 * i; k < 8 * i + 8 && k < n; ++k) d[f * pitch + k] = clip(factor * d[f * pitch + k], limit);
}
__global__ void convert_small(const Particle* p, float* d, int n, size_t pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* from = reinterpret_cast<const float*>(p + i);
    for (int f = 0; f < 8; ++f) d[f * pitch + i] = from[f];
}
__global__ void convert_wide(const Particle* p, float* d, int n, size_t pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 a = reinterpret_cast<const float4*>(p + i)[0], b = reinterpret_cast<const float4*>(p + i)[1];
    d[0 * pitch + i] = a.x, d[1 * pitch + i] = a.y, d[2 * pitch + i] = a.z, d[3 * pitch + i] = a.w;
    d[4 * pitch + i] = b.x, d[5 * pitch + i] = b.y, d[6 * pitch + i] = b.z, d[7 * pitch + i] = b.w;
}
__global__ void convert_each(const Particle* p, float* d, int n, size_t pitch) {
    size_t k = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (k < size_t(n) * 8) d[k % 8 * pitch + k / 8] = reinterpret_cast<const float*>(p)[k];
}

static void time_it(const char* name, const std::function<void()>& launch) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<float> times;
    for (int k = 0; k < 10; ++k) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        if (k > 0) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    printf("%-28s %.3f ms\n", name, times[times.size() / 2]);
}

int main() {
    const int n = 1 << 26;
    const size_t pitch = n;
    Particle* d_p;
    float* d_soa;
    if (cudaMalloc(&d_p, sizeof(Particle) * size_t(n)) != cudaSuccess) return 1;
    if (cudaMalloc(&d_soa, sizeof(Particle) * size_t(n)) != cudaSuccess) return 1;
    cudaMemset(d_p, 0, sizeof(Particle) * size_t(n));
    cudaMemset(d_soa, 0, sizeof(Particle) * size_t(n));
    const unsigned blocks = n / 256;
    time_it("array of structures", [&] { aos<<<blocks, 256>>>(d_p, n, 0.5f, 8); });
    time_it("array of structures, float4", [&] { aos_wide<<<blocks, 256>>>(d_p, n, 0.5f, 8); });
    time_it("structure of arrays", [&] { soa<<<blocks, 256>>>(d_soa, n, pitch, 0.5f, 8); });
    time_it("structure of arrays, pieces", [&] { soa_pieces<<<blocks / 8, 256>>>(d_soa, n, pitch, 0.5f, 8); });
    time_it("convert, eight floats", [&] { convert_small<<<blocks, 256>>>(d_p, d_soa, n, pitch); });
    time_it("convert, two float4", [&] { convert_wide<<<blocks, 256>>>(d_p, d_soa, n, pitch); });
    time_it("convert, a float a thread", [&] { convert_each<<<blocks * 8, 256>>>(d_p, d_soa, n, pitch); });
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
