// correct
#include "host.h"

__global__ void weigh(const float* weights, const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * weights[i % 64];
}

int main() {
    constexpr int n = 50000;
    float *weights, *in, *out;
    cudaMallocManaged(&weights, 64 * sizeof(float));
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    for (int i = 0; i < 64; ++i) weights[i] = i;
    for (int i = 0; i < n; ++i) in[i] = i;
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    cudaMemAdvise(weights, 64 * sizeof(float), cudaMemAdviseSetReadMostly, device);
    cudaMemAdvise(in, n * sizeof(float), cudaMemAdviseSetPreferredLocation, host);
    cudaMemAdvise(in, n * sizeof(float), cudaMemAdviseSetAccessedBy, device);
    weigh<<<(n + 255) / 256, 256>>>(weights, in, out, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && out[i] == static_cast<float>(i) * weights[i % 64];
    cudaFree(weights);
    cudaFree(in);
    cudaFree(out);
    std::puts(right ? "right" : "wrong");
}
