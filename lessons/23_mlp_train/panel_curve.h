// The curve of a training: the loss of every step, and the accuracy after every epoch.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "workbench/record/series.h"

namespace lab::lesson_23_mlp_train {

class Curve {
  public:
    // Takes the newest state; whether anything has changed does not matter.
    void show(const std::vector<Series>& all);
    void draw(ImVec2 size) const;
    bool is_empty() const { return loss_.empty() && accuracy_.empty(); }
    size_t steps() const { return loss_.size(); }
    float accuracy() const { return accuracy_.empty() ? 0 : accuracy_.back().y; }
    size_t epochs() const { return accuracy_.empty() ? 0 : accuracy_.size() - 1; }
    // "63 steps, loss 0.21, 94.0 % right after 1 epoch"
    std::string words() const;

  private:
    struct Frame {
        ImVec2 from, to;
        float steps, loss;
        ImVec2 at(const SeriesPoint& point, float top) const;
    };
    void draw_axes(const Frame& frame) const;
    void draw_lines(const Frame& frame) const;
    void explain(const Frame& frame) const;

    std::vector<SeriesPoint> loss_, smooth_, accuracy_;
    float planned_ = 0;  // steps that the training will have, for the axis
};

}  // namespace lab::lesson_23_mlp_train
