// Kernel 2 in stream 2 waits for an event of stream 1, while kernel 3 in stream 1 runs on: an event orders what
// comes after it in one stream behind what came before it in another, and nothing else.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int n = 256;

__global__ void square(const float* in, float* out, int rounds) {
    const int i = threadIdx.x;
    float x = in[i];
    for (int k = 0; k < rounds; ++k) x = x * x * 0.5f;
    out[i] = x;
}

int main() {
    float *a, *b, *c, *d;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMalloc(&d, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaDeviceSynchronize();
    cudaStream_t stream1, stream2;
    cudaStreamCreate(&stream1);
    cudaStreamCreate(&stream2);
    cudaEvent_t first_done;
    cudaEventCreateWithFlags(&first_done, cudaEventDisableTiming);

    square<<<1, n, 0, stream1>>>(a, b, 20000);  // kernel 1
    cudaEventRecord(first_done, stream1);
    cudaStreamWaitEvent(stream2, first_done);
    square<<<1, n, 0, stream1>>>(a, c, 50000);  // kernel 3: does not wait for kernel 2
    square<<<1, n, 0, stream2>>>(b, d, 20000);  // kernel 2: reads what kernel 1 wrote
    cudaDeviceSynchronize();
    std::printf("all three are done: %s\n", cudaGetErrorString(cudaGetLastError()));

    cudaEventDestroy(first_done);
    cudaStreamDestroy(stream1);
    cudaStreamDestroy(stream2);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}
