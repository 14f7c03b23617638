// What the CUDA runtime API (simt/runtime) asks of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simt/include/simt/abi.h"
#include "simt/include/simt/session.h"

namespace simt {

// ---- device memory ----
enum class BufferSpace { global, managed, pinned, symbol, constant, array };

struct Allocation {
    uint64_t id = 0;
    char* base = nullptr;  // the device address
    size_t bytes = 0;
    size_t element_bytes = 1;  // guessed from the pointer type at cudaMalloc; for messages
    std::string name;          // "d_in", or "device buffer 2"
    BufferSpace space = BufferSpace::global;
    // Of an array, from the outermost dimension in: its elements are named [y][x]. Rank 0 or 1: by one number.
    size_t rank = 0;
    size_t extents[3] = {};
    Where allocated, freed;
    int device = 0;  // that was current when it was made
    // From a memory pool: the devices that may touch it, as bits (cudaMemPoolSetAccess). nullptr: as peer access has it.
    const uint32_t* pool_access = nullptr;
    bool live = true;  // freed memory stays in quarantine, so that a later use is seen
    // Memory of a graph is live from its allocating node's run to the free, at the same address each time. It is
    // promised from the launch's call on to the call that frees it.
    bool is_of_graph = false, is_promised = false;
};

namespace memory {
// nullptr when the budget is spent. Device addresses are 256-byte aligned and not readable by host code, but
// for managed and pinned memory. New memory is uninitialised (managed and pinned too, until the host may have
// written it). `device`: whose memory it is; -1: the current one's. Copies of variables (symbol, constant) count for no budget.
void* allocate(size_t bytes, size_t element_bytes, BufferSpace space, const std::string& name, Where where,
               int device = -1);
// Memory that was just allocated belongs to a pool.
void set_pool_access(void* base, const uint32_t* access);
// Elements of memory that was just allocated, by dimension.
void set_extents(void* base, std::initializer_list<size_t> outermost_first);
// Memory of a graph (is_of_graph): an address that is not live yet, and the change of its state.
void* reserve_for_graph(size_t bytes, size_t element_bytes, Where where);
void take_for_graph(void* pointer);
void promise(void* pointer, bool is_promised);
size_t bytes_of_graphs();  // that are live
enum class Released { ok, not_an_allocation, inside_an_allocation, already_freed };
Released release(void* pointer, Where where);  // reports double-free and invalid-free itself
// The allocation (live, or freed and quarantined) or registered symbol that contains `pointer`; nullptr:
// none.
const Allocation* find(const void* pointer);
bool is_device_address(const void* pointer);  // in the device arena at all, allocated or not
// Where host-side code of the machine may touch the bytes behind a device address.
char* host_view(const void* device);
void mark_initialised(const void* device, size_t bytes);
// [first, last] byte ranges of device..device+bytes that nothing wrote.
struct ByteRange {
    size_t first, last;
};
std::vector<ByteRange> uninitialised(const void* device, size_t bytes);
// Moves the "initialised" marks along with a device-to-device copy.
void copy_marks(const void* to, const void* from, size_t bytes);
// Host memory that kernels and asynchronous copies may use from now on (cudaHostRegister). False: a part of it is
// registered already. `name`: what messages call it; empty: what the text calls it.
bool register_host(void* pointer, size_t bytes, Where where, const std::string& name = "",
                   size_t element_bytes = 1);
bool unregister_host(void* pointer);  // false: it was not registered, or not from there
const Allocation* registered_at(const void* pointer);
size_t bytes_in_use(int device = -1);  // -1: of the current one
size_t bytes_total();                  // of each device
}  // namespace memory

// ---- findings ----
struct FindingDraft {
    std::string kind{};
    bool advice = false;
    std::string message{}, fix{};
    Where where{};
    std::string buffer{};
    int64_t element = -1, last_element = -1;
    bool has_other = false;
    std::string other_action{};
    Where other{};
};
// Findings of the host side. The same (kind, line, buffer) is counted, not repeated.
void report_finding(const FindingDraft& draft);

// ---- errors: owned by simt/runtime/errors.cpp, called by the machine ----
// `code` is a cudaError_t value. Sticky errors (700 and its kin)
// stay until the process ends; others until read. `launch` says that it came from a launch: reported as
// unchecked-error when nobody looks before the end.
void raise_error(int code, bool sticky, Where where, const std::string& sentence);
int current_error();  // what the next API call must return first: the sticky error, or 0
const char* error_name(int code);
// At the end of a session: a finding "unchecked-error" for each failed launch or call whose error nobody
// read.
void report_unchecked_errors();

// ---- device profile: owned by simt/runtime/profile.cpp ----
struct DeviceProfile {
    std::string name = "NVIDIA H200";
    int major = 9, minor = 0, sm_count = 132;
    size_t global_bytes = 0, shared_per_block = 49152, shared_per_block_optin = 232448,
           shared_per_sm = 233472, reserved_shared_per_block = 1024;
    size_t constant_bytes = 65536, l2_bytes = 0;
    int registers_per_block = 65536, registers_per_sm = 65536, threads_per_sm = 2048, blocks_per_sm = 32;
    int threads_per_block = 1024;
    Index3 max_block{1024, 1024, 64}, max_grid{2147483647u, 65535u, 65535u};
    int clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
    int fp32_per_sm = 128;  // multiply-adds of floats that a multiprocessor can begin in a clock
    // Of copies between pinned and device memory, in 10^9 bytes a second: what a large one reaches.
    double to_device_gb_per_s = 25, to_host_gb_per_s = 25;
    // Of copies between two devices that reach each other, each way; 0: there is no link but the host's.
    double peer_gb_per_s = 0;
};
const DeviceProfile& device_profile();

// Function attributes that a program set (cudaFuncSetAttribute): most dynamic shared bytes for a kernel.
size_t dynamic_shared_limit(const void* function);  // owned by simt/runtime
}  // namespace simt
