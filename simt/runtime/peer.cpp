// Several devices: which one a thread uses, who may reach whom, and copies from one to another.
#include <fmt/format.h>

#include <vector>

#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/runtime/copy.h"

namespace simt::runtime {

void choose_device(int device) {
    devices::choose(device);
    note_chosen_device(device);
}

void finish_devices(devices::Set set) {
    const ApiLock lock;
    for (int device = 0; device < devices::count(); ++device) {
        if (!devices::has(set, device)) continue;
        queue::run_all(device);
        queue::host_learns_all(device);
    }
}

cudaError_t in_order_of_both(cudaStream_t stream, queue::NewOperation operation) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    queue::Stream& own = *find_stream(stream);
    const auto mark = [&](queue::Stream& in, std::vector<queue::OperationPtr> after) {
        return queue::enqueue(in, {.kind = queue::Kind::wait,
                                   .where = operation.where,
                                   .name = operation.name,
                                   .after = std::move(after)});
    };
    // A default stream stands for all blocking streams of its device.
    std::vector<queue::Stream*> others;
    for (const int device : {operation.from_device, operation.to_device}) {
        queue::Stream& legacy = queue::legacy_stream(device);
        if (&legacy != &own) others.push_back(&legacy);
        queue::for_each_stream([&](const queue::Stream& s) {
            if (s.device == device && !s.is_blocking && &s != &own && s.last != nullptr)
                others.push_back(&queue::stream_at(s.index));
        });
    }
    for (queue::Stream* other : others) {
        const queue::OperationPtr before = other->is_legacy ? mark(*other, {}) : other->last;
        mark(own, {before});
    }
    const queue::OperationPtr copy = queue::enqueue(own, operation);
    for (queue::Stream* other : others) mark(*other, {copy});
    return cudaSuccess;
}

// Unified addressing knows the devices from the pointers.
cudaError_t check_named_device(const char* call, const void* pointer, int device, const char* side,
                               Where where) {
    if (const cudaError_t error = check_device(call, device, where); error != cudaSuccess) return error;
    const Allocation* a = memory::find(pointer);
    const bool is_its_own =
        a == nullptr || a->space == BufferSpace::managed || a->space == BufferSpace::pinned;
    if (is_its_own || a->device == device) return cudaSuccess;
    report_finding(
        {.kind = "wrong-device",
         .advice = true,
         .message = fmt::format("{} at line {} says that its {} is on device {}, but {} is on device {}",
                                call, where.line, side, device, a->name, a->device),
         .fix = fmt::format("Pass {} as the device of {}.", a->device, a->name),
         .where = where,
         .buffer = a->name,
         .has_other = a->allocated.line != 0,
         .other_action = "allocated",
         .other = a->allocated});
    return cudaSuccess;
}

namespace {

struct PeerCopy {
    const char* call;
    void* to;
    int to_device;
    const void* from;
    int from_device;
    size_t bytes;
};

cudaError_t copy_peer(const PeerCopy& c, cudaStream_t stream, bool is_async, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = check_named_device(c.call, c.to, c.to_device, "destination", where);
        error != cudaSuccess)
        return error;
    if (const cudaError_t error = check_named_device(c.call, c.from, c.from_device, "source", where);
        error != cudaSuccess)
        return error;
    constexpr auto kind = cudaMemcpyDeviceToDevice;
    return queue_copy({c.call, kind, where}, c.to, c.from, c.bytes, kind, false, stream, is_async);
}

}  // namespace
}  // namespace simt::runtime

using simt::ApiLock;
using simt::Where;
using namespace simt::runtime;
namespace devices = simt::devices;

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes,
                           Where where) {
    return copy_peer({"cudaMemcpyPeer", to, to_device, from, from_device, bytes}, nullptr, false, where);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream, Where where) {
    return copy_peer({"cudaMemcpyPeerAsync", to, to_device, from, from_device, bytes}, stream, true, where);
}

// All simulated devices reach each other. A device is no peer of itself.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer, Where where) {
    if (can == nullptr) return fail(cudaErrorInvalidValue);
    for (const int d : {device, peer})
        if (const cudaError_t error = check_device("cudaDeviceCanAccessPeer", d, where); error != cudaSuccess)
            return error;
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer,
                                      Where where) {
    if (value == nullptr) return fail(cudaErrorInvalidValue);
    for (const int d : {device, peer})
        if (const cudaError_t error = check_device("cudaDeviceGetP2PAttribute", d, where);
            error != cudaSuccess)
            return error;
    if (device == peer) return fail(cudaErrorInvalidDevice);
    switch (attribute) {
        case cudaDevP2PAttrPerformanceRank:
            *value = 0;
            return cudaSuccess;
        case cudaDevP2PAttrAccessSupported:
        case cudaDevP2PAttrNativeAtomicSupported:
        case cudaDevP2PAttrCudaArrayAccessSupported:
            *value = 1;
            return cudaSuccess;
        case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
            *value = 0;
            return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::work); error != cudaSuccess) return error;
    if (flags != 0) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = check_device("cudaDeviceEnablePeerAccess", peer, where);
        error != cudaSuccess)
        return error;
    const int device = current_device();
    if (peer == device)
        return fail(
            cudaErrorInvalidDevice,
            {.kind = "api-misuse",
             .advice = true,
             .message = fmt::format("cudaDeviceEnablePeerAccess at line {} names device {}, which is the "
                                    "current one: a device reaches "
                                    "its own memory anyway",
                                    where.line, peer),
             .fix =
                 "Call it for each other device, with the device that runs the kernels as the current one.",
             .where = where});
    if (devices::has(devices::reached_by(device), peer)) return fail(cudaErrorPeerAccessAlreadyEnabled);
    devices::enable_peer(device, peer);
    return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer, Where where) {
    const ApiLock lock;
    if (const cudaError_t error = enter(Call::cleanup); error != cudaSuccess) return error;
    if (const cudaError_t error = check_device("cudaDeviceDisablePeerAccess", peer, where);
        error != cudaSuccess)
        return error;
    const int device = current_device();
    if (peer == device || !devices::has(devices::reached_by(device), peer))
        return fail(cudaErrorPeerAccessNotEnabled);
    devices::disable_peer(device, peer);
    return cudaSuccess;
}
