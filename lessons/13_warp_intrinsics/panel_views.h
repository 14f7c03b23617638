// The two pictures of the panel: what the lanes of a warp tell each other, and which of them are at work.
#pragma once

#include <imgui.h>

#include <string>

#include "app/panels/run_choice.h"
#include "app/panels/steps.h"
#include "lessons/13_warp_intrinsics/panel_lanes.h"

namespace lab::lesson_13_warp_intrinsics {

// 32 columns from `at`, a label to their right.
struct Columns {
    ImVec2 at;
    float wide = 0;  // of a lane, with its gap
    ImVec2 from(int lane, float y) const { return {at.x + wide * float(lane), at.y + y}; }
    float middle(int lane) const { return at.x + wide * (float(lane) + 0.5f) - 1; }
    int lane_at(float x) const;
};
Columns lay_out_lanes();

// Points the cursor at a lane; a click holds it, a second click lets go.
struct Pointed {
    uint32_t block = 0;
    int warp = 0, lane = 0, step = -1, line = 0;
};
void point_at(const RunChoice& choice, Cursor& cursor, const Pointed& at, bool click);

// One exchange: the mask, what each lane brings, the arrows, what each gets.
class ExchangeView {
  public:
    void show(const WarpTalk& warp);
    void draw(const RunChoice& choice, Cursor& cursor);
    static float height();

  private:
    void draw_sentence() const;
    void draw_mask(const Columns& columns, float y, int lit) const;
    void draw_values(const Columns& columns, float y, bool results, int lit) const;
    void draw_arrows(const Columns& columns, float from, float to, int lit) const;
    void draw_ranks(const Columns& columns, float y, int lit) const;
    std::string sentence_of(int lane) const;
    const Exchange& now() const { return warp_->exchanges[shown_]; }

    const WarpTalk* warp_ = nullptr;
    size_t shown_ = 0;
};

// A row for each instruction that went to memory, a column for each lane.
class WorkView {
  public:
    void show(const Scene& scene, const WarpTalk& warp);
    void draw(const RunChoice& choice, Cursor& cursor);
    float height() const;

  private:
    void draw_rows(const Columns& columns, float row, size_t rows, int lit) const;
    void explain(size_t which, int lane) const;

    const Scene* scene_ = nullptr;
    const WarpTalk* warp_ = nullptr;
};

}  // namespace lab::lesson_13_warp_intrinsics
