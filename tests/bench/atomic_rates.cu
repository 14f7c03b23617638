// Lesson 12 on a GPU: what contention costs, how many counts a plain increment loses, how often a swap is tried.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. tests/bench/atomic_rates.cu -o atomic_rates && ./atomic_rates
#include "solutions/12_atomics.cu"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

__global__ void plain_increment(unsigned* counter) {
    *counter = *counter + 1;
}

__global__ void plain_count(const char* d_text, int n, unsigned* d_bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && d_text[i] >= 'a' && d_text[i] <= 'z') d_bins[d_text[i] - 'a']++;
}

__device__ unsigned tries;

__device__ void counted_max(float* address, float value) {
    auto* bits = reinterpret_cast<unsigned*>(address);
    unsigned guess = __float_as_uint(-INFINITY);
    while (__uint_as_float(guess) < value) {
        atomicAdd(&tries, 1u);
        const unsigned found = atomicCAS(bits, guess, __float_as_uint(value));
        if (found == guess) return;
        guess = found;
    }
}

__global__ void climb(float* d_best) {
    counted_max(d_best, threadIdx.x + 0.5f);
}

// The least of 20 runs, in microseconds.
template <class Work>
float least(Work work) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    float best = 1e30f;
    for (int i = 0; i < 20; ++i) {
        check(cudaEventRecord(begin));
        work();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        best = std::min(best, milliseconds * 1000);
    }
    return best;
}

void count(const char* name, const std::vector<char>& text, char* d_text, unsigned* d_bins) {
    const int n = static_cast<int>(text.size());
    check(cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice));
    std::printf("%s, grid's counters: %.1f us\n", name, least([&] { count_letters(d_text, n, d_bins); }));
    for (const int blocks : {132, 4 * 132, 8 * 132, 32 * 132})
        std::printf("%s, counters of %d blocks: %.1f us\n", name, blocks,
                    least([&] { count_letters_shared(d_text, n, d_bins, blocks); }));
}

}  // namespace

int main() {
    unsigned *d_bins, bins[alphabet];
    check(cudaMalloc(&d_bins, sizeof(bins)));
    for (const int blocks : {1, 100}) {
        check(cudaMemset(d_bins, 0, sizeof(bins)));
        plain_increment<<<blocks, blocks == 1 ? 32 : 256>>>(d_bins);
        check(cudaMemcpy(bins, d_bins, sizeof(unsigned), cudaMemcpyDeviceToHost));
        std::printf("plain increment by %d threads: %u\n", blocks == 1 ? 32 : blocks * 256, bins[0]);
    }

    constexpr size_t n = size_t{64} << 20;
    const char* words = "the jar for e is never alone; the jars for j, q, x and z gather dust. ";
    const size_t length = std::strlen(words);
    std::vector<char> text(n);
    for (size_t i = 0; i < n; ++i) text[i] = words[i % length];
    char* d_text;
    check(cudaMalloc(&d_text, n));
    count("64 Mi characters of prose", text, d_text, d_bins);
    check(cudaMemset(d_bins, 0, sizeof(bins)));
    plain_count<<<n / 256, 256>>>(d_text, n, d_bins);
    check(cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost));
    std::printf("e by plain increments: %u of %zu\n", bins[4],
                static_cast<size_t>(std::count(text.begin(), text.end(), 'e')));
    std::fill(text.begin(), text.end(), 'e');
    count("64 Mi characters, all e", text, d_text, d_bins);

    const float lowest = -INFINITY;
    for (const int threads : {32, 256, 1024}) {
        const unsigned none = 0;
        unsigned counted = 0;
        check(cudaMemcpyToSymbol(tries, &none, sizeof(none)));
        check(cudaMemcpy(d_bins, &lowest, sizeof(lowest), cudaMemcpyHostToDevice));
        climb<<<1, threads>>>(reinterpret_cast<float*>(d_bins));
        check(cudaMemcpyFromSymbol(&counted, tries, sizeof(counted)));
        std::printf("%d ascending floats, one float in global memory: %u tries\n", threads, counted);
    }

    std::vector<float> values(size_t{16} << 20);
    unsigned random = 1;
    for (float& value : values)
        value = static_cast<float>((random = random * 1664525u + 1013904223u) >> 8) - 9e6f;
    float *d_in, got = 0;
    check(cudaMalloc(&d_in, values.size() * sizeof(float)));
    check(cudaMemcpy(d_in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
    auto* d_largest = reinterpret_cast<float*>(d_bins);
    const float took = least([&] { largest(d_in, static_cast<int>(values.size()), d_largest); });
    check(cudaMemcpy(&got, d_largest, sizeof(got), cudaMemcpyDeviceToHost));
    std::printf("largest of 16 Mi floats: %.1f us, %s\n", took,
                got == *std::max_element(values.begin(), values.end()) ? "right" : "wrong");
    return 0;
}
