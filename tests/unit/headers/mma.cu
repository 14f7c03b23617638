// mma.h: products of every shape and type against loops. The numbers are small whole ones, so that every sum is exact.
#include <mma.h>

#include <cstdio>
#include <type_traits>

using namespace nvcuda;

static int failures = 0;

template <class T>
struct Stored {
    using type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
    using type = float;
};

// One warp a tile: D = A B + C, where C is D before. `pad`: more numbers between rows than the tile has.
template <int M, int N, int K, class T, class S, class LayoutA, class LayoutB>
__global__ void product(const typename Stored<T>::type* A, const typename Stored<T>::type* B, S* D, int lda,
                        int ldb, int ldd, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> a;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> b;
    wmma::fragment<wmma::accumulator, M, N, K, S> c;
    wmma::load_matrix_sync(a, A, lda);
    wmma::load_matrix_sync(b, B, ldb);
    wmma::load_matrix_sync(c, D, ldd, layout);
    wmma::mma_sync(c, a, b, c);
    for (int i = 0; i < c.num_elements; ++i) c.x[i] = c.x[i] + c.x[i];
    wmma::store_matrix_sync(D, c, ldd, layout);
}

template <int M, int N, int K, class T, class S, class LayoutA, class LayoutB>
void check(const char* name, wmma::layout_t layout) {
    using F = typename Stored<T>::type;
    constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value,
                   b_rows = std::is_same<LayoutB, wmma::row_major>::value;
    const bool d_rows = layout == wmma::mem_row_major;
    const int pad = 16, lda = (a_rows ? K : M) + pad, ldb = (b_rows ? N : K) + pad,
              ldd = (d_rows ? N : M) + pad;
    const int most = 48 * 48;
    F *A, *B;
    S* D;
    cudaMallocManaged(&A, most * sizeof(F));
    cudaMallocManaged(&B, most * sizeof(F));
    cudaMallocManaged(&D, most * sizeof(S));
    const auto at_a = [=](int row, int column) { return a_rows ? row * lda + column : column * lda + row; };
    const auto at_b = [=](int row, int column) { return b_rows ? row * ldb + column : column * ldb + row; };
    const auto at_d = [=](int row, int column) { return d_rows ? row * ldd + column : column * ldd + row; };
    const auto a_of = [](int row, int column) { return (row * 5 + column * 3) % 7; };
    const auto b_of = [](int row, int column) { return (row * 2 + column * 11) % 5; };
    const auto c_of = [](int row, int column) { return (row + column * 7) % 9; };
    for (int i = 0; i < most; ++i) D[i] = S(77);
    for (int i = 0; i < M; ++i)
        for (int k = 0; k < K; ++k) A[at_a(i, k)] = F(a_of(i, k));
    for (int k = 0; k < K; ++k)
        for (int j = 0; j < N; ++j) B[at_b(k, j)] = F(b_of(k, j));
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) D[at_d(i, j)] = S(c_of(i, j));
    product<M, N, K, T, S, LayoutA, LayoutB><<<1, 32>>>(A, B, D, lda, ldb, ldd, layout);
    cudaDeviceSynchronize();
    int wrong = 0, untouched = 0;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            int sum = c_of(i, j);
            for (int k = 0; k < K; ++k) sum += a_of(i, k) * b_of(k, j);
            wrong += (float)D[at_d(i, j)] != (float)(2 * sum);
        }
    for (int i = 0; i < most; ++i) untouched += (float)D[i] == 77.0f;
    if (wrong != 0 || untouched < most - M * N) {
        std::printf("%s %dx%dx%d: %d wrong, %d untouched\n", name, M, N, K, wrong, untouched);
        ++failures;
    }
    cudaFree(A);
    cudaFree(B);
    cudaFree(D);
}

