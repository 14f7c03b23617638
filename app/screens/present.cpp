// A lesson in front of a class: one beat at a time, in large type. First the question alone, for the room to answer; then
// the picture, which is a panel of a real run; then what to take away.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/app.h"
#include "app/screens/present_run.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

using Step = Presentation::Step;

float height_of_text(Face face, float pixels, const std::string& text, float width) {
    return font_of(face)->CalcTextSizeA(pixels, FLT_MAX, width, text.c_str()).y;
}

const Slider* slider_of(const Lesson& lesson, const std::string& name) {
    for (const Slider& slider : lesson.sliders)
        if (slider.name == name) return &slider;
    return nullptr;
}

struct Screen {
    explicit Screen(App& app) : app(app), list(ImGui::GetWindowDrawList()) {
        const ImGuiViewport* viewport = ImGui::GetMainViewport();
        from = {viewport->WorkPos.x + em(1.6f), viewport->WorkPos.y + em(0.8f)};
        to = {viewport->WorkPos.x + viewport->WorkSize.x - em(1.6f),
              viewport->WorkPos.y + viewport->WorkSize.y - em(0.8f)};
    }
    float width() const { return to.x - from.x; }
    float dots() const { return em(float(app.now().lesson.beats.size()) + 0.5f); }  // how wide they are
    float room() const { return to.y - from.y; }

    App& app;
    ImDrawList* list;
    ImVec2 from, to;  // what is still free
};

// Which lesson, and how far: a dot a beat, in the corner.
void draw_place(Screen& s) {
    const Lesson& lesson = s.app.now().lesson;
    if (s.app.present_.step == Step::question)
        draw_text(s.list, Face::text, em(0.8f), s.from, palette().faint,
                  fmt::format("{:02} {}", lesson.number, lesson.title));
    const float step = em(1), y = s.from.y + em(0.5f);
    const size_t count = lesson.beats.size();
    for (size_t i = 0; i < count; ++i) {
        const ImVec2 centre{s.to.x - step * (float(count - i) - 0.5f), y};
        if (i == s.app.present_.beat)
            s.list->AddCircleFilled(centre, em(0.3f), palette().accent);
        else if (i < s.app.present_.beat)
            s.list->AddCircleFilled(centre, em(0.2f), palette().dim);
        else
            s.list->AddCircle(centre, em(0.2f), palette().faint, 0, 1.5f);
    }
    if (s.app.present_.step == Step::question) s.from.y += em(1.6f);
}

ImU32 ink_of_answer(const Screen& s, int answer) {
    const Presentation& p = s.app.present_;
    if (p.step == Step::takeaway) return answer == s.app.beat().right ? palette().good : palette().faint;
    return answer == p.said ? palette().accent : palette().text;
}

// One answer with its number in a box. Returns how wide it is.
float draw_answer(Screen& s, int answer, ImVec2 at, float pixels, float room) {
    const Presentation& p = s.app.present_;
    const std::string& text = s.app.beat().answers[size_t(answer - 1)];
    const ImU32 ink = ink_of_answer(s, answer);
    const float box = pixels * 1.35f, left = box + pixels * 0.5f;
    const bool right = p.step == Step::takeaway && answer == s.app.beat().right;
    if (answer == p.said)
        s.list->AddRectFilled(at, {at.x + box, at.y + box}, palette().accent_soft, pixels * 0.25f);
    s.list->AddRect(at, {at.x + box, at.y + box}, ink, pixels * 0.25f, std::max(1.5f, pixels * 0.06f));
    const ImVec2 centre{at.x + box / 2, at.y + box / 2};
    if (right) {
        draw_tick(s.list, centre, box * 0.3f, ink);
    } else {
        const std::string number = std::to_string(answer);
        const ImVec2 size = text_size(Face::bold, pixels * 0.9f, number);
        draw_text(s.list, Face::bold, pixels * 0.9f, {centre.x - size.x / 2, centre.y - size.y / 2}, ink,
                  number);
    }
    const float wide = std::min(room - left, text_size(right ? Face::bold : Face::text, pixels, text).x);
    ImGui::SetCursorScreenPos({at.x + left, at.y + (box - pixels * 1.16f) / 2});
    wrapped_text(right ? Face::bold : Face::text, pixels, ink, text, room - left);
    s.app.mark(fmt::format("present/answer/{}", answer), at, {at.x + left + wide, at.y + box});
    return left + wide;
}

