// The CUDA driver API, as far as the CPU machine has it: devices, contexts, memory, streams and events. The
// contexts of a device share all that they have, the runtime's too, so both APIs mix as on a GPU's primary context. Modules and
// cuLaunchKernel need machine code of a GPU, which a CPU has not: they return CUDA_ERROR_NOT_SUPPORTED and say so. The
// last argument is the caller's line, for messages: never pass it.
#pragma once

#include <cstddef>

#include "simt/abi.h"

#define CUDA_VERSION 13000
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#ifndef SIMT_LINE
#define SIMT_LINE ::simt::Where where = ::simt::Where::here()
#endif

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;

enum CUresult {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999,
};
enum CUdevice_attribute {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED = 78,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
};
enum CUctx_flags {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4
};
enum CUstream_flags { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum CUevent_flags { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };
enum CUmemAttach_flags { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2, CU_MEM_ATTACH_SINGLE = 4 };
struct CUctxCreateParams;
struct CUuuid {
    char bytes[16];
};

// ---- devices. Everything but cuInit, cuDriverGetVersion and the errors' names needs cuInit first ----
CUresult cuInit(unsigned flags, SIMT_LINE);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult error, const char** name);
CUresult cuGetErrorString(CUresult error, const char** text);
CUresult cuDeviceGetCount(int* count, SIMT_LINE);
CUresult cuDeviceGet(CUdevice* device, int ordinal, SIMT_LINE);
CUresult cuDeviceGetName(char* name, int length, CUdevice device, SIMT_LINE);
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device, SIMT_LINE);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device, SIMT_LINE);

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device, SIMT_LINE);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device, SIMT_LINE);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer, SIMT_LINE);

// ---- contexts ----
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags, SIMT_LINE);
CUresult cuCtxDisablePeerAccess(CUcontext peer, SIMT_LINE);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device, SIMT_LINE);
CUresult cuDevicePrimaryCtxRelease(CUdevice device, SIMT_LINE);
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device,
                     SIMT_LINE);                                                       // CUDA 13
CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device, SIMT_LINE);  // CUDA 12
CUresult cuCtxDestroy(CUcontext context, SIMT_LINE);
CUresult cuCtxSetCurrent(CUcontext context, SIMT_LINE);
CUresult cuCtxGetCurrent(CUcontext* context, SIMT_LINE);
CUresult cuCtxPushCurrent(CUcontext context, SIMT_LINE);
CUresult cuCtxPopCurrent(CUcontext* context, SIMT_LINE);
CUresult cuCtxGetDevice(CUdevice* device, SIMT_LINE);
CUresult cuCtxSynchronize(SIMT_LINE);

// ---- memory: needs a current context ----
CUresult cuMemGetInfo(size_t* free, size_t* total, SIMT_LINE);
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes, SIMT_LINE);
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned element_bytes, SIMT_LINE);
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags, SIMT_LINE);
CUresult cuMemFree(CUdeviceptr pointer, SIMT_LINE);
CUresult cuMemAllocHost(void** pointer, size_t bytes, SIMT_LINE);
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags, SIMT_LINE);
CUresult cuMemFreeHost(void* pointer, SIMT_LINE);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes, SIMT_LINE);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      size_t bytes, SIMT_LINE);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream, SIMT_LINE);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes, SIMT_LINE);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes, SIMT_LINE);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes, SIMT_LINE);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, SIMT_LINE);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream, SIMT_LINE);
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream, SIMT_LINE);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, SIMT_LINE);
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count, SIMT_LINE);
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count, SIMT_LINE);
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count, SIMT_LINE);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream, SIMT_LINE);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream, SIMT_LINE);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream, SIMT_LINE);

// ---- streams and events ----
CUresult cuStreamCreate(CUstream* stream, unsigned flags, SIMT_LINE);
CUresult cuStreamDestroy(CUstream stream, SIMT_LINE);
CUresult cuStreamSynchronize(CUstream stream, SIMT_LINE);
CUresult cuStreamQuery(CUstream stream, SIMT_LINE);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags, SIMT_LINE);
CUresult cuEventCreate(CUevent* event, unsigned flags, SIMT_LINE);
CUresult cuEventDestroy(CUevent event, SIMT_LINE);
CUresult cuEventRecord(CUevent event, CUstream stream, SIMT_LINE);
CUresult cuEventSynchronize(CUevent event, SIMT_LINE);
CUresult cuEventQuery(CUevent event, SIMT_LINE);
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end, SIMT_LINE);

// ---- out of reach ----
CUresult cuModuleLoad(CUmodule* module, const char* file, SIMT_LINE);
CUresult cuModuleLoadData(CUmodule* module, const void* image, SIMT_LINE);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name, SIMT_LINE);
CUresult cuModuleUnload(CUmodule module, SIMT_LINE);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void** extra, SIMT_LINE);
