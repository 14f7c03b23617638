// The functions behind simt/include/simt/cuda/c_library.h.
#include <cassert>
#include <cstring>
#include <ctime>

#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/include/simt/abi.h"
#include "simt/machine/program.h"

namespace {

// Both sides of a copy, as accesses of the running thread; does not return when one is forbidden.
void check_copy(void* to, const void* from, size_t bytes, const void* pc) {
    if (simt::current_lane == nullptr) {
        if (from != nullptr) simt::check_host_range(from, bytes, false, pc);
        return simt::check_host_range(to, bytes, true, pc);
    }
    if (from != nullptr) simt::check_range(from, bytes, simt::AccessKind::load, pc);
    simt::check_range(to, bytes, simt::AccessKind::store, pc);
}

}  // namespace

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

void* simt_memcpy(void* to, const void* from, size_t bytes) noexcept {
    check_copy(to, from, bytes, __builtin_return_address(0));
    return std::memcpy(to, from, bytes);
}

void* simt_memmove(void* to, const void* from, size_t bytes) noexcept {
    check_copy(to, from, bytes, __builtin_return_address(0));
    return std::memmove(to, from, bytes);
}

// What std::copy and its kin come to, which no macro reaches; the linker sends it here (--wrap). g++ never copies a
// struct by it.
void* __wrap_memmove(void* to, const void* from, size_t bytes) {
    if (simt::program.hooked) check_copy(to, from, bytes, __builtin_return_address(0));
    return std::memmove(to, from, bytes);
}

void* simt_memset(void* to, int value, size_t bytes) noexcept {
    check_copy(to, nullptr, bytes, __builtin_return_address(0));
    return std::memset(to, value, bytes);
}

}  // extern "C"
