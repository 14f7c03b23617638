// The steps of a scan: which sum came from where, in the first block of a launch, and how many turns it took at the banks.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/17_scan/panel_ladder.h"

namespace lab::lesson_17_scan {
namespace {

class Steps : public Panel {
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
    void show();
    bool has_picture() const { return !ladders_.empty() && !ladder().steps.empty(); }
    const Ladder& ladder() const { return ladders_[size_t(choice_.launch())]; }
    std::string totals() const;

    RunChoice choice_;
    std::vector<Ladder> ladders_;
    LadderView view_;
    int launch_ = 0;  // that view_ shows
};

void Steps::derive() {
    ladders_ = ladders_of(choice_.bundle(), choice_.case_index());
    show();
}

void Steps::show() {
    launch_ = choice_.launch();
    if (has_picture()) view_.show(ladder());
}

std::string Steps::totals() const {
    const auto count = [&](const char* name) { return int64_t(ladder().metric(name)); };
    const int64_t turns = count("shared_load_wavefronts") + count("shared_store_wavefronts");
    const int64_t conflicts = count("shared_load_conflicts") + count("shared_store_conflicts");
    std::string text = plural(turns, "turn", "turns") + " at the banks";
    text += conflicts == 0 ? ", no conflict" : fmt::format(", {} of them conflicts", conflicts);
    if (const int64_t shuffles = count("warp_shuffles"); shuffles > 0)
        text += ", " + plural(shuffles, "shuffle", "shuffles");
    return text;
}

float Steps::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.6f);
    return std::min(most, above + (has_picture() ? view_.height() : em(4)));
}

void Steps::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (ladders_.empty()) return choice_.draw_launch("");
    if (launch_ != choice_.launch()) show();
    choice_.draw_launch(totals());
    if (!has_picture())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "No thread of this launch passes anything on: no shared memory, no shuffle.");
    view_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "Steps of a scan";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Steps>();
}

}  // namespace lab::lesson_17_scan
