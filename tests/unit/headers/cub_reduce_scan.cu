// CUB's reductions and scans of warps and blocks. What each must give is worked out by a loop of the host.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

int failures = 0;

void check(bool is_right, const char* what) {
    if (is_right) return;
    ++failures;
    std::printf("wrong: %s\n", what);
}

constexpr int threads = 160;  // five warps
constexpr int items = 3;

int value_of(int i) {
    return (i * 7919 + 13) % 1009 - 300;
}

struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
// Not commutative: what comes first matters.
struct Line {
    int factor, shift;
};
struct Compose {
    __host__ __device__ Line operator()(const Line& f, const Line& g) const {
        return {g.factor * f.factor, g.factor * f.shift + g.shift};
    }
};

// Runs `kernel` in one block of `count` threads on their values; what each wrote to its `columns` places.
template <class T, class Kernel>
std::vector<T> run(Kernel kernel, int count, int columns, const std::vector<T>& in) {
    T *d_in, *d_out;
    const std::vector<T> unset(static_cast<size_t>(count) * columns, T{-12345});
    cudaMalloc(&d_in, in.size() * sizeof(T));
    cudaMalloc(&d_out, unset.size() * sizeof(T));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, unset.data(), unset.size() * sizeof(T), cudaMemcpyHostToDevice);
    kernel<<<1, count>>>(d_in, d_out);
    std::vector<T> out(unset.size());
    check(cudaMemcpy(out.data(), d_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess,
          "a kernel");
    cudaFree(d_in);
    cudaFree(d_out);
    return out;
}

std::vector<int> values(int count) {
    std::vector<int> all(count);
    for (int i = 0; i < count; ++i) all[i] = value_of(i);
    return all;
}

// ---- warps ----

template <int size>
__global__ void warp_reduce(const int* in, int* out) {
    using WarpReduce = cub::WarpReduce<int, size>;
    __shared__ typename WarpReduce::TempStorage storage[threads / size];
    const int i = threadIdx.x, part = i / size;
    const int sum = WarpReduce(storage[part]).Sum(in[i]);
    const int largest = WarpReduce(storage[part]).Reduce(in[i], Larger());
    const int of_some = WarpReduce(storage[part]).Sum(in[i], size / 2 + 1);
    const int of_segment = WarpReduce(storage[part]).HeadSegmentedSum(in[i], i % 5 == 0);
    const int to_tail = WarpReduce(storage[part]).TailSegmentedSum(in[i], i % 5 == 0);
    if (i % size == 0) {
        out[4 * part] = sum;
        out[4 * part + 1] = largest;
        out[4 * part + 2] = of_some;
        out[4 * part + 3] = to_tail;
    }
    if (i % size == 0 || i % 5 == 0) out[4 * threads + i] = of_segment;
}

template <int size>
void warp_reductions() {
    const std::vector<int> in = values(threads), out = run(warp_reduce<size>, threads, 5, in);
    bool is_right = true;
    for (int part = 0; part < threads / size; ++part) {
        int sum = 0, largest = -1000, of_some = 0, to_tail = 0;
        bool ended = false;
        for (int i = part * size; i < (part + 1) * size; ++i) {
            sum += in[i];
            largest = Larger()(largest, in[i]);
            if (i % size < size / 2 + 1) of_some += in[i];
            if (!ended) to_tail += in[i];
            ended = ended || i % 5 == 0;
        }
        is_right = is_right && out[4 * part] == sum && out[4 * part + 1] == largest &&
                   out[4 * part + 2] == of_some && out[4 * part + 3] == to_tail;
    }
    check(is_right, "WarpReduce");
    for (int i = 0; i < threads; ++i) {
        if (i % size != 0 && i % 5 != 0) continue;
        int sum = in[i];
        for (int j = i + 1; j % size != 0 && j % 5 != 0; ++j) sum += in[j];
        is_right = is_right && out[4 * threads + i] == sum;
    }
    check(is_right, "WarpReduce of segments");
}

