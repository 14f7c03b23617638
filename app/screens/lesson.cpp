// The lesson's text: its blocks in order, in a column of readable width.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

constexpr float widest_ems = 44;  // some 80 characters a line

void follow(App& app, const std::string& link) {
    if (link.empty()) return;
    for (size_t i = 0; i < app.lessons_.size(); ++i)
        if (link.find(app.lessons_[i].lesson.slug) != std::string::npos) return app.open_lesson(i);
    if (link.starts_with("http"))
        ImGui::GetPlatformIO().Platform_OpenInShellFn(ImGui::GetCurrentContext(), link.c_str());
}

void draw_head(const Lesson& lesson, float width) {
    wrapped_text(
        Face::bold, em(0.85f), palette().accent,
        fmt::format("{}  ·  lesson {:02}  ·  {} minutes", lesson.part, lesson.number, lesson.minutes), width);
    wrapped_text(Face::bold, em(2.1f), palette().text, lesson.title, width);
    ImGui::Dummy({1, em(0.2f)});
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const std::string& goal : lesson.goals) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        list->AddCircleFilled({at.x + em(0.4f), at.y + em(0.65f)}, em(0.16f), palette().accent);
        ImGui::SetCursorScreenPos({at.x + em(1.2f), at.y});
        wrapped_text(Face::text, em(), palette().dim, goal, width - em(1.2f));
        ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
    }
    ImGui::Dummy({1, em(0.6f)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    list->AddLine(at, {at.x + width, at.y}, palette().border);
    ImGui::Dummy({1, em(0.6f)});
}

// Hints open one at a time; what was opened stays open.
void draw_hint(App& app, LessonView& view, size_t block, int step, float width) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (view.progress.hints < step - 1) {
        draw_text(list, Face::text, em(0.95f), {at.x + em(0.2f), at.y + em(0.2f)}, palette().faint,
                  fmt::format("Hint {} opens after hint {}.", step, step - 1));
        ImGui::Dummy({width, em(1.6f)});
        return;
    }
    if (view.progress.hints < step) {
        if (ImGui::Button(fmt::format("Open hint {} of {}", step, view.lesson.hints.size()).c_str()))
            app.opened_hint(step);
        app.mark(fmt::format("hint/{}", step));
        return;
    }
    DocumentView& text = view.texts[block];
    const float pad = em(0.9f), inner = width - 2 * pad, height = text.height(inner) + em(2.9f);
    list->AddRectFilled(at, {at.x + width, at.y + height}, palette().warn_soft, em(0.4f));
    draw_text(list, Face::bold, em(0.85f), {at.x + pad, at.y + em(0.6f)}, palette().warn,
              fmt::format("Hint {} of {}", step, view.lesson.hints.size()));
    ImGui::SetCursorScreenPos({at.x + pad, at.y + em(2)});
    follow(app, text.draw(inner));
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
}

float height_of(const PanelSlot& slot, float width) {
    const float asked =
        slot.options.contains("height") ? float(std::atof(slot.options.at("height").c_str())) : 0;
    const float most = em(asked > 0 ? asked : 26);
    const float notice = slot.notice.empty() ? 0 : em(2.1f);
    if (!slot.panel || !slot.loaded) return em(9);
    return std::min(most, slot.panel->height_for(width - em(1.8f), most) + notice + em(1.4f));
}

void draw_embedded(App& app, PanelSlot& slot, const std::string& mark, float width) {
    const float height = slot.height = height_of(slot, width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (!ImGui::IsRectVisible(at, {at.x + width, at.y + height})) {
        ImGui::Dummy({width, height});
    } else {
        ImGui::PushStyleColor(ImGuiCol_ChildBg, palette().background);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.9f), em(0.7f)});
        if (ImGui::BeginChild(mark.c_str(), {width, height}, ImGuiChildFlags_Borders,
                              ImGuiWindowFlags_NoNavInputs))
            draw_slot(app, slot, mark);
        ImGui::EndChild();
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
    }
    if (!slot.caption.empty()) wrapped_text(Face::italic, em(0.9f), palette().dim, slot.caption, width);
}

