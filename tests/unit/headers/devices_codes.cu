// What calls return with two devices: run it with two GPUs to see. Peer access must be possible between them. Each line is a call, its
// code, and the last error that it leaves.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <thread>

static void show(const char* what, cudaError_t code) {
    const cudaError_t last = cudaGetLastError();
    std::printf("%s: %d %s, last %d\n", what, int(code), cudaGetErrorName(code), int(last));
}
#define SHOW(...) show(#__VA_ARGS__, (__VA_ARGS__))
#define SHOW_VALUE(value) std::printf("    " #value ": %d\n", int(value))

constexpr int n = 256;
constexpr size_t bytes = n * sizeof(int);

__device__ int counter = 5;
__constant__ int step = 2;
__managed__ int everywhere = 1;

__global__ void number(int* x) {
    x[threadIdx.x] = int(threadIdx.x) + 1;
}
__global__ void count() {
    counter += step;
    everywhere += 1;
}
extern __shared__ int much[];
__global__ void uses_much(int* x) {
    much[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = much[threadIdx.x] + 1;
}

static void launch(const char* what, int* x, cudaStream_t stream, size_t shared = 0) {
    if (shared != 0)
        uses_much<<<1, n, shared, stream>>>(x);
    else
        number<<<1, n, 0, stream>>>(x);
    show(what, cudaPeekAtLastError());
}

static void devices() {
    std::printf("== devices\n");
    int device = -1, can = -1, value = -1;
    cudaDeviceProp p;
    SHOW(cudaGetDevice(&device));
    SHOW_VALUE(device);
    SHOW(cudaSetDevice(1));
    SHOW(cudaGetDevice(&device));
    SHOW_VALUE(device);
    std::thread([] {
        int its_own = -1;
        SHOW(cudaGetDevice(&its_own));
        SHOW_VALUE(its_own);
    }).join();
    SHOW(cudaSetDevice(100));
    SHOW(cudaSetDevice(-1));
    SHOW(cudaGetDevice(&device));
    SHOW_VALUE(device);
    SHOW(cudaGetDeviceProperties(&p, 1));
    SHOW(cudaGetDeviceProperties(&p, 100));
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 100));
    SHOW(cudaChooseDevice(&device, &p));
    SHOW(cudaDeviceCanAccessPeer(&can, 0, 1));
    SHOW_VALUE(can);
    SHOW(cudaDeviceCanAccessPeer(&can, 0, 0));
    SHOW_VALUE(can);
    SHOW(cudaDeviceCanAccessPeer(&can, 0, 100));
    SHOW(cudaDeviceCanAccessPeer(&can, 100, 0));
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    SHOW_VALUE(value);
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
    SHOW_VALUE(value);
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
    SHOW_VALUE(value);
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
    SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 100));
    char bus[2][32], text[8];
    SHOW(cudaDeviceGetPCIBusId(bus[0], sizeof bus[0], 0));
    SHOW(cudaDeviceGetPCIBusId(bus[1], sizeof bus[1], 1));
    SHOW_VALUE(std::strcmp(bus[0], bus[1]) != 0);
    SHOW(cudaDeviceGetPCIBusId(text, sizeof text, 0));
    SHOW(cudaDeviceGetPCIBusId(bus[0], sizeof bus[0], 100));
    SHOW(cudaDeviceGetByPCIBusId(&device, bus[1]));
    SHOW_VALUE(device);
    SHOW(cudaDeviceGetByPCIBusId(&device, "ffff:ff:ff.0"));
    SHOW(cudaDeviceGetByPCIBusId(&device, "nonsense"));
    SHOW(cudaSetDevice(0));
}

static void peers() {
    std::printf("== peers\n");
    SHOW(cudaDeviceDisablePeerAccess(1));
    SHOW(cudaDeviceEnablePeerAccess(0, 0));
    SHOW(cudaDeviceEnablePeerAccess(100, 0));
    SHOW(cudaDeviceEnablePeerAccess(1, 1));
    SHOW(cudaDeviceEnablePeerAccess(1, 0));
    SHOW(cudaDeviceEnablePeerAccess(1, 0));
    SHOW(cudaDeviceDisablePeerAccess(1));
    SHOW(cudaDeviceDisablePeerAccess(1));
    SHOW(cudaDeviceDisablePeerAccess(0));
    SHOW(cudaDeviceDisablePeerAccess(100));
}

