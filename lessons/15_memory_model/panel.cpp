// A hand-over between two blocks: what was written, what stood between, what was read, and whether anything ordered the two.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/steps.h"
#include "app/theme/widgets.h"
#include "lessons/15_memory_model/panel_view.h"

namespace lab::lesson_15_memory_model {
namespace {

class Handovers : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override {
        choice_.load(bundle);
        derive();
    }
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void show(size_t hand);

    RunChoice choice_;
    std::vector<Handover> hands_;
    size_t hand_ = 0;  // index into hands_
    HandoverView view_;
};

// One that is not ordered comes first.
void Handovers::derive() {
    hands_.clear();
    hand_ = 0;
    if (choice_.kernel() == nullptr) return;
    hands_ = handovers_of(choice_.bundle(), choice_.case_index(), *choice_.kernel());
    const auto bad =
        std::find_if(hands_.begin(), hands_.end(), [](const Handover& hand) { return !hand.is_ordered(); });
    if (!hands_.empty()) show(bad == hands_.end() ? 0 : size_t(bad - hands_.begin()));
}

void Handovers::show(size_t hand) {
    hand_ = hand;
    view_.show(hands_[hand]);
}

float Handovers::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.6f);
    if (hands_.empty()) return std::min(most, above + em(4));
    return std::min(most, above + (hands_.size() > 1 ? em(1.9f) : 0) + view_.height());
}

void Handovers::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (choice_.kernel() == nullptr) return choice_.draw_launch("");
    choice_.draw_launch("");
    if (hands_.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "In this launch, no block read what another block wrote.");
    if (hands_.size() > 1) {
        const Handover& now = hands_[hand_];
        const std::string label = fmt::format("{} of {}: {} from block {} to block {}", hand_ + 1,
                                              hands_.size(), now.what, now.writer.block, now.reader.block);
        const size_t wanted =
            draw_steps({"hand", label, ImGuiKey_UpArrow, ImGuiKey_DownArrow}, hand_, hands_.size());
        if (wanted != hand_) show(wanted);
    }
    view_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "Hand-over";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Handovers>();
}

}  // namespace lab::lesson_15_memory_model
