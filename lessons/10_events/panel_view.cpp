#include "lessons/10_events/panel_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"

namespace lab::lesson_10_events {
namespace {

using Place = Scene::Place;
using Why = WaitEdge::Why;

constexpr float row_high = 1.75f, head_high = 2.3f, host_wide = 0.36f,
                line_wide = 1.9f;  // em, em, share of the width, em
constexpr float text_pixels = 0.8f;

bool is_operation(const Node& node) {
    return node.column > 0;
}

// As much of the text as there is room for; of a function's name first the rest.
std::string fitted(std::string text, float pixels, float room) {
    if (text_size(Face::text, pixels, text).x <= room) return text;
    if (text.starts_with("cuda")) text.erase(0, 4);
    if (text_size(Face::text, pixels, text).x <= room) return text;
    while (text.size() > 1 && text_size(Face::text, pixels, text + "..").x > room) text.pop_back();
    return text + "..";
}

void arrow_head(ImVec2 tip, ImVec2 from, ImU32 colour) {
    const float dx = tip.x - from.x, dy = tip.y - from.y,
                length = std::max(1.f, std::sqrt(dx * dx + dy * dy));
    const float ux = dx / length, uy = dy / length, size = em(0.42f);
    const ImVec2 back{tip.x - ux * size, tip.y - uy * size};
    ImGui::GetWindowDrawList()->AddTriangleFilled(
        tip, {back.x - uy * size * 0.55f, back.y + ux * size * 0.55f},
        {back.x + uy * size * 0.55f, back.y - ux * size * 0.55f}, colour);
}

void dotted(ImVec2 a, ImVec2 b, ImU32 colour) {
    const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
    const int dots = std::max(2, int(length / em(0.5f)));
    for (int i = 1; i < dots; ++i) {
        const float part = float(i) / float(dots);
        ImGui::GetWindowDrawList()->AddCircleFilled({a.x + dx * part, a.y + dy * part}, em(0.1f), colour);
    }
}

ImU32 colour_of(Place place) {
    switch (place) {
        case Place::before:
            return palette().read;
        case Place::after:
            return palette().wrote;
        case Place::itself:
            return palette().text;
        default:
            return palette().good;
    }
}

}  // namespace

void GraphView::load(Scene scene) {
    scene_ = std::move(scene);
    boxes_.assign(scene_.nodes.size(), {});
    rails_.assign(scene_.columns.size(), 0);
    chosen_ = -1;
}

float GraphView::height() const {
    return em(head_high + row_high * float(scene_.rows) + 1.7f);
}

float GraphView::host_width(const Layout& layout) const {
    return std::min(layout.width * host_wide, em(15));
}

float GraphView::stream_width(const Layout& layout) const {
    const float streams = float(std::max(1, int(scene_.columns.size()) - 1));
    return std::min((layout.width - host_width(layout)) / streams, em(17));
}

void GraphView::place(const Layout& layout) {
    const float host = host_width(layout), stream = stream_width(layout);
    for (size_t c = 0; c < rails_.size(); ++c)
        rails_[c] = std::floor(layout.at.x +
                               (c == 0 ? (host + em(line_wide)) / 2 : host + stream * (float(c) - 0.5f)));
    const float stream_wide = stream - em(2.2f), host_room = host - em(line_wide) - em(0.3f);
    for (size_t i = 0; i < boxes_.size(); ++i) {
        const Node& node = scene_.nodes[i];
        const float most = is_operation(node) ? std::max(em(2), stream_wide) : host_room;
        const float wide = std::min(most, text_size(Face::text, em(text_pixels), node.label).x + em(1.1f));
        const float y = layout.at.y + layout.head + layout.row * (float(node.row) + 0.5f);
        const float high = std::min(layout.row - 3, em(1.35f)), x = rails_[size_t(node.column)];
        boxes_[i] = {{std::floor(x - wide / 2), std::floor(y - high / 2)},
                     {std::floor(x + wide / 2), std::floor(y + high / 2)}};
    }
}

int GraphView::under_mouse() const {
    const ImVec2 mouse = ImGui::GetMousePos();
    for (size_t i = 0; i < boxes_.size(); ++i)
        if (mouse.x >= boxes_[i].from.x && mouse.x < boxes_[i].to.x && mouse.y >= boxes_[i].from.y &&
            mouse.y < boxes_[i].to.y)
            return int(i);
    return -1;
}

void GraphView::point(int node, bool clicked, const RunChoice& choice, Cursor& cursor) {
    cursor.pointed = true;
    if (cursor.pinned && !clicked) return;
    const bool again = clicked && cursor.pinned && chosen_ == node;
    cursor = Cursor{};
    cursor.pointed = true;
    cursor.pinned = clicked && !again;
    choice.put_into(cursor);
    const Node& pointed = scene_.nodes[size_t(node)];
    cursor.line = pointed.line;
    cursor.launch = pointed.launch;
    chosen_ = node;
}

void GraphView::draw_heads(const Layout& layout) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t c = 0; c < rails_.size(); ++c) {
        const Column& column = scene_.columns[c];
        const auto centred = [&](Face face, float pixels, float y, ImU32 colour, const std::string& text) {
            const float wide = text_size(face, pixels, text).x;
            draw_text(list, face, pixels, {rails_[c] - wide / 2, layout.at.y + y}, colour, text);
        };
        centred(Face::bold, em(0.9f), 0, palette().text, column.name);
        if (c == 0) centred(Face::text, em(0.72f), em(1.1f), palette().dim, "line by line, as it calls");
        if (column.line > 0)
            centred(Face::text, em(0.72f), em(1.1f), palette().dim,
                    fmt::format("made at line {}", column.line));
    }
}

