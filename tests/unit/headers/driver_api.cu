// What the driver API returns: contexts, questions, memory. driver_api.txt is what an H200 printed.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace {

void show(const char* what, CUresult got) {
    const char* name = "?";
    cuGetErrorName(got, &name);
    std::printf("%s: %s\n", what, name);
}
#define SHOW(call) show(#call, call)

__global__ void twice(unsigned* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

}  // namespace

int main() {
    int count = 0, value = 0;
    CUdevice device = 0;
    CUcontext context = nullptr, other = nullptr;
    CUdeviceptr x = 0, y = 0;
    SHOW(cuDeviceGetCount(&count));
    SHOW(cuInit(1));
    SHOW(cuInit(0));
    SHOW(cuDeviceGetCount(&count));
    SHOW(cuDeviceGet(&device, 0));
    SHOW(cuDeviceGet(&device, 99));
    char name[64];
    SHOW(cuDeviceGetName(name, sizeof name, device));
    SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    std::printf("%d of %s\n", value, name);
    SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    std::printf("%d\n", value);
    SHOW(cuCtxGetCurrent(&other));
    std::printf("%d\n", other == nullptr);
    SHOW(cuMemAlloc(&x, 1024));
    SHOW(cuCtxSynchronize());
    SHOW(cuCtxGetDevice(&device));
    SHOW(cuDevicePrimaryCtxRetain(&context, 0));
    SHOW(cuMemAlloc(&x, 1024));
    SHOW(cuCtxSetCurrent(context));
    SHOW(cuCtxGetCurrent(&other));
    std::printf("%d\n", other == context);
    SHOW(cuCtxGetDevice(&device));
    SHOW(cuMemAlloc(&x, 0));
    constexpr int n = 256;
    SHOW(cuMemAlloc(&x, n * sizeof(unsigned)));
    SHOW(cuMemAlloc(&y, n * sizeof(unsigned)));
    SHOW(cuMemsetD32(x, 0x01020304, n));
    SHOW(cuMemsetD32(x + 2, 1, 1));
    twice<<<1, n>>>(reinterpret_cast<unsigned*>(x), n);
    SHOW(cuCtxSynchronize());
    SHOW(cuMemcpyDtoD(y, x, n * sizeof(unsigned)));
    std::vector<unsigned> host(n);
    SHOW(cuMemcpyDtoH(host.data(), y, n * sizeof(unsigned)));
    std::printf("%x %x\n", host[0], host[n - 1]);
    SHOW(cuMemsetD16(y, 0xabcd, 3));
    SHOW(cuMemsetD8(y + 6, 0x7f, 1));
    SHOW(cuMemcpyDtoH(host.data(), y, 8));
    std::printf("%x %x\n", host[0], host[1]);
    host[5] = 77;
    SHOW(cuMemcpyHtoD(x, host.data(), n * sizeof(unsigned)));
    CUstream stream;
    CUevent begin, end;
    SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    SHOW(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    SHOW(cuEventCreate(&end, CU_EVENT_DEFAULT));
    SHOW(cuEventRecord(begin, stream));
    unsigned* pinned;
    SHOW(cuMemHostAlloc(reinterpret_cast<void**>(&pinned), n * sizeof(unsigned), CU_MEMHOSTALLOC_PORTABLE));
    SHOW(cuMemcpyDtoHAsync(pinned, x, n * sizeof(unsigned), stream));
    SHOW(cuEventRecord(end, stream));
    SHOW(cuStreamWaitEvent(nullptr, end, 0));
    SHOW(cuStreamSynchronize(stream));
    SHOW(cuStreamQuery(stream));
    std::printf("%u\n", pinned[5]);
    float milliseconds = -1;
    SHOW(cuEventElapsedTime(&milliseconds, begin, end));
    std::printf("%d\n", milliseconds >= 0);
    SHOW(cuMemFreeHost(pinned));
    SHOW(cuEventDestroy(begin));
    SHOW(cuEventDestroy(end));
    SHOW(cuStreamDestroy(stream));
    SHOW(cuMemFree(x));
    SHOW(cuMemFree(y));
    SHOW(cuCtxPopCurrent(&other));
    SHOW(cuCtxPopCurrent(&other));
    SHOW(cuMemFree(0));
    SHOW(cuCtxPushCurrent(context));
    SHOW(cuMemFree(0));
    SHOW(cuCtxSetCurrent(nullptr));
    SHOW(cuDevicePrimaryCtxRelease(0));
    const char* text = nullptr;
    SHOW(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    std::printf("%s\n", text);
    SHOW(cuGetErrorName(static_cast<CUresult>(12345), &text));
}
