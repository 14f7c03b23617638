// cuSOLVER for dense matrices, float and double: each result is put back into the equation that it solves.
#include <cuda_runtime.h>
#include <cusolverDn.h>

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
#define OK(call) expect((call) == CUSOLVER_STATUS_SUCCESS, #call)

// Column-major, on both sides.
template <class T>
struct Matrix {
    int rows, columns, ld;
    std::vector<T> host;
    T* device = nullptr;
    Matrix(int rows_, int columns_, int ld_, int seed = 0) : rows(rows_), columns(columns_), ld(ld_) {
        host.resize(static_cast<size_t>(ld) * columns);
        for (size_t i = 0; i < host.size(); ++i) host[i] = T((static_cast<int>(i) * 7 + seed) % 11 - 5) / 4;
        cudaMalloc(&device, host.size() * sizeof(T));
        to_device();
    }
    ~Matrix() { cudaFree(device); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    void to_device() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
    void to_host() { cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
    T& operator()(int i, int j) { return host[static_cast<size_t>(j) * ld + i]; }
};

template <class T>
bool near(double a, double b) {
    return std::fabs(a - b) <= (sizeof(T) == 4 ? 2e-4 : 1e-11) * (1 + std::fabs(b));
}

struct Info {
    int* device = nullptr;
    Info() { cudaMalloc(&device, sizeof(int)); }
    ~Info() { cudaFree(device); }
    int now() const {
        int value = -99;
        cudaMemcpy(&value, device, sizeof(int), cudaMemcpyDeviceToHost);
        return value;
    }
};

template <class T>
struct Memory {
    T* device = nullptr;
    explicit Memory(int elements) { cudaMalloc(&device, static_cast<size_t>(elements) * sizeof(T)); }
    ~Memory() { cudaFree(device); }
};

// The functions by type.
#define BY_TYPE(name)                                                    \
    template <class... A>                                                \
    cusolverStatus_t name(const float*, cusolverDnHandle_t h, A... a) {  \
        return cusolverDnS##name(h, a...);                               \
    }                                                                    \
    template <class... A>                                                \
    cusolverStatus_t name(const double*, cusolverDnHandle_t h, A... a) { \
        return cusolverDnD##name(h, a...);                               \
    }
BY_TYPE(potrf_bufferSize)
BY_TYPE(potrf)
BY_TYPE(potrs)
BY_TYPE(getrf_bufferSize)
BY_TYPE(getrf)
BY_TYPE(getrs)
BY_TYPE(geqrf_bufferSize)
BY_TYPE(geqrf)
BY_TYPE(ormqr_bufferSize)
BY_TYPE(ormqr)
BY_TYPE(syevd_bufferSize)
BY_TYPE(syevd)
BY_TYPE(gesvd_bufferSize)
BY_TYPE(gesvd)

// Symmetric, and positive definite for its heavy diagonal.
template <class T>
void make_symmetric(Matrix<T>& a) {
    for (int j = 0; j < a.columns; ++j)
        for (int i = 0; i < a.rows; ++i) a(i, j) = T((i * j + i + j) % 5 - 2) / 4 + (i == j ? T(6) : T(0));
    a.to_device();
}

// Whether x solves a x = b, or with `transposed` its transpose.
template <class T>
bool solves(Matrix<T>& a, Matrix<T>& x, Matrix<T>& b, bool transposed = false) {
    bool all = true;
    for (int c = 0; c < b.columns; ++c)
        for (int i = 0; i < a.rows; ++i) {
            double sum = 0;
            for (int k = 0; k < a.columns; ++k) sum += double(transposed ? a(k, i) : a(i, k)) * x(k, c);
            all = all && near<T>(sum, b(i, c));
        }
    return all;
}

template <class T>
void test_cholesky(cusolverDnHandle_t h, cublasFillMode_t uplo) {
    const T* type = nullptr;
    const int n = 7;
    Matrix<T> a(n, n, 9), original(n, n, 9), b(n, 2, 8, 3), right(n, 2, 8, 3);
    make_symmetric(a);
    make_symmetric(original);
    // The other triangle is nobody's business.
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) a(i, j) = T(77);
    a.to_device();
    Info info;
    int size = 0;
    OK(potrf_bufferSize(type, h, uplo, n, a.device, a.ld, &size));
    Memory<T> work(size);
    OK(potrf(type, h, uplo, n, a.device, a.ld, work.device, size, info.device));
    expect(info.now() == 0, "potrf: devInfo is 0");
    OK(potrs(type, h, uplo, n, 2, a.device, a.ld, b.device, b.ld, info.device));
    expect(info.now() == 0, "potrs: devInfo is 0");
    b.to_host();
    expect(solves(original, b, right), "potrs solves");
    // Not positive definite: the third row is the first that fails.
    make_symmetric(a);
    a(2, 2) = T(-1);
    a.to_device();
    OK(potrf(type, h, uplo, n, a.device, a.ld, work.device, size, info.device));
    expect(info.now() == 3, "potrf: devInfo names row 3");
}

template <class T>
void test_lu(cusolverDnHandle_t h, bool with_pivots) {
    const T* type = nullptr;
    const int n = 6;
    Matrix<T> a(n, n, 7, 2), original(n, n, 7, 2);
    for (Matrix<T>* m : {&a, &original}) {
        for (int i = 0; i < n; ++i) (*m)(i, i) = with_pivots && i == 0 ? T(0) : T(5 + i);
        m->to_device();
    }
    Info info;
    Memory<int> pivots(n);
    int size = 0;
    OK(getrf_bufferSize(type, h, n, n, a.device, a.ld, &size));
    Memory<T> work(size);
    int* d_pivots = with_pivots ? pivots.device : nullptr;
    OK(getrf(type, h, n, n, a.device, a.ld, work.device, d_pivots, info.device));
    expect(info.now() == 0, "getrf: devInfo is 0");
    for (const bool transposed : {false, true}) {
        Matrix<T> b(n, 3, 6, 1), right(n, 3, 6, 1);
        OK(getrs(type, h, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, 3, static_cast<const T*>(a.device), a.ld,
                 static_cast<const int*>(d_pivots), b.device, b.ld, info.device));
        expect(info.now() == 0, "getrs: devInfo is 0");
        b.to_host();
        expect(solves(original, b, right, transposed), "getrs solves");
    }
    // A column of zeros.
    for (int i = 0; i < n; ++i) original(i, 3) = T(0);
    original.to_device();
    OK(getrf(type, h, n, n, original.device, original.ld, work.device, pivots.device, info.device));
    expect(info.now() == 4, "getrf: devInfo names column 4");
}

// Least squares: Q^T b, of which R x is the upper part.
template <class T>
void test_qr(cusolverDnHandle_t h) {
    const T* type = nullptr;
    const int m = 9, n = 4;
    Matrix<T> a(m, n, 10, 5), original(m, n, 10, 5), b(m, 1, m, 8), right(m, 1, m, 8);
    for (Matrix<T>* one : {&a, &original}) {
        for (int j = 0; j < n; ++j) (*one)(j, j) += T(3);
        one->to_device();
    }
    Info info;
    Memory<T> tau(n);
    int factor = 0, apply = 0;
    OK(geqrf_bufferSize(type, h, m, n, a.device, a.ld, &factor));
    OK(ormqr_bufferSize(type, h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, 1, n, a.device, a.ld, tau.device, b.device,
                        b.ld, &apply));
    const int size = factor > apply ? factor : apply;
    Memory<T> work(size);
    OK(geqrf(type, h, m, n, a.device, a.ld, tau.device, work.device, size, info.device));
    OK(ormqr(type, h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, m, 1, n, a.device, a.ld, tau.device, b.device, b.ld,
             work.device, size, info.device));
    expect(info.now() == 0, "ormqr: devInfo is 0");
    a.to_host();
    b.to_host();
    Matrix<T> x(n, 1, n);
    for (int i = n - 1; i >= 0; --i) {
        T sum = b(i, 0);
        for (int k = i + 1; k < n; ++k) sum -= a(i, k) * x(k, 0);
        x(i, 0) = sum / a(i, i);
    }
    for (int j = 0; j < n; ++j) {  // the residual stands upright on every column
        double product = 0;
        for (int i = 0; i < m; ++i) {
            double residual = right(i, 0);
            for (int k = 0; k < n; ++k) residual -= double(original(i, k)) * x(k, 0);
            product += residual * original(i, j);
        }
        expect(near<T>(product, 0), "QR: least squares");
    }
}

template <class T>
void test_eigenvalues(cusolverDnHandle_t h, cublasFillMode_t uplo) {
    const T* type = nullptr;
    const int n = 5;
    Matrix<T> a(n, n, 6), original(n, n, 6), values(n, 1, n);
    make_symmetric(a);
    make_symmetric(original);
    Info info;
    int size = 0;
    OK(syevd_bufferSize(type, h, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.device, a.ld, values.device, &size));
    Memory<T> work(size);
    OK(syevd(type, h, CUSOLVER_EIG_MODE_VECTOR, uplo, n, a.device, a.ld, values.device, work.device, size,
             info.device));
    expect(info.now() == 0, "syevd: info is 0");
    a.to_host();
    values.to_host();
    for (int v = 0; v < n; ++v) {
        expect(v == 0 || values(v, 0) >= values(v - 1, 0), "syevd: the values rise");
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += double(original(i, k)) * a(k, v);
            expect(near<T>(sum, double(values(v, 0)) * a(i, v)), "syevd: A v = value v");
        }
    }
}