// The question alone, in the middle: nothing on the screen answers it.
void draw_question(Screen& s) {
    const Beat& beat = s.app.beat();
    const float pixels = em(2), answer_pixels = em(1.35f), width = std::min(s.width(), em(48));
    const float gap = em(0.6f);
    float high = height_of_text(Face::bold, pixels, beat.question, width);
    std::vector<float> heights;
    for (const std::string& answer : beat.answers)
        heights.push_back(std::max(answer_pixels * 1.35f, height_of_text(Face::text, answer_pixels, answer,
                                                                         width - answer_pixels * 1.85f)));
    for (const float one : heights) high += one + gap;
    if (!heights.empty()) high += em(1.2f);
    const float x = s.from.x + (s.width() - width) / 2;
    float y = s.from.y + std::max(0.f, (s.room() - high) * 0.42f);
    ImGui::SetCursorScreenPos({x, y});
    wrapped_text(Face::bold, pixels, palette().text, beat.question, width);
    s.app.mark("present/question");
    y = ImGui::GetItemRectMax().y + (heights.empty() ? 0 : em(1.2f));
    for (size_t i = 0; i < heights.size(); ++i) {
        draw_answer(s, int(i) + 1, {x, y}, answer_pixels, width);
        y += heights[i] + gap;
    }
}

// "padding = 1", with the keys that move it: to the right of `x` where there is room, else below.
void draw_slide(Screen& s, float x) {
    const Slider* slider = slider_of(s.app.now().lesson, s.app.beat().slide);
    if (!slider) return;
    const int value = s.app.try_.wanted.settings[slider->name];
    const std::string text =
        fmt::format("{} = {}", slider->label.empty() ? slider->name : slider->label, slider->word(value));
    const char* keys = "up, down: another value, the kernel runs again";
    const float pixels = em(1.15f), wide = text_size(Face::mono_bold, pixels, text).x, small = em(0.8f);
    const float gap = em(0.8f), all = wide + gap + text_size(Face::text, small, keys).x;
    const bool below = x > s.from.x && x + wide > s.to.x;
    if (below) s.from.y += em(1.8f);
    const ImVec2 at{below || x == s.from.x ? s.from.x : std::max(x, s.to.x - all), s.from.y};
    draw_text(s.list, Face::mono_bold, pixels, at, palette().accent, text);
    s.app.mark("present/slide", at, {at.x + wide, at.y + pixels * 1.3f});
    if (at.x + all <= s.to.x + 1)
        draw_text(s.list, Face::text, small, {at.x + wide + gap, at.y + em(0.25f)}, palette().faint, keys);
    if (x == s.from.x) s.from.y += em(1.8f);
}

// The same above a picture: as small as can be read from the last row.
void draw_question_above(Screen& s) {
    const Beat& beat = s.app.beat();
    ImGui::SetCursorScreenPos(s.from);
    wrapped_text(Face::bold, em(1.25f), palette().text, beat.question, s.width() - s.dots());
    s.app.mark("present/question");
    s.from.y = ImGui::GetItemRectMax().y + em(0.4f);
    if (beat.answers.empty()) return draw_slide(s, s.from.x);
    float x = s.from.x;
    const float pixels = em(1);
    for (size_t i = 0; i < beat.answers.size(); ++i) {
        const float wide = text_size(Face::bold, pixels, beat.answers[i]).x + pixels * 1.85f;
        if (x > s.from.x && x + wide > s.to.x) {
            x = s.from.x;
            s.from.y += pixels * 1.6f;
        }
        x += draw_answer(s, int(i) + 1, {x, s.from.y}, pixels, s.to.x - x) + em(1.6f);
    }
    draw_slide(s, x);
    s.from.y += pixels * 1.35f + em(0.5f);
}

