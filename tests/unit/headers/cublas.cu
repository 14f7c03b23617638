// cuBLAS, levels 1 to 3, float and double: each result against a plain loop on the host.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    ++failures;
    std::printf("failed: %s\n", what);
}
#define OK(call) expect((call) == CUBLAS_STATUS_SUCCESS, #call)

// Column-major, on both sides.
template <class T>
struct Matrix {
    int rows, columns, ld;
    std::vector<T> host;
    T* device = nullptr;
    Matrix(int rows_, int columns_, int ld_, int seed) : rows(rows_), columns(columns_), ld(ld_) {
        host.resize(static_cast<size_t>(ld) * columns);
        for (size_t i = 0; i < host.size(); ++i) host[i] = T((static_cast<int>(i) * 7 + seed) % 11 - 5) / 4;
        cudaMalloc(&device, host.size() * sizeof(T));
        to_device();
    }
    ~Matrix() { cudaFree(device); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    void to_device() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
    std::vector<T> now() const {
        std::vector<T> copy(host.size());
        cudaMemcpy(copy.data(), device, copy.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return copy;
    }
    T& operator()(int i, int j) { return host[static_cast<size_t>(j) * ld + i]; }
};

template <class T>
bool near(T a, T b) {
    const double limit = sizeof(T) == 4 ? 1e-5 : 1e-13;
    return std::fabs(double(a) - double(b)) <= limit * (1 + std::fabs(double(b)));
}
template <class T>
void same(const Matrix<T>& got, const Matrix<T>& want, const char* what) {
    const std::vector<T> now = got.now();
    bool all = true;
    for (size_t i = 0; i < now.size(); ++i) all = all && near(now[i], want.host[i]);
    expect(all, what);
}

// The functions by type.
#define BY_TYPE(name)                                              \
    template <class... A>                                          \
    cublasStatus_t name(cublasHandle_t h, const float*, A... a) {  \
        return cublasS##name(h, a...);                             \
    }                                                              \
    template <class... A>                                          \
    cublasStatus_t name(cublasHandle_t h, const double*, A... a) { \
        return cublasD##name(h, a...);                             \
    }
BY_TYPE(axpy)
BY_TYPE(scal)
BY_TYPE(dot)
BY_TYPE(nrm2)
BY_TYPE(asum)
BY_TYPE(copy)
BY_TYPE(swap)
BY_TYPE(rot)
BY_TYPE(gemv)
BY_TYPE(ger)
BY_TYPE(symv)
BY_TYPE(trsv)
BY_TYPE(gemm)
BY_TYPE(symm)
BY_TYPE(syrk)
BY_TYPE(trsm)
BY_TYPE(geam)
BY_TYPE(dgmm)
BY_TYPE(gemmBatched)
BY_TYPE(gemmStridedBatched)
cublasStatus_t largest(cublasHandle_t h, const float* x, int n, int inc, int* r) {
    return cublasIsamax(h, n, x, inc, r);
}
cublasStatus_t largest(cublasHandle_t h, const double* x, int n, int inc, int* r) {
    return cublasIdamax(h, n, x, inc, r);
}
cublasStatus_t smallest(cublasHandle_t h, const float* x, int n, int inc, int* r) {
    return cublasIsamin(h, n, x, inc, r);
}
cublasStatus_t smallest(cublasHandle_t h, const double* x, int n, int inc, int* r) {
    return cublasIdamin(h, n, x, inc, r);
}

template <class T>
void level1(cublasHandle_t h) {
    const T* t = nullptr;
    constexpr int n = 37;
    Matrix<T> x(n, 1, n, 1), y(n, 1, n, 2), strided(2 * n, 1, 2 * n, 3);
    const T alpha = T(1.5);
    OK(axpy(h, t, n, &alpha, x.device, 1, y.device, 1));
    for (int i = 0; i < n; ++i) y(i, 0) += alpha * x(i, 0);
    same(y, y, "axpy");
    OK(scal(h, t, n, &alpha, strided.device, 2));
    for (int i = 0; i < n; ++i) strided(2 * i, 0) *= alpha;
    same(strided, strided, "scal");
    T sum = 0, squares = 0, magnitudes = 0, got = 0;
    for (int i = 0; i < n; ++i) {
        sum += x(i, 0) * y(n - 1 - i, 0);
        squares += x(i, 0) * x(i, 0);
        magnitudes += std::fabs(x(i, 0));
    }
    OK(dot(h, t, n, x.device, 1, y.device, -1, &got));
    expect(near(got, sum), "dot");
    OK(nrm2(h, t, n, x.device, 1, &got));
    expect(near(got, std::sqrt(squares)), "nrm2");
    OK(asum(h, t, n, x.device, 1, &got));
    expect(near(got, magnitudes), "asum");
    x(20, 0) = T(-9);
    x(11, 0) = T(0.001);
    for (int i = 0; i < n; ++i)
        if (x(i, 0) == T(0)) x(i, 0) = T(1);
    x.to_device();
    int place = 0;
    OK(largest(h, x.device, n, 1, &place));
    expect(place == 21, "amax counts from 1");
    OK(smallest(h, x.device, n, 1, &place));
    expect(place == 12, "amin counts from 1");
    OK(swap(h, t, n, x.device, 1, y.device, 1));
    std::swap(x.host, y.host);
    same(x, x, "swap, x");
    same(y, y, "swap, y");
    const T c = T(0.6), s = T(0.8);
    OK(rot(h, t, n, x.device, 1, y.device, 1, &c, &s));
    for (int i = 0; i < n; ++i) {
        const T before = x(i, 0);
        x(i, 0) = c * before + s * y(i, 0);
        y(i, 0) = c * y(i, 0) - s * before;
    }
    same(x, x, "rot, x");
    same(y, y, "rot, y");
    OK(copy(h, t, n, x.device, 1, y.device, 1));
    same(y, x, "copy");
}

template <class T>
void level2(cublasHandle_t h) {
    const T* t = nullptr;
    const T alpha = T(2), beta = T(-0.5), zero = T(0);
    Matrix<T> a(5, 7, 8, 1), x(7, 1, 7, 2), y(5, 1, 5, 3);
    OK(gemv(h, t, CUBLAS_OP_N, 5, 7, &alpha, a.device, 8, x.device, 1, &beta, y.device, 1));
    for (int i = 0; i < 5; ++i) {
        T sum = 0;
        for (int j = 0; j < 7; ++j) sum += a(i, j) * x(j, 0);
        y(i, 0) = alpha * sum + beta * y(i, 0);
    }
    same(y, y, "gemv");
    OK(gemv(h, t, CUBLAS_OP_T, 5, 7, &alpha, a.device, 8, y.device, 1, &zero, x.device, 1));
    for (int j = 0; j < 7; ++j) {
        T sum = 0;
        for (int i = 0; i < 5; ++i) sum += a(i, j) * y(i, 0);
        x(j, 0) = alpha * sum;
    }
    same(x, x, "gemv, transposed");
    OK(ger(h, t, 5, 7, &beta, y.device, 1, x.device, 1, a.device, 8));
    for (int j = 0; j < 7; ++j)
        for (int i = 0; i < 5; ++i) a(i, j) += beta * y(i, 0) * x(j, 0);
    same(a, a, "ger");
    Matrix<T> s(6, 6, 6, 4), v(6, 1, 6, 5), w(6, 1, 6, 6);
    OK(symv(h, t, CUBLAS_FILL_MODE_LOWER, 6, &alpha, s.device, 6, v.device, 1, &beta, w.device, 1));
    for (int i = 0; i < 6; ++i) {
        T sum = 0;
        for (int j = 0; j < 6; ++j) sum += (i >= j ? s(i, j) : s(j, i)) * v(j, 0);
        w(i, 0) = alpha * sum + beta * w(i, 0);
    }
    same(w, w, "symv");
    for (int i = 0; i < 6; ++i) s(i, i) = T(4);
    s.to_device();
    Matrix<T> b(6, 1, 6, 0);
    for (int i = 0; i < 6; ++i) {
        b(i, 0) = 0;
        for (int j = 0; j <= i; ++j) b(i, 0) += s(i, j) * v(j, 0);
    }
    b.to_device();
    OK(trsv(h, t, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 6, s.device, 6, b.device, 1));
    same(b, v, "trsv");
}

template <class T>
void multiply(Matrix<T>& a, Matrix<T>& b, T alpha, T beta, Matrix<T>& c) {
    for (int j = 0; j < c.columns; ++j)
        for (int i = 0; i < c.rows; ++i) {
            T sum = 0;
            for (int k = 0; k < a.columns; ++k) sum += a(i, k) * b(k, j);
            c(i, j) = alpha * sum + beta * c(i, j);
        }
}

template <class T>
void level3(cublasHandle_t h) {
    const T* t = nullptr;
    const T alpha = T(2), beta = T(-0.5), zero = T(0), one = T(1);
    Matrix<T> a(4, 6, 5, 1), b(6, 3, 6, 2), c(4, 3, 7, 3), at(6, 4, 6, 0);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 6; ++j) at(j, i) = a(i, j);
    at.to_device();
    OK(gemm(h, t, CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 6, &alpha, a.device, 5, b.device, 6, &beta, c.device, 7));
    multiply(a, b, alpha, beta, c);
    same(c, c, "gemm");
    OK(gemm(h, t, CUBLAS_OP_T, CUBLAS_OP_N, 4, 3, 6, &alpha, at.device, 6, b.device, 6, &beta, c.device, 7));
    multiply(a, b, alpha, beta, c);
    same(c, c, "gemm, A transposed");
    Matrix<T> s(4, 4, 4, 4), full(4, 4, 4, 4);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < j; ++i) full(j, i) = full(i, j);
    OK(symm(h, t, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, 4, 3, &alpha, s.device, 4, c.device, 7, &zero,
            b.device, 6));
    Matrix<T> product(4, 3, 6, 2);
    product.host = b.host;
    multiply(full, c, alpha, zero, product);
    same(b, product, "symm");
    OK(syrk(h, t, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 6, &alpha, a.device, 5, &beta, s.device, 4));
    Matrix<T> square(4, 4, 4, 4);
    multiply(a, at, alpha, beta, square);
    for (int j = 0; j < 4; ++j)
        for (int i = j; i < 4; ++i) s(i, j) = square(i, j);
    same(s, s, "syrk");
    for (int i = 0; i < 4; ++i) full(i, i) = T(8);
    for (int j = 0; j < 4; ++j)
        for (int i = j + 1; i < 4; ++i) full(i, j) = 0;
    full.to_device();
    Matrix<T> right(4, 3, 4, 0), unknown(4, 3, 4, 7);
    multiply(full, unknown, one, zero, right);
    right.to_device();
    OK(trsm(h, t, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 4, 3, &one,
            full.device, 4, right.device, 4));
    same(right, unknown, "trsm");
    Matrix<T> sum(4, 6, 4, 0);
    OK(geam(h, t, CUBLAS_OP_N, CUBLAS_OP_T, 4, 6, &alpha, a.device, 5, &one, at.device, 6, sum.device, 4));
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 4; ++i) sum(i, j) = alpha * a(i, j) + at(j, i);
    same(sum, sum, "geam");
    OK(dgmm(h, t, CUBLAS_SIDE_RIGHT, 4, 6, a.device, 5, at.device, 1, sum.device, 4));
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 4; ++i) sum(i, j) = a(i, j) * at.host[static_cast<size_t>(j)];
    same(sum, sum, "dgmm");
}

