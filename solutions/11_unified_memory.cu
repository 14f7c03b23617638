// Lesson 11: one pointer for both sides.
//
// A photo goes to the device and comes back, without a single cudaMemcpy. First it has to be right, then it has to
// stop faulting, and in the end it does not fit. The five places marked TODO are yours. Save after each; the verdict says
// what to mend next.
#include <cuda_runtime.h>

#include "lessons/11_unified_memory/interface.h"

constexpr int threads = 256;

int blocks_for(int n) {
    return (n + threads - 1) / threads;
}

// The two sides, as cudaMemPrefetchAsync and cudaMemAdvise want to hear them: a kind of place and its number.
constexpr cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
constexpr cudaMemLocation host = {cudaMemLocationTypeHost, 0};

// [lift]
// One variable that both sides can name. Nobody allocates it, and nobody frees it.
__managed__ int lift_now;

__global__ void brighten_kernel(int* photo, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) photo[i] = min(photo[i] + lift_now, levels - 1);
}
// [/lift]

// [brighten]
extern "C" int brighten(const int* in, int* out, int n, int lift) {
    int* photo = nullptr;
    // >>> TODO: (1) allocate n ints that host and kernels may both use.
    cudaError_t status = cudaMallocManaged(&photo, n * sizeof(int));
    // ===
    //| cudaError_t status = cudaErrorMemoryAllocation;  // nothing is allocated yet
    // <<<
    if (status != cudaSuccess) return status;

    for (int i = 0; i < n; ++i) photo[i] = in[i];
    lift_now = lift;
    brighten_kernel<<<blocks_for(n), threads>>>(photo, n);
    // >>> TODO: (2) the launch has returned, the kernel has not. What has to happen before the host may look?
    status = cudaDeviceSynchronize();
    // <<<
    for (int i = 0; i < n; ++i) out[i] = photo[i];
    // >>> TODO: (2, too) give the photo back, once.
    cudaFree(photo);
    // <<<
    return status;
}
// [/brighten]

__global__ void develop_kernel(int* photo, int n, const int* curve) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) photo[i] = curve[photo[i]];
}

void fill(int* to, const int* from, int n) {
    for (int i = 0; i < n; ++i) to[i] = from[i];
}

// [develop]
extern "C" int develop(const int* in, int* out, int n, const int* curve_in, int* preview, int preview_size,
                       int passes) {
    int *photo = nullptr, *curve = nullptr;
    cudaError_t status = cudaMallocManaged(&photo, n * sizeof(int));
    if (status == cudaSuccess) status = cudaMallocManaged(&curve, levels * sizeof(int));
    if (status == cudaSuccess) {
        fill(photo, in, n);
        fill(curve, curve_in, levels);
        // >>> TODO: (3) the curve is read by both sides: advise that. Then send both to the device, before a kernel asks.
        cudaMemAdvise(curve, levels * sizeof(int), cudaMemAdviseSetReadMostly, device);
        cudaMemPrefetchAsync(curve, levels * sizeof(int), device, 0, 0);
        cudaMemPrefetchAsync(photo, n * sizeof(int), device, 0, 0);
        // <<<
        for (int pass = 0; pass < passes; ++pass) {
            develop_kernel<<<blocks_for(n), threads>>>(photo, n, curve);
            cudaDeviceSynchronize();  // so that photo and preview have had the same passes
            for (int k = 0; k < preview_size; ++k) preview[k] = curve[preview[k]];
        }
        // >>> TODO: (4) bring the photo home before the host reads it, and wait until it is there.
        cudaMemPrefetchAsync(photo, n * sizeof(int), host, 0, 0);
        // <<<
        status = cudaDeviceSynchronize();
        for (int i = 0; i < n; ++i) out[i] = photo[i];
    }
    cudaFree(photo);  // a nullptr is no trouble here
    cudaFree(curve);
    return status;
}
// [/develop]

// [large]
extern "C" int develop_large(const int* in, int* out, int n, const int* curve_in, int passes, int piece) {
    int *photo = nullptr, *curve = nullptr;
    cudaError_t status = cudaMallocManaged(&photo, n * sizeof(int));
    if (status == cudaSuccess) status = cudaMallocManaged(&curve, levels * sizeof(int));
    if (status == cudaSuccess) {
        fill(photo, in, n);
        fill(curve, curve_in, levels);
        cudaMemPrefetchAsync(curve, levels * sizeof(int), device, 0, 0);
        // >>> TODO: (5) piece by piece: to the device, all passes, home again. As it is, each pass drags in the whole photo.
        for (int begin = 0; begin < n; begin += piece) {
            int count = min(piece, n - begin);
            cudaMemPrefetchAsync(photo + begin, count * sizeof(int), device, 0, 0);
            for (int pass = 0; pass < passes; ++pass) {
                develop_kernel<<<blocks_for(count), threads>>>(photo + begin, count, curve);
            }
            cudaMemPrefetchAsync(photo + begin, count * sizeof(int), host, 0, 0);
        }
        // ===
        //| for (int pass = 0; pass < passes; ++pass) {
        //|     develop_kernel<<<blocks_for(n), threads>>>(photo, n, curve);
        //| }
        // <<<
        status = cudaDeviceSynchronize();
        for (int i = 0; i < n; ++i) out[i] = photo[i];
    }
    cudaFree(photo);
    cudaFree(curve);
    return status;
}
// [/large]
