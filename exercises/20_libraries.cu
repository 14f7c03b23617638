// Lesson 20: the same jobs by hand and by library.
//
// Four jobs are done by kernels as you would write them (given). You do the same four with a library, and then put them
// into a loop. The places marked TODO are yours, 1 to 8. Save after each; the verdict says what to mend next.
#include <cublas_v2.h>
#include <cub/block/block_reduce.cuh>
#include <cuda_runtime.h>
#include <curand.h>
#include <cusolverDn.h>

#include "lessons/20_libraries/interface.h"

// [tools]
// Given. What all jobs share.
struct Tools {
    cudaStream_t stream;
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    curandGenerator_t random;
    int* d_info;   // where calls tell how it went, when nobody will ask
    void* d_room;  // memory to work in, which a call may ask for
    size_t room_bytes;
    unsigned int seed, calls;  // of noise_by_hand
};
// [/tools]

// [errors]
// Given. Each library has an error type of its own; 0 is success in all of them.
#define TRY(call)                                              \
    do {                                                       \
        if (int error = static_cast<int>(call)) return error;  \
    } while (0)
// [/errors]

// [room]
// Given. Memory of the device to work in: the same for every call, made larger where a call wants more. nullptr: there is none.
static void* room(Tools* tools, size_t bytes) {
    if (bytes <= tools->room_bytes) return tools->d_room;
    cudaFreeAsync(tools->d_room, tools->stream);
    tools->d_room = nullptr;
    tools->room_bytes = 0;
    if (cudaMallocAsync(&tools->d_room, bytes, tools->stream) != cudaSuccess) return nullptr;
    tools->room_bytes = bytes;
    return tools->d_room;
}
// [/room]

// [open]
extern "C" int open_tools(unsigned long long seed, Tools** opened) {
    Tools* tools = *opened = new Tools{};
    TRY(cudaStreamCreate(&tools->stream));
    TRY(cudaMalloc(&tools->d_info, sizeof(int)));
    tools->seed = seed;
    // TODO: (1) make a handle of cuBLAS, one of cuSOLVER, and a generator of cuRAND (CURAND_RNG_PSEUDO_PHILOX4_32_10). Tell each of them to work in tools->stream, and the generator its seed.
    return 0;
}
// [/open]

extern "C" int close_tools(Tools* tools) {
    int error = cudaStreamSynchronize(tools->stream);
    if (tools->blas) cublasDestroy(tools->blas);
    if (tools->solver) cusolverDnDestroy(tools->solver);
    if (tools->random) curandDestroyGenerator(tools->random);
    if (tools->d_room) cudaFree(tools->d_room);
    cudaFree(tools->d_info);
    cudaStreamDestroy(tools->stream);
    delete tools;
    return error;
}

// ---- 1: a product ----

// [multiply_by_hand]
// Given. Lesson 18's tiles.
constexpr int tile = 32;

__global__ void multiply_by_hand_kernel(const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    __shared__ float a[tile][tile], b[tile][tile];
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int from = 0; from < k; from += tile) {
        int a_column = from + threadIdx.x, b_row = from + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < m && a_column < k ? d_a[size_t(row) * k + a_column] : 0;
        b[threadIdx.y][threadIdx.x] = b_row < k && column < n ? d_b[size_t(b_row) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) d_c[size_t(row) * n + column] = sum;
}
// [/multiply_by_hand]

extern "C" int multiply_by_hand(Tools* tools, const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    dim3 block(tile, tile), grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    multiply_by_hand_kernel<<<grid, block, 0, tools->stream>>>(d_a, d_b, d_c, m, n, k);
    return cudaGetLastError();
}

// [multiply]
extern "C" int multiply(Tools* tools, const float* d_a, const float* d_b, float* d_c, int m, int n, int k) {
    const float one = 1, zero = 0;
    // TODO: (2) the product, by cublasSgemm. To cuBLAS, memory is column-major: what is a row to you is a column to it.
    return 0;
}
// [/multiply]

// ---- 2: a fit ----

