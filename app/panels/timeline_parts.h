// What all pictures of a timeline draw alike: the axis of time with its zoom, the colours, the words.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>

#include "workbench/record/timeline.h"

namespace lab {

enum class TimelineLook : uint8_t {
    to_device,
    to_host,
    on_device,
    kernel,
    host_function,
    calls,
    works,
    waits
};
TimelineLook look_of(const TimelineTask& task);
TimelineLook look_of(const HostStep& step);
ImU32 colour_of(TimelineLook look);

// Time from left to right. Ctrl and the wheel zoom, dragging moves, a double click shows all again.
class TimeAxis {
  public:
    void show_all(double total_ns);
    void place(float left, float right) {  // in pixels, before the others of a frame
        left_ = left;
        right_ = right;
    }
    float left() const { return left_; }
    float right() const { return right_; }
    double total() const { return total_; }
    float x_of(double ns) const;
    double ns_per_pixel() const;
    void zoom();  // with the mouse, while it is over the item that was drawn last
    void draw(float top, float bottom) const;

  private:
    double first_ = 0, last_ = 1, total_ = 1;  // ns; what is shown, of what there is
    float left_ = 0, right_ = 1;
};

struct LegendEntry {
    ImU32 fill, outline;  // outline 0: none
    const char* word;
};
void draw_entries(std::span<const LegendEntry> entries);  // side by side, in as many lines as they need

std::string size_text(uint64_t bytes);
// What stands in a task's bar: a name, or how much is copied.
std::string label_of_task(const TimelineTask& task);
std::string span_text(int64_t begin, int64_t end);  // "3.2 us to 9.7 us: 6.5 us"

}  // namespace lab
