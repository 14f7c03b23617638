// A panel is a picture of a run. load() derives everything that it shows, once; draw() only draws, every
// frame, and keeps no state of its own but what the reader chose. All panels share one Cursor.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/model/cursor.h"
#include "app/model/run_bundle.h"

namespace lab {

class Panel {
  public:
    virtual ~Panel() = default;
    virtual void load(const RunBundle& bundle) = 0;
    // Into what is left of the current ImGui window.
    virtual void draw(Cursor& cursor) = 0;
    // How many pixels draw() would like to have, `most` at most: a panel in the text takes no more room than
    // it needs.
    virtual float height_for(float width, float most) {
        (void)width;
        return most;
    }
    // What the reader has drawn since the last call, of the lesson's [[drawing]] of that name: the window then runs the
    // experiment with it. Without a name it runs the experiment as it is. Nothing: not now.
    struct Drawn {
        std::string name, bytes;
        std::map<std::string, int> settings{};  // sliders that move with it
    };
    virtual std::optional<Drawn> take_drawing() { return {}; }
    // While an experiment runs that was started by this lesson: what it has reported so far, once a frame.
    virtual void watch(const std::vector<Series>& live) { (void)live; }
    // The keys of a ```panel block besides name, from and caption.
    virtual void configure(const std::map<std::string, std::string>& options) { (void)options; }
};

struct PanelRow {
    const char* name;   // as lessons write it
    const char* title;  // as the reader sees it
    std::unique_ptr<Panel> (*make)();
};

std::span<const PanelRow> panel_table();
const PanelRow* find_panel(const std::string& name);  // also the lessons' own panels; null: there is none

}  // namespace lab
