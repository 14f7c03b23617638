// Branches with short and long sides, in many shapes, and local arrays of several kinds.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t err_ = (call);                                                       \
        if (err_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
            exit(2);                                                                     \
        }                                                                                \
    } while (0)
const int BLOCKS = 32, THREADS = 96, N = BLOCKS * THREADS;

#define INDEX int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32

extern "C" __global__ void if_1(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (lane % 3 == 0) x = (x ^ (x >> 3)) * 3;
    out[i] = x;
}

extern "C" __global__ void if_3(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (lane % 3 == 0) {
        x = (x ^ (x >> 3)) * 3;
        x = (x ^ (x >> 5)) * 5;
        x = (x ^ (x >> 7)) * 7;
    }
    out[i] = x;
}

extern "C" __global__ void if_12(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (lane % 3 == 0) {
        x = (x ^ (x >> 3)) * 3;
        x = (x ^ (x >> 5)) * 5;
        x = (x ^ (x >> 7)) * 7;
        x = (x ^ (x >> 9)) * 9;
        x = (x ^ (x >> 11)) * 11;
        x = (x ^ (x >> 13)) * 13;
        x = (x ^ (x >> 3)) * 23;
        x = (x ^ (x >> 5)) * 25;
        x = (x ^ (x >> 7)) * 27;
        x = (x ^ (x >> 9)) * 29;
        x = (x ^ (x >> 11)) * 31;
        x = (x ^ (x >> 13)) * 33;
    }
    out[i] = x;
}

extern "C" __global__ void if_else_store(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (x % 5 < 2)
        out[i] = x + 1;
    else
        out[i] = x * 7;
}

extern "C" __global__ void if_three_stores(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (lane < 9) {
        out[i] = x;
        out[i + N] = x + 1;
        out[i + 2 * N] = x + 2;
    }
    out[i + 3 * N] = x;
}

extern "C" __global__ void if_two_loads(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (lane % 4 == 1) x += in[i + 64] * in[i + 128];
    out[i] = x;
}

extern "C" __global__ void if_atomic(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (x % 3 == 0) atomicAdd(&out[x % 64], 2u);
    out[i + N] = x;
}

extern "C" __global__ void else_if_chain(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (lane < 8)
        x += 3;
    else if (lane < 16)
        x *= 5;
    else if (lane < 24)
        x ^= 77;
    out[i] = x;
}

extern "C" __global__ void clamp(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (x < 100) x = 100;
    if (x > 700) x = 700;
    out[i] = x;
}

extern "C" __global__ void both_conditions(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
    if (x % 2 == 0 && lane > 5 || x > 800) x += 9;
    out[i] = x;
}

extern "C" __global__ void loop_with_if(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i], sum = 0;
#pragma unroll 1
    for (int k = 0; k < 6; k++) {
        if ((x + k) % 3 == 0) sum += k;
        x = x * 5 + 1;
    }
    out[i] = sum + lane;
}

extern "C" __global__ void lane_loop_with_if(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i], sum = 0;
#pragma unroll 1
    for (int k = 0; k < lane % 5; k++) {
        if (x % 2) sum += x;
        x = x * 5 + 3;
    }
    out[i] = sum;
}

extern "C" __global__ void find_first(unsigned *out, unsigned *in) {
    INDEX;
    int at = -1;
#pragma unroll 1
    for (int k = 0; k < 12; k++)
        if (in[i + k] % 7 == 0) {
            at = k;
            break;
        }
    out[i] = at + lane;
}

extern "C" __global__ void do_while(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i], trips = 0;
#pragma unroll 1
    do {
        x = x * 3 + 1;
        trips++;
    } while (x % 8 > 2 && trips < 20);
    out[i] = trips + lane;
}

extern "C" __global__ void nested_loops(unsigned *out, unsigned *in) {
    INDEX;
    unsigned x = in[i];
#pragma unroll 1
    for (int a = 0; a < lane % 3; a++) {
#pragma unroll 1
        for (int b = 0; b < lane % 4; b++) x = x * 3 + a;
    }
    out[i] = x;
}

