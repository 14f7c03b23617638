// The two pictures of the panel: how the blocks of a grid come to its barriers, and which threads of a block form groups.
#pragma once

#include <imgui.h>

#include <string>

#include "app/panels/run_choice.h"
#include "lessons/14_cooperative_groups/panel_groups.h"

namespace lab::lesson_14_cooperative_groups {

// Blocks down, work to the right, a line for each time that the grid met.
class GridView {
  public:
    void show(const GridGroups& grid);
    // block: index of the block that is marked. Returns the one to mark next.
    size_t draw(size_t block);
    float height() const;
    static constexpr size_t rows_in_sight = 8;

  private:
    struct Frame {  // pixels
        ImVec2 at;
        float row = 0, wide = 0, unit = 0, gap = 0;  // unit: of one instruction
        size_t first = 0, rows = 0;                  // blocks in sight
    };
    Frame lay_out(size_t block) const;
    float left_of(const Frame& frame, size_t phase) const;
    size_t phase_at(const Frame& frame, float x) const;
    void draw_row(const Frame& frame, size_t index, bool marked) const;
    std::string sentence_of(size_t phase) const;

    const GridGroups* grid_ = nullptr;
    size_t barrier_ = 0;  // that the sentence is about
};

// Warps down, lanes across: a colour for each group, and the rank of each thread in it.
class BlockView {
  public:
    void show(const GridGroups& grid, size_t block);
    void draw(const RunChoice& choice, Cursor& cursor);
    float height() const;
    bool has_meetings() const { return !block().meetings.empty(); }

  private:
    struct Frame {  // pixels
        ImVec2 at;
        float wide = 0, row = 0;
        int warps = 0;
    };
    Frame lay_out() const;
    void draw_threads(const Frame& frame, int lit) const;
    std::string sentence_of(int thread) const;
    void point_at(const RunChoice& choice, Cursor& cursor, int thread, bool click) const;
    const BlockGroups& block() const { return grid_->blocks[block_]; }
    const Meeting& now() const { return block().meetings[shown_]; }

    const GridGroups* grid_ = nullptr;
    size_t block_ = 0, shown_ = 0;
};

}  // namespace lab::lesson_14_cooperative_groups
