// cudaMemPool_t. The counts are those of an H200 (CUDA 13.0): "used" is what was asked for, to the byte, and falls at
// the call of cudaFreeAsync; "reserved" grows by pieces of 32 MiB, and what exceeds the threshold goes back when the
// host waits for a stream or the device.
#include "simt/runtime/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "simt/machine/devices.h"
#include "simt/runtime/work.h"

namespace simt::runtime {
namespace {

struct Pool {
    int device = 0;
    // The devices that may touch its memory. Memory outlives its pool, so this is never freed.
    devices::Set* access = nullptr;
    uint64_t threshold = 0, reserved = 0, reserved_high = 0, used = 0, used_high = 0;
    int reuse[3] = {1, 1,
                    1};  // follow events, opportunistic, internal dependencies: kept, and of no effect here

    void take(uint64_t bytes) {
        constexpr uint64_t piece = uint64_t{32} << 20;
        used += bytes;
        reserved = std::max(reserved, (used + piece - 1) / piece * piece);
        used_high = std::max(used_high, used);
        reserved_high = std::max(reserved_high, reserved);
    }
    void trim(uint64_t keep) {
        constexpr uint64_t piece = uint64_t{32} << 20;
        reserved = std::min(reserved, std::max((used + piece - 1) / piece * piece, keep));
    }
};

struct Taken {
    uintptr_t pool;
    size_t bytes;
};

// Handles are numbers: a stale one is noticed.
constexpr uintptr_t default_pool(int device) {
    return 16 + static_cast<uintptr_t>(device);
}

Pool pool_on(int device) {
    Pool pool;
    pool.device = device;
    pool.access = new devices::Set(devices::only(device));
    return pool;
}

struct State {
    std::map<uintptr_t, Pool> pools;
    std::map<const void*, Taken> taken;
    std::array<uintptr_t, devices::most> current{};  // by device
    uintptr_t next = 16;

    State() {
        for (int d = 0; d < devices::count(); ++d) {
            pools[default_pool(d)] = pool_on(d);
            current[static_cast<size_t>(d)] = default_pool(d);
        }
    }
};

State& state() {
    static State& s = *new State;
    return s;
}

Pool* find(cudaMemPool_t pool) {
    const auto it = state().pools.find(reinterpret_cast<uintptr_t>(pool));
    return it == state().pools.end() ? nullptr : &it->second;
}

cudaMemPool_t handle(uintptr_t pool) {
    return reinterpret_cast<cudaMemPool_t>(pool);
}

bool is_device(int device) {
    return device >= 0 && device < devices::count();
}

// Highs can be set to 0, the threshold to anything, current amounts not at all.
cudaError_t set(Pool& pool, cudaMemPoolAttr attribute, const void* value) {
    const auto number = [&] { return *static_cast<const uint64_t*>(value); };
    if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
        attribute <= cudaMemPoolReuseAllowInternalDependencies) {
        pool.reuse[attribute - 1] = *static_cast<const int*>(value);
        return cudaSuccess;
    }
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
        pool.threshold = number();
        return cudaSuccess;
    }
    const bool high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    if (!high || number() != 0) return fail(cudaErrorInvalidValue);
    if (attribute == cudaMemPoolAttrReservedMemHigh) {
        pool.reserved_high = pool.reserved;
    } else {
        pool.used_high = pool.used;
    }
    return cudaSuccess;
}

cudaError_t get(const Pool& pool, cudaMemPoolAttr attribute, void* value) {
    if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
        attribute <= cudaMemPoolReuseAllowInternalDependencies) {
        *static_cast<int*>(value) = pool.reuse[attribute - 1];
        return cudaSuccess;
    }
    const std::pair<cudaMemPoolAttr, uint64_t> numbers[] = {
        {cudaMemPoolAttrReleaseThreshold, pool.threshold},
        {cudaMemPoolAttrReservedMemCurrent, pool.reserved},
        {cudaMemPoolAttrReservedMemHigh, pool.reserved_high},
        {cudaMemPoolAttrUsedMemCurrent, pool.used},
        {cudaMemPoolAttrUsedMemHigh, pool.used_high}};
    for (const auto& [name, number] : numbers) {
        if (name != attribute) continue;
        *static_cast<uint64_t*>(value) = number;
        return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t unknown_pool(const char* call, Where where) {
    return fail(
        cudaErrorInvalidValue,
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} got a memory pool that does not exist", call, where.line),
         .fix = "Pass a pool from cudaMemPoolCreate or cudaDeviceGetDefaultMemPool.",
         .where = where});
}

cudaMemPool_t current_pool(int device) {
    return handle(state().current[static_cast<size_t>(device)]);
}

int device_of_pool(cudaMemPool_t pool) {
    return find(pool)->device;
}

