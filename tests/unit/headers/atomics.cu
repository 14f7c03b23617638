// Every atomic function, of every type and scope, in global and in shared memory, with many threads at one place. What the
// threads get and what is left doesn't depend on who comes first, but for the order of what they get.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

using u16 = unsigned short;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

struct alignas(16) Pair {
    u64 a, b;
};

__host__ __device__ Pair pair(int value) {
    return {(u64)value, ~(u64)value};
}

constexpr int blocks = 2, threads = 96;

template <class Case>
__global__ void play(typename Case::T* words, typename Case::T* returned, bool in_shared, int n) {
    using T = typename Case::T;
    __shared__ T mine;
    const int me = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    T* word = in_shared ? &mine : words + me / n;
    if (in_shared && threadIdx.x == 0) mine = Case::start(n);
    __syncthreads();
    returned[me] = Case::apply(word, me % n, n);
    __syncthreads();
    if (in_shared && threadIdx.x == 0) words[blockIdx.x] = mine;
}

// ---- values as numbers: of a vector, each element ----

template <class T>
constexpr int parts = 1;
template <>
constexpr int parts<float2> = 2;
template <>
constexpr int parts<float4> = 4;
template <>
constexpr int parts<Pair> = 2;

template <class T>
i64 part(const T& value, int) {
    return static_cast<i64>(value);
}
template <>
i64 part(const float2& v, int p) {
    return static_cast<i64>(p == 0 ? v.x : v.y / 2);
}
template <>
i64 part(const float4& v, int p) {
    return static_cast<i64>(p == 0 ? v.x : p == 1 ? v.y / 2 : p == 2 ? v.z / 3 : v.w / 4);
}
template <>
i64 part(const Pair& v, int p) {
    return static_cast<i64>(p == 0 ? v.a : ~v.b);
}

// ---- what must come out, of n threads ----

using Numbers = std::vector<i64>;

bool are_from(i64 first, const Numbers& sorted) {
    for (size_t i = 0; i < sorted.size(); ++i)
        if (sorted[i] != first + static_cast<i64>(i)) return false;
    return true;
}
bool up(int n, i64 left, Numbers got) {
    return left == n && are_from(0, got);
}
bool down(int, i64 left, Numbers got) {
    return left == 0 && are_from(1, got);
}
bool ring(int, i64 left, Numbers got) {
    return left == 0 && are_from(0, got);
}
bool exchanged(int, i64 left, Numbers got) {
    got.push_back(left);
    std::sort(got.begin(), got.end());
    return are_from(0, got);
}
// Only the first finds what was there before.
bool lowered(int, i64 left, Numbers got) {
    return left == -50 && got.front() >= left && got.back() == 1000 && got[got.size() - 2] != 1000;
}
bool lowered_unsigned(int, i64 left, Numbers got) {
    return left == 5 && got.front() >= left && got.back() == 1000 && got[got.size() - 2] != 1000;
}
bool raised(int n, i64 left, Numbers got) {
    return left == n && got.back() <= left && got.front() == -1000 && got[1] != -1000;
}
bool raised_unsigned(int n, i64 left, Numbers got) {
    return left == n && got.back() <= left && got.front() == 0 && got[1] != 0;
}

template <class Case>
bool is_right(int n, const typename Case::T& left, const typename Case::T* returned) {
    using T = typename Case::T;
    for (int p = 0; p < parts<T>; ++p) {
        Numbers got;
        for (int i = 0; i < n; ++i) got.push_back(part<T>(returned[i], p));
        std::sort(got.begin(), got.end());
        if (!Case::judge(n, part<T>(left, p), got)) return false;
    }
    return true;
}

// Of the threads at one bit, how many find it as it was, and how it is in the end.
template <class Case>
bool bits_are_right(int n, const typename Case::T& left, const typename Case::T* returned) {
    constexpr int bits = sizeof(typename Case::T) * 8;
    const u64 final_bits = static_cast<u64>(left), start = static_cast<u64>(Case::start(n));
    for (int b = 0; b < bits; ++b) {
        int at_it = 0, found_as_it_was = 0;
        for (int i = b; i < n; i += bits) {
            ++at_it;
            found_as_it_was += (static_cast<u64>(returned[i]) >> b & 1) == (start >> b & 1);
        }
        const bool toggles = Case::toggles, changed = (final_bits >> b & 1) != (start >> b & 1);
        if (changed != (!toggles || at_it % 2 == 1)) return false;
        if (found_as_it_was != (toggles ? (at_it + 1) / 2 : 1)) return false;
    }
    return true;
}

