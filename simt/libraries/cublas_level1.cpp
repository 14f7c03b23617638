// cuBLAS, level 1: vectors.
#include <algorithm>
#include <cmath>

#include "simt/libraries/cublas.h"

namespace simt::libraries {
namespace {

using Use = Operand::Use;

// The elements of a vector as BLAS counts them: with a negative increment from the far end.
template <class T>
struct Elements {
    T* first;
    long n, increment;
    T& operator[](long i) const { return first[increment >= 0 ? i * increment : (i - n + 1) * increment]; }
};
template <class T>
Elements<T> elements(T* device, int n, int increment) {
    return {view(device), n, increment};
}

// Functions of one vector with one result: nothing to do for no elements, where the result is 0.
template <class T, class R, class Fold>
cublasStatus_t fold(const char* name, cublasHandle_t handle, int n, const T* x, int incx, R* result,
                    Where where, Fold function) {
    Request r(handle, name, where);
    Work work;
    const Result<R> to = r.result(work, result);
    const bool is_empty = n <= 0 || incx <= 0;
    if (!is_empty) work.operands.push_back(vector("x", x, sizeof(T), n, incx, Use::reads));
    work.cost.flops = 2.0 * std::max(n, 0);
    work.cost.blocks = n / 1024.0;
    work.run = [=] { to.set(is_empty ? R{} : static_cast<R>(function(elements(x, n, incx)))); };
    return r.queue(std::move(work));
}

template <class T>
int farthest(const Elements<const T>& x, bool largest) {
    long best = 0;
    for (long i = 1; i < x.n; ++i) {
        const T a = std::fabs(x[i]), b = std::fabs(x[best]);
        if (largest ? a > b : a < b) best = i;
    }
    return static_cast<int>(best + 1);
}

template <class T>
double sum_of_magnitudes(const Elements<const T>& x) {
    double sum = 0;
    for (long i = 0; i < x.n; ++i) sum += std::fabs(static_cast<double>(x[i]));
    return sum;
}

// Scaled, so that squares don't overflow.
template <class T>
double norm(const Elements<const T>& x) {
    double most = 0, sum = 0;
    for (long i = 0; i < x.n; ++i) most = std::max(most, std::fabs(static_cast<double>(x[i])));
    if (most == 0 || !std::isfinite(most)) return most;
    for (long i = 0; i < x.n; ++i) sum += (x[i] / most) * (x[i] / most);
    return most * std::sqrt(sum);
}

template <class T>
cublasStatus_t dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* result,
                   Where where) {
    Request r(handle, CUBLAS_NAME(T, "dot"), where);
    Work work;
    const Result<T> to = r.result(work, result);
    if (n > 0)
        for (const auto& [name, pointer, increment] : {std::tuple("x", x, incx), std::tuple("y", y, incy)})
            work.operands.push_back(vector(name, pointer, sizeof(T), n, increment, Use::reads));
    work.cost.flops = 2.0 * std::max(n, 0);
    work.cost.blocks = n / 1024.0;
    work.run = [=] {
        double sum = 0;
        const auto a = elements(x, n, incx), b = elements(y, n, incy);
        for (long i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        to.set(static_cast<T>(sum));
    };
    return r.queue(std::move(work));
}

struct Vector {
    const void* pointer;
    int increment;
    Use use;
};

// Functions that change vectors; nothing to do for no elements.
template <class T, class Run>
cublasStatus_t change(Request& r, Work work, int n, const Vector& x, const Vector* y, Run run) {
    if (!r.is_good() || n <= 0) return r.status();
    work.operands.push_back(vector("x", x.pointer, sizeof(T), n, x.increment, x.use));
    if (y != nullptr) work.operands.push_back(vector("y", y->pointer, sizeof(T), n, y->increment, y->use));
    work.cost.flops = 2.0 * n;
    work.cost.blocks = n / 1024.0;
    work.run = run;
    return r.queue(std::move(work));
}

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy,
                    Where where) {
    Request r(handle, CUBLAS_NAME(T, "axpy"), where);
    Work work;
    const ScalarPtr a = r.scalar(work, "alpha", alpha);
    const Vector to{y, incy, Use::updates};
    return change<T>(r, std::move(work), n, {x, incx, Use::reads}, &to, [=] {
        const auto from = elements(x, n, incx);
        const auto into = elements(y, n, incy);
        const T factor = static_cast<T>(a->now());
        for (long i = 0; i < n; ++i) into[i] = std::fma(factor, from[i], into[i]);
    });
}

template <class T>
cublasStatus_t scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx, Where where) {
    Request r(handle, CUBLAS_NAME(T, "scal"), where);
    Work work;
    const ScalarPtr a = r.scalar(work, "alpha", alpha);
    return change<T>(r, std::move(work), incx <= 0 ? 0 : n, {x, incx, Use::updates}, nullptr, [=] {
        const auto all = elements(x, n, incx);
        const T factor = static_cast<T>(a->now());
        for (long i = 0; i < n; ++i) all[i] *= factor;
    });
}