// [equations_by_hand]
// Given. A thread for each element of the transpose times the matrix; those of row 0 make the right side, too.
__global__ void equations_by_hand_kernel(const float* d_a, const float* d_y, int m, int n, float* d_gram, float* d_right) {
    int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) return;
    float sum = 0, right = 0;
    for (int r = 0; r < m; ++r) {
        const float* a = d_a + size_t(r) * n;
        sum += a[row] * a[column];
        if (row == 0) right += a[column] * d_y[r];
    }
    d_gram[row * n + column] = sum;
    if (row == 0) d_right[column] = right;
}
// [/equations_by_hand]

// [solve_by_hand]
// Given. One block, a thread for each row: Cholesky's lower triangle in place, then both substitutions. d_x comes as the right side.
__global__ void solve_by_hand_kernel(float* d_gram, float* d_x, int n, int* d_info) {
    __shared__ float l[most_unknowns][most_unknowns + 1], x[most_unknowns];
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j) l[i][j] = d_gram[i * n + j];
    x[i] = d_x[i];
    __syncthreads();
    for (int j = 0; j < n; ++j) {
        if (!(l[j][j] > 0)) {  // for all threads or none
            if (i == 0) *d_info = j + 1;
            return;
        }
        float root = sqrtf(l[j][j]);
        __syncthreads();
        if (i == j) l[j][j] = root;
        if (i > j) l[i][j] /= root;
        __syncthreads();
        for (int k = j + 1; k <= i; ++k) l[i][k] -= l[i][j] * l[k][j];
        __syncthreads();
    }
    for (int j = 0; j < n; ++j) {
        if (i == j) x[j] /= l[j][j];
        __syncthreads();
        if (i > j) x[i] -= l[i][j] * x[j];
    }
    for (int j = n - 1; j >= 0; --j) {
        __syncthreads();
        if (i == j) x[j] /= l[j][j];
        __syncthreads();
        if (i < j) x[i] -= l[j][i] * x[j];
    }
    d_x[i] = x[i];
    if (i == 0) *d_info = 0;
}
// [/solve_by_hand]

extern "C" int fit_by_hand(Tools* tools, const float* d_a, const float* d_y, int m, int n, float* d_gram, float* d_x,
                           int* d_info) {
    dim3 grid((n + 31) / 32, n);
    equations_by_hand_kernel<<<grid, 32, 0, tools->stream>>>(d_a, d_y, m, n, d_gram, d_x);
    TRY(cudaGetLastError());
    solve_by_hand_kernel<<<1, n, 0, tools->stream>>>(d_gram, d_x, n, d_info);
    return cudaGetLastError();
}

// [normal_equations]
extern "C" int normal_equations(Tools* tools, const float* d_a, const float* d_y, int m, int n, float* d_gram,
                                float* d_right) {
    const float one = 1, zero = 0;
    // TODO: (3) d_gram by cublasSgemm, d_right by cublasSgemv. What does cuBLAS take d_a for, and which of the two is the transpose to it?
    return 0;
}
// [/normal_equations]

// [factor]
// d_gram becomes a triangle by which systems can be solved. *d_info: as fit says it.
static int factor(Tools* tools, float* d_gram, int n, int* d_info) {
    // TODO: (4) ask cusolverDnSpotrf_bufferSize how many floats it wants, get them from room(), and call cusolverDnSpotrf.
    return 0;
}

// d_x comes as the right side and becomes the solution.
static int substitute(Tools* tools, const float* d_triangle, int n, float* d_x) {
    // TODO: (5) cusolverDnSpotrs, with one right side. It tells how it went, too: where may it write that?
    return 0;
}
// [/factor]

// [fit]
extern "C" int fit(Tools* tools, const float* d_a, const float* d_y, int m, int n, float* d_gram, float* d_x, int* d_info) {
    TRY(normal_equations(tools, d_a, d_y, m, n, d_gram, d_x));
    TRY(factor(tools, d_gram, n, d_info));
    return substitute(tools, d_gram, n, d_x);
}
// [/fit]

// ---- 3: random numbers ----

// [noise_by_hand]
// Given. Bits that look random, out of a number: multiply and fold, twice over (the factors are those of MurmurHash3).
__device__ unsigned int scrambled(unsigned int x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

// Two numbers of even distribution become one of a normal distribution (Box and Muller, 1958).
__global__ void noise_by_hand_kernel(float* d_out, int n, float sigma, unsigned int call) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned int first = scrambled(scrambled(call) + 2 * i), second = scrambled(scrambled(call) + 2 * i + 1);
    float u = (first + 1.0f) / 4294967808.0f, v = second / 4294967296.0f;  // above 0, up to 1
    d_out[i] = sigma * sqrtf(-2 * logf(u)) * cospif(2 * v);
}
// [/noise_by_hand]

