// Every function of cooperative groups, checked against values that CUDA's documentation gives them: this program is
// compiled with nvcc as well. Prints the lines that fail, then "done".
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <type_traits>

namespace cg = cooperative_groups;

__device__ int failures;

#define EXPECT(condition)                                  \
    do {                                                   \
        if (!(condition)) {                                \
            atomicAdd(&failures, 1);                       \
            printf("line %d: %s\n", __LINE__, #condition); \
        }                                                  \
    } while (0)

struct Wide {
    double a, b;
    int c, d, e, f;
};
static_assert(sizeof(Wide) == 32);

__device__ unsigned long long rank_of_any(const cg::thread_group& group) {
    return group.thread_rank() + 1000 * group.size();
}

template <unsigned Size, class Parent>
__device__ unsigned size_of(const cg::thread_block_tile<Size, Parent>& tile) {
    return Size + tile.thread_rank() - tile.thread_rank();
}
__device__ unsigned eights(cg::thread_block_tile<8> tile) {
    return tile.meta_group_rank();
}

// <<<(2, 3), (16, 3, 2)>>>
__global__ void blocks_and_grids() {
    const cg::thread_block block = cg::this_thread_block();
    const unsigned i = threadIdx.x + 16 * (threadIdx.y + 3 * threadIdx.z);
    EXPECT(block.thread_rank() == i && cg::thread_rank(block) == i);
    EXPECT(block.size() == 96 && block.num_threads() == 96 && cg::group_size(block) == 96);
    EXPECT(block.group_index().x == blockIdx.x && block.group_index().y == blockIdx.y);
    EXPECT(block.thread_index().z == threadIdx.z && block.thread_index().y == threadIdx.y);
    EXPECT(block.group_dim().x == 16 && block.dim_threads().y == 3 && block.dim_threads().z == 2);
    EXPECT(rank_of_any(block) == 96000 + i);
    __shared__ int sum;
    if (i == 0) sum = 0;
    block.sync();
    atomicAdd(&sum, 1);
    cg::sync(block);
    EXPECT(sum == 96);
    block.barrier_wait(block.barrier_arrive());
    cg::thread_block::sync();

    const cg::grid_group grid = cg::this_grid();
    EXPECT(!grid.is_valid());
    EXPECT(grid.size() == 576 && grid.num_threads() == 576 && grid.num_blocks() == 6);
    EXPECT(grid.block_rank() == blockIdx.x + 2 * blockIdx.y);
    EXPECT(grid.thread_rank() == grid.block_rank() * 96 + i);
    EXPECT(grid.group_dim().x == 2 && grid.dim_blocks().y == 3);
    EXPECT(grid.dim_threads().x == 32 && grid.dim_threads().y == 9 && grid.dim_threads().z == 2);
    EXPECT(grid.block_index().y == blockIdx.y);
    EXPECT(grid.thread_index().x == blockIdx.x * 16 + threadIdx.x);
    EXPECT(cg::this_thread().size() == 1 && cg::this_thread().thread_rank() == 0);
    EXPECT(cg::this_thread().meta_group_rank() == 0 && cg::this_thread().meta_group_size() == 1);
}

// <<<1, 64>>>
__global__ void tiles() {
    const auto block = cg::this_thread_block();
    const unsigned i = threadIdx.x;
    const auto tile = cg::tiled_partition<8>(block);
    static_assert(std::is_same<decltype(tile), const cg::thread_block_tile<8, cg::thread_block>>::value);
    static_assert(decltype(tile)::size() == 8 && tile.num_threads() == 8);
    EXPECT(tile.thread_rank() == i % 8 && tile.meta_group_rank() == i / 8 && tile.meta_group_size() == 8);
    EXPECT(size_of(tile) == 8 && eights(tile) == i / 8);
    EXPECT(rank_of_any(cg::thread_block_tile<8>(tile)) == 8000 + i % 8);
    const auto pair = cg::tiled_partition<2>(tile);
    EXPECT(pair.thread_rank() == i % 2 && pair.meta_group_rank() == i % 8 / 2 && pair.meta_group_size() == 4);
    tile.sync();

    const int v = static_cast<int>(i) * 3;
    EXPECT(tile.shfl(v, 5) == static_cast<int>(i / 8 * 8 + 5) * 3);
    EXPECT(tile.shfl_up(v, 3) == static_cast<int>(i % 8 < 3 ? i : i - 3) * 3);
    EXPECT(tile.shfl_down(v, 3) == static_cast<int>(i % 8 > 4 ? i : i + 3) * 3);
    EXPECT(tile.shfl_xor(v, 6) == static_cast<int>(i ^ 6) * 3);
    EXPECT(tile.shfl(static_cast<short>(v), 1) == static_cast<short>((i / 8 * 8 + 1) * 3));
    EXPECT(tile.shfl(0.5 * v, 2) == 1.5 * (i / 8 * 8 + 2));
    const Wide wide = tile.shfl(Wide{0.5 * i, 1.0, v, 2, 3, static_cast<int>(i)}, 7);
    EXPECT(wide.a == 0.5 * (i / 8 * 8 + 7) && wide.c == static_cast<int>(i / 8 * 8 + 7) * 3);
    EXPECT(wide.b == 1.0 && wide.e == 3 && wide.f == static_cast<int>(i / 8 * 8 + 7));
    const double2 two = tile.shfl_xor(make_double2(i, -1.0 * i), 1);
    EXPECT(two.x == (i ^ 1) && two.y == -1.0 * (i ^ 1));

    EXPECT(tile.any(i % 8 == 4) == 1 && tile.any(i == 64) == 0);
    EXPECT(tile.all(i < 64) == 1 && (tile.all(i < 12) != 0) == (i < 8));
    EXPECT(tile.ballot(i % 8 > 5) == 0xc0);
    EXPECT(tile.match_any(i % 8 / 4) == (i % 8 < 4 ? 0x0fu : 0xf0u));
    int all = 7;
    EXPECT(tile.match_all(i / 8, all) == 0xff && all == 1);
    EXPECT(tile.match_all(i / 4, all) == 0 && all == 0);

    const cg::thread_group four = cg::tiled_partition(block, 4);
    EXPECT(four.size() == 4 && four.thread_rank() == i % 4);
    four.sync();
    const cg::thread_group two_of_four = cg::tiled_partition(four, 2);
    EXPECT(two_of_four.size() == 2 && cg::thread_rank(two_of_four) == i % 2);
}

// <<<1, 32>>>
__global__ void coalesced() {
    const unsigned i = threadIdx.x;
    const auto all = cg::coalesced_threads();
    EXPECT(all.size() == 32 && all.thread_rank() == i && all.meta_group_size() == 1 && all.meta_group_rank() == 0);
    if (i % 3 != 0) return;
    const auto third = cg::coalesced_threads();  // 0, 3, 6 .. 30
    const unsigned rank = i / 3;
    EXPECT(third.num_threads() == 11 && third.thread_rank() == rank);
    EXPECT(third.shfl(i, 4) == 12);
    EXPECT(third.shfl_up(i, 2) == (rank < 2 ? i : i - 6) && third.shfl_down(i, 2) == (rank > 8 ? i : i + 6));
    EXPECT(third.ballot(rank % 2) == 0x2aa);
    EXPECT(third.any(rank == 10) == 1 && third.all(rank < 10) == 0);
    EXPECT(third.match_any(rank / 4) == (rank < 4 ? 0x00fu : rank < 8 ? 0x0f0u : 0x700u));
    int same = 0;
    EXPECT(third.match_all(5, same) == 0x7ff && same == 1);
    const auto four = cg::tiled_partition(third, 4);
    EXPECT(four.size() == (rank < 8 ? 4 : 3) && four.thread_rank() == rank % 4);
    EXPECT(four.meta_group_rank() == rank / 4 && four.meta_group_size() == 3);
    EXPECT(four.shfl(i, 1) == (rank / 4 * 4 + 1) * 3);
    four.sync();
    EXPECT(rank_of_any(four) == four.size() * 1000 + rank % 4);

    const auto parity = cg::binary_partition(third, i % 2 == 1);
    EXPECT(parity.size() == (i % 2 == 1 ? 5 : 6) && parity.thread_rank() == i / 6);
    EXPECT(parity.meta_group_size() == 2 && parity.meta_group_rank() == i % 2);
    EXPECT(cg::binary_partition(third, true).size() == 11);
    const auto label = cg::labeled_partition(third, static_cast<int>(rank % 4) - 2);
    EXPECT(label.size() == (rank % 4 == 3 ? 2 : 3) && label.thread_rank() == rank / 4);
    EXPECT(label.meta_group_rank() == rank % 4 && label.meta_group_size() == 4);
    EXPECT(cg::labeled_partition(third, rank > 3).meta_group_size() == 2);
}

template <class Group>
__device__ void reductions(const Group& group) {
    const int rank = static_cast<int>(group.thread_rank()), n = static_cast<int>(group.num_threads());
    EXPECT(cg::reduce(group, rank, cg::plus<int>()) == n * (n - 1) / 2);
    EXPECT(cg::reduce(group, -rank, cg::less<int>()) == 1 - n);
    EXPECT(cg::reduce(group, 2u + rank, cg::greater<unsigned>()) == 1u + n);
    EXPECT(cg::reduce(group, 6u | 1u << rank, cg::bit_and<unsigned>()) == (n == 1 ? 7u : 6u));
    EXPECT(cg::reduce(group, 1 << rank, cg::bit_or<int>()) == static_cast<int>((2ull << (n - 1)) - 1));
    EXPECT(cg::reduce(group, 5LL, cg::bit_xor<long long>()) == (n % 2 == 1 ? 5 : 0));
    EXPECT(cg::reduce(group, 0.25f * rank, cg::plus<float>()) == 0.125f * n * (n - 1));
    EXPECT(cg::reduce(group, 0.5 * rank, cg::greater<double>()) == 0.5 * (n - 1));
    EXPECT(cg::reduce(group, static_cast<short>(rank), cg::plus<short>()) == n * (n - 1) / 2);
    EXPECT(cg::reduce(group, rank + 1LL, [](long long a, long long b) { return a > b ? a : b; }) == n);
    EXPECT(cg::inclusive_scan(group, rank) == rank * (rank + 1) / 2);
    EXPECT(cg::exclusive_scan(group, rank) == rank * (rank - 1) / 2);
    EXPECT(cg::inclusive_scan(group, 0.5 * rank, cg::plus<double>()) == 0.25 * rank * (rank + 1));
    EXPECT(cg::exclusive_scan(group, 0.5f * rank, cg::plus<float>()) == 0.25f * rank * (rank - 1));
    EXPECT(cg::inclusive_scan(group, (rank * 5) % 7, cg::greater<int>()) >= (rank * 5) % 7);
    EXPECT(cg::exclusive_scan(group, 1u << rank, cg::bit_or<unsigned>()) == (1u << rank) - 1);
    EXPECT(cg::exclusive_scan(group, n - rank, cg::less<int>()) == (rank == 0 ? 0 : n - rank + 1));
    __shared__ int stored[64];
    cg::reduce_store_async(group, &stored[threadIdx.x], rank, cg::plus<int>());
    EXPECT(rank != 0 || stored[threadIdx.x] == n * (n - 1) / 2);
    EXPECT(cg::invoke_one_broadcast(group, [](int x) { return x + 1; }, 41) == 42);
    int called = 0;
    cg::invoke_one(group, [&](int by) { called += by; }, 3);
    EXPECT(cg::reduce(group, called, cg::plus<int>()) == 3);
}

// <<<1, 64>>>
__global__ void collectives() {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    reductions(warp);
    if (warp.thread_rank() < 16) reductions(cg::tiled_partition<16>(warp));
    if (warp.thread_rank() < 1) reductions(cg::tiled_partition<1>(block));
    if (warp.thread_rank() % 4 == 1) reductions(cg::coalesced_threads());
    reductions(cg::coalesced_threads());
}

// <<<1, 64>>>
__global__ void copies(const int* in) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    __shared__ __align__(16) int whole[100];
    __shared__ int part[64];
    cg::memcpy_async(block, whole, in, sizeof whole);
    cg::memcpy_async(tile, part + 16 * tile.meta_group_rank(), 16, in + 16 * tile.meta_group_rank() + 1, 20);
    cg::wait(tile);
    EXPECT(part[threadIdx.x ^ 15] == static_cast<int>(threadIdx.x ^ 15) + 1);
    cg::wait_prior<0>(block);
    EXPECT(whole[99 - threadIdx.x] == static_cast<int>(99 - threadIdx.x));
}

