// The functions behind simt/include/simt/cuda/c_library.h.
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <istream>
#include <ostream>

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

void check_host(const void* memory, size_t bytes, bool writes, const void* pc) {
    if (simt::program.hooked && simt::current_lane == nullptr)
        simt::check_host_range(memory, bytes, writes, pc);
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

// Files and pipes read and write a program's memory past all hooks. In a kernel there are none.
size_t __wrap_fwrite(const void* from, size_t size, size_t count, FILE* file) {
    check_host(from, size * count, false, __builtin_return_address(0));
    return std::fwrite(from, size, count, file);
}
size_t __wrap_fread(void* to, size_t size, size_t count, FILE* file) {
    check_host(to, size * count, true, __builtin_return_address(0));
    return std::fread(to, size, count, file);
}
ssize_t __wrap_write(int file, const void* from, size_t bytes) {
    check_host(from, bytes, false, __builtin_return_address(0));
    return ::write(file, from, bytes);
}
ssize_t __wrap_read(int file, void* to, size_t bytes) {
    check_host(to, bytes, true, __builtin_return_address(0));
    return ::read(file, to, bytes);
}
// std::ostream::write and std::istream::read.
std::ostream* __wrap__ZNSo5writeEPKcl(std::ostream* stream, const char* from, long bytes) {
    check_host(from, static_cast<size_t>(bytes), false, __builtin_return_address(0));
    return &stream->write(from, bytes);
}
std::istream* __wrap__ZNSi4readEPcl(std::istream* stream, char* to, long bytes) {
    check_host(to, static_cast<size_t>(bytes), true, __builtin_return_address(0));
    return &stream->read(to, bytes);
}

void* simt_memset(void* to, int value, size_t bytes) noexcept {
    check_copy(to, nullptr, bytes, __builtin_return_address(0));
    return std::memset(to, value, bytes);
}

}  // extern "C"
