// What each call returns, and what it leaves in the last error. error_codes.txt is what this program printed on an H200
// (CUDA 13.0, driver 580): the CPU machine must print the same.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store(int* p) {
    if (p != nullptr) *p = 1;
}
__global__ void use_shared(int* p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    if (p != nullptr) *p = s[0];
}
__constant__ int constants[16];
__device__ int variable[16];

#define SHOW(call)                                                                                               \
    do {                                                                                                         \
        const cudaError_t error_ = (call);                                                                       \
        printf("%s: %d %s, last %d\n", #call, error_, cudaGetErrorName(error_), cudaPeekAtLastError());          \
        cudaGetLastError();                                                                                      \
    } while (0)
#define SHOW_LAUNCH(what)                                                                                        \
    do {                                                                                                         \
        const cudaError_t peeked_ = cudaPeekAtLastError();                                                       \
        const cudaError_t waited_ = cudaDeviceSynchronize();                                                     \
        const cudaError_t read_ = cudaGetLastError();                                                            \
        printf("%s: peek %d, synchronize %d, get %d, get again %d\n", what, peeked_, waited_, read_, cudaGetLastError()); \
    } while (0)

int *d, *other, *managed, *pinned, *fresh;
int h[256], h2[256];
size_t pitch;

void copies() {
    SHOW(cudaMemcpy(h, h2, 16, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(h, h2, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(h, h2, 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(h, h2, 16, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(h, h2, 16, cudaMemcpyDefault));
    SHOW(cudaMemcpy(h, d, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(d, h, 16, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(h, d, 16, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(d, other, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, other, 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(d, other, 16, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(d, h, 16, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(managed, h, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(managed, h, 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(managed, h, 16, cudaMemcpyHostToHost));
    SHOW(cudaMemcpy(pinned, h, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(pinned, d, 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(d, pinned, 16, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(d, nullptr, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(nullptr, h, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(nullptr, h, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(d, h, 16, (cudaMemcpyKind)7));
    SHOW(cudaMemcpy(h, d + (1 << 26), 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy((void*)constants, h, 16, cudaMemcpyHostToDevice));
    SHOW(cudaMemset(h, 0, 16));
    SHOW(cudaMemset(d, 0, 1024));
    SHOW(cudaMemset(d, 0, (size_t)1 << 34));
    SHOW(cudaMemset(managed, 0, 16));
    SHOW(cudaMemset(pinned, 0, 16));
    SHOW(cudaMemset(nullptr, 0, 16));
    SHOW(cudaMemset(nullptr, 0, 0));
    SHOW(cudaMallocPitch(&fresh, &pitch, 100, 10));
    SHOW(cudaMemcpy2D(fresh, pitch, h, 40, 40, 6, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(fresh, pitch, h, 40, 80, 3, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(fresh, 40, h, 80, 80, 3, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2D(fresh, pitch, h, 40, 40, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemset2D(fresh, 16, 0, 32, 3));
}

void symbols() {
    void* address;
    size_t bytes = 0;
    SHOW(cudaMemcpyToSymbol(constants, h, 64));
    SHOW(cudaMemcpyToSymbol(constants, h, 68));
    SHOW(cudaMemcpyToSymbol(constants, h, 16, 60));
    SHOW(cudaMemcpyToSymbol(constants, h, 0));
    SHOW(cudaMemcpyToSymbol(h2, h, 16));
    SHOW(cudaMemcpyToSymbol(variable, h, 64));
    SHOW(cudaMemcpyFromSymbol(h, variable, 68));
    SHOW(cudaMemcpyToSymbol(constants, h, 16, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyFromSymbol(h, constants, 16, 0, cudaMemcpyHostToDevice));
    SHOW(cudaGetSymbolAddress(&address, variable));
    SHOW(cudaMemcpy(address, h, 16, cudaMemcpyHostToDevice));
    SHOW(cudaGetSymbolAddress(&address, h));
    SHOW(cudaGetSymbolSize(&bytes, variable));
    printf("bytes of the variable: %zu\n", bytes);
}

void allocations() {
    SHOW(cudaFree(nullptr));
    SHOW(cudaFree(h));
    SHOW(cudaFree(d + 1));
    SHOW(cudaFree(other));
    SHOW(cudaFree(other));
    SHOW(cudaFree(pinned));
    SHOW(cudaFreeHost(h));
    SHOW(cudaFreeHost(d));
    SHOW(cudaFreeHost(nullptr));
    SHOW(cudaFreeHost(pinned));
    SHOW(cudaFreeHost(pinned));
    SHOW(cudaFree(managed));
    SHOW(cudaMalloc(&fresh, 0));
    printf("no bytes: %s\n", fresh == nullptr ? "null" : "an address");
    SHOW(cudaMalloc((void**)nullptr, 16));
    SHOW(cudaMalloc(&fresh, (size_t)1 << 50));
    SHOW(cudaMallocManaged(&fresh, 0));
    SHOW(cudaMallocHost(&fresh, 0));
    SHOW(cudaMallocManaged(&fresh, 16, 9));
    SHOW(cudaHostAlloc(&fresh, 16, 64));
    SHOW(cudaMallocPitch(&fresh, &pitch, 100, 10));
    printf("pitch %zu\n", pitch);
    SHOW(cudaMallocPitch(&fresh, &pitch, 513, 10));
    printf("pitch %zu\n", pitch);
    SHOW(cudaMallocPitch(&fresh, &pitch, 0, 10));
    void* address;
    SHOW(cudaHostGetDevicePointer(&address, h, 0));
    cudaPointerAttributes a;
    SHOW(cudaPointerGetAttributes(&a, h));
    printf("type %d, device %d, host pointer %d, device pointer %d\n", a.type, a.device, a.hostPointer == h, a.devicePointer == h);
    SHOW(cudaPointerGetAttributes(&a, d));
    printf("type %d, device %d, host pointer %d, device pointer %d\n", a.type, a.device, a.hostPointer == d, a.devicePointer == d);
    SHOW(cudaPointerGetAttributes(&a, nullptr));
    printf("type %d, device %d\n", a.type, a.device);
}

void launches() {
    store<<<1, 1025>>>(nullptr);
    SHOW_LAUNCH("1025 threads");
    store<<<1, dim3(1, 1, 65)>>>(nullptr);
    SHOW_LAUNCH("65 threads in z");
    store<<<dim3(1, 65536), 1>>>(nullptr);
    SHOW_LAUNCH("65536 blocks in y");
    store<<<2147483648u, 1>>>(nullptr);
    SHOW_LAUNCH("2^31 blocks");
    store<<<1, 0>>>(nullptr);
    SHOW_LAUNCH("no threads");
    store<<<0, 1>>>(nullptr);
    SHOW_LAUNCH("no blocks");
    use_shared<<<1, 1, 100000>>>(nullptr);
    SHOW_LAUNCH("100000 bytes of shared memory");
    SHOW(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    use_shared<<<1, 1, 100000>>>(nullptr);
    SHOW_LAUNCH("100000 bytes of shared memory, allowed");
    SHOW(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    SHOW(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    SHOW(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    SHOW(cudaFuncSetAttribute(use_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 200));
    cudaFuncAttributes f;
    SHOW(cudaFuncGetAttributes(&f, use_shared));
    printf("threads %d, ptx %d, binary %d, dynamic %d, carveout %d\n", f.maxThreadsPerBlock, f.ptxVersion, f.binaryVersion,
           f.maxDynamicSharedSizeBytes, f.preferredShmemCarveout);
    int* nothing = nullptr;
    void* arguments[] = {&nothing};
    SHOW(cudaLaunchKernel(store, dim3(1), dim3(1), arguments, 0, 0));
    SHOW(cudaLaunchKernel(store, dim3(1), dim3(1025), arguments, 0, 0));
}

void occupancy() {
    int blocks = -1, grid = -1, block = -1;
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 128, 0));
    printf("%d\n", blocks);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 1025, 0));
    printf("%d\n", blocks);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 128, 60000));
    printf("%d\n", blocks);
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, use_shared, 128, 60000));
    printf("%d\n", blocks);
    SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store, 0, 0));
    printf("%d %d\n", grid, block);
    SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store, 20000, 0));
    printf("%d %d\n", grid, block);
    SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store, 0, 300));
    printf("%d %d\n", grid, block);
    SHOW(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, store, [](int threads) { return threads * 64; }));
    printf("%d %d\n", grid, block);
}

void streams_and_events() {
    cudaStream_t s;
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaStreamQuery(s));
    SHOW(cudaStreamDestroy(s));
    SHOW(cudaStreamDestroy(nullptr));
    SHOW(cudaStreamCreateWithFlags(&s, 8));
    int least = 1, greatest = 1, priority = 1;
    SHOW(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    SHOW(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -100));
    SHOW(cudaStreamGetPriority(s, &priority));
    printf("%d to %d, %d\n", least, greatest, priority);
    cudaEvent_t start, stop, untimed;
    float milliseconds = -1;
    SHOW(cudaEventCreate(&start));
    SHOW(cudaEventCreate(&stop));
    SHOW(cudaEventElapsedTime(&milliseconds, start, stop));
    SHOW(cudaEventQuery(start));
    SHOW(cudaEventSynchronize(start));
    SHOW(cudaEventRecord(start));
    SHOW(cudaEventRecord(stop, s));
    SHOW(cudaStreamWaitEvent(s, start));
    SHOW(cudaEventSynchronize(stop));
    cudaEventSynchronize(start);  // in another stream: on the card it was done by now, which is luck
    SHOW(cudaEventElapsedTime(&milliseconds, start, stop));
    SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    SHOW(cudaEventRecord(untimed));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaEventElapsedTime(&milliseconds, start, untimed));
    SHOW(cudaEventDestroy(nullptr));
    SHOW(cudaEventRecord(nullptr));
    SHOW(cudaEventDestroy(untimed));
}

void device() {
    int value = -1;
    cudaDeviceProp p;
    SHOW(cudaSetDevice(0));
    SHOW(cudaSetDevice(100));
    SHOW(cudaSetDevice(-1));
    SHOW(cudaGetDeviceProperties(&p, 100));
    SHOW(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 100));
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    printf("%d\n", value);
    SHOW(cudaGetDeviceCount(nullptr));
    SHOW(cudaGetDevice(nullptr));
    SHOW(cudaGetDeviceProperties(&p, 0));
    printf("%s %d.%d, %d SMs, %zu bytes, %d threads, %zu shared, %d bits\n", p.name, p.major, p.minor, p.multiProcessorCount,
           p.totalGlobalMem, p.maxThreadsPerMultiProcessor, p.sharedMemPerMultiprocessor, p.memoryBusWidth);
    size_t bytes = 0;
    SHOW(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    printf("%zu\n", bytes);
    SHOW(cudaDeviceReset());
}

// After a kernel has faulted: what still works, and who clears what.
void broken_context() {
    int count = 0;
    size_t available = 0, total = 0;
    cudaDeviceProp p;
    cudaEvent_t e;
    store<<<1, 1>>>((int*)16);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&fresh, 16));
    SHOW(cudaFree(nullptr));
    SHOW(cudaGetDeviceCount(&count));
    SHOW(cudaSetDevice(0));
    SHOW(cudaGetDeviceProperties(&p, 0));
    SHOW(cudaDeviceGetAttribute(&count, cudaDevAttrWarpSize, 0));
    SHOW(cudaRuntimeGetVersion(&count));
    store<<<1, 1>>>(nullptr);
    SHOW(cudaGetLastError());
    SHOW(cudaEventCreate(&e));
    SHOW(cudaMallocHost(&fresh, 64));
    SHOW(cudaMemGetInfo(&available, &total));
    SHOW(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, store, 128, 0));
    SHOW(cudaMemcpy(h, h2, 16, cudaMemcpyHostToHost));
    SHOW(cudaDeviceSynchronize());
}

int main() {
    SHOW(cudaMalloc(&d, 1024));
    SHOW(cudaMalloc(&other, 1024));
    SHOW(cudaMallocManaged(&managed, 1024));
    SHOW(cudaMallocHost(&pinned, 1024));
    copies();
    symbols();
    allocations();
    launches();
    occupancy();
    streams_and_events();
    device();
    broken_context();
    return 0;
}
