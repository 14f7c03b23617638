// The tree of a block: what its threads added up, round by round, who had nothing to do, and whose work came to nothing.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/access_index.h"
#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/16_reduction/panel_view.h"

namespace lab::lesson_16_reduction {
namespace {

class ReductionTree : public Panel {
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
    void show(size_t block);
    bool has_picture() const { return !trees_.empty() && !trees_[block_].rows.empty(); }
    std::string totals() const;

    RunChoice choice_;
    std::vector<BlockTree> trees_;
    size_t block_ = 0;  // index into trees_
    TreeView view_;
};

void ReductionTree::derive() {
    trees_.clear();
    block_ = 0;
    if (choice_.kernel() != nullptr)
        trees_ = trees_of(choice_.bundle(), choice_.case_index(), *choice_.kernel());
    if (has_picture()) show(0);
}

void ReductionTree::show(size_t block) {
    block_ = block;
    view_.show(trees_[block]);
}

// What the whole launch cost.
std::string ReductionTree::totals() const {
    const auto count = [&](const char* name) {
        const auto found = choice_.kernel()->metrics.find(name);
        return found == choice_.kernel()->metrics.end() ? int64_t{0} : int64_t(found->second);
    };
    std::string text = plural(count("global_load_requests"), "request", "requests") + " to memory";
    text += fmt::format(", {} to shared", count("shared_load_requests") + count("shared_store_requests"));
    if (const int64_t more = count("shared_load_conflicts") + count("shared_store_conflicts"); more > 0)
        text += fmt::format(" with {} extra", plural(more, "pass", "passes"));
    if (const int64_t shuffles = count("warp_shuffles"); shuffles > 0)
        text += ", " + plural(shuffles, "shuffle", "shuffles");
    text += ", " + plural(count("global_atomic_sectors"), "atomic", "atomics");
    return text;
}

float ReductionTree::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.6f);
    if (!has_picture()) return std::min(most, above + em(4));
    return std::min(
        most, above + (trees_.size() > 1 ? em(1.9f) : 0) + TreeView::height(trees_[block_].rows.size()));
}

void ReductionTree::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (choice_.kernel() == nullptr) return choice_.draw_launch("");
    choice_.draw_launch(totals());
    if (!has_picture())
        return wrapped_text(Face::text, em(0.95f), palette().dim, "No thread of this launch went to memory.");
    if (trees_.size() > 1) {
        const std::string label = fmt::format("block {} of {}", trees_[block_].block, trees_.size());
        const size_t wanted =
            draw_steps({"block", label, ImGuiKey_UpArrow, ImGuiKey_DownArrow}, block_, trees_.size());
        if (wanted != block_) show(wanted);
    }
    view_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "The tree";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<ReductionTree>();
}

}  // namespace lab::lesson_16_reduction
