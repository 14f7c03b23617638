// C and C++ calls that would take a kernel's thread out of its kernel: exit, longjmp, throw. nvcc refuses
// them in device code. The linker sends a learner's calls here (--wrap in toolchain/gcc.cpp): in a kernel the
// thread ends with a finding; host code gets what it asked for.
#include <setjmp.h>

#include <cstdlib>

#include "simt/checker/findings.h"
#include "simt/machine/errors.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"

namespace simt {
namespace {

// Returns in host code only.
void refuse_in_kernel(const char* what, const char* fix, const void* pc) {
    if (Lane* lane = current_lane) {
        report_host_only(*lane, what, fix, pc);
        abandon(*lane);
    }
    if (fast::running()) fast::fail(error_launch_failure);
}

constexpr const char* use_return = "`return` ends this thread; __trap() ends the whole kernel with an error.";
constexpr const char* use_flag =
    "Write a flag that the host reads, or call __trap(), which ends the kernel with an error.";

}  // namespace
}  // namespace simt

#define SIMT_PC __builtin_return_address(0)

extern "C" {

void* __cxa_allocate_exception(size_t bytes) noexcept;

[[noreturn]] void __wrap_exit(int status) {
    simt::refuse_in_kernel("called exit", simt::use_return, SIMT_PC);
    exit(status);
}

[[noreturn]] void __wrap__Exit(int status) {
    simt::refuse_in_kernel("called _Exit", simt::use_return, SIMT_PC);
    _Exit(status);
}

[[noreturn]] void __wrap__exit(int status) {
    simt::refuse_in_kernel("called _exit", simt::use_return, SIMT_PC);
    _Exit(status);
}

[[noreturn]] void __wrap_abort() {
    simt::refuse_in_kernel("called abort", simt::use_flag, SIMT_PC);
    abort();
}

[[noreturn]] void __wrap_longjmp(jmp_buf environment, int value) {
    simt::refuse_in_kernel("called longjmp", simt::use_return, SIMT_PC);
    longjmp(environment, value);
}

void* __wrap___cxa_allocate_exception(size_t bytes) {
    simt::refuse_in_kernel("threw an exception", simt::use_flag, SIMT_PC);
    return __cxa_allocate_exception(bytes);
}

}  // extern "C"
