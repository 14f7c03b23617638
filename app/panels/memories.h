// The memories of a program, as far as the lessons have come: where each lies, who may touch it, how long it lives and
// how large it is, with what the shown run keeps there. One figure, which grows by a row or two a lesson.
#pragma once

#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/panels/run_choice.h"

namespace lab {

class Memories : public Panel {
  public:
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;
    // until = "05": the rows of lessons 01 to 05, those of 05 marked as new. Left out: every row.
    void configure(const std::map<std::string, std::string>& options) override;

    // What the rows say, for tests.
    struct Row {
        std::string name, place, who, lives, size, in_run;
        bool is_new = false;
    };
    const std::vector<Row>& rows() const { return rows_; }
    const std::string& limits() const { return limits_; }

  private:
    void derive();
    void draw_row(const Row& row) const;

    RunChoice choice_;
    int until_ = 99;
    std::vector<Row> rows_;
    std::string limits_;  // a sentence; empty: the run does not know its device
    std::string device_;
    std::string to_come_;  // "constant memory (lesson 06), ..."
    float height_ = 0;     // of the last drawing
};

}  // namespace lab
