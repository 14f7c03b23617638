// The path: all lessons by part, each with its two ticks. A pane of its own where there is room, else a
// popup.
#include <fmt/format.h>

#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

// A ring that closes with every question answered right, and a tick within it for the exercise.
void draw_state(ImDrawList* list, ImVec2 centre, const Ticks& ticks) {
    const float r = em(0.5f);
    list->AddCircle(centre, r, palette().border, 0, em(0.16f));
    const float part = ticks.quizzes_all ? float(ticks.quizzes_right) / float(ticks.quizzes_all) : 0;
    if (part > 0) {
        constexpr float top = -IM_PI / 2;
        list->PathArcTo(centre, r, top, top + part * 2 * IM_PI, 32);
        list->PathStroke(palette().good, em(0.16f));
    }
    if (ticks.exercise) draw_tick(list, centre, r * 0.6f, palette().good);
    if (ticks.further)
        draw_star(list, {centre.x + r * 0.95f, centre.y - r * 0.85f}, r * 0.62f, palette().warn);
}

void draw_row(App& app, size_t index) {
    const LessonView& view = app.lessons_[index];
    const bool here = index == app.current_;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, x = at.x + em(1.9f), room = width - em(2.4f);
    ImFont* font = font_of(here ? Face::bold : Face::text);
    const float pixels = em(0.95f);
    const ImVec2 size = font->CalcTextSizeA(pixels, FLT_MAX, room, view.lesson.title.c_str());
    const float height = std::max(em(2), size.y + em(0.8f));
    ImGui::PushID(int(index));
    const bool pressed = ImGui::InvisibleButton("row", {width, height}, ImGuiButtonFlags_EnableNav);
    app.mark("path/" + view.lesson.slug);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 to{at.x + width, at.y + height};
    if (here || ImGui::IsItemHovered())
        list->AddRectFilled(at, to, here ? palette().accent_soft : palette().raised, em(0.35f));
    draw_state(list, {at.x + em(0.95f), at.y + height / 2}, view.ticks);
    list->AddText(font, pixels, {x, at.y + (height - size.y) / 2}, here ? palette().text : palette().dim,
                  view.lesson.title.c_str(), nullptr, room);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && begin_hint()) {
        hint_title(fmt::format("{:02} {}", view.lesson.number, view.lesson.title));
        hint_text(view.ticks.exercise ? "The exercise passes." : "The exercise has not passed yet.");
        hint_text(fmt::format("{} of {} questions answered right.", view.ticks.quizzes_right,
                              view.ticks.quizzes_all));
        if (view.ticks.further) hint_text("You have gone further: the star is for its goals.");
        end_hint();
    }
    ImGui::PopID();
    if (!pressed) return;
    app.open_lesson(index);
    app.show_path_ = false;
}

void draw_rows(App& app) {
    std::string part;
    for (size_t i = 0; i < app.lessons_.size(); ++i) {
        const Lesson& lesson = app.lessons_[i].lesson;
        if (lesson.part != part) {
            part = lesson.part;
            ImGui::Dummy({1, em(i ? 0.7f : 0.1f)});
            wrapped_text(Face::bold, em(0.8f), palette().faint, part);
        }
        draw_row(app, i);
    }
}

}  // namespace

void draw_path(App& app) {
    if (!app.narrow_) {
        if (app.focus_ == "Path") ImGui::SetNextWindowFocus();
        if (ImGui::Begin("Path")) draw_rows(app);
        ImGui::End();
        return;
    }
    if (!app.show_path_) return;
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport->WorkPos.x + em(0.5f), viewport->WorkPos.y + em(2.8f)});
    ImGui::SetNextWindowSize(
        {std::min(em(22), viewport->WorkSize.x - em(1)), std::min(em(24), viewport->WorkSize.y - em(4))});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, palette().raised);  // it lies over the panes
    if (ImGui::Begin("Lessons", &app.show_path_,
                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings))
        draw_rows(app);
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace lab
