// The panel of lesson 21: a digit on its way through the network, or the matrices of a case that has none.
#pragma once

#include <memory>

#include "app/panels/run_choice.h"
#include "lessons/21_mlp_forward/panel_views.h"

namespace lab::lesson_21_mlp_forward {

class NetworkPanel : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override;
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;
    std::optional<Drawn> take_drawing() override;

    PictureView& picture() { return picture_; }
    const Flow& flow() const { return flow_; }

  private:
    void derive();

    RunChoice choice_;
    bool weights_only_ = false;
    Flow flow_;
    std::optional<LearnedNetwork> network_;
    std::string problem_;  // the network could not be read: a sentence
    MatricesView matrices_;
    PictureView picture_;
    std::optional<Drawn> drawn_;
};

}  // namespace lab::lesson_21_mlp_forward
