// cudaMemcpyToSymbol and its kin. A __device__ or __constant__ variable is an ordinary variable of the
// program here, which registered itself with its size.
#include <fmt/format.h>

#include "simt/machine/device_symbols.h"
#include "simt/machine/devices.h"
#include "simt/runtime/copy.h"

namespace simt::cuda {
namespace {

using namespace runtime;

const Allocation* find_symbol(const void* symbol) {
    const Allocation* a = memory::find(symbol);
    return a != nullptr && !memory::is_device_address(symbol) ? a : nullptr;
}

// Where the bytes are: with several devices in the current one's copy, whatever the stream.
char* bytes_of(const Allocation& symbol) {
    if (!devices::several || symbol.space == BufferSpace::managed) return symbol.base;
    return device_symbols::copy_of(symbol, current_device()).base;
}

cudaError_t no_symbol(const char* call, Where where) {
    return fail(
        cudaErrorInvalidSymbol,
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} got something that is no __device__ or __constant__ variable",
                                call, where.line),
         .fix = "Pass the variable itself, not a pointer to it, and declare it at file scope with __device__ "
                "or __constant__.",
         .where = where});
}

cudaError_t wrong_direction(const char* call, Where where) {
    return fail(
        cudaErrorInvalidMemcpyDirection,
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} has a direction that does not fit it", call, where.line),
         .fix = "Leave the direction out: the default is right.",
         .where = where});
}

// The part [offset, offset + bytes) of the symbol, or an error.
cudaError_t check_part(const char* call, const Allocation& symbol, size_t bytes, size_t offset, Where where) {
    if (offset <= symbol.bytes && bytes <= symbol.bytes - offset) return cudaSuccess;
    return fail(
        cudaErrorInvalidValue,
        {.kind = symbol.space == BufferSpace::constant ? "oob-constant" : "oob-global",
         .message = fmt::format("{} at line {} copies {} bytes from byte {} on, but {} has {} bytes", call,
                                where.line, bytes, offset, symbol.name, symbol.bytes),
         .fix = "Count and offset are in bytes; together they must not exceed sizeof of the variable.",
         .where = where,
         .buffer = symbol.name,
         .element = static_cast<int64_t>(symbol.bytes / symbol.element_bytes),
         .last_element = static_cast<int64_t>((offset + bytes - 1) / symbol.element_bytes),
         .has_other = true,
         .other_action = "declared",
         .other = symbol.allocated});
}

}  // namespace

cudaError_t copy_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool is_async, Where where) {
    const char* call = is_async ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyToSymbol";
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const Allocation* a = find_symbol(symbol);
    if (a == nullptr) return no_symbol(call, where);
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return wrong_direction(call, where);
    if (const cudaError_t error = check_part(call, *a, bytes, offset, where); error != cudaSuccess)
        return error;
    return queue_copy({call, kind, where}, bytes_of(*a) + offset, from, bytes, kind, true, stream, is_async);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, bool is_async, Where where) {
    const char* call = is_async ? "cudaMemcpyFromSymbolAsync" : "cudaMemcpyFromSymbol";
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    const Allocation* a = find_symbol(symbol);
    if (a == nullptr) return no_symbol(call, where);
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return wrong_direction(call, where);
    if (const cudaError_t error = check_part(call, *a, bytes, offset, where); error != cudaSuccess)
        return error;
    return queue_copy({call, kind, where}, to, bytes_of(*a) + offset, bytes, kind, true, stream, is_async);
}

cudaError_t symbol_address(void** pointer, const void* symbol, Where where) {
    const ApiLock lock;
    if (pointer == nullptr) return fail(cudaErrorInvalidValue);
    const Allocation* a = find_symbol(symbol);
    if (a == nullptr) return no_symbol("cudaGetSymbolAddress", where);
    allow_as_pointer(*a);
    *pointer = bytes_of(*a);
    if (*pointer != a->base) device_symbols::give_pointer(*memory::find(*pointer));
    return cudaSuccess;
}

cudaError_t symbol_size(size_t* bytes, const void* symbol, Where where) {
    if (bytes == nullptr) return fail(cudaErrorInvalidValue);
    const Allocation* a = find_symbol(symbol);
    if (a == nullptr) return no_symbol("cudaGetSymbolSize", where);
    *bytes = a->bytes;
    return cudaSuccess;
}

}  // namespace simt::cuda
