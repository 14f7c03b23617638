// One frame of the window: keys, the arrangement of the panes, and the panes.
#include <fmt/format.h>

#include <algorithm>

#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {

namespace {

constexpr float narrow_ems = 60, short_ems = 34, low_ems = 62;

}  // namespace

void App::handle_shortcuts() {
    const ImGuiIO& io = ImGui::GetIO();
    auto pressed = [](ImGuiKeyChord chord) {
        return ImGui::Shortcut(chord, ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_RouteOverActive);
    };
    auto repeated = [](ImGuiKeyChord chord) {
        return ImGui::Shortcut(
            chord, ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_RouteOverActive | ImGuiInputFlags_Repeat);
    };
    if (repeated(ImGuiMod_Ctrl | ImGuiKey_Equal) ||
        repeated(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal) ||
        repeated(ImGuiMod_Ctrl | ImGuiKey_KeypadAdd))
        set_scale(options_.scale + 0.1f);
    if (repeated(ImGuiMod_Ctrl | ImGuiKey_Minus) || repeated(ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract))
        set_scale(options_.scale - 0.1f);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_0)) set_scale(1);
    if (pressed(ImGuiKey_F5)) present(0);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_R)) grade();
    if (pressed(ImGuiKey_F1)) show_help_ = !show_help_;
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_D))
        set_theme(options_.theme == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_L)) show_path_ = !show_path_;
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_PageDown) && current_ + 1 < lessons_.size())
        open_lesson(current_ + 1);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_PageUp) && current_ > 0) open_lesson(current_ - 1);
    if (pressed(ImGuiMod_Ctrl | ImGuiKey_T) && !now().side.empty() && !now().lesson.sliders.empty()) {
        focus_ = "panel/" + now().side[0].name;
        try_.chosen = try_.open = try_.focus = true;
    }
    constexpr const char* panes[] = {"Path", "Lesson", "Code", "", "Verdict"};
    for (int i = 0; i < 5; ++i)
        if (pressed(ImGuiMod_Ctrl | ImGuiKey(ImGuiKey_1 + i))) {
            const auto& side = now().side;
            focus_ = i == 3 && !side.empty() ? "panel/" + side[next_panel_++ % side.size()].name : panes[i];
            if (i == 0 && narrow_) show_path_ = true;
        }
    if (!io.WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        cursor_ = {};
        show_help_ = show_path_ = false;
    }
}

float App::part_of(const char* pane, float otherwise) const {
    const auto found = pane_parts_.find(arrangement_ + "." + pane);
    return found == pane_parts_.end() ? otherwise : std::clamp(found->second, 0.05f, 0.9f);
}

// Keeps what the reader dragged, each pane as a part of the room that it was split from.
void App::watch_pane_sizes(ImGuiID dock) {
    const ImGuiMouseCursor shape = ImGui::GetMouseCursor();
    const bool splitter = shape == ImGuiMouseCursor_ResizeEW || shape == ImGuiMouseCursor_ResizeNS;
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left) && splitter && !ImGui::GetIO().WantTextInput)
        resizing_ = true;
    if (!resizing_ || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    resizing_ = false;
    const auto size_of = [this](const char* pane) {
        const ImGuiDockNode* node = ImGui::DockBuilderGetNode(pane_nodes_[pane]);
        return node ? node->Size : ImVec2{0, 0};
    };
    const ImGuiDockNode* whole = ImGui::DockBuilderGetNode(dock);
    if (!whole || whole->Size.x <= 0 || whole->Size.y <= 0) return;
    const auto keep = [this](const char* pane, float size, float room) {
        if (size > 0 && room > 0) pane_parts_[arrangement_ + "." + pane] = size / room;
    };
    keep("verdict", size_of("verdict").y, whole->Size.y);
    if (!narrow_) {
        keep("path", size_of("path").x, whole->Size.x);
        keep("side", size_of("side").x, whole->Size.x - size_of("path").x);
        if (pane_nodes_["code"] != pane_nodes_["side"])
            keep("code", size_of("code").y, size_of("code").y + size_of("side").y);
    }
    write_settings();
}

