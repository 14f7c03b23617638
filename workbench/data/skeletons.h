// How a hand draws each digit: strokes as points that a smooth line goes through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

// x to the right, y down; a digit is about 60 wide and 100 high. A point that is given twice is a corner.
struct StrokePoint {
    int x, y;
    bool operator==(const StrokePoint&) const = default;
};
using Stroke = std::vector<StrokePoint>;
using Skeleton = std::vector<Stroke>;

// The ways of writing a digit (0 to 9); each is as likely as the others.
const std::vector<Skeleton>& skeletons_of(int digit);

}  // namespace lab
