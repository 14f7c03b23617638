// cuSOLVER: Cholesky and LU, and systems solved by them.
#include <algorithm>
#include <cmath>

#include "simt/libraries/cusolver.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;
using Part = Operand::Part;

// Elements of workspace, taken: a block of columns. The CPU machine's LAPACK needs none of it, but a program must give it.
constexpr int columns_a_block = 32;
int factor_work(int rows) {
    return std::max(1, rows) * columns_a_block;
}

Part part(char fill) {
    return fill == 'L' ? Part::lower : Part::upper;
}

// Of n x n work of a factorisation or a solution, as a share of the device.
double blocks_of(double rows, double columns) {
    return std::max(1.0, rows / 128 * columns / 128);
}

template <class T>
cusolverStatus_t potrf_size(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int lda, int* size,
                            Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "potrf_bufferSize"), where);
    r.fill(uplo);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", n);
    return r.size(size, factor_work(n));
}

template <class T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* a, int lda, T* workspace,
                       int size, int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "potrf"), where);
    const char u = r.fill(uplo);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", n);
    r.enough_work(size, factor_work(n), CUSOLVER_NAME(T, "potrf_bufferSize"));
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), n, n, lda, Use::updates, part(u)));
    work.operands.push_back(vector("Workspace", workspace, sizeof(T), factor_work(n), 1, Use::writes));
    work.cost = {double(n) * n * n / 3, 0, blocks_of(n, n)};
    work.run = [=] { lapack->potrf(&u, &n, view(a), &lda, view(info)); };
    return r.queue(std::move(work), info);
}

template <class T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T* a, int lda,
                       T* b, int ldb, int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "potrs"), where);
    const char u = r.fill(uplo);
    r.not_negative("n", n);
    r.not_negative("nrhs", nrhs);
    r.leading("lda", lda, "A", n);
    r.leading("ldb", ldb, "B", n);
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), n, n, lda, Use::reads, part(u)));
    work.operands.push_back(matrix("B", b, sizeof(T), n, nrhs, ldb, Use::updates));
    work.cost = {2.0 * n * n * nrhs, 0, blocks_of(n, nrhs)};
    work.run = [=] { lapack->potrs(&u, &n, &nrhs, view(a), &lda, view(b), &ldb, view(info)); };
    return r.queue(std::move(work), info);
}

template <class T>
cusolverStatus_t getrf_size(cusolverDnHandle_t handle, int m, int n, int lda, int* size, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "getrf_bufferSize"), where);
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    return r.size(size, factor_work(std::max(m, n)));
}

// Without pivots, which LAPACK does not have. What it returns is devInfo.
template <class T>
int factor_without_pivots(int m, int n, T* a, long lda) {
    int info = 0;
    for (int k = 0; k < std::min(m, n); ++k) {
        const T pivot = a[k * lda + k];
        if (pivot == 0 && info == 0) info = k + 1;
        for (int i = k + 1; i < m; ++i) a[k * lda + i] /= pivot;
        for (int j = k + 1; j < n; ++j)
            for (int i = k + 1; i < m; ++i) a[j * lda + i] -= a[k * lda + i] * a[j * lda + k];
    }
    return info;
}

template <class T>
cusolverStatus_t getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* workspace, int* ipiv,
                       int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "getrf"), where);
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    const int least = std::min(m, n);
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), m, n, lda, Use::updates));
    work.operands.push_back(
        vector("Workspace", workspace, sizeof(T), factor_work(std::max(m, n)), 1, Use::writes));
    if (ipiv != nullptr) work.operands.push_back(vector("devIpiv", ipiv, sizeof(int), least, 1, Use::writes));
    work.cost = {double(least) * least * (std::max(m, n) - least / 3.0), 0, blocks_of(m, n)};
    work.run = [=] {
        if (ipiv == nullptr || least == 0)
            *view(info) = factor_without_pivots(m, n, view(a), lda);
        else
            lapack->getrf(&m, &n, view(a), &lda, view(ipiv), view(info));
    };
    return r.queue(std::move(work), info);
}

template <class T>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* a,
                       int lda, const int* ipiv, T* b, int ldb, int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "getrs"), where);
    const char t = r.transposition(trans);
    r.not_negative("n", n);
    r.not_negative("nrhs", nrhs);
    r.leading("lda", lda, "A", n);
    r.leading("ldb", ldb, "B", n);
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), n, n, lda, Use::reads));
    if (ipiv != nullptr) work.operands.push_back(vector("devIpiv", ipiv, sizeof(int), n, 1, Use::reads));
    work.operands.push_back(matrix("B", b, sizeof(T), n, nrhs, ldb, Use::updates));
    work.cost = {2.0 * n * n * nrhs, 0, blocks_of(n, nrhs)};
    work.run = [=] {
        std::vector<int> rows(static_cast<size_t>(n));  // without pivots, each row stays where it is
        for (int i = 0; i < n; ++i) rows[static_cast<size_t>(i)] = ipiv == nullptr ? i + 1 : view(ipiv)[i];
        lapack->getrs(&t, &n, &nrhs, view(a), &lda, rows.data(), view(b), &ldb, view(info));
    };
    return r.queue(std::move(work), info);
}

}  // namespace
}  // namespace simt::libraries

namespace lib = simt::libraries;

#define SIMT_CUSOLVER_FACTOR(S, T)                                                                           \
    cusolverStatus_t cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T*, \
                                                     int lda, int* size, simt::Where where) {                \
        return lib::potrf_size<T>(h, uplo, n, lda, size, where);                                             \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, T* A, int lda, \
                                          T* work, int size, int* info, simt::Where where) {                 \
        return lib::potrf(h, uplo, n, A, lda, work, size, info, where);                                      \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, int nrhs,      \
                                          const T* A, int lda, T* B, int ldb, int* info,                     \
                                          simt::Where where) {                                               \
        return lib::potrs(h, uplo, n, nrhs, A, lda, B, ldb, info, where);                                    \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,        \
                                                     int* size, simt::Where where) {                         \
        return lib::getrf_size<T>(h, m, n, lda, size, where);                                                \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t h, int m, int n, T* A, int lda, T* work,        \
                                          int* ipiv, int* info, simt::Where where) {                         \
        return lib::getrf(h, m, n, A, lda, work, ipiv, info, where);                                         \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t h, cublasOperation_t trans, int n, int nrhs,    \
                                          const T* A, int lda, const int* ipiv, T* B, int ldb, int* info,    \
                                          simt::Where where) {                                               \
        return lib::getrs(h, trans, n, nrhs, A, lda, ipiv, B, ldb, info, where);                             \
    }
SIMT_CUSOLVER_FACTOR(S, float)
SIMT_CUSOLVER_FACTOR(D, double)
