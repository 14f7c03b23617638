// The lanes of a warp: what they tell each other, step by step, with the mask and who did not come. In a launch whose lanes do
// not talk: which of them are at work in each instruction that goes to memory.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/13_warp_intrinsics/panel_views.h"

namespace lab::lesson_13_warp_intrinsics {
namespace {

class Lanes : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void show(size_t warp);
    const Scene& scene() const { return scenes_[size_t(choice_.launch())]; }
    bool has_picture() const { return !scenes_.empty() && !scene().warps.empty(); }
    bool warp_talks() const { return !scene().warps[warp_].exchanges.empty(); }
    std::string totals() const;

    RunChoice choice_;
    std::vector<Scene> scenes_;
    size_t warp_ = 0;
    ExchangeView exchanges_;
    WorkView work_;
};

void Lanes::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void Lanes::derive() {
    scenes_ = scenes_of(choice_.bundle(), choice_.case_index());
    if (has_picture()) show(0);
}

void Lanes::show(size_t warp) {
    warp_ = warp;
    const WarpTalk& talk = scene().warps[warp];
    if (warp_talks())
        exchanges_.show(talk);
    else
        work_.show(scene(), talk);
}

std::string Lanes::totals() const {
    const auto count = [&](const char* name) { return int64_t(scene().metric(name)); };
    std::string text = plural(count("divergent_branches"), "divergent branch", "divergent branches");
    if (count("warp_shuffles") > 0) text += ", " + plural(count("warp_shuffles"), "shuffle", "shuffles");
    if (count("warp_votes") > 0) text += ", " + plural(count("warp_votes"), "vote", "votes");
    if (count("global_atomic_sectors") > 0)
        text += ", " + plural(count("global_atomic_sectors"), "trip", "trips") + " to the counter";
    return text;
}

float Lanes::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.6f);
    if (!has_picture()) return std::min(most, above + em(4));
    const float steps = scene().warps.size() > 1 ? em(1.9f) : 0;
    return std::min(most, above + steps + (warp_talks() ? ExchangeView::height() : work_.height()));
}

void Lanes::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (scenes_.empty()) return choice_.draw_launch("");
    choice_.draw_launch(totals());
    if (!has_picture())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "No lane of this launch talks to another one or goes to memory.");
    const Steps steps{"warp", fmt::format("warp {} of {}", warp_ + 1, scene().warps.size()), ImGuiKey_UpArrow,
                      ImGuiKey_DownArrow};
    if (scene().warps.size() > 1)
        if (const size_t wanted = draw_steps(steps, warp_, scene().warps.size()); wanted != warp_)
            show(wanted);
    if (warp_talks())
        exchanges_.draw(choice_, cursor);
    else
        work_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "Lanes";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Lanes>();
}

}  // namespace lab::lesson_13_warp_intrinsics
