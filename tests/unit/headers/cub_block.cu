// CUB's block-wide loads, stores, exchanges, sorts, histograms, shuffles and flags. What each must give is worked out by a
// loop of the host.
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

int failures = 0;

void check(bool is_right, const char* what) {
    if (is_right) return;
    ++failures;
    std::printf("wrong: %s\n", what);
}

constexpr int threads = 128;
constexpr int items = 4;
constexpr int total = threads * items;

int value_of(int i) {
    return (i * 7919 + 13) % 1009 - 300;
}

// What a kernel of one block makes of `in`.
template <class T, class Out, class Kernel>
std::vector<Out> run(const char* what, Kernel kernel, const std::vector<T>& in, int n, Out unset = {}) {
    T* d_in;
    Out* d_out;
    std::vector<Out> out(n, unset);
    cudaMalloc(&d_in, in.size() * sizeof(T));
    cudaMalloc(&d_out, n * sizeof(Out));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(d_out, out.data(), n * sizeof(Out), cudaMemcpyHostToDevice);
    kernel<<<1, threads>>>(d_in, d_out);
    check(cudaMemcpy(out.data(), d_out, n * sizeof(Out), cudaMemcpyDeviceToHost) == cudaSuccess, what);
    cudaFree(d_in);
    cudaFree(d_out);
    return out;
}

std::vector<int> values() {
    std::vector<int> h(total);
    for (int i = 0; i < total; ++i) h[i] = value_of(i);
    return h;
}

// ---- loads and stores ----

// Adds its place in the block to each item, so that it shows which thread had which.
template <cub::BlockLoadAlgorithm loaded, cub::BlockStoreAlgorithm stored, int valid>
__global__ void load_store(const int* in, int* out) {
    using Load = cub::BlockLoad<int, threads, items, loaded>;
    using Store = cub::BlockStore<int, threads, items, stored>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    int mine[items];
    if (valid == total)
        Load(storage.load).Load(in, mine);
    else
        Load(storage.load).Load(in, mine, valid, 0);
    __syncthreads();
    for (int k = 0; k < items; ++k) mine[k] += 1000 * static_cast<int>(threadIdx.x);
    if (valid == total)
        Store(storage.store).Store(out, mine);
    else
        Store(storage.store).Store(out, mine, valid);
}

template <cub::BlockLoadAlgorithm loaded, cub::BlockStoreAlgorithm stored, int valid>
void loads_of(const char* what) {
    const std::vector<int> in = values(), out = run(what, load_store<loaded, stored, valid>, in, total, -7);
    bool is_right = true;
    for (int i = 0; i < total; ++i) {
        const int thread = loaded == cub::BLOCK_LOAD_STRIPED ? i % threads : i / items;
        is_right = is_right && out[i] == (i < valid ? in[i] + 1000 * thread : -7);
    }
    check(is_right, what);
}

template <cub::BlockLoadAlgorithm loaded, cub::BlockStoreAlgorithm stored>
void loads(const char* what) {
    loads_of<loaded, stored, total>(what);
    loads_of<loaded, stored, 333>(what);
}

// ---- exchanges ----

__global__ void exchange(const int* in, int* out) {
    using Exchange = cub::BlockExchange<int, threads, items>;
    __shared__ typename Exchange::TempStorage storage;
    const int thread = threadIdx.x;
    int mine[items], ranks[items];
    for (int k = 0; k < items; ++k) mine[k] = in[thread * items + k];
    Exchange(storage).BlockedToStriped(mine);
    for (int k = 0; k < items; ++k) out[thread + k * threads] = mine[k];
    __syncthreads();
    Exchange(storage).StripedToBlocked(mine);
    __syncthreads();
    Exchange(storage).BlockedToWarpStriped(mine);
    for (int k = 0; k < items; ++k) out[total + thread / 32 * 32 * items + thread % 32 + 32 * k] = mine[k];
    __syncthreads();
    Exchange(storage).WarpStripedToBlocked(mine);
    for (int k = 0; k < items; ++k) ranks[k] = total - 1 - (thread * items + k);
    __syncthreads();
    Exchange(storage).ScatterToBlocked(mine, ranks);
    for (int k = 0; k < items; ++k) out[2 * total + thread * items + k] = mine[k];
}

void exchanges() {
    const std::vector<int> in = values(), out = run("exchange", exchange, in, 3 * total, 0);
    check(std::equal(in.begin(), in.end(), out.begin()), "BlockedToStriped");
    check(std::equal(in.begin(), in.end(), out.begin() + total), "BlockedToWarpStriped");
    check(std::equal(in.rbegin(), in.rend(), out.begin() + 2 * total), "ScatterToBlocked");
}

// ---- sorts ----

template <class Key>
__global__ void radix_sort(const Key* in, Key* out) {
    using Pairs = cub::BlockRadixSort<Key, threads, items, int>;
    using Keys = cub::BlockRadixSort<Key, threads, items>;
    __shared__ union {
        typename Pairs::TempStorage pairs;
        typename Keys::TempStorage keys;
    } storage;
    const int thread = threadIdx.x;
    Key mine[items];
    int from[items];
    for (int k = 0; k < items; ++k) {
        mine[k] = in[thread * items + k];
        from[k] = thread * items + k;
    }
    Pairs(storage.pairs).Sort(mine, from);
    for (int k = 0; k < items; ++k) {
        out[thread * items + k] = mine[k];
        out[total + thread * items + k] = static_cast<Key>(from[k]);
    }
    __syncthreads();
    Keys(storage.keys).SortDescending(mine);
    for (int k = 0; k < items; ++k) out[2 * total + thread * items + k] = mine[k];
    __syncthreads();
    Keys(storage.keys).SortBlockedToStriped(mine);
    for (int k = 0; k < items; ++k) out[3 * total + thread + k * threads] = mine[k];
}

