// A panel, at the side or in the text: a notice of whose run it shows, then the panel itself.
#include <fmt/format.h>

#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {

void draw_slot(App& app, PanelSlot& slot, const std::string& mark) {
    app.update_slot(slot);
    app.mark(mark, ImGui::GetWindowPos(),
             {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
              ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
    if (!slot.notice.empty()) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const ImVec2 size =
            font_of(Face::text)->CalcTextSizeA(em(0.88f), FLT_MAX, width - em(1.2f), slot.notice.c_str());
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + size.y + em(0.5f)},
                                                  palette().accent_soft, em(0.3f));
        ImGui::SetCursorScreenPos({at.x + em(0.6f), at.y + em(0.25f)});
        wrapped_text(Face::text, em(0.88f), palette().text, slot.notice, width - em(1.2f));
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({width, size.y + em(0.6f)});
    }
    if (!slot.panel) {
        wrapped_text(Face::text, em(), palette().bad, fmt::format("There is no panel named {}.", slot.name));
        return;
    }
    if (!slot.loaded) return;
    slot.panel->draw(app.cursor_);
    if (const auto drawn = slot.panel->take_drawing()) app.try_drawing(*drawn);
}

void draw_side_panel(App& app, PanelSlot& slot) {
    const PanelRow* row = find_panel(slot.name);
    if (app.focus_ == "panel/" + slot.name) ImGui::SetNextWindowFocus();
    const std::string title = fmt::format("{}###panel/{}", row ? row->title : slot.name, slot.name);
    if (ImGui::Begin(title.c_str(), nullptr, ImGuiWindowFlags_NoNavInputs)) {
        draw_try_strip(app);
        draw_slot(app, slot, "panel/" + slot.name);
    }
    ImGui::End();
}

}  // namespace lab
