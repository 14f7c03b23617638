// The picture of one block's tree: columns are threads, rows are rounds.
#pragma once

#include <imgui.h>

#include <string>

#include "app/panels/run_choice.h"
#include "app/panels/steps.h"
#include "lessons/16_reduction/panel_tree.h"

namespace lab::lesson_16_reduction {

class TreeView {
  public:
    void show(const BlockTree& tree);
    void draw(const RunChoice& choice, Cursor& cursor);
    static float height(size_t rows);

  private:
    struct Frame {  // pixels
        ImVec2 at;
        float wide = 0, pitch = 0, node = 0;  // of a thread; from row to row; of a row's boxes
        int first = 0, count = 0;             // threads in sight
        float x(int thread) const { return at.x + wide * (float(thread - first) + 0.5f); }
        float y(int row) const { return at.y + pitch * float(row); }
    };
    Frame lay_out() const;
    void draw_controls();
    void draw_sentence() const;
    void draw_edges(const Frame& frame, int row, int lit_row, int lit) const;
    void draw_nodes(const Frame& frame, int row, int lit_row, int lit) const;
    void draw_label(const Frame& frame, int row) const;
    std::string sentence_of(int row, int thread) const;
    void point_at(const RunChoice& choice, Cursor& cursor, int row, int thread, bool click) const;
    int rows_shown() const { return int(shown_) + 1; }

    const BlockTree* tree_ = nullptr;
    size_t shown_ = 0;  // the last row that is drawn in full
    size_t zoom_ = 0;   // 0: all threads of the block, else warp zoom_ - 1
};

}  // namespace lab::lesson_16_reduction
