// Lesson 18 on a GPU: TFLOP/s of each kernel at 4096.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. tests/bench/matmul_rates.cu -o matmul_rates && ./matmul_rates
// With -DWITH_CUBLAS and -lcublas, cuBLAS in FP32 beside them.
#include "solutions/18_matmul.cu"

#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

struct Matrices {
    int size;
    std::vector<float> a, b, c;
    float *d_a, *d_b, *d_c;

    explicit Matrices(int of) : size(of), a(size_t(of) * of), b(a.size()), c(a.size()) {
        unsigned random = 1;
        for (auto* values : {&a, &b})
            for (float& value : *values)
                value = float((random = random * 1664525u + 1013904223u) >> 8) / float(1 << 24) - 0.5f;
        for (float** at : {&d_a, &d_b, &d_c}) check(cudaMalloc(at, a.size() * sizeof(float)));
        check(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
        check(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    }

    // 200 elements against sums in double.
    bool is_right() {
        check(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
        unsigned random = 7;
        for (int sample = 0; sample < 200; ++sample) {
            const size_t at = (random = random * 1664525u + 1013904223u) % c.size();
            const size_t row = at / size_t(size), column = at % size_t(size);
            double sum = 0;
            for (int i = 0; i < size; ++i)
                sum += double(a[row * size_t(size) + size_t(i)]) * b[size_t(i) * size_t(size) + column];
            if (!(std::fabs(sum - c[at]) < 1e-2)) return false;
        }
        return true;
    }
};

// The median of `runs` after one to warm up, in milliseconds.
template <class Work>
float median(int runs, Work work) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    work();
    check(cudaDeviceSynchronize());
    std::vector<float> took(static_cast<size_t>(runs));
    for (float& one : took) {
        check(cudaEventRecord(begin));
        work();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&one, begin, end));
    }
    std::sort(took.begin(), took.end());
    return took[took.size() / 2];
}

template <class Work>
void report(const char* name, Matrices& matrices, int runs, Work work) {
    check(cudaMemset(matrices.d_c, 0xff, matrices.c.size() * sizeof(float)));
    const float took = median(runs, work);
    const double flops = 2.0 * matrices.size * matrices.size * matrices.size;
    std::printf("%-10s at %d: %9.3f ms, %6.2f TFLOP/s, %s\n", name, matrices.size, took, flops / took / 1e9,
                matrices.is_right() ? "right" : "wrong");
}

struct Row {
    const char* name;
    Multiply* multiply;
    int runs;
};
constexpr Row rows[] = {
    {"naive", multiply_naive, 3},
    {"coalesced", multiply_coalesced, 5},
    {"tiled", multiply_tiled, 9},
    {"blocked", multiply_blocked, 21},
};

}  // namespace

int main() {
    for (const int size : {4096, 4095, 1024}) {  // 4095: no float4 loads
        Matrices of(size);
        for (const Row& row : rows)
            report(row.name, of, row.runs,
                   [&] { check(cudaError_t(row.multiply(of.d_a, of.d_b, of.d_c, size, size, size))); });
#ifdef WITH_CUBLAS
        cublasHandle_t handle;
        cublasCreate(&handle);
        const float one = 1, zero = 0;
        // Column by column, the product of the transposes is the transpose of the product.
        report("cuBLAS", of, 21, [&] {
            cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, of.d_b, size, of.d_a, size,
                        &zero, of.d_c, size);
        });
        cublasDestroy(handle);
#endif
        for (float* at : {of.d_a, of.d_b, of.d_c}) check(cudaFree(at));
    }
    return 0;
}
