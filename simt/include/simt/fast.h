// The fast mode's part of the boundary between a compiled program and libsimt.so: no checks, and as little as
// possible between two threads of a block.
//
// The loop over a block's threads is compiled into the program, with the kernel inlined: a kernel that never
// waits runs like a plain loop. Where the indices and the block's shared memory are is kept in `state`, one
// for each core. When a thread waits (at a barrier, in a warp operation), the machine ends the loop it came
// from (Range::end_x) and has the rest of the block's threads started on another stack.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {
struct Index3 {
    unsigned x, y, z;
};
}  // namespace simt

namespace simt::fast {

struct State {
    Index3 thread, block;
    unsigned polls;          // atomics and fences until others get a turn: a thread may be polling
    char* shared;            // the block's static arrays begin here
    char* dynamic_shared;    // and its dynamic array here
    uint32_t shared_serial;  // of the launch: where the offsets of static arrays are valid
};
extern constinit thread_local State state __attribute__((tls_model("initial-exec"), visibility("default")));

// Threads to start, in order of x, then y, then z.
struct Range {
    Index3 next;     // the first one
    Index3 extent;   // of the block
    unsigned end_x;  // extent.x; the machine sets it to 0 to end the loop after the thread that runs
};

template <class Call>
inline void run_threads(const Call& call, Range& range) {
    Index3 next = range.next;
    const unsigned height = range.extent.y, depth = range.extent.z;
    for (; next.z < depth; ++next.z, next.y = 0) {
        for (; next.y < height; ++next.y, next.x = 0) {
            state.thread.y = next.y;
            state.thread.z = next.z;
            for (; next.x < range.end_x; ++next.x) {
                state.thread.x = next.x;
                call();
            }
            if (range.end_x == 0) return;
        }
    }
}

// ---- switching between the stacks of threads that wait ----
//
// What a stack that waits keeps of the processor lies beside it, not on it, and a switch is a jump in the
// waiting function itself: a push before and a pop after a change of the stack pointer are taken for each
// other by some processors, and a return on another stack is mispredicted (18 ns against 7 in a ring of 256
// stacks on an AMD EPYC guest).
struct StackContext {
    void* stack_pointer = nullptr;
};
#if defined(__x86_64__)
struct alignas(64) JumpContext {  // one line of the cache
    void* stack_pointer = nullptr;
    void* address = nullptr;
    void* registers[6] = {};  // rbp, rbx, r12 to r15
};

inline __attribute__((always_inline)) void jump_context(JumpContext& from, JumpContext& to) {
    JumpContext* save = &from;
    JumpContext* load = &to;
    asm volatile(
        "movq %%rsp, (%0)\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rax, 8(%0)\n\t"
        "movq %%rbp, 16(%0)\n\t"
        "movq %%rbx, 24(%0)\n\t"
        "movq %%r12, 32(%0)\n\t"
        "movq %%r13, 40(%0)\n\t"
        "movq %%r14, 48(%0)\n\t"
        "movq %%r15, 56(%0)\n\t"
        "movq 16(%1), %%rbp\n\t"
        "movq 24(%1), %%rbx\n\t"
        "movq 32(%1), %%r12\n\t"
        "movq 40(%1), %%r13\n\t"
        "movq 48(%1), %%r14\n\t"
        "movq 56(%1), %%r15\n\t"
        "movq (%1), %%rsp\n\t"
        "jmpq *8(%1)\n"
        "1:"
        : "+D"(save), "+S"(load)
        :
        : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
          "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory",
          "cc");
}
#else  // by a call: simt/machine/fiber.cpp
using JumpContext = StackContext;
void jump_context(JumpContext& from, JumpContext& to);
#endif

struct Switch {
    JumpContext* from;
    JumpContext* to;  // null: the thread goes on
};
inline __attribute__((always_inline)) void take(Switch s) {
    if (s.to != nullptr) jump_context(*s.from, *s.to);
}

Switch arrive_at_barrier();
inline __attribute__((always_inline)) void barrier() {  // __syncthreads
    take(arrive_at_barrier());
}

// What arrives: one of these plus simt::Shuffle, Vote or Reduce.
enum : int { warp_barriers = 16, warp_shuffles = 32, warp_votes = 48, warp_reductions = 64 };

// Warp operations: the lane arrives with what it brings, waits, and then asks for its result.
Switch arrive_in_warp(unsigned mask, int operation, uint64_t value, int source, int width);
uint64_t shuffle_result();
unsigned vote_result(int* predicate);
unsigned reduce_result();

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