template <class T>
void batches(cublasHandle_t h) {
    const T* t = nullptr;
    const T alpha = T(1), beta = T(0);
    constexpr int n = 4, count = 3, each = n * n;
    Matrix<T> a(n, n * count, n, 1), b(n, n, n, 2), c(n, n * count, n, 0), want(n, n * count, n, 0);
    for (int k = 0; k < count; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                T sum = 0;
                for (int l = 0; l < n; ++l) sum += a(i, k * n + l) * b(l, j);
                want(i, k * n + j) = sum;
            }
    OK(gemmStridedBatched(h, t, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a.device, n, each, b.device, n, 0,
                          &beta, c.device, n, each, count));
    same(c, want, "gemmStridedBatched");
    const T* as[count];
    const T* bs[count];
    T* cs[count];
    for (int k = 0; k < count; ++k) {
        as[k] = a.device + k * each;
        bs[k] = b.device;
        cs[k] = c.device + (count - 1 - k) * each;
    }
    const T **d_as, **d_bs;
    T** d_cs;
    cudaMalloc(&d_as, sizeof as);
    cudaMalloc(&d_bs, sizeof bs);
    cudaMalloc(&d_cs, sizeof cs);
    cudaMemcpy(d_as, as, sizeof as, cudaMemcpyHostToDevice);
    cudaMemcpy(d_bs, bs, sizeof bs, cudaMemcpyHostToDevice);
    cudaMemcpy(d_cs, cs, sizeof cs, cudaMemcpyHostToDevice);
    OK(gemmBatched(h, t, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, d_as, n, d_bs, n, &beta, d_cs, n, count));
    for (int k = 0; k < count; ++k)
        for (int i = 0; i < each; ++i) c.host[(count - 1 - k) * each + i] = want.host[k * each + i];
    same(c, c, "gemmBatched");
    cudaFree(d_as);
    cudaFree(d_bs);
    cudaFree(d_cs);
}

