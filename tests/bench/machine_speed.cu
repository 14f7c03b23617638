// The jobs by which the speed of the CPU machine is measured. `machine_speed` runs this with `cudalab run
// --fast` and compares each line with a plain loop. Prints: name, work a second in units of 1e6, right or
// WRONG.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int tile = 16;

__global__ void empty_kernel() {}

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int n) {
    __shared__ float s_a[tile][tile];
    __shared__ float s_b[tile][tile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    for (int t = 0; t < n / tile; ++t) {
        s_a[ty][tx] = a[row * n + t * tile + tx];
        s_b[ty][tx] = b[(t * tile + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += s_a[ty][k] * s_b[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// One element a thread, a tree in shared memory: nine barriers a block of 256.
__global__ void reduce_kernel(const float* in, float* out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int h = 128; h > 0; h >>= 1) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// One element a thread, one sum a warp.
__global__ void shuffle_kernel(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0) out[i / 32] = v;
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1u);
}

// Bins of the block's own in shared memory, 16 elements a thread.
__global__ void histogram_shared_kernel(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int j = 0; j < 16; ++j) {
        int i = (blockIdx.x * 16 + j) * 256 + threadIdx.x;
        if (i < n) atomicAdd(&mine[in[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int repeats = 7;

template <class Work>
double median_seconds(Work work) {
    std::vector<double> times;
    for (int i = -2; i < repeats; ++i) {
        const double start = now();
        work();
        if (i >= 0) times.push_back(now() - start);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void print(const char* name, double work, double seconds, bool right) {
    std::printf("%s %.4f %s\n", name, work / seconds / 1e6, right ? "right" : "WRONG");
    std::fflush(stdout);
}

template <class T>
T* upload(const std::vector<T>& values) {
    T* d = nullptr;
    cudaMalloc(&d, values.size() * sizeof(T));
    cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

template <class T>
std::vector<T> fetch(const T* d, size_t count) {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), d, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

void measure_add(int n) {
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(i % 777);
    }
    float *d_a = upload(a), *d_b = upload(b), *d_c = upload(a);
    const double s = median_seconds([&] {
        add_kernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
        cudaDeviceSynchronize();
    });
    const auto c = fetch(d_c, n);
    bool right = true;
    for (int i = 0; i < n; i += 101) right = right && c[i] == a[i] + b[i];
    print("add", 12.0 * n, s, right);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}

void measure_matmul(int n) {
    std::vector<float> a(n * n), b(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 7 - 3);
        b[i] = static_cast<float>(i % 5 - 2);
    }
    float *d_a = upload(a), *d_b = upload(b), *d_c = upload(a);
    const double s = median_seconds([&] {
        matmul_kernel<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(d_a, d_b, d_c, n);
        cudaDeviceSynchronize();
    });
    const auto c = fetch(d_c, n * n);
    bool right = true;
    for (int row = 0; row < n; row += 37)
        for (int col = 0; col < n; col += 41) {
            float sum = 0.0f;
            for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
            right = right && std::fabs(sum - c[row * n + col]) < 1e-2f;
        }
    print("matmul", 2.0 * n * n * n, s, right);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}

void measure_sums(int n) {
    std::vector<float> in(n);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += in[i] = static_cast<float>(i % 13 - 6);
    float *d_in = upload(in), *d_out = upload(std::vector<float>(n / 32, 0.0f));
    const auto right = [&](int sums) {
        double total = 0;
        for (const float v : fetch(d_out, sums)) total += v;
        return std::fabs(total - expected) < 1;
    };
    double s = median_seconds([&] {
        reduce_kernel<<<n / 256, 256>>>(d_in, d_out, n);
        cudaDeviceSynchronize();
    });
    print("reduce", n, s, right(n / 256));
    s = median_seconds([&] {
        shuffle_kernel<<<n / 256, 256>>>(d_in, d_out, n);
        cudaDeviceSynchronize();
    });
    print("shuffle", n, s, right(n / 32));
    cudaFree(d_in);
    cudaFree(d_out);
}

void measure_histograms(int n) {
    std::vector<unsigned char> in(n);
    std::vector<unsigned> expected(256, 0);
    unsigned x = 1;
    for (auto& v : in) {
        x = x * 1664525u + 1013904223u;
        v = static_cast<unsigned char>(x >> 24);
        ++expected[v];
    }
    unsigned char* d_in = upload(in);
    unsigned* d_bins = upload(expected);
    double s = median_seconds([&] {
        cudaMemset(d_bins, 0, 1024);
        histogram_kernel<<<(n + 255) / 256, 256>>>(d_in, d_bins, n);
        cudaDeviceSynchronize();
    });
    print("histogram", n, s, fetch(d_bins, 256) == expected);
    s = median_seconds([&] {
        cudaMemset(d_bins, 0, 1024);
        histogram_shared_kernel<<<(n + 4095) / 4096, 256>>>(d_in, d_bins, n);
        cudaDeviceSynchronize();
    });
    print("histogram_shared", n, s, fetch(d_bins, 256) == expected);
    cudaFree(d_in);
    cudaFree(d_bins);
}

// Launches a second; the comparison is in microseconds a launch.
void measure_launches() {
    constexpr int many = 1000;
    double s = median_seconds([&] {
        for (int i = 0; i < many; ++i) {
            empty_kernel<<<1, 1>>>();
            cudaDeviceSynchronize();
        }
    });
    print("launch_and_wait", many, s, cudaGetLastError() == cudaSuccess);
    s = median_seconds([&] {
        for (int i = 0; i < many; ++i) empty_kernel<<<1, 1>>>();
        cudaDeviceSynchronize();
    });
    print("launch_back_to_back", many, s, cudaGetLastError() == cudaSuccess);
}

// machine_speed [small]: `small` for the checked run, whose every access costs more.
int main(int argc, char**) {
    const bool small = argc > 1;
    if (small) {
        repeats = 5;
        measure_matmul(128);
        measure_add(1 << 18);
        measure_sums(1 << 16);
        measure_histograms(1 << 16);
        return 0;
    }
    measure_add(1 << 24);
    measure_matmul(512);
    measure_sums(1 << 22);
    measure_histograms(1 << 22);
    measure_launches();
    return 0;
}
