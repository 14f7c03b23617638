// Kernels for the hook contract (hook_contract.cpp): what the compiler announces for each is asserted there, by line.
#include <cuda_runtime.h>

struct Pair {
    float x, y;
};
struct Five {
    int v[5];
};

float a[256], b[256];
double d[64];
float4 v4[64], w4[64];
Pair pairs[64], more_pairs[64];
Five fives[8], more_fives[8];
unsigned char bytes[64];
short shorts[64];
__device__ int counter = 0;
__constant__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

extern "C" __global__ void copy(float* out, const float* in) {
    int i = threadIdx.x;
    out[i] = in[i];
}

extern "C" __global__ void add_in_place(float* out) { out[threadIdx.x] += 1; }

extern "C" __global__ void guarded(float* out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    out[i] = 1;
}

extern "C" __global__ void sizes(unsigned char* c, short* s, double* x) {
    c[1] = 1;
    s[2] = 2;
    x[3] = 3;
}

extern "C" __global__ void vector_copy(float4* out, const float4* in) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void vector_part(float* out, const float4* in) {
    out[0] = in[1].y;
}

extern "C" __global__ void vector_whole(float* out, const float4* in) {
    float4 v = in[1];
    out[0] = v.x + v.y + v.z + v.w;
}

extern "C" __global__ void vector_store(float4* out) {
    out[2] = make_float4(1, 2, 3, 4);
}

extern "C" __global__ void vector_cast(float* out, const float* in) {
    reinterpret_cast<float4*>(out)[1] = reinterpret_cast<const float4*>(in)[2];
}

extern "C" __global__ void struct_copy(Five* out, const Five* in) {
    out[1] = in[2];
}

__device__ __noinline__ Five five_of(int i) { return {{i, i, i, i, i}}; }
__device__ __noinline__ Pair pair_of(float x) { return {x, x}; }
__device__ __noinline__ float sum_of(Five f) { return f.v[0] + f.v[4]; }

extern "C" __global__ void struct_returned(Five* out, Pair* pairs_out) {
    out[1] = five_of(threadIdx.x);
    pairs_out[1] = pair_of(threadIdx.x);
}

extern "C" __global__ void struct_argument(float* out, const Five* in) {
    const float sum = sum_of(in[2]);
    out[0] = sum;
}

extern "C" __global__ void struct_part(Pair* out, const Pair* in) {
    Pair p = in[1];
    out[0].x = p.y;
}

extern "C" __global__ void volatile_access(volatile float* out) {
    out[0] = out[1];
}

extern "C" __global__ void atomic(int* out) {
    atomicAdd(&out[0], 1);
}

extern "C" __global__ void device_variable() {
    counter += 2;
}

extern "C" __global__ void constant_variable(float* out) {
    out[0] = table[threadIdx.x];
}

extern "C" __global__ void shared_reload(float* out) {
    __shared__ float tile[32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[0] + tile[0];
    __syncthreads();
    out[threadIdx.x] = tile[0];
}

extern "C" __global__ void shared_dynamic(float* out) {
    extern __shared__ float pool[];
    pool[threadIdx.x] = 2;
    out[threadIdx.x] = pool[threadIdx.x];
}

extern "C" __global__ void shared_two_dimensional(int row, int column) {
    __shared__ float tile[4][8];
    tile[row][column] = 1;
}

extern "C" __global__ void shared_struct() {
    __shared__ Pair pair;
    pair.y = 1;
}

extern "C" __global__ void out_of_bounds(int i) {
    __shared__ float tile[4];
    tile[i] = 1;
}

extern "C" __global__ void read_twice(float* out, const float* in) {
    float x = in[0];
    out[1] = x + 1;
    out[2] = in[0];
}

extern "C" __global__ void same_twice(float* out, const float* in) {
    int i = threadIdx.x;
    out[0] = in[i] * in[i];
}

extern "C" __global__ void dead_read(const float* in) {
    float x = in[0];
    (void)x;
}

extern "C" __global__ void both_branches(float* out, int n) {
    if (n > 2)
        out[0] = 1;
    else
        out[0] = 2;
}

extern "C" __global__ void short_circuit(float* out, const float* in) {
    if (in[0] > 0 && in[1] > 0) out[0] = 1;
}

extern "C" __global__ void indirect(float* out, const float* in, const int* index) {
    out[0] = in[index[threadIdx.x]];
}

__device__ __forceinline__ float pick(const float* in, int i) {
    return in[i];
}

extern "C" __global__ void inlined(float* out, const float* in) {
    out[0] = pick(in, 1);
    out[1] = pick(in, 2);
}

__device__ __attribute__((noinline)) float fetch(const float* in, int i) {
    return in[i];
}

extern "C" __global__ void called(float* out, const float* in) {
    out[0] = fetch(in, 1) + fetch(in, 2);
}

template <class T, int N>
__global__ void templated(T* out) {
    out[N] = T(3);
}

extern "C" __global__ void standard_library(float* out, const float* in) {
    out[0] = fmaxf(in[0], in[1]) + sqrtf(in[2]);
}

// Loops: how often a warp asks, not how often a lane does.
extern "C" __global__ void lane_a_trip(float* out, const float* in) {
    int lane = threadIdx.x;
    for (int k = 0; k < 32; k++)
        if (k == lane) out[lane] = in[lane] + k;
}

extern "C" __global__ void break_by_lane(float* out, const float* in) {
    int lane = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        if (3 * k > lane) break;
        sum = sum * 3 + in[lane + 8 * k];
    }
    out[lane] = sum;
}