void scalars_on_the_device(cublasHandle_t h) {
    Matrix<float> x(9, 1, 9, 1), y(9, 1, 9, 2), numbers(2, 1, 2, 0);
    numbers.host = {3, 0};
    numbers.to_device();
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasSaxpy(h, 9, numbers.device, x.device, 1, y.device, 1));
    OK(cublasSdot(h, 9, x.device, 1, y.device, 1, numbers.device + 1));
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    float sum = 0;
    for (int i = 0; i < 9; ++i) {
        y(i, 0) += 3 * x(i, 0);
        sum += x(i, 0) * y(i, 0);
    }
    same(y, y, "axpy, alpha on the device");
    expect(near(numbers.now()[1], sum), "dot, result on the device");
}

void settings_and_copies(cublasHandle_t h) {
    cublasPointerMode_t mode;
    cublasMath_t math;
    cudaStream_t stream = nullptr, made;
    int version = 0;
    OK(cublasGetPointerMode(h, &mode));
    expect(mode == CUBLAS_POINTER_MODE_HOST, "scalars are the host's at first");
    OK(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH));
    OK(cublasGetMathMode(h, &math));
    expect(math == CUBLAS_TF32_TENSOR_OP_MATH, "the math mode is kept");
    OK(cublasSetMathMode(h, CUBLAS_DEFAULT_MATH));
    OK(cublasGetVersion(h, &version));
    expect(version >= 100000, "there is a version");
    cudaStreamCreate(&made);
    OK(cublasSetStream(h, made));
    OK(cublasGetStream(h, &stream));
    expect(stream == made, "the stream is kept");
    const float corner[6] = {1, 2, 3, 4, 5, 6};
    float back[4] = {}, every[3] = {};
    Matrix<float> d(4, 4, 4, 0);
    OK(cublasSetMatrix(2, 2, sizeof(float), corner, 3, d.device, 4));
    OK(cublasGetMatrix(2, 2, sizeof(float), d.device, 4, back, 2));
    expect(back[0] == 1 && back[1] == 2 && back[2] == 4 && back[3] == 5, "a corner of a matrix");
    OK(cublasSetVector(3, sizeof(float), corner, 2, d.device, 3));
    OK(cublasGetVector(3, sizeof(float), d.device, 3, every, 1));
    expect(every[0] == 1 && every[1] == 3 && every[2] == 5, "every second element");
    const float one = 1;
    OK(cublasSscal(h, 3, &one, d.device, 1));
    cudaStreamSynchronize(made);
    OK(cublasSetStream(h, nullptr));
    cudaStreamDestroy(made);
    Matrix<float> a(2, 2, 2, 1), b(2, 2, 2, 2), c(2, 2, 2, 3);
    const float zero = 0;
    OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.device, CUDA_R_32F, 2, b.device, CUDA_R_32F,
                    2, &zero, c.device, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    multiply(a, b, one, zero, c);
    same(c, c, "cublasGemmEx");
}

}  // namespace

int main() {
    cublasHandle_t h;
    OK(cublasCreate(&h));
    level1<float>(h);
    level1<double>(h);
    level2<float>(h);
    level2<double>(h);
    level3<float>(h);
    level3<double>(h);
    batches<float>(h);
    batches<double>(h);
    scalars_on_the_device(h);
    settings_and_copies(h);
    OK(cublasDestroy(h));
    std::printf("%s | %s\n", cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE),
                cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE));
    std::printf("done, %d failures\n", failures);
}
