// A question as a card. Choosing answers it at once where there is one choice; the other kinds have a button.
// A wrong answer says what it would have caused and may be tried again; a right one shows the explanation of
// every option.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "app/app.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

bool chosen(const QuizView& view, int option) {
    return std::find(view.answer.chosen.begin(), view.answer.chosen.end(), option) !=
           view.answer.chosen.end();
}

void judge_now(App& app, size_t index) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    if (quiz.kind == QuizKind::number || quiz.kind == QuizKind::output) view.answer.text = view.typed.data();
    const Judgement judgement = judge(quiz, view.answer);
    view.result = DocumentView(judgement.explanation);
    if (!judgement.understood) return;
    view.answered = true;
    view.right = judgement.right;
    std::string text = view.answer.text;
    for (int option : view.answer.chosen) text += (text.empty() ? "" : ",") + std::to_string(option);
    app.answered(index, text, judgement.right);
}

void change(QuizView& view) {
    if (view.right) return;
    view.answered = false;
    view.result = DocumentView();
}

enum class Shape { round, square };

void draw_choice_mark(ImDrawList* list, ImVec2 c, Shape shape, bool on, ImU32 colour) {
    const float r = em(0.46f);
    if (shape == Shape::round) {
        list->AddCircle(c, r, colour, 0, 1.5f);
        if (on) list->AddCircleFilled(c, r * 0.55f, colour);
    } else {
        list->AddRect({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour, em(0.15f), 1.5f);
        if (on) draw_tick(list, c, r * 0.7f, colour);
    }
}

// One option of the kinds one and several. Returns whether it was pressed.
bool draw_option(App& app, const Quiz& quiz, QuizView& view, size_t i, float width) {
    const bool on = chosen(view, int(i));
    const bool explain = view.answered && (view.right || view.show_all || on);
    const bool reveal = view.answered && (view.right || view.show_all || (on && quiz.kind == QuizKind::one));
    const float inner = width - em(3.1f), pad = em(0.45f);
    const float text = view.options[i].height(inner),
                why = explain ? view.explanations[i].height(inner) + em(0.1f) : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos(), to{at.x + width, at.y + text + why + 2 * pad};
    ImGui::PushID(int(i));
    const bool pressed =
        ImGui::InvisibleButton("option", {width, to.y - at.y}, ImGuiButtonFlags_EnableNav) && !view.right;
    app.mark(fmt::format("quiz/{}/option/{}", quiz.id, i));
    const bool hovered = ImGui::IsItemHovered() && !view.right;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool right = quiz.options[i].right;
    ImU32 ground = hovered ? palette().hovered : palette().raised,
          ink = on ? palette().accent : palette().faint;
    if (reveal && (on || right)) {
        ground = right ? palette().good_soft : palette().bad_soft;
        ink = right ? palette().good : palette().bad;
    }
    list->AddRectFilled(at, to, ground, em(0.35f));
    if (reveal && (on || right))
        list->AddRect(at, to, with_alpha(ink, 0.6f), em(0.35f));
    else if (hovered || on)
        list->AddRect(at, to, with_alpha(palette().accent, 0.7f), em(0.35f));
    const ImVec2 centre{at.x + em(1.2f), at.y + pad + em(0.77f)};
    if (reveal && right)
        draw_tick(list, centre, em(0.5f), ink);
    else if (reveal && on)
        draw_cross(list, centre, em(0.5f), ink);
    else
        draw_choice_mark(list, centre, quiz.kind == QuizKind::one ? Shape::round : Shape::square, on, ink);
    ImGui::SetCursorScreenPos({at.x + em(2.3f), at.y + pad});
    view.options[i].draw(inner);
    if (explain) {
        ImGui::SetCursorScreenPos({at.x + em(2.3f), at.y + pad + text});
        view.explanations[i].draw(inner, palette().dim);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, to.y - at.y});
    ImGui::PopID();
    return pressed;
}

void draw_choices(App& app, size_t index, float width) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    int pressed = -1;
    for (size_t i = 0; i < view.options.size(); ++i)
        if (draw_option(app, quiz, view, i, width)) pressed = int(i);
    if (pressed < 0) return;
    if (quiz.kind == QuizKind::one) {
        view.answer.chosen = {pressed};
        judge_now(app, index);
        return;
    }
    change(view);
    if (chosen(view, pressed))
        std::erase(view.answer.chosen, pressed);
    else
        view.answer.chosen.push_back(pressed);
}

