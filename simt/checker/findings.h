// What the machine says about a faulty program. One function a kind; each builds one sentence and one
// suggestion. The same fault (kind, lines, buffer) is reported once, with the first thread that met it and a
// count.
#pragma once

#include <cstdint>

#include "simt/checker/order.h"
#include "simt/checker/race.h"
#include "simt/include/simt/matrix/layout.h"
#include "simt/include/simt/trace.h"
#include "simt/machine/launch_run.h"

namespace simt {

struct RaceSeen {
    RaceScope scope;
    const void* address;
    unsigned bytes;
    const void* pc;
    bool now_writes;
    uint64_t past;  // epoch of the earlier access
    uint32_t past_site;
    bool past_writes;
    bool past_is_known;                            // the epoch names the thread
    bool both_atomic;                              // and at least one of them within its block alone
    bool now_is_atomic;                            // or volatile
    order::Settled settled = order::Settled::yes;  // else it is known, and the reader's own fence is missing
};

// Accesses.
void report_bounds(const Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc);
void report_shared_bounds(const Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc);
void report_array_index(const Lane& lane, long index, long count, const void* pc);
void report_misaligned(const Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc);
void report_uninitialised(const Lane& lane, const void* address, unsigned bytes, trace::Space space,
                          const Allocation* buffer, const void* pc);
// `offset`: bytes from the array's beginning.
void report_local_bounds(const Lane& lane, const LocalArray& array, size_t offset, bool writes,
                         const void* pc);
void report_uninitialised_local(const Lane& lane, const LocalArray& array, size_t offset, const void* pc);
void report_constant_write(const Lane& lane, const Allocation& symbol, const void* address, const void* pc);
void report_foreign(const Lane& lane, const void* address, unsigned bytes, bool writes, const void* pc);
// Memory that lives on another device, to which this one has no peer access.
void report_other_device(const Lane& lane, const Allocation& memory, const void* address, bool writes,
                         const void* pc);
// With several devices: a variable used by its name and through a pointer in one launch.
void report_name_and_pointer(const Lane& lane, const Allocation& symbol, const void* pc);
void report_race(const Lane& lane, const RaceSeen& seen);
void report_host_access(const void* address, unsigned bytes, bool writes, const void* pc);
// Managed memory that has been freed.
void report_freed_on_host(const Allocation& a, const void* address, bool writes, const void* pc);

// Barriers and warps.
void report_two_barriers(const Lane& a, const Lane& b);
// `missing`: how many threads, `gone` with them.
void report_missing_at_barrier(const Lane& waiting, const Lane& gone, uint64_t missing);
void report_early_exit(const Lane& waiting, const Lane& returned);
// At a grid.sync() of a launch that is not cooperative.
void report_not_cooperative(const Lane& lane);
void report_own_bit_missing(const Lane& lane, unsigned mask);
void report_absent_lane(const Lane& waiting, const Lane& absent, unsigned absent_mask);
void report_bad_source(const Lane& lane, int source, bool named);
// Functions of mma.h. `present`: the lanes that are there; the others have left or do not exist.
void report_partial_warp(const Lane& lane, unsigned present);
void report_two_matrices(const Lane& first, const Lane& other, const matrix::Access& a,
                         const matrix::Access& b);
// Where a GPU cannot load or store this matrix, says so.
void report_matrix_in_memory(const Lane& lane, const matrix::Access& access);

// The rest.
void report_endless(const Lane& lane);
void report_deadlock(const Lane& lane);
// Nothing can happen any more (machine/standstill.h). `unstarted`: blocks for which there is no room.
void report_standstill(const LaunchRun& launch, const Blocks& running, uint64_t unstarted);
void report_uncaught_exception(const Lane& lane);
void report_refused_block(const Lane& lane, const char* function, Index3 says, Where where);
void report_assert(const Lane& lane, const char* expression, const char* file, unsigned line);
constexpr const char* only_the_host_launches =
    "The CPU machine starts kernels from host code only (no dynamic parallelism): launch it from the host "
    "when the first "
    "kernel is done.";
void report_launch_in_kernel(const Lane& lane, const char* kernel, Where where);
void report_trap(const Lane& lane, Where where);
void report_stack_overflow(const Lane& lane, const void* pc);
void report_arithmetic(const Lane& lane, const char* what);
// A call that only host code can make, such as exit.
void report_host_only(const Lane& lane, const char* what, const char* fix, const void* pc);
void report_refused_launch(const LaunchCall& call, int error, const std::string& message,
                           const std::string& fix, const char* kind = "launch-config");
// Elements of a grader's buffer that nothing wrote.
void report_never_written(const Allocation& buffer, size_t first, size_t last, size_t missing);

// Counts of findings that were met more than once go into the report.
void settle_findings(bool program_ends = false);

void note_host_pc(const void* pc);
const void* last_host_pc();
bool is_machine_memory(const void* address);

}  // namespace simt
