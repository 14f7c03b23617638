// Lesson 08: the host's end of the cable.
//
// Copy without waiting, fill pinned memory while a piece is on its way, cut a rectangle out of an image, send many small
// things as one, and let a kernel write where the host reads. The places marked TODO are yours. Save after each; the
// verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/08_host_memory/interface.h"

constexpr int threads = 256;

int blocks_for(int n) {
    return (n + threads - 1) / threads;
}

// Where piece p begins, of `pieces` pieces of n elements. Piece p ends where piece p + 1 begins.
int first_of(int p, int n, int pieces) {
    return int((long long)n * p / pieces);
}

// ---- (1)

// The host's own work, while the numbers are on their way.
unsigned check_of(const unsigned* h_in, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; i += 32) sum += h_in[i];
    return sum;
}

// Reads host memory from the device.
__global__ void load_kernel(const unsigned* h_in, unsigned* d_out, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_out[i] = h_in[i];
}

// [carry]
extern "C" int carry(const unsigned* h_in, unsigned* d_out, int n, int pieces, int way, unsigned* h_check) {
    for (int p = 0; p < pieces; ++p) {
        int first = first_of(p, n, pieces), count = first_of(p + 1, n, pieces) - first;
        if (way == by_kernel) {
            load_kernel<<<blocks_for(count), threads>>>(h_in + first, d_out + first, count);
        } else {
            // >>> TODO: (1) copy this piece, and do not wait for it.
            cudaMemcpyAsync(d_out + first, h_in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice);
            // <<<
        }
    }
    *h_check = check_of(h_in, n);
    // >>> TODO: (1) the caller may change h_in next.
    cudaDeviceSynchronize();
    // <<<
    return cudaGetLastError();
}
// [/carry]

// ---- (2)

// A reading is quarters of a degree above -40.
void calibrate(const unsigned short* h_raw, float* h_to, int n) {
    for (int i = 0; i < n; ++i) h_to[i] = h_raw[i] * 0.25f - 40.0f;
}

// [stage]
extern "C" int send_readings(const unsigned short* h_raw, float* d_out, int n, int pieces) {
    // >>> TODO: (2) pinned memory for n floats; calibrate a piece into it and queue its copy, piece by piece; wait; free.
    float* h_stage;
    cudaError_t status = cudaMallocHost(&h_stage, n * sizeof(float));
    if (status != cudaSuccess) return status;
    for (int p = 0; p < pieces; ++p) {
        int first = first_of(p, n, pieces), count = first_of(p + 1, n, pieces) - first;
        calibrate(h_raw + first, h_stage + first, count);
        cudaMemcpyAsync(d_out + first, h_stage + first, count * sizeof(float), cudaMemcpyHostToDevice);
    }
    cudaDeviceSynchronize();
    cudaFreeHost(h_stage);
    return cudaGetLastError();
    // ===
    //| return cudaSuccess;
    // <<<
}
// [/stage]

// ---- (3)

// [pitch]
// Row y of the rectangle begins y * pitch bytes behind d_pixels.
__global__ void invert_kernel(float* d_pixels, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    // >>> TODO: (3) turn pixel x of row y into 1 - pixel. The pitch counts bytes.
    float* d_row = (float*)((char*)d_pixels + y * pitch);
    d_row[x] = 1.0f - d_row[x];
    // <<<
}

extern "C" int invert_rectangle(float* h_image, int columns, Rectangle at) {
    // >>> TODO: (3) device memory with a pitch; the rectangle in with one copy, the kernel, out with one copy; free.
    float* h_corner = h_image + size_t(at.top) * columns + at.left;  // the rectangle's first pixel
    float* d_pixels;
    size_t pitch, image_pitch = columns * sizeof(float), width = at.width * sizeof(float);
    dim3 block(32, 8), grid((at.width + 31) / 32, (at.height + 7) / 8);
    cudaError_t status = cudaMallocPitch(&d_pixels, &pitch, width, at.height);
    if (status != cudaSuccess) return status;
    cudaMemcpy2D(d_pixels, pitch, h_corner, image_pitch, width, at.height, cudaMemcpyHostToDevice);
    invert_kernel<<<grid, block>>>(d_pixels, pitch, at.width, at.height);
    cudaMemcpy2D(h_corner, image_pitch, d_pixels, pitch, width, at.height, cudaMemcpyDeviceToHost);
    cudaFree(d_pixels);
    // <<<
    return cudaGetLastError();
}
// [/pitch]

// ---- (4)

// [pack]
__global__ void unpack_kernel(float* d_table, const Update* d_pack, int n) {
    // >>> TODO: (4) thread i brings update i to its place.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d_table[d_pack[i].at] = d_pack[i].value;
    // <<<
}

extern "C" int update_table(float* d_table, const Patch* h_patches, int patches, Update* h_pack,
                            Update* d_pack) {
    // >>> TODO: (4) pack the values of all patches into h_pack, each with its place; one copy; one kernel; wait.
    int n = 0;
    for (int p = 0; p < patches; ++p)
        for (int k = 0; k < h_patches[p].count; ++k)
            h_pack[n++] = {h_patches[p].first + k, h_patches[p].h_values[k]};
    if (n == 0) return cudaSuccess;
    cudaMemcpyAsync(d_pack, h_pack, n * sizeof(Update), cudaMemcpyHostToDevice);
    unpack_kernel<<<blocks_for(n), threads>>>(d_table, d_pack, n);
    cudaDeviceSynchronize();
    return cudaGetLastError();
    // ===
    //| for (int p = 0; p < patches; ++p)
    //|     cudaMemcpy(d_table + h_patches[p].first, h_patches[p].h_values, h_patches[p].count * sizeof(float),
    //|                cudaMemcpyHostToDevice);
    //| return cudaGetLastError();
    // <<<
}
// [/pack]

// ---- (5)

// [mapped]
__global__ void count_kernel(const float* d_values, int n, float limit, unsigned* d_counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // How many threads of the block have a value above the limit. It waits for all of them, and each gets the number.
    int here = __syncthreads_count(i < n && d_values[i] > limit);
    // >>> TODO: (5) one thread of the block stores the number at the block's own place.
    if (threadIdx.x == 0) d_counts[blockIdx.x] = here;
    // <<<
}

extern "C" int count_above(const float* d_values, int n, float limit, unsigned* h_count) {
    *h_count = 0;
    // >>> TODO: (5) mapped memory, a place for each block; its address for the device; the kernel; wait; add up; free.
    int blocks = blocks_for(n);
    unsigned* h_counts;
    unsigned* d_counts;
    cudaError_t status = cudaHostAlloc(&h_counts, blocks * sizeof(unsigned), cudaHostAllocMapped);
    if (status != cudaSuccess) return status;
    cudaHostGetDevicePointer(&d_counts, h_counts, 0);
    count_kernel<<<blocks, threads>>>(d_values, n, limit, d_counts);
    cudaDeviceSynchronize();
    for (int b = 0; b < blocks; ++b) *h_count += h_counts[b];
    cudaFreeHost(h_counts);
    // <<<
    return cudaGetLastError();
}
// [/mapped]
