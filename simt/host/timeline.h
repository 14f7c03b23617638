// The simulated timeline: every operation that a checked program queued, and what the host did meanwhile, as the
// device of the profile would have run them. It is a model (timeline_model.h, durations.h) and says so wherever it is shown.
//
// The operations are logged as they are queued. How long a kernel takes is known when it has run here; when it would
// have run there follows from the log alone, so it does not depend on the order in which this machine runs what is
// queued. The caller has the ApiLock for all of this page.
#pragma once

#include <vector>

#include "simt/host/durations.h"
#include "simt/host/queue.h"

namespace simt::timeline {

// ---- from the queue ----
// `after`: ids of operations in other streams that it waits for, done or not.
void queued(const queue::Stream& stream, const queue::Operation& operation, std::vector<uint64_t> after);
// It has run, or was skipped after an error. A kernel has said before what it asked of the device.
void ran(const queue::Operation& operation);
void kernel_ran(const queue::Operation& operation, uint32_t launch, const KernelWork& work);
void library_ran(const queue::Operation& operation, const LibraryWork& work);
// A prefetch knows only when it runs what it moves.
void moved(const queue::Operation& operation, size_t bytes);
// The calling thread waited until it was done, or found it done. `known`: some thread did before.
void host_waited(const queue::Operation& operation, bool known);
// The host knows that everything is done.
void settle();

// While it lives, what the calling thread waits for is waited for in this call.
class Waiting {
  public:
    Waiting(const char* call, Where where);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
};

// ---- from the API ----
// The calling thread spent this time in a call that queues nothing, such as cudaMalloc.
void host_worked(const char* call, double ns, Where where);
// A call made an executable graph of so many nodes: host work, and counted.
void graph_instantiated(const char* call, size_t nodes, Where where);
void graph_destroyed(const char* call, size_t nodes, Where where);  // host work
// A handle of a library was made: counted.
void note_handle();
// A call of a library whose work is kernels of its own, queued in a default stream or not: counted.
void note_library_call(bool in_default_stream);
// From the end of what came before the one mark to that of what came before the other; both are done. Only where
// operations are lazy: else nothing is logged.
double ns_between(const queue::Operation& begin, const queue::Operation& end);

// ---- from the hooks ----
// Basic blocks of host code that the thread went through.
extern thread_local uint64_t host_blocks __attribute__((tls_model("initial-exec")));

// The program has ended: what the machine waits for from now on is not its doing.
void program_ended();
// At the end: one record {"type":"timeline"} (include/simt/report.md), if anything was queued.
void write_timeline();

}  // namespace simt::timeline
