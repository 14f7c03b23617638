#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"
#include "lessons/12_atomics/panel_views.h"

namespace lab::lesson_12_atomics {
namespace {

constexpr float launch_row = 1.25f, links = 2.6f, short_links = 1.5f, bars = 5.2f;  // heights in em

std::string lanes_text(int count) {
    return plural(count, "lane", "lanes");
}

// How crowded a counter is in one instruction: alone, two or three, more.
ImU32 colour_of_crowd(int there, bool atomic) {
    if (!atomic && there > 1) return palette().bad;
    return there <= 1 ? palette().wrote : there <= 3 ? palette().warn : palette().bad;
}

}  // namespace

std::string letter_name(int counter) {
    return std::string(1, char('a' + counter));
}

void CountersView::load(const std::vector<Scene>& scenes, size_t launch) {
    scenes_ = &scenes;
    launch_ = launch;
    scene_ = &scenes[launch];
    shown_ = 0;
    if (scene_->arrivals.empty()) return;
    // The most crowded instruction: that is what the lesson is about.
    const auto crowded =
        std::max_element(scene_->arrivals.begin(), scene_->arrivals.end(),
                         [](const Arrival& a, const Arrival& b) { return a.crowd < b.crowd; });
    show(size_t(crowded - scene_->arrivals.begin()));
}

void CountersView::show(size_t step) {
    shown_ = step;
    sum_ = additions_until(*scene_, shown_);
}

float CountersView::height(size_t launches) {
    const float rows = launches > 1 ? 1.45f + launch_row * float(launches) : 0;
    return em(rows + 2.4f + 2.7f + 1.45f + 2 + links + bars + 3);
}

// The launches of the case against each other: how often each goes to the grid's counters. A warp whose lanes meet
// at one counter goes there once for each of them.
void CountersView::draw_launches() const {
    if (scenes_->size() < 2) return;
    section_title("Trips to the grid's counters", "lanes that meet at one counter go one after the other");
    double most = 1;
    float names = 0;
    for (const Scene& scene : *scenes_) {
        most = std::max(most, scene.trips());
        names = std::max(names, text_size(Face::mono, em(0.8f), scene.kernel->name).x);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < scenes_->size(); ++i) {
        const Scene& scene = (*scenes_)[i];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float room = ImGui::GetContentRegionAvail().x - names - em(4);
        const bool shown = i == launch_;
        draw_text(list, shown ? Face::mono_bold : Face::mono, em(0.8f), at,
                  shown ? palette().text : palette().dim, scene.kernel->name);
        const ImVec2 from{at.x + names + em(0.8f), at.y + em(0.1f)};
        const float wide = std::max(2.f, room * float(scene.trips() / most));
        list->AddRectFilled(from, {from.x + wide, from.y + em(0.8f)},
                            shown ? palette().wrote : mix(palette().cell, palette().wrote, 0.35f), 2);
        draw_text(list, Face::mono, em(0.8f), {from.x + wide + em(0.4f), at.y}, palette().text,
                  fmt::format("{:.0f}", scene.trips()));
        ImGui::Dummy({1, em(launch_row) - ImGui::GetStyle().ItemSpacing.y});
    }
}

void CountersView::draw_steps() {
    int step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::GetIO().WantTextInput) {
        step += ImGui::IsKeyPressed(ImGuiKey_RightArrow);
        step -= ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    }
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    const int last = int(scene_->arrivals.size()) - 1;
    int wanted = int(shown_);
    const std::string label = fmt::format("instruction {} of {}", shown_ + 1, last + 1);
    ImGui::SliderInt("##instruction", &wanted, 0, last, label.c_str(), ImGuiSliderFlags_AlwaysClamp);
    wanted = std::clamp(wanted + step, 0, last);
    if (wanted != int(shown_)) show(size_t(wanted));
}

std::string CountersView::place() const {
    return fmt::format("warp {} of block {}, line {}", now().warp, now().block, now().line);
}

