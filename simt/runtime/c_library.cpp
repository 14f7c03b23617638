// The functions behind simt/include/simt/cuda/c_library.h.
#include <cassert>
#include <cmath>
#include <ctime>

#include "simt/include/simt/cuda/c_library.h"

extern "C" {

// <cassert> hides it from builds with NDEBUG.
[[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept;

simt_two_doubles simt_sincos_values(double x) noexcept { return {std::sin(x), std::cos(x)}; }
simt_two_floats simt_sincosf_values(float x) noexcept { return {std::sin(x), std::cos(x)}; }
simt_two_doubles simt_modf_values(double x) noexcept {
    double whole = 0;
    const double part = std::modf(x, &whole);
    return {part, whole};
}
simt_two_floats simt_modff_values(float x) noexcept {
    float whole = 0;
    const float part = std::modf(x, &whole);
    return {part, whole};
}
simt_double_and_int simt_frexp_values(double x) noexcept {
    int exponent = 0;
    const double part = std::frexp(x, &exponent);
    return {part, exponent};
}
simt_double_and_int simt_remquo_values(double x, double y) noexcept {
    int quotient = 0;
    const double rest = std::remquo(x, y, &quotient);
    return {rest, quotient};
}
simt_double_and_int simt_remquof_values(float x, float y) noexcept {
    int quotient = 0;
    const float rest = std::remquo(x, y, &quotient);
    return {rest, quotient};
}

clock_t simt_clock() noexcept {
    return simt::in_kernel() ? static_cast<clock_t>(simt::clock_ticks()) : std::clock();
}

[[noreturn]] void simt_assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
    if (simt::in_kernel()) simt::device_assert(expression, file, line, function);
    __assert_fail(expression, file, line, function);
}

}  // extern "C"
