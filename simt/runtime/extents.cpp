#include "simt/runtime/extents.h"

// Programs see these as constants (device_launch_parameters.h): within one thread of a kernel they are.
extern "C" {
simt::Index3 simt_block_dim{};
simt::Index3 simt_grid_dim{};
extern const int simt_warp_size;
const int simt_warp_size = 32;
}

namespace simt {

void publish_extents(Index3 block, Index3 grid) {
    simt_block_dim = block;
    simt_grid_dim = grid;
}

}  // namespace simt
