// What the warp operations compute, apart from who waits for whom. Both engines use these.
#pragma once

#include <cstdint>

#include "simt/include/simt/abi.h"
#include "simt/include/simt/fast_warp.h"
#include "simt/include/simt/matrix/layout.h"

namespace simt {

struct WarpValues {
    unsigned active = 0;  // lanes that take part
    uint64_t value[32];
    int source[32];  // shuffles: lane or delta
    int width[32];
    uint64_t result[32];
    int predicate[32];
    int source_lane[32];  // shuffles: 0 to 31
    bool bad_source[32];  // shuffles: the source lane does not take part
    int bad_source_lane[32];
};

void shuffle_values(WarpValues& values, Shuffle kind);
void vote_values(WarpValues& values, Vote kind);
void reduce_values(WarpValues& values, Reduce kind);

struct BlockRun;
struct Lane;
// What a lane brings to a product; to a load or store of a matrix it brings a matrix::Access.
struct WarpProduct {
    const matrix::Shape* shape;
    const matrix::Operands* mine;
};
void complete_matrix(BlockRun& block, const Lane& first, const WarpValues& values, bool multiplies);
// Completes warp operations that can never complete by themselves, after saying why. True: there was one.
bool force_warp_operations(BlockRun& block);

}  // namespace simt
