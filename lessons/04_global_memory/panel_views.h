// The parts of the panel of lesson 04, each of which draws into what is left of the window.
#pragma once

#include <imgui.h>

#include "lessons/04_global_memory/panel_requests.h"

namespace lab::lesson_04_global_memory {

// The source lines, each with a bar: what a request of it moves, and what of that is wanted. A click chooses one.
class BillView {
  public:
    // The request to show next, or `shown` where nothing was clicked.
    size_t draw(const Scene& scene, size_t shown) const;
    static float height(const Scene& scene);
};

// One request: 32 lanes above, the lines of memory below, cut into sectors.
class MemoryView {
  public:
    // rows: at most so many lines are drawn.
    void draw(const Scene& scene, const Request& request, const RunChoice& choice, Cursor& cursor) const;
    static float height(size_t lines);

  private:
    struct Field {
        ImVec2 lanes, rows;  // top left
        float lane = 0, byte = 0, gap = 0, row = 0;
        size_t shown = 0;  // lines
        ImVec2 at(size_t line, uint64_t byte_in_line) const;
    };
    Field lay_out(size_t lines) const;
    void draw_lanes(const Field& field, const Request& request, int lit) const;
    void draw_line(const Field& field, const Scene& scene, const Request& request, const MemoryLine& line,
                   size_t place, int lit) const;
    void draw_elements(const Field& field, const Request& request, const MemoryLine& line, size_t place,
                       int lit) const;
    void draw_link(const Field& field, const Request& request, const std::vector<MemoryLine>& lines,
                   int lane) const;
    int lane_at(const Field& field, const Request& request, const std::vector<MemoryLine>& lines,
                ImVec2 point) const;
    void explain(const Scene& scene, const Request& request, int lane) const;
};

// Sectors over strides, a dot for each try.
class MeasuredView {
  public:
    void draw(const Measurements& measured) const;
    static float height();
};

}  // namespace lab::lesson_04_global_memory
