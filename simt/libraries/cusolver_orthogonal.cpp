// cuSOLVER: QR, the eigenvalues of a symmetric matrix, and singular values.
#include <algorithm>
#include <vector>

#include "simt/libraries/cusolver.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;
using Part = Operand::Part;

double blocks_of(double rows, double columns) {
    return std::max(1.0, rows / 128 * columns / 128);
}

// Elements of workspace, taken. The LAPACK works in memory of the host, of which it tells the size itself.
int qr_work(int n) {
    return std::max(1, n) * 32;
}
int eigen_work(int n) {
    return 1 + 6 * n + 2 * n * n;
}
int singular_work(int m, int n) {
    return std::max(1, 5 * n + std::max(m, n) * 32);
}

// `call(work, size)` asks for the size with size -1, then works.
template <class T, class F>
void with_work(F call) {
    T wanted = 0;
    call(&wanted, -1);
    std::vector<T> memory(static_cast<size_t>(std::max(T{1}, wanted)));
    call(memory.data(), static_cast<int>(memory.size()));
}

template <class T>
cusolverStatus_t geqrf_size(cusolverDnHandle_t handle, int m, int n, int lda, int* size, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "geqrf_bufferSize"), where);
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    return r.size(size, qr_work(n));
}

template <class T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* tau, T* workspace, int size,
                       int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "geqrf"), where);
    r.not_negative("m", m);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", m);
    r.enough_work(size, qr_work(n), CUSOLVER_NAME(T, "geqrf_bufferSize"));
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    const int least = std::min(m, n);
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), m, n, lda, Use::updates));
    work.operands.push_back(vector("TAU", tau, sizeof(T), least, 1, Use::writes));
    work.operands.push_back(vector("Workspace", workspace, sizeof(T), size, 1, Use::writes));
    work.cost = {2.0 * least * least * (std::max(m, n) - least / 3.0), 0, blocks_of(m, n)};
    work.run = [=] {
        with_work<T>([&](T* memory, int elements) {
            lapack->geqrf(&m, &n, view(a), &lda, view(tau), memory, &elements, view(info));
        });
    };
    return r.queue(std::move(work), info);
}

struct Reflection {  // of ormqr: C of m x n, and k reflections
    cublasSideMode_t side;
    cublasOperation_t trans;
    int m, n, k, lda, ldc;
};

template <class T>
cusolverStatus_t ormqr_size(cusolverDnHandle_t handle, const Reflection& q, int* size, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "ormqr_bufferSize"), where);
    const int order = r.side(q.side) == 'L' ? q.m : q.n;
    r.transposition(q.trans);
    r.leading("lda", q.lda, "A", order);
    r.leading("ldc", q.ldc, "C", q.m);
    return r.size(size, qr_work(std::max(q.m, q.n)));
}

template <class T>
cusolverStatus_t ormqr(cusolverDnHandle_t handle, const Reflection& q, const T* a, const T* tau, T* c,
                       T* workspace, int size, int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "ormqr"), where);
    const char s = r.side(q.side), t = r.transposition(q.trans);
    const int order = s == 'L' ? q.m : q.n;
    r.not_negative("m", q.m);
    r.not_negative("n", q.n);
    r.require(q.k >= 0 && q.k <= order, "k is negative or larger than the order of Q");
    r.leading("lda", q.lda, "A", order);
    r.leading("ldc", q.ldc, "C", q.m);
    r.enough_work(size, qr_work(std::max(q.m, q.n)), CUSOLVER_NAME(T, "ormqr_bufferSize"));
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    Work work;
    work.operands.push_back(matrix("A", a, sizeof(T), order, q.k, q.lda, Use::reads));
    work.operands.push_back(vector("tau", tau, sizeof(T), q.k, 1, Use::reads));
    work.operands.push_back(matrix("C", c, sizeof(T), q.m, q.n, q.ldc, Use::updates));
    work.operands.push_back(vector("work", workspace, sizeof(T), size, 1, Use::writes));
    work.cost = {4.0 * q.m * q.n * q.k, 0, blocks_of(q.m, q.n)};
    work.run = [=] {
        with_work<T>([&](T* memory, int elements) {
            lapack->ormqr(&s, &t, &q.m, &q.n, &q.k, view(a), &q.lda, view(tau), view(c), &q.ldc, memory,
                          &elements, view(info));
        });
    };
    return r.queue(std::move(work), info);
}

