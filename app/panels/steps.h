// A slider with an arrow at each end, to go through the steps of a run. Keys move it as well, while the panel is in focus.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <string>

namespace lab {

struct Steps {
    const char* id;     // unique in the panel
    std::string label;  // stands on the slider: "step 3 of 5"
    ImGuiKey before = ImGuiKey_LeftArrow, after = ImGuiKey_RightArrow;
};
// The step to show next, below `count`, which is at least 1.
size_t draw_steps(const Steps& steps, size_t shown, size_t count);

}  // namespace lab
