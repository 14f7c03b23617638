// cuBLAS, level 3 but for gemm and its batches (cublas_gemm.cpp): matrices.
#include <algorithm>

#include "simt/libraries/cublas.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;
using Part = Operand::Part;

template <class T>
cublasStatus_t symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,
                    const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc,
                    Where where) {
    Request r(handle, CUBLAS_NAME(T, "symm"), where);
    const char s = r.side(side), u = r.fill(uplo);
    const int order = s == 'L' ? m : n;
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", order);
    r.leading("ldb", ldb, "B", m);
    r.leading("ldc", ldc, "C", m);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha), be = r.scalar(work, "beta", beta);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || m == 0 || n == 0) return r.status();
    work.operands.push_back(matrix("A", a, sizeof(T), order, order, lda, Use::reads, part_of(u), al));
    work.operands.push_back(matrix("B", b, sizeof(T), m, n, ldb, Use::reads, Part::whole, al));
    work.operands.push_back(matrix("C", c, sizeof(T), m, n, ldc, Use::updates, Part::whole, be));
    work.cost = {2.0 * m * n * order, 0, m / 128.0 * n / 128.0};
    work.run = [=] {
        const T alpha_now = static_cast<T>(al->now()), beta_now = static_cast<T>(be->now());
        blas->symm(&s, &u, &m, &n, &alpha_now, view(a), &lda, view(b), &ldb, &beta_now, view(c), &ldc);
    };
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,
                    const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc, Where where) {
    Request r(handle, CUBLAS_NAME(T, "syrk"), where);
    const char u = r.fill(uplo), t = r.transposition("trans", trans);
    const int rows = t == 'N' ? n : k, columns = t == 'N' ? k : n;
    r.not_negative("n", n);
    r.not_negative("k", k);
    r.leading("lda", lda, "A", rows);
    r.leading("ldc", ldc, "C", n);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha), be = r.scalar(work, "beta", beta);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || n == 0) return r.status();
    work.operands.push_back(matrix("A", a, sizeof(T), rows, columns, lda, Use::reads, Part::whole, al));
    work.operands.push_back(matrix("C", c, sizeof(T), n, n, ldc, Use::updates, part_of(u), be));
    work.cost = {1.0 * n * n * k, 0, n / 128.0 * n / 128.0};
    work.run = [=] {
        const T alpha_now = static_cast<T>(al->now()), beta_now = static_cast<T>(be->now());
        blas->syrk(&u, &t, &n, &k, &alpha_now, view(a), &lda, &beta_now, view(c), &ldc);
    };
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha, const T* a,
                    int lda, T* b, int ldb, Where where) {
    Request r(handle, CUBLAS_NAME(T, "trsm"), where);
    const char s = r.side(side), u = r.fill(uplo), t = r.transposition("trans", trans), d = r.diagonal(diag);
    const int order = s == 'L' ? m : n;
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", order);
    r.leading("ldb", ldb, "B", m);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || m == 0 || n == 0) return r.status();
    work.operands.push_back(matrix("A", a, sizeof(T), order, order, lda, Use::reads, part_of(u), al));
    work.operands.push_back(matrix("B", b, sizeof(T), m, n, ldb, Use::updates, Part::whole, al));
    work.cost = {1.0 * m * n * order, 0, m / 128.0 * n / 128.0};
    work.run = [=] {
        const T alpha_now = static_cast<T>(al->now());
        blas->trsm(&s, &u, &t, &d, &m, &n, &alpha_now, view(a), &lda, view(b), &ldb);
    };
    return r.queue(std::move(work));
}

