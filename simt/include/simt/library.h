// What libraries on top of the runtime (Thrust, CUB) ask of the machine, beside abi.h.
#pragma once

#include "abi.h"

namespace simt {

// The innermost line of the learner's own that the calling host code was reached from; line 0 where it is not known
// (programs without checks). A library's launches and allocations stand at that line in messages.
Where calling_line();

// A thread of a library's kernel gives a value back to the host code that waits for the launch.
void hand_to_host(void* host, const void* value, size_t bytes);

// The running launch is one thread's loop over so many elements: it is not endless because it takes long.
void expect_work(uint64_t elements);

}  // namespace simt
