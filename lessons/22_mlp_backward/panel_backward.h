// The panel of lesson 22: a network's matrices with the gradient below each, who wrote which, and one weight to nudge.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/panels/run_choice.h"
#include "lessons/21_mlp_forward/panel_views.h"

namespace lab::lesson_22_mlp_backward {

using lesson_21_mlp_forward::Flow;
using lesson_21_mlp_forward::Matrix;
using lesson_21_mlp_forward::Pad;
using lesson_21_mlp_forward::short_number;
using lesson_21_mlp_forward::side;
using lesson_21_mlp_forward::Squares;

// What the launches of a case read and wrote, out of its trace.
struct LaunchTouches {
    std::string kernel;
    std::set<std::string> read, wrote;  // names of buffers
};
std::vector<LaunchTouches> touches_of(const RunBundle& bundle, int case_index);

// One of the network's numbers: w1[row][column] or w2[row][column].
struct Weight {
    int layer = 1, row = 0, column = 0;
    bool operator==(const Weight&) const = default;
};

// The mean loss of a case's pictures as a function of one weight, computed here, in double, and not by any kernel.
class NudgedLoss {
  public:
    // Nothing comes of a flow without pictures: is_there() is false then.
    void show(const Flow& flow, const LearnedNetwork* network);
    bool is_there() const { return network_ != nullptr; }
    double loss(const Weight& weight, double nudge) const;

  private:
    double at_x(int picture, int pixel) const;
    const Flow* flow_ = nullptr;
    const LearnedNetwork* network_ = nullptr;
    std::vector<double> before_bend_, logits_;  // batch x hidden, batch x out
};

// The slider, the curve of the loss, and the line that the learner's gradient says.
class NudgeView {
  public:
    void show(const Flow& flow, const LearnedNetwork* network);
    void draw(const Weight& weight);
    static float height();
    bool is_there() const { return loss_.is_there(); }
    // The learner's gradient of this weight; nothing: it never came.
    std::optional<float> gradient(const Weight& weight) const;
    float nudge() const { return nudge_; }
    const std::string& words() const { return words_; }  // what was drawn last, for tests

  private:
    struct Curve {
        Weight weight;
        std::vector<float> losses;  // at nudges from -most_nudge to most_nudge
    };
    void draw_plot(const Weight& weight, std::optional<float> gradient);
    const Curve& curve_of(const Weight& weight);
    std::string words_of(const Weight& weight, std::optional<float> gradient) const;

    const Flow* flow_ = nullptr;
    const LearnedNetwork* network_ = nullptr;
    NudgedLoss loss_;
    std::optional<Curve> curve_;
    float nudge_ = 0.25f;
    std::string words_;
};

// The matrices in a grid of four columns; each gradient stands below what it is the gradient of.
class FigureView {
  public:
    void show(const RunBundle& bundle, int case_index, const Flow& flow, const LearnedNetwork* network);
    // whole: all of them; else what it takes to nudge a weight of the first layer.
    void draw(bool whole, std::optional<Panel::Drawn>& drawn);
    static float height(bool whole);

    const Weight& weight() const { return weight_; }
    const std::string& chosen() const { return chosen_; }
    void choose(const std::string& name) { chosen_ = name; }
    const std::string& words() const { return words_; }  // about the chosen matrix
    Pad& pad() { return pad_; }
    // Where a matrix was drawn last, in the window's pixels; for tests.
    ImVec2 place_of(const std::string& name) const;

  private:
    struct Place {
        ImVec2 at;
        float width, height;
    };
    struct Touching {  // launches, by the chosen matrix
        std::set<std::string> read, readers;
        std::string words;
    };
    Touching touching(const std::string& name) const;
    void choose_picture();
    void draw_box(const std::string& name, const Place& place, const Touching& touching);
    void draw_content(const std::string& name, const Place& place);
    void draw_unit_picture(const std::string& name, const Place& place, Squares& squares);
    void draw_cells(const Matrix& matrix, const Place& place);
    void draw_field(const Matrix& matrix, const Place& place);
    void draw_bars(const Matrix& matrix, const Place& place);
    void draw_pad(const Place& place, int scale, std::optional<Panel::Drawn>& drawn);
    void draw_loss(const Place& place) const;
    void draw_samples(std::optional<Panel::Drawn>& drawn);
    std::vector<bool> units_to_choose_from() const;
    void choose_weight();
    void choose_worst_picture();
    const Matrix* matrix(const std::string& name) const;

    const Flow* flow_ = nullptr;
    const LearnedNetwork* network_ = nullptr;
    Flow weights_;  // of the network's file: a case's largest arrays don't come with the run
    std::vector<LaunchTouches> touches_;
    int64_t picture_ = 0;
    int unit_ = 0;
    Weight weight_;
    bool weight_chosen_ = false, picture_chosen_ = false;
    uint64_t version_ = 0;
    std::string chosen_ = "dw1", words_;
    std::map<std::string, ImVec2> places_;
    std::map<int, int> next_sample_;  // by digit
    Pad pad_;
    Squares input_, w1_, dw1_;
};

// Above a matrix.
struct Head {
    std::string name, shape, origin;
};
void draw_head(ImVec2 at, float width, const Head& head);

// Whether the mouse, which is over this window, is within.
bool inside(ImVec2 point, ImVec2 from, ImVec2 to);

// The largest size of `count` numbers from `first` on.
float largest_of(const std::vector<float>& numbers, size_t first, size_t count);

class BackwardPanel : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override;
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;
    std::optional<Drawn> take_drawing() override;

    FigureView& figure() { return figure_; }
    NudgeView& nudge() { return nudge_; }
    const Flow& flow() const { return flow_; }

  private:
    void derive();
    bool has_network() const;

    RunChoice choice_;
    bool whole_ = true;
    Flow flow_;
    std::optional<LearnedNetwork> network_;
    std::string problem_;  // the network could not be read: a sentence
    lesson_21_mlp_forward::MatricesView matrices_;
    FigureView figure_;
    NudgeView nudge_;
    std::optional<Drawn> drawn_;
};

}  // namespace lab::lesson_22_mlp_backward