void GraphView::draw_rails(const Layout& layout) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float top = layout.at.y + layout.head, bottom = top + layout.row * float(scene_.rows);
    list->AddRectFilled({layout.at.x, top}, {layout.at.x + host_width(layout), bottom},
                        with_alpha(palette().raised, 0.6f), em(0.3f));
    for (const float x : rails_) list->AddLine({x, top}, {x, bottom}, with_alpha(palette().border, 0.8f), 1);
    for (size_t i = 0; i < boxes_.size(); ++i) {
        if (is_operation(scene_.nodes[i])) continue;
        const std::string line = std::to_string(scene_.nodes[i].line);
        const ImVec2 size = text_size(Face::mono, em(0.75f), line);
        draw_text(list, Face::mono, em(0.75f),
                  {layout.at.x + em(line_wide) - size.x, boxes_[i].centre().y - size.y / 2}, palette().dim,
                  line);
    }
}

void GraphView::draw_edge(const Edge& edge, bool lit, bool faded) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Box &a = boxes_[size_t(edge.from)], &b = boxes_[size_t(edge.to)];
    const float fade = faded ? 0.25f : 1, thick = std::max(1.5f, em(lit ? 0.16f : 0.1f));
    if (edge.why == Why::queued) {
        list->AddLine({a.to.x, a.centre().y}, {b.from.x, b.centre().y},
                      with_alpha(palette().faint, (lit ? 1 : 0.45f) * fade), 1);
        return;
    }
    if (edge.why == Why::stream_order) {
        const ImU32 colour = with_alpha(palette().dim, fade);
        const ImVec2 from{a.centre().x, a.to.y}, to{b.centre().x, b.from.y};
        list->AddLine(from, to, colour, thick);
        arrow_head(to, from, colour);
        return;
    }
    const ImU32 colour = with_alpha(palette().accent, fade);
    const bool right = b.centre().x > a.centre().x;
    const ImVec2 from{right ? a.to.x : a.from.x, a.centre().y}, to{right ? b.from.x : b.to.x, b.centre().y};
    const float bend = std::max(em(1.2f), std::fabs(to.x - from.x) * 0.45f) * (right ? 1.f : -1.f);
    list->AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, colour, thick * 1.4f);
    arrow_head(to, {to.x - bend, to.y}, colour);
}

// The two in red, joined by a line with a cross; and dotted the edge that would keep them apart.
void GraphView::draw_race(const Layout& layout, const Race& race) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 bad = palette().bad;
    const Box &a = boxes_[size_t(race.first)], &b = boxes_[size_t(race.second)];
    const Node &first = scene_.nodes[size_t(race.first)], &second = scene_.nodes[size_t(race.second)];
    for (const Box* box : {&a, &b})
        list->AddRect({box->from.x - 2, box->from.y - 2}, {box->to.x + 2, box->to.y + 2}, bad, em(0.3f),
                      em(0.14f));
    const bool right = b.centre().x >= a.centre().x;
    const ImVec2 from{right ? a.to.x : a.from.x, a.centre().y}, to{right ? b.from.x : b.to.x, b.centre().y};
    const float bend = (to.x - from.x) * 0.5f;
    list->AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, bad, em(0.16f));
    const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
    list->AddCircleFilled(middle, em(0.5f), palette().surface);
    draw_cross(list, middle, em(0.32f), bad);
    if (first.column != second.column) draw_missing(layout, first, second);
}