void draw_takeaway(Screen& s) {
    const std::string& text = s.app.beat().takeaway;
    const float pad = em(0.7f), pixels = em(1.25f), inner = s.width() - 2 * pad - em(0.3f);
    const float height = height_of_text(Face::bold, pixels, text, inner) + 2 * pad;
    const ImVec2 at{s.from.x, s.to.y - height};
    s.list->AddRectFilled(at, s.to, palette().accent_soft, em(0.4f));
    s.list->AddRectFilled(at, {at.x + em(0.3f), s.to.y}, palette().accent, em(0.4f), ImDrawFlags_RoundLeft);
    ImGui::SetCursorScreenPos({at.x + pad + em(0.3f), at.y + pad});
    wrapped_text(Face::bold, pixels, palette().text, text, inner);
    s.app.mark("present/takeaway");
    s.to.y = at.y - em(0.5f);
}

// What the machine says of the run in the picture, in one or two lines.
void draw_verdict_line(Screen& s) {
    const RunPtr& run = s.app.present_.slot.loaded;
    if (!run) return;
    const std::string text = words_of_picture(s.app);
    const bool good = run->run.passed;
    const float pixels = em(0.95f), left = em(1.4f);
    const float height = height_of_text(Face::text, pixels, text, s.width() - left);
    const ImVec2 at{s.from.x, s.to.y - height};
    const ImVec2 centre{at.x + em(0.5f), at.y + em(0.62f)};
    if (good)
        draw_tick(s.list, centre, em(0.42f), palette().good);
    else
        draw_cross(s.list, centre, em(0.42f), palette().bad);
    ImGui::SetCursorScreenPos({at.x + left, at.y});
    wrapped_text(Face::text, pixels, good ? palette().good : palette().bad, text, s.width() - left);
    s.app.mark("present/verdict");
    s.to.y = at.y - em(0.5f);
}

// Where the code stands: under a picture that is low, for whole lines; beside a high one, if there is room.
struct Split {
    ImVec2 panel, code, code_size;
    bool with_code = false;
};
// How wide the view of the code must be for the end of the piece to be seen.
float wide_of_piece(const CodeView& code, const std::string& piece) {
    const size_t end = code.lines[size_t(code.named - 1)].find(piece) + piece.size();
    const float margins = em(6);  // line numbers on the left, costs on the right
    return margins + text_size(Face::mono, em(0.92f), std::string(end, '0')).x;
}

Split split_of(const Screen& s, const CodeView& code) {
    constexpr float low = 0.36f, left = 0.58f;  // of the window's height; of its width
    const ImVec2 room{s.width(), s.room()};
    const float gap = em(0.8f);
    Split split{room, {}, {}, false};
    const PanelSlot& slot = s.app.present_.slot;
    if (code.named == 0) return split;
    const bool wide = room.x > em(48), high = room.y > em(26);  // else the picture needs all of it
    // A line whose piece is cut off beside the picture goes below, wherever a few lines have room there.
    const float most = wide_of_piece(code, s.app.beat().code) > room.x * (1 - left)
                           ? room.y
                           : ImGui::GetMainViewport()->WorkSize.y * low;
    const float notice = slot.notice.empty() ? 0 : em(2);
    const bool ready = slot.panel && slot.loaded;
    const float wanted = ready ? slot.panel->height_for(room.x, room.y) + notice + em(0.5f) : room.y;
    split.with_code = wide || high;
    if (wanted <= most && room.y - wanted > em(9))
        split.panel = {room.x, wanted};
    else if (wide)
        split.panel = {room.x * left - gap / 2, room.y};
    else if (high)
        split.panel = {room.x, room.y * 0.6f - gap / 2};
    const bool beside = split.panel.x < room.x;
    split.code = beside ? ImVec2{s.from.x + split.panel.x + gap, s.from.y}
                        : ImVec2{s.from.x, s.from.y + split.panel.y + gap};
    split.code_size = {s.to.x - split.code.x, s.to.y - split.code.y};
    return split;
}

