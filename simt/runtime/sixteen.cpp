// Arithmetic of the 16-bit formats for programs that run checked, and their mathematical functions.
#include "simt/include/simt/sixteen/format.h"

#include <cmath>

namespace simt::cuda {
namespace {

double value_of(Function f, double x) {
    switch (f) {
        case Function::exp:
            return std::exp(x);
        case Function::exp2:
            return std::exp2(x);
        case Function::exp10:
            return ::exp10(x);
        case Function::log:
            return std::log(x);
        case Function::log2:
            return std::log2(x);
        case Function::log10:
            return std::log10(x);
        case Function::sqrt:
            return std::sqrt(x);
        case Function::rsqrt:
            return 1 / std::sqrt(x);
        case Function::reciprocal:
            return 1 / x;
        case Function::sin:
            return std::sin(x);
        case Function::cos:
            return std::cos(x);
        case Function::tanh:
            return std::tanh(x);
        case Function::floor:
            return std::floor(x);
        case Function::ceil:
            return std::ceil(x);
        case Function::round:
            return std::nearbyint(x);
        case Function::truncate:
            return std::trunc(x);
    }
    return x;
}

}  // namespace

template <class F>
uint16_t narrow(double x, Rounding r) {
    return exact::narrow<F>(x, r);
}
template <class F>
uint16_t narrow(long long x, Rounding r) {
    return exact::narrow<F>(x, r);
}
template <class F>
uint16_t narrow(unsigned long long x, Rounding r) {
    return exact::narrow<F>(x, r);
}
template <class F>
uint16_t narrow(float x) {
    return exact::narrow<F>(x);
}
template <class F>
float widen(uint16_t bits) {
    return exact::widen<F>(bits);
}
template <class F>
uint16_t fused(uint16_t a, uint16_t b, uint16_t c) {
    return exact::fused<F>(a, b, c);
}
template <class F>
uint16_t extreme(uint16_t a, uint16_t b, Extreme which) {
    return exact::extreme<F>(a, b, which);
}
template <class F>
uint16_t saturated(uint16_t x) {
    return exact::saturated<F>(x);
}
template <class F>
uint16_t sixteen_function(uint16_t x, Function f) {
    return exact::narrow<F>(value_of(f, exact::widen<F>(x)), Rounding::nearest);
}

#define SIMT_FOR_FORMAT(F)                                               \
    template uint16_t narrow<F>(double x, Rounding r);                   \
    template uint16_t narrow<F>(long long x, Rounding r);                \
    template uint16_t narrow<F>(unsigned long long x, Rounding r);       \
    template uint16_t narrow<F>(float x);                                \
    template float widen<F>(uint16_t bits);                              \
    template uint16_t fused<F>(uint16_t a, uint16_t b, uint16_t c);      \
    template uint16_t extreme<F>(uint16_t a, uint16_t b, Extreme which); \
    template uint16_t saturated<F>(uint16_t x);                          \
    template uint16_t sixteen_function<F>(uint16_t x, Function f);
SIMT_FOR_FORMAT(F16)
SIMT_FOR_FORMAT(BF16)
#undef SIMT_FOR_FORMAT

}  // namespace simt::cuda
