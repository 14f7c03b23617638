// What memory pools count and return. memory_pools.txt is what an H200 printed (driver 580, CUDA 13.0).
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

static uint64_t value_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    uint64_t value = 0;
    cudaMemPoolGetAttribute(pool, attribute, &value);
    return value;
}

static void show(const char* when, cudaMemPool_t pool) {
    printf("%s: used %llu, high %llu; reserved %llu, high %llu\n", when,
           (unsigned long long)value_of(pool, cudaMemPoolAttrUsedMemCurrent),
           (unsigned long long)value_of(pool, cudaMemPoolAttrUsedMemHigh),
           (unsigned long long)value_of(pool, cudaMemPoolAttrReservedMemCurrent),
           (unsigned long long)value_of(pool, cudaMemPoolAttrReservedMemHigh));
}

#define SHOW(call) printf("%s: %d\n", #call, (int)(call))

int main() {
    cudaMemPool_t pool, other, mine;
    uint64_t value = 7;
    void *a, *b;
    cudaStream_t s;
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaDeviceGetDefaultMemPool(&pool, 0));
    SHOW(cudaDeviceGetMemPool(&other, 0));
    SHOW(pool == other);
    SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
    SHOW(value);
    show("at first", pool);
    SHOW(cudaMallocAsync(&a, 1000, s));
    show("1000 bytes", pool);
    SHOW(cudaMallocAsync(&b, 40 << 20, s));
    show("and 40 MiB", pool);
    SHOW(cudaFreeAsync(a, s));
    show("the first freed", pool);
    cudaStreamSynchronize(s);
    show("after a wait", pool);
    SHOW(cudaFreeAsync(b, s));
    show("both freed", pool);
    cudaStreamSynchronize(s);
    show("after a wait", pool);
    value = UINT64_MAX;
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
    SHOW(cudaMallocAsync(&b, 40 << 20, s));
    SHOW(cudaFreeAsync(b, s));
    cudaStreamSynchronize(s);
    show("with a threshold", pool);
    SHOW(cudaMemPoolTrimTo(pool, 0));
    show("trimmed", pool);
    value = 5;
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
    value = 0;
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
    show("high put back", pool);
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    SHOW(cudaMemPoolCreate(&mine, &properties));
    SHOW(cudaMallocFromPoolAsync(&a, 64, mine, s));
    show("a pool of one's own", mine);
    SHOW(cudaDeviceSetMemPool(0, mine));
    SHOW(cudaDeviceGetMemPool(&other, 0));
    SHOW(other == mine);
    SHOW(cudaFreeAsync(a, s));
    cudaStreamSynchronize(s);
    SHOW(cudaMemPoolDestroy(mine));
    SHOW(cudaDeviceGetMemPool(&other, 0));
    SHOW(other == pool);
    SHOW(cudaMemPoolDestroy(pool));
    SHOW(cudaMallocAsync(&a, 0, s));
    SHOW(a == nullptr);
    SHOW(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &value));
    SHOW(cudaDeviceGetDefaultMemPool(&other, 99));
    int supported = 0;
    SHOW(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    SHOW(supported);
    return 0;
}