template <int M, int N, int K, class T, class S>
void check_layouts(const char* name) {
    check<M, N, K, T, S, wmma::row_major, wmma::row_major>(name, wmma::mem_row_major);
    check<M, N, K, T, S, wmma::row_major, wmma::col_major>(name, wmma::mem_col_major);
    check<M, N, K, T, S, wmma::col_major, wmma::row_major>(name, wmma::mem_row_major);
    check<M, N, K, T, S, wmma::col_major, wmma::col_major>(name, wmma::mem_col_major);
}
// Each shape with two of the layouts.
template <class T, class S>
void check_shapes(const char* name) {
    check<16, 16, 16, T, S, wmma::row_major, wmma::row_major>(name, wmma::mem_row_major);
    check<16, 16, 16, T, S, wmma::col_major, wmma::col_major>(name, wmma::mem_col_major);
    check<32, 8, 16, T, S, wmma::row_major, wmma::col_major>(name, wmma::mem_row_major);
    check<8, 32, 16, T, S, wmma::col_major, wmma::row_major>(name, wmma::mem_col_major);
}

// Several warps, tiles of shared memory, sums over k, half out of float.
__global__ void tiled(const half* A, const half* B, half* C, int n) {
    __shared__ __align__(32) half a_tile[16][16], b_tile[4][16][16];
    const int warp = threadIdx.x / 32, row = blockIdx.y * 16, column = (blockIdx.x * 4 + warp) * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[1];
    wmma::fill_fragment(sums[0], 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 256; i += blockDim.x)
            a_tile[i / 16][i % 16] = A[(row + i / 16) * n + k + i % 16];
        for (int i = threadIdx.x % 32; i < 256; i += 32)
            b_tile[warp][i / 16][i % 16] = B[(k + i / 16) * n + column + i % 16];
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(a, &a_tile[0][0], 16);
        wmma::load_matrix_sync(b, &b_tile[warp][0][0], 16);
        wmma::mma_sync(sums[0], a, b, sums[0]);
        __syncthreads();
    }
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> out;
    for (int i = 0; i < out.num_elements; ++i) out.x[i] = __float2half(sums[0].x[i]);
    wmma::store_matrix_sync(C + row * n + column, out, n, wmma::mem_row_major);
}

static void check_tiled() {
    const int n = 128;
    half *A, *B, *C;
    cudaMallocManaged(&A, n * n * sizeof(half));
    cudaMallocManaged(&B, n * n * sizeof(half));
    cudaMallocManaged(&C, n * n * sizeof(half));
    for (int i = 0; i < n * n; ++i) {
        A[i] = half(i % 3);
        B[i] = half(i % 4 - 1);
    }
    tiled<<<dim3(n / 64, n / 16), 128>>>(A, B, C, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            int sum = 0;
            for (int k = 0; k < n; ++k) sum += (i * n + k) % 3 * ((k * n + j) % 4 - 1);
            wrong += (float)C[i * n + j] != (float)sum;
        }
    if (wrong != 0) std::printf("tiled: %d wrong\n", wrong);
    failures += wrong != 0;
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
}

__global__ void saturate(int* out, float* tf32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, stops, wraps;
    wmma::fill_fragment(a, (signed char)100);
    wmma::fill_fragment(b, (signed char)100);
    wmma::fill_fragment(c, 2147483647);
    wmma::mma_sync(stops, a, b, c, true);
    wmma::mma_sync(wraps, a, b, c);
    out[threadIdx.x] = stops.x[0];
    out[32 + threadIdx.x] = wraps.x[7];
    tf32[threadIdx.x] = wmma::__float_to_tf32(1.0f + 0.00048828125f);  // a tie: away from zero
}

static void check_saturation() {
    int* out;
    float* tf32;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&tf32, 32 * sizeof(float));
    saturate<<<1, 32>>>(out, tf32);
    cudaDeviceSynchronize();
    if (out[3] != 2147483647 || out[40] != (int)(2147483647u + 160000u) || tf32[9] != 1.0009765625f) {
        std::printf("saturation: %d %d %g\n", out[3], out[40], tf32[9]);
        ++failures;
    }
    cudaFree(out);
    cudaFree(tf32);
}

int main() {
    check_shapes<half, float>("half to float");
    check_shapes<half, half>("half to half");
    check_shapes<__nv_bfloat16, float>("bfloat16");
    check_shapes<signed char, int>("signed char");
    check_shapes<unsigned char, int>("unsigned char");
    check_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32");
    check<8, 8, 4, double, double, wmma::row_major, wmma::row_major>("double", wmma::mem_row_major);
    check<8, 8, 4, double, double, wmma::col_major, wmma::col_major>("double", wmma::mem_col_major);
    check_tiled();
    check_saturation();
    std::printf("done, %d failures\n", failures);
    return failures != 0;
}
