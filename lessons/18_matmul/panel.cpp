// The walk of a block over A and B, step by step, with what is fetched how often; and the roofline: what bounds each kernel of
// a case on a card of the reader's choice.
//
// Options of a ```panel block: case = a part of a case's name, view = "walk" or "roofline" (then there is no other), launch = a
// part of a kernel's name that is shown first.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/access_index.h"
#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/18_matmul/panel_views.h"
#include "workbench/lessons/lesson.h"

namespace lab::lesson_18_matmul {
namespace {

class Matmul : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override;
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void find_cards();
    void draw_views();
    bool draw_cards();
    void draw_walk(Cursor& cursor);
    const Walk* walk() const {
        return size_t(choice_.launch()) < walks_.size() ? &walks_[size_t(choice_.launch())] : nullptr;
    }

    RunChoice choice_;
    std::vector<Walk> walks_;
    std::vector<Point> points_;
    std::vector<Card> cards_;  // the run's own first
    size_t card_ = 0;
    bool roof_ = false, one_view_ = false, cards_read_ = false;
    WalkView walk_view_;
    RoofView roof_view_;
};

void Matmul::configure(const std::map<std::string, std::string>& options) {
    choice_.configure(options);
    if (const auto found = options.find("view"); found != options.end()) {
        one_view_ = true;
        roof_ = found->second == "roofline";
    }
}

void Matmul::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void Matmul::derive() {
    walks_ = walks_of(choice_.bundle(), choice_.case_index());
    points_ = points_of(walks_);
    find_cards();
    if (const Walk* shown = walk()) walk_view_.show(*shown);
}

// The card of the run, then the others that there are profiles of.
void Matmul::find_cards() {
    const std::string before = card_ < cards_.size() ? cards_[card_].name : "";
    if (!cards_read_) cards_ = cards_in(find_home().content / "assets/devices");
    cards_read_ = true;
    for (const DeviceLimits& device : choice_.bundle().run.devices) {
        if (device.case_index >= 0 && device.case_index != choice_.case_index()) continue;
        const Card own = card_of(device.name, device.limits);
        std::erase_if(cards_, [&](const Card& card) { return card.name == own.name; });
        if (own.known()) cards_.insert(cards_.begin(), own);
    }
    const auto found =
        std::find_if(cards_.begin(), cards_.end(), [&](const Card& c) { return c.name == before; });
    card_ = found == cards_.end() ? 0 : size_t(found - cards_.begin());
}

float Matmul::height_for(float width, float most) {
    const float above = choice_.height() + em(1.6f) + (one_view_ ? 0 : ImGui::GetFrameHeightWithSpacing());
    if (roof_) return std::min(most, above + ImGui::GetFrameHeightWithSpacing() + RoofView::height());
    return std::min(most, above + (walk() ? WalkView::height(width, *walk()) : em(4)));
}

void Matmul::draw_views() {
    if (one_view_) return;
    if (ImGui::RadioButton("the walk", !roof_)) roof_ = false;
    ImGui::SameLine();
    if (ImGui::RadioButton("the roofline", roof_)) roof_ = true;
}

bool Matmul::draw_cards() {
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##card", cards_[card_].name.c_str())) return false;
    for (size_t i = 0; i < cards_.size(); ++i)
        if (ImGui::Selectable(cards_[i].name.c_str(), i == card_)) card_ = i;
    ImGui::EndCombo();
    return true;
}

void Matmul::draw_walk(Cursor& cursor) {
    if (!walk() || walk()->blocks.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "This launch has fetched nothing of A or B yet.");
    walk_view_.draw(choice_, cursor);
}

void Matmul::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    draw_views();
    if (walks_.empty()) return choice_.draw_launch("");
    if (!roof_) {
        choice_.draw_launch("");
        return draw_walk(cursor);
    }
    if (cards_.empty() || points_.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "There is no profile of a card to compare with.");
    draw_cards();
    roof_view_.draw(points_, cards_[card_], choice_.launch());
}

}  // namespace

const char* panel_title() {
    return "Walk and roofline";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Matmul>();
}

}  // namespace lab::lesson_18_matmul
