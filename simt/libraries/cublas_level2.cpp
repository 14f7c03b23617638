// cuBLAS, level 2: a matrix and vectors.
#include <algorithm>

#include "simt/libraries/cublas.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;
using Part = Operand::Part;

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha, const T* a,
                    int lda, const T* x, int incx, const T* beta, T* y, int incy, Where where) {
    Request r(handle, CUBLAS_NAME(T, "gemv"), where);
    const char t = r.transposition("trans", trans);
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    r.increment("incx", incx);
    r.increment("incy", incy);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha), be = r.scalar(work, "beta", beta);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || m == 0 || n == 0) return r.status();
    const int from = t == 'N' ? n : m, to = t == 'N' ? m : n;
    work.operands.push_back(matrix("A", a, sizeof(T), m, n, lda, Use::reads, Part::whole, al));
    work.operands.push_back(vector("x", x, sizeof(T), from, incx, Use::reads, al));
    work.operands.push_back(vector("y", y, sizeof(T), to, incy, Use::updates, be));
    work.cost = {2.0 * m * n, 0, to / 128.0};
    work.run = [=] {
        const T alpha_now = static_cast<T>(al->now()), beta_now = static_cast<T>(be->now());
        blas->gemv(&t, &m, &n, &alpha_now, view(a), &lda, view(x), &incx, &beta_now, view(y), &incy);
    };
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, const T* y,
                   int incy, T* a, int lda, Where where) {
    Request r(handle, CUBLAS_NAME(T, "ger"), where);
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    r.increment("incx", incx);
    r.increment("incy", incy);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || m == 0 || n == 0) return r.status();
    work.operands.push_back(vector("x", x, sizeof(T), m, incx, Use::reads, al));
    work.operands.push_back(vector("y", y, sizeof(T), n, incy, Use::reads, al));
    work.operands.push_back(matrix("A", a, sizeof(T), m, n, lda, Use::updates, Part::whole, al));
    work.cost = {2.0 * m * n, 0, m / 128.0 * n / 128.0};
    work.run = [=] {
        const T alpha_now = static_cast<T>(al->now());
        blas->ger(&m, &n, &alpha_now, view(x), &incx, view(y), &incy, view(a), &lda);
    };
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy, Where where) {
    Request r(handle, CUBLAS_NAME(T, "symv"), where);
    const char u = r.fill(uplo);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", n);
    r.increment("incx", incx);
    r.increment("incy", incy);
    Work work;
    const ScalarPtr al = r.scalar(work, "alpha", alpha), be = r.scalar(work, "beta", beta);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || n == 0) return r.status();
    work.operands.push_back(matrix("A", a, sizeof(T), n, n, lda, Use::reads, part_of(u), al));
    work.operands.push_back(vector("x", x, sizeof(T), n, incx, Use::reads, al));
    work.operands.push_back(vector("y", y, sizeof(T), n, incy, Use::updates, be));
    work.cost = {2.0 * n * n, 0, n / 128.0};
    work.run = [=] {
        const T alpha_now = static_cast<T>(al->now()), beta_now = static_cast<T>(be->now());
        blas->symv(&u, &n, &alpha_now, view(a), &lda, view(x), &incx, &beta_now, view(y), &incy);
    };
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx, Where where) {
    Request r(handle, CUBLAS_NAME(T, "trsv"), where);
    const char u = r.fill(uplo), t = r.transposition("trans", trans), d = r.diagonal(diag);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", n);
    r.increment("incx", incx);
    const Blas<T>* blas = r.blas<T>();
    if (!r.is_good() || n == 0) return r.status();
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), n, n, lda, Use::reads, part_of(u)));
    work.operands.push_back(vector("x", x, sizeof(T), n, incx, Use::updates));
    work.cost = {1.0 * n * n, 0, n / 128.0};
    work.run = [=] { blas->trsv(&u, &t, &d, &n, view(a), &lda, view(x), &incx); };
    return r.queue(std::move(work));
}

}  // namespace
}  // namespace simt::libraries

namespace lib = simt::libraries;

#define SIMT_LEVEL2(S, T)                                                                                    \
    cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t trans, int m, int n, const T* alpha,  \
                                   const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy, \
                                   simt::Where where) {                                                      \
        return lib::gemv(h, trans, m, n, alpha, A, lda, x, incx, beta, y, incy, where);                      \
    }                                                                                                        \
    cublasStatus_t cublas##S##ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,      \
                                  const T* y, int incy, T* A, int lda, simt::Where where) {                  \
        return lib::ger(h, m, n, alpha, x, incx, y, incy, A, lda, where);                                    \
    }                                                                                                        \
    cublasStatus_t cublas##S##symv(cublasHandle_t h, cublasFillMode_t uplo, int n, const T* alpha,           \
                                   const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy, \
                                   simt::Where where) {                                                      \
        return lib::symv(h, uplo, n, alpha, A, lda, x, incx, beta, y, incy, where);                          \
    }                                                                                                        \
    cublasStatus_t cublas##S##trsv(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,         \
                                   cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx,        \
                                   simt::Where where) {                                                      \
        return lib::trsv(h, uplo, trans, diag, n, A, lda, x, incx, where);                                   \
    }
SIMT_LEVEL2(S, float)
SIMT_LEVEL2(D, double)
