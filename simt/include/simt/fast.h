// The fast mode's part of the boundary between a compiled program and libsimt.so: no checks, and as little as
// possible between two threads of a block.
//
// The loop over a block's threads is compiled into the program, with the kernel inlined: a kernel that never
// waits runs like a plain loop. Where the indices and the block's shared memory are is kept in `state`, one
// for each core. When a thread waits (at a barrier, in a warp operation), the machine ends the loop it came
// from (FiberHead::loops) and has the rest of the block's threads started on another stack.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {
struct Index3 {
    unsigned x, y, z;
};
}  // namespace simt

namespace simt::fast {

// Threads to start, in order of x, then y, then z.
struct Range {
    Index3 next;    // the first one
    Index3 extent;  // of the block
};

struct FiberHead;
struct Block;
struct State {
    Index3 thread, block;
    unsigned polls;          // atomics and fences until others get a turn: a thread may be polling
    char* shared;            // the block's static arrays begin here
    char* dynamic_shared;    // and its dynamic array here
    uint32_t shared_serial;  // of the launch: where the offsets of static arrays are valid
    FiberHead* running;      // the stack that runs
    Block* running_block;    // and its block
    Range range;             // where the next stack's loop begins
};
extern __thread State state __attribute__((tls_model("initial-exec"), visibility("default")));

// ---- switching between the stacks of threads that wait ----
//
// A switch is a jump in the waiting function itself: a return on another stack is mispredicted (18 ns against 7
// in a ring of 256 stacks on an AMD EPYC guest). Of the processor's registers it keeps three; the compiler
// takes the others for overwritten and keeps what it needs of them on the stack, which is in the cache anyway.
struct StackContext {
    void* stack_pointer = nullptr;
};
#if defined(__x86_64__)
struct JumpContext {
    void* stack_pointer = nullptr;
    void* address = nullptr;
    void* frame = nullptr;  // rbp
};

#if defined(__AVX512F__)
#define SIMT_MORE_REGISTERS                                                                              \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", \
        "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SIMT_MORE_REGISTERS
#endif
inline __attribute__((always_inline)) void jump_context(JumpContext& from, JumpContext& to) {
    JumpContext* save = &from;
    JumpContext* load = &to;
    asm volatile(
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rsp, (%0)\n\t"
        "movq %%rax, 8(%0)\n\t"
        "movq %%rbp, 16(%0)\n\t"
        "movq 16(%1), %%rbp\n\t"
        "movq (%1), %%rsp\n\t"
        "jmpq *8(%1)\n"
        "1:"
        : "+D"(save), "+S"(load)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "st", "st(1)",
          "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
          "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
          "memory", "cc" SIMT_MORE_REGISTERS);
}
#undef SIMT_MORE_REGISTERS
#else  // by a call: simt/machine/fiber.cpp
using JumpContext = StackContext;
void jump_context(JumpContext& from, JumpContext& to);
#endif

// What the lanes of a warp bring to an operation of the whole warp.
struct WarpRow {
    unsigned active = 0, ballot = 0;
    uint64_t values[32];
};

// What the program sees of a stack. Its thread waits, or has it to itself after having waited.
struct FiberHead : JumpContext {
    const WarpRow* row = nullptr;  // of its warp operation; null: the machine has the result
    unsigned linear = 0;           // the thread's number in the block; of a loop, its first thread's
    bool loops = false;            // no thread of its loop has waited
};

struct Switch {
    FiberHead* from;
    FiberHead* to;  // null: the thread goes on
};
inline __attribute__((always_inline)) void take(Switch s) {
    if (s.to != nullptr) jump_context(*s.from, *s.to);
}

// ---- the loop over a block's threads ----

Switch end_loop();  // its last thread has ended; the stack waits for other threads to start
void begin_loop();  // from the range on

template <class Call>
inline void run_loop(const Call& call, const Range& range) {
    Index3 next = range.next;
    const Index3 extent = range.extent;
    for (; next.z < extent.z; ++next.z, next.y = 0) {
        for (; next.y < extent.y; ++next.y, next.x = 0) {
            state.thread.y = next.y;
            state.thread.z = next.z;
            for (; next.x < extent.x; ++next.x) {
                state.thread.x = next.x;
                call();
                if (!state.running->loops) return;
            }
        }
    }
}

// A stack comes here once a launch, whatever the number of blocks, and never leaves: a call and a return on a
// stack for each thread that waits would be mispredicted.
template <class Call>
[[noreturn]] inline void run_threads(const Call& call, const Range& range) {
    for (;;) {
        run_loop(call, range);
        take(end_loop());
        begin_loop();
    }
}

// ---- waiting ----

Switch arrive_at_barrier();
inline __attribute__((always_inline)) void barrier() {  // __syncthreads
    take(arrive_at_barrier());
}

// What arrives: one of these plus simt::Shuffle, Vote or Reduce.
enum : int { warp_barriers = 16, warp_shuffles = 32, warp_votes = 48, warp_reductions = 64 };

// Warp operations: the lane arrives with what it brings, waits, and then looks for its result.
Switch arrive_in_warp(unsigned mask, int operation, uint64_t value, int source, int width);
uint64_t shuffle_result();
unsigned vote_result(int operation, int* predicate);
unsigned reduce_result(int operation);

void poll();  // lets others run
inline __attribute__((always_inline)) void count_poll() {
    if (__builtin_expect(--state.polls == 0, 0)) poll();
}

// Offset + 1 of a static shared array in the low half, the launch's serial number in the high one.
using SharedPlace = uint64_t;
uint32_t shared_offset(const void* key, size_t bytes, size_t alignment);
inline __attribute__((always_inline)) void* shared_array(SharedPlace& place, size_t bytes, size_t alignment) {
    const uint64_t known = __atomic_load_n(&place, __ATOMIC_RELAXED);
    if (__builtin_expect(known >> 32 == state.shared_serial, 1))
        return state.shared + static_cast<uint32_t>(known);
    const uint32_t offset = shared_offset(&place, bytes, alignment);
    __atomic_store_n(&place, uint64_t{state.shared_serial} << 32 | offset, __ATOMIC_RELAXED);
    return state.shared + offset;
}

}  // namespace simt::fast