// One goal beyond a pass: what is asked, and the number of the reader's newest run.
void draw_goal(App& app, const LessonView& view, int index, float width) {
    const Goal& goal = view.lesson.further[size_t(index)];
    const RunPtr run = app.learner_run();
    const GoalResult* result = run && run->problem.empty() && run->run.further.size() > size_t(index)
                                   ? &run->run.further[size_t(index)]
                                   : nullptr;
    const bool known = result && result->value, reached = known && result->reached();
    const float pad = em(0.8f), left = em(2.6f), room = width - left - pad;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    draw_star(list, {at.x + em(1.3f), at.y + pad + em(0.6f)}, em(0.6f),
              reached ? palette().warn : palette().border);
    ImGui::SetCursorScreenPos({at.x + left, at.y + pad});
    ImGui::BeginGroup();
    wrapped_text(Face::bold, em(), palette().text, describe(goal), room);
    wrapped_text(Face::text, em(0.9f), palette().dim, fmt::format("in the case \"{}\"", goal.case_name),
                 room);
    wrapped_text(
        Face::text, em(0.95f), reached ? palette().good : palette().text,
        known ? fmt::format("Yours: {}{}", describe_number(*result->value), reached ? ". Reached." : "")
              : "Counted as soon as your exercise passes.",
        room);
    ImGui::EndGroup();
    app.mark(fmt::format("goal/{}", index));
    const float bottom = ImGui::GetItemRectMax().y + pad * 0.7f;
    list->ChannelsSetCurrent(0);
    list->AddRectFilled(at, {at.x + width, bottom}, reached ? palette().good_soft : palette().raised,
                        em(0.4f));
    list->ChannelsMerge();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, bottom - at.y});
}

void draw_block(App& app, LessonView& view, size_t index, float width, int& hints) {
    const Block& block = view.lesson.blocks[index];
    switch (block.kind) {
        case Block::Kind::markdown:
            follow(app, view.texts[index].draw(width));
            break;
        case Block::Kind::quiz:
            if (block.quiz >= 0 && size_t(block.quiz) < view.quizzes.size())
                draw_quiz(app, size_t(block.quiz), width);
            break;
        case Block::Kind::code: {
            const auto caption = block.options.find("caption");
            draw_code(block.code, "cpp", width, block.code_lines,
                      caption == block.options.end() ? "" : caption->second);
            break;
        }
        case Block::Kind::panel:
            draw_embedded(app, view.embedded[index], fmt::format("panel/{}/{}", block.panel, index), width);
            break;
        case Block::Kind::hint:
            draw_hint(app, view, index, ++hints, width);
            break;
        case Block::Kind::goal:
            draw_goal(app, view, block.goal, width);
            break;
        case Block::Kind::note:
            return;  // the presenter's
    }
    ImGui::Dummy({1, em(block.kind == Block::Kind::markdown ? 0.7f : 1.0f)});
}

void draw_receipt(App& app, LessonView& view, float width) {
    if (!view.lesson.receipt.empty()) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList* list = ImGui::GetWindowDrawList();
        list->ChannelsSplit(2);
        list->ChannelsSetCurrent(1);
        const float pad = em(1);
        ImGui::SetCursorScreenPos({at.x + pad, at.y + pad * 0.8f});
        for (const std::string& line : view.lesson.receipt) {
            const ImVec2 row = ImGui::GetCursorScreenPos();
            if (view.ticks.complete())
                draw_tick(list, {row.x + em(0.5f), row.y + em(0.65f)}, em(0.4f), palette().good);
            else
                list->AddCircle({row.x + em(0.5f), row.y + em(0.65f)}, em(0.35f), palette().faint, 0, 1.5f);
            ImGui::SetCursorScreenPos({row.x + em(1.4f), row.y});
            wrapped_text(Face::text, em(), palette().text, line, width - 2 * pad - em(1.4f));
            ImGui::SetCursorScreenPos({row.x, ImGui::GetCursorScreenPos().y});
        }
        const float bottom = ImGui::GetCursorScreenPos().y + pad * 0.5f;
        list->ChannelsSetCurrent(0);
        list->AddRectFilled(at, {at.x + width, bottom},
                            view.ticks.complete() ? palette().good_soft : palette().raised, em(0.4f));
        list->ChannelsMerge();
        ImGui::SetCursorScreenPos({at.x, bottom});
        ImGui::Dummy({1, em(0.8f)});
    }
    if (app.current_ + 1 < app.lessons_.size()) {
        const std::string label = fmt::format("Next: {}", app.lessons_[app.current_ + 1].lesson.title);
        if (view.ticks.complete() ? primary_button(label.c_str()) : ImGui::Button(label.c_str()))
            app.open_lesson(app.current_ + 1);
        app.mark("lesson/next");
    }
    ImGui::Dummy({1, em(3)});
}

