// Sizes and colours of the panel of lesson 03.
#pragma once

#include <imgui.h>

#include "lessons/03_grid_stride/panel_shares.h"

namespace lab::lesson_03_grid_stride {

// The elements in rows of one round each, a cell for one thread or, where there are too many, for several.
struct Fold {
    ImVec2 at;              // top left of the first cell; filled in when it is drawn
    int64_t per_cell = 1;   // threads
    int64_t cells = 1;      // a row
    int64_t rows = 0;       // drawn
    int64_t rows_left = 0;  // that have no room
    float wide = 0, high = 0, gap = 0;
    float label = 0, head = 0;  // left of the cells, and above

    float height() const { return head + float(rows) * high; }
    float width() const { return float(cells) * wide; }
};

// One field of multiprocessors for each wave that is drawn.
struct SmFields {
    std::vector<int64_t> waves;
    int columns = 1, rows = 0;
    float size = 0, label = 0, step = 0;  // of an SM; left of a field; from one field to the next
    ImVec2 at;                            // filled in when they are drawn

    float height() const { return float(waves.size()) * step; }
};

struct Layout {
    Fold fold;
    SmFields fields;
    bool says_more = false;  // a line for rows or waves that are left out
    float height = 0;        // of all
};
Layout lay_out(const Shares& shares, const Waves& waves, float width, float height);

// A colour that a block shares with every sixth.
ImU32 colour_of_block(int64_t block);

// "every element was taken once", or what is wrong; and whether that is good.
struct Summary {
    std::string text;
    bool good = false;
};
Summary summary_of(const Shares& shares);
std::string text_of(const Waves& waves);     // "132 SMs × 8 blocks = 1056 at once"
std::string verdict_of(const Waves& waves);  // "2 full waves, then a tail: 71 of 160 places taken"
std::string text_of_wave(const Waves& waves, int64_t wave);

}  // namespace lab::lesson_03_grid_stride
