// Lesson 10: a mark in a stream.
//
// Time one kernel among others, make one stream wait for another, and make the host wait for one result and no
// more. The four places marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/10_events/interface.h"

// Leaves the function with the error of a call that failed.
#define TRY(call)                                 \
    do {                                          \
        cudaError_t status = (call);              \
        if (status != cudaSuccess) return status; \
    } while (0)

constexpr int threads = 128;

// Busy work: each round needs the result of the one before.
__device__ unsigned stir(unsigned x, int rounds) {
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    return x;
}

__global__ void grind_kernel(const unsigned* d_beans, unsigned* d_ground, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        d_ground[i] = stir(d_beans[i], rounds);
    }
}

__global__ void brew_kernel(const unsigned* d_ground, unsigned* d_coffee, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        d_coffee[i] = stir(d_ground[i], rounds);
    }
}

// From the other end: the first cup needs the last of the coffee.
__global__ void pour_kernel(const unsigned* d_coffee, unsigned* d_cups, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        d_cups[i] = stir(d_coffee[n - 1 - i], rounds);
    }
}

__global__ void toast_kernel(const unsigned* d_bread, unsigned* d_toast, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        d_toast[i] = stir(d_bread[i], rounds);
    }
}

__global__ void sip_kernel(const unsigned* d_cups, unsigned* d_sips, int sips) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < sips; i += gridDim.x * blockDim.x) {
        d_sips[i] = d_cups[i] / 2;
    }
}

__global__ void wash_kernel(const unsigned* d_cups, unsigned* d_clean, int n, int rounds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        d_clean[i] = stir(~d_cups[i], rounds);
    }
}

// [time]
extern "C" int time_brew(const unsigned* d_beans, unsigned* d_ground, unsigned* d_coffee, int n,
                         int grind_rounds, int brew_rounds, float* milliseconds) {
    int blocks = (n + threads - 1) / threads;
    cudaStream_t stream;
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    grind_kernel<<<blocks, threads, 0, stream>>>(d_beans, d_ground, n, grind_rounds);
    // TODO: (1) two events, in front of brew_kernel and behind it. Wait for the second, take the time between.
    brew_kernel<<<blocks, threads, 0, stream>>>(d_ground, d_coffee, n, brew_rounds);
    *milliseconds = 0;

    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(stream));
    return cudaStreamDestroy(stream);
}
// [/time]

// [breakfast]
extern "C" int breakfast(const unsigned* d_ground, unsigned* d_coffee, unsigned* d_cups,
                         const unsigned* d_bread, unsigned* d_toast, int n, int brew_rounds, int pour_rounds,
                         int toast_rounds) {
    int blocks = (n + threads - 1) / threads;
    cudaStream_t first, second;
    TRY(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));

    // TODO: (2) the event, its record, its wait. (3) Where must toast_kernel stand, so that it waits for nobody?
    brew_kernel<<<blocks, threads, 0, first>>>(d_ground, d_coffee, n, brew_rounds);
    pour_kernel<<<blocks, threads, 0, second>>>(d_coffee, d_cups, n, pour_rounds);
    toast_kernel<<<blocks, threads, 0, first>>>(d_bread, d_toast, n, toast_rounds);

    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(first));
    TRY(cudaStreamSynchronize(second));
    TRY(cudaStreamDestroy(first));
    return cudaStreamDestroy(second);
}
// [/breakfast]

static unsigned sum_of(const unsigned* values, int count) {
    unsigned sum = 0;
    for (int i = 0; i < count; ++i) sum += values[i];
    return sum;
}

// [sip]
extern "C" int first_sip(const unsigned* d_cups, unsigned* d_sips, unsigned* d_clean, int n, int sips,
                         int wash_rounds, unsigned* sum) {
    int blocks = (n + threads - 1) / threads;
    cudaStream_t stream;
    unsigned* h_sips;  // pinned: a copy to it can run while the host goes on
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaMallocHost(&h_sips, sips * sizeof(unsigned)));

    // TODO: (4) the event and its record. Which one thing must the host wait for before it adds up the sips?
    sip_kernel<<<blocks, threads, 0, stream>>>(d_cups, d_sips, sips);
    TRY(cudaMemcpyAsync(h_sips, d_sips, sips * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
    wash_kernel<<<blocks, threads, 0, stream>>>(d_cups, d_clean, n, wash_rounds);
    *sum = sum_of(h_sips, sips);

    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(stream));
    TRY(cudaFreeHost(h_sips));
    return cudaStreamDestroy(stream);
}
// [/sip]
