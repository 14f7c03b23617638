// The functions behind simt/include/simt/cuda/c_library.h.
#include <cassert>
#include <ctime>

#include "simt/include/simt/abi.h"

extern "C" {

// <cassert> hides it from builds with NDEBUG.
void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept
    __attribute__((noreturn));

clock_t simt_clock() noexcept {
    return simt::in_kernel() ? static_cast<clock_t>(simt::clock_ticks()) : std::clock();
}

[[noreturn]] void simt_assert_fail(const char* expression, const char* file, unsigned line,
                                   const char* function) noexcept {
    if (simt::in_kernel()) simt::device_assert(expression, file, line, function);
    __assert_fail(expression, file, line, function);
}

}  // extern "C"
