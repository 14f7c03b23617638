// The panel of lesson 23: the pad, the curve of the training, what the network has learned, and four programs side by side.
#pragma once

#include <optional>
#include <string>

#include "app/panels/panel.h"
#include "lessons/21_mlp_forward/panel_pad.h"
#include "lessons/23_mlp_train/panel_curve.h"
#include "lessons/23_mlp_train/panel_learned.h"
#include "lessons/23_mlp_train/panel_stages.h"

namespace lab::lesson_23_mlp_train {

using lesson_21_mlp_forward::Pad;
using lesson_21_mlp_forward::Squares;

enum class View { train, units, mistakes, stages };

class TrainPanel : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override;
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;
    std::optional<Drawn> take_drawing() override;
    void watch(const std::vector<Series>& live) override;

    // For tests.
    Pad& pad() { return pad_; }
    const Curve& curve() const { return curve_; }
    const Learned* learned() const { return learned_ ? &*learned_ : nullptr; }
    const Verdict& verdict() const { return verdict_; }
    const StagesView& stages() const { return stages_; }
    View view() const { return view_; }
    bool is_running() const { return running_ || asked_; }
    int answer() const { return best_of(probabilities_); }
    void train() { asked_ = wanted_ = true; }

  private:
    void take(Learned learned);
    void notice_end();
    void draw_views();
    void draw_train();
    void draw_pad(float width);
    void draw_answer(float width);
    void draw_curve(float width, float height);
    struct UnitsRoom {
        int scale, across;  // pixels of the screen for one of a picture; pictures in a row
    };
    UnitsRoom room_for_units(float width) const;
    void draw_units();
    void draw_mistakes();
    void draw_confusion(ImVec2 at, float cell) const;
    void draw_worst(ImVec2 at, float width, int scale);
    void draw_source() const;
    bool has_tabs() const { return !fixed_; }

    View view_ = View::train;
    bool fixed_ = false;  // one view, as the block in the text asks
    bool running_ = false, asked_ = false, wanted_ = false;
    bool watched_ = false,
         seen_ = false;    // a training is under way: since the last frame, since it was asked for
    std::string failure_;  // of the last training: a sentence
    Curve curve_;
    std::optional<Learned> learned_;
    std::string problem_;  // what kept the panel from having digits to judge: a sentence
    Pictures test_;        // that the verdict is about; none: not made yet
    std::string data_;     // which data that is: a sentence
    Verdict verdict_;
    std::vector<float> probabilities_;  // of what is on the pad; empty: nothing is
    std::vector<float> largest_;        // of each unit's weights
    int unit_ = -1;
    uint64_t version_ = 0;
    Pad pad_;
    Squares units_, worst_;
    StagesView stages_;
};

}  // namespace lab::lesson_23_mlp_train
