// How long kernels and copies take: on a GPU by its events, on the CPU machine by its model of one. The same
// program, so the two columns can be laid side by side: simt/host/durations.h says what the model takes from here.
//   nvcc -std=c++20 -O3 -arch=sm_90 timeline_rates.cu -o rates && ./rates
//   cudalab run timeline_rates.cu
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

#ifndef SIMT_CHECKED         // a GPU
constexpr int repeats = 20;  // in a row, so that what a launch costs the host is not counted
#else
constexpr int repeats = 1;
#endif

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

__global__ void nothing() {}

// Keeps the GPU busy while the host queues the work behind it.
void* scratch;
constexpr size_t scratch_bytes = 64 << 20;
void hold() {
#ifndef SIMT_CHECKED  // a GPU
    constexpr int times = 100;
#else
    constexpr int times = 4;
#endif
    for (int i = 0; i < times; ++i) check(cudaMemsetAsync(scratch, 0, scratch_bytes));
}

__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void add_in_strides(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

__global__ void gather(const float* a, float* c, int n, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[static_cast<long long>(i) * stride % n];
}

__global__ void multiply_naive(const float* a, const float* b, float* c, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void multiply_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float left[16][16], right[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += 16) {
        left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void transpose(const float* a, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    c[x * n + y] = a[y * n + x];
}

__global__ void reduce(const float* a, float* sums, int n) {
    __shared__ float part[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void count(const float* a, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[static_cast<int>(a[i]) & 63], 1u);
}

__global__ void count_all(const float* a, unsigned* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] >= 0) atomicAdd(total, 1u);
}

__global__ void iterate(float* c, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = c[i];
    for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
    c[i] = x;
}

__global__ void walk(const int* next, int* end, int steps) {
    int at = 0;
    for (int k = 0; k < steps; ++k) at = next[at];
    *end = at;
}

__global__ void sum_alone(const float* a, float* sum, int n) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += a[i];
    *sum = total;
}

cudaEvent_t begin, end;

float finish(int times) {
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds * 1000 / static_cast<float>(times);
}

template <class Work>
void row(const char* name, Work work) {
#ifndef SIMT_CHECKED  // a GPU
    work();
    check(cudaDeviceSynchronize());
#endif
    hold();
    check(cudaEventRecord(begin));
    for (int i = 0; i < repeats; ++i) work();
    std::printf("%-34s %12.2f us\n", name, finish(repeats));
    std::fflush(stdout);
    check(cudaGetLastError());
}

template <class Work>
void host_row(const char* name, Work work) {
#ifndef SIMT_CHECKED  // a GPU
    work();
    check(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i) work();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    check(cudaDeviceSynchronize());
    std::printf("%-34s %12.2f us of the host\n", name, took.count() / 200);
#else
    (void)name;
    (void)work;
#endif
}

void kernels() {
    constexpr int most = 1 << 24;
    float *a, *b, *c;
    unsigned* bins;
    int* next;
    check(cudaMalloc(&a, most * sizeof(float)));
    check(cudaMalloc(&b, most * sizeof(float)));
    check(cudaMalloc(&c, most * sizeof(float)));
    check(cudaMalloc(&bins, 64 * sizeof(unsigned)));
    check(cudaMalloc(&next, 4096 * 64 * sizeof(int)));
    std::vector<float> values(most);
    for (int i = 0; i < most; ++i) values[i] = static_cast<float>(i * 7919 % 64);
    check(cudaMemcpy(a, values.data(), most * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemcpy(b, values.data(), most * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemset(bins, 0, 64 * sizeof(unsigned)));
    check(cudaMemset(c, 0, most * sizeof(float)));
    std::vector<int> chain(4096 * 64);
    for (int i = 0; i < 4096; ++i) chain[i * 64] = (i * 1021 + 7) % 4096 * 64;
    check(cudaMemcpy(next, chain.data(), chain.size() * sizeof(int), cudaMemcpyHostToDevice));

    row("nothing", [] { nothing<<<1, 32>>>(); });
    row("nothing, 1056 blocks", [] { nothing<<<1056, 256>>>(); });
    for (const int power : {10, 16, 18, 20, 22, 24}) {
        char name[64];
        std::snprintf(name, sizeof name, "add, 2^%d", power);
        const int n = 1 << power;
        row(name, [=] { add<<<(n + 255) / 256, 256>>>(a, b, c, n); });
    }
    row("add_in_strides, 2^20, 1 block", [=] { add_in_strides<<<1, 256>>>(a, b, c, 1 << 20); });
    row("add_in_strides, 2^20, 132 blocks", [=] { add_in_strides<<<132, 256>>>(a, b, c, 1 << 20); });
    row("add_in_strides, 2^22, 1056 blocks", [=] { add_in_strides<<<1056, 256>>>(a, b, c, 1 << 22); });
    row("gather, stride 1, 2^20", [=] { gather<<<4096, 256>>>(a, c, 1 << 20, 1); });
    row("gather, stride 8, 2^20", [=] { gather<<<4096, 256>>>(a, c, 1 << 20, 8); });
    row("gather, stride 33, 2^20", [=] { gather<<<4096, 256>>>(a, c, 1 << 20, 33); });
    row("gather, stride 33, 2^22", [=] { gather<<<16384, 256>>>(a, c, 1 << 22, 33); });
    row("multiply_naive, 256", [=] { multiply_naive<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, 256); });
    row("multiply_naive, 512", [=] { multiply_naive<<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512); });
    row("multiply_tiled, 256", [=] { multiply_tiled<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, 256); });
    row("multiply_tiled, 512", [=] { multiply_tiled<<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512); });
    row("transpose, 1024", [=] { transpose<<<dim3(32, 32), dim3(32, 32)>>>(a, c, 1024); });
    row("transpose, 2048", [=] { transpose<<<dim3(64, 64), dim3(32, 32)>>>(a, c, 2048); });
    row("reduce, 2^20", [=] { reduce<<<4096, 256>>>(a, c, 1 << 20); });
    row("reduce, 2^22", [=] { reduce<<<16384, 256>>>(a, c, 1 << 22); });
    row("count, 64 bins, 2^20", [=] { count<<<4096, 256>>>(a, bins, 1 << 20); });
    row("count_all, 1 counter, 2^20", [=] { count_all<<<4096, 256>>>(a, bins, 1 << 20); });
    row("iterate, 1 warp, 10000", [=] { iterate<<<1, 32>>>(c, 10000); });
    row("iterate, 132 blocks, 1000", [=] { iterate<<<132, 256>>>(c, 1000); });
    row("iterate, 1056 blocks, 200", [=] { iterate<<<1056, 256>>>(c, 200); });
    row("walk, 10000 steps", [=] { walk<<<1, 1>>>(next, next + 1, 10000); });
    row("sum_alone, 10000", [=] { sum_alone<<<1, 1>>>(a, c, 10000); });

    row("cudaMemset, 1 MiB", [=] { check(cudaMemsetAsync(c, 0, 1 << 20)); });
    row("cudaMemset, 64 MiB", [=] { check(cudaMemsetAsync(c, 0, 64 << 20)); });
    row("copy on the device, 4 KiB", [=] { check(cudaMemcpyAsync(c, a, 4096, cudaMemcpyDeviceToDevice)); });
    row("copy on the device, 1 MiB",
        [=] { check(cudaMemcpyAsync(c, a, 1 << 20, cudaMemcpyDeviceToDevice)); });
    row("copy on the device, 64 MiB",
        [=] { check(cudaMemcpyAsync(c, a, 64 << 20, cudaMemcpyDeviceToDevice)); });

    float *in, *out;
    check(cudaMallocHost(&in, 64 << 20));
    check(cudaMallocHost(&out, 64 << 20));
    for (int i = 0; i < (16 << 20); ++i) in[i] = out[i] = 1;
    for (const int bytes : {4, 4096, 65536, 1 << 20, 16 << 20, 64 << 20}) {
        char name[64];
        std::snprintf(name, sizeof name, "to the device, pinned, %d", bytes);
        row(name, [=] { check(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice)); });
        std::snprintf(name, sizeof name, "to the host, pinned, %d", bytes);
        row(name, [=] { check(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost)); });
    }
    cudaStream_t one, two;
    check(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    cudaEvent_t joined;
    check(cudaEventCreate(&joined));
    row("both ways at once, 16 MiB each", [=] {
        check(cudaEventRecord(joined));
        check(cudaStreamWaitEvent(one, joined));
        check(cudaStreamWaitEvent(two, joined));
        check(cudaMemcpyAsync(a, in, 16 << 20, cudaMemcpyHostToDevice, one));
        check(cudaMemcpyAsync(out, b, 16 << 20, cudaMemcpyDeviceToHost, two));
        check(cudaEventRecord(joined, one));
        check(cudaStreamWaitEvent(nullptr, joined));
        check(cudaEventRecord(joined, two));
        check(cudaStreamWaitEvent(nullptr, joined));
    });
    for (const int blocks : {1, 66, 132, 528, 1056}) {
        for (const bool together : {false, true}) {
            char name[64];
            std::snprintf(name, sizeof name, "2 x iterate, %d blocks, %s", blocks,
                          together ? "2 streams" : "1 stream");
            row(name, [=] {
                check(cudaEventRecord(joined));
                check(cudaStreamWaitEvent(one, joined));
                check(cudaStreamWaitEvent(two, joined));
                iterate<<<blocks, 256, 0, one>>>(b, 200);
                iterate<<<blocks, 256, 0, together ? two : one>>>(c, 200);
                check(cudaEventRecord(joined, one));
                check(cudaStreamWaitEvent(nullptr, joined));
                check(cudaEventRecord(joined, two));
                check(cudaStreamWaitEvent(nullptr, joined));
            });
        }
    }
    float* plain = values.data();
    for (const int bytes : {4, 65536, 1 << 20, 16 << 20, 64 << 20}) {
        char name[64];
        std::snprintf(name, sizeof name, "to the device, pageable, %d", bytes);
        row(name, [=] { check(cudaMemcpy(a, plain, bytes, cudaMemcpyHostToDevice)); });
        std::snprintf(name, sizeof name, "to the host, pageable, %d", bytes);
        row(name, [=] { check(cudaMemcpy(plain, a, bytes, cudaMemcpyDeviceToHost)); });
    }
    host_row("a launch", [] { nothing<<<1, 32>>>(); });
    host_row("cudaMemcpyAsync, pinned, 4 bytes",
             [=] { check(cudaMemcpyAsync(a, in, 4, cudaMemcpyHostToDevice)); });
    host_row("cudaEventRecord", [=] { check(cudaEventRecord(joined)); });
    host_row("cudaStreamWaitEvent", [=] { check(cudaStreamWaitEvent(one, joined)); });
    host_row("cudaMemsetAsync", [=] { check(cudaMemsetAsync(c, 0, 4)); });
    host_row("cudaDeviceSynchronize, idle", [] { check(cudaDeviceSynchronize()); });
    host_row("launch and cudaDeviceSynchronize", [] {
        nothing<<<1, 32>>>();
        check(cudaDeviceSynchronize());
    });
    host_row("cudaEventQuery, done", [=] { check(cudaEventQuery(joined)); });
    host_row("cudaLaunchHostFunc", [=] {
        check(cudaLaunchHostFunc(
            one, [](void*) {}, nullptr));
    });
    host_row("cudaMemcpy, pinned, 4 bytes to host",
             [=] { check(cudaMemcpy(out, a, 4, cudaMemcpyDeviceToHost)); });
    host_row("cudaMalloc and cudaFree, 1 MiB", [] {
        void* memory;
        check(cudaMalloc(&memory, 1 << 20));
        check(cudaFree(memory));
    });
}

}  // namespace

int main() {
    check(cudaMalloc(&scratch, scratch_bytes));
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    kernels();
}
