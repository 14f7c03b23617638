// What the simulated devices say of themselves: all are alike, with the numbers of a profile.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <map>

#include "simt/machine/device_symbols.h"
#include "simt/machine/devices.h"
#include "simt/runtime/work.h"

namespace simt::runtime {

cudaError_t check_device(const char* call, int device, Where where) {
    const int count = devices::count();
    if (device >= 0 && device < count) return cudaSuccess;
    const std::string there = count == 1
                                  ? "the CPU machine has one, device 0"
                                  : fmt::format("the CPU machine has {}, devices 0 to {}", count, count - 1);
    return fail(
        cudaErrorInvalidDevice,
        {.kind = "api-misuse",
         .advice = true,
         .message = fmt::format("{} at line {} asks for device {}; {}", call, where.line, device, there),
         .fix = "Ask cudaGetDeviceCount first; `cudalab run --devices N` simulates up to 16 of them.",
         .where = where});
}

namespace {

int as_int(size_t value) {
    return static_cast<int>(value);
}

// What an H200 answered (driver 580, CUDA 13.0) where the answer is not in the profile. Interprocess
// handles, cubemaps, mipmaps, graphics and clusters are not simulated yet: 0.
const std::map<int, int>& common_attributes() {
    static const auto& values = *new std::map<int, int>{
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrMaxPitch, 2147483647},
        {cudaDevAttrTextureAlignment, 512},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrSurfaceAlignment, 512},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrAsyncEngineCount, 3},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrTexturePitchAlignment, 32},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrGlobalL1CacheSupported, 1},
        {cudaDevAttrLocalL1CacheSupported, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrComputePreemptionSupported, 1},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    };
    return values;
}

