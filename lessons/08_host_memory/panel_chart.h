// The pictures of lesson 08's panel: the host and the engines over time, and what the tries came to.
#pragma once

#include <imgui.h>

#include "app/panels/timeline_parts.h"
#include "app/theme/theme.h"
#include "lessons/08_host_memory/panel_transfers.h"

namespace lab::lesson_08_host_memory {

ImU32 colour_of(Host what);

// What the mouse is on: one of the two, or nothing.
struct Under {
    int bar = -1;   // index into Scene::host
    int task = -1;  // of an engine
    bool any() const { return bar >= 0 || task >= 0; }
};

// A row for the host, and one for each engine.
class Chart {
  public:
    void load(const Scene& scene);
    float height() const { return head() + float(rows_) * row(); }
    Under draw(const Scene& scene, const Under& lit, int line);
    static void draw_legend(const Scene& scene);

  private:
    static float head() { return em(1.5f); }
    static float row() { return em(2.0f); }
    void draw_label(const char* text, float y) const;
    void draw_bar(float y, int64_t begin, int64_t end, ImU32 colour, const std::string& text, bool is_lit,
                  bool is_quiet) const;
    bool is_over(float y, int64_t begin, int64_t end) const;

    TimeAxis axis_;
    size_t rows_ = 0;
    ImVec2 at_;
};

// GB/s over bytes, a mark for each try; lines join those of one memory and one number of pieces.
class TriesChart {
  public:
    static float height() { return em(13.5f); }
    void draw(const Tries& tries) const;
};

}  // namespace lab::lesson_08_host_memory
