// cuBLAS: gemm, its batches, and gemm by types given as numbers.
#include <algorithm>

#include "simt/libraries/cublas.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;
using Part = Operand::Part;

// The arguments of one product, and of each of a batch.
struct Shape {
    cublasOperation_t transa, transb;
    int m, n, k, lda, ldb, ldc;
};

template <class T>
class Product {
  public:
    Product(Request& r, Work& work, const Shape& s, const T* alpha, const T* beta) : s_(s) {
        ta_ = r.transposition("transa", s.transa);
        tb_ = r.transposition("transb", s.transb);
        r.not_negative("m", s.m);
        r.not_negative("n", s.n);
        r.not_negative("k", s.k);
        r.leading("lda", s.lda, "A", ta_ == 'N' ? s.m : s.k);
        r.leading("ldb", s.ldb, "B", tb_ == 'N' ? s.k : s.n);
        r.leading("ldc", s.ldc, "C", s.m);
        alpha_ = r.scalar(work, "alpha", alpha);
        beta_ = r.scalar(work, "beta", beta);
        blas_ = r.blas<T>();
    }

    bool is_empty() const { return s_.m == 0 || s_.n == 0; }
    timeline::LibraryWork cost(double count) const {
        // The smallest of cuBLAS's tiles, and a long k is cut, too: a small product fills what it can.
        const double cuts = std::max(1.0, s_.k / 512.0);
        return {2.0 * s_.m * s_.n * s_.k * count, 0, count * cuts * s_.m / 32.0 * s_.n / 32.0};
    }
    Operand a(const T* p) const {
        const bool n = ta_ == 'N';
        return matrix("A", p, sizeof(T), n ? s_.m : s_.k, n ? s_.k : s_.m, s_.lda, Use::reads, Part::whole,
                      alpha_);
    }
    Operand b(const T* p) const {
        const bool n = tb_ == 'N';
        return matrix("B", p, sizeof(T), n ? s_.k : s_.n, n ? s_.n : s_.k, s_.ldb, Use::reads, Part::whole,
                      alpha_);
    }
    Operand c(T* p) const {
        return matrix("C", p, sizeof(T), s_.m, s_.n, s_.ldc, Use::updates, Part::whole, beta_);
    }
    void run(const T* a, const T* b, T* c) const {
        const T alpha = static_cast<T>(alpha_->now()), beta = static_cast<T>(beta_->now());
        blas_->gemm(&ta_, &tb_, &s_.m, &s_.n, &s_.k, &alpha, view(a), &s_.lda, view(b), &s_.ldb, &beta,
                    view(c), &s_.ldc);
    }

  private:
    Shape s_;
    char ta_, tb_;
    ScalarPtr alpha_, beta_;
    const Blas<T>* blas_ = nullptr;
};

template <class T>
cublasStatus_t gemm(Request& r, const Shape& shape, const T* alpha, const T* a, const T* b, const T* beta,
                    T* c) {
    Work work;
    const Product<T> product(r, work, shape, alpha, beta);
    if (!r.is_good() || product.is_empty()) return r.status();
    work.operands.insert(work.operands.end(), {product.a(a), product.b(b), product.c(c)});
    work.cost = product.cost(1);
    work.run = [=] { product.run(a, b, c); };
    return r.queue(std::move(work));
}

template <class T>
struct Batch {
    const T *a, *b;
    T* c;
    long long stride_a, stride_b, stride_c;
    int count;
};

template <class T>
cublasStatus_t gemm_strided(cublasHandle_t handle, const Shape& shape, const T* alpha, const T* beta,
                            const Batch<T>& batch, Where where) {
    Request r(handle, CUBLAS_NAME(T, "gemmStridedBatched"), where);
    r.not_negative("batchCount", batch.count);
    Work work;
    const Product<T> product(r, work, shape, alpha, beta);
    if (!r.is_good() || product.is_empty() || batch.count == 0) return r.status();
    for (long long i = 0; i < batch.count; ++i) {
        if (i == 0 || batch.stride_a != 0) work.operands.push_back(product.a(batch.a + i * batch.stride_a));
        if (i == 0 || batch.stride_b != 0) work.operands.push_back(product.b(batch.b + i * batch.stride_b));
        work.operands.push_back(product.c(batch.c + i * batch.stride_c));
    }
    work.cost = product.cost(batch.count);
    work.run = [=] {
        for (long long i = 0; i < batch.count; ++i)
            product.run(batch.a + i * batch.stride_a, batch.b + i * batch.stride_b,
                        batch.c + i * batch.stride_c);
    };
    return r.queue(std::move(work));
}