// CUDA programming guide, "Technical Specifications per Compute Capability": 9.0.
const std::map<int, int>& texture_attributes() {
    static const auto& values = *new std::map<int, int>{
        {cudaDevAttrMaxTexture1DWidth, 131072},        {cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
        {cudaDevAttrMaxTexture1DLayeredWidth, 32768},  {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
        {cudaDevAttrMaxTexture2DWidth, 131072},        {cudaDevAttrMaxTexture2DHeight, 65536},
        {cudaDevAttrMaxTexture2DLinearWidth, 131072},  {cudaDevAttrMaxTexture2DLinearHeight, 65000},
        {cudaDevAttrMaxTexture2DLinearPitch, 2097120}, {cudaDevAttrMaxTexture2DGatherWidth, 32768},
        {cudaDevAttrMaxTexture2DGatherHeight, 32768},  {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
        {cudaDevAttrMaxTexture2DLayeredHeight, 32768}, {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
        {cudaDevAttrMaxTexture3DWidth, 16384},         {cudaDevAttrMaxTexture3DHeight, 16384},
        {cudaDevAttrMaxTexture3DDepth, 16384},
    };
    return values;
}

const std::map<int, int>& profile_attributes() {
    static const auto& values = *new std::map<int, int>([] {
        const DeviceProfile& p = device_profile();
        return std::map<int, int>{
            {cudaDevAttrMaxThreadsPerBlock, p.threads_per_block},
            {cudaDevAttrMaxBlockDimX, as_int(p.max_block.x)},
            {cudaDevAttrMaxBlockDimY, as_int(p.max_block.y)},
            {cudaDevAttrMaxBlockDimZ, as_int(p.max_block.z)},
            {cudaDevAttrMaxGridDimX, as_int(p.max_grid.x)},
            {cudaDevAttrMaxGridDimY, as_int(p.max_grid.y)},
            {cudaDevAttrMaxGridDimZ, as_int(p.max_grid.z)},
            {cudaDevAttrMaxSharedMemoryPerBlock, as_int(p.shared_per_block)},
            {cudaDevAttrTotalConstantMemory, as_int(p.constant_bytes)},
            {cudaDevAttrMaxRegistersPerBlock, p.registers_per_block},
            {cudaDevAttrClockRate, p.clock_khz},
            {cudaDevAttrMultiProcessorCount, p.sm_count},
            {cudaDevAttrMemoryClockRate, p.memory_clock_khz},
            {cudaDevAttrGlobalMemoryBusWidth, p.memory_bus_bits},
            {cudaDevAttrL2CacheSize, as_int(p.l2_bytes)},
            {cudaDevAttrMaxThreadsPerMultiProcessor, p.threads_per_sm},
            {cudaDevAttrComputeCapabilityMajor, p.major},
            {cudaDevAttrComputeCapabilityMinor, p.minor},
            {cudaDevAttrMaxSharedMemoryPerMultiprocessor, as_int(p.shared_per_sm)},
            {cudaDevAttrMaxRegistersPerMultiprocessor, p.registers_per_sm},
            {cudaDevAttrMaxSharedMemoryPerBlockOptin, as_int(p.shared_per_block_optin)},
            {cudaDevAttrMaxBlocksPerMultiprocessor, p.blocks_per_sm},
            {cudaDevAttrReservedSharedMemoryPerBlock, as_int(p.reserved_shared_per_block)},
        };
    }());
    return values;
}

// What a program set for one device.
struct Settings {
    // What an H200 answered.
    std::map<cudaLimit, size_t> limits{
        {cudaLimitStackSize, 1024}, {cudaLimitPrintfFifoSize, 8650752}, {cudaLimitMallocHeapSize, 8388608}};
    unsigned flags = cudaDeviceScheduleAuto;
    cudaFuncCache cache_config = cudaFuncCachePreferNone;
};

Settings& settings() {
    static auto& all = *new std::array<Settings, devices::most>;
    return all[static_cast<size_t>(current_device())];
}

// Of several devices: how the bus counts them, by bus numbers.
struct BusPlace {
    unsigned domain = 0, bus = 0, slot = 0;
};
BusPlace bus_place(int device) {
    return {0, static_cast<unsigned>(device), 0};
}

std::map<int, int> attributes_of_one(int device) {
    return {{cudaDevAttrPciBusId, as_int(bus_place(device).bus)}, {cudaDevAttrMultiGpuBoardGroupID, device}};
}

void fill_textures(cudaDeviceProp& out) {
    const auto set = [](auto& numbers, std::initializer_list<cudaDeviceAttr> attributes) {
        int* next = numbers;
        for (const cudaDeviceAttr attribute : attributes) *next++ = texture_attributes().at(attribute);
    };
    out.maxTexture1D = texture_attributes().at(cudaDevAttrMaxTexture1DWidth);
    set(out.maxTexture1DLayered, {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
    set(out.maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
    set(out.maxTexture2DLinear, {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight,
                                 cudaDevAttrMaxTexture2DLinearPitch});
    set(out.maxTexture2DGather, {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
    set(out.maxTexture2DLayered, {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
                                  cudaDevAttrMaxTexture2DLayeredLayers});
    set(out.maxTexture3D,
        {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
}

void fill(cudaDeviceProp& out, int device) {
    const DeviceProfile& p = device_profile();
    out = {};
    std::snprintf(out.name, sizeof out.name, "%s", p.name.c_str());
    out.totalGlobalMem = p.global_bytes;
    out.sharedMemPerBlock = p.shared_per_block;
    out.regsPerBlock = p.registers_per_block;
    out.warpSize = 32;
    out.memPitch = 2147483647;
    out.maxThreadsPerBlock = p.threads_per_block;
    const int block[] = {as_int(p.max_block.x), as_int(p.max_block.y), as_int(p.max_block.z)};
    const int grid[] = {as_int(p.max_grid.x), as_int(p.max_grid.y), as_int(p.max_grid.z)};
    std::memcpy(out.maxThreadsDim, block, sizeof block);
    std::memcpy(out.maxGridSize, grid, sizeof grid);
    out.totalConstMem = p.constant_bytes;
    out.major = p.major;
    out.minor = p.minor;
    out.textureAlignment = 512;
    out.texturePitchAlignment = 32;
    fill_textures(out);
    out.multiProcessorCount = p.sm_count;
    out.canMapHostMemory = 1;
    out.surfaceAlignment = 512;
    out.concurrentKernels = 1;
    out.cooperativeLaunch = 1;
    out.asyncEngineCount = 3;
    out.unifiedAddressing = 1;
    out.memoryBusWidth = p.memory_bus_bits;
    out.l2CacheSize = as_int(p.l2_bytes);
    out.maxThreadsPerMultiProcessor = p.threads_per_sm;
    out.streamPrioritiesSupported = 1;
    out.globalL1CacheSupported = out.localL1CacheSupported = 1;
    out.sharedMemPerMultiprocessor = p.shared_per_sm;
    out.regsPerMultiprocessor = p.registers_per_sm;
    out.managedMemory = 1;
    out.memoryPoolsSupported = 1;
    out.concurrentManagedAccess = 1;
    out.computePreemptionSupported = 1;
    out.sharedMemPerBlockOptin = p.shared_per_block_optin;
    out.maxBlocksPerMultiProcessor = p.blocks_per_sm;
    out.reservedSharedMemPerBlock = p.reserved_shared_per_block;
    out.hostNumaId = -1;
    out.pciBusID = as_int(bus_place(device).bus);
    out.multiGpuBoardGroupID = device;
    if (!devices::several) return;
    static constexpr char uuid[] = "cudalab: device";
    static_assert(sizeof uuid == sizeof out.uuid.bytes);
    std::memcpy(out.uuid.bytes, uuid, sizeof uuid - 1);
    out.uuid.bytes[sizeof uuid - 1] = static_cast<char>('0' + device);
}

}  // namespace

int current_device() {
    return devices::current();
}

}  // namespace simt::runtime

using simt::Where;
using namespace simt::runtime;
namespace devices = simt::devices;

cudaError_t cudaDeviceSynchronize(Where where) {
    return wait_for_device(where);
}

cudaError_t cudaDeviceReset(Where where) {
    // The broken context of a faulted kernel stays broken (on an H200 nothing worked after a reset either).
    wait_for_device(where, "cudaDeviceReset");
    if (!devices::several) return cudaSuccess;
    const simt::ApiLock lock;
    const int device = current_device();
    forget_device(device, where);
    settings() = {};
    simt::device_symbols::reset(device);
    for (int other = 0; other < devices::count(); ++other) {
        if (other == device) continue;
        devices::disable_peer(device, other);
        devices::disable_peer(other, device);
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count, Where) {
    if (count == nullptr) return fail(cudaErrorInvalidValue);
    *count = devices::count();
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device, Where where) {
    if (const cudaError_t error = check_device("cudaSetDevice", device, where); error != cudaSuccess)
        return error;
    choose_device(device);
    return cudaSuccess;
}
// The first of the list that there is: all are free.
cudaError_t cudaSetValidDevices(int* list, int length, Where where) {
    if (length < 0 || (list == nullptr && length != 0)) return fail(cudaErrorInvalidValue);
    for (int i = 0; i < length; ++i)
        if (const cudaError_t error = check_device("cudaSetValidDevices", list[i], where);
            error != cudaSuccess)
            return error;
    choose_device(length == 0 ? 0 : list[0]);
    return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned, Where where) {
    return check_device("cudaInitDevice", device, where);
}
cudaError_t cudaGetDevice(int* device, Where) {
    if (device == nullptr) return fail(cudaErrorInvalidValue);
    *device = current_device();
    return cudaSuccess;
}
// All are alike, so the first is as good as any.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties, Where) {
    if (device == nullptr || properties == nullptr) return fail(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags, Where) {
    if ((flags & ~static_cast<unsigned>(cudaDeviceMask)) != 0) return fail(cudaErrorInvalidValue);
    settings().flags = flags;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned* flags, Where) {
    if (flags == nullptr) return fail(cudaErrorInvalidValue);
    *flags = settings().flags;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config, Where) {
    if (config == nullptr) return fail(cudaErrorInvalidValue);
    *config = settings().cache_config;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config, Where) {
    settings().cache_config = config;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device, Where where) {
    if (properties == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = check_device("cudaGetDeviceProperties", device, where);
        error != cudaSuccess)
        return error;
    fill(*properties, device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device, Where where) {
    if (value == nullptr || attribute < 1 || attribute >= cudaDevAttrMax) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = check_device("cudaDeviceGetAttribute", device, where); error != cudaSuccess)
        return error;
    const std::map<int, int> own = attributes_of_one(device);
    for (const auto* table : {&profile_attributes(), &common_attributes(), &texture_attributes(), &own}) {
        const auto it = table->find(attribute);
        if (it == table->end()) continue;
        *value = it->second;
        return cudaSuccess;
    }
    *value = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit, Where) {
    if (value == nullptr) return fail(cudaErrorInvalidValue);
    const auto it = settings().limits.find(limit);
    if (it == settings().limits.end()) return fail(cudaErrorUnsupportedLimit);
    *value = it->second;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value, Where) {
    const auto it = settings().limits.find(limit);
    if (it == settings().limits.end()) return fail(cudaErrorUnsupportedLimit);
    it->second = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device, Where where) {
    if (text == nullptr || length < 13) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = check_device("cudaDeviceGetPCIBusId", device, where); error != cudaSuccess)
        return error;
    const BusPlace at = bus_place(device);
    std::snprintf(text, static_cast<size_t>(length), "%04x:%02x:%02x.0", at.domain, at.bus, at.slot);
    return cudaSuccess;
}
// "0000:01:00.0", "0000:01:00" or "01:00.0".
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text, Where) {
    if (device == nullptr || text == nullptr) return fail(cudaErrorInvalidValue);
    BusPlace asked;
    const bool whole = std::sscanf(text, "%x:%x:%x", &asked.domain, &asked.bus, &asked.slot) == 3;
    if (!whole && std::sscanf(text, "%x:%x", &asked.bus, &asked.slot) != 2)
        return fail(cudaErrorInvalidValue);
    if (!whole) asked.domain = 0;
    for (int d = 0; d < devices::count(); ++d) {
        const BusPlace at = bus_place(d);
        if (at.domain != asked.domain || at.bus != asked.bus || at.slot != asked.slot) continue;
        *device = d;
        return cudaSuccess;
    }
    return fail(cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int* version, Where) {
    if (version == nullptr) return fail(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version, Where) {
    if (version == nullptr) return fail(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}
