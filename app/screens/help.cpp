// All keys, over the window.
#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

struct Key {
    const char *keys, *what;
};
constexpr Key keys[] = {
    {"save in your editor", "grade your file"},
    {"Ctrl R", "grade it again"},
    {"F5", "present the lesson to a class"},
    {"Ctrl PgDn, Ctrl PgUp", "next lesson, lesson before"},
    {"Ctrl L", "the list of lessons"},
    {"Ctrl 1 ... Ctrl 5", "go to path, text, code, panels in turn, verdict"},
    {"Tab, arrows, Space", "move and choose within a pane"},
    {"arrows in a panel", "walk from thread to thread, step to step"},
    {"click in a panel", "hold what you point at; Escape lets go"},
    {"Ctrl T", "the sliders: run your kernel at other sizes"},
    {"Ctrl +, Ctrl -, Ctrl 0", "larger text, smaller, as at first"},
    {"Ctrl D", "light or dark"},
    {"F1, Escape", "show and close this"},
};

}  // namespace

void draw_help(App& app) {
    if (!app.show_help_) return;
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    const float width = std::min(em(36), viewport->WorkSize.x - em(2));
    ImGui::SetNextWindowPos(
        {viewport->WorkPos.x + viewport->WorkSize.x / 2, viewport->WorkPos.y + viewport->WorkSize.y / 2},
        ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, palette().raised);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(1.4f), em(1.2f)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    if (ImGui::Begin("##help", &app.show_help_,
                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoDecoration |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove)) {
        app.mark("help", ImGui::GetWindowPos(),
                 {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                  ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
        wrapped_text(Face::bold, em(1.3f), palette().text, "Keys");
        ImGui::Dummy({1, em(0.3f)});
        for (const Key& key : keys) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            draw_text(ImGui::GetWindowDrawList(), Face::mono, em(0.88f), at, palette().accent, key.keys);
            ImGui::SetCursorScreenPos({at.x + em(14.5f), at.y});
            wrapped_text(Face::text, em(0.95f), palette().text, key.what);
            ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
            ImGui::Dummy({1, em(0.1f)});
        }
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

}  // namespace lab