extern "C" __global__ void nested_trips(float* out, const float* in) {
    int lane = threadIdx.x;
    float sum = 0;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < (lane + r) % 5; c++) sum += in[lane + 16 * c + r];
        out[32 * r + lane] = sum;
    }
}

extern "C" __global__ void continue_alternate(float* out, const float* in) {
    int lane = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 12; k++) {
        if ((lane + k) % 2) continue;
        sum += in[lane + k];
    }
    out[lane] = sum;
}

extern "C" __global__ void two_loops(float* out, const float* in) {
    int lane = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < lane % 7; k++) sum += in[lane + k];
    for (int k = 0; k < 4; k++) sum = sum * 3 + in[lane + 32 * k];
    out[lane] = sum;
}

extern "C" __global__ void while_halving(float* out, const float* in) {
    int n = threadIdx.x;
    do {
        out[threadIdx.x] = in[n];
        n /= 2;
    } while (n > 0);
}

extern "C" __global__ void calls_in_branches(float* out, const float* in) {
    int lane = threadIdx.x;
    if (lane % 4 == 0)
        out[lane] = fetch(in, lane);
    else
        out[lane] = fetch(in, lane + 32) * 2;
}

extern "C" void run_all(const char* name) {
#define RUN(kernel, threads, ...) \
    if (strcmp(name, #kernel) == 0) kernel<<<1, threads>>>(__VA_ARGS__)
    RUN(copy, 2, a, b);
    RUN(add_in_place, 1, a);
    RUN(guarded, 2, a, 1);
    RUN(sizes, 1, bytes, shorts, d);
    RUN(vector_copy, 2, v4, w4);
    RUN(vector_part, 1, a, w4);
    RUN(vector_whole, 1, a, w4);
    RUN(vector_store, 1, v4);
    RUN(vector_cast, 1, (float*)v4, (float*)w4);
    RUN(struct_copy, 1, fives, more_fives);
    RUN(struct_returned, 1, fives, pairs);
    RUN(struct_argument, 1, a, more_fives);
    RUN(struct_part, 1, pairs, more_pairs);
    RUN(volatile_access, 1, a);
    RUN(atomic, 1, (int*)a);
    RUN(device_variable, 1);
    RUN(constant_variable, 2, a);
    RUN(shared_reload, 1, a);
    RUN(shared_dynamic, 1, a);
    RUN(shared_two_dimensional, 1, 2, 3);
    RUN(shared_struct, 1);
    RUN(out_of_bounds, 1, 4);
    RUN(read_twice, 1, a, b);
    RUN(same_twice, 1, a, b);
    RUN(dead_read, 1, b);
    RUN(both_branches, 1, a, 2);
    RUN(short_circuit, 1, a, b);
    RUN(indirect, 1, a, b, (int*)d);
    RUN(inlined, 1, a, b);
    RUN(called, 1, a, b);
    if (strcmp(name, "templated") == 0) templated<float, 5><<<1, 1>>>(a);
    RUN(standard_library, 1, a, b);
    RUN(lane_a_trip, 32, a, b);
    RUN(break_by_lane, 32, a, b);
    RUN(nested_trips, 32, a, b);
    RUN(continue_alternate, 32, a, b);
    RUN(two_loops, 32, a, b);
    RUN(while_halving, 32, a, b);
    RUN(calls_in_branches, 32, a, b);
}