// Builds the panes' arrangement when the window's size in ems asks for another one.
void App::lay_out_panes(ImGuiID dock) {
    const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
    narrow_ = size.x < em(narrow_ems);
    const bool tall = size.y >= em(short_ems), low = size.y < em(low_ems);
    arrangement_ = fmt::format("{}-{}", narrow_ ? "narrow" : "wide", !tall ? "short" : low ? "low" : "tall");
    const std::string wanted = arrangement_ + " " + now().lesson.slug;
    if (layout_ == wanted) return;
    layout_ = wanted;
    ImGui::DockBuilderRemoveNode(dock);
    ImGui::DockBuilderAddNode(dock, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(dock, size);
    ImGuiID middle = dock, left = 0, right = 0, bottom = 0, code = 0;
    auto bare = [](ImGuiID id) { ImGui::DockBuilderGetNode(id)->LocalFlags |= ImGuiDockNodeFlags_NoTabBar; };
    if (narrow_) {
        ImGui::DockBuilderSplitNode(middle, ImGuiDir_Down,
                                    part_of("verdict", std::clamp(em(6.5f) / size.y, 0.16f, 0.3f)), &bottom,
                                    &middle);
        right = code = middle;
    } else {
        const float path = part_of("path", em(size.x > em(85) ? 14 : 10.5f) / size.x);
        const float share = part_of("side", std::max(0.5f, 1 - em(50) / (size.x * (1 - path))));
        const float verdict = part_of("verdict", std::clamp(em(low ? 11.5f : 10.5f) / size.y, 0.15f, 0.34f));
        ImGui::DockBuilderSplitNode(middle, ImGuiDir_Left, path, &left, &middle);
        // In a low window the code and the panels need its whole height; the verdict then stands below the
        // text alone.
        if (low) ImGui::DockBuilderSplitNode(middle, ImGuiDir_Right, share, &right, &middle);
        ImGui::DockBuilderSplitNode(middle, ImGuiDir_Down, verdict, &bottom, &middle);
        if (!low) ImGui::DockBuilderSplitNode(middle, ImGuiDir_Right, share, &right, &middle);
        if (tall)
            ImGui::DockBuilderSplitNode(right, ImGuiDir_Up, part_of("code", low ? 0.42f : 0.47f), &code,
                                        &right);
        else
            code = right;
        bare(left);
        bare(middle);
        ImGui::DockBuilderDockWindow("Path", left);
    }
    bare(bottom);
    if (code != right) bare(code);
    if (!narrow_ && now().side.size() == 1 && code != right) bare(right);
    ImGui::DockBuilderDockWindow("Lesson", middle);
    ImGui::DockBuilderDockWindow("Code", code);
    for (const PanelSlot& slot : now().side)
        ImGui::DockBuilderDockWindow(fmt::format("###panel/{}", slot.name).c_str(), right);
    ImGui::DockBuilderDockWindow("Verdict", bottom);
    ImGui::DockBuilderFinish(dock);
    pane_nodes_ = {{"path", left}, {"side", right}, {"verdict", bottom}, {"code", code}};
    first_tabs_ = 6;
}

constexpr ImGuiWindowFlags plain_window = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking |
                                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                          ImGuiWindowFlags_NoSavedSettings;

// Focusing a pane selects its tab only where the tab bar has seen it before.
void bring_forward(const std::string& pane) {
    const ImGuiWindow* window = ImGui::FindWindowByName(pane.c_str());
    if (!window || !window->DockNode) return;
    window->DockNode->SelectedTabId = window->TabId;
    if (ImGuiTabBar* tabs = window->DockNode->TabBar) tabs->NextSelectedTabId = window->TabId;
}

void App::draw_panes() {
    const float bar = em(2.6f);
    draw_top_bar(*this, bar);
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport->WorkPos.x, viewport->WorkPos.y + bar});
    ImGui::SetNextWindowSize({viewport->WorkSize.x, viewport->WorkSize.y - bar});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##dock", nullptr, plain_window | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar(2);
    const ImGuiID dock = ImGui::GetID("dock");
    lay_out_panes(dock);
    ImGui::DockSpace(dock, {0, 0},
                     ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton |
                         ImGuiDockNodeFlags_NoUndocking);
    ImGui::End();
    watch_pane_sizes(dock);
    draw_path(*this);
    draw_lesson(*this);
    draw_code_view(*this);
    for (PanelSlot& slot : now().side) draw_side_panel(*this, slot);
    draw_verdict(*this);
    draw_help(*this);
    // A tab bar shows its last pane at first: bring forward what a reader wants to see first.
    if (first_tabs_ > 0 && --first_tabs_ == 0) {
        if (!now().side.empty()) bring_forward(fmt::format("###panel/{}", now().side[0].name));
        bring_forward("Lesson");
        ImGui::SetWindowFocus("Lesson");
    }
}

void App::draw_no_lessons() {
    draw_top_bar(*this, em(2.6f));
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport->WorkPos.x, viewport->WorkPos.y + em(2.6f)});
    ImGui::SetNextWindowSize(viewport->WorkSize);
    ImGui::Begin("##empty", nullptr, plain_window);
    wrapped_text(Face::text, em(), palette().text,
                 "There are no lessons here. Start cudalab in the folder that holds them, in a folder made "
                 "by `cudalab init`, or set CUDALAB_HOME.");
    ImGui::End();
}

// For the tour: the text or one panel, as large as the window.
void App::draw_one_pane() {
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport->WorkPos);
    ImGui::SetNextWindowSize(viewport->WorkSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##alone", nullptr, plain_window);
    ImGui::PopStyleVar();
    if (only_pane_ == "Lesson") draw_lesson_text(*this);
    for (PanelSlot& slot : now().side)
        if (slot.name == only_pane_) {
            draw_try_strip(*this);
            draw_slot(*this, slot, "panel/" + slot.name);
        }
    ImGui::End();
}

void App::frame() {
    apply_style_if_pending();
    marks_.clear();
    if (!has_lessons()) return draw_no_lessons();
    take_news();
    present_.on ? handle_presenter_keys() : handle_shortcuts();
    if (frames_until_runs_ > 0 && --frames_until_runs_ == 0) start_first_runs();
    cursor_.pointed = false;
    if (present_.on)
        draw_presentation(*this);
    else if (only_pane_.empty())
        draw_panes();
    else
        draw_one_pane();
    if (!cursor_.pinned && !cursor_.pointed) cursor_ = {};
    focus_.clear();
    if (ImGui::GetTime() - place_saved_at_ > 1) {
        place_saved_at_ = ImGui::GetTime();
        save_place();
        refresh_progress(now());  // the terminal and ctest may have graded meanwhile
    }
}

}  // namespace lab
