// Function attributes and occupancy.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "simt/machine/devices.h"
#include "simt/machine/occupancy.h"
#include "simt/runtime/errors.h"

namespace simt {
namespace {

std::mutex limits_mutex;
// By kernel and device: each device has attributes of its own.
using Kernel = std::pair<const void*, int>;
std::map<Kernel, size_t>& limits() {
    static auto& map = *new std::map<Kernel, size_t>;
    return map;
}

}  // namespace

size_t dynamic_shared_limit(const void* function) {
    const std::lock_guard lock(limits_mutex);
    const auto it = limits().find({function, devices::current()});
    return it != limits().end() ? it->second : device_profile().shared_per_block;
}

namespace {

// What __launch_bounds__ promises, by kernel. Filled while the program is loaded, before it can launch anything.
std::map<const void*, int>& promised_threads() {
    static auto& map = *new std::map<const void*, int>;
    return map;
}

}  // namespace

bool register_bounds(const void* kernel, long threads, long, long) {
    if (threads > 0) promised_threads()[kernel] = static_cast<int>(std::min(threads, 1024L));
    return true;
}

int threads_limit(const void* function) {
    const auto& promised = promised_threads();
    const auto it = promised.find(function);
    const int most = device_profile().threads_per_block;
    return it != promised.end() ? std::min(it->second, most) : most;
}

namespace cuda {

using runtime::Call;
using runtime::enter;
using runtime::fail;

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value,
                                   Where where) {
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (function == nullptr) return fail(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return value >= -1 && value <= 100 ? cudaSuccess : fail(cudaErrorInvalidValue);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return attribute > cudaFuncAttributePreferredSharedMemoryCarveout && attribute < cudaFuncAttributeMax
                   ? cudaSuccess
                   : fail(cudaErrorInvalidValue);
    const size_t most = device_profile().shared_per_block_optin;
    if (value < 0 || static_cast<size_t>(value) > most)
        return fail(
            cudaErrorInvalidValue,
            {.kind = "api-misuse",
             .message = fmt::format(
                 "cudaFuncSetAttribute at line {} asks for {} bytes of dynamic shared memory; a block on {} "
                 "can have {}",
                 where.line, value, device_profile().name, most),
             .fix = "Use smaller tiles.",
             .where = where});
    const std::lock_guard lock(limits_mutex);
    limits()[{function, devices::current()}] = static_cast<size_t>(value);
    return cudaSuccess;
}

// What only nvcc knows (registers, local memory, static shared memory) is 0.
cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function, Where) {
    if (attributes == nullptr) return fail(cudaErrorInvalidValue);
    if (function == nullptr) return fail(cudaErrorInvalidDeviceFunction);
    const DeviceProfile& p = device_profile();
    *attributes = {};
    attributes->maxThreadsPerBlock = threads_limit(function);
    attributes->ptxVersion = attributes->binaryVersion = p.major * 10 + p.minor;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(function));
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}

cudaError_t resident_blocks(int* blocks, const void* function, int threads, size_t dynamic_shared, Where) {
    if (const cudaError_t error = enter(Call::wait); error != cudaSuccess) return error;
    if (blocks == nullptr || threads <= 0) {
        if (blocks != nullptr) *blocks = 0;
        return fail(cudaErrorInvalidValue);
    }
    // It does not look at what the kernel promises (seen on an H200): the launch does.
    const bool fits = dynamic_shared <= dynamic_shared_limit(function);
    *blocks = fits ? simt::resident_blocks(static_cast<unsigned>(threads), dynamic_shared).least() : 0;
    return cudaSuccess;
}

cudaError_t best_block(int* grid, int* block, const void* function,
                       size_t (*dynamic_shared)(const void*, int), const void* shared_state, int limit,
                       Where) {
    if (const cudaError_t error = enter(Call::wait); error != cudaSuccess) return error;
    if (grid == nullptr || block == nullptr || function == nullptr) return fail(cudaErrorInvalidValue);
    const int most = threads_limit(function);
    const int top = limit <= 0 || limit > most ? most : limit;
    int best_threads = 0, best_blocks = 0;
    // From the largest block down; a smaller one must fill the multiprocessor better to win.
    for (int aligned = (top + 31) / 32 * 32; aligned > 0; aligned -= 32) {
        const int threads = aligned < top ? aligned : top;
        const size_t shared = dynamic_shared(shared_state, threads);
        const int blocks = shared <= dynamic_shared_limit(function)
                               ? simt::resident_blocks(static_cast<unsigned>(threads), shared).least()
                               : 0;
        if (blocks * threads <= best_blocks * best_threads) continue;
        best_threads = threads;
        best_blocks = blocks;
    }
    *grid = best_blocks * device_profile().sm_count;
    *block = best_threads;
    return cudaSuccess;
}

}  // namespace cuda
}  // namespace simt
