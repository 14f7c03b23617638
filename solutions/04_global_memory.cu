// Lesson 04: what a warp pays for.
//
// Read elements that lie at a distance from each other. Then slow particles down, first as an array of structures, then
// with an array for each field, and see what the same work costs. The places marked TODO are yours. Save after each;
// the verdict says what to mend next.
#include <cuda_runtime.h>

#include "lessons/04_global_memory/interface.h"

constexpr int threads = 256;

int blocks_for(int n) {
    return (n + threads - 1) / threads;
}

// [strided]
template <class T>
__global__ void read_kernel(const T* d_in, T* d_out, int n, int stride, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // >>> TODO: (1) thread 0 takes element `offset`, and each thread takes the one a stride further.
    d_out[i] = d_in[offset + i * stride];
    // ===
    //| d_out[i] = d_in[i];
    // <<<
}
// [/strided]

// One warp a block, so that each request is easy to find.
template <class T>
void launch_read(const void* d_in, void* d_out, int n, int stride, int offset) {
    read_kernel<<<(n + 31) / 32, 32>>>(static_cast<const T*>(d_in), static_cast<T*>(d_out), n, stride,
                                       offset);
}

extern "C" int read_strided(const void* d_in, void* d_out, int n, int stride, int offset, int element_bytes) {
    if (element_bytes == 1) launch_read<char>(d_in, d_out, n, stride, offset);
    if (element_bytes == 2) launch_read<short>(d_in, d_out, n, stride, offset);
    if (element_bytes == 4) launch_read<float>(d_in, d_out, n, stride, offset);
    if (element_bytes == 8) launch_read<float2>(d_in, d_out, n, stride, offset);
    if (element_bytes == 16) launch_read<float4>(d_in, d_out, n, stride, offset);
    return cudaGetLastError();
}

// [counter]
// >>> TODO: (2) a counter in global memory, that all threads see by its name.
__device__ unsigned int clipped;
// <<<

// value, or the limit that it has passed. Each value that has is counted.
__device__ float clip(float value, float limit) {
    // >>> TODO: (2) no less than -limit, no more than limit. Count with atomicAdd(&counter, 1u).
    if (value >= -limit && value <= limit) return value;
    atomicAdd(&clipped, 1u);
    return value < 0 ? -limit : limit;
    // ===
    //| return value;
    // <<<
}
// [/counter]

// [symbol]
// Before a launch: the counter becomes 0.
cudaError_t zero_counter() {
    // >>> TODO: (3) copy a 0 to the counter. It is no pointer: it is a symbol.
    unsigned int zero = 0;
    return cudaMemcpyToSymbol(clipped, &zero, sizeof(zero));
    // ===
    //| return cudaSuccess;
    // <<<
}

// After a launch: what the counter holds.
cudaError_t read_counter(unsigned int* h_count) {
    // >>> TODO: (3) copy the counter to *h_count.
    return cudaMemcpyFromSymbol(h_count, clipped, sizeof(*h_count));
    // ===
    //| *h_count = 0;
    //| return cudaSuccess;
    // <<<
}
// [/symbol]

// [aos]
// An array of structures: thread i takes particle i.
__global__ void scale_aos_kernel(Particle* d_particles, int n, float factor, float limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    d_particles[i].vx = clip(factor * d_particles[i].vx, limit);
    d_particles[i].vy = clip(factor * d_particles[i].vy, limit);
    d_particles[i].vz = clip(factor * d_particles[i].vz, limit);
}
// [/aos]

extern "C" int scale_aos(Particle* d_particles, int n, float factor, float limit, unsigned int* h_clipped) {
    cudaError_t status = zero_counter();
    if (status != cudaSuccess) return status;
    scale_aos_kernel<<<blocks_for(n), threads>>>(d_particles, n, factor, limit);
    status = cudaGetLastError();
    if (status != cudaSuccess) return status;
    return read_counter(h_clipped);
}

// [soa]
// A structure of arrays: field f of particle i is d_soa[f * pitch + i].
__global__ void scale_soa_kernel(float* d_soa, int n, int pitch, float factor, float limit) {
    // >>> TODO: (4) thread i takes field_vx, field_vy and field_vz of particle i.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int field = field_vx; field <= field_vz; ++field) {
        float* d_field = d_soa + size_t(field) * pitch;
        d_field[i] = clip(factor * d_field[i], limit);
    }
    // <<<
}
// [/soa]

extern "C" int scale_soa(float* d_soa, int n, int pitch, float factor, float limit, unsigned int* h_clipped) {
    cudaError_t status = zero_counter();
    if (status != cudaSuccess) return status;
    scale_soa_kernel<<<blocks_for(n), threads>>>(d_soa, n, pitch, factor, limit);
    status = cudaGetLastError();
    if (status != cudaSuccess) return status;
    return read_counter(h_clipped);
}

// [memory]
extern "C" int make_soa(int n, float** d_soa, int* pitch) {
    // >>> TODO: (5) the pitch, and memory for eight fields of that many floats.
    *pitch = (n + 31) / 32 * 32;
    return cudaMalloc(d_soa, size_t(fields) * *pitch * sizeof(float));
    // ===
    //| *pitch = n;
    //| *d_soa = nullptr;
    //| return cudaSuccess;
    // <<<
}

extern "C" int free_soa(float* d_soa) {
    // >>> TODO: (5) give the memory back.
    return cudaFree(d_soa);
    // ===
    //| return cudaSuccess;
    // <<<
}
// [/memory]

// [convert]
// Thread i takes particle i apart.
__global__ void to_soa_kernel(const Particle* d_particles, float* d_soa, int n, int pitch) {
    // >>> TODO: (6) take the particle with two loads of 16 bytes (float4), and store its eight fields.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4* d_halves = reinterpret_cast<const float4*>(d_particles + i);
    float4 place = d_halves[0];
    float4 motion = d_halves[1];
    float* d_first = d_soa + i;
    d_first[size_t(field_x) * pitch] = place.x;
    d_first[size_t(field_y) * pitch] = place.y;
    d_first[size_t(field_z) * pitch] = place.z;
    d_first[size_t(field_mass) * pitch] = place.w;
    d_first[size_t(field_vx) * pitch] = motion.x;
    d_first[size_t(field_vy) * pitch] = motion.y;
    d_first[size_t(field_vz) * pitch] = motion.z;
    d_first[size_t(field_charge) * pitch] = motion.w;
    // <<<
}
// [/convert]

extern "C" int to_soa(const Particle* d_particles, float* d_soa, int n, int pitch) {
    to_soa_kernel<<<blocks_for(n), threads>>>(d_particles, d_soa, n, pitch);
    return cudaGetLastError();
}