template <class T>
void test_singular_values(cusolverDnHandle_t h) {
    const T* type = nullptr;
    const int m = 6, n = 4;
    Matrix<T> a(m, n, 7, 4), original(m, n, 7, 4), s(n, 1, n), u(m, m, m), vt(n, n, n);
    Info info;
    int size = 0;
    OK(gesvd_bufferSize(type, h, m, n, &size));
    Memory<T> work(size);
    OK(gesvd(type, h, static_cast<signed char>('A'), static_cast<signed char>('A'), m, n, a.device, a.ld,
             s.device, u.device, u.ld, vt.device, vt.ld, work.device, size, static_cast<T*>(nullptr),
             info.device));
    expect(info.now() == 0, "gesvd: info is 0");
    s.to_host();
    u.to_host();
    vt.to_host();
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += double(u(i, k)) * s(k, 0) * vt(k, j);
            expect(near<T>(sum, original(i, j)), "gesvd: U S V^T is A");
        }
}

template <class T>
void test_all(cusolverDnHandle_t h) {
    for (const cublasFillMode_t uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        test_cholesky<T>(h, uplo);
        test_eigenvalues<T>(h, uplo);
    }
    test_lu<T>(h, true);
    test_lu<T>(h, false);
    test_qr<T>(h);
    test_singular_values<T>(h);
}

}  // namespace

int main() {
    cusolverDnHandle_t handle;
    OK(cusolverDnCreate(&handle));
    cudaStream_t stream, back = nullptr;
    cudaStreamCreate(&stream);
    OK(cusolverDnSetStream(handle, stream));
    OK(cusolverDnGetStream(handle, &back));
    expect(back == stream, "the handle has its stream");
    test_all<float>(handle);
    test_all<double>(handle);
    OK(cusolverDnDestroy(handle));
    cudaStreamDestroy(stream);
    std::printf("done, %d failures\n", failures);
}
