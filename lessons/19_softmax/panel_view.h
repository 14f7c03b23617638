// The picture of a warp on its way through a row: the row's numbers as bars, and what each lane knows.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/panels/run_choice.h"
#include "lessons/19_softmax/panel_rows.h"

namespace lab::lesson_19_softmax {

class RowView {
  public:
    void show(const RowRun& row, size_t warp);
    void draw(const RunChoice& choice, Cursor& cursor);
    static float height();

  private:
    struct Chart {  // pixels, and the numbers at its edges
        ImVec2 from, to;
        double low = 0, high = 1;
        float y(double value) const;
        float x(size_t column, size_t columns) const;
    };
    const Step& step() const { return warp_->steps[shown_]; }
    Chart chart_at(ImVec2 at, ImVec2 size) const;
    void draw_bars(const Chart& chart) const;
    void draw_lines(const Chart& chart) const;
    void draw_lanes(const RunChoice& choice, Cursor& cursor) const;
    std::optional<double> shown_of(int lane, bool upper) const;
    void draw_boxes(ImVec2 at, float wide, bool upper) const;
    void point_at(const RunChoice& choice, Cursor& cursor, int lane, bool click) const;
    std::string sentence() const;
    std::string total_sentence() const;
    std::string lane_sentence(int lane) const;

    const RowRun* row_ = nullptr;
    const WarpRun* warp_ = nullptr;
    size_t shown_ = 0;  // index into the warp's steps
};

}  // namespace lab::lesson_19_softmax
