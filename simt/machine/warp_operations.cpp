#include "simt/machine/warp_operations.h"

#include <algorithm>

namespace simt {
namespace {

uint64_t fold(const WarpValues& values, Reduce kind) {
    bool first = true;
    unsigned result = 0;
    for (unsigned i = 0; i < 32; ++i) {
        if ((values.active >> i & 1) == 0) continue;
        const auto v = static_cast<unsigned>(values.value[i]);
        if (first) {
            result = v;
            first = false;
            continue;
        }
        switch (kind) {
            case Reduce::add_u:
            case Reduce::add_s:
                result += v;
                break;
            case Reduce::min_u:
                result = std::min(result, v);
                break;
            case Reduce::max_u:
                result = std::max(result, v);
                break;
            case Reduce::min_s:
                result = static_cast<unsigned>(std::min(static_cast<int>(result), static_cast<int>(v)));
                break;
            case Reduce::max_s:
                result = static_cast<unsigned>(std::max(static_cast<int>(result), static_cast<int>(v)));
                break;
            case Reduce::bit_and:
                result &= v;
                break;
            case Reduce::bit_or:
                result |= v;
                break;
            case Reduce::bit_xor:
                result ^= v;
                break;
        }
    }
    return result;
}

}  // namespace

void shuffle_values(WarpValues& values, Shuffle kind) {
    for (int i = 0; i < 32; ++i) {
        if ((values.active >> i & 1) == 0) continue;
        const int from = source_lane(i, values.source[i], values.width[i], kind);
        const bool there = from >= 0 && from < 32 && (values.active >> from & 1) != 0;
        values.source_lane[i] = from & 31;
        values.bad_source[i] = !there;
        values.bad_source_lane[i] = from & 31;
        values.result[i] = there ? values.value[from] : values.value[i];
    }
}

void vote_values(WarpValues& values, Vote kind) {
    unsigned ballot = 0;
    for (int i = 0; i < 32; ++i)
        if ((values.active >> i & 1) != 0 && values.value[i] != 0) ballot |= 1u << i;
    for (int i = 0; i < 32; ++i) {
        if ((values.active >> i & 1) == 0) continue;
        unsigned same = 0;
        for (int j = 0; j < 32; ++j)
            if ((values.active >> j & 1) != 0 && values.value[j] == values.value[i]) same |= 1u << j;
        switch (kind) {
            case Vote::all:
                values.result[i] = ballot == values.active;
                break;
            case Vote::any:
                values.result[i] = ballot != 0;
                break;
            case Vote::ballot:
                values.result[i] = ballot;
                break;
            case Vote::uniform:
                values.result[i] = ballot == 0 || ballot == values.active;
                break;
            case Vote::match_any:
                values.result[i] = same;
                break;
            case Vote::match_all:
                values.predicate[i] = same == values.active;
                values.result[i] = same == values.active ? values.active : 0;
                break;
        }
    }
}

void reduce_values(WarpValues& values, Reduce kind) {
    const uint64_t result = fold(values, kind);
    for (auto& r : values.result) r = result;
}

}  // namespace simt