void CountersView::draw_sentence() const {
    const Arrival& a = now();
    const int there = __builtin_popcount(a.mask);
    int different = 0;
    for (int counter = 0; counter < counters; ++counter) different += a.at(counter) > 0;
    std::string text = fmt::format("{}: {} at {} of {}. ", place(), lanes_text(there),
                                   plural(different, "counter", "counters"),
                                   a.shared ? "the block, in shared memory" : "the grid, in global memory");
    text[0] = 'W';
    ImU32 colour = palette().text;
    if (!a.atomic) {
        text += a.crowd > 1 ? fmt::format("Plain reads and stores: of {} at {}, all but one can be lost.",
                                          lanes_text(a.crowd), letter_name(a.crowded))
                            : "Plain reads and stores: another warp may come between.";
        colour = palette().bad;
    } else if (a.crowd > 1) {
        text += fmt::format("{} meet at {}.", lanes_text(a.crowd), letter_name(a.crowded));
    } else {
        text += "No two of them meet.";
    }
    wrapped_text(Face::text, em(0.92f), colour, text);
}

CountersView::Field CountersView::lay_out(bool roomy) const {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    Field field;
    field.lane = std::min(std::floor(room.x / lanes), em(1.9f));
    field.bar = std::min(std::floor(room.x / counters), em(2.3f));
    const float title = em(1.45f), row = std::min(field.lane, em(1.5f));
    field.lanes = {std::floor(at.x), std::floor(at.y + title)};
    field.bars = {field.lanes.x, std::floor(field.lanes.y + row + em(roomy ? links : short_links))};
    const float left = at.y + room.y - field.bars.y - em(2.4f);
    field.high = std::clamp(left, em(2.5f), em(bars * 1.6f));
    return field;
}

void CountersView::draw_lanes(const Field& field, int lit_lane, int lit_counter) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Arrival& a = now();
    const float high = std::min(field.lane, em(1.5f));
    for (int lane = 0; lane < lanes; ++lane) {
        const ImVec2 from{field.lanes.x + field.lane * float(lane), field.lanes.y};
        const ImVec2 to{from.x + field.lane - 2, from.y + high - 2};
        const int counter = a.counter[size_t(lane)];
        const bool lit = lane == lit_lane || (counter >= 0 && counter == lit_counter);
        const ImU32 ink = counter < 0 ? palette().idle : colour_of_crowd(a.at(counter), a.atomic);
        list->AddRectFilled(from, to, counter < 0 ? ink : mix(palette().surface, ink, lit ? 0.75f : 0.4f), 2);
        if (lit) list->AddRect(from, to, palette().text, 2);
        if (counter < 0) continue;
        const std::string text = letter_name(counter);
        const float size = std::min(em(0.85f), field.lane * 0.85f);
        const float wide = text_size(Face::mono_bold, size, text).x;
        draw_text(list, Face::mono_bold, size,
                  {(from.x + to.x - wide) / 2, (from.y + to.y - size) / 2 - em(0.05f)}, palette().text, text);
    }
}

void CountersView::draw_links(const Field& field, int lit_lane, int lit_counter) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Arrival& a = now();
    const float high = std::min(field.lane, em(1.5f));
    const bool any_lit = lit_lane >= 0 || lit_counter >= 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const int counter = a.counter[size_t(lane)];
        if (counter < 0) continue;
        const bool lit = lane == lit_lane || counter == lit_counter;
        const ImVec2 from{field.lanes.x + field.lane * (float(lane) + 0.5f) - 1, field.lanes.y + high};
        const ImVec2 to{field.bars.x + field.bar * (float(counter) + 0.5f) - 1, field.bars.y - em(0.1f)};
        const float bend = (to.y - from.y) * 0.5f;
        const ImU32 ink = with_alpha(colour_of_crowd(a.at(counter), a.atomic), lit       ? 1.f
                                                                               : any_lit ? 0.2f
                                                                                         : 0.7f);
        list->AddBezierCubic(from, {from.x, from.y + bend}, {to.x, to.y - bend}, to, ink, lit ? 2.5f : 1.4f);
    }
}

