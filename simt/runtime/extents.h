// blockDim and gridDim as variables: the machine publishes them before it runs a launch's threads.
#pragma once

#include "simt/include/simt/abi.h"

namespace simt {
void publish_extents(Index3 block, Index3 grid);
}  // namespace simt
