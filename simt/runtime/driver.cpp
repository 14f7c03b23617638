// The driver API on top of the runtime's functions. Their errors have the same numbers.
#include "simt/include/cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "simt/machine/device_symbols.h"
#include "simt/machine/devices.h"
#include "simt/runtime/copy.h"

namespace simt::runtime {
namespace {

bool initialised = false;
unsigned retained[devices::most] = {};  // by device: cuDevicePrimaryCtxRetain, less the releases
bool chosen[devices::most] = {};        // by device: the runtime has used its primary context

// The contexts of a device share all that they have here; only their handles differ.
struct Context {
    int device = 0;
    bool live = true;
};
std::vector<std::unique_ptr<Context>>& contexts() {
    static auto& all = *new std::vector<std::unique_ptr<Context>>;
    return all;
}

// A thread's contexts, and the device that it used before each was pushed.
struct Pushed {
    CUcontext context;
    int device_before;
};
thread_local std::vector<Pushed> current;

CUcontext primary_context(int device) {
    static auto* const primary = [] {
        auto* all = new Context[devices::most];
        for (int d = 0; d < devices::most; ++d) all[d].device = d;
        return all;
    }();
    return reinterpret_cast<CUcontext>(primary + device);
}

CUcontext make_context(int device) {
    contexts().push_back(std::make_unique<Context>(Context{device}));
    return reinterpret_cast<CUcontext>(contexts().back().get());
}

bool is_primary(CUcontext context) {
    return context >= primary_context(0) && context <= primary_context(devices::most - 1);
}

int device_of(CUcontext context) {
    return reinterpret_cast<const Context*>(context)->device;
}

void push(CUcontext context) {
    current.push_back({context, devices::current()});
    devices::choose(device_of(context));
}

void pop() {
    devices::choose(current.back().device_before);
    current.pop_back();
}

bool is_context(CUcontext context) {
    if (is_primary(context)) return retained[device_of(context)] != 0 || chosen[device_of(context)];
    return std::any_of(contexts().begin(), contexts().end(), [&](const auto& c) {
        return reinterpret_cast<CUcontext>(c.get()) == context && c->live;
    });
}

CUresult of(cudaError_t error) {
    return static_cast<CUresult>(error);
}

CUresult refuse(CUresult code, const char* call, Where where, const std::string& what,
                const std::string& fix) {
    report_finding({.kind = "api-misuse",
                    .message = fmt::format("{} at line {} {}", call, where.line, what),
                    .fix = fix,
                    .where = where});
    return code;
}

CUresult needs_init(const char* call, Where where) {
    if (initialised) return CUDA_SUCCESS;
    return refuse(CUDA_ERROR_NOT_INITIALIZED, call, where, "is called before cuInit",
                  "Call cuInit(0) first.");
}

CUresult needs_context(const char* call, Where where) {
    if (const CUresult error = needs_init(call, where); error != CUDA_SUCCESS) return error;
    if (!current.empty() && is_context(current.back().context)) return CUDA_SUCCESS;
    return refuse(
        CUDA_ERROR_INVALID_CONTEXT, call, where, "needs a context, and this thread has none",
        "Call cuDevicePrimaryCtxRetain and cuCtxSetCurrent, or cuCtxCreate, in the thread that uses it.");
}

CUresult check_ordinal(const char* call, CUdevice device, Where where) {
    if (const CUresult error = needs_init(call, where); error != CUDA_SUCCESS) return error;
    int count = 0;
    cudaGetDeviceCount(&count);
    if (device >= 0 && device < count) return CUDA_SUCCESS;
    return refuse(CUDA_ERROR_INVALID_DEVICE, call, where, fmt::format("names device {} of {}", device, count),
                  "Devices count from 0; cuDeviceGetCount says how many there are.");
}

CUresult out_of_reach(const char* call, Where where) {
    return refuse(CUDA_ERROR_NOT_SUPPORTED, call, where,
                  "wants machine code of a GPU (PTX, cubin or fatbin), which the CPU machine cannot run",
                  "Keep the kernel in the source and launch it with kernel<<<grid, block>>>(arguments): both "
                  "APIs share "
                  "the device's memory.");
}

void* pointer(CUdeviceptr address) {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}

CUresult give(CUdeviceptr* to, void* made, cudaError_t error) {
    if (error == cudaSuccess) *to = reinterpret_cast<uintptr_t>(made);
    return of(error);
}

struct Copied {
    const char* call;
    cudaMemcpyKind kind;
    CUstream stream = nullptr;
    bool is_async = false;
};

CUresult copy(const Copied& c, void* to, const void* from, size_t bytes, Where where) {
    if (const CUresult error = needs_context(c.call, where); error != CUDA_SUCCESS) return error;
    return of(queue_copy({c.call, c.kind, where}, to, from, bytes, c.kind, false,
                         reinterpret_cast<cudaStream_t>(c.stream), c.is_async));
}

// `count` elements of one, two or four bytes.
template <class T>
CUresult fill(const char* call, CUdeviceptr to, T value, size_t count, CUstream stream, Where where) {
    if (const CUresult error = needs_context(call, where); error != CUDA_SUCCESS) return error;
    if (to % sizeof(T) != 0)
        return refuse(
            CUDA_ERROR_INVALID_VALUE, call, where,
            fmt::format("sets elements of {} bytes at an address that is no multiple of it", sizeof(T)),
            "Align the pointer to the element.");
    const ApiLock lock;
    const size_t bytes = count * sizeof(T);
    char* start = static_cast<char*>(pointer(to));
    if (bytes == 0) return CUDA_SUCCESS;
    Place at{call, cudaMemcpyDefault, where};
    at.sets = true;
    if (memory::find(start) == nullptr && !memory::is_device_address(start))
        return refuse(CUDA_ERROR_INVALID_VALUE, call, where, "got host memory; it sets device memory",
                      "Use memset for host memory.");
    if (const cudaError_t error = check_range(at, start, bytes, true, false); error != cudaSuccess)
        return of(error);
    const auto run = [=] {
        device_symbols::before_copy(start, true);
        place_managed(at, start, bytes);
        char* view = memory::host_view(start);
        for (size_t i = 0; i < count; ++i) std::memcpy(view + i * sizeof(T), &value, sizeof(T));
        memory::mark_initialised(start, bytes);
    };
    return of(in_stream(reinterpret_cast<cudaStream_t>(stream),
                        {.kind = queue::Kind::set,
                         .where = where,
                         .name = call,
                         .spans = spans_of(start, bytes, bytes, 1, true),
                         .bytes = bytes,
                         .run = run},
                        false));
}

// Of several devices' primary contexts; -1: it is none that there is.
int device_of_context(CUcontext context) {
    return is_context(context) ? device_of(context) : -1;
}

cudaStream_t runtime_stream(CUstream stream) {
    return reinterpret_cast<cudaStream_t>(stream);
}
cudaEvent_t runtime_event(CUevent event) {
    return reinterpret_cast<cudaEvent_t>(event);
}

}  // namespace

void note_chosen_device(int device) {
    if (!devices::several) return;
    const ApiLock lock;
    chosen[device] = true;
    if (!current.empty()) current.back().context = primary_context(device);
}

}  // namespace simt::runtime

