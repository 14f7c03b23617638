// Functions of the C library that mean something else in a kernel, or that write through a pointer.
//
// assert() in a kernel fails one thread, not the process; clock() counts the multiprocessor's ticks; and what modf or
// sincos store must pass the machine's checks like any other store. Giving the declarations another link name sends
// all of them to libsimt, `std::modf` too, without a macro that programs could trip over.
#pragma once

#include <assert.h>
#include <math.h>
#include <time.h>

#include "simt/abi.h"

// From libsimt, by value: the stores happen in the program's own, instrumented code.
extern "C" {
struct simt_two_doubles {
    double first, second;
};
struct simt_two_floats {
    float first, second;
};
struct simt_double_and_int {
    double first;
    int second;
};
simt_two_doubles simt_sincos_values(double x) noexcept;
simt_two_floats simt_sincosf_values(float x) noexcept;
simt_two_doubles simt_modf_values(double x) noexcept;
simt_two_floats simt_modff_values(float x) noexcept;
simt_double_and_int simt_frexp_values(double x) noexcept;
simt_double_and_int simt_remquo_values(double x, double y) noexcept;
simt_double_and_int simt_remquof_values(float x, float y) noexcept;
}

#if defined(SIMT_CHECKED) || defined(SIMT_FAST)  // a program that will run on libsimt
extern "C" {
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept __asm__("simt_assert_fail")
    __attribute__((noreturn));
clock_t clock() noexcept __asm__("simt_clock");
void sincos(double, double*, double*) noexcept __asm__("simt_sincos");
void sincosf(float, float*, float*) noexcept __asm__("simt_sincosf");
double modf(double, double*) noexcept __asm__("simt_modf");
float modff(float, float*) noexcept __asm__("simt_modff");
double frexp(double, int*) noexcept __asm__("simt_frexp");
float frexpf(float, int*) noexcept __asm__("simt_frexpf");
double remquo(double, double, int*) noexcept __asm__("simt_remquo");
float remquof(float, float, int*) noexcept __asm__("simt_remquof");

#define SIMT_HERE_ONLY __attribute__((weak, visibility("hidden")))
SIMT_HERE_ONLY void simt_sincos(double x, double* s, double* c) noexcept {
    const simt_two_doubles v = simt_sincos_values(x);
    *s = v.first, *c = v.second;
}
SIMT_HERE_ONLY void simt_sincosf(float x, float* s, float* c) noexcept {
    const simt_two_floats v = simt_sincosf_values(x);
    *s = v.first, *c = v.second;
}
SIMT_HERE_ONLY double simt_modf(double x, double* whole) noexcept {
    const simt_two_doubles v = simt_modf_values(x);
    *whole = v.second;
    return v.first;
}
SIMT_HERE_ONLY float simt_modff(float x, float* whole) noexcept {
    const simt_two_floats v = simt_modff_values(x);
    *whole = v.second;
    return v.first;
}
SIMT_HERE_ONLY double simt_frexp(double x, int* exponent) noexcept {
    const simt_double_and_int v = simt_frexp_values(x);
    *exponent = v.second;
    return v.first;
}
SIMT_HERE_ONLY float simt_frexpf(float x, int* exponent) noexcept {
    const simt_double_and_int v = simt_frexp_values(x);
    *exponent = v.second;
    return (float)v.first;
}
SIMT_HERE_ONLY double simt_remquo(double x, double y, int* quotient) noexcept {
    const simt_double_and_int v = simt_remquo_values(x, y);
    *quotient = v.second;
    return v.first;
}
SIMT_HERE_ONLY float simt_remquof(float x, float y, int* quotient) noexcept {
    const simt_double_and_int v = simt_remquof_values(x, y);
    *quotient = v.second;
    return (float)v.first;
}
#undef SIMT_HERE_ONLY
}
#endif