bool is_pool(cudaMemPool_t pool) {
    return find(pool) != nullptr;
}

void note_pool_allocation(cudaMemPool_t pool, const void* pointer, size_t bytes) {
    find(pool)->take(bytes);
    memory::set_pool_access(const_cast<void*>(pointer), find(pool)->access);
    state().taken[pointer] = {reinterpret_cast<uintptr_t>(pool), bytes};
}

void note_pool_release(const void* pointer) {
    State& s = state();
    const auto it = s.taken.find(pointer);
    if (it == s.taken.end()) return;
    if (Pool* pool = find(handle(it->second.pool))) pool->used -= it->second.bytes;
    s.taken.erase(it);
}

void trim_pools() {
    for (auto& [number, pool] : state().pools) pool.trim(pool.threshold);
}

}  // namespace simt::runtime

using simt::ApiLock;
using simt::Where;
using namespace simt::runtime;
namespace devices = simt::devices;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device, Where) {
    const ApiLock lock;
    if (pool == nullptr) return fail(cudaErrorInvalidValue);
    if (!is_device(device)) return fail(cudaErrorInvalidDevice);
    *pool = handle(default_pool(device));
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device, Where) {
    const ApiLock lock;
    if (pool == nullptr) return fail(cudaErrorInvalidValue);
    if (!is_device(device)) return fail(cudaErrorInvalidDevice);
    *pool = current_pool(device);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool, Where where) {
    const ApiLock lock;
    if (!is_device(device)) return fail(cudaErrorInvalidDevice);
    if (!is_pool(pool)) return unknown_pool("cudaDeviceSetMemPool", where);
    if (device_of_pool(pool) != device) return fail(cudaErrorInvalidValue);
    state().current[static_cast<size_t>(device)] = reinterpret_cast<uintptr_t>(pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties, Where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice || !is_device(properties->location.id))
        return fail(cudaErrorInvalidValue);
    State& s = state();
    s.next += 16;
    s.pools[s.next] = pool_on(properties->location.id);
    *pool = handle(s.next);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    State& s = state();
    if (!is_pool(pool)) return unknown_pool("cudaMemPoolDestroy", where);
    const int device = device_of_pool(pool);
    if (pool == handle(default_pool(device))) return fail(cudaErrorInvalidValue);
    if (pool == current_pool(device)) s.current[static_cast<size_t>(device)] = default_pool(device);
    s.pools.erase(reinterpret_cast<uintptr_t>(pool));
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, Where where) {
    const ApiLock lock;
    if (value == nullptr) return fail(cudaErrorInvalidValue);
    Pool* found = find(pool);
    return found == nullptr ? unknown_pool("cudaMemPoolSetAttribute", where) : set(*found, attribute, value);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value, Where where) {
    const ApiLock lock;
    if (value == nullptr) return fail(cudaErrorInvalidValue);
    const Pool* found = find(pool);
    return found == nullptr ? unknown_pool("cudaMemPoolGetAttribute", where) : get(*found, attribute, value);
}
// A pool's own device keeps its access.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count,
                                 Where where) {
    const ApiLock lock;
    if (access == nullptr && count != 0) return fail(cudaErrorInvalidValue);
    const Pool* found = find(pool);
    if (found == nullptr) return unknown_pool("cudaMemPoolSetAccess", where);
    for (size_t i = 0; i < count; ++i) {
        const auto& [location, flags] = access[i];
        if (location.type != cudaMemLocationTypeDevice || !is_device(location.id) ||
            (flags != cudaMemAccessFlagsProtNone && flags != cudaMemAccessFlagsProtReadWrite) ||
            (flags == cudaMemAccessFlagsProtNone && location.id == found->device))
            return fail(cudaErrorInvalidValue);
    }
    for (size_t i = 0; i < count; ++i) {
        const devices::Set one = devices::only(access[i].location.id);
        *found->access =
            access[i].flags == cudaMemAccessFlagsProtNone ? *found->access & ~one : *found->access | one;
    }
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location,
                                 Where where) {
    const ApiLock lock;
    const Pool* found = find(pool);
    if (found == nullptr) return unknown_pool("cudaMemPoolGetAccess", where);
    if (flags == nullptr || location == nullptr || location->type != cudaMemLocationTypeDevice ||
        !is_device(location->id))
        return fail(cudaErrorInvalidValue);
    *flags = devices::has(*found->access, location->id) ? cudaMemAccessFlagsProtReadWrite
                                                        : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t least_to_keep, Where where) {
    const ApiLock lock;
    Pool* found = find(pool);
    if (found == nullptr) return unknown_pool("cudaMemPoolTrimTo", where);
    found->trim(least_to_keep);
    return cudaSuccess;
}