template <int size>
__global__ void warp_scan(const int* in, int* out) {
    using WarpScan = cub::WarpScan<int, size>;
    __shared__ typename WarpScan::TempStorage storage[threads / size];
    const int i = threadIdx.x, part = i / size;
    int result, aggregate;
    WarpScan(storage[part]).InclusiveSum(in[i], result);
    out[6 * i] = result;
    WarpScan(storage[part]).ExclusiveSum(in[i], result, aggregate);
    out[6 * i + 1] = result;
    out[6 * i + 2] = aggregate;
    WarpScan(storage[part]).InclusiveScan(in[i], result, Larger());
    out[6 * i + 3] = result;
    WarpScan(storage[part]).ExclusiveScan(in[i], result, 7, Larger());
    out[6 * i + 4] = result;
    out[6 * i + 5] = WarpScan(storage[part]).Broadcast(in[i], 3);
}

template <int size>
void warp_scans() {
    const std::vector<int> in = values(threads), out = run(warp_scan<size>, threads, 6, in);
    bool is_right = true;
    for (int begin = 0; begin < threads; begin += size) {
        int all = 0, sum = 0, largest = -1000, from_7 = 7;
        for (int i = begin; i < begin + size; ++i) all += in[i];
        for (int i = begin; i < begin + size; ++i) {
            const int* o = &out[6 * i];
            is_right = is_right && o[1] == sum && o[4] == from_7;
            sum += in[i];
            largest = Larger()(largest, in[i]);
            from_7 = Larger()(from_7, in[i]);
            is_right = is_right && o[0] == sum && o[2] == all && o[3] == largest && o[5] == in[begin + 3];
        }
    }
    check(is_right, "WarpScan");
}

// ---- blocks ----

template <cub::BlockReduceAlgorithm algorithm>
__global__ void block_reduce(const int* in, int* out) {
    using BlockReduce = cub::BlockReduce<int, threads, algorithm>;
    __shared__ typename BlockReduce::TempStorage storage;
    const int i = threadIdx.x;
    int several[items];
    for (int k = 0; k < items; ++k) several[k] = in[i * items + k];
    const int sum = BlockReduce(storage).Sum(in[i]);
    __syncthreads();
    const int largest = BlockReduce(storage).Reduce(in[i], Larger());
    __syncthreads();
    const int of_some = BlockReduce(storage).Sum(in[i], 70);
    __syncthreads();
    const int of_all = BlockReduce(storage).Sum(several);
    if (i == 0) {
        out[0] = sum;
        out[1] = largest;
        out[2] = of_some;
        out[3] = of_all;
    }
}

template <cub::BlockReduceAlgorithm algorithm>
void block_reductions() {
    const std::vector<int> in = values(threads * items),
                           out = run(block_reduce<algorithm>, threads, items, in);
    int sum = 0, largest = -1000, of_some = 0, of_all = 0;
    for (int i = 0; i < threads * items; ++i) {
        of_all += in[i];
        if (i < threads) sum += in[i];
        if (i < threads) largest = Larger()(largest, in[i]);
        if (i < 70) of_some += in[i];
    }
    check(out[0] == sum && out[1] == largest && out[2] == of_some && out[3] == of_all, "BlockReduce");
}

// A block of two dimensions, with CUB's own shared memory.
__global__ void plane_reduce(const float* in, float* out) {
    const int i = threadIdx.x + 10 * threadIdx.y;
    const float sum = cub::BlockReduce<float, 10, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 7>().Sum(in[i]);
    if (i == 0) *out = sum;
}

void planes() {
    float *d, sum = 0;
    std::vector<float> in(70);
    for (int i = 0; i < 70; ++i) in[i] = 0.5f * i;
    cudaMalloc(&d, 71 * sizeof(float));
    cudaMemcpy(d, in.data(), 70 * sizeof(float), cudaMemcpyHostToDevice);
    plane_reduce<<<1, dim3(10, 7)>>>(d, d + 70);
    cudaMemcpy(&sum, d + 70, sizeof(float), cudaMemcpyDeviceToHost);
    check(sum == 0.5f * 70 * 69 / 2, "BlockReduce of a plane");
    cudaFree(d);
}

// What a block hands on to the next of its tiles.
struct Running {
    int total;
    __device__ int operator()(int aggregate) {
        const int before = total;
        total += aggregate;
        return before;
    }
};