void draw_picture(Screen& s) {
    App& app = s.app;
    Presentation& p = app.present_;
    const bool own = shows_own_file(app);
    CodeView& code = code_of_beat(app);
    point_at_line(app, code);
    const Split split = split_of(s, code);
    ImGui::SetCursorScreenPos(s.from);
    ImGui::BeginChild("picture", split.panel, 0, ImGuiWindowFlags_NoNavInputs);
    p.panel_has_keys = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
    draw_slot(app, p.slot, "present/panel");
    ImGui::EndChild();
    if (!split.with_code) return;
    const ImVec2 before = std::exchange(p.code_size, split.code_size);
    if (before.x != split.code_size.x || before.y != split.code_size.y)
        code.reveal = p.fault_line > 0 ? p.fault_line : code.named;
    ImGui::SetCursorScreenPos(split.code);
    ImGui::BeginChild("code", split.code_size);
    app.mark("present/code", ImGui::GetWindowPos(),
             {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
              ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
    const bool stale = app.grader_.state_of(app.now().lesson.slug, "exercise") != Grader::State::idle;
    draw_code_lines(app, code, own ? app.shown_run() : p.slot.loaded, own && stale);
    ImGui::EndChild();
}

// Large words must leave the picture this part of the height: they are made smaller until they do.
void fit_words(Presentation& p, float left) {
    constexpr float least = 0.5f, smallest = 0.9f;
    if (left >= least || p.scale * p.fit <= smallest) return;
    p.fit = std::max(smallest / p.scale, p.fit * (left < least / 2 ? 0.75f : 0.92f));
    p.settles = true;
}

// What only the presenter wants to see: N shows and hides it.
void draw_notes(Screen& s, const std::string& notes) {
    const float pad = em(0.6f), pixels = em(0.85f), inner = s.width() - 2 * pad;
    const float height = height_of_text(Face::text, pixels, notes, inner) + 2 * pad;
    const ImVec2 at{s.from.x, s.to.y - height};
    s.list->AddRectFilled(at, s.to, palette().warn_soft, em(0.4f));
    ImGui::SetCursorScreenPos({at.x + pad, at.y + pad});
    wrapped_text(Face::text, pixels, palette().text, notes, inner);
    s.app.mark("present/notes", at, s.to);
    s.to.y = at.y - em(0.5f);
}

}  // namespace

void App::present(size_t beat) {
    const auto& beats = now().lesson.beats;
    if (beats.empty()) return;
    present_ = {};
    present_.on = true;
    present_.started = ImGui::GetTime();
    present_.beat = beats.size();  // none yet
    show_help_ = show_path_ = false;
    show_beat(std::min(beat, beats.size() - 1), Step::question);
}

void App::end_presentation() {
    present_ = {};
    end_try();
    cursor_ = {};
    code_.named = 0;
    code_.only_case = -1;
    layout_.clear();  // the panes come back as they were
}

void App::show_beat(size_t beat, Presentation::Step step) {
    const bool another = beat != present_.beat;
    present_.beat = beat;
    present_.step = step;
    present_.fit = 1;
    if (present_.panel_has_keys) ImGui::SetWindowFocus("##present");
    present_.panel_has_keys = false;
    if (!another) return;
    present_.said = 0;
    set_up_beat();
    if (options_.tell_presenter) options_.tell_presenter(notes_of_beat());
}

void App::next_step() {
    if (present_.step == Step::question) return show_beat(present_.beat, Step::picture);
    if (present_.step == Step::picture) return show_beat(present_.beat, Step::takeaway);
    if (present_.beat + 1 < now().lesson.beats.size()) show_beat(present_.beat + 1, Step::question);
}

void App::step_back() {
    if (present_.step == Step::takeaway) return show_beat(present_.beat, Step::picture);
    if (present_.step == Step::picture) return show_beat(present_.beat, Step::question);
    if (present_.beat > 0) show_beat(present_.beat - 1, Step::takeaway);
}

void App::set_presenter_scale(float scale) {
    present_.scale = std::clamp(scale, 0.5f, 2.f);
    present_.fit = 1;
}

void App::slide_beat(int steps) {
    const Slider* slider = slider_of(now().lesson, beat().slide);
    if (!slider || present_.step == Step::question) return;
    int& value = try_.wanted.settings[slider->name];
    const int before = value;
    if (slider->values.empty()) {
        value = std::clamp(value + steps, slider->from, slider->to);
    } else {
        const auto& stops = slider->values;
        const auto at = std::find(stops.begin(), stops.end(), value) - stops.begin();
        value = stops[size_t(std::clamp<std::ptrdiff_t>(at + steps, 0, std::ptrdiff_t(stops.size()) - 1))];
    }
    if (value != before) start_try();
}

// The keys of clickers: page up and down, F5 and Escape, a full stop or B for a blank screen.
void App::handle_presenter_keys() {
    const auto pressed = [](std::initializer_list<ImGuiKey> keys) {
        return std::any_of(keys.begin(), keys.end(),
                           [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); });
    };
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl) {
        if (pressed({ImGuiKey_Equal, ImGuiKey_KeypadAdd})) set_presenter_scale(present_.scale + 0.1f);
        if (pressed({ImGuiKey_Minus, ImGuiKey_KeypadSubtract})) set_presenter_scale(present_.scale - 0.1f);
        if (pressed({ImGuiKey_0})) set_presenter_scale(1);
        if (pressed({ImGuiKey_R})) grade();
        if (pressed({ImGuiKey_D}))
            set_theme(options_.theme == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark);
        return;
    }
    if (pressed({ImGuiKey_F1})) show_help_ = !show_help_;
    if (present_.panel_has_keys && pressed({ImGuiKey_Escape})) return ImGui::SetWindowFocus("##present");
    if (pressed({ImGuiKey_Escape, ImGuiKey_F5})) {
        if (show_help_ || present_.blank) {
            show_help_ = present_.blank = false;
            return;
        }
        return end_presentation();
    }
    if (pressed({ImGuiKey_B, ImGuiKey_Period})) present_.blank = !present_.blank;
    if (pressed({ImGuiKey_N})) present_.notes = !present_.notes;
    if (pressed({ImGuiKey_P})) present_.pointer = !present_.pointer;
    if (pressed({ImGuiKey_Home})) show_beat(0, Step::question);
    if (pressed({ImGuiKey_End})) show_beat(now().lesson.beats.size() - 1, Step::question);
    if (pressed({ImGuiKey_PageDown, ImGuiKey_Space, ImGuiKey_Enter})) next_step();
    if (pressed({ImGuiKey_PageUp, ImGuiKey_Backspace})) step_back();
    if (!present_.panel_has_keys) {
        if (pressed({ImGuiKey_RightArrow})) next_step();
        if (pressed({ImGuiKey_LeftArrow})) step_back();
        if (pressed({ImGuiKey_UpArrow})) slide_beat(1);
        if (pressed({ImGuiKey_DownArrow})) slide_beat(-1);
    }
    for (int i = 0; i < int(std::min<size_t>(9, beat().answers.size())); ++i)
        if (pressed({ImGuiKey(ImGuiKey_1 + i), ImGuiKey(ImGuiKey_Keypad1 + i)})) present_.said = i + 1;
}

