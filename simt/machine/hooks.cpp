// The functions that the compiler's instrumentation calls. Their names and meaning are the sanitizers' own;
// what they do here is the machine's. A hook fires before the access that it announces.
#include <cstddef>
#include <cstdint>

#include "simt/checker/access.h"
#include "simt/checker/findings.h"
#include "simt/host/queue.h"
#include "simt/host/timeline.h"
#include "simt/machine/arena.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"

namespace simt {
namespace {

constexpr size_t stack_reserve = 16384;  // what libc may need below a kernel's last frame (printf)

// The hook of a function's entry returns to a place close behind its beginning.
bool is_inside_kernel(const Lane& lane, const void* pc) {
    constexpr uintptr_t prologue = 256;
    const auto kernel = reinterpret_cast<uintptr_t>(lane.block->launch->call.function);
    return reinterpret_cast<uintptr_t>(pc) - kernel < prologue;
}

void enter_function(Lane& lane, const void* caller, const void* here_pc) {
    char here;
    if (&here < lane.stack.low + stack_reserve) {
        // A frame of megabytes may begin in another thread's stack, and that thread must not go on.
        if (!lane.stack.contains(&here)) lane.block->launch->stop = true;
        report_stack_overflow(lane, here_pc);
        abandon(lane);
    }
    lane.frames.push_back(
        {lane.position, static_cast<uint32_t>(lane.loops.size()), program.offset(caller), lane.fork});
    lane.fork = {};
    if (lane.kernel_depth == 0 && is_inside_kernel(lane, here_pc))
        lane.kernel_depth = static_cast<uint32_t>(lane.frames.size());
    lane.position = mix(lane.position, program.offset(caller));
}

void leave_function(Lane& lane) {
    if (lane.frames.empty()) return;
    lane.loops.resize(lane.frames.back().loops_begin);
    lane.position = lane.frames.back().caller_position;
    lane.fork = lane.frames.back().fork;
    lane.frames.pop_back();
    while (!lane.locals.empty() && lane.locals.back().depth > lane.frames.size()) lane.locals.pop_back();
}

// A basic block begins at `offset`. Loops that it lies outside of are over; at the head of one, a trip
// begins.
void enter_block(Lane& lane, uint32_t offset, BlockMark mark) {
    const size_t mine = lane.frames.empty() ? 0 : lane.frames.back().loops_begin;
    while (lane.loops.size() > mine) {
        const LoopVisit& top = lane.loops.back();
        if (offset > top.first && offset <= top.past_last) break;
        lane.position = top.outside;
        lane.loops.pop_back();
    }
    const uint16_t head = mark.loop;
    if (head == 0) return;
    if (lane.loops.size() <= mine || lane.loops.back().loop != head) {
        const Loop& loop = program.loops[head - 1];
        lane.loops.push_back({loop.first, loop.past_last, 0, head, lane.position});
    }
    LoopVisit& visit = lane.loops.back();
    ++visit.trips;
    lane.position = mix(visit.outside, uint64_t{head} << 32 | visit.trips);
}

// The lane has come to the block at `target` by the branch at the end of the block before.
void note_branch(Lane& lane, uint32_t target) {
    const uint32_t bit = 1u << lane.lane;
    BranchLog& log = lane.block->logs[lane.warp].branches;
    uint64_t key = mix(lane.fork.position, lane.fork.site);
    BranchEntry* entry = &log.find(key, lane.branch_log.next);
    while (((entry->mask | entry->others) & bit) != 0) {
        key = mix(key, 1);
        entry = &log.find(key, lane.branch_log.next);
    }
    if (entry->mask == 0) {
        entry->site = lane.fork.site;
        entry->target = target;
    }
    (entry->target == target ? entry->mask : entry->others) |= bit;
    lane.fork.site = 0;
    if (++lane.branch_log.used >= BranchEntry::window) wait_for_window(lane);
}

void pass_block(Lane& lane, uint32_t offset) {
    const BlockMark mark = program.marks[offset];
    if ((mark.forks & SiteEntry::over) != 0) return;
    if (lane.fork.site != 0) note_branch(lane, offset);
    enter_block(lane, offset, mark);
    // A kernel's thread that ends at once leaves its warp by a predicated exit, without a branch.
    const bool leaves = (mark.forks & SiteEntry::may_end) != 0 && lane.frames.size() == lane.kernel_depth;
    if ((mark.forks & SiteEntry::forks) != 0 && !leaves) lane.fork = {offset, lane.position};
}

}  // namespace
}  // namespace simt