template <class T>
cublasStatus_t copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy, Where where) {
    Request r(handle, CUBLAS_NAME(T, "copy"), where);
    const Vector to{y, incy, Use::writes};
    return change<T>(r, {}, n, {x, incx, Use::reads}, &to, [=] {
        const auto from = elements(x, n, incx);
        const auto into = elements(y, n, incy);
        for (long i = 0; i < n; ++i) into[i] = from[i];
    });
}

template <class T>
cublasStatus_t swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, Where where) {
    Request r(handle, CUBLAS_NAME(T, "swap"), where);
    const Vector other{y, incy, Use::updates};
    return change<T>(r, {}, n, {x, incx, Use::updates}, &other, [=] {
        const auto a = elements(x, n, incx), b = elements(y, n, incy);
        for (long i = 0; i < n; ++i) std::swap(a[i], b[i]);
    });
}

template <class T>
cublasStatus_t rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c, const T* s,
                   Where where) {
    Request r(handle, CUBLAS_NAME(T, "rot"), where);
    Work work;
    const ScalarPtr cosine = r.scalar(work, "c", c), sine = r.scalar(work, "s", s);
    const Vector other{y, incy, Use::updates};
    return change<T>(r, std::move(work), n, {x, incx, Use::updates}, &other, [=] {
        const auto a = elements(x, n, incx), b = elements(y, n, incy);
        const T c_now = static_cast<T>(cosine->now()), s_now = static_cast<T>(sine->now());
        for (long i = 0; i < n; ++i) {
            const T before = a[i];
            a[i] = c_now * before + s_now * b[i];
            b[i] = c_now * b[i] - s_now * before;
        }
    });
}

}  // namespace
}  // namespace simt::libraries

namespace lib = simt::libraries;

#define SIMT_LEVEL1(S, s, T)                                                                            \
    cublasStatus_t cublasI##s##amax(cublasHandle_t h, int n, const T* x, int incx, int* result,         \
                                    simt::Where where) {                                                \
        return lib::fold("cublasI" #s "amax", h, n, x, incx, result, where,                             \
                         [](const auto& v) { return lib::farthest<T>(v, true); });                      \
    }                                                                                                   \
    cublasStatus_t cublasI##s##amin(cublasHandle_t h, int n, const T* x, int incx, int* result,         \
                                    simt::Where where) {                                                \
        return lib::fold("cublasI" #s "amin", h, n, x, incx, result, where,                             \
                         [](const auto& v) { return lib::farthest<T>(v, false); });                     \
    }                                                                                                   \
    cublasStatus_t cublas##S##asum(cublasHandle_t h, int n, const T* x, int incx, T* result,            \
                                   simt::Where where) {                                                 \
        return lib::fold("cublas" #S "asum", h, n, x, incx, result, where,                              \
                         [](const auto& v) { return lib::sum_of_magnitudes<T>(v); });                   \
    }                                                                                                   \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t h, int n, const T* x, int incx, T* result,            \
                                   simt::Where where) {                                                 \
        return lib::fold("cublas" #S "nrm2", h, n, x, incx, result, where,                              \
                         [](const auto& v) { return lib::norm<T>(v); });                                \
    }                                                                                                   \
    cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,  \
                                  T* result, simt::Where where) {                                       \
        return lib::dot(h, n, x, incx, y, incy, result, where);                                         \
    }                                                                                                   \
    cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y, \
                                   int incy, simt::Where where) {                                       \
        return lib::axpy(h, n, alpha, x, incx, y, incy, where);                                         \
    }                                                                                                   \
    cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T* alpha, T* x, int incx,             \
                                   simt::Where where) {                                                 \
        return lib::scal(h, n, alpha, x, incx, where);                                                  \
    }                                                                                                   \
    cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy,       \
                                   simt::Where where) {                                                 \
        return lib::copy(h, n, x, incx, y, incy, where);                                                \
    }                                                                                                   \
    cublasStatus_t cublas##S##swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy,             \
                                   simt::Where where) {                                                 \
        return lib::swap(h, n, x, incx, y, incy, where);                                                \
    }                                                                                                   \
    cublasStatus_t cublas##S##rot(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* c,  \
                                  const T* s_, simt::Where where) {                                     \
        return lib::rot(h, n, x, incx, y, incy, c, s_, where);                                          \
    }
SIMT_LEVEL1(S, s, float)
SIMT_LEVEL1(D, d, double)
