// Memory access: one warp instruction at a time. Its 32 lanes above, the 128-byte lines that they touch
// below, cut into sectors of 32 bytes; each step with its count. Left and right walk through the steps.
#pragma once

#include <vector>

#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/panels/warp_accesses.h"

namespace lab {

class MemoryAccess : public Panel {
  public:
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    float height_for(float width, float most) override;

  private:
    struct Site {  // a line of the source that loads, stores or both
        int line = 0;
        bool wrote = false, read = false;
        int64_t requests = 0, sectors = 0;
        size_t first = 0;  // access to show for it
    };
    void derive();
    void go_to(size_t access);
    void draw_sites();
    void draw_steps(Cursor& cursor);
    void draw_picture(Cursor& cursor);
    void draw_lanes(const WarpAccess& access, ImVec2 at, float cell, Cursor& cursor);
    void draw_lines(const WarpAccess& access, ImVec2 at, float cell, float row, const Cursor& cursor) const;
    std::string range_text(uint64_t line_address) const;  // "in[32..63]"
    int lane_under_cursor(const WarpAccess& access, const Cursor& cursor) const;

    RunChoice choice_;
    std::vector<WarpAccess> accesses_;
    std::vector<Site> sites_;
    size_t shown_ = 0;
};

}  // namespace lab
