// Who the calling thread is, and shuffles of values of any size.
#pragma once

#include <cub/config.cuh>

#include "simt/groups/editor_begin.h"

namespace cub {

SIMT_INLINE unsigned LaneId() {
    return ::simt::lane_index();
}
SIMT_INLINE int RowMajorTid(int block_dim_x, int block_dim_y, int) {
    const uint3 t = threadIdx;
    return static_cast<int>(t.x) +
           block_dim_x * static_cast<int>(t.y + static_cast<unsigned>(block_dim_y) * t.z);
}
SIMT_INLINE unsigned WarpId() {
    const dim3 block = blockDim;
    return static_cast<unsigned>(RowMajorTid(static_cast<int>(block.x), static_cast<int>(block.y), 0)) / 32;
}

// From `src_offset` lanes before; a thread whose source would lie before `first_thread` keeps its own.
template <int LOGICAL_WARP_THREADS, class T>
SIMT_INLINE T ShuffleUp(T input, int src_offset, int first_thread, unsigned, SIMT_HERE) {
    const on_machine::Lanes lanes = on_machine::lanes_here<LOGICAL_WARP_THREADS>();
    const int source = lanes.rank - src_offset;
    return on_machine::value_of(lanes, input, source < first_thread ? lanes.rank : source, w);
}
template <int LOGICAL_WARP_THREADS, class T>
SIMT_INLINE T ShuffleDown(T input, int src_offset, int last_thread, unsigned, SIMT_HERE) {
    const on_machine::Lanes lanes = on_machine::lanes_here<LOGICAL_WARP_THREADS>();
    const int source = lanes.rank + src_offset;
    return on_machine::value_of(lanes, input, source > last_thread ? lanes.rank : source, w);
}
template <int LOGICAL_WARP_THREADS, class T>
SIMT_INLINE T ShuffleIndex(T input, int src_lane, unsigned, SIMT_HERE) {
    return on_machine::value_of(on_machine::lanes_here<LOGICAL_WARP_THREADS>(), input, src_lane, w);
}

}  // namespace cub

#include "simt/groups/editor_end.h"
