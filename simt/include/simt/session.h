// The boundary between the CPU machine and whoever starts it (the player process of the workbench, a test).
//
// A session is one run of a learner's program under the machine. The caller hands over two memory regions
// that the machine fills: a report (JSON lines, one record a line, see report.md beside this file) and a
// trace (simt/trace.h). Both are plain memory, not files, so that a program under test has no descriptor to
// write to; what was written before a crash is still there after it.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Thread orders. Every order must give a right program the same verdict.
enum simt_order : int32_t {
    SIMT_ORDER_FORWARD = 0,  // blocks and threads in ascending order
    SIMT_ORDER_REVERSE = 1,  // both descending
};

struct simt_region {
    char* data;                  // nullptr: the machine writes nothing there
    size_t capacity;             // bytes at `data`
    volatile uint64_t* used;     // bytes filled so far; always a whole number of records
    volatile uint64_t* dropped;  // records that did not fit
};

struct simt_session_options {
    int32_t order;           // simt_order
    uint64_t step_budget;    // basic blocks that may pass without any thread of a launch ending; 0: 2^29
    uint64_t memory_budget;  // bytes of device memory that cudaMalloc hands out in all; 0: the profile's
    simt_region report;
    simt_region trace;
    uint64_t
        trace_records;     // at most this many trace records a launch, blocks are sampled beyond; 0: 200,000
    int32_t advice_leaks;  // 1: report allocations that are never freed, as advice (cudalab run)
    const char* device_profile;  // name of a profile in assets/devices ("h200"); nullptr: h200
    // For experiments ("what if the grid had 3 blocks?"), never for a verdict: every launch of a
    // checked program gets this many blocks in x, y and z; 0: as many as the program asks for.
    uint32_t grid[3];
    // Registers a thread that nvcc gives the program's kernels, as "add=24 transpose=18", by their names
    // without namespaces and template arguments; nullptr: not known,
    // and the estimate of 32 (which limits no profile) takes their place in the occupancy.
    const char* registers;
    int32_t devices;  // simulated devices, all alike, 1 to 16; 0: 1. Each has `memory_budget`.
};

// Starts the session. Call once, in the process that runs the program, before its code is loaded (its static
// constructors may already call the CUDA API).
void simt_session_begin(const simt_session_options* options);

// Waits for all queued work, reports what is still open (an unchecked failed launch, leaks) and writes the
// closing record {"type":"end"}. A report without it means that the program ended early.
void simt_session_end(void);

// Buffers that a grader owns. They live in the simulated device memory, with exact bounds and a name, and
// start uninitialised. `element_bytes` is used in messages ("out[200]").
void* simt_buffer_create(const char* name, size_t bytes, size_t element_bytes);
// Host memory of a grader's own that asynchronous copies and kernels may use from now on (pinned), with its name.
void simt_buffer_pin(const char* name, void* host, size_t bytes, size_t element_bytes);
void simt_buffer_upload(void* device, const void* host, size_t bytes);

// Copies a buffer to the host. With `must_be_written`, elements that no thread wrote become one finding
// "never-written" that names the ranges; their bytes at `host` keep what the caller put there (poison).
void simt_buffer_download(void* device, void* host, size_t bytes, int must_be_written);

}  // extern "C"
