// The picture of lesson 09's panel: the host, a row for each stream, and a row for each engine.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/timeline_parts.h"
#include "lessons/09_streams/panel_scene.h"

namespace lab::lesson_09_streams {

class Chart {
  public:
    void load(const Scene& scene);
    float height() const { return head() + rows_height(1); }
    // Draws it, no higher than `room`. `lit`: the task that is pointed at (-1: none); its whole chunk is lit, and `line`
    // of the text. Returns the task under the mouse; -1: none.
    int draw(const Scene& scene, int lit, int line, float room);
    void draw_legend() const;

  private:
    struct Bar {
        int64_t begin, end;  // ns
        TimelineLook look;
        int task = -1;  // of the device; -1: the host's own
        int line = 0;
    };
    enum class Kind : uint8_t { host, stream, engine };
    struct Row {
        Kind kind;
        std::string label, busy;  // busy: "84 %", of an engine
        std::vector<Bar> bars;
        float y = 0;  // where it was drawn
    };
    static float head();
    static float height_of(const Row& row, float stretch);
    float rows_height(float stretch) const;
    void add_host();
    void add_row(Kind kind, const std::string& label, const std::vector<int>& tasks);
    void draw_row(const Scene& scene, const Row& row, int lit, int line) const;
    void draw_bar(const Scene& scene, const Row& row, const Bar& bar, int lit, int line) const;
    void draw_path(const Scene& scene) const;
    void draw_wait(const Scene& scene, int task) const;
    float y_of(const Scene& scene, int task) const;  // the middle of its bar in its stream; -1: it has none
    int under_mouse() const;

    const Timeline* timeline_ = nullptr;
    std::vector<Row> rows_;
    TimeAxis axis_;
    ImVec2 at_;
    float label_ = 0, stretch_ = 1;
};

}  // namespace lab::lesson_09_streams