using simt::AccessKind;

#define SIMT_PC __builtin_return_address(0)

#define SIMT_PLAIN_HOOKS(BYTES, CHECK_LOAD, CHECK_STORE) \
    void __tsan_read##BYTES(void* p) {                   \
        CHECK_LOAD;                                      \
    }                                                    \
    void __tsan_write##BYTES(void* p) {                  \
        CHECK_STORE;                                     \
    }

#define SIMT_ACCESS_HOOKS(BYTES)                                           \
    void __tsan_unaligned_read##BYTES(void* p) {                           \
        simt::check_access(p, BYTES, AccessKind::load, SIMT_PC);           \
    }                                                                      \
    void __tsan_unaligned_write##BYTES(void* p) {                          \
        simt::check_access(p, BYTES, AccessKind::store, SIMT_PC);          \
    }                                                                      \
    void __tsan_volatile_read##BYTES(void* p) {                            \
        simt::check_access(p, BYTES, AccessKind::volatile_load, SIMT_PC);  \
    }                                                                      \
    void __tsan_volatile_write##BYTES(void* p) {                           \
        simt::check_access(p, BYTES, AccessKind::volatile_store, SIMT_PC); \
    }                                                                      \
    void __tsan_unaligned_volatile_read##BYTES(void* p) {                  \
        simt::check_access(p, BYTES, AccessKind::volatile_load, SIMT_PC);  \
    }                                                                      \
    void __tsan_unaligned_volatile_write##BYTES(void* p) {                 \
        simt::check_access(p, BYTES, AccessKind::volatile_store, SIMT_PC); \
    }