void draw_field(App& app, size_t index, float width) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    const bool number = quiz.kind == QuizKind::number;
    const int lines = 1 + int(std::count(quiz.output.begin(), quiz.output.end(), '\n'));
    ImGui::PushFont(font_of(Face::mono), 0);
    ImGui::BeginDisabled(view.right);
    ImGui::SetNextItemWidth(number ? em(9) : width);
    bool entered;
    if (number || lines == 1) {
        entered =
            ImGui::InputTextWithHint("##field", number ? "a number" : "what it prints", view.typed.data(),
                                     view.typed.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    } else {
        entered = ImGui::InputTextMultiline(
            "##field", view.typed.data(), view.typed.size(), {width, em(1.5f) * float(lines + 1)},
            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CtrlEnterForNewLine);
    }
    app.mark(fmt::format("quiz/{}/field", quiz.id));
    if (ImGui::IsItemEdited()) change(view);
    ImGui::EndDisabled();
    ImGui::PopFont();
    if (entered) judge_now(app, index);
}

// A wish of the reader: the line at `from` is to stand at `to`.
struct Move {
    int from = -1, to = -1;
};

void draw_order_buttons(App& app, const Quiz& quiz, size_t row, size_t rows, Move& move) {
    ImGui::BeginDisabled(row == 0);
    if (ImGui::ArrowButton("up", ImGuiDir_Up)) move = {int(row), int(row) - 1};
    app.mark(fmt::format("quiz/{}/up/{}", quiz.id, row));
    ImGui::EndDisabled();
    ImGui::SameLine(0, em(0.2f));
    ImGui::BeginDisabled(row + 1 == rows);
    if (ImGui::ArrowButton("down", ImGuiDir_Down)) move = {int(row), int(row) + 1};
    ImGui::EndDisabled();
}

void drag_order_row(size_t row, Move& move) {
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
        const int payload = int(row);
        ImGui::SetDragDropPayload("quiz row", &payload, sizeof payload);
        ImGui::EndDragDropSource();
    }
    if (!ImGui::BeginDragDropTarget()) return;
    if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload("quiz row")) {
        std::memcpy(&move.from, payload->Data, sizeof move.from);
        move.to = int(row);
    }
    ImGui::EndDragDropTarget();
}

void draw_order_row(App& app, const Quiz& quiz, QuizView& view, size_t row, float width, Move& move) {
    const size_t option = size_t(view.answer.chosen[row]);
    const bool explain = view.right || view.show_all;
    const float inner = width - em(6.4f), pad = em(0.45f), text = view.options[option].height(inner);
    const float why = explain ? view.explanations[option].height(inner) : 0, height = text + why + 2 * pad;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::PushID(int(option));
    list->AddRectFilled(at, {at.x + width, at.y + height},
                        view.right ? palette().good_soft : palette().raised, em(0.35f));
    ImGui::SetNextItemAllowOverlap();
    ImGui::InvisibleButton("row", {width, height});
    app.mark(fmt::format("quiz/{}/row/{}", quiz.id, row));
    if (!view.right) drag_order_row(row, move);
    draw_text(list, Face::bold, em(0.95f), {at.x + em(0.8f), at.y + pad + em(0.15f)}, palette().faint,
              std::to_string(row + 1));
    ImGui::SetCursorScreenPos({at.x + em(2.3f), at.y + pad});
    view.options[option].draw(inner);
    if (explain) {
        ImGui::SetCursorScreenPos({at.x + em(2.3f), at.y + pad + text});
        view.explanations[option].draw(inner, palette().dim);
    }
    if (!view.right) {
        ImGui::SetCursorScreenPos({at.x + width - em(3.7f), at.y + (height - ImGui::GetFrameHeight()) / 2});
        draw_order_buttons(app, quiz, row, view.answer.chosen.size(), move);
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
}

// Lines to be put in order: two small buttons a row, or drag and drop.
void draw_order(App& app, size_t index, float width) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    std::vector<int>& rows = view.answer.chosen;
    Move move;
    for (size_t row = 0; row < rows.size(); ++row) draw_order_row(app, quiz, view, row, width, move);
    if (move.from < 0 || move.to < 0 || move.from == move.to) return;
    const int moved = rows[size_t(move.from)];
    rows.erase(rows.begin() + move.from);
    rows.insert(rows.begin() + move.to, moved);
    change(view);
}

