// Four programs side by side: the files of stages/, each cut into the parts that its comments name.
#pragma once

#include <imgui.h>

#include <array>
#include <string>
#include <vector>

namespace lab::lesson_23_mlp_train {

struct StagePart {
    std::string name;  // "forward"
    std::vector<std::string> lines;
    int first_line = 0;  // in the file, from 1
};

struct Stage {
    std::string file, title;
    std::vector<StagePart> parts;
    int lines = 0;
    size_t columns = 0;  // of the longest line
};

// The file's text by its lines with `part: NAME`; what stands before the first has the name "".
Stage stage_of(const std::string& file, const std::string& title, const std::string& text);

class StagesView {
  public:
    void load();  // once
    void draw();
    const std::vector<Stage>& stages() const { return stages_; }
    const std::string& part() const { return part_; }
    void choose(const std::string& part);

  private:
    void draw_parts();
    void draw_column(const Stage& stage, size_t index, ImVec2 size);

    bool loaded_ = false;
    std::vector<Stage> stages_;
    std::array<bool, 4> shown_{false, false, false, false};
    std::string part_;             // that is lit
    std::array<int, 4> scroll_{};  // frames for which a column has still to be scrolled to part_
    float fitted_ = 0;             // the width that shown_ was chosen for
};

}  // namespace lab::lesson_23_mlp_train
