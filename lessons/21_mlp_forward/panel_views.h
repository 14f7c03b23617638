// The parts of the panel of lesson 21, each of which draws into what is left of the window.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "lessons/21_mlp_forward/panel_flow.h"
#include "lessons/21_mlp_forward/panel_pad.h"
#include "workbench/data/network.h"

namespace lab::lesson_21_mlp_forward {

// Blue for numbers above zero, orange for those below, both fainter towards zero; `largest` is the strongest.
ImU32 colour_of_number(float value, float largest);

// The arrays of a case with the shape of each, as fields of colour; a wrong element has a red frame.
class MatricesView {
  public:
    void show(const Flow& flow);
    void draw() const;
    static float height(const Flow& flow, float width);

  private:
    void draw_matrix(const Matrix& matrix, float width) const;
    const Flow* flow_ = nullptr;
};

// One picture on its way: input, hidden numbers, logits, probabilities, with the weights below.
class PictureView {
  public:
    void show(const Flow& flow, const LearnedNetwork* network);
    void draw(std::optional<Panel::Drawn>& drawn);
    void draw_weights();  // the hidden units' pictures alone
    static float height();

    Pad& pad() { return pad_; }
    // The class that the shown picture has the highest probability of; -1: none came, or none is a number.
    int answer() const;
    int unit() const { return unit_; }

  private:
    struct Place {
        ImVec2 at;
        float width, height;
    };
    void choose_picture();
    void draw_pad(std::optional<Panel::Drawn>& drawn, int scale);
    void draw_input(ImVec2 at, int scale);
    void draw_hidden(const Place& place);
    void draw_classes(const Place& place, const Matrix& matrix, bool probabilities) const;
    void draw_words() const;
    struct Tiles {
        int scale, side, across, down;
        bool beside;  // there is room for the chosen unit at the right
    };
    Tiles tiles_of_units(bool alone) const;
    void draw_units(bool alone);
    void draw_unit(const Place& place);
    void take_sample(int digit, std::optional<Panel::Drawn>& drawn);
    ImU32 weight_colour(int unit, int pixel) const;

    const Flow* flow_ = nullptr;
    const LearnedNetwork* network_ = nullptr;
    int64_t picture_ = 0;
    int unit_ = 0;
    uint64_t version_ = 0;
    std::vector<float> largest_;      // of each unit's weights
    std::map<int, int> next_sample_;  // by digit
    Pad pad_;
    Squares input_, unit_picture_, all_units_;
};

}  // namespace lab::lesson_21_mlp_forward
