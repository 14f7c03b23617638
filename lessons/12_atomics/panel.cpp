// The counters: which lanes of a warp come to which counter in one instruction, and how many must take turns. In a
// launch that compares and swaps: which lane got in at each round, and which had to try again.
//
// Options of a ```panel block: case = a part of a case's name, launch = 1, 2, ... of that case.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "app/panels/access_index.h"
#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/12_atomics/panel_views.h"

namespace lab::lesson_12_atomics {
namespace {

class Contention : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    bool has_picture() const { return counting_ ? !scene().arrivals.empty() : !scene().warps.empty(); }
    const Scene& scene() const { return scenes_[size_t(choice_.launch())]; }
    std::string totals() const;

    RunChoice choice_;
    bool counting_ = false;
    std::vector<Scene> scenes_;
    CountersView counters_;
    RoundsView rounds_;
};

// The case with the most launches: there, both ways of counting can be compared.
int case_to_compare(const Run& run, int otherwise) {
    int best = otherwise;
    size_t most = 1;
    for (size_t i = 0; i < run.cases.size(); ++i)
        if (const size_t launches = kernels_of(run, int(i)).size(); launches > most) {
            most = launches;
            best = int(i);
        }
    return best;
}

void Contention::load(const RunBundle& bundle) {
    choice_.load(bundle);
    if (bundle.run.passed) choice_.choose_case(case_to_compare(bundle.run, choice_.case_index()));
    derive();
}

void Contention::derive() {
    counting_ = counts_letters(choice_.bundle().run, choice_.case_index());
    scenes_ = scenes_of(choice_.bundle(), choice_.case_index());
    if (scenes_.empty()) return;
    if (counting_)
        counters_.load(scenes_, size_t(choice_.launch()));
    else
        rounds_.load(scene(), floats_of(choice_.bundle().run, choice_.case_index(), "in"));
}

std::string Contention::totals() const {
    const Scene& shown = scene();
    if (!counting_)
        return shown.swaps == 0
                   ? ""
                   : fmt::format("{} tried, {} got in, {} in vain", plural(shown.swaps, "swap", "swaps"),
                                 shown.won, shown.swaps - shown.won);
    std::string text = plural(shown.global_additions, "addition", "additions") + " to the grid's counters";
    if (shown.trips() > 0) text += fmt::format(" in {:.0f} trips", shown.trips());
    if (shown.shared_additions > 0) text += fmt::format(", {} to the blocks' own", shown.shared_additions);
    return text;
}

float Contention::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.6f);
    if (scenes_.empty() || !has_picture()) return std::min(most, above + em(4));
    return std::min(most, above + (counting_ ? counters_.height(scenes_.size()) : rounds_.height()));
}

void Contention::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (scenes_.empty()) return choice_.draw_launch("");
    choice_.draw_launch(totals());
    if (!has_picture())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            counting_ ? "No thread of this launch adds to a counter."
                                      : "No thread of this launch tries a compare-and-swap.");
    if (counting_)
        counters_.draw(choice_, cursor);
    else
        rounds_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "Contention";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Contention>();
}

}  // namespace lab::lesson_12_atomics
