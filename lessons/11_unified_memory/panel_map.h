// The map: a row for each page, a column for each act of the run.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/run_choice.h"
#include "lessons/11_unified_memory/panel_pages.h"

namespace lab::lesson_11_unified_memory {

class MapView {
  public:
    void load(Scene scene);
    void draw(const RunChoice& choice, Cursor& cursor);
    float height(float width) const;
    const Scene& scene() const { return scene_; }

  private:
    struct Band {  // the pages of one buffer
        size_t first = 0, rows = 0;
        std::string name, detail;
    };
    struct Field {  // in pixels
        ImVec2 at;  // of the first cell
        float column = 0, row = 0, gap = 0, label = 0, head = 0;
        size_t per_row = 1;  // pages that a row of cells stands for
        size_t columns = 0;  // that fit
        float high = 0;      // of all bands
    };
    Field lay_out(float bars) const;
    size_t cell_rows(const Band& band, const Field& field) const;
    float top_of(size_t band, const Field& field) const;
    void draw_heads(const Field& field, int lit) const;
    void draw_labels(const Field& field) const;
    void draw_cells(const Field& field) const;
    void draw_cell(const Cell& cell, ImVec2 from, ImVec2 to) const;
    void draw_filling(const Field& field, float high, int lit) const;
    void draw_legend() const;
    Cell joined(size_t first, size_t last, size_t column) const;
    // The page under the mouse; false: there is none.
    bool row_at(float y, const Field& field, size_t& row) const;
    void point(const RunChoice& choice, Cursor& cursor, size_t column, int row, bool click);
    void explain(size_t column, int row) const;
    int line_of(size_t column, int row) const;

    Scene scene_;
    std::vector<Band> bands_;
    int chosen_ = -1;  // column that a click holds
};

}  // namespace lab::lesson_11_unified_memory
