// The two pictures of the panel: lanes that come to counters, and lanes that compare and swap.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/run_choice.h"
#include "lessons/12_atomics/panel_arrivals.h"

namespace lab::lesson_12_atomics {

// One instruction: 32 lanes above, the counters below, a line from each lane to its counter.
class CountersView {
  public:
    // scenes: the launches of the case; they must outlive the view's use of them.
    void load(const std::vector<Scene>& scenes, size_t launch);
    void draw(const RunChoice& choice, Cursor& cursor);
    static float height(size_t launches);

  private:
    struct Field {
        ImVec2 lanes, bars;  // top left
        float lane = 0, bar = 0, high = 0;
    };
    void draw_launches() const;
    void draw_steps();
    void draw_sentence() const;
    Field lay_out(bool roomy) const;  // in little room, the lines are short
    void draw_lanes(const Field& field, int lit_lane, int lit_counter) const;
    void draw_links(const Field& field, int lit_lane, int lit_counter) const;
    void draw_bars(const Field& field, int lit_counter) const;
    void point_at_lane(const RunChoice& choice, Cursor& cursor, int lane, bool click) const;
    void explain_counter(int counter) const;
    void show(size_t step);
    const Arrival& now() const { return scene_->arrivals[shown_]; }
    std::string place() const;

    const std::vector<Scene>* scenes_ = nullptr;
    const Scene* scene_ = nullptr;
    size_t launch_ = 0, shown_ = 0;
    std::array<int, counters> sum_{};
};

// One warp: a row for each round of compare-and-swap, a column for each lane.
class RoundsView {
  public:
    void load(const Scene& scene, std::vector<float> values);
    void draw(const RunChoice& choice, Cursor& cursor);
    float height() const;

  private:
    void draw_warps();
    void draw_values(ImVec2 at, float cell, float high, int lit) const;
    void draw_rounds(ImVec2 at, float cell, float row, size_t rows, int lit) const;
    void explain(size_t round, int lane) const;
    const WarpRounds& now() const { return scene_->warps[warp_]; }
    int64_t thread_of(int lane) const;  // in the grid
    bool value_of(int lane, float& to) const;

    const Scene* scene_ = nullptr;
    std::vector<float> values_;
    float lowest_ = 0, highest_ = 0;
    size_t warp_ = 0;
};

std::string letter_name(int counter);

}  // namespace lab::lesson_12_atomics