// The arrays of pointers lie on the device: which matrices they name is known when the call runs.
template <class T>
cublasStatus_t gemm_batched(cublasHandle_t handle, const Shape& shape, const T* alpha, const T* const* a,
                            const T* const* b, const T* beta, T* const* c, int count, Where where) {
    Request r(handle, CUBLAS_NAME(T, "gemmBatched"), where);
    r.not_negative("batchCount", count);
    Work work;
    const Product<T> product(r, work, shape, alpha, beta);
    if (!r.is_good() || product.is_empty() || count == 0) return r.status();
    work.operands.push_back(vector("Aarray", a, sizeof(T*), count, 1, Use::reads));
    work.operands.push_back(vector("Barray", b, sizeof(T*), count, 1, Use::reads));
    work.operands.push_back(vector("Carray", c, sizeof(T*), count, 1, Use::reads));
    work.cost = product.cost(count);
    work.run = [=, call = r.call()] {
        for (int i = 0; i < count; ++i) {
            const Operand x = product.a(view(a)[i]), y = product.b(view(b)[i]), z = product.c(view(c)[i]);
            if (!touch(call, x) || !touch(call, y) || !touch(call, z)) return;
            product.run(view(a)[i], view(b)[i], view(c)[i]);
            wrote(z);
        }
    };
    return r.queue(std::move(work));
}

}  // namespace
}  // namespace simt::libraries

namespace lib = simt::libraries;

#define SIMT_GEMM(S, T)                                                                                    \
    cublasStatus_t cublas##S##gemm(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,   \
                                   int m, int n, int k, const T* alpha, const T* A, int lda, const T* B,   \
                                   int ldb, const T* beta, T* C, int ldc, simt::Where where) {             \
        lib::Request r(h, "cublas" #S "gemm", where);                                                      \
        return lib::gemm(r, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C);               \
    }                                                                                                      \
    cublasStatus_t cublas##S##gemmBatched(                                                                 \
        cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,         \
        const T* alpha, const T* const A[], int lda, const T* const B[], int ldb, const T* beta,           \
        T* const C[], int ldc, int count, simt::Where where) {                                             \
        return lib::gemm_batched(h, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C, count, \
                                 where);                                                                   \
    }                                                                                                      \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                          \
        cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,         \
        const T* alpha, const T* A, int lda, long long stride_a, const T* B, int ldb, long long stride_b,  \
        const T* beta, T* C, int ldc, long long stride_c, int count, simt::Where where) {                  \
        return lib::gemm_strided<T>(h, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,              \
                                    {A, B, C, stride_a, stride_b, stride_c, count}, where);                \
    }
SIMT_GEMM(S, float)
SIMT_GEMM(D, double)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda,
                            const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t,
                            simt::Where where) {
    lib::Request r(handle, "cublasGemmEx", where);
    const lib::Shape shape{transa, transb, m, n, k, lda, ldb, ldc};
    const bool same = Atype == Btype && Btype == Ctype;
    const bool in_float = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                          compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == CUBLAS_COMPUTE_32F_FAST_16F ||
                          compute == CUBLAS_COMPUTE_32F_FAST_16BF;
    const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    if (same && Atype == CUDA_R_32F && in_float)
        return lib::gemm(r, shape, static_cast<const float*>(alpha), static_cast<const float*>(A),
                         static_cast<const float*>(B), static_cast<const float*>(beta),
                         static_cast<float*>(C));
    if (same && Atype == CUDA_R_64F && in_double)
        return lib::gemm(r, shape, static_cast<const double*>(alpha), static_cast<const double*>(A),
                         static_cast<const double*>(B), static_cast<const double*>(beta),
                         static_cast<double*>(C));
    r.not_supported(
        "the CPU machine has it for three matrices of float or three of double, computed in their type");
    return r.status();
}