// A figure that arrives, or another font, moves all that is below it. What the reader is about to click stays under the
// mouse, and else the block at the top of the view stays where it is.

// Before anything is drawn, for figures: no frame shows them out of place, and a click in it hits what it aims at.
void foresee_place(LessonView& view) {
    float grown = 0;
    for (const auto& [block, slot] : view.embedded)
        if (block < view.anchor && slot.height > 0) grown += height_of(slot, view.width) - slot.height;
    if (grown == 0 || view.scroll_to >= 0) return;
    ImGui::SetNextWindowScroll({-1, std::max(0.f, view.scroll + grown)});
    for (size_t i = view.anchor; i < view.block_tops.size(); ++i) view.block_tops[i] += grown;
}

// After it, for whatever else has moved. Returns where the text is scrolled to.
float keep_place(LessonView& view, const std::vector<float>& tops) {
    const float scroll = ImGui::GetScrollY();
    const bool same = view.block_tops.size() == tops.size() && view.anchor < tops.size();
    const float moved = same && view.scroll_to < 0 ? tops[view.anchor] - view.block_tops[view.anchor] : 0;
    if (moved != 0) ImGui::SetScrollY(scroll + moved);
    const bool aims = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                             ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                      (ImGui::IsAnyItemHovered() || ImGui::IsAnyItemActive());
    const float at = scroll + moved + (aims ? ImGui::GetMousePos().y - ImGui::GetWindowPos().y : 0);
    const auto after = std::upper_bound(tops.begin(), tops.end(), at);
    view.anchor = size_t(std::max<std::ptrdiff_t>(after - tops.begin(), 1) - 1);
    view.block_tops = tops;
    return scroll + moved;
}

void draw_problems(const Lesson& lesson, float width) {
    for (const std::string& problem : lesson.problems)
        wrapped_text(Face::mono, em(0.85f), palette().bad, problem, width);
}

}  // namespace

void draw_lesson_text(App& app) {
    LessonView& view = app.now();
    ImGui::PushID(view.lesson.slug.c_str());
    foresee_place(view);
    ImGui::BeginChild("text", {0, 0}, ImGuiChildFlags_NavFlattened);
    app.mark("lesson", ImGui::GetWindowPos(),
             {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
              ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
    if (ImGui::IsWindowFocused() && ImGui::IsKeyPressed(ImGuiKey_Space) && !ImGui::IsAnyItemActive() &&
        !ImGui::GetIO().NavVisible)
        ImGui::SetScrollY(ImGui::GetScrollY() + ImGui::GetWindowHeight() * 0.85f);
    const float room = ImGui::GetContentRegionAvail().x, width = std::min(room - em(2.6f), em(widest_ems));
    ImGui::SetCursorPos({std::max(em(1.3f), (room - width) / 2), em(1.4f)});
    ImGui::BeginGroup();
    draw_problems(view.lesson, width);
    draw_head(view.lesson, width);
    int hints = 0;
    std::vector<float> tops;
    for (size_t i = 0; i < view.lesson.blocks.size(); ++i) {
        tops.push_back(ImGui::GetCursorPosY());
        ImGui::PushID(int(i));
        draw_block(app, view, i, width, hints);
        ImGui::PopID();
    }
    draw_receipt(app, view, width);
    ImGui::EndGroup();
    view.width = width;
    view.scroll = keep_place(view, tops);
    // The height is known a frame late, and the panes need some frames to find their size: wait for that
    // before going to a place in the text.
    view.steady = view.scroll_most == ImGui::GetScrollMaxY() ? view.steady + 1 : 0;
    view.scroll_most = ImGui::GetScrollMaxY();
    if (view.scroll_to >= 0 && (view.steady > 2 || view.scroll_to == 0)) {
        ImGui::SetScrollY(view.scroll_to * view.scroll_most);
        view.scroll_to = -1;
    }
    ImGui::EndChild();
    ImGui::PopID();
}

void draw_lesson(App& app) {
    if (app.focus_ == "Lesson") ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const bool open = ImGui::Begin("Lesson");
    ImGui::PopStyleVar();
    if (open) draw_lesson_text(app);
    ImGui::End();
}

}  // namespace lab
