// faults around CUB's warps and blocks, each at a line of its own that the machine must name.
#include <cub/cub.cuh>

#include <cstdio>

constexpr int threads = 128;

__global__ void twice(const int* in, int* out) {
    using BlockReduce = cub::BlockReduce<int, threads>;
    __shared__ typename BlockReduce::TempStorage storage;
    const int sum = BlockReduce(storage).Sum(in[threadIdx.x]);
    const int largest = BlockReduce(storage).Reduce(in[threadIdx.x], cuda::maximum<>());  // fault: again
    if (threadIdx.x == 0) *out = sum + largest;
}

__global__ void scan_twice(const int* in, int* out) {
    using BlockScan = cub::BlockScan<int, threads>;
    __shared__ typename BlockScan::TempStorage storage;
    int first, second;
    BlockScan(storage).ExclusiveSum(in[threadIdx.x], first);
    BlockScan(storage).InclusiveSum(in[threadIdx.x], second);  // fault: scan again
    out[threadIdx.x] = first + second;
}

__global__ void union_of_two(const int* in, int* out) {
    using Load = cub::BlockLoad<int, threads, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, threads, 4>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
    } storage;
    int items[4];
    Load(storage.load).Load(in, items);
    Sort(storage.sort).Sort(items);  // fault: union
    __syncthreads();
    Sort(storage.sort).SortDescending(items);
    out[threadIdx.x] = items[0];
}

__global__ void some(const int* in, int* out, unsigned n) {
    using BlockReduce = cub::BlockReduce<int, threads>;
    __shared__ typename BlockReduce::TempStorage storage;
    if (threadIdx.x < n) {
        const int sum = BlockReduce(storage).Sum(in[threadIdx.x]);  // fault: some
        if (threadIdx.x == 0) *out = sum;
    }
}

__global__ void half_a_warp(const int* in, int* out) {
    using WarpReduce = cub::WarpReduce<int>;
    __shared__ typename WarpReduce::TempStorage storage;
    if (threadIdx.x < 16) {
        const int sum = WarpReduce(storage).Sum(in[threadIdx.x]);  // fault: half
        if (threadIdx.x == 0) *out = sum;
    }
}

__global__ void everyone(const int* in, int* out) {
    using BlockReduce = cub::BlockReduce<int, threads>;
    __shared__ typename BlockReduce::TempStorage storage;
    out[threadIdx.x] = BlockReduce(storage).Sum(in[threadIdx.x]);  // fault: large
}

int main(int argc, char** argv) {
    int *d_in, *d_out, h_out[threads];
    cudaMalloc(&d_in, 4 * threads * sizeof(int));
    cudaMalloc(&d_out, threads * sizeof(int));
    cudaMemset(d_in, 0, 4 * threads * sizeof(int));
    twice<<<1, threads>>>(d_in, d_out);
    scan_twice<<<1, threads>>>(d_in, d_out);
    union_of_two<<<1, threads>>>(d_in, d_out);
    everyone<<<1, threads>>>(d_in, d_out);
    cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost);
    int same = 0;
    for (int sum : h_out) same += sum == 0;
    std::printf("%d of %d threads have the sum\n", same, threads);
    // Each of these ends all work on the device.
    const char which = argc > 1 ? argv[1][0] : '-';
    if (which == 'w') half_a_warp<<<1, 32>>>(d_in, d_out);
    if (which == 's') some<<<1, threads>>>(d_in, d_out, 100);
    if (which == 'l') everyone<<<1, 2 * threads>>>(d_in, d_out);
    cudaDeviceSynchronize();
}
