#include "app/theme/theme.h"

#include <cmath>
#include <numbers>

#include "app/theme/palette.h"

namespace lab {
namespace {

// ImGui's font size is the height of a line, not the em square: 18 are letters of some 13 pixels.
constexpr float base_pixels = 18;

struct State {
    ThemeKind kind = ThemeKind::dark;
    float em = base_pixels;
};
State state;

ImVec4 vec(ImU32 colour) {
    return ImGui::ColorConvertU32ToFloat4(colour);
}

void set_colours(ImGuiStyle& style, const Palette& p) {
    auto set = [&](std::initializer_list<ImGuiCol> which, ImU32 colour) {
        for (ImGuiCol index : which) style.Colors[index] = vec(colour);
    };
    set({ImGuiCol_Text, ImGuiCol_CheckMark, ImGuiCol_InputTextCursor}, p.text);
    set({ImGuiCol_TextDisabled}, p.dim);
    set({ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed, ImGuiCol_MenuBarBg,
         ImGuiCol_DockingEmptyBg},
        p.surface);
    // The frame is cleared to the panes' colour: filling them once more would take a third of a frame.
    set({ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_BorderShadow, ImGuiCol_ScrollbarBg,
         ImGuiCol_TableRowBg},
        rgb(0, 0));
    set({ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_Button, ImGuiCol_Header}, p.raised);
    set({ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive,
         ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive, ImGuiCol_TabHovered},
        p.hovered);
    set({ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderLight, ImGuiCol_TableBorderStrong},
        p.border);
    set({ImGuiCol_SeparatorHovered, ImGuiCol_SeparatorActive, ImGuiCol_ResizeGripActive, ImGuiCol_NavCursor,
         ImGuiCol_DockingPreview, ImGuiCol_DragDropTarget, ImGuiCol_TextLink},
        p.accent);
    set({ImGuiCol_Tab, ImGuiCol_TabDimmed}, p.background);
    set({ImGuiCol_TabSelected, ImGuiCol_TabDimmedSelected}, p.surface);
    set({ImGuiCol_TabSelectedOverline, ImGuiCol_TabDimmedSelectedOverline}, p.accent);
    set({ImGuiCol_ScrollbarGrab, ImGuiCol_ResizeGrip}, p.border);
    set({ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ScrollbarGrabActive, ImGuiCol_ResizeGripHovered}, p.faint);
    set({ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive}, mix(p.accent_soft, p.accent, 0.35f));
    set({ImGuiCol_TextSelectedBg}, with_alpha(p.accent, 0.35f));
    set({ImGuiCol_ModalWindowDimBg}, rgb(0, 110));
}

}  // namespace

const Palette& palette() {
    return state.kind == ThemeKind::dark ? dark_palette : light_palette;
}
ThemeKind theme_kind() {
    return state.kind;
}
float em() {
    return state.em;
}

void apply_theme(ThemeKind kind, float scale) {
    state.kind = kind;
    state.em = std::round(base_pixels * scale);
    ImGuiStyle style;
    style.FontSizeBase = state.em;
    style._NextFrameFontSizeBase = state.em;  // in mid-frame ImGui heeds only this one
    style.FontScaleMain = style.FontScaleDpi = 1;
    const float unit = state.em / 16;
    style.WindowPadding = {12 * unit, 10 * unit};
    style.FramePadding = {9 * unit, 5 * unit};
    style.ItemSpacing = {8 * unit, 6 * unit};
    style.ItemInnerSpacing = {6 * unit, 4 * unit};
    style.ScrollbarSize = 11 * unit;
    style.GrabMinSize = 12 * unit;
    style.WindowRounding = style.ChildRounding = style.PopupRounding = 6 * unit;
    style.FrameRounding = style.GrabRounding = style.TabRounding = 5 * unit;
    style.ScrollbarRounding = 6 * unit;
    style.WindowBorderSize = style.FrameBorderSize = 0;
    style.ChildBorderSize = style.PopupBorderSize = 1;
    style.TabBarBorderSize = 0;
    style.TabBarOverlineSize = 2 * unit;
    style.DockingSeparatorSize = std::max(2.f, std::round(3 * unit));
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.SeparatorTextBorderSize = 1;
    set_colours(style, palette());
    ImGui::GetStyle() = style;
}

ImVec2 text_size(Face face, float pixels, std::string_view text) {
    return font_of(face)->CalcTextSizeA(pixels, FLT_MAX, 0, text.data(), text.data() + text.size());
}

float ascent_of(Face face, float pixels) {
    return font_of(face)->GetFontBaked(pixels)->Ascent;
}

ImU32 with_alpha(ImU32 colour, float alpha) {
    return (colour & ~IM_COL32_A_MASK) | (ImU32(alpha * 255) << IM_COL32_A_SHIFT);
}

ImU32 mix(ImU32 a, ImU32 b, float part_of_b) {
    const ImVec4 from = vec(a), to = vec(b);
    auto blend = [&](float x, float y) { return x + (y - x) * part_of_b; };
    return ImGui::ColorConvertFloat4ToU32(
        {blend(from.x, to.x), blend(from.y, to.y), blend(from.z, to.z), blend(from.w, to.w)});
}

void draw_tick(ImDrawList* list, ImVec2 c, float r, ImU32 colour) {
    const ImVec2 points[] = {{c.x - r * 0.85f, c.y + r * 0.05f},
                             {c.x - r * 0.25f, c.y + r * 0.65f},
                             {c.x + r * 0.9f, c.y - r * 0.7f}};
    list->AddPolyline(points, 3, colour, std::max(1.5f, r * 0.34f));
}

void draw_star(ImDrawList* list, ImVec2 c, float r, ImU32 colour) {
    constexpr float pi = std::numbers::pi_v<float>;
    for (int i = 0; i < 10; ++i) {
        const float turn = float(i) * pi / 5 - pi / 2, reach = i % 2 == 0 ? r : r * 0.45f;
        list->PathLineTo({c.x + std::cos(turn) * reach, c.y + std::sin(turn) * reach});
    }
    list->PathFillConcave(colour);
}

void draw_cross(ImDrawList* list, ImVec2 c, float r, ImU32 colour) {
    const float d = r * 0.7f, width = std::max(1.5f, r * 0.34f);
    list->AddLine({c.x - d, c.y - d}, {c.x + d, c.y + d}, colour, width);
    list->AddLine({c.x - d, c.y + d}, {c.x + d, c.y - d}, colour, width);
}

void draw_arrow(ImDrawList* list, ImVec2 c, float r, ImU32 colour) {
    const float width = std::max(1.5f, r * 0.3f);
    const ImVec2 head[] = {
        {c.x + r * 0.15f, c.y - r * 0.6f}, {c.x + r * 0.85f, c.y}, {c.x + r * 0.15f, c.y + r * 0.6f}};
    list->AddLine({c.x - r * 0.85f, c.y}, {c.x + r * 0.8f, c.y}, colour, width);
    list->AddPolyline(head, 3, colour, width);
}

}  // namespace lab
