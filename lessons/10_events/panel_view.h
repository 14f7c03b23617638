// Draws a Scene: a column for the host and one for each stream, a row for each call.
#pragma once

#include <vector>

#include "app/model/cursor.h"
#include "app/panels/run_choice.h"
#include "lessons/10_events/panel_graph.h"

namespace lab::lesson_10_events {

class GraphView {
  public:
    void load(Scene scene);
    const Scene& scene() const { return scene_; }
    float height() const;
    // `room`: pixels that the picture may take; with less than height() its rows draw together.
    void draw(const RunChoice& choice, Cursor& cursor, float room);

  private:
    struct Box {
        ImVec2 from, to;
        ImVec2 centre() const { return {(from.x + to.x) / 2, (from.y + to.y) / 2}; }
    };
    struct Layout {
        ImVec2 at;
        float width = 0, head = 0, row = 0;
    };
    void place(const Layout& layout);
    float host_width(const Layout& layout) const;
    float stream_width(const Layout& layout) const;
    int under_mouse() const;
    void point(int node, bool clicked, const RunChoice& choice, Cursor& cursor);
    void draw_heads(const Layout& layout) const;
    void draw_rails(const Layout& layout) const;
    void draw_edge(const Edge& edge, bool lit, bool faded) const;
    void draw_race(const Layout& layout, const Race& race) const;
    void draw_missing(const Layout& layout, const Node& first, const Node& second) const;
    void draw_node(size_t i, Scene::Place place, bool any_lit) const;
    void draw_legend(bool any_lit) const;
    void explain(int node) const;

    Scene scene_;
    std::vector<Box> boxes_;    // of the nodes, in the frame that is drawn
    std::vector<float> rails_;  // middle of each column
    int chosen_ = -1;           // node that a click holds
};

}  // namespace lab::lesson_10_events
