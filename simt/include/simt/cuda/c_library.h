// Functions of the C library that mean something else in a kernel, or that write through a pointer.
//
// assert() in a kernel fails one thread, not the process; clock() counts the multiprocessor's ticks; and what
// modf or sincos store must pass the machine's checks like any other store. Giving the declarations another
// link name reaches all of them, `std::modf` too, without a macro that programs could trip over.
#pragma once

#include <assert.h>
#include <math.h>
// <cstring> takes back the macros below: it must have been read before.
#include <time.h>
#include <cstring>

#include "simt/abi.h"

#if defined(SIMT_CHECKED) || defined(SIMT_FAST)  // a program that will run on libsimt
extern "C" {
// In libsimt.
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept __asm__("simt_assert_fail")
    __attribute__((noreturn));
clock_t clock() noexcept __asm__("simt_clock");

// Here, in the program's own, instrumented code: one copy a program.
#define SIMT_ONE_A_PROGRAM __attribute__((weak, visibility("hidden")))
#define SIMT_UNSEEN SIMT_ONE_A_PROGRAM __attribute__((no_sanitize("thread"), no_sanitize_coverage))

// `name(x, &first, &second)` of the C library, its results by value, and the program's version that stores
// them.
#define SIMT_TWO_RESULTS(name, T)                                            \
    void name(T, T*, T*) noexcept __asm__("simt_" #name);                    \
    void simt_real_##name(T, T*, T*) noexcept __asm__(#name);                \
    struct simt_results_##name {                                             \
        T first, second;                                                     \
    };                                                                       \
    SIMT_UNSEEN simt_results_##name simt_values_##name(T x) noexcept {       \
        simt_results_##name v;                                               \
        simt_real_##name(x, &v.first, &v.second);                            \
        return v;                                                            \
    }                                                                        \
    SIMT_ONE_A_PROGRAM void simt_##name(T x, T* first, T* second) noexcept { \
        const simt_results_##name v = simt_values_##name(x);                 \
        *first = v.first;                                                    \
        *second = v.second;                                                  \
    }
SIMT_TWO_RESULTS(sincos, double)
SIMT_TWO_RESULTS(sincosf, float)
#undef SIMT_TWO_RESULTS

// The same for functions that return one result and store the other.
#define SIMT_STORES(name, T, Stored)                                   \
    T name(T, Stored*) noexcept __asm__("simt_" #name);                \
    T simt_real_##name(T, Stored*) noexcept __asm__(#name);            \
    struct simt_results_##name {                                       \
        T returned;                                                    \
        Stored stored;                                                 \
    };                                                                 \
    SIMT_UNSEEN simt_results_##name simt_values_##name(T x) noexcept { \
        simt_results_##name v;                                         \
        v.returned = simt_real_##name(x, &v.stored);                   \
        return v;                                                      \
    }                                                                  \
    SIMT_ONE_A_PROGRAM T simt_##name(T x, Stored* stored) noexcept {   \
        const simt_results_##name v = simt_values_##name(x);           \
        *stored = v.stored;                                            \
        return v.returned;                                             \
    }
SIMT_STORES(modf, double, double)
SIMT_STORES(modff, float, float)
SIMT_STORES(frexp, double, int)
SIMT_STORES(frexpf, float, int)
#undef SIMT_STORES

#define SIMT_STORES_QUOTIENT(name, T)                                       \
    T name(T, T, int*) noexcept __asm__("simt_" #name);                     \
    T simt_real_##name(T, T, int*) noexcept __asm__(#name);                 \
    struct simt_results_##name {                                            \
        T returned;                                                         \
        int stored;                                                         \
    };                                                                      \
    SIMT_UNSEEN simt_results_##name simt_values_##name(T x, T y) noexcept { \
        simt_results_##name v;                                              \
        v.returned = simt_real_##name(x, y, &v.stored);                     \
        return v;                                                           \
    }                                                                       \
    SIMT_ONE_A_PROGRAM T simt_##name(T x, T y, int* quotient) noexcept {    \
        const simt_results_##name v = simt_values_##name(x, y);             \
        *quotient = v.stored;                                               \
        return v.returned;                                                  \
    }
SIMT_STORES_QUOTIENT(remquo, double)
SIMT_STORES_QUOTIENT(remquof, float)
#undef SIMT_STORES_QUOTIENT

#undef SIMT_UNSEEN
#undef SIMT_ONE_A_PROGRAM
}
#endif

#if defined(SIMT_CHECKED)
// Copies in a kernel go past the hooks, in the C library: these check both sides first. Macros, and not link names:
// g++ would use the other name for its own copies of structs, too, which announce themselves.
extern "C" {
void* simt_memcpy(void*, const void*, size_t) noexcept;
void* simt_memmove(void*, const void*, size_t) noexcept;
void* simt_memset(void*, int, size_t) noexcept;
}
namespace std {
using ::simt_memcpy;
using ::simt_memmove;
using ::simt_memset;
}  // namespace std
#define memcpy(...) simt_memcpy(__VA_ARGS__)
#define memmove(...) simt_memmove(__VA_ARGS__)
#define memset(...) simt_memset(__VA_ARGS__)
#endif
