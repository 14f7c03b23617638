// A photo larger than what is free on the card: all passes over the whole, against piece by piece.
//   nvcc -std=c++20 -O3 -arch=sm_90 oversubscribed.cu -o over && ./over
// A ballast of cudaMalloc leaves `room` GiB of the card; the photo has 1.5 times as much.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { std::printf("%s: %s\n", #call, cudaGetErrorString(e)); std::exit(1); } } while (0)

constexpr int levels = 16384, threads = 256;
constexpr size_t gib = size_t{1} << 30, room = 8 * gib;

__global__ void develop(int* photo, size_t n, const int* curve) {
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) photo[i] = curve[photo[i]];
}

template <class Work>
void row(const char* name, int* photo, size_t n, Work work) {
    for (size_t i = 0; i < n; i += 1024) photo[i] = int(i % levels);  // a touch for each 4 KiB: home again
    CHECK(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    work();
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%-58s %8.3f s\n", name, took.count());
}

int main() {
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    size_t free_bytes = 0, total = 0;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    void* ballast = nullptr;
    CHECK(cudaMalloc(&ballast, free_bytes - room));
    const size_t bytes = room + room / 2, n = bytes / sizeof(int);
    int *photo, *curve;
    CHECK(cudaMallocManaged(&photo, bytes));
    CHECK(cudaMallocManaged(&curve, levels * sizeof(int)));
    for (int i = 0; i < levels; ++i) curve[i] = levels - 1 - (levels - 1 - i) * 7 / 8;
    for (size_t i = 0; i < n; ++i) photo[i] = int(i % levels);
    std::printf("%.1f GiB left on the card, a photo of %.1f GiB, 4 passes\n", double(room) / gib, double(bytes) / gib);
    const int passes = 4;
    for (int again = 0; again < 2; ++again) {
        row("pass by pass over the whole photo", photo, n, [&] {
            for (int pass = 0; pass < passes; ++pass)
                develop<<<unsigned((n + threads - 1) / threads), threads>>>(photo, n, curve);
        });
        for (const size_t piece_bytes : {size_t{64} << 20, size_t{1} << 30, size_t{2} << 30}) {
            char name[80];
            std::snprintf(name, sizeof name, "piece by piece, %zu MiB each, one stream", piece_bytes >> 20);
            row(name, photo, n, [&] {
                for (size_t begin = 0; begin < n; begin += piece_bytes / sizeof(int)) {
                    const size_t count = std::min(piece_bytes / sizeof(int), n - begin);
                    CHECK(cudaMemPrefetchAsync(photo + begin, count * sizeof(int), device, 0, 0));
                    for (int pass = 0; pass < passes; ++pass)
                        develop<<<unsigned((count + threads - 1) / threads), threads>>>(photo + begin, count, curve);
                    CHECK(cudaMemPrefetchAsync(photo + begin, count * sizeof(int), host, 0, 0));
                }
            });
        }
    }
}