using simt::ApiLock;
using simt::Where;
using namespace simt::runtime;

#define NEEDS_CONTEXT(call) \
    if (const CUresult error = needs_context(call, where); error != CUDA_SUCCESS) return error
#define NEEDS_PLACE(call, argument)                                                                        \
    if ((argument) == nullptr)                                                                             \
    return refuse(CUDA_ERROR_INVALID_VALUE, call, where, "got a null pointer as the place for its answer", \
                  "Pass the address of a variable.")

CUresult cuInit(unsigned flags, Where) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    initialised = true;
    return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
    return of(cudaDriverGetVersion(version));
}
// The driver's names of the same numbers.
CUresult cuGetErrorName(CUresult error, const char** name) {
    static constexpr std::pair<CUresult, const char*> names[] = {
#define SIMT_NAME(code) {code, #code}
        SIMT_NAME(CUDA_SUCCESS),
        SIMT_NAME(CUDA_ERROR_INVALID_VALUE),
        SIMT_NAME(CUDA_ERROR_OUT_OF_MEMORY),
        SIMT_NAME(CUDA_ERROR_NOT_INITIALIZED),
        SIMT_NAME(CUDA_ERROR_DEINITIALIZED),
        SIMT_NAME(CUDA_ERROR_NO_DEVICE),
        SIMT_NAME(CUDA_ERROR_INVALID_DEVICE),
        SIMT_NAME(CUDA_ERROR_INVALID_IMAGE),
        SIMT_NAME(CUDA_ERROR_INVALID_CONTEXT),
        SIMT_NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
        SIMT_NAME(CUDA_ERROR_INVALID_SOURCE),
        SIMT_NAME(CUDA_ERROR_FILE_NOT_FOUND),
        SIMT_NAME(CUDA_ERROR_INVALID_HANDLE),
        SIMT_NAME(CUDA_ERROR_NOT_FOUND),
        SIMT_NAME(CUDA_ERROR_NOT_READY),
        SIMT_NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
        SIMT_NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
        SIMT_NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
        SIMT_NAME(CUDA_ERROR_ASSERT),
        SIMT_NAME(CUDA_ERROR_HARDWARE_STACK_ERROR),
        SIMT_NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
        SIMT_NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
        SIMT_NAME(CUDA_ERROR_LAUNCH_FAILED),
        SIMT_NAME(CUDA_ERROR_NOT_PERMITTED),
        SIMT_NAME(CUDA_ERROR_NOT_SUPPORTED),
        SIMT_NAME(CUDA_ERROR_UNKNOWN),
#undef SIMT_NAME
    };
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *name = nullptr;
    for (const auto& [code, text] : names)
        if (code == error) *name = text;
    return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
    const char* name = nullptr;
    if (text == nullptr || cuGetErrorName(error, &name) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count, Where where) {
    if (const CUresult error = needs_init("cuDeviceGetCount", where); error != CUDA_SUCCESS) return error;
    NEEDS_PLACE("cuDeviceGetCount", count);
    return of(cudaGetDeviceCount(count));
}
CUresult cuDeviceGet(CUdevice* device, int ordinal, Where where) {
    if (const CUresult error = check_ordinal("cuDeviceGet", ordinal, where); error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuDeviceGet", device);
    *device = ordinal;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDeviceGetName", device, where); error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuDeviceGetName", name);
    if (length <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<size_t>(length), "%s", simt::device_profile().name.c_str());
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDeviceTotalMem", device, where); error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuDeviceTotalMem", bytes);
    *bytes = simt::device_profile().global_bytes;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDeviceGetAttribute", device, where); error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuDeviceGetAttribute", value);
    return of(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device, where));
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDeviceGetPCIBusId", device, where); error != CUDA_SUCCESS)
        return error;
    return of(cudaDeviceGetPCIBusId(text, length, device, where));
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDeviceGetUuid", device, where); error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuDeviceGetUuid", uuid);
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device, where);
    static_assert(sizeof uuid->bytes == sizeof properties.uuid.bytes);
    std::memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
    return of(error);
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer, Where where) {
    for (const CUdevice d : {device, peer})
        if (const CUresult error = check_ordinal("cuDeviceCanAccessPeer", d, where); error != CUDA_SUCCESS)
            return error;
    return of(cudaDeviceCanAccessPeer(can, device, peer, where));
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags, Where where) {
    NEEDS_CONTEXT("cuCtxEnablePeerAccess");
    const int device = device_of_context(peer);
    if (device < 0) return CUDA_ERROR_INVALID_CONTEXT;
    return of(cudaDeviceEnablePeerAccess(device, flags, where));
}
CUresult cuCtxDisablePeerAccess(CUcontext peer, Where where) {
    NEEDS_CONTEXT("cuCtxDisablePeerAccess");
    const int device = device_of_context(peer);
    if (device < 0) return CUDA_ERROR_INVALID_CONTEXT;
    return of(cudaDeviceDisablePeerAccess(device, where));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDevicePrimaryCtxRetain", device, where);
        error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuDevicePrimaryCtxRetain", context);
    const ApiLock lock;
    ++retained[device];
    *context = primary_context(device);
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuDevicePrimaryCtxRelease", device, where);
        error != CUDA_SUCCESS)
        return error;
    const ApiLock lock;
    if (retained[device] == 0) return CUDA_ERROR_INVALID_CONTEXT;
    --retained[device];
    return CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device, Where where) {
    return cuCtxCreate(context, flags, device, where);
}
CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device, Where where) {
    if (const CUresult error = check_ordinal("cuCtxCreate", device, where); error != CUDA_SUCCESS)
        return error;
    NEEDS_PLACE("cuCtxCreate", context);
    const ApiLock lock;
    *context = make_context(device);
    push(*context);
    return CUDA_SUCCESS;
}
CUresult cuCtxDestroy(CUcontext context, Where where) {
    if (const CUresult error = needs_init("cuCtxDestroy", where); error != CUDA_SUCCESS) return error;
    const ApiLock lock;
    if (is_primary(context) || !is_context(context))
        return refuse(CUDA_ERROR_INVALID_CONTEXT, "cuCtxDestroy", where, "got no context of cuCtxCreate",
                      "Destroy each context once; release the primary one with cuDevicePrimaryCtxRelease.");
    finish_devices(simt::devices::only(device_of(context)));
    reinterpret_cast<Context*>(context)->live = false;
    if (!current.empty() && current.back().context == context) pop();
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context, Where where) {
    if (const CUresult error = needs_init("cuCtxSetCurrent", where); error != CUDA_SUCCESS) return error;
    const ApiLock lock;
    if (context != nullptr && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty()) pop();
    if (context != nullptr) push(context);
    return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context, Where where) {
    if (const CUresult error = needs_init("cuCtxGetCurrent", where); error != CUDA_SUCCESS) return error;
    NEEDS_PLACE("cuCtxGetCurrent", context);
    *context = current.empty() ? nullptr : current.back().context;
    return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context, Where where) {
    if (const CUresult error = needs_init("cuCtxPushCurrent", where); error != CUDA_SUCCESS) return error;
    const ApiLock lock;
    if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    push(context);
    return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context, Where where) {
    NEEDS_CONTEXT("cuCtxPopCurrent");
    if (context != nullptr) *context = current.back().context;
    pop();
    return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device, Where where) {
    NEEDS_CONTEXT("cuCtxGetDevice");
    NEEDS_PLACE("cuCtxGetDevice", device);
    *device = current_device();
    return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(Where where) {
    NEEDS_CONTEXT("cuCtxSynchronize");
    return of(wait_for_device(where, "cuCtxSynchronize"));
}

CUresult cuMemGetInfo(size_t* free, size_t* total, Where where) {
    NEEDS_CONTEXT("cuMemGetInfo");
    return of(cudaMemGetInfo(free, total, where));
}
CUresult cuMemAlloc(CUdeviceptr* to, size_t bytes, Where where) {
    NEEDS_CONTEXT("cuMemAlloc");
    NEEDS_PLACE("cuMemAlloc", to);
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    void* made = nullptr;
    const cudaError_t error = simt::cuda::allocate(&made, bytes, 1, where);
    return give(to, made, error);
}
CUresult cuMemAllocPitch(CUdeviceptr* to, size_t* pitch, size_t width, size_t height, unsigned element_bytes,
                         Where where) {
    NEEDS_CONTEXT("cuMemAllocPitch");
    NEEDS_PLACE("cuMemAllocPitch", to);
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return CUDA_ERROR_INVALID_VALUE;
    void* made = nullptr;
    const cudaError_t error = simt::cuda::allocate_pitched(&made, pitch, width, height, element_bytes, where);
    return give(to, made, error);
}
CUresult cuMemAllocManaged(CUdeviceptr* to, size_t bytes, unsigned flags, Where where) {
    NEEDS_CONTEXT("cuMemAllocManaged");
    NEEDS_PLACE("cuMemAllocManaged", to);
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    void* made = nullptr;
    const cudaError_t error = simt::cuda::allocate_managed(&made, bytes, flags, 1, where);
    return give(to, made, error);
}
CUresult cuMemFree(CUdeviceptr address, Where where) {
    if (address == 0) return needs_init("cuMemFree", where);  // nothing, with or without a context (H200)
    NEEDS_CONTEXT("cuMemFree");
    return of(simt::cuda::release(pointer(address), where));
}
CUresult cuMemAllocHost(void** to, size_t bytes, Where where) {
    return cuMemHostAlloc(to, bytes, 0, where);
}
CUresult cuMemHostAlloc(void** to, size_t bytes, unsigned flags, Where where) {
    NEEDS_CONTEXT("cuMemHostAlloc");
    NEEDS_PLACE("cuMemHostAlloc", to);
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return of(simt::cuda::allocate_pinned(to, bytes, flags, 1, where));
}
CUresult cuMemFreeHost(void* memory, Where where) {
    NEEDS_CONTEXT("cuMemFreeHost");
    return of(simt::cuda::release_pinned(memory, where));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes, Where where) {
    return copy({"cuMemcpy", cudaMemcpyDefault}, pointer(to), pointer(from), bytes, where);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      size_t bytes, Where where) {
    NEEDS_CONTEXT("cuMemcpyPeer");
    const int to_device = device_of_context(to_context), from_device = device_of_context(from_context);
    if (to_device < 0 || from_device < 0) return CUDA_ERROR_INVALID_CONTEXT;
    return of(cudaMemcpyPeer(pointer(to), to_device, pointer(from), from_device, bytes, where));
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream, Where where) {
    NEEDS_CONTEXT("cuMemcpyPeerAsync");
    const int to_device = device_of_context(to_context), from_device = device_of_context(from_context);
    if (to_device < 0 || from_device < 0) return CUDA_ERROR_INVALID_CONTEXT;
    return of(cudaMemcpyPeerAsync(pointer(to), to_device, pointer(from), from_device, bytes,
                                  runtime_stream(stream), where));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes, Where where) {
    return copy({"cuMemcpyHtoD", cudaMemcpyHostToDevice}, pointer(to), from, bytes, where);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes, Where where) {
    return copy({"cuMemcpyDtoH", cudaMemcpyDeviceToHost}, to, pointer(from), bytes, where);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes, Where where) {
    return copy({"cuMemcpyDtoD", cudaMemcpyDeviceToDevice}, pointer(to), pointer(from), bytes, where);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, Where where) {
    return copy({"cuMemcpyAsync", cudaMemcpyDefault, stream, true}, pointer(to), pointer(from), bytes, where);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream, Where where) {
    return copy({"cuMemcpyHtoDAsync", cudaMemcpyHostToDevice, stream, true}, pointer(to), from, bytes, where);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream, Where where) {
    return copy({"cuMemcpyDtoHAsync", cudaMemcpyDeviceToHost, stream, true}, to, pointer(from), bytes, where);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, Where where) {
    return copy({"cuMemcpyDtoDAsync", cudaMemcpyDeviceToDevice, stream, true}, pointer(to), pointer(from),
                bytes, where);
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count, Where where) {
    return fill("cuMemsetD8", to, value, count, nullptr, where);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count, Where where) {
    return fill("cuMemsetD16", to, value, count, nullptr, where);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count, Where where) {
    return fill("cuMemsetD32", to, value, count, nullptr, where);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream, Where where) {
    return fill("cuMemsetD8Async", to, value, count, stream, where);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream, Where where) {
    return fill("cuMemsetD16Async", to, value, count, stream, where);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream, Where where) {
    return fill("cuMemsetD32Async", to, value, count, stream, where);
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags, Where where) {
    NEEDS_CONTEXT("cuStreamCreate");
    return of(cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), flags, where));
}
CUresult cuStreamDestroy(CUstream stream, Where where) {
    NEEDS_CONTEXT("cuStreamDestroy");
    return of(simt::cuda::destroy_stream(runtime_stream(stream), where));
}
CUresult cuStreamSynchronize(CUstream stream, Where where) {
    NEEDS_CONTEXT("cuStreamSynchronize");
    return of(cudaStreamSynchronize(runtime_stream(stream), where));
}
CUresult cuStreamQuery(CUstream stream, Where where) {
    NEEDS_CONTEXT("cuStreamQuery");
    return of(cudaStreamQuery(runtime_stream(stream), where));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags, Where where) {
    NEEDS_CONTEXT("cuStreamWaitEvent");
    return of(cudaStreamWaitEvent(runtime_stream(stream), runtime_event(event), flags, where));
}
CUresult cuEventCreate(CUevent* event, unsigned flags, Where where) {
    NEEDS_CONTEXT("cuEventCreate");
    return of(cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event), flags, where));
}
CUresult cuEventDestroy(CUevent event, Where where) {
    NEEDS_CONTEXT("cuEventDestroy");
    return of(simt::cuda::destroy_event(runtime_event(event), where));
}
CUresult cuEventRecord(CUevent event, CUstream stream, Where where) {
    NEEDS_CONTEXT("cuEventRecord");
    return of(cudaEventRecord(runtime_event(event), runtime_stream(stream), where));
}
CUresult cuEventSynchronize(CUevent event, Where where) {
    NEEDS_CONTEXT("cuEventSynchronize");
    return of(cudaEventSynchronize(runtime_event(event), where));
}
CUresult cuEventQuery(CUevent event, Where where) {
    NEEDS_CONTEXT("cuEventQuery");
    return of(cudaEventQuery(runtime_event(event), where));
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end, Where where) {
    NEEDS_CONTEXT("cuEventElapsedTime");
    return of(cudaEventElapsedTime(milliseconds, runtime_event(start), runtime_event(end), where));
}

CUresult cuModuleLoad(CUmodule*, const char*, Where where) {
    return out_of_reach("cuModuleLoad", where);
}
CUresult cuModuleLoadData(CUmodule*, const void*, Where where) {
    return out_of_reach("cuModuleLoadData", where);
}
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*, Where where) {
    return out_of_reach("cuModuleGetFunction", where);
}
CUresult cuModuleUnload(CUmodule, Where where) {
    return out_of_reach("cuModuleUnload", where);
}
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        CUstream, void**, void**, Where where) {
    return out_of_reach("cuLaunchKernel", where);
}
