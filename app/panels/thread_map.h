// The thread map: the grid of blocks, the threads of one block, and the buffers. Pointing at a thread lights
// up what it read (blue) and wrote (orange); pointing at an element lights up who touched it. What a finding
// names is red.
//
// Options of a ```panel block: case = a part of a case's name (then no other can be chosen), columns =
// elements a row.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/panels/access_index.h"
#include "app/panels/cells.h"
#include "app/panels/panel.h"
#include "app/panels/run_choice.h"

namespace lab {

class ThreadMap : public Panel {
  public:
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    void configure(const std::map<std::string, std::string>& options) override;
    float height_for(float width, float most) override;

  private:
    // Sizes of all fields for a given room. `at` of each is filled in when it is drawn.
    struct Plan {
        CellGrid grid, threads;
        std::vector<CellGrid> buffers;
        float height = 0;
        float left = 0;  // width of the left column, with the buffers in a column to its right; 0: all in one
        bool legend_above = false;  // beside the grid's title
        float smallest() const;     // cell of threads or elements
    };
    // What a cell of a buffer stands for, put together from its elements.
    struct CellState {
        uint8_t flags = 0;
        bool mine = false;  // touched by the shown block
    };

    void derive();
    void show_block(int64_t block);
    Plan plan_for(float width, float room) const;
    Plan plan_stacked(float width, float room) const;
    Plan plan_beside(float width, float room) const;
    CellGrid fit_grid(float width, float height) const;
    CellGrid fit_threads(float width, float height) const;
    CellGrid fit_buffer(const IndexedBuffer& buffer, float width, float height) const;
    void gather_cells(size_t buffer);
    bool flat_grid() const;
    bool flat_block() const;

    // thread_map_draw.cpp
    void draw_launch_line() const;
    void draw_grid(Cursor& cursor);
    void draw_block_cell(const CellGrid& grid, int64_t cell) const;
    void draw_threads(Cursor& cursor);
    void draw_buffer(Cursor& cursor, size_t buffer);
    void draw_links(const Cursor& cursor) const;
    void draw_link(int64_t thread, int buffer, int64_t element, ImU32 colour) const;
    void draw_legend(ImVec2 at, float width) const;
    static float legend_width();
    void explain_thread(int64_t thread) const;
    void explain_element(size_t buffer, int64_t element) const;

    bool is_here(const Cursor& cursor) const;  // whether it points into the shown launch
    void follow(const Cursor& cursor);
    void handle_keys(Cursor& cursor);
    void point_at_thread(Cursor& cursor, int64_t thread, bool click);
    void point_at_element(Cursor& cursor, size_t buffer, int64_t element, bool click);
    uint8_t lit_by_element(int64_t thread, const Cursor& cursor) const;
    std::map<int64_t, uint8_t> cells_lit(size_t buffer, const Cursor& cursor) const;
    int64_t thread_of(const Cursor& cursor) const;
    std::string thread_text(int64_t thread) const;  // "thread 3 of block 1"

    RunChoice choice_;
    AccessIndex index_;
    int64_t active_ = 0;   // threads that touched memory
    int64_t block_ = 0;    // whose threads are shown
    int64_t columns_ = 0;  // elements a row, where the lesson says so; 0: as fits
    Plan plan_;
    std::vector<std::vector<CellState>> cells_;  // one list a buffer, for the plan's cells
};

}  // namespace lab
