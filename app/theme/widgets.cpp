#include "app/theme/widgets.h"

namespace lab {

void section_title_at(ImVec2 at, std::string_view title, std::string_view detail, float room) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float large = em(0.9f), small = em(0.84f), y = at.y + em(0.2f);
    const float x = at.x + draw_text(list, Face::bold, large, {at.x, y}, palette().text, title) + em(0.6f);
    if (x + text_size(Face::text, small, detail).x > at.x + room) return;
    draw_text(list, Face::text, small, {x, y + ascent_of(Face::bold, large) - ascent_of(Face::text, small)},
              palette().dim, detail);
}

void section_title(std::string_view title, std::string_view detail, float room) {
    if (room <= 0) room = ImGui::GetContentRegionAvail().x;
    section_title_at(ImGui::GetCursorScreenPos(), title, detail, room);
    ImGui::Dummy({1, em(1.45f)});
}

bool begin_hint(bool above) {
    const ImVec2 mouse = ImGui::GetMousePos();
    if (above) ImGui::SetNextWindowPos({mouse.x + em(0.8f), mouse.y - em(0.8f)}, ImGuiCond_Always, {0, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.7f), em(0.55f)});
    ImGui::PushStyleColor(ImGuiCol_Border, palette().faint);
    const bool open = ImGui::BeginTooltip();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return open;
}

void hint_title(std::string_view text) {
    wrapped_text(Face::bold, em(0.92f), palette().text, text, em(24));
}

void hint_text(std::string_view text, ImU32 colour) {
    wrapped_text(Face::text, em(0.9f), colour ? colour : palette().dim, text, em(24));
}

void end_hint() {
    ImGui::EndTooltip();
}

bool primary_button(const char* label, ImVec2 size) {
    ImGui::PushStyleColor(ImGuiCol_Button, palette().accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, mix(palette().accent, palette().text, 0.15f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, mix(palette().accent, palette().text, 0.3f));
    ImGui::PushStyleColor(ImGuiCol_Text, palette().on_accent);
    ImGui::PushFont(font_of(Face::bold), 0);
    const bool pressed = ImGui::Button(label, size);
    ImGui::PopFont();
    ImGui::PopStyleColor(4);
    return pressed;
}

void wrapped_text(Face face, float pixels, ImU32 colour, std::string_view text, float width) {
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    ImFont* font = font_of(face);
    const char* begin = text.data();
    const char* end = begin + text.size();
    const ImVec2 size = font->CalcTextSizeA(pixels, FLT_MAX, width, begin, end);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddText(font, pixels, {float(int(at.x)), float(int(at.y))}, colour, begin,
                                        end, width);
    ImGui::Dummy(size);
}

}  // namespace lab
