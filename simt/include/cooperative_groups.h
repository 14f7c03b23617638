// Cooperative groups: a name for some threads, by which they meet and exchange values. Documented by NVIDIA under
// these names. Clusters, and tiles of more than a warp, are not here.
#pragma once

#include "simt/groups/editor_begin.h"

#include "simt/groups/partitions.h"

#include "simt/groups/editor_end.h"
