#include "simt/machine/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "simt/machine/fiber_jump.h"

#if !defined(__x86_64__) || defined(SIMT_USE_BOOST_CONTEXT)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace simt {
namespace {
constexpr size_t stacks_a_mapping = 64;
constexpr size_t guard_bytes = 4096;
constexpr size_t colours = 512;
constexpr size_t most_private = 4096;  // stacks; a full GPU has 270,336 threads that may wait at once
}  // namespace

#if defined(__x86_64__) && !defined(SIMT_USE_BOOST_CONTEXT)

// Saves what the System V ABI says a call preserves. The first four words of a fresh stack are laid out by
// prepare_context to match the pops below.
asm(R"(
.text
.p2align 4
.globl simt_switch_stack
.hidden simt_switch_stack
.type simt_switch_stack, @function
simt_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size simt_switch_stack, .-simt_switch_stack

.p2align 4
.globl simt_enter_stack
.hidden simt_enter_stack
.type simt_enter_stack, @function
simt_enter_stack:
    movq %r12, %rdi
    callq *%r13
    ud2
.size simt_enter_stack, .-simt_enter_stack
)");

extern "C" void simt_switch_stack(void** save, void** load);
extern "C" void simt_enter_stack();

void switch_context(Context& from, Context& to) {
    simt_switch_stack(&from.stack_pointer, &to.stack_pointer);
}

void prepare_context(Context& context, char* low, char* high, void (*entry)(void*), void* argument) {
    (void)low;
    auto top = reinterpret_cast<uintptr_t>(high) & ~uintptr_t{15};
    auto** words = reinterpret_cast<void**>(top);
    *--words =
        nullptr;  // the address an unwinder reads as the end of the chain; keeps the call 16-byte aligned
    *--words = nullptr;
    *--words = reinterpret_cast<void*>(&simt_enter_stack);
    *--words = nullptr;                         // rbp
    *--words = nullptr;                         // rbx
    *--words = argument;                        // r12
    *--words = reinterpret_cast<void*>(entry);  // r13
    *--words = nullptr;                         // r14
    *--words = nullptr;                         // r15
    context.stack_pointer = words;
}

#else  // any other processor: Boost.Context's switch

namespace {
struct Start {
    void (*entry)(void*);
    void* argument;
};
void arrive(boost::context::detail::transfer_t transfer) {
    // The first resume hands over a Start; who switched to us is kept in its context by switch_context.
    auto* pair = static_cast<std::pair<Context*, Context*>*>(transfer.data);
    pair->first->stack_pointer = transfer.fctx;
    auto* start = static_cast<Start*>(pair->second->stack_pointer);
    start->entry(start->argument);
}
}  // namespace

struct Prepared {
    boost::context::detail::fcontext_t fresh;
    Start start;
};

void switch_context(Context& from, Context& to) {
    std::pair<Context*, Context*> pair{&from, &to};
    boost::context::detail::fcontext_t target = to.stack_pointer;
    const auto tag = reinterpret_cast<uintptr_t>(to.stack_pointer);
    if (tag & 1) {  // never run yet: the pointer is a tagged Prepared
        auto* prepared = reinterpret_cast<Prepared*>(tag & ~uintptr_t{1});
        target = prepared->fresh;
        to.stack_pointer = &prepared->start;
    }
    const auto transfer = boost::context::detail::jump_fcontext(target, &pair);
    static_cast<std::pair<Context*, Context*>*>(transfer.data)->first->stack_pointer = transfer.fctx;
}

void prepare_context(Context& context, char* low, char* high, void (*entry)(void*), void* argument) {
    auto* prepared =
        reinterpret_cast<Prepared*>(reinterpret_cast<uintptr_t>(high - sizeof(Prepared)) & ~uintptr_t{63});
    prepared->start = {entry, argument};
    prepared->fresh = boost::context::detail::make_fcontext(
        prepared, static_cast<size_t>(reinterpret_cast<char*>(prepared) - low), arrive);
    context.stack_pointer = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(prepared) | 1);
}

#endif

namespace fast {

#if defined(__x86_64__)

asm(R"(
.text
.p2align 4
.globl simt_enter_by_jump
.hidden simt_enter_by_jump
.type simt_enter_by_jump, @function
simt_enter_by_jump:
    popq %rdi
    popq %rax
    callq *%rax
    ud2
.size simt_enter_by_jump, .-simt_enter_by_jump
)");

extern "C" void simt_enter_by_jump();

void prepare_jump(JumpContext& context, char*, char* high, void (*entry)(void*), void* argument) {
    const auto top = reinterpret_cast<uintptr_t>(high) & ~uintptr_t{15};
    auto** words = reinterpret_cast<void**>(top);
    *--words = nullptr;  // where an unwinder stops
    *--words = nullptr;  // keeps the call 16-byte aligned
    *--words = reinterpret_cast<void*>(entry);
    *--words = argument;
    context = {words, reinterpret_cast<void*>(&simt_enter_by_jump)};
}

#else

void jump_context(JumpContext& from, JumpContext& to) {
    switch_context(from, to);
}
void prepare_jump(JumpContext& context, char* low, char* high, void (*entry)(void*), void* argument) {
    prepare_context(context, low, high, entry, argument);
}

#endif

}  // namespace fast

StackPool::~StackPool() {
    for (auto [address, bytes] : mappings_) munmap(address, bytes);
}

void StackPool::grow() {
    const size_t bytes = guard_bytes + stacks_a_mapping * stack_bytes_;
    // A process may have a limit on its data, which counts private memory whether it is touched or not.
    const int kind = made_ < most_private ? MAP_PRIVATE : MAP_SHARED;
    void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        std::fprintf(stderr, "simt: no memory for the stacks of the kernel's threads (%zu bytes)\n", bytes);
        std::abort();
    }
    mprotect(mapping, guard_bytes, PROT_NONE);
    mappings_.emplace_back(mapping, bytes);
    char* first = static_cast<char*>(mapping) + guard_bytes;
    for (size_t i = stacks_a_mapping; i-- > 0;) {
        char* low = first + i * stack_bytes_;
        free_.push_back({low, low + stack_bytes_ - ((made_ + i) * 5 % colours) * 64});
    }
    made_ += stacks_a_mapping;
}

Stack StackPool::take() {
    if (free_.empty()) grow();
    const Stack stack = free_.back();
    free_.pop_back();
    return stack;
}

}  // namespace simt
