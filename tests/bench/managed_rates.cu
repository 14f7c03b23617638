// What page faults and prefetches of managed memory cost: on a GPU, and on the CPU machine's timeline.
//   nvcc -std=c++20 -O3 -arch=sm_90 managed_rates.cu -o managed && ./managed
//   cudalab run managed_rates.cu
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr size_t bytes = 64 << 20, count = bytes / sizeof(float);

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

// One access a page of 4 KiB is enough to bring it.
__global__ void touch(float* x, size_t n, size_t stride) {
    const size_t i = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) * stride;
    if (i < n) x[i] += 1;
}
__global__ void fill(float* x, size_t n, size_t stride) {
    const size_t i = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) * stride;
    if (i < n) x[i] = 1;
}
__global__ void look(const float* x, size_t n, size_t stride, float* out) {
    const size_t i = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) * stride;
    if (i < n && x[i] < 0) *out = x[i];
}

cudaEvent_t begin, end;
constexpr size_t stride = 1024;  // 4 KiB
constexpr unsigned blocks = count / stride / 256;

template <class Work>
void row(const char* name, Work work) {
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(begin));
    work();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    std::printf("%-52s %10.1f us\n", name, milliseconds * 1000);
}

void host_touches(float* x) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < count; i += stride) x[i] += 1;
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    std::printf("%-52s %10.1f us (wall)\n", "the host touches all pages", took.count());
}

}  // namespace

int main() {
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    float *x, *y, *out;
    check(cudaMallocManaged(&x, bytes));
    check(cudaMallocManaged(&y, bytes));
    check(cudaMalloc(&out, sizeof(float)));
    row("warm up", [=] { fill<<<1, 1>>>(y, 1, 1); });
    row("a kernel touches pages that nobody had", [=] { fill<<<blocks, 256>>>(y, count, stride); });
    row("the same again", [=] { touch<<<blocks, 256>>>(y, count, stride); });
    host_touches(x);
    row("a kernel touches the host's pages", [=] { touch<<<blocks, 256>>>(x, count, stride); });
    host_touches(x);
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    row("prefetch to the device, 64 MiB", [=] { check(cudaMemPrefetchAsync(x, bytes, device, 0)); });
    row("prefetch to the host, 64 MiB", [=] { check(cudaMemPrefetchAsync(x, bytes, host, 0)); });
    host_touches(x);
    row("prefetch 1 MiB", [=] { check(cudaMemPrefetchAsync(x, 1 << 20, device, 0)); });
    host_touches(x);
    check(cudaMemAdvise(x, bytes, cudaMemAdviseSetReadMostly, device));
    row("a kernel reads the host's pages, read-mostly",
        [=] { look<<<blocks, 256>>>(x, count, stride, out); });
    row("a kernel writes to copies", [=] { touch<<<blocks, 256>>>(x, count, stride); });
    host_touches(x);
    check(cudaMemAdvise(x, bytes, cudaMemAdviseUnsetReadMostly, device));
    check(cudaMemAdvise(x, bytes, cudaMemAdviseSetAccessedBy, device));
    host_touches(x);
    row("a kernel touches the host's pages, accessed-by", [=] { touch<<<blocks, 256>>>(x, count, stride); });
    // What the attributes say.
    const cudaMemRangeAttribute asked[] = {cudaMemRangeAttributeReadMostly,
                                           cudaMemRangeAttributePreferredLocation,
                                           cudaMemRangeAttributeAccessedBy,
                                           cudaMemRangeAttributeLastPrefetchLocation,
                                           cudaMemRangeAttributePreferredLocationType,
                                           cudaMemRangeAttributePreferredLocationId,
                                           cudaMemRangeAttributeLastPrefetchLocationType,
                                           cudaMemRangeAttributeLastPrefetchLocationId};
    for (int step = 0; step < 3; ++step) {
        if (step == 1) check(cudaMemAdvise(x, bytes, cudaMemAdviseSetPreferredLocation, host));
        if (step == 1) check(cudaMemPrefetchAsync(x, bytes, host, 0));
        if (step == 2) check(cudaMemAdvise(x, bytes / 2, cudaMemAdviseSetPreferredLocation, device));
        std::printf("attributes:");
        for (const auto attribute : asked) {
            int got[2] = {77, 77};
            const size_t size = attribute == cudaMemRangeAttributeAccessedBy ? 8 : 4;
            const cudaError_t error = cudaMemRangeGetAttribute(got, size, attribute, x, bytes);
            std::printf(" %s %d", error == cudaSuccess ? "" : cudaGetErrorName(error), got[0]);
            if (size == 8) std::printf(",%d", got[1]);
        }
        std::printf("\n");
    }
    std::printf("not managed: %s\n", cudaGetErrorName(cudaMemPrefetchAsync(out, 4, device, 0)));
    std::printf("no such device: %s\n",
                cudaGetErrorName(cudaMemPrefetchAsync(x, 4, {cudaMemLocationTypeDevice, 99}, 0)));
    std::printf("too long: %s\n", cudaGetErrorName(cudaMemPrefetchAsync(x, 2 * bytes, device, 0)));
    std::printf("nothing: %s\n", cudaGetErrorName(cudaMemPrefetchAsync(x, 0, device, 0)));
    std::printf("bad advice: %s\n",
                cudaGetErrorName(cudaMemAdvise(x, 4, static_cast<cudaMemoryAdvise>(99), device)));
    std::printf("advice, not managed: %s\n",
                cudaGetErrorName(cudaMemAdvise(out, 4, cudaMemAdviseSetReadMostly, device)));
    std::printf(
        "advice, no such device: %s\n",
        cudaGetErrorName(cudaMemAdvise(x, 4, cudaMemAdviseSetAccessedBy, {cudaMemLocationTypeDevice, 99})));
    std::printf("attach: %s %s\n", cudaGetErrorName(cudaStreamAttachMemAsync(0, x)),
                cudaGetErrorName(cudaStreamAttachMemAsync(0, x, 4096, cudaMemAttachGlobal)));
    check(cudaFree(x));
    check(cudaFree(y));
    check(cudaFree(out));
}
