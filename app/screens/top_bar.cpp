// The bar at the top: the program, the lesson, its two ticks, and the few things that have no pane of their
// own.
#include <fmt/format.h>

#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

void tick_label(ImDrawList* list, float& x, float middle, bool done, const std::string& text) {
    const float pixels = em(0.85f), r = em(0.42f);
    const ImVec2 centre{x + r, middle};
    if (done) {
        list->AddCircleFilled(centre, r, palette().good);
        draw_tick(list, centre, r * 0.62f, palette().surface);
    } else {
        list->AddCircle(centre, r, palette().faint, 0, 1.5f);
    }
    x += 2 * r + em(0.35f);
    x += draw_text(list, Face::text, pixels, {x, middle - pixels * 0.62f},
                   done ? palette().good : palette().dim, text) +
         em(1.1f);
}

bool bar_button(App& app, const char* label, const char* name, const char* hint) {
    const bool pressed = ImGui::Button(label);
    app.mark(std::string("bar/") + name);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && begin_hint()) {
        hint_text(hint);
        end_hint();
    }
    ImGui::SameLine();
    return pressed;
}

void draw_title(App& app, ImVec2 at, float height, float room) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float middle = at.y + height / 2;
    float x = at.x + em(0.9f);
    x += draw_text(list, Face::bold, em(1.05f), {x, middle - em(0.68f)}, palette().accent, "cudalab") + em(1);
    if (!app.has_lessons()) return;
    const LessonView& view = app.now();
    if (app.narrow_) {
        ImGui::SetCursorScreenPos({x, middle - ImGui::GetFrameHeight() / 2});
        if (ImGui::Button("Lessons")) app.show_path_ = !app.show_path_;
        app.mark("bar/lessons");
        x += ImGui::GetItemRectSize().x + em(0.7f);
    }
    const std::string title = fmt::format("{:02} {}", view.lesson.number, view.lesson.title);
    const float wide = text_size(Face::text, em(), title).x;
    if (x + wide > at.x + room) return;
    x += draw_text(list, Face::text, em(), {x, middle - em(0.65f)}, palette().text, title) + em(1.4f);
    if (x + em(15) > at.x + room) return;
    tick_label(list, x, middle, view.ticks.exercise, "exercise");
    tick_label(list, x, middle, view.ticks.quizzes,
               fmt::format("questions {}/{}", view.ticks.quizzes_right, view.ticks.quizzes_all));
}

}  // namespace

void draw_top_bar(App& app, float height) {
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport->WorkPos);
    ImGui::SetNextWindowSize({viewport->WorkSize.x, height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, palette().background);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin("##bar", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    const ImVec2 at = ImGui::GetWindowPos();
    const char* labels[] = {"Grade", "A-", "A+", "Theme", "Help"};
    float buttons = em(0.6f);
    for (const char* label : labels)
        buttons += ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x +
                   ImGui::GetStyle().ItemSpacing.x;
    draw_title(app, at, height, viewport->WorkSize.x - buttons);
    ImGui::SetCursorScreenPos(
        {at.x + viewport->WorkSize.x - buttons, at.y + (height - ImGui::GetFrameHeight()) / 2});
    if (bar_button(app, labels[0], "grade", "Grade your file now (Ctrl R). Saving it does the same."))
        app.grade();
    if (bar_button(app, labels[1], "smaller", "Smaller text (Ctrl -)"))
        app.set_scale(app.options_.scale - 0.1f);
    if (bar_button(app, labels[2], "larger", "Larger text (Ctrl +)"))
        app.set_scale(app.options_.scale + 0.1f);
    if (bar_button(app, labels[3], "theme", "Light or dark (Ctrl D)"))
        app.set_theme(app.options_.theme == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark);
    if (bar_button(app, labels[4], "help", "All keys (F1)")) app.show_help_ = !app.show_help_;
    ImGui::End();
}

}  // namespace lab