extern "C" __global__ void long_guard(unsigned *out, unsigned *in, int n) {
    INDEX;
    if (i < n && lane < 31) {
        unsigned x = in[i];
#pragma unroll 1
        for (int k = 0; k < 3; k++) x = x * 3 + in[i + k];
        out[i] = x;
    }
}

extern "C" __global__ void tree_sum(unsigned *out, unsigned *in) {
    __shared__ unsigned s[96];
    INDEX;
    s[threadIdx.x] = in[i];
    __syncthreads();
    for (int d = 48; d > 2; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[2] + lane;
}

// ---- local arrays ----

extern "C" __global__ void local_table(unsigned *out, unsigned *in) {
    INDEX;
    unsigned t[4][8], x = in[i];
#pragma unroll 1
    for (int r = 0; r < 4; r++)
#pragma unroll 1
        for (int c = 0; c < 8; c++) t[r][c] = x + r * c;
    out[i] = t[lane % 4][x % 8];
}

extern "C" __global__ void local_doubles(unsigned *out, unsigned *in) {
    INDEX;
    double t[10];
    unsigned x = in[i];
#pragma unroll 1
    for (int k = 0; k < 10; k++) t[k] = x * 0.5 + k;
    out[i] = (unsigned)t[x % 10] + lane;
}

extern "C" __global__ void local_float4(unsigned *out, unsigned *in) {
    INDEX;
    float4 t[6];
    unsigned x = in[i];
#pragma unroll 1
    for (int k = 0; k < 6; k++) t[k] = make_float4(k, x, k + 2, k + 3);
    float4 v = t[x % 6];
    out[i] = (unsigned)(v.x + v.y + v.z + v.w) + lane;
}

extern "C" __global__ void local_bytes(unsigned *out, unsigned *in) {
    INDEX;
    unsigned char t[40];
    unsigned x = in[i];
#pragma unroll 1
    for (int k = 0; k < 40; k++) t[k] = x + k;
    out[i] = t[x % 40] + lane;
}

unsigned *h_out, *d_in, *d_out;
unsigned long long sum_of(const char *name) {
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_out, d_out, 4 * N * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned long long sum = 0;
    for (int i = 0; i < 4 * N; i++) sum += (unsigned long long)h_out[i] * (i % 17 + 1);
    printf("%s %llu\n", name, sum);
    CHECK(cudaMemset(d_out, 0, 4 * N * sizeof(unsigned)));
    return sum;
}

int main() {
    unsigned *h_in = (unsigned *)malloc(2 * N * sizeof(unsigned));
    h_out = (unsigned *)malloc(4 * N * sizeof(unsigned));
    unsigned x = 7;
    for (int i = 0; i < 2 * N; i++) h_in[i] = (x = x * 1664525u + 1013904223u) >> 22;
    CHECK(cudaMalloc(&d_in, 2 * N * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_out, 4 * N * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_in, h_in, 2 * N * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_out, 0, 4 * N * sizeof(unsigned)));
#define RUN(name)                          \
    name<<<BLOCKS, THREADS>>>(d_out, d_in); \
    sum_of(#name)
    RUN(if_1);
    RUN(if_3);
    RUN(if_12);
    RUN(if_else_store);
    RUN(if_three_stores);
    RUN(if_two_loads);
    RUN(if_atomic);
    RUN(else_if_chain);
    RUN(clamp);
    RUN(both_conditions);
    RUN(loop_with_if);
    RUN(lane_loop_with_if);
    RUN(find_first);
    RUN(do_while);
    RUN(nested_loops);
    long_guard<<<BLOCKS, THREADS>>>(d_out, d_in, N - 50);
    sum_of("long_guard");
    RUN(tree_sum);
    RUN(local_table);
    RUN(local_doubles);
    RUN(local_float4);
    RUN(local_bytes);
    free(h_in);
    free(h_out);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
