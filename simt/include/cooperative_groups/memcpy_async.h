// Copies that a group makes together, from global to shared memory.
//
// On a GPU they go on behind the threads' backs until a wait. Here each thread copies its share at the call: a reader that
// does not wait for the group is found as a race with the thread that copied, one that reads its own share is not.
#pragma once

#include "../cooperative_groups.h"

#include "simt/groups/editor_begin.h"

namespace simt::cuda::groups {

template <unsigned Bytes>
struct CopyUnit {
    typedef unsigned type __attribute__((vector_size(Bytes), may_alias));
};
template <>
struct CopyUnit<4> {
    typedef unsigned type __attribute__((may_alias));
};
template <>
struct CopyUnit<1> {
    typedef unsigned char type __attribute__((may_alias));
};

// This thread's part of `bytes` bytes that divide into units, which lie one a thread.
template <unsigned Bytes, class Group>
SIMT_INLINE void copy_units(const Group& group, char* to, const char* from, size_t bytes) {
    using Unit = typename CopyUnit<Bytes>::type;
    const size_t step = static_cast<size_t>(group.num_threads()) * Bytes;
    for (size_t i = static_cast<size_t>(group.thread_rank()) * Bytes; i + Bytes <= bytes; i += step)
        *reinterpret_cast<Unit*>(to + i) = *reinterpret_cast<const Unit*>(from + i);
}

// In the widest units that the addresses allow, and what is left over by bytes.
template <class Group>
SIMT_INLINE void copy_share(const Group& group, void* destination, const void* source, size_t bytes) {
    char* to = static_cast<char*>(destination);
    const char* from = static_cast<const char*>(source);
    const size_t both = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
    const size_t unit = both % 16 == 0 ? 16 : both % 8 == 0 ? 8 : both % 4 == 0 ? 4 : 1;
    const size_t whole = bytes / unit * unit;
    if (unit == 16) copy_units<16>(group, to, from, whole);
    if (unit == 8) copy_units<8>(group, to, from, whole);
    if (unit == 4) copy_units<4>(group, to, from, whole);
    copy_units<1>(group, to + (unit == 1 ? 0 : whole), from + (unit == 1 ? 0 : whole),
                  unit == 1 ? bytes : bytes - whole);
}

}  // namespace simt::cuda::groups

namespace cooperative_groups {

// `bytes`: a number, or one with its alignment (cuda::aligned_size_t).
template <class Group, class T, class Size>
SIMT_INLINE void memcpy_async(const Group& group, T* destination, const T* source, const Size& bytes) {
    ::simt::cuda::groups::copy_share(group, destination, source, static_cast<size_t>(bytes));
}
// Counts in elements: as many as there are on both sides.
template <class Group, class T, class To, class From>
SIMT_INLINE void memcpy_async(const Group& group, T* destination, const To& destination_count,
                              const T* source, const From& source_count) {
    const size_t to = static_cast<size_t>(destination_count), from = static_cast<size_t>(source_count);
    ::simt::cuda::groups::copy_share(group, destination, source, (to < from ? to : from) * sizeof(T));
}

// All copies of the group are done, and all its threads see what they brought.
template <class Group>
SIMT_INLINE void wait(const Group& group, SIMT_HERE) {
    group.sync(w);
}
// The same but for the newest `Stages`, which the machine has done as well.
template <unsigned Stages, class Group>
SIMT_INLINE void wait_prior(const Group& group, SIMT_HERE) {
    group.sync(w);
}

}  // namespace cooperative_groups

#include "simt/groups/editor_end.h"
