// The two pictures of the calculator: an SM that fills up, and occupancy over the size of a block.
#pragma once

#include <imgui.h>

#include "lessons/07_registers_local/panel_model.h"

namespace lab::lesson_07_registers_local {

// A cell for each warp that the SM has room for, block by block; below, a bar for each thing that it can run out of.
class SmView {
  public:
    void draw(const Card& card, const Needs& needs, const Filled& filled) const;
    static float height(const Card& card);

  private:
    void draw_warps(const Card& card, const Needs& needs, const Filled& filled) const;
    void draw_supply(const Supply& supply, bool full) const;
};

class CurveView {
  public:
    // marked: the block size that was launched; 0: none. The size that was clicked; 0: none.
    int draw(const std::vector<double>& percents, int threads, int marked) const;
    static float height();
};

}  // namespace lab::lesson_07_registers_local
