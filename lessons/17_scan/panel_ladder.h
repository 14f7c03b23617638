// The picture: a row for each step, a column for each number, lines for the sums that were passed on.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/run_choice.h"
#include "lessons/17_scan/panel_steps.h"

namespace lab::lesson_17_scan {

class LadderView {
  public:
    void show(const Ladder& ladder);  // which must outlive the view's use of it
    void draw(const RunChoice& choice, Cursor& cursor);
    float height() const;

  private:
    struct Layout {
        ImVec2 at;
        float wide = 0, row = 0, cell = 0, head = 0;  // of a column; of a step with its lines; of its cells
        size_t first = 0, columns = 0;                // of those shown
        float x(int column) const { return at.x + wide * (float(column) - float(first)); }
        float middle(int column) const { return x(column) + wide / 2 - 1; }
        float y(size_t step) const { return at.y + head + row * float(step); }  // of the cells after `step`
    };
    struct Pointed {
        int step = -1, column = -1;
    };
    bool is_shown_whole() const;
    void draw_choice();
    Layout lay_out() const;
    Pointed point(const Layout& layout, const RunChoice& choice, Cursor& cursor);
    void draw_head(const Layout& layout) const;
    void draw_step(const Layout& layout, size_t step, const std::vector<std::vector<bool>>& lit,
                   const Pointed& at) const;
    void draw_lines(const Layout& layout, size_t step, const std::vector<std::vector<bool>>& lit,
                    const Pointed& at) const;
    std::string label_of(size_t step) const;
    std::string sentence_of(size_t step) const;
    std::string sentence_of(const Pointed& at) const;
    const Cell* cell(size_t step, int column) const;

    const Ladder* ladder_ = nullptr;
    size_t shown_ = 0, page_ = 0;
};

}  // namespace lab::lesson_17_scan