void draw_presentation(App& app) {
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    Presentation& p = app.present_;
    ImGui::SetNextWindowPos(viewport->WorkPos);
    ImGui::SetNextWindowSize(viewport->WorkSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("##present", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    p.settles = false;
    app.update_slot(p.slot);  // the run is there when the picture is wanted
    if (p.slot.loaded != p.looked_at) look_at_fault(app);
    Screen screen(app);
    draw_place(screen);
    if (p.notes) draw_notes(screen, app.notes_of_beat());
    if (p.step == Step::question) {
        draw_question(screen);
    } else {
        draw_question_above(screen);
        if (p.step == Step::takeaway) draw_takeaway(screen);
        draw_verdict_line(screen);
        fit_words(p, screen.room() / viewport->WorkSize.y);
        draw_picture(screen);
    }
    ImGui::End();
    ImDrawList* above = ImGui::GetForegroundDrawList();
    const ImVec2 end{viewport->Pos.x + viewport->Size.x, viewport->Pos.y + viewport->Size.y};
    if (p.blank) above->AddRectFilled(viewport->Pos, end, IM_COL32_BLACK);
    if (p.pointer && ImGui::IsMousePosValid()) {
        above->AddCircleFilled(ImGui::GetMousePos(), em(0.7f), with_alpha(palette().warn, 0.55f));
        above->AddCircle(ImGui::GetMousePos(), em(0.7f), palette().warn, 0, em(0.12f));
    }
    draw_help(app);
}

}  // namespace lab