template <class T>
cusolverStatus_t syevd_size(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,
                            int lda, int* size, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "syevd_bufferSize"), where);
    r.eigenvectors(jobz);
    r.fill(uplo);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", n);
    return r.size(size, eigen_work(n));
}

template <class T>
cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* a,
                       int lda, T* w, T* workspace, int size, int* info, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "syevd"), where);
    const char j = r.eigenvectors(jobz), u = r.fill(uplo);
    r.not_negative("n", n);
    r.leading("lda", lda, "A", n);
    r.enough_work(size, eigen_work(n), CUSOLVER_NAME(T, "syevd_bufferSize"));
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    Work work;
    work.operands.push_back(
        matrix("A", a, sizeof(T), n, n, lda, Use::updates, u == 'L' ? Part::lower : Part::upper));
    // Eigenvectors fill all of A, of which only a half is read.
    if (j == 'V') work.operands.push_back(matrix("A", a, sizeof(T), n, n, lda, Use::writes));
    work.operands.push_back(vector("W", w, sizeof(T), n, 1, Use::writes));
    work.operands.push_back(vector("work", workspace, sizeof(T), size, 1, Use::writes));
    work.cost = {9.0 * n * n * n, 0, blocks_of(n, n)};
    work.run = [=] {
        with_work<T>([&](T* memory, int elements) {
            lapack->syev(&j, &u, &n, view(a), &lda, view(w), memory, &elements, view(info));
        });
    };
    return r.queue(std::move(work), info);
}

template <class T>
cusolverStatus_t gesvd_size(cusolverDnHandle_t handle, int m, int n, int* size, Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "gesvd_bufferSize"), where);
    r.not_negative("n", n);
    r.require(m >= n, "A has fewer rows than columns", "Take the singular values of its transpose.");
    return r.size(size, singular_work(m, n));
}

template <class T>
struct Singular {  // of gesvd
    char jobu, jobvt;
    int m, n, lda, ldu, ldvt;
    T *a, *s, *u, *vt;
};

template <class T>
void check_singular(SolverRequest& r, const Singular<T>& g) {
    const auto is_job = [](char c) { return c == 'A' || c == 'S' || c == 'O' || c == 'N'; };
    r.not_negative("n", g.n);
    r.require(g.m >= g.n, "A has fewer rows than columns", "Take the singular values of its transpose.");
    r.require(is_job(g.jobu) && is_job(g.jobvt), "jobu or jobvt is none of 'A', 'S', 'O' and 'N'");
    r.require(g.jobu != 'O' || g.jobvt != 'O', "jobu and jobvt are both 'O', and A can't hold both results");
    r.leading("lda", g.lda, "A", g.m);
    if (g.jobu == 'A' || g.jobu == 'S') r.leading("ldu", g.ldu, "U", g.m);
    if (g.jobvt == 'A' || g.jobvt == 'S') r.leading("ldvt", g.ldvt, "VT", g.n);
}

