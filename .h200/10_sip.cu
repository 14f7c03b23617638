// Sentence 6: when the host has its sum, with the three ways to wait.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>
__global__ void stir(const unsigned* in, unsigned* out, int rounds) {
    unsigned x = in[threadIdx.x];
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
int main() {
    using clock = std::chrono::steady_clock;
    unsigned *cups, *sips, *clean, *h_sips;
    for (unsigned** p : {&cups, &sips, &clean}) { cudaMalloc(p, 128); cudaMemset(*p, 3, 128); }
    cudaMallocHost(&h_sips, 32);
    cudaStream_t s; cudaEvent_t served;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&served, cudaEventDisableTiming);
    const char* ways[] = {"cudaEventSynchronize", "cudaStreamSynchronize", "cudaDeviceSynchronize"};
    for (int way = 0; way < 3; ++way) {
        std::vector<double> all;
        for (int i = 0; i < 201; ++i) {
            cudaDeviceSynchronize();
            const auto begin = clock::now();
            stir<<<1, 32, 0, s>>>(cups, sips, 1);
            cudaMemcpyAsync(h_sips, sips, 32, cudaMemcpyDeviceToHost, s);
            cudaEventRecord(served, s);
            stir<<<1, 32, 0, s>>>(cups, clean, 12000);
            if (way == 0) cudaEventSynchronize(served); else if (way == 1) cudaStreamSynchronize(s); else cudaDeviceSynchronize();
            all.push_back(std::chrono::duration<double, std::micro>(clock::now() - begin).count());
        }
        printf("%-22s the host goes on after %.1f us\n", ways[way], median(all));
    }
    return cudaGetLastError();
}
