// blockDim, gridDim and warpSize as variables of the program (device_launch_parameters.h).
//
// The program's launches come in here. Work runs inside enqueue(); when streams become lazy queues, whoever starts a
// launch's threads must set the variables instead.
#include "simt/include/simt/abi.h"

// Programs see constants: within one thread of a kernel they are.
extern "C" {
simt::Index3 simt_block_dim{};
simt::Index3 simt_grid_dim{};
extern const int simt_warp_size;
const int simt_warp_size = 32;

void simt_enqueue_with_extents(const simt::LaunchCall& call, void* arguments) {
    // A kernel may launch kernels: its own extents come back afterwards.
    const simt::Index3 block = simt_block_dim, grid = simt_grid_dim;
    simt_block_dim = call.config.block;
    simt_grid_dim = call.config.grid;
    simt::enqueue(call, arguments);
    simt_block_dim = block;
    simt_grid_dim = grid;
}
}
