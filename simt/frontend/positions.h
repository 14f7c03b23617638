// Where a place in the rewritten text was in the learner's text. Lines and columns are 1-based; columns count
// bytes.
#pragma once

#include <string>
#include <vector>

namespace simt::frontend {

struct Position {
    int line = 0;
    int column = 0;
};

// Text without segments on a line is unchanged there. Segments are sorted by `out`.
class PositionMap {
  public:
    // From `out` on, the rewritten text is the original from `in` on (`verbatim`), or stands for the one
    // place `in`.
    struct Segment {
        Position out, in;
        bool verbatim = true;
    };

    void add(const Segment& segment) { segments_.push_back(segment); }
    Position original(int line, int column) const;
    bool empty() const { return segments_.empty(); }

  private:
    std::vector<Segment> segments_;
};

}  // namespace simt::frontend
