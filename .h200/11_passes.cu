// Ten passes over a photo that is on the card, and over one that stays with the host and is reached over the bus.
//   nvcc -std=c++20 -O3 -arch=sm_90 passes.cu -o passes && ./passes
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { std::printf("%s: %s\n", #call, cudaGetErrorString(e)); std::exit(1); } } while (0)

constexpr size_t bytes = size_t{1} << 30, n = bytes / sizeof(int);
__global__ void look(const int* x, int* out) {
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (x[i] < 0) *out = 1;
}

void row(const char* name, const int* x, int* out) {
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(a));
    for (int pass = 0; pass < 10; ++pass) look<<<n / 256, 256>>>(x, out);
    CHECK(cudaEventRecord(b));
    CHECK(cudaEventSynchronize(b));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    std::printf("%-52s %9.3f ms a pass\n", name, ms / 10);
}

int main() {
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    int *out, *x, *pinned;
    CHECK(cudaMalloc(&out, sizeof(int)));
    for (int again = 0; again < 2; ++again) {
        const auto fresh = [&] {
            CHECK(cudaMallocManaged(&x, bytes));
            for (size_t i = 0; i < n; ++i) x[i] = 1;
        };
        fresh();
        CHECK(cudaMemPrefetchAsync(x, bytes, device, 0, 0));
        row("1 GiB, prefetched", x, out);
        CHECK(cudaFree(x));
        fresh();
        row("1 GiB, by faults (the first pass has them all)", x, out);
        CHECK(cudaFree(x));
        fresh();
        CHECK(cudaMemAdvise(x, bytes, cudaMemAdviseSetAccessedBy, device));
        CHECK(cudaMemAdvise(x, bytes, cudaMemAdviseSetPreferredLocation, host));
        row("1 GiB, stays with the host, accessed by the device", x, out);
        CHECK(cudaFree(x));
        CHECK(cudaMallocHost(&pinned, bytes));
        for (size_t i = 0; i < n; ++i) pinned[i] = 1;
        row("1 GiB, pinned", pinned, out);
        CHECK(cudaFreeHost(pinned));
    }
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0));
    std::printf("cudaDevAttrConcurrentManagedAccess %d\n", value);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrPageableMemoryAccess, 0));
    std::printf("cudaDevAttrPageableMemoryAccess %d\n", value);
}
