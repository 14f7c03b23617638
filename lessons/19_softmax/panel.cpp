// A row on its way through softmax: the largest number and the sum as they grow, read by read and shuffle by shuffle, and where
// exp alone would leave the floats.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/steps.h"
#include "app/theme/widgets.h"
#include "lessons/19_softmax/panel_view.h"

namespace lab::lesson_19_softmax {
namespace {

class SoftmaxRows : public Panel {
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
    void show(size_t row, size_t warp);
    std::string totals() const;

    RunChoice choice_;
    std::vector<RowRun> rows_;
    size_t row_ = 0, warp_ = 0;  // indices into rows_ and its warps
    RowView view_;
};

void SoftmaxRows::derive() {
    rows_.clear();
    view_ = {};
    if (choice_.kernel() != nullptr)
        rows_ = rows_of(choice_.bundle(), choice_.case_index(), *choice_.kernel());
    if (!rows_.empty()) show(0, 0);
}

void SoftmaxRows::show(size_t row, size_t warp) {
    row_ = row;
    warp_ = std::min(warp, rows_[row].warps.size() - 1);
    view_.show(rows_[row_], warp_);
}

// What the whole launch cost.
std::string SoftmaxRows::totals() const {
    const auto count = [&](const char* name) {
        const auto found = choice_.kernel()->metrics.find(name);
        return found == choice_.kernel()->metrics.end() ? int64_t{0} : int64_t(found->second);
    };
    std::string text = plural(count("global_load_sectors"), "sector read", "sectors read");
    if (!rows_.empty()) text += fmt::format(" ({} of each row)", plural(rows_[0].passes(), "read", "reads"));
    text += ", " + plural(count("global_store_sectors"), "written", "written");
    return text + ", " + plural(count("warp_shuffles"), "shuffle", "shuffles");
}

float SoftmaxRows::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.6f);
    if (rows_.empty()) return std::min(most, above + em(4));
    return std::min(most, above + em(1.9f) * (1 + (rows_[row_].warps.size() > 1)) + RowView::height());
}

void SoftmaxRows::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (choice_.kernel() == nullptr) return choice_.draw_launch("");
    choice_.draw_launch(totals());
    if (rows_.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim, "No thread of this launch read a row.");
    size_t row = row_, warp = warp_;
    if (rows_.size() > 1)
        row = draw_steps({"row", fmt::format("row {}, of {}", rows_[row_].row, rows_.size()),
                          ImGuiKey_UpArrow, ImGuiKey_DownArrow},
                         row_, rows_.size());
    if (const size_t warps = rows_[row_].warps.size(); warps > 1)
        warp = draw_steps(
            {"warp", fmt::format("warp {}, of {} that share the row", rows_[row_].warps[warp_].warp, warps),
             ImGuiKey_Minus, ImGuiKey_Equal},
            warp_, warps);
    if (row != row_ || warp != warp_) show(row, warp);
    view_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "A row and its lanes";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<SoftmaxRows>();
}

}  // namespace lab::lesson_19_softmax