extern "C" int noise_by_hand(Tools* tools, float* d_out, int n, float sigma) {
    noise_by_hand_kernel<<<(n + 255) / 256, 256, 0, tools->stream>>>(d_out, n, sigma, tools->seed + ++tools->calls);
    return cudaGetLastError();
}

// [noise]
extern "C" int noise(Tools* tools, float* d_out, int n, float sigma) {
    // TODO: (6) n random numbers of a normal distribution, by curandGenerateNormal.
    return 0;
}
// [/noise]

// ---- 4: mean and deviation ----

// [moments_by_hand]
// Given. The sum over a block, for all its threads: lesson 16's tree, by shuffles and shared memory.
constexpr int threads = 256;

__device__ float sum_by_hand(float x) {
    __shared__ float of_warp[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    for (int step = warpSize / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffff, x, step);
    __syncthreads();  // nobody reads the sums of the last call any more
    if (lane == 0) of_warp[warp] = x;
    __syncthreads();
    x = lane < threads / 32 ? of_warp[lane] : 0;
    for (int step = warpSize / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffff, x, step);
    return x;
}

__global__ void moments_by_hand_kernel(const float* d_x, int n, int stride, float* d_moments) {
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += threads) sum += d_x[size_t(i) * stride];
    float mean = sum_by_hand(sum) / n;
    for (int i = threadIdx.x; i < n; i += threads) {
        float away = d_x[size_t(i) * stride] - mean;
        squares += away * away;
    }
    squares = sum_by_hand(squares);
    if (threadIdx.x > 0) return;
    d_moments[0] = mean;
    d_moments[1] = sqrtf(squares / n);
}
// [/moments_by_hand]

extern "C" int moments_by_hand(Tools* tools, const float* d_x, int n, int stride, float* d_moments) {
    moments_by_hand_kernel<<<1, threads, 0, tools->stream>>>(d_x, n, stride, d_moments);
    return cudaGetLastError();
}

// [moments]
__global__ void moments_kernel(const float* d_x, int n, int stride, float* d_moments) {
    using BlockReduce = cub::BlockReduce<float, threads>;
    __shared__ typename BlockReduce::TempStorage memory;
    __shared__ float mean;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += threads) sum += d_x[size_t(i) * stride];
    // TODO: (7) the mean, by BlockReduce(memory).Sum. Only thread 0 gets the sum of the block, and all threads need the mean.
    if (threadIdx.x == 0) mean = sum / n;
    for (int i = threadIdx.x; i < n; i += threads) {
        float away = d_x[size_t(i) * stride] - mean;
        squares += away * away;
    }
    // TODO: (7, too) the squares of all threads. May `memory` be used again already?
    if (threadIdx.x > 0) return;
    d_moments[0] = mean;
    d_moments[1] = sqrtf(squares / n);
}
// [/moments]

extern "C" int moments(Tools* tools, const float* d_x, int n, int stride, float* d_moments) {
    moments_kernel<<<1, threads, 0, tools->stream>>>(d_x, n, stride, d_moments);
    return cudaGetLastError();
}

// ---- all of them ----

// [spread]
extern "C" int spread(Tools* tools, const Spread* job) {
    const float one = 1, zero = 0;
    const int m = job->m, n = job->n;
    // The matrix is the same in all rounds: it is factored once. What stands in d_fits here is overwritten by the first round.
    TRY(normal_equations(tools, job->d_a, job->d_y, m, n, job->d_gram, job->d_fits));
    TRY(factor(tools, job->d_gram, n, job->d_info));
    // TODO: (8) the rounds. In each: noise into its row of d_noisy, d_y added to it (cublasSaxpy), the right side of that into the round's row of d_fits (cublasSgemv), and the solution in its place.
    // Number `which` of each fit, n floats apart.
    return moments(tools, job->d_fits + job->which, job->rounds, n, job->d_moments);
}
// [/spread]