// Between the rows, where no box is: from behind the first to in front of the second.
void GraphView::draw_missing(const Layout& layout, const Node& first, const Node& second) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 bad = palette().bad;
    const bool right = second.column > first.column;
    const float top = layout.at.y + layout.head;
    const int recorded = scene_.record_between(first, second);
    ImVec2 record{rails_[size_t(first.column)], top + layout.row * float(first.row + 1)};
    if (recorded >= 0)
        record = {right ? boxes_[size_t(recorded)].to.x : boxes_[size_t(recorded)].from.x,
                  boxes_[size_t(recorded)].centre().y};
    const ImVec2 wait{rails_[size_t(second.column)], top + layout.row * float(second.row)};
    const float channel = second.column == 0 ? layout.at.x + host_width(layout) + em(0.6f)
                                             : wait.x - stream_width(layout) * (right ? 0.5f : -0.5f);
    dotted(record, {channel, record.y}, bad);
    dotted({channel, record.y}, {channel, wait.y}, bad);
    dotted({channel, wait.y}, wait, bad);
    const float pixels = em(0.7f);
    const auto mark = [&](ImVec2 at, int column, bool to_the_right, const char* words) {
        list->AddCircleFilled(at, em(0.26f), palette().surface);
        list->AddCircle(at, em(0.26f), bad, 0, em(0.1f));
        float half = em(0.3f);  // of the boxes around it
        for (size_t i = 0; i < boxes_.size(); ++i)
            if (scene_.nodes[i].column == column && std::fabs(boxes_[i].centre().y - at.y) < layout.row)
                half = std::max(half, boxes_[i].to.x - at.x);
        const float wide = text_size(Face::text, pixels, words).x;
        const float right_x = at.x + half + em(0.4f), left_x = at.x - half - em(0.4f) - wide;
        const bool fits = right_x + wide <= layout.at.x + layout.width;
        const ImVec2 corner{to_the_right && fits ? right_x : left_x, at.y - pixels * 0.65f};
        draw_text(list, Face::text, pixels, corner, bad, words);
    };
    if (recorded < 0) mark(record, first.column, !right, "record here");
    mark(wait, second.column, second.column > 0 && right, "wait here");
}

void GraphView::draw_node(size_t i, Place place, bool any_lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Node& node = scene_.nodes[i];
    const Box& box = boxes_[i];
    const Palette& p = palette();
    ImU32 fill = p.surface, line = p.border, ink = p.text;
    switch (node.shape) {
        case Shape::kernel:
            fill = mix(p.surface, p.accent, 0.75f), line = p.accent, ink = p.on_accent;
            break;
        case Shape::copy:
        case Shape::other:
            fill = mix(p.surface, p.cell, 0.8f), line = p.cell;
            break;
        case Shape::record:
        case Shape::wait:
            line = p.accent, ink = p.accent;
            break;
        case Shape::in_vain:
        case Shape::host_code:
            line = p.warn, ink = p.warn;
            break;
        case Shape::host_wait:
            line = p.dim;
            break;
        case Shape::call:
            fill = p.raised, line = p.raised, ink = p.dim;
            break;
    }
    const bool pill = node.shape == Shape::record || node.shape == Shape::wait;
    const float rounding = pill ? (box.to.y - box.from.y) / 2 : em(0.25f);
    list->AddRectFilled(box.from, box.to, fill, rounding);
    if (any_lit && (is_operation(node) || place != Place::unordered))
        list->AddRect({box.from.x - 1, box.from.y - 1}, {box.to.x + 1, box.to.y + 1}, colour_of(place),
                      rounding, em(place == Place::itself ? 0.2f : 0.14f));
    else
        list->AddRect(box.from, box.to, line, rounding, 1);
    const std::string text = fitted(node.label, em(text_pixels), box.to.x - box.from.x - em(0.4f));
    const ImVec2 size = text_size(Face::text, em(text_pixels), text);
    draw_text(list, Face::text, em(text_pixels), {box.centre().x - size.x / 2, box.centre().y - size.y / 2},
              ink, text);
}

