// A field of small cells, fitted into a given space. When there are more things than cells of a visible size,
// one cell stands for several.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace lab {

struct CellGrid {
    ImVec2 at;             // top left of the first cell
    int64_t count = 0;     // things
    int64_t per_cell = 1;  // things a cell stands for
    int64_t cells = 0;
    int columns = 1, rows = 0;
    float size = 0;  // pixels of a cell with its gap
    float gap = 1;
    float label = 0;  // room for row labels, left of `at`

    float width() const { return float(columns) * size; }
    float height() const { return float(rows) * size; }
    ImVec2 top_left(int64_t cell) const;
    ImVec2 centre_of(int64_t thing) const;
    // The first thing of the cell under `point`; -1: none.
    int64_t at_point(ImVec2 point) const;
};

struct CellLimits {
    float width, height;      // room, without the label
    float smallest, largest;  // pixels of a cell
    int columns;              // 0: as fits best, else exactly (a warp's 32 lanes, an image's row)
};

CellGrid fit_cells(int64_t count, const CellLimits& limits);

// Fills the cells with a colour each; 0: that cell is left out. Neighbours of one colour are one rectangle, with
// the gaps drawn over it: of twenty thousand cells, one by one, a software renderer draws ten frames a second.
void fill_runs(ImDrawList* list, const CellGrid& grid, const std::vector<ImU32>& colours);
// Below this side in pixels, cells have neither round corners nor outlines.
constexpr float small_cell = 14;

// Red hatching over a cell: never written.
void draw_hatch(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour);

}  // namespace lab