void CountersView::draw_bars(const Field& field, int lit_counter) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Arrival& a = now();
    const float scale = field.high / float(std::max(1, scene_->most_additions));
    for (int counter = 0; counter < counters; ++counter) {
        const ImVec2 from{field.bars.x + field.bar * float(counter), field.bars.y};
        const ImVec2 to{from.x + field.bar - 2, from.y + field.high};
        const int there = a.at(counter), before = sum_[size_t(counter)] - there;
        list->AddRectFilled(from, to, palette().idle, 2);
        const float middle = to.y - scale * float(before), top = middle - scale * float(there);
        list->AddRectFilled({from.x, middle}, to, mix(palette().cell, palette().wrote, 0.25f), 2);
        if (there > 0)
            list->AddRectFilled({from.x, std::min(top, middle - 2)}, {to.x, middle},
                                colour_of_crowd(there, a.atomic), 2);
        if (counter == lit_counter) list->AddRect(from, to, palette().text, 2);
        const std::string name = letter_name(counter), number = std::to_string(sum_[size_t(counter)]);
        const float size = em(0.82f), small = em(0.68f);
        draw_text(list, Face::mono_bold, size,
                  {(from.x + to.x - text_size(Face::mono_bold, size, name).x) / 2, to.y + em(0.1f)},
                  there > 0 ? palette().text : palette().dim, name);
        const float wide = text_size(Face::mono, small, number).x;
        if (wide < field.bar)
            draw_text(list, Face::mono, small, {(from.x + to.x - wide) / 2, to.y + em(1.1f)}, palette().dim,
                      number);
    }
}

void CountersView::explain_counter(int counter) const {
    if (!begin_hint(true)) return;
    const Arrival& a = now();
    const int there = a.at(counter);
    hint_title(fmt::format("Counter {}: {}", counter, letter_name(counter)));
    hint_text(fmt::format("{} so far, of {}.", plural(sum_[size_t(counter)], "addition", "additions"),
                          a.shared ? fmt::format("block {}", a.block) : "the whole grid"));
    if (there > 1 && a.atomic)
        hint_text(fmt::format("{} of this warp are here at once. Each addition counts; they take turns.",
                              lanes_text(there)),
                  colour_of_crowd(there, true));
    if (there > 1 && !a.atomic)
        hint_text(fmt::format("{} of this warp may read the same number, and store the same number plus one.",
                              lanes_text(there)),
                  palette().bad);
    end_hint();
}

void CountersView::point_at_lane(const RunChoice& choice, Cursor& cursor, int lane, bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;  // a second click lets go
    cursor.pinned = click;
    choice.put_into(cursor);
    cursor.launch = choice.launch();
    cursor.block = now().block;
    cursor.warp = now().warp;
    cursor.lane = lane;
    cursor.step = int(now().step);
    cursor.line = now().line;
}

void CountersView::draw(const RunChoice& choice, Cursor& cursor) {
    const bool roomy = ImGui::GetContentRegionAvail().y >= height(scenes_->size()) - em(bars / 2);
    if (roomy) draw_launches();
    draw_steps();
    draw_sentence();
    const Field field = lay_out(roomy);
    section_title("Lanes, and the counter that each adds to", "");
    ImGui::SetCursorScreenPos(field.lanes);
    const bool clicked =
        ImGui::InvisibleButton("lanes", {field.lane * lanes, std::min(field.lane, em(1.5f))});
    const float mouse = ImGui::GetMousePos().x;
    int lit_lane = -1, lit_counter = -1;
    if (ImGui::IsItemHovered()) {
        lit_lane = std::clamp(int((mouse - field.lanes.x) / field.lane), 0, lanes - 1);
        point_at_lane(choice, cursor, lit_lane, clicked);
        if (const int counter = now().counter[size_t(lit_lane)]; counter >= 0 && begin_hint(true)) {
            hint_title(fmt::format("Lane {} of {}", lit_lane, place()));
            hint_text(
                fmt::format("Thread {} of block {} adds to {}. {} at that counter.",
                            now().warp * lanes + lit_lane, now().block, letter_name(counter),
                            now().at(counter) == 1 ? "It is alone" : lanes_text(now().at(counter)) + " are"),
                colour_of_crowd(now().at(counter), now().atomic));
            end_hint();
        }
    }
    ImGui::SetCursorScreenPos(field.bars);
    ImGui::InvisibleButton("counters", {field.bar * counters, field.high + em(2)});
    if (ImGui::IsItemHovered()) {
        lit_counter = std::clamp(int((mouse - field.bars.x) / field.bar), 0, counters - 1);
        explain_counter(lit_counter);
    }
    if (lit_lane < 0 && choice.holds(cursor) && cursor.block == now().block && cursor.warp == now().warp)
        lit_lane = cursor.lane;
    draw_lanes(field, lit_lane, lit_counter);
    draw_links(field, lit_lane, lit_counter);
    draw_bars(field, lit_counter);
}

}  // namespace lab::lesson_12_atomics
