// thread_group, thread_block and grid_group. Part of cooperative_groups.h.
#pragma once

#include "simt/groups/warp.h"

namespace cooperative_groups {

// Any of the groups, where its kind is known when the program runs.
class thread_group {
  public:
    SIMT_INLINE void sync(SIMT_HERE) const;
    SIMT_INLINE unsigned long long size() const { return num_threads(); }
    SIMT_INLINE unsigned long long num_threads() const;
    SIMT_INLINE unsigned long long thread_rank() const;

  protected:
    enum class Kind : unsigned { block, grid, lanes };
    friend struct ::simt::cuda::groups::Access;
    friend thread_group tiled_partition(const thread_group& parent, unsigned size, ::simt::Where w);
    SIMT_INLINE explicit thread_group(Kind kind, ::simt::cuda::groups::Parts parts = {})
        : kind_(kind), parts_(parts) {}
    SIMT_INLINE unsigned lanes() const { return parts_.lanes; }

    Kind kind_;
    ::simt::cuda::groups::Parts parts_;
};

class thread_block : public thread_group {
  public:
    SIMT_INLINE static void sync(SIMT_HERE) {
#if defined(SIMT_FAST)
        (void)w;
        ::simt::fast::barrier();
#else
        ::simt::group_barrier(w);
#endif
    }
    // On a GPU, too, arriving does nothing, and waiting is all of the barrier.
    struct arrival_token {};
    SIMT_INLINE arrival_token barrier_arrive() const {
        return {};
    }
    SIMT_INLINE void barrier_wait(arrival_token&&, SIMT_HERE) const {
        sync(w);
    }

    SIMT_INLINE static unsigned size() {
        return num_threads();
    }
    SIMT_INLINE static unsigned num_threads() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    SIMT_INLINE static unsigned thread_rank() {
        const uint3 t = threadIdx;
        return t.x + blockDim.x * (t.y + blockDim.y * t.z);
    }
    SIMT_INLINE static dim3 group_index() {
        return blockIdx;
    }
    SIMT_INLINE static dim3 thread_index() {
        return threadIdx;
    }
    SIMT_INLINE static dim3 group_dim() {
        return blockDim;
    }
    SIMT_INLINE static dim3 dim_threads() {
        return blockDim;
    }

  private:
    SIMT_INLINE thread_block() : thread_group(Kind::block) {}
    friend thread_block this_thread_block();
};

SIMT_INLINE thread_block this_thread_block() {
    return {};
}

// Shared memory that tiles of several warps work in on older GPUs. Here, and on those that have room of their own for
// it, it is not used.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
    char unused[1];
};
template <unsigned MaxBlockSize>
SIMT_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return this_thread_block();
}

class grid_group : public thread_group {
  public:
    // Can its threads meet? Only those of a cooperative launch can.
    SIMT_INLINE bool is_valid() const { return ::simt::launched_cooperatively(); }
    SIMT_INLINE void sync(SIMT_HERE) const { ::simt::grid_barrier(w); }
    // Arriving and waiting at once, at the wait: a program that is right with the two apart is right with this.
    struct arrival_token {};
    SIMT_INLINE arrival_token barrier_arrive() const { return {}; }
    SIMT_INLINE void barrier_wait(arrival_token&&, SIMT_HERE) const { sync(w); }

    SIMT_INLINE static unsigned long long size() { return num_threads(); }
    SIMT_INLINE static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
    SIMT_INLINE static unsigned long long thread_rank() {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    SIMT_INLINE static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    SIMT_INLINE static unsigned long long block_rank() {
        const uint3 b = blockIdx;
        return b.x + gridDim.x * (b.y + static_cast<unsigned long long>(gridDim.y) * b.z);
    }
    SIMT_INLINE static dim3 dim_blocks() { return gridDim; }
    SIMT_INLINE static dim3 group_dim() { return gridDim; }
    SIMT_INLINE static dim3 dim_threads() {
        return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
    }
    SIMT_INLINE static dim3 block_index() { return blockIdx; }
    SIMT_INLINE static dim3 thread_index() {
        const uint3 t = threadIdx, b = blockIdx;
        return {b.x * blockDim.x + t.x, b.y * blockDim.y + t.y, b.z * blockDim.z + t.z};
    }

  private:
    SIMT_INLINE grid_group() : thread_group(Kind::grid) {}
    friend grid_group this_grid();
};

SIMT_INLINE grid_group this_grid() {
    return {};
}

SIMT_INLINE void thread_group::sync(::simt::Where w) const {
    if (kind_ == Kind::block) return thread_block::sync(w);
    if (kind_ == Kind::grid) return ::simt::grid_barrier(w);
    ::simt::cuda::warp_sync(parts_.lanes, w);
}
SIMT_INLINE unsigned long long thread_group::num_threads() const {
    return kind_ == Kind::block  ? thread_block::num_threads()
           : kind_ == Kind::grid ? grid_group::num_threads()
                                 : ::simt::cuda::groups::count_of(parts_.lanes);
}
SIMT_INLINE unsigned long long thread_group::thread_rank() const {
    return kind_ == Kind::block  ? thread_block::thread_rank()
           : kind_ == Kind::grid ? grid_group::thread_rank()
                                 : ::simt::cuda::groups::rank_among(parts_.lanes);
}

// The functions of the same names, as free ones.
template <class Group>
SIMT_INLINE void sync(const Group& group, SIMT_HERE) {
    group.sync(w);
}
template <class Group>
SIMT_INLINE auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class Group>
SIMT_INLINE auto group_size(const Group& group) -> decltype(group.num_threads()) {
    return group.num_threads();
}

}  // namespace cooperative_groups