template <class T>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, const Singular<T>& g, T* workspace, int size, int* info,
                       Where where) {
    SolverRequest r(handle, CUSOLVER_NAME(T, "gesvd"), where);
    check_singular(r, g);
    r.enough_work(size, singular_work(g.m, g.n), CUSOLVER_NAME(T, "gesvd_bufferSize"));
    const Lapack<T>* lapack = r.lapack<T>();
    if (!r.is_good()) return r.status();
    Work work;
    work.operands.push_back(matrix("A", g.a, sizeof(T), g.m, g.n, g.lda, Use::updates));
    work.operands.push_back(vector("S", g.s, sizeof(T), g.n, 1, Use::writes));
    if (g.jobu == 'A' || g.jobu == 'S')
        work.operands.push_back(
            matrix("U", g.u, sizeof(T), g.m, g.jobu == 'A' ? g.m : g.n, g.ldu, Use::writes));
    if (g.jobvt == 'A' || g.jobvt == 'S')
        work.operands.push_back(matrix("VT", g.vt, sizeof(T), g.n, g.n, g.ldvt, Use::writes));
    work.operands.push_back(vector("work", workspace, sizeof(T), size, 1, Use::writes));
    work.cost = {14.0 * g.m * g.n * g.n, 0, blocks_of(g.m, g.n)};
    work.run = [=] {
        const auto seen = [](T* p) { return p == nullptr ? p : view(p); };
        // A leading dimension that nobody uses may be anything, but not for LAPACK.
        const int ldu = std::max(1, g.ldu), ldvt = std::max(1, g.ldvt);
        with_work<T>([&](T* memory, int elements) {
            lapack->gesvd(&g.jobu, &g.jobvt, &g.m, &g.n, view(g.a), &g.lda, view(g.s), seen(g.u), &ldu,
                          seen(g.vt), &ldvt, memory, &elements, view(info));
        });
    };
    return r.queue(std::move(work), info);
}

}  // namespace
}  // namespace simt::libraries

namespace lib = simt::libraries;

#define SIMT_CUSOLVER_ORTHOGONAL(S, T)                                                                       \
    cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,        \
                                                     int* size, simt::Where where) {                         \
        return lib::geqrf_size<T>(h, m, n, lda, size, where);                                                \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t h, int m, int n, T* A, int lda, T* tau,         \
                                          T* work, int size, int* info, simt::Where where) {                 \
        return lib::geqrf(h, m, n, A, lda, tau, work, size, info, where);                                    \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##ormqr_bufferSize(                                                        \
        cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const T*, \
        int lda, const T*, const T*, int ldc, int* size, simt::Where where) {                                \
        return lib::ormqr_size<T>(h, {side, trans, m, n, k, lda, ldc}, size, where);                         \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##ormqr(                                                                   \
        cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,           \
        const T* A, int lda, const T* tau, T* C, int ldc, T* work, int size, int* info, simt::Where where) { \
        return lib::ormqr(h, {side, trans, m, n, k, lda, ldc}, A, tau, C, work, size, info, where);          \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##syevd_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t jobz,           \
                                                     cublasFillMode_t uplo, int n, const T*, int lda,        \
                                                     const T*, int* size, simt::Where where) {               \
        return lib::syevd_size<T>(h, jobz, uplo, n, lda, size, where);                                       \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##syevd(cusolverDnHandle_t h, cusolverEigMode_t jobz,                      \
                                          cublasFillMode_t uplo, int n, T* A, int lda, T* W, T* work,        \
                                          int size, int* info, simt::Where where) {                          \
        return lib::syevd(h, jobz, uplo, n, A, lda, W, work, size, info, where);                             \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* size,          \
                                                     simt::Where where) {                                    \
        return lib::gesvd_size<T>(h, m, n, size, where);                                                     \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t h, signed char jobu, signed char jobvt, int m,  \
                                          int n, T* A, int lda, T* values, T* U, int ldu, T* VT, int ldvt,   \
                                          T* work, int size, T*, int* info, simt::Where where) {             \
        const lib::Singular<T> g{char(jobu), char(jobvt), m, n, lda, ldu, ldvt, A, values, U, VT};           \
        return lib::gesvd(h, g, work, size, info, where);                                                    \
    }
SIMT_CUSOLVER_ORTHOGONAL(S, float)
SIMT_CUSOLVER_ORTHOGONAL(D, double)