// 4 blocks of 32, cooperative
__global__ void grids(int* x) {
    const auto grid = cg::this_grid();
    EXPECT(grid.is_valid());
    const unsigned i = static_cast<unsigned>(grid.thread_rank());
    x[i] = static_cast<int>(i);
    grid.sync();
    EXPECT(x[127 - i] == static_cast<int>(127 - i));
    cg::sync(grid);
    x[i] = 1;
    grid.barrier_wait(grid.barrier_arrive());
    EXPECT(x[(i + 64) % 128] == 1);
}

#define EXPECT_ON_HOST(condition)                          \
    do {                                                   \
        if (!(condition)) {                                \
            ++wrong;                                       \
            printf("line %d: %s\n", __LINE__, #condition); \
        }                                                  \
    } while (0)

int main() {
    int wrong = 0, in[100], *d_in, *d_x;
    for (int i = 0; i < 100; i++) in[i] = i;
    EXPECT_ON_HOST(cudaMalloc(&d_in, sizeof in) == cudaSuccess);
    EXPECT_ON_HOST(cudaMalloc(&d_x, 128 * sizeof(int)) == cudaSuccess);
    EXPECT_ON_HOST(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice) == cudaSuccess);
    blocks_and_grids<<<dim3(2, 3), dim3(16, 3, 2)>>>();
    tiles<<<1, 64>>>();
    coalesced<<<1, 32>>>();
    collectives<<<1, 64>>>();
    copies<<<1, 64>>>(d_in);
    void* arguments[] = {&d_x};
    EXPECT_ON_HOST(cudaLaunchCooperativeKernel((void*)grids, dim3(4), dim3(32), arguments) == cudaSuccess);
    EXPECT_ON_HOST(cudaLaunchCooperativeKernel(grids, dim3(4), dim3(32), arguments, 16) == cudaSuccess);

    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    EXPECT_ON_HOST(cudaLaunchKernelEx(&config, grids, d_x) == cudaSuccess);
    EXPECT_ON_HOST(cudaLaunchKernelExC(&config, (const void*)grids, arguments) == cudaSuccess);
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = 0;
    EXPECT_ON_HOST(cudaLaunchKernelEx(&config, copies, (const int*)d_in) == cudaSuccess);
    EXPECT_ON_HOST(cudaDeviceSynchronize() == cudaSuccess);

    int each = 0, sms = 0, able = 0;
    cudaDeviceProp properties;
    EXPECT_ON_HOST(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.cooperativeLaunch == 1);
    EXPECT_ON_HOST(cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess && able == 1);
    EXPECT_ON_HOST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
    EXPECT_ON_HOST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, grids, 1024, 0) == cudaSuccess);
    EXPECT_ON_HOST(each > 0);
    int failed = 0;
    EXPECT_ON_HOST(cudaMemcpyFromSymbol(&failed, failures, sizeof failed) == cudaSuccess);
    EXPECT_ON_HOST(cudaFree(d_in) == cudaSuccess && cudaFree(d_x) == cudaSuccess);
    printf("done, %d failures\n", wrong + failed);
}
