// The timeline: what the host did above, a row for each stream, and below what each engine of the device ran, as a
// model of the device would have run them. The critical path is outlined. Ctrl and the wheel zoom, dragging
// moves, a double click shows all again.
//
// Options of a ```panel block: case = a part of a case's name.
#pragma once

#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/panels/timeline_parts.h"

namespace lab {

class TimelinePanel : public Panel {
  public:
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    float height_for(float width, float most) override;

  private:
    using Look = TimelineLook;
    struct Bar {
        int64_t begin, end;  // ns
        Look look;
        int task = -1;  // index into the timeline's; -1: the host's own
        int step = -1;  // index into the timeline's host steps
        bool critical = false;
    };
    struct Row {
        std::string label;
        std::vector<Bar> bars;  // by begin
        bool thin = false;      // an engine
        int stream = -1;
        bool is_host = false;
    };
    struct Edge {  // indices into the timeline's tasks
        int from, to;
    };
    struct View {
        ImVec2 at;
        float width, label;
    };
    void derive();
    void add_host_rows();
    void add_stream_rows();
    void add_engine_rows();
    float row_height(const Row& row) const;
    void draw_row(const View& view, const Row& row, float y, Cursor& cursor);
    void find_edges();
    void draw_edges(const View& view) const;
    void draw_bar(const Bar& bar, ImVec2 from, ImVec2 to, bool lit, bool thin) const;
    void draw_legend() const;
    void explain(const Bar& bar) const;
    std::string label_of(const Bar& bar) const;

    RunChoice choice_;
    const Timeline* timeline_ = nullptr;  // of the shown case; null: it has none
    std::vector<Row> rows_;
    std::vector<Edge> edges_;
    std::vector<float> task_y_;  // middle of each task's bar, where it was drawn
    std::vector<std::string> sentences_;
    TimeAxis axis_;
    float stretch_ = 1;  // of the rows' height
};

}  // namespace lab