static void streams_and_events() {
    std::printf("== streams and events\n");
    cudaStream_t first, second;
    cudaEvent_t of_first, of_second;
    int *d_first, *d_second, device = -1;
    float ms = 0;
    SHOW(cudaStreamCreate(&first));
    SHOW(cudaEventCreate(&of_first));
    SHOW(cudaMalloc(&d_first, bytes));
    SHOW(cudaSetDevice(1));
    SHOW(cudaStreamCreate(&second));
    SHOW(cudaEventCreate(&of_second));
    SHOW(cudaMalloc(&d_second, bytes));
    SHOW(cudaStreamGetDevice(first, &device));
    SHOW_VALUE(device);
    launch("a launch into a stream of another device", d_second, first);
    SHOW(cudaMemsetAsync(d_second, 0, bytes, first));
    SHOW(cudaMemcpyAsync(d_second, d_first, bytes, cudaMemcpyDefault, first));
    SHOW(cudaEventRecord(of_second, first));
    SHOW(cudaEventRecord(of_first, second));
    SHOW(cudaEventRecord(of_first, first));
    SHOW(cudaEventRecord(of_first, 0));
    SHOW(cudaEventRecord(of_second, second));
    SHOW(cudaStreamWaitEvent(second, of_first, 0));
    SHOW(cudaStreamWaitEvent(first, of_second, 0));
    SHOW(cudaLaunchHostFunc(first, [](void*) {}, nullptr));
    SHOW(cudaStreamSynchronize(first));
    SHOW(cudaStreamQuery(first));
    SHOW(cudaStreamSynchronize(second));
    SHOW(cudaEventSynchronize(of_first));
    SHOW(cudaEventQuery(of_first));
    SHOW(cudaEventElapsedTime(&ms, of_first, of_second));
    SHOW(cudaEventDestroy(of_first));
    SHOW(cudaStreamDestroy(first));
    SHOW(cudaFree(d_first));
    SHOW(cudaEventDestroy(of_second));
    SHOW(cudaStreamDestroy(second));
    SHOW(cudaFree(d_second));
    SHOW(cudaSetDevice(0));
}

static void memory() {
    std::printf("== memory\n");
    int *d0, *d1, *pinned, *managed, host[n];
    size_t free_bytes = 0, total = 0;
    cudaPointerAttributes a;
    SHOW(cudaMalloc(&d0, bytes));
    SHOW(cudaSetDevice(1));
    SHOW(cudaMalloc(&d1, bytes));
    SHOW(cudaMallocHost(&pinned, bytes));
    SHOW(cudaMallocManaged(&managed, bytes));
    SHOW(cudaMemGetInfo(&free_bytes, &total));
    SHOW(cudaSetDevice(0));
    SHOW(cudaPointerGetAttributes(&a, d0));
    SHOW_VALUE(a.device);
    SHOW(cudaPointerGetAttributes(&a, d1));
    SHOW_VALUE(a.device);
    SHOW(cudaPointerGetAttributes(&a, pinned));
    SHOW_VALUE(a.device);
    SHOW(cudaPointerGetAttributes(&a, managed));
    SHOW_VALUE(a.device);
    launch("a launch on device 0", d0, 0);
    SHOW(cudaMemcpy(d1, d0, bytes, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(d1, d0, bytes, cudaMemcpyDefault));
    SHOW(cudaMemcpy(host, d1, bytes, cudaMemcpyDeviceToHost));
    SHOW_VALUE(host[n - 1]);
    SHOW(cudaMemset(d1, 0, bytes));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemcpyPeer(d1, 1, d0, 0, bytes));
    SHOW(cudaMemcpyPeer(d1, 0, d0, 1, bytes));
    SHOW(cudaMemcpyPeer(d1, 1, d0, 1, bytes));
    SHOW(cudaMemcpyPeer(d1, 100, d0, 0, bytes));
    SHOW(cudaMemcpyPeer(d1, 1, d0, 100, bytes));
    SHOW(cudaMemcpyPeerAsync(d1, 1, d0, 0, bytes, 0));
    SHOW(cudaMemcpyPeer(d0, 0, d0, 0, bytes));
    cudaMemcpy3DPeerParms p = {};
    p.srcPtr = make_cudaPitchedPtr(d0, bytes, n, 1);
    p.srcDevice = 0;
    p.dstPtr = make_cudaPitchedPtr(d1, bytes, n, 1);
    p.dstDevice = 1;
    p.extent = make_cudaExtent(bytes, 1, 1);
    SHOW(cudaMemcpy3DPeer(&p));
    SHOW(cudaMemcpy3DPeerAsync(&p, 0));
    p.dstDevice = 100;
    SHOW(cudaMemcpy3DPeer(&p));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaFree(d1));
    SHOW(cudaFreeHost(pinned));
    SHOW(cudaFree(managed));
    SHOW(cudaFree(d0));
}