// C = alpha op(A) + beta op(B). In place where C is A or B, which then must not be transposed.
template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc,
                    Where where) {
    Request r(handle, CUBLAS_NAME(T, "geam"), where);
    const bool ta = r.transposition("transa", transa) == 'T', tb = r.transposition("transb", transb) == 'T';
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", ta ? n : m);
    r.leading("ldb", ldb, "B", tb ? n : m);
    r.leading("ldc", ldc, "C", m);
    const char* in_place = "In place, C is A or B with the same leading dimension and without transposition.";
    r.require(c != a || (!ta && lda == ldc), "C is A, which is transposed or lies otherwise", in_place);
    r.require(c != b || (!tb && ldb == ldc), "C is B, which is transposed or lies otherwise", in_place);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha), be = r.scalar(work, "beta", beta);
    if (!r.is_good() || m == 0 || n == 0) return r.status();
    // A matrix whose factor is zero is often a null pointer.
    const auto is_used = [](const ScalarPtr& s) { return s->device != nullptr || s->value != 0; };
    if (is_used(al))
        work.operands.push_back(
            matrix("A", a, sizeof(T), ta ? n : m, ta ? m : n, lda, Use::reads, Part::whole, al));
    if (is_used(be))
        work.operands.push_back(
            matrix("B", b, sizeof(T), tb ? n : m, tb ? m : n, ldb, Use::reads, Part::whole, be));
    work.operands.push_back(matrix("C", c, sizeof(T), m, n, ldc, Use::writes));
    work.cost = {2.0 * m * n, 0, m / 128.0 * n / 128.0};
    work.run = [=] {
        const T x = static_cast<T>(al->now()), y = static_cast<T>(be->now());
        const auto at = [](const T* p, bool transposed, long ld, long i, long j) {
            return transposed ? p[i * ld + j] : p[j * ld + i];
        };
        for (long j = 0; j < n; ++j)
            for (long i = 0; i < m; ++i) {
                const T first = x == 0 ? T{} : x * at(view(a), ta, lda, i, j);
                const T second = y == 0 ? T{} : y * at(view(b), tb, ldb, i, j);
                view(c)[j * ldc + i] = first + second;
            }
    };
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n, const T* a, int lda,
                    const T* x, int incx, T* c, int ldc, Where where) {
    Request r(handle, CUBLAS_NAME(T, "dgmm"), where);
    const bool left = r.side(mode) == 'L';
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    r.leading("ldc", ldc, "C", m);
    if (!r.is_good() || m == 0 || n == 0) return r.status();
    const long count = left ? m : n;
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), m, n, lda, Use::reads));
    work.operands.push_back(vector("x", x, sizeof(T), count, incx, Use::reads));
    work.operands.push_back(matrix("C", c, sizeof(T), m, n, ldc, Use::writes));
    work.cost = {1.0 * m * n, 0, m / 128.0 * n / 128.0};
    work.run = [=] {
        for (long j = 0; j < n; ++j)
            for (long i = 0; i < m; ++i) {
                const long e = left ? i : j;
                const T factor = view(x)[incx >= 0 ? e * incx : (e - count + 1) * incx];
                view(c)[j * ldc + i] = view(a)[j * lda + i] * factor;
            }
    };
    return r.queue(std::move(work));
}

}  // namespace
}  // namespace simt::libraries

namespace lib = simt::libraries;

#define SIMT_LEVEL3(S, T)                                                                                    \
    cublasStatus_t cublas##S##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, int m,    \
                                   int n, const T* alpha, const T* A, int lda, const T* B, int ldb,          \
                                   const T* beta, T* C, int ldc, simt::Where where) {                        \
        return lib::symm(h, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, where);                   \
    }                                                                                                        \
    cublasStatus_t cublas##S##syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans, int n,  \
                                   int k, const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc, \
                                   simt::Where where) {                                                      \
        return lib::syrk(h, uplo, trans, n, k, alpha, A, lda, beta, C, ldc, where);                          \
    }                                                                                                        \
    cublasStatus_t cublas##S##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n,             \
                                   const T* alpha, const T* A, int lda, T* B, int ldb, simt::Where where) {  \
        return lib::trsm(h, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, where);                    \
    }                                                                                                        \
    cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb,     \
                                   int m, int n, const T* alpha, const T* A, int lda, const T* beta,         \
                                   const T* B, int ldb, T* C, int ldc, simt::Where where) {                  \
        return lib::geam(h, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc, where);               \
    }                                                                                                        \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t mode, int m, int n, const T* A,        \
                                   int lda, const T* x, int incx, T* C, int ldc, simt::Where where) {        \
        return lib::dgmm(h, mode, m, n, A, lda, x, incx, C, ldc, where);                                     \
    }
SIMT_LEVEL3(S, float)
SIMT_LEVEL3(D, double)