void GraphView::explain(int node) const {
    if (!begin_hint()) return;
    const Node& shown = scene_.nodes[size_t(node)];
    hint_title(shown.shape == Shape::kernel ? fmt::format("Kernel {}", shown.label) : shown.label);
    hint_text(fmt::format("line {}", shown.line), palette().dim);
    if (shown.shape == Shape::in_vain)
        hint_text(shown.label == "cudaEventQuery"
                      ? "It asked, and the answer was cudaErrorNotReady."
                      : "The event had not been recorded: this waits for nothing.",
                  palette().warn);
    for (const Edge& edge : scene_.edges)
        if (edge.to == node) hint_text(edge.said);
    for (const Race& race : scene_.races)
        if (race.first == node || race.second == node) {
            hint_text(race.message, palette().bad);
            hint_text(race.fix);
        }
    if (is_operation(shown)) {
        const std::vector<Place> places = scene_.places(node);
        std::string beside;
        for (size_t i = 0; i < places.size(); ++i) {
            const Node& other = scene_.nodes[i];
            if (places[i] != Place::unordered || (other.shape != Shape::kernel && other.shape != Shape::copy))
                continue;
            beside += (beside.empty() ? "" : ", ") + other.said;
        }
        if (!beside.empty()) hint_text(fmt::format("No path joins it with {}.", beside), palette().good);
    }
    end_hint();
}

void GraphView::draw_legend(bool any_lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float pixels = em(0.75f);
    float x = at.x;
    const auto entry = [&](ImU32 colour, const char* words, bool is_box) {
        const float middle = at.y + em(0.55f);
        if (is_box)
            list->AddRect({x, middle - em(0.35f)}, {x + em(0.8f), middle + em(0.35f)}, colour, em(0.15f),
                          em(0.14f));
        else
            list->AddLine({x, middle}, {x + em(0.8f), middle}, colour, em(0.14f));
        x += em(1.05f);
        x = draw_text(list, Face::text, pixels, {x, at.y}, palette().dim, words) + x + em(0.9f);
    };
    if (any_lit) {
        entry(palette().read, "done before it begins", true);
        entry(palette().wrote, "begins when it is done", true);
        entry(palette().good, "no path: either order, or at once", true);
    } else {
        entry(palette().dim, "behind it in the stream", false);
        entry(palette().accent, "waits", false);
        if (!scene_.races.empty()) entry(palette().bad, "race", false);
    }
    ImGui::Dummy({1, em(1.4f)});
}

void GraphView::draw(const RunChoice& choice, Cursor& cursor, float room) {
    Layout layout;
    layout.at = ImGui::GetCursorScreenPos();
    layout.width = std::max(em(14), ImGui::GetContentRegionAvail().x);
    layout.head = em(head_high);
    const float rows = float(std::max(1, scene_.rows));
    layout.row = std::floor(std::clamp((room - layout.head - em(1.7f)) / rows, em(1.15f), em(row_high)));
    const bool clicked = ImGui::InvisibleButton("graph", {layout.width, layout.head + layout.row * rows});
    place(layout);
    const int under = ImGui::IsItemHovered() ? under_mouse() : -1;
    if (under >= 0) point(under, clicked, choice, cursor);
    if (clicked && under < 0 && cursor.pinned) cursor = Cursor{};
    if (!cursor.pinned) chosen_ = under;
    const bool elsewhere = chosen_ < 0 && cursor.line > 0 && choice.holds(cursor);
    const int lit = chosen_ >= 0 ? chosen_ : elsewhere ? scene_.of_line(cursor.line) : -1;
    const std::vector<Place> places =
        lit >= 0 ? scene_.places(lit) : std::vector<Place>(boxes_.size(), Place::unordered);
    draw_heads(layout);
    draw_rails(layout);
    const auto on_path = [&](int node) { return lit < 0 || places[size_t(node)] != Place::unordered; };
    for (const Edge& edge : scene_.edges)
        draw_edge(edge, lit >= 0 && (edge.from == lit || edge.to == lit),
                  !on_path(edge.from) || !on_path(edge.to));
    for (size_t i = 0; i < boxes_.size(); ++i) draw_node(i, places[i], lit >= 0);
    for (const Race& race : scene_.races) draw_race(layout, race);
    draw_legend(lit >= 0);
    if (under >= 0) explain(under);
}

}  // namespace lab::lesson_10_events
