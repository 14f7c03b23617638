// What the tracking of managed memory's pages costs a checked run: the same kernel and the same host loop on memory of
// cudaMalloc and cudaMallocHost, on managed memory that stays where it is, and on managed memory that goes back and forth.
//   cudalab run page_tracking.cu
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

constexpr int n = 1 << 20, rounds = 5;

__global__ void add(const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

void host_fills(float* x) {
    for (int i = 0; i < n; ++i) x[i] = 1;
}

template <class Work>
double median_seconds(Work work) {
    double all[rounds];
    for (double& one : all) {
        const auto start = std::chrono::steady_clock::now();
        work();
        one = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(all, all + rounds);
    return all[rounds / 2];
}

void kernel(const float* a, const float* b, float* c) {
    add<<<n / 256, 256>>>(a, b, c);
    cudaDeviceSynchronize();
}

}  // namespace

int main() {
    float *a, *b, *c, *pinned, *ma, *mb, *mc;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMallocHost(&pinned, n * sizeof(float));
    cudaMallocManaged(&ma, n * sizeof(float));
    cudaMallocManaged(&mb, n * sizeof(float));
    cudaMallocManaged(&mc, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaMemset(b, 0, n * sizeof(float));
    host_fills(ma);
    host_fills(mb);
    const double plain = median_seconds([=] { kernel(a, b, c); });
    const double resident = median_seconds([=] { kernel(ma, mb, mc); });
    const double host_pinned = median_seconds([=] { host_fills(pinned); });
    host_fills(mc);
    const double host_managed = median_seconds([=] { host_fills(mc); });
    const double moving = median_seconds([=] {
        host_fills(ma);
        kernel(ma, mb, mc);
    });
    std::printf("kernel, %d threads: cudaMalloc %.4f s, managed %.4f s (%.2f times)\n", n, plain, resident,
                resident / plain);
    std::printf("host loop: pinned %.4f s, managed %.4f s (%.2f times)\n", host_pinned, host_managed,
                host_managed / host_pinned);
    std::printf("both, pages going back and forth: %.4f s (%.2f times)\n", moving,
                moving / (plain + host_pinned));
    for (float* each : {a, b, c, ma, mb, mc}) cudaFree(each);
    cudaFreeHost(pinned);
}
