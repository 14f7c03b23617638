// Warp operations in fast mode: where the whole warp met, a lane finds its result in what the others brought.
#pragma once

#include "abi.h"  // beside this file, by whatever path it was found

namespace simt {

// The lane that `lane` reads from; itself where the source lies outside its segment (CUDA programming guide,
// warp shuffle functions).
inline int source_lane(int lane, int argument, int width, Shuffle kind) {
    const int segment = lane & ~(width - 1);
    switch (kind) {
        case Shuffle::index:
            return segment + (argument & (width - 1));
        case Shuffle::up:
            return lane - argument >= segment ? lane - argument : lane;
        case Shuffle::down:
            return (lane - segment) + argument < width ? lane + argument : lane;
        case Shuffle::exchange: {
            const int other = lane ^ argument;
            // Lanes of earlier segments may be read, of later ones not.
            return other < segment + width ? other : lane;
        }
    }
    return lane;
}

namespace fast {

inline __attribute__((always_inline)) uint64_t shuffle(unsigned mask, uint64_t value, int argument, int width,
                                                       Shuffle kind) {
    const Switch s = arrive_in_warp(mask, warp_shuffles + static_cast<int>(kind), value, argument, width);
    take(s);
    const WarpRow* row = s.from->row;
    if (__builtin_expect(row == nullptr, 0)) return shuffle_result();
    const int lane = static_cast<int>(s.from->linear % 32);
    const unsigned source = static_cast<unsigned>(source_lane(lane, argument, width, kind)) % 32;
    return (row->active >> source & 1) != 0 ? row->values[source] : value;
}

inline __attribute__((always_inline)) unsigned vote(unsigned mask, uint64_t value, Vote kind,
                                                    int* predicate) {
    const int operation = warp_votes + static_cast<int>(kind);
    const Switch s = arrive_in_warp(mask, operation, value, 0, 32);
    take(s);
    const WarpRow* row = s.from->row;
    if (row != nullptr && kind == Vote::ballot) return row->ballot;
    if (row != nullptr && kind == Vote::all) return row->ballot == row->active;
    if (row != nullptr && kind == Vote::any) return row->ballot != 0;
    return vote_result(operation, predicate);
}

inline __attribute__((always_inline)) unsigned reduce(unsigned mask, unsigned value, Reduce kind) {
    const int operation = warp_reductions + static_cast<int>(kind);
    take(arrive_in_warp(mask, operation, value, 0, 32));
    return reduce_result(operation);
}

}  // namespace fast
}  // namespace simt