extern "C" {

SIMT_PLAIN_HOOKS(1, simt::check_access(p, 1, AccessKind::load, SIMT_PC),
                 simt::check_access(p, 1, AccessKind::store, SIMT_PC))
SIMT_PLAIN_HOOKS(2, simt::check_access(p, 2, AccessKind::load, SIMT_PC),
                 simt::check_access(p, 2, AccessKind::store, SIMT_PC))
SIMT_PLAIN_HOOKS(4, (simt::check_fixed<4, AccessKind::load>(p, SIMT_PC)),
                 (simt::check_fixed<4, AccessKind::store>(p, SIMT_PC)))
SIMT_PLAIN_HOOKS(8, (simt::check_fixed<8, AccessKind::load>(p, SIMT_PC)),
                 (simt::check_fixed<8, AccessKind::store>(p, SIMT_PC)))
SIMT_PLAIN_HOOKS(16, simt::check_access(p, 16, AccessKind::load, SIMT_PC),
                 simt::check_access(p, 16, AccessKind::store, SIMT_PC))
SIMT_ACCESS_HOOKS(1)
SIMT_ACCESS_HOOKS(2)
SIMT_ACCESS_HOOKS(4)
SIMT_ACCESS_HOOKS(8)
SIMT_ACCESS_HOOKS(16)

void __tsan_read_range(void* p, size_t bytes) {
    simt::check_range(p, bytes, AccessKind::load, SIMT_PC);
}
void __tsan_write_range(void* p, size_t bytes) {
    simt::check_range(p, bytes, AccessKind::store, SIMT_PC);
}
void __tsan_vptr_read(void** p) {
    simt::check_access(p, 8, AccessKind::load, SIMT_PC);
}
void __tsan_vptr_update(void** p, void*) {
    simt::check_access(p, 8, AccessKind::store, SIMT_PC);
}

// Called by a static constructor of every program that was compiled with hooks.
void __tsan_init() {
    simt::program.hooked = true;
}

void __tsan_func_entry(void* caller) {
    if (simt::current_lane != nullptr) {
        simt::enter_function(*simt::current_lane, caller, SIMT_PC);
    } else {
        simt::note_host_pc(caller);
    }
}

void __tsan_func_exit() {
    if (simt::current_lane != nullptr) simt::leave_function(*simt::current_lane);
}

void __sanitizer_cov_trace_pc() {
    simt::Lane* lane = simt::current_lane;
    if (lane == nullptr) {
        ++simt::timeline::host_blocks;
        if (simt::queue::anything_is_pending) simt::queue::note_host_block();
        return;
    }
    const void* pc = SIMT_PC;
    const uint32_t offset = simt::program.offset(pc);
    if (offset < simt::program.marks.size()) simt::pass_block(*lane, offset);
    if (--lane->slice == 0) {
        lane->last_pc = pc;
        simt::spend_slice(*lane);
    }
}

// The compiler's own check of an index against the type of the array.
struct SimtTypeDescriptor {
    uint16_t kind, info;
    char name[1];
};
struct SimtOutOfBounds {
    const char* file;
    uint32_t line, column;
    const SimtTypeDescriptor* array_type;
    const SimtTypeDescriptor* index_type;
};

void __ubsan_handle_out_of_bounds(SimtOutOfBounds* data, uintptr_t index) {
    simt::Lane* lane = simt::current_lane;
    if (lane == nullptr) return;
    // The array's type reads 'float [32]' or 'float [16][17]': the first extent is the one that was indexed.
    const char* extent = data->array_type->name;
    while (*extent != '\0' && *extent != '[') ++extent;
    long count = 0;
    for (++extent; *extent >= '0' && *extent <= '9'; ++extent) count = count * 10 + (*extent - '0');
    const bool narrow = (data->index_type->info >> 1) <= 5;
    const bool is_signed = (data->index_type->info & 1) != 0;
    long value = static_cast<long>(index);
    if (narrow && is_signed) value = static_cast<int32_t>(index);
    simt::report_array_index(*lane, value, count, SIMT_PC);
    simt::abandon(*lane);
}
void __ubsan_handle_out_of_bounds_abort(SimtOutOfBounds* data, uintptr_t index) {
    __ubsan_handle_out_of_bounds(data, index);
}

// Guarded statics, shared_ptr and std::atomic in the learner's program: done as asked, by the CPU's own
// atomics.
#define SIMT_STD_ATOMICS(BITS, TYPE)                                                                 \
    TYPE __tsan_atomic##BITS##_load(const volatile TYPE* p, int) {                                   \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                 \
    }                                                                                                \
    void __tsan_atomic##BITS##_store(volatile TYPE* p, TYPE v, int) {                                \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_exchange(volatile TYPE* p, TYPE v, int) {                             \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                          \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_fetch_add(volatile TYPE* p, TYPE v, int) {                            \
        return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                           \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_fetch_sub(volatile TYPE* p, TYPE v, int) {                            \
        return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                           \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_fetch_and(volatile TYPE* p, TYPE v, int) {                            \
        return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);                                           \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_fetch_or(volatile TYPE* p, TYPE v, int) {                             \
        return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                            \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_fetch_xor(volatile TYPE* p, TYPE v, int) {                            \
        return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);                                           \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_fetch_nand(volatile TYPE* p, TYPE v, int) {                           \
        return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);                                          \
    }                                                                                                \
    int __tsan_atomic##BITS##_compare_exchange_strong(volatile TYPE* p, TYPE* c, TYPE v, int, int) { \
        return __atomic_compare_exchange_n(p, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
    }                                                                                                \
    int __tsan_atomic##BITS##_compare_exchange_weak(volatile TYPE* p, TYPE* c, TYPE v, int, int) {   \
        return __atomic_compare_exchange_n(p, c, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    }                                                                                                \
    TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* p, TYPE c, TYPE v, int, int) {    \
        __atomic_compare_exchange_n(p, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
        return c;                                                                                    \
    }

SIMT_STD_ATOMICS(8, uint8_t)
SIMT_STD_ATOMICS(16, uint16_t)
SIMT_STD_ATOMICS(32, uint32_t)
SIMT_STD_ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

}  // extern "C"