template <cub::BlockScanAlgorithm algorithm>
__global__ void block_scan(const int* in, int* out) {
    using BlockScan = cub::BlockScan<int, threads, algorithm>;
    __shared__ typename BlockScan::TempStorage storage;
    const int i = threadIdx.x;
    int several[items], aggregate, result;
    for (int k = 0; k < items; ++k) several[k] = in[i * items + k];
    int* mine = out + 12 * i;
    BlockScan(storage).InclusiveSum(in[i], result, aggregate);
    mine[0] = result;
    mine[1] = aggregate;
    __syncthreads();
    BlockScan(storage).ExclusiveSum(in[i], result);
    mine[2] = result;
    __syncthreads();
    BlockScan(storage).ExclusiveScan(in[i], result, 5, Larger());
    mine[3] = result;
    __syncthreads();
    BlockScan(storage).InclusiveScan(in[i], result, Larger());
    mine[4] = result;
    Running running{1000};
    for (int tile = 0; tile < 2; ++tile) {
        __syncthreads();
        BlockScan(storage).ExclusiveSum(in[i], result, running);
        mine[5 + tile] = result;
    }
    __syncthreads();
    BlockScan(storage).ExclusiveSum(several, several, aggregate);
    for (int k = 0; k < items; ++k) mine[7 + k] = several[k];
    mine[10] = aggregate;
    __syncthreads();
    BlockScan(storage).InclusiveScan(several, several, Larger());
    mine[11] = several[items - 1];
}

template <cub::BlockScanAlgorithm algorithm>
void block_scans() {
    const std::vector<int> in = values(threads * items), out = run(block_scan<algorithm>, threads, 12, in);
    int all = 0, sum = 0, largest = -1000, from_5 = 5, of_items = 0, all_items = 0, largest_sum = -100000;
    for (int i = 0; i < threads; ++i) all += in[i];
    for (int i = 0; i < threads * items; ++i) all_items += in[i];
    bool is_right = true;
    for (int i = 0; i < threads; ++i) {
        const int* mine = &out[12 * i];
        is_right = is_right && mine[2] == sum && mine[3] == from_5 && mine[5] == 1000 + sum &&
                   mine[6] == 1000 + all + sum;
        sum += in[i];
        largest = Larger()(largest, in[i]);
        from_5 = Larger()(from_5, in[i]);
        is_right =
            is_right && mine[0] == sum && mine[1] == all && mine[4] == largest && mine[10] == all_items;
        for (int k = 0; k < items; ++k) {
            is_right = is_right && mine[7 + k] == of_items;
            largest_sum = Larger()(largest_sum, of_items);
            of_items += in[i * items + k];
        }
        is_right = is_right && mine[11] == largest_sum;
    }
    check(is_right, "BlockScan");
}

__global__ void compose(const Line* in, Line* out) {
    using BlockScan = cub::BlockScan<Line, threads>;
    using BlockReduce = cub::BlockReduce<Line, threads>;
    __shared__ union {
        typename BlockScan::TempStorage scan;
        typename BlockReduce::TempStorage reduce;
    } storage;
    const int i = threadIdx.x;
    Line result;
    BlockScan(storage.scan).InclusiveScan(in[i], result, Compose());
    out[i] = result;
    __syncthreads();
    const Line whole = BlockReduce(storage.reduce).Reduce(in[i], Compose());
    if (i == 0) out[threads] = whole;
}

void compositions() {
    std::vector<Line> in(threads), out(threads + 1);
    for (int i = 0; i < threads; ++i) in[i] = {i % 3 - 1, i % 7};
    Line* d;
    cudaMalloc(&d, (2 * threads + 1) * sizeof(Line));
    cudaMemcpy(d, in.data(), threads * sizeof(Line), cudaMemcpyHostToDevice);
    compose<<<1, threads>>>(d, d + threads);
    cudaMemcpy(out.data(), d + threads, (threads + 1) * sizeof(Line), cudaMemcpyDeviceToHost);
    Line all = in[0];
    bool is_right = true;
    for (int i = 0; i < threads; ++i) {
        if (i != 0) all = Compose()(all, in[i]);
        is_right = is_right && out[i].factor == all.factor && out[i].shift == all.shift;
    }
    check(is_right && out[threads].factor == all.factor && out[threads].shift == all.shift,
          "operators that do not commute");
    cudaFree(d);
}

int main() {
    warp_reductions<32>();
    warp_reductions<16>();
    warp_reductions<4>();
    warp_scans<32>();
    warp_scans<8>();
    block_reductions<cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
    block_reductions<cub::BLOCK_REDUCE_RAKING>();
    planes();
    block_scans<cub::BLOCK_SCAN_RAKING>();
    block_scans<cub::BLOCK_SCAN_WARP_SCANS>();
    compositions();
    std::printf("done, %d failures\n", failures);
}
