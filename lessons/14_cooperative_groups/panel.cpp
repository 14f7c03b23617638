// Groups, as they met in a run: the grid at its barriers, a block's tiles, and those who happened to be in a branch.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/steps.h"
#include "app/theme/widgets.h"
#include "lessons/14_cooperative_groups/panel_views.h"

namespace lab::lesson_14_cooperative_groups {
namespace {

class Groups : public Panel {
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
    bool has_blocks() const { return !grid_.blocks.empty(); }
    bool shows_grid() const { return has_blocks() && grid_.only_grid_barriers(); }
    bool shows_block() const { return has_blocks() && view_.has_meetings(); }
    // Where all rows of the grid are in sight, a click on one is enough.
    bool needs_block_slider() const {
        return grid_.blocks.size() > (shows_grid() ? GridView::rows_in_sight : size_t{1});
    }
    std::string totals() const;

    RunChoice choice_;
    GridGroups grid_;
    size_t block_ = 0;
    int launch_ = -1;
    GridView barriers_;
    BlockView view_;
};

void Groups::derive() {
    grid_ = {};
    launch_ = choice_.launch();
    if (choice_.kernel() != nullptr)
        grid_ = groups_of(choice_.bundle(), choice_.case_index(), *choice_.kernel());
    if (!has_blocks()) return;
    barriers_.show(grid_);
    // The first block in which anybody met.
    size_t block = 0;
    while (block + 1 < grid_.blocks.size() && grid_.blocks[block].meetings.empty()) ++block;
    show(grid_.blocks[block].meetings.empty() ? 0 : block);
}

void Groups::show(size_t block) {
    block_ = block;
    view_.show(grid_, block);
}

std::string Groups::totals() const {
    const auto count = [&](const char* name) {
        const auto found = choice_.kernel()->metrics.find(name);
        return found == choice_.kernel()->metrics.end() ? int64_t{0} : int64_t(found->second);
    };
    std::string text = plural(grid_.blocks_in_all, "block", "blocks") + fmt::format(" of {}", grid_.threads);
    if (grid_.barriers > 0)
        text += ", " + plural(grid_.barriers, "barrier of the grid", "barriers of the grid");
    if (const int64_t shuffles = count("warp_shuffles"); shuffles > 0)
        text += ", " + plural(shuffles, "shuffle", "shuffles");
    if (const int64_t trips = count("global_atomic_sectors"); trips > 0)
        text += ", " + plural(trips, "atomic", "atomics");
    return text;
}

float Groups::height_for(float width, float most) {
    (void)width;
    float high = choice_.height() + em(2.6f);
    if (!shows_grid() && !shows_block()) return std::min(most, high + em(5));
    if (shows_grid()) high += barriers_.height();
    if (needs_block_slider()) high += em(1.9f);
    if (shows_block()) high += view_.height();
    return std::min(most, high);
}

void Groups::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (choice_.kernel() == nullptr) return choice_.draw_launch("");
    if (launch_ != choice_.launch()) derive();
    choice_.draw_launch(totals());
    if (!has_blocks())
        return wrapped_text(Face::text, em(0.95f), palette().dim, "No thread of this launch went to memory.");
    if (shows_grid())
        if (const size_t wanted = barriers_.draw(block_); wanted != block_) show(wanted);
    if (needs_block_slider()) {
        const std::string label =
            fmt::format("block {} of {}", grid_.blocks[block_].block, grid_.blocks_in_all);
        const size_t wanted =
            draw_steps({"block", label, ImGuiKey_UpArrow, ImGuiKey_DownArrow}, block_, grid_.blocks.size());
        if (wanted != block_) show(wanted);
    }
    if (shows_block()) return view_.draw(choice_, cursor);
    wrapped_text(Face::text, em(0.95f), palette().dim,
                 shows_grid()
                     ? "No group within a warp met in this block."
                     : "No group met in this block: no call of a tile, a coalesced group or a warp.");
}

}  // namespace

const char* panel_title() {
    return "Groups";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Groups>();
}

}  // namespace lab::lesson_14_cooperative_groups
