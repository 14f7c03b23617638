#include "app/panels/steps.h"

#include <algorithm>

#include "app/theme/theme.h"

namespace lab {

size_t draw_steps(const Steps& steps, size_t shown, size_t count) {
    int step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::GetIO().WantTextInput) {
        step += ImGui::IsKeyPressed(steps.after);
        step -= ImGui::IsKeyPressed(steps.before);
    }
    ImGui::PushID(steps.id);
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    const int last = int(count) - 1;
    int wanted = int(shown);
    ImGui::SliderInt("##slider", &wanted, 0, last, steps.label.c_str(), ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopID();
    return size_t(std::clamp(wanted + step, 0, last));
}

}  // namespace lab
