// Sentences 1, 2, 4: what the host's clock says of a launch, what events say of the kernel, the first launch, and an empty pair.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>
__global__ void stir(unsigned* d, int rounds) {
    unsigned x = d[threadIdx.x];
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    d[threadIdx.x] = x;
}
__global__ void other(unsigned* d, int rounds) {
    unsigned x = d[threadIdx.x];
    for (int k = 0; k < rounds; ++k) x = x * 22695477u + 1u;
    d[threadIdx.x] = x;
}
static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
int main() {
    using clock = std::chrono::steady_clock;
    const auto us = [](clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); };
    unsigned* d; cudaStream_t s; cudaEvent_t start, stop;
    cudaMalloc(&d, 128); cudaMemset(d, 1, 128);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEventCreate(&start); cudaEventCreate(&stop);
    cudaDeviceSynchronize();
    float ms;
    for (int i = 0; i < 2; ++i) {  // first launch and second
        cudaEventRecord(start, s);
        auto a = clock::now(); stir<<<1, 32, 0, s>>>(d, 10000); auto b = clock::now();
        cudaEventRecord(stop, s); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
        printf("%s launch: host clock around it %.1f us, events %.1f us\n", i == 0 ? "first" : "second", us(b - a), ms * 1000);
    }
    other<<<1, 32, 0, s>>>(d, 10); cudaStreamSynchronize(s);
    std::vector<double> host, idle, busy, empty, divided;
    for (int i = 0; i < 201; ++i) {
        cudaStreamSynchronize(s);
        cudaEventRecord(start, s);
        auto a = clock::now(); stir<<<1, 32, 0, s>>>(d, 10000); auto b = clock::now();
        cudaEventRecord(stop, s); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
        host.push_back(us(b - a)); idle.push_back(ms * 1000);
        other<<<1, 32, 0, s>>>(d, 20000);
        cudaEventRecord(start, s); stir<<<1, 32, 0, s>>>(d, 10000);
        cudaEventRecord(stop, s); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
        busy.push_back(ms * 1000);
        other<<<1, 32, 0, s>>>(d, 20000);
        cudaEventRecord(start, s); cudaEventRecord(stop, s); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
        empty.push_back(ms * 1000);
        cudaEventRecord(start, s);
        for (int k = 0; k < 20; ++k) stir<<<1, 32, 0, s>>>(d, 10000);
        cudaEventRecord(stop, s); cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
        divided.push_back(ms * 50);
    }
    printf("medians: host clock around a launch %.1f us; events: nothing in front %.1f us, work in front %.1f us, nothing between %.2f us, 20 launches divided %.1f us\n",
           median(host), median(idle), median(busy), median(empty), median(divided));
    return cudaGetLastError();
}