struct ByLastDigit {
    __host__ __device__ bool operator()(int a, int b) const { return (a + 1000) % 10 < (b + 1000) % 10; }
};

__global__ void merge_sort(const int* in, int* out) {
    using Sort = cub::BlockMergeSort<int, threads, items, int>;
    __shared__ typename Sort::TempStorage storage;
    const int thread = threadIdx.x;
    int mine[items], from[items];
    for (int k = 0; k < items; ++k) {
        mine[k] = in[thread * items + k];
        from[k] = thread * items + k;
    }
    Sort(storage).StableSort(mine, from, ByLastDigit());
    for (int k = 0; k < items; ++k) {
        out[thread * items + k] = mine[k];
        out[total + thread * items + k] = from[k];
    }
}

template <class Key, class Less>
void check_order(const char* what, const std::vector<Key>& in, const std::vector<Key>& out, Less less) {
    std::vector<int> order(total);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return less(in[a], in[b]); });
    bool is_right = true;
    for (int i = 0; i < total; ++i)
        is_right = is_right && out[i] == in[order[i]] && out[total + i] == static_cast<Key>(order[i]);
    check(is_right, what);
}

template <class Key>
void radix_sorts(const char* what) {
    const std::vector<int> ints = values();
    std::vector<Key> in(total);
    for (int i = 0; i < total; ++i) in[i] = static_cast<Key>(ints[i] / 7);
    const std::vector<Key> out = run(what, radix_sort<Key>, in, 4 * total, Key{});
    check_order(what, in, out, [](Key a, Key b) { return a < b; });
    check(std::equal(out.begin(), out.begin() + total, out.rbegin() + total),
          what);  // the third, from its end
    check(std::equal(out.begin(), out.begin() + total, out.begin() + 3 * total), what);
}

// ---- histograms, shuffles, flags ----

template <cub::BlockHistogramAlgorithm algorithm>
__global__ void histogram(const unsigned char* in, int* out) {
    using Histogram = cub::BlockHistogram<unsigned char, threads, items, 16, algorithm>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ int bins[16];
    unsigned char mine[items];
    for (int k = 0; k < items; ++k) mine[k] = in[threadIdx.x * items + k];
    Histogram(storage).Histogram(mine, bins);
    __syncthreads();
    Histogram(storage).Composite(mine, bins);
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

template <cub::BlockHistogramAlgorithm algorithm>
void histograms() {
    std::vector<unsigned char> in(total);
    std::vector<int> expected(16);
    for (int i = 0; i < total; ++i) {
        in[i] = static_cast<unsigned char>((value_of(i) + 300) % 13);
        expected[in[i]] += 2;
    }
    check(run("histogram", histogram<algorithm>, in, 16, 0) == expected, "BlockHistogram");
}

struct Differ {
    __device__ bool operator()(int a, int b) const { return a / 100 != b / 100; }
};

__global__ void neighbours(const int* in, int* out) {
    using Shuffle = cub::BlockShuffle<int, threads>;
    using Flags = cub::BlockDiscontinuity<int, threads>;
    __shared__ union {
        typename Shuffle::TempStorage shuffle;
        typename Flags::TempStorage flags;
    } storage;
    const int thread = threadIdx.x;
    int mine[items], heads[items], tails[items], moved = -1;
    for (int k = 0; k < items; ++k) mine[k] = in[thread * items + k];
    Shuffle(storage.shuffle).Offset(mine[0], moved, -3);
    out[thread] = moved;
    __syncthreads();
    Shuffle(storage.shuffle).Rotate(mine[0], moved, 5);
    out[threads + thread] = moved;
    __syncthreads();
    int before[items] = {-1, -1, -1, -1};
    Shuffle(storage.shuffle).Up(mine, before);
    for (int k = 0; k < items; ++k) out[2 * threads + thread * items + k] = before[k];
    __syncthreads();
    Flags(storage.flags).FlagHeadsAndTails(heads, tails, mine, Differ());
    for (int k = 0; k < items; ++k) out[2 * threads + total + thread * items + k] = 2 * heads[k] + tails[k];
}

void neighbourhoods() {
    std::vector<int> in = values();
    std::sort(in.begin(), in.end());
    for (int& x : in) x += 1000;
    const std::vector<int> out = run("neighbours", neighbours, in, 2 * threads + 2 * total, 0);
    bool is_right = true;
    for (int t = 0; t < threads; ++t)
        is_right = is_right && out[t] == (t < 3 ? -1 : in[(t - 3) * items]) &&
                   out[threads + t] == in[(t + 5) % threads * items];
    check(is_right, "BlockShuffle");
    for (int i = 0; i < total; ++i) {
        const bool head = i == 0 || in[i - 1] / 100 != in[i] / 100;
        const bool tail = i == total - 1 || in[i] / 100 != in[i + 1] / 100;
        is_right = is_right && out[2 * threads + i] == (i == 0 ? -1 : in[i - 1]) &&
                   out[2 * threads + total + i] == 2 * head + tail;
    }
    check(is_right, "Up and BlockDiscontinuity");
}

int main() {
    loads<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>("direct");
    loads<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped");
    loads<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectors");
    loads<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>("transposed");
    loads<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("transposed in warps");
    exchanges();
    radix_sorts<int>("ints");
    radix_sorts<float>("floats");
    radix_sorts<short>("shorts");
    check_order("BlockMergeSort", values(), run("merge sort", merge_sort, values(), 2 * total, 0),
                ByLastDigit());
    histograms<cub::BLOCK_HISTO_ATOMIC>();
    histograms<cub::BLOCK_HISTO_SORT>();
    neighbourhoods();
    std::printf("done, %d failures\n", failures);
}