// ---- playing ----

int failures = 0, cases = 0;

template <class Case>
void check(const char* name, bool in_shared) {
    using T = typename Case::T;
    const int n = in_shared || Case::of_block ? threads : blocks * threads;
    const T start = Case::start(n);
    std::vector<T> words(blocks, start), returned(blocks * threads, start);
    T *d_words = nullptr, *d_returned = nullptr;
    cudaMalloc(&d_words, blocks * sizeof(T));
    cudaMalloc(&d_returned, blocks * threads * sizeof(T));
    cudaMemcpy(d_words, words.data(), blocks * sizeof(T), cudaMemcpyHostToDevice);
    play<Case><<<blocks, threads>>>(d_words, d_returned, in_shared, n);
    const cudaError_t launched = cudaGetLastError();
    cudaMemcpy(words.data(), d_words, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemcpy(returned.data(), d_returned, blocks * threads * sizeof(T), cudaMemcpyDeviceToHost);
    const cudaError_t ran = cudaGetLastError();
    cudaFree(d_words);
    cudaFree(d_returned);
    bool right = launched == cudaSuccess && ran == cudaSuccess;
    for (int g = 0; right && g < blocks * threads / n; ++g)
        right = Case::is_right(n, words[g], returned.data() + g * n);
    ++cases;
    failures += !right;
    if (!right) printf("%s, %s memory: wrong\n", name, in_shared ? "shared" : "global");
}

template <class Case>
struct Played {
    Played(std::vector<void (*)()>& all) {
        all.push_back([] {
            check<Case>(Case::name(), false);
            // Vectors of float have no atomic function in shared memory (an H200 leaves it as it was).
            using T = typename Case::T;
            constexpr bool is_vector = std::is_same<T, float2>::value || std::is_same<T, float4>::value;
            if (!is_vector) check<Case>(Case::name(), true);
        });
    }
};

std::vector<void (*)()>& all_cases() {
    static std::vector<void (*)()> all;
    return all;
}

// `call` sees the word `p`, the thread's number `i` and their number `n`.
#define CASE(function, type, block_scope, start_value, call, rightness, extra)           \
    struct Case_##function##_##type {                                                    \
        using T = type;                                                                  \
        static constexpr bool of_block = block_scope;                                    \
        static const char* name() { return #function " " #type; }                        \
        __host__ __device__ static T start(int n) { return (void)n, start_value; }       \
        __device__ static T apply(T* p, int i, int n) { return (void)i, (void)n, call; } \
        static bool is_right(int n, const T& left, const T* returned) {                  \
            return ::rightness<Case_##function##_##type>(n, left, returned);             \
        }                                                                                \
        extra                                                                            \
    };                                                                                   \
    static const Played<Case_##function##_##type> played_##function##_##type(all_cases())

#define JUDGED(how)                                          \
    static bool judge(int n, i64 left, const Numbers& got) { \
        return ::how(n, left, got);                          \
    }
#define SCOPES(function, type, how, start_value, value)                                                 \
    CASE(function, type, false, start_value, function(p, value), is_right, JUDGED(how));                \
    CASE(function##_block, type, true, start_value, function##_block(p, value), is_right, JUDGED(how)); \
    CASE(function##_system, type, false, start_value, function##_system(p, value), is_right, JUDGED(how))

#define BITS(function, type, toggle, start_value, value)                                           \
    CASE(function, type, false, start_value, function(p, value), bits_are_right, TOGGLES(toggle)); \
    CASE(function##_block, type, true, start_value, function##_block(p, value), bits_are_right,    \
         TOGGLES(toggle));                                                                         \
    CASE(function##_system, type, false, start_value, function##_system(p, value), bits_are_right, \
         TOGGLES(toggle))
#define TOGGLES(toggle) static constexpr bool toggles = toggle;
#define BIT(type) (type)(u64{1} << i % (sizeof(type) * 8))

// Counts up by compare-and-swap; the value before.
template <class T>
__device__ T next_after(T value) {
    return static_cast<T>(value + 1);
}
template <>
__device__ Pair next_after(Pair value) {
    return {value.a + 1, ~(value.a + 1)};
}
template <class T>
__device__ bool same(T a, T b) {
    return a == b;
}
template <>
__device__ bool same(Pair a, Pair b) {
    return a.a == b.a && a.b == b.b;
}
#define COUNT_BY_SWAPS(function)                                 \
    template <class T>                                           \
    __device__ T count_by_##function(T* p, T known) {            \
        for (;;) {                                               \
            const T old = function(p, known, next_after(known)); \
            if (same(old, known)) return old;                    \
            known = old;                                         \
        }                                                        \
    }
COUNT_BY_SWAPS(atomicCAS)
COUNT_BY_SWAPS(atomicCAS_block)
COUNT_BY_SWAPS(atomicCAS_system)
#define SWAPS(type, start_value)                                                                          \
    CASE(atomicCAS, type, false, start_value, count_by_atomicCAS<T>(p, start(n)), is_right, JUDGED(up));  \
    CASE(atomicCAS_block, type, true, start_value, count_by_atomicCAS_block<T>(p, start(n)), is_right,    \
         JUDGED(up));                                                                                     \
    CASE(atomicCAS_system, type, false, start_value, count_by_atomicCAS_system<T>(p, start(n)), is_right, \
         JUDGED(up))

SCOPES(atomicAdd, int, up, 0, 1);
SCOPES(atomicAdd, u32, up, 0, 1u);
SCOPES(atomicAdd, u64, up, 0, 1ull);
SCOPES(atomicAdd, float, up, 0, 1.0f);
SCOPES(atomicAdd, double, up, 0, 1.0);
SCOPES(atomicAdd, float2, up, make_float2(0, 0), make_float2(1, 2));
SCOPES(atomicAdd, float4, up, make_float4(0, 0, 0, 0), make_float4(1, 2, 3, 4));

SCOPES(atomicSub, int, down, n, 1);
SCOPES(atomicSub, u32, down, (u32)n, 1u);

SCOPES(atomicExch, int, exchanged, 0, i + 1);
SCOPES(atomicExch, u32, exchanged, 0, (u32)i + 1);
SCOPES(atomicExch, u64, exchanged, 0, (u64)i + 1);
SCOPES(atomicExch, float, exchanged, 0, (float)(i + 1));
CASE(atomicExch, Pair, false, pair(0), atomicExch(p, pair(i + 1)), is_right, JUDGED(exchanged));
CASE(atomicExch_block, Pair, true, pair(0), atomicExch_block(p, pair(i + 1)), is_right, JUDGED(exchanged));
CASE(atomicExch_system, Pair, false, pair(0), atomicExch_system(p, pair(i + 1)), is_right, JUDGED(exchanged));

SCOPES(atomicMin, int, lowered, 1000, i - 50);
SCOPES(atomicMin, u32, lowered_unsigned, 1000, (u32)i + 5);
SCOPES(atomicMin, i64, lowered, 1000, (i64)i - 50);
SCOPES(atomicMin, u64, lowered_unsigned, 1000, (u64)i + 5);
SCOPES(atomicMax, int, raised, -1000, i + 1);
SCOPES(atomicMax, u32, raised_unsigned, 0, (u32)i + 1);
SCOPES(atomicMax, i64, raised, -1000, (i64)i + 1);
SCOPES(atomicMax, u64, raised_unsigned, 0, (u64)i + 1);

SCOPES(atomicInc, u32, ring, 0, (u32)n - 1);
SCOPES(atomicDec, u32, ring, 0, (u32)n - 1);

BITS(atomicAnd, int, false, ~0, ~BIT(int));
BITS(atomicAnd, u32, false, ~0u, ~BIT(u32));
BITS(atomicAnd, i64, false, ~0ll, ~BIT(i64));
BITS(atomicAnd, u64, false, ~0ull, ~BIT(u64));
BITS(atomicOr, int, false, 0, BIT(int));
BITS(atomicOr, u32, false, 0u, BIT(u32));
BITS(atomicOr, i64, false, 0, BIT(i64));
BITS(atomicOr, u64, false, 0, BIT(u64));
BITS(atomicXor, int, true, 0, BIT(int));
BITS(atomicXor, u32, true, 0u, BIT(u32));
BITS(atomicXor, i64, true, 0, BIT(i64));
BITS(atomicXor, u64, true, 0, BIT(u64));

SWAPS(int, 0);
SWAPS(u32, 0);
SWAPS(u64, 0);
// CUDA 13 has no other scope of this one.
CASE(atomicCAS, u16, false, 0, count_by_atomicCAS<T>(p, start(n)), is_right, JUDGED(up));
SWAPS(Pair, pair(0));

int main() {
    for (const auto play_one : all_cases()) play_one();
    printf("done, %d of %d failed\n", failures, cases);
    return failures != 0;
}