void draw_match(App& app, size_t index, float width) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    const float left = width * 0.52f;
    auto plain = [&](int option) { return plain_text(view.matches[size_t(option)].document()); };
    for (size_t i = 0; i < view.options.size(); ++i) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(int(i));
        view.options[i].draw(left - em(1));
        const float text = view.options[i].height(left - em(1));
        ImGui::SetCursorScreenPos({at.x + left, at.y});
        ImGui::SetNextItemWidth(width - left);
        const int now = view.answer.chosen[i];
        ImGui::BeginDisabled(view.right);
        if (ImGui::BeginCombo("##match", now < 0 ? "choose ..." : plain(now).c_str())) {
            for (int option : view.order)
                if (ImGui::Selectable(fmt::format("{}##{}", plain(option), option).c_str(), now == option)) {
                    view.answer.chosen[i] = option;
                    change(view);
                }
            ImGui::EndCombo();
        }
        app.mark(fmt::format("quiz/{}/match/{}", quiz.id, i));
        ImGui::EndDisabled();
        float bottom = at.y + std::max(text, ImGui::GetFrameHeight());
        if (view.right || view.show_all) {
            ImGui::SetCursorScreenPos({at.x, bottom});
            view.explanations[i].draw(width, palette().dim);
            bottom += view.explanations[i].height(width);
        }
        ImGui::PopID();
        ImGui::SetCursorScreenPos({at.x, bottom});
        ImGui::Dummy({1, em(0.25f)});
    }
}

void draw_result(App& app, size_t index, float width) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    const bool has_button = quiz.kind != QuizKind::one;
    if (has_button && !view.right) {
        ImGui::Dummy({1, em(0.1f)});
        if (primary_button("Check")) judge_now(app, index);
        app.mark(fmt::format("quiz/{}/check", quiz.id));
    }
    if (view.answered && !view.right && !view.show_all && !view.options.empty()) {
        if (has_button) ImGui::SameLine();
        if (ImGui::Button("Show every explanation")) view.show_all = true;
        app.mark(fmt::format("quiz/{}/show", quiz.id));
    }
    const bool said = !view.result.document().blocks.empty();
    // For one choice, the option itself has said it.
    if (!view.answered && !said) return;
    const ImU32 colour = !view.answered ? palette().warn : view.right ? palette().good : palette().bad;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (view.answered) {
        if (view.right)
            draw_tick(list, {at.x + em(0.5f), at.y + em(0.85f)}, em(0.45f), colour);
        else
            draw_cross(list, {at.x + em(0.5f), at.y + em(0.85f)}, em(0.45f), colour);
        draw_text(list, Face::bold, em(0.95f), {at.x + em(1.4f), at.y + em(0.2f)}, colour,
                  view.right ? "Right." : "Not yet. Choose again when you have read why.");
        ImGui::Dummy({1, em(1.7f)});
    }
    if (said && quiz.kind != QuizKind::one)
        view.result.draw(width, view.answered ? palette().text : palette().warn);
}

}  // namespace

void draw_quiz(App& app, size_t index, float width) {
    const Quiz& quiz = app.now().lesson.quizzes[index];
    QuizView& view = app.now().quizzes[index];
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float pad = em(1.1f), inner = width - 2 * pad;
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    ImGui::PushID(quiz.id.c_str());
    ImGui::SetCursorScreenPos({at.x + pad, at.y + em(0.8f)});
    ImGui::BeginGroup();
    constexpr const char* kinds[] = {"one answer",         "all that apply", "a number",
                                     "predict the output", "put in order",   "match the pairs"};
    const float label =
        draw_text(list, Face::bold, em(0.85f), ImGui::GetCursorScreenPos(),
                  view.right ? palette().good : palette().accent, fmt::format("Question {}", index + 1));
    draw_text(list, Face::text, em(0.85f),
              {ImGui::GetCursorScreenPos().x + label + em(0.6f), ImGui::GetCursorScreenPos().y},
              palette().dim, kinds[int(quiz.kind)]);
    ImGui::Dummy({inner, em(1.5f)});
    view.question.draw(inner);
    ImGui::Dummy({1, em(0.2f)});
    switch (quiz.kind) {
        case QuizKind::one:
        case QuizKind::several:
            draw_choices(app, index, inner);
            break;
        case QuizKind::number:
        case QuizKind::output:
            draw_field(app, index, inner);
            break;
        case QuizKind::order:
            draw_order(app, index, inner);
            break;
        case QuizKind::match:
            draw_match(app, index, inner);
            break;
    }
    draw_result(app, index, inner);
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y + em(0.8f);
    list->ChannelsSetCurrent(0);
    list->AddRectFilled(at, {at.x + width, bottom}, palette().background, em(0.5f));
    list->AddRectFilled(at, {at.x + em(0.25f), bottom}, view.right ? palette().good : palette().accent,
                        em(0.5f), ImDrawFlags_RoundLeft);
    list->ChannelsMerge();
    app.mark("quiz/" + quiz.id, at, {at.x + width, bottom});
    ImGui::PopID();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, bottom - at.y});
}

}  // namespace lab
