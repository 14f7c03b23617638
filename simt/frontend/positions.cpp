#include "simt/frontend/positions.h"

#include <algorithm>

namespace simt::frontend {

Position PositionMap::original(int line, int column) const {
    const auto after = std::upper_bound(
        segments_.begin(), segments_.end(), Position{line, column}, [](const Position& at, const Segment& s) {
            return at.line != s.out.line ? at.line < s.out.line : at.column < s.out.column;
        });
    if (after == segments_.begin()) return {line, column};
    const Segment& segment = *(after - 1);
    if (segment.out.line != line) return {line, column};
    if (!segment.verbatim) return segment.in;
    return {segment.in.line, segment.in.column + column - segment.out.column};
}

}  // namespace simt::frontend
