// Lesson 09: copies and kernels at the same time.
//
// Seal many records: copy them in, run the kernel, copy the seals out. First as one piece in one stream, then
// in chunks over several streams, so that one chunk's copy runs behind another chunk's kernel. The three places
// marked TODO are yours. Save after each; the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/09_streams/interface.h"

constexpr int blocks = 8, threads = 256;

// [kernel]
// Seals n records in place, with a grid-stride loop. Eight blocks are few on purpose: so the kernel takes about as
// long as a copy, and there is something to hide.
__global__ void seal_kernel(unsigned* d_x, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned x = d_x[i];
        x = (x ^ x >> 16) * 2654435769u;
        x = (x ^ x >> 15) * 2246822519u;
        d_x[i] = x ^ x >> 16;
    }
}
// [/kernel]

// [queue]
// Everything that one chunk needs: copy n records to d_x, seal them there, copy the seals back.
void queue_chunk(const unsigned* h_in, unsigned* h_out, unsigned* d_x, int n, cudaStream_t stream) {
    // >>> TODO: (1) queue the three of them in `stream`, and wait for none.
    size_t bytes = n * sizeof(unsigned);
    cudaMemcpyAsync(d_x, h_in, bytes, cudaMemcpyHostToDevice, stream);
    seal_kernel<<<blocks, threads, 0, stream>>>(d_x, n);
    cudaMemcpyAsync(h_out, d_x, bytes, cudaMemcpyDeviceToHost, stream);
    // <<<
}
// [/queue]

// [whole]
extern "C" int seal_whole(const unsigned* h_in, unsigned* h_out, unsigned* d_x, int n) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    queue_chunk(h_in, h_out, d_x, n, stream);
    // >>> TODO: (2) the caller reads h_out next.
    cudaStreamSynchronize(stream);
    // <<<
    cudaStreamDestroy(stream);
    return cudaGetLastError();
}
// [/whole]

// [chunks]
extern "C" int seal_chunks(const unsigned* h_in, unsigned* h_out, int n, int chunk, int streams) {
    // One buffer for each stream, side by side.
    unsigned* d_x;
    cudaError_t status = cudaMalloc(&d_x, size_t(streams) * chunk * sizeof(unsigned));
    if (status != cudaSuccess) return status;

    // >>> TODO: (3) make the streams, deal the chunks out to them, wait for all of them, destroy them.
    cudaStream_t stream[most_streams];
    for (int s = 0; s < streams; ++s) cudaStreamCreate(&stream[s]);

    for (int first = 0, c = 0; first < n; first += chunk, ++c) {
        int s = c % streams;
        int count = n - first < chunk ? n - first : chunk;
        queue_chunk(h_in + first, h_out + first, d_x + s * chunk, count, stream[s]);
    }

    for (int s = 0; s < streams; ++s) {
        cudaStreamSynchronize(stream[s]);
        cudaStreamDestroy(stream[s]);
    }
    // <<<
    cudaFree(d_x);
    return cudaGetLastError();
}
// [/chunks]
