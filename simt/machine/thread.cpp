// What a running thread can ask: its indices, its block's shared memory, fences, clocks, its end.
#include <time.h>

#include <algorithm>

#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/machine/arena.h"
#include "simt/machine/errors.h"
#include "simt/machine/fast.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/machine.h"

namespace simt {
namespace {

size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

void refuse_outside_kernel(const char* name, Where where) {
    report_finding({.kind = "api-misuse",
                    .message = std::string("shared memory (") + name + ") was used outside a kernel",
                    .fix = "__shared__ variables belong to a block of threads; host code has no block.",
                    .where = where});
}

}  // namespace

Index3 thread_index() noexcept {
    if (current_lane != nullptr) return current_lane->thread;
    return fast::running() ? fast::state.thread : Index3{};
}
Index3 block_index() noexcept {
    if (current_lane != nullptr) return current_lane->block->index;
    return fast::running() ? fast::state.block : Index3{};
}
Index3 block_extent() noexcept {
    if (current_lane != nullptr) return current_lane->block->launch->call.config.block;
    return fast::running() ? fast::block_extent() : Index3{};
}
Index3 grid_extent() noexcept {
    if (current_lane != nullptr) return current_lane->block->launch->call.config.grid;
    return fast::running() ? fast::grid_extent() : Index3{};
}
bool in_kernel() {
    return current_lane != nullptr || fast::running();
}

void* shared_storage(const void* key, size_t bytes, size_t alignment, const ArrayShape& shape,
                     const char* name, Where where) {
    static char outside[Arena::dynamic_offset];
    if (current_lane == nullptr) {
        refuse_outside_kernel(name, where);
        return outside;
    }
    BlockRun& block = *current_lane->block;
    char* slot = arena.base + size_t{block.slot} * Arena::slot_bytes;
    for (const SharedVariable& v : block.shared)
        if (v.key == key) return slot + v.offset;
    const size_t offset = round_up(block.static_used, alignment);
    const size_t limit = device_profile().shared_per_block;
    if (offset + bytes > limit) {
        report_refused_launch(
            block.launch->call, error_invalid_value,
            std::string("kernel ") + block.launch->call.kernel + " declares more than " +
                std::to_string(limit) + " bytes of __shared__ arrays; " + name + " on line " +
                std::to_string(where.line) + " is the one that no longer fits",
            "Use dynamic shared memory (extern __shared__) with cudaFuncSetAttribute for more.");
        if (offset + bytes > Arena::dynamic_offset) {
            block.launch->stop = true;
            abandon(*current_lane);
        }
    }
    clear_shared(block.slot, block.static_used, offset + bytes - block.static_used);
    block.static_used = offset + bytes;
    block.shared.push_back({key, offset, bytes, shape, name});
    return slot + offset;
}

void* dynamic_shared_storage(size_t, size_t element_bytes, const char* name, Where where) {
    static char outside[4096];
    if (current_lane == nullptr) {
        refuse_outside_kernel(name, where);
        return outside;
    }
    BlockRun& block = *current_lane->block;
    block.dynamic_name = name;
    block.dynamic_element_bytes = element_bytes;
    return arena.base + size_t{block.slot} * Arena::slot_bytes + Arena::dynamic_offset;
}

void local_storage(void* array, size_t bytes, size_t element_bytes, const char* name, Where where, bool set,
                   bool in_registers) noexcept {
    if (current_lane == nullptr) return;
    begin_local(*current_lane,
                {static_cast<char*>(array), bytes, element_bytes, name, where, 0, in_registers, {}}, set);
}

void thread_returns() {
    if (current_lane == nullptr) return;
    current_lane->left = Left::returned;
    current_lane->return_pc = __builtin_return_address(0);
}

void memory_fence(int scope, Where where) {
    if (current_lane != nullptr) order::fence(*current_lane, scope, where.line);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (fast::running()) fast::count_poll();
}

void device_assert(const char* expression, const char* file, unsigned line, const char* function) {
    if (current_lane != nullptr) {
        report_assert(*current_lane, expression, file, line);
        abandon(*current_lane);
    }
    if (fast::running()) fast::fail(error_assert);
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
}

void device_trap(Where where) {
    if (current_lane != nullptr) {
        report_trap(*current_lane, where);
        abandon(*current_lane);
    }
    if (fast::running()) fast::fail(error_illegal_instruction);
    std::abort();
}

void refuse_block(const char* function, Index3 says, Where where) {
    if (current_lane != nullptr) {
        report_refused_block(*current_lane, function, says, where);
        abandon(*current_lane);
    }
    if (fast::running()) fast::fail(error_launch_failure);
    std::fprintf(stderr, "%s:%d: %s was called outside a kernel.\n", where.file, where.line, function);
    std::abort();
}

void thread_sleep(unsigned) {
    if (fast::running()) return fast::yield();
    if (current_lane == nullptr) return;
    current_lane->slice = 1;
    spend_slice(*current_lane);
}

long long clock_ticks() {
    if (current_lane != nullptr) return ++current_lane->ticks;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

}  // namespace simt
