// What libraries on top of the runtime (Thrust, CUB) ask of the machine, beside abi.h.
#pragma once

#include "abi.h"

namespace simt {

// The innermost line of the learner's own that the calling host code was reached from; line 0 where it is not known
// (programs without checks). A library's launches and allocations stand at that line in messages.
Where calling_line();

// All threads of a block meet inside a library's function that the learner's kernel calls. `name`: how messages call it,
// such as "barrier in cub::BlockScan"; `where`: the learner's line.
void library_barrier(const char* name, Where where);

// A library's function that works for a block of `says` threads was called by a thread of another one: an "api-misuse"
// finding at the learner's line, and the thread ends.
[[noreturn]] void refuse_block(const char* function, Index3 says, Where where);

// A call of a library whose work is kernels in `stream`: counted in the metrics of the timeline.
void note_library_call(const void* stream);

// A library was given `given` bytes to work in and needs `needed`: an "api-misuse" finding at the learner's line.
void report_small_storage(const char* call, size_t given, size_t needed, Where where);

// A thread of a library's kernel gives a value back to the host code that waits for the launch.
void hand_to_host(void* host, const void* value, size_t bytes);

// The running launch is one thread's loop over so many elements: it is not endless because it takes long.
void expect_work(uint64_t elements);

}  // namespace simt