static void pools() {
    std::printf("== pools\n");
    cudaMemPool_t first, second;
    int* d;
    SHOW(cudaDeviceGetDefaultMemPool(&first, 0));
    SHOW(cudaDeviceGetDefaultMemPool(&second, 1));
    SHOW_VALUE(first != second);
    SHOW(cudaDeviceGetMemPool(&first, 100));
    SHOW(cudaDeviceSetMemPool(0, second));
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 1;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    SHOW(cudaMemPoolSetAccess(first, &access, 1));
    cudaMemAccessFlags flags;
    SHOW(cudaMemPoolGetAccess(&flags, first, &access.location));
    SHOW_VALUE(flags);
    access.flags = cudaMemAccessFlagsProtNone;
    SHOW(cudaMemPoolSetAccess(first, &access, 1));
    SHOW(cudaMemPoolGetAccess(&flags, first, &access.location));
    SHOW_VALUE(flags);
    SHOW(cudaMemPoolSetAccess(second, &access, 1));
    access.location.id = 100;
    SHOW(cudaMemPoolSetAccess(first, &access, 1));
    SHOW(cudaMallocFromPoolAsync(&d, bytes, second, 0));
    cudaPointerAttributes a;
    SHOW(cudaPointerGetAttributes(&a, d));
    SHOW_VALUE(a.device);
    SHOW(cudaFreeAsync(d, 0));
    SHOW(cudaDeviceSynchronize());
}

static void variables() {
    std::printf("== variables\n");
    int found = 0, nine = 9;
    void *first, *second;
    cudaPointerAttributes a;
    SHOW(cudaMemcpyToSymbol(counter, &nine, sizeof nine));
    count<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetSymbolAddress(&first, counter));
    SHOW(cudaSetDevice(1));
    SHOW(cudaMemcpyToSymbol(step, &nine, sizeof nine));
    count<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemcpyFromSymbol(&found, counter, sizeof found));
    SHOW_VALUE(found);
    SHOW(cudaGetSymbolAddress(&second, counter));
    SHOW_VALUE(first != second);
    SHOW(cudaPointerGetAttributes(&a, second));
    SHOW_VALUE(a.device);
    SHOW_VALUE(everywhere);
    SHOW(cudaSetDevice(0));
    SHOW(cudaMemcpyFromSymbol(&found, counter, sizeof found));
    SHOW_VALUE(found);
}

static void settings() {
    std::printf("== settings\n");
    size_t limit = 0;
    int* d;
    SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    SHOW(cudaSetDevice(1));
    SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    SHOW_VALUE(limit == 4096);
    constexpr size_t large = 100 * 1024;
    SHOW(cudaFuncSetAttribute(uses_much, cudaFuncAttributeMaxDynamicSharedMemorySize, int(large)));
    SHOW(cudaSetDevice(0));
    SHOW(cudaMalloc(&d, bytes));
    SHOW(cudaMemset(d, 0, bytes));
    launch("a launch on device 0 with what device 1 was allowed", d, 0, large);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaFree(d));
}

static void reset() {
    std::printf("== reset\n");
    int *d0, *d1, host[n], found = 0;
    cudaStream_t stream;
    SHOW(cudaMalloc(&d0, bytes));
    SHOW(cudaMemset(d0, 0, bytes));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceEnablePeerAccess(1, 0));
    SHOW(cudaSetDevice(1));
    SHOW(cudaMalloc(&d1, bytes));
    SHOW(cudaStreamCreate(&stream));
    SHOW(cudaDeviceReset());
    SHOW(cudaMemcpy(host, d0, bytes, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyFromSymbol(&found, counter, sizeof found));
    SHOW_VALUE(found);
    SHOW(cudaSetDevice(0));
    SHOW(cudaMemcpy(host, d0, bytes, cudaMemcpyDeviceToHost));
    SHOW(cudaFree(d0));
}

static void fault() {
    std::printf("== a kernel of device 1 touches the memory of device 0\n");
    int *d0, *d1;
    SHOW(cudaMalloc(&d0, bytes));
    SHOW(cudaSetDevice(1));
    SHOW(cudaMalloc(&d1, bytes));
    launch("the launch", d0, 0);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemset(d1, 0, bytes));
    SHOW(cudaSetDevice(0));
    SHOW(cudaMemset(d0, 0, bytes));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaFree(d0));
}

int main() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count != 2) {
        std::printf("It needs two devices, and there are %d.\n", count);
        return 1;
    }
    devices();
    peers();
    streams_and_events();
    memory();
    pools();
    variables();
    settings();
    reset();
    fault();
}
