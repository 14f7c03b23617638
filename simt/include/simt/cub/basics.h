// What CUB's parts are made of here: room in shared memory, barriers that a message can name, and sets of lanes.
#pragma once

#include "simt/groups/warp.h"
#include "simt/library.h"

#include "simt/groups/editor_begin.h"

namespace cub::on_machine {

using ::simt::Where;

// `count` values in shared memory, unset like any other. The name is not T[count]: T may have constructors.
template <class T, int count>
struct Room {
    alignas(T) unsigned char bytes[sizeof(T) * count];
    SIMT_INLINE T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};
struct NoRoom {};  // of what needs no shared memory

// All threads of the block meet inside a call of CUB. `name`: "barrier in cub::BlockReduce".
SIMT_INLINE void meet([[maybe_unused]] const char* name, [[maybe_unused]] Where w) {
#if defined(SIMT_FAST)
    ::simt::fast::barrier();
#else
    ::simt::library_barrier(name, w);
#endif
}

// What CUB leaves undefined: with checks a value that nobody takes for a result.
template <class T>
SIMT_INLINE void spoil([[maybe_unused]] T& value) {
#if defined(SIMT_CHECKED)
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
        __builtin_memset(&value, 0xFE, sizeof value);
#endif
}

// The threads of a block whose extents are known when it is compiled.
template <int X, int Y, int Z>
struct Threads {
    static constexpr int count = X * Y * Z;
    static constexpr int warps = (count + 31) / 32;
    static_assert(X > 0 && Y > 0 && Z > 0 && count <= 1024, "A block has 1 to 1024 threads.");
    SIMT_INLINE static int rank() {
        const uint3 t = threadIdx;
        if constexpr (Y == 1 && Z == 1) return static_cast<int>(t.x);
        return static_cast<int>(t.x + X * (t.y + Y * t.z));
    }
    SIMT_INLINE static void check(const char* name, Where w) {
        const dim3 block = blockDim;
        if (block.x != X || block.y != Y || block.z != Z) ::simt::refuse_block(name, {X, Y, Z}, w);
    }
};

// Lanes side by side that work together: a warp, or a part of it. Lanes that the block does not have are left out.
struct Lanes {
    unsigned mask;
    int first;  // lane
    int count;
    int rank;  // of the calling thread
};
template <int size>
SIMT_INLINE Lanes lanes_here() {
    static_assert(size >= 1 && size <= 32, "A logical warp has 1 to 32 threads.");
    const uint3 t = threadIdx;
    const dim3 block = blockDim;
    const int lane = static_cast<int>(::simt::lane_index());
    const int thread = static_cast<int>(t.x + block.x * (t.y + block.y * t.z));
    const int there = static_cast<int>(block.x * block.y * block.z) - (thread - lane);
    const int first = lane - lane % size;
    const int end = first + size < there ? first + size : there;
    const int last = end < 32 ? end : 32;
    const unsigned all = last - first == 32 ? ~0u : (1u << (last - first)) - 1;
    return {all << first, first, last - first, lane - first};
}

// What the lane of that rank has, for values of any size; where there is none, the thread's own.
template <class T>
SIMT_INLINE T value_of(const Lanes& lanes, T value, int rank, Where w) {
    static_assert(std::is_trivially_destructible_v<T> && !std::is_polymorphic_v<T>,
                  "CUB moves values between threads byte by byte: no virtual functions, no destructor.");
    constexpr size_t words = (sizeof(T) + 7) / 8;
    uint64_t bits[words] = {};
    __builtin_memcpy(bits, static_cast<const void*>(&value), sizeof(T));
    const int source = rank >= 0 && rank < lanes.count ? rank : lanes.rank;
    ::simt::cuda::groups::shuffle_words(bits, lanes.mask, lanes.first + source, 32, ::simt::Shuffle::index, w,
                                        std::make_index_sequence<words>{});
    __builtin_memcpy(static_cast<void*>(&value), bits, sizeof(T));
    return value;
}

// Of the lanes up to `last`, combined from here on: lane 0 gets all of them. In the order in which a GPU does it, so that
// sums of floating-point numbers come out the same.
template <class T, class Op>
SIMT_INLINE T reduced(const Lanes& lanes, T value, Op op, int last, Where w) {
    for (int step = 1; step < lanes.count; step *= 2) {
        const T other = value_of(lanes, value, lanes.rank + step, w);
        if (lanes.rank + step <= last) value = static_cast<T>(op(value, other));
    }
    return value;
}
// Of this lane and all before it.
template <class T, class Op>
SIMT_INLINE T scanned(const Lanes& lanes, T value, Op op, Where w) {
    for (int step = 1; step < lanes.count; step *= 2) {
        const T other = value_of(lanes, value, lanes.rank - step, w);
        if (lanes.rank >= step) value = static_cast<T>(op(other, value));
    }
    return value;
}

template <class T, int count, class Op>
SIMT_INLINE T reduced_items(const T (&items)[count], Op op) {
    T value = items[0];
    for (int k = 1; k < count; ++k) value = static_cast<T>(op(value, items[k]));
    return value;
}

// One value as an array of one.
template <class T>
SIMT_INLINE T (&as_items(T& value))[1] {
    return reinterpret_cast<T(&)[1]>(value);
}

}  // namespace cub::on_machine

#include "simt/groups/editor_end.h"
