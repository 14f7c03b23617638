// Stands in for libsimt.so, see recorder.h. One block, its threads one after the other, barriers do nothing.
#include "tests/unit/frontend/recorder.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "simt/include/simt/abi.h"

using recorder::Event;
using recorder::Kind;

namespace {

std::vector<Event> events;
bool running = false;
unsigned thread = 0;
simt::Index3 extent{1, 1, 1};
const char *parameters = nullptr, *parameters_end = nullptr;
std::map<const void*, void*> storage;
alignas(256) char dynamic[4096];

void note(Kind kind, const void* address, size_t size, const void* pc) {
    const char* p = static_cast<const char*>(address);
    if (!running || (p >= parameters && p < parameters_end)) return;  // the launch reads its own arguments
    events.push_back({kind, thread, size, address, pc});
}

}  // namespace

extern "C" {
void recorder_clear() {
    events.clear();
}
size_t recorder_count() {
    return events.size();
}
const Event* recorder_events() {
    return events.data();
}

#define PC __builtin_return_address(0)
#define ACCESS(n)                                      \
    void __tsan_read##n(void* p) {                     \
        note(Kind::read, p, n, PC);                    \
    }                                                  \
    void __tsan_write##n(void* p) {                    \
        note(Kind::write, p, n, PC);                   \
    }                                                  \
    void __tsan_unaligned_read##n(void* p) {           \
        note(Kind::read, p, n, PC);                    \
    }                                                  \
    void __tsan_unaligned_write##n(void* p) {          \
        note(Kind::write, p, n, PC);                   \
    }                                                  \
    void __tsan_volatile_read##n(void* p) {            \
        note(Kind::volatile_read, p, n, PC);           \
    }                                                  \
    void __tsan_volatile_write##n(void* p) {           \
        note(Kind::volatile_write, p, n, PC);          \
    }                                                  \
    void __tsan_unaligned_volatile_read##n(void* p) {  \
        note(Kind::volatile_read, p, n, PC);           \
    }                                                  \
    void __tsan_unaligned_volatile_write##n(void* p) { \
        note(Kind::volatile_write, p, n, PC);          \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void* p, size_t n) {
    note(Kind::range_read, p, n, PC);
}
void __tsan_write_range(void* p, size_t n) {
    note(Kind::range_write, p, n, PC);
}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_func_entry(void* caller) {
    note(Kind::enter, caller, 0, PC);
}
void __tsan_func_exit() {
    note(Kind::leave, nullptr, 0, PC);
}
void __tsan_init() {}
void __sanitizer_cov_trace_pc() {
    note(Kind::block, nullptr, 0, PC);
}
// Functions of the C library that libsimt.so has in its own way; no snippet calls them.
#define UNUSED(name)  \
    void name() {     \
        std::abort(); \
    }
UNUSED(simt_sincos_values)
UNUSED(simt_sincosf_values)
UNUSED(simt_modf_values)
UNUSED(simt_modff_values)
UNUSED(simt_frexp_values)
UNUSED(simt_remquo_values)
UNUSED(simt_remquof_values)
UNUSED(simt_assert_fail)
UNUSED(simt_clock)
UNUSED(__wrap_exit)
UNUSED(__wrap_abort)
UNUSED(__wrap_longjmp)
UNUSED(__wrap___cxa_allocate_exception)
void __ubsan_handle_out_of_bounds(void*, size_t index) {
    note(Kind::bounds, nullptr, index, PC);
}
}

namespace simt {

namespace fast {
__thread State state __attribute__((tls_model("initial-exec"), visibility("default"))) = {};
// The threads are started one by one here, not in a loop of the program's.
Switch end_loop() {
    std::abort();
}
void begin_loop() {
    std::abort();
}
}  // namespace fast

Index3 thread_index() noexcept {
    return {thread, 0, 0};
}
Index3 block_index() noexcept {
    return {0, 0, 0};
}
Index3 block_extent() noexcept {
    return extent;
}
Index3 grid_extent() noexcept {
    return {1, 1, 1};
}
bool in_kernel() {
    return running;
}
void block_barrier(Where where) {
    note(Kind::barrier, nullptr, static_cast<size_t>(where.line), PC);
}
void warp_barrier(unsigned, Where where) {
    note(Kind::barrier, nullptr, static_cast<size_t>(where.line), PC);
}

uint64_t atomic_access(Atomic, Scalar type, void* address, uint64_t operand, uint64_t, int, Where) {
    note(Kind::atomic, address, type == Scalar::i32 || type == Scalar::u32 || type == Scalar::f32 ? 4 : 8,
         PC);
    return operand;
}

void* shared_storage(const void* key, size_t bytes, size_t, const ArrayShape&, const char*, Where) {
    void*& memory = storage[key];
    if (memory == nullptr) memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    return memory;
}

void* dynamic_shared_storage(size_t, size_t, const char*, Where) {
    return dynamic;
}
void local_storage(void*, size_t, size_t, const char*, Where, bool) noexcept {}
void thread_returns() {}
bool register_source(const char*, std::initializer_list<AllocationNote>, std::initializer_list<BarrierNote>,
                     std::initializer_list<SymbolNote>) {
    return true;
}

void check_launcher(const char*, Where) {}
void enqueue(const LaunchCall& call, void* arguments) {
    extent = call.config.block;
    parameters = static_cast<const char*>(arguments);
    parameters_end = parameters + call.bytes;
    running = true;
    for (thread = 0; thread < extent.x; thread++) {
        fast::state.thread = {thread, 0, 0};
        call.invoke(arguments);
    }
    running = false;
    thread = 0;
    call.destroy(arguments);
    (void)call.move_to;
}

}  // namespace simt
