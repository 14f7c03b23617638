// The picture of one hand-over: two blocks side by side, time down, and what the reader may find.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/run_choice.h"
#include "lessons/15_memory_model/panel_story.h"

namespace lab::lesson_15_memory_model {

class HandoverView {
  public:
    void show(const Handover& hand);
    void draw(const RunChoice& choice, Cursor& cursor);
    float height() const;  // pixels

  private:
    struct Frame {  // pixels
        ImVec2 at;
        float wide = 0, gap = 0, pitch = 0, box = 0;  // of a column; between them; from row to row; of a box
        float left(bool reader) const { return reader ? at.x + wide + gap : at.x; }
        float y(int row) const { return at.y + pitch * float(row); }
    };
    Frame lay_out(float room) const;
    size_t count() const { return hand_->writer.events.size() + hand_->reader.events.size(); }
    const Event& event(size_t at) const;
    bool is_reader(size_t at) const;
    void sort_events();
    size_t place_of(bool reader, int index) const;  // in the order in which they are stepped through

    void draw_heads(const Frame& frame) const;
    void draw_cover(const Frame& frame) const;
    void draw_event(const Frame& frame, size_t at, bool lit) const;
    void draw_way(const Frame& frame) const;
    void draw_outcomes() const;
    void draw_outcome(ImVec2 at, ImVec2 size, const std::string& text, bool possible, bool bad) const;
    std::string sentence_of(size_t at) const;
    std::string verdict() const;
    void point_at(const RunChoice& choice, Cursor& cursor, size_t at, bool click) const;

    const Handover* hand_ = nullptr;
    std::vector<std::pair<bool, int>> order_;  // is it the reader's; its event
    size_t shown_ = 0;                         // the last event drawn in full
    size_t pointed_ = SIZE_MAX;                // under the mouse; SIZE_MAX: none
};

}  // namespace lab::lesson_15_memory_model
