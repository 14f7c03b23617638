#include "lessons/11_unified_memory/panel_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"

namespace lab::lesson_11_unified_memory {
namespace {

// In em.
constexpr float head_high = 1.35f, bars_high = 3.2f, usual_row = 1.25f, least_row = 0.34f, band_gap = 0.55f;
constexpr float few_rows = 16, tight_bars = 1.7f;
constexpr float widest = 4.6f, narrowest = 0.42f;

ImU32 host_colour() {
    return palette().wrote;
}
ImU32 device_colour() {
    return palette().read;
}

const char* short_name(const PageAct& act) {
    if (act.kind == "host") return "host";
    if (act.kind == "kernel") return "kernel";
    if (act.name == "cudaMemAdvise") return "advice";
    if (act.name == "cudaFree") return "free";
    return act.kind == "prefetch" ? "prefetch" : act.kind == "call" ? "call" : "copy";
}

ImU32 colour_of(const PageAct& act) {
    if (act.kind == "host") return host_colour();
    if (act.kind == "kernel") return device_colour();
    return palette().dim;
}

void fill_residence(ImDrawList* list, const Cell& cell, ImVec2 from, ImVec2 to) {
    const float middle = (from.y + to.y) / 2;
    if (cell.is_nowhere()) return list->AddRectFilled(from, to, palette().idle);
    if (cell.on_host && cell.on_device) {
        list->AddRectFilled(from, {to.x, middle}, host_colour());
        return list->AddRectFilled({from.x, middle}, to, device_colour());
    }
    list->AddRectFilled(from, to, cell.on_host ? host_colour() : device_colour());
}

// A fault is a red diamond, a page that was sent has an arrow, one that was pushed out a cross.
void draw_marks(ImDrawList* list, uint8_t marks, ImVec2 centre, float radius) {
    const ImU32 ink = palette().background;
    if (marks & fault) {
        const float r = radius * 1.15f;
        list->AddQuadFilled({centre.x - r, centre.y}, {centre.x, centre.y - r}, {centre.x + r, centre.y},
                            {centre.x, centre.y + r}, ink);
        const float inner = r * 0.72f;
        list->AddQuadFilled({centre.x - inner, centre.y}, {centre.x, centre.y - inner},
                            {centre.x + inner, centre.y}, {centre.x, centre.y + inner}, palette().bad);
    } else if (marks & evicted) {
        draw_cross(list, centre, radius, ink);
    } else if (marks & sent) {
        draw_arrow(list, centre, radius, ink);
    } else if (marks & first_touch) {
        list->AddCircle(centre, radius * 0.6f, ink, 0, std::max(1.f, radius * 0.3f));
    } else if (marks & advised) {
        list->AddCircleFilled(centre, std::max(1.f, radius * 0.35f), ink);
    }
}

}  // namespace

void MapView::load(Scene scene) {
    scene_ = std::move(scene);
    bands_.clear();
    chosen_ = -1;
    for (size_t i = 0; i < scene_.rows.size(); ++i) {
        const int buffer = scene_.rows[i].buffer;
        if (i > 0 && buffer == scene_.rows[i - 1].buffer) {
            ++bands_.back().rows;
            continue;
        }
        bands_.push_back({i, 1, scene_.map->buffers[size_t(buffer)].name, ""});
    }
    for (Band& band : bands_) band.detail = plural(int64_t(band.rows), "page", "pages");
}

namespace {

constexpr const char* how_to_read =
    "A row is a page of 64 KiB; time goes to the right, an act a column. Click one to hold it.";

float height_of(const std::string& text, float pixels, float width) {
    const char* begin = text.data();
    return font_of(Face::text)->CalcTextSizeA(pixels, FLT_MAX, width, begin, begin + text.size()).y;
}

}  // namespace

float MapView::height(float width) const {
    const float row = scene_.rows.size() > 16 ? 0.6f : 0.95f;
    float high = head_high + 0.9f + bars_high + 1.9f + 2.9f;
    for (const Band& band : bands_)
        high += std::max(row * float(std::min<size_t>(band.rows, 40)), 1.f) + band_gap;
    width = std::max(width - em(2), em(8));
    return em(high) + height_of(summary_of(scene_), em(0.92f), width) +
           height_of(how_to_read, em(0.88f), width);
}

size_t MapView::cell_rows(const Band& band, const Field& field) const {
    return (band.rows + field.per_row - 1) / field.per_row;
}

// In little room, a row of cells stands for several pages.
MapView::Field MapView::lay_out(float bars) const {
    Field field;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    for (const Band& band : bands_)
        field.label = std::max({field.label, text_size(Face::mono, em(0.85f), band.name).x,
                                text_size(Face::text, em(0.72f), band.detail).x});
    field.label = std::min(field.label + em(0.7f), room.x * 0.3f);
    field.head = em(head_high);
    field.gap = em(band_gap);
    field.at = {std::floor(at.x + field.label), std::floor(at.y + field.head)};
    const float wide = room.x - field.label, count = float(std::max<size_t>(1, scene_.columns.size()));
    field.column = std::clamp(std::floor(wide / count), em(narrowest), em(widest));
    field.columns = std::min(scene_.columns.size(), size_t(std::max(1.f, wide / field.column)));
    const float left = room.y - field.head - bars - em(2.9f) - field.gap * float(bands_.size());
    const auto rows = [&] {
        size_t all = 0;
        for (const Band& band : bands_) all += cell_rows(band, field);
        return float(std::max<size_t>(1, all));
    };
    while (left / rows() < em(least_row) && field.per_row < 4096) field.per_row *= 2;
    // A few rows keep a height at which their marks can be told apart, and the panel is scrolled.
    const float least = rows() <= few_rows ? std::floor(em(0.62f)) : 3.f;
    field.row = std::clamp(std::floor(left / rows()), least, em(usual_row));
    for (const Band& band : bands_)
        field.high += std::max(field.row * float(cell_rows(band, field)), em(1)) + field.gap;
    return field;
}

float MapView::top_of(size_t which, const Field& field) const {
    float y = field.at.y;
    for (size_t i = 0; i < which; ++i)
        y += std::max(field.row * float(cell_rows(bands_[i], field)), em(1)) + field.gap;
    return y;
}

// Of several pages in one cell, where most are, and everything that happened to any.
Cell MapView::joined(size_t first, size_t last, size_t column) const {
    Cell all;
    size_t on_host = 0, on_device = 0;
    for (size_t row = first; row < last; ++row) {
        const Cell& cell = scene_.rows[row].cells[column];
        on_host += cell.on_host;
        on_device += cell.on_device;
        all.marks |= cell.marks;
        if (cell.event >= 0) all.event = cell.event;
    }
    all.on_host = 2 * on_host > last - first || (on_host > 0 && on_host >= on_device);
    all.on_device = 2 * on_device > last - first || (on_device > 0 && on_device > on_host);
    return all;
}

void MapView::draw_cell(const Cell& cell, ImVec2 from, ImVec2 to) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill_residence(list, cell, from, to);
    const float radius = std::min(to.x - from.x, to.y - from.y) * 0.36f;
    if (cell.marks != 0)
        draw_marks(list, cell.marks, {(from.x + to.x) / 2, (from.y + to.y) / 2}, std::max(1.8f, radius));
}

void MapView::draw_cells(const Field& field) const {
    for (size_t b = 0; b < bands_.size(); ++b) {
        const Band& band = bands_[b];
        const float top = top_of(b, field);
        for (size_t r = 0; r < cell_rows(band, field); ++r) {
            const size_t first = band.first + r * field.per_row;
            const size_t last = std::min(first + field.per_row, band.first + band.rows);
            const float y = top + field.row * float(r), gap = field.row >= 5 ? 1.f : 0.f;
            for (size_t c = 0; c < field.columns; ++c) {
                const float x = field.at.x + field.column * float(c);
                draw_cell(field.per_row == 1 ? scene_.rows[first].cells[c] : joined(first, last, c), {x, y},
                          {x + field.column - 1, y + field.row - gap});
            }
        }
    }
}

void MapView::draw_heads(const Field& field, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pixels = em(0.72f), top = field.at.y - field.head;
    for (size_t c = 0; c < field.columns; ++c) {
        const PageAct& act = scene_.map->acts[c];
        const float x = field.at.x + field.column * float(c), right = x + field.column - 1;
        std::string name = short_name(act);
        if (text_size(Face::text, pixels, name).x > field.column - 2) name = name.substr(0, 1);
        const float wide = text_size(Face::text, pixels, name).x;
        if (int(c) == lit || int(c) == chosen_)
            list->AddRectFilled({x, top}, {right, field.at.y - em(0.2f)}, palette().hovered, 2);
        if (wide <= field.column)
            draw_text(list, Face::text, pixels, {(x + right - wide) / 2, top + em(0.1f)},
                      int(c) == lit || int(c) == chosen_ ? palette().text : palette().dim, name);
        list->AddRectFilled({x, field.at.y - em(0.2f)}, {right, field.at.y - em(0.08f)}, colour_of(act));
    }
}

void MapView::draw_labels(const Field& field) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = field.at.x - field.label;
    list->PushClipRect({left, field.at.y - field.head}, {field.at.x - em(0.2f), field.at.y + field.high},
                       true);
    for (size_t b = 0; b < bands_.size(); ++b) {
        const float y = top_of(b, field) - em(0.12f);
        draw_text(list, Face::mono, em(0.85f), {left, y}, palette().text, bands_[b].name);
        if (field.row * float(cell_rows(bands_[b], field)) >= em(2))
            draw_text(list, Face::text, em(0.72f), {left, y + em(1.1f)}, palette().dim, bands_[b].detail);
    }
    list->PopClipRect();
}

// How full the device is after each act.
void MapView::draw_filling(const Field& field, float high, int lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float top = field.at.y + field.high, bottom = top + high, left = field.at.x - field.label;
    int most = scene_.is_tight() ? scene_.device_pages : 1;
    for (const Column& column : scene_.columns) most = std::max(most, column.on_device);
    const float scale = (high - em(0.5f)) / float(most);
    for (size_t c = 0; c < field.columns; ++c) {
        const float x = field.at.x + field.column * float(c), right = x + field.column - 1;
        const int there = scene_.columns[c].on_device;
        list->AddRectFilled({x, top + em(0.5f)}, {right, bottom}, palette().idle);
        list->AddRectFilled({x, bottom - scale * float(there)}, {right, bottom},
                            mix(palette().surface, device_colour(), int(c) == lit ? 1.f : 0.7f));
    }
    const float right = field.at.x + field.column * float(field.columns);
    const float full = bottom - scale * float(most);
    if (scene_.is_tight()) list->AddLine({field.at.x, full}, {right, full}, palette().bad, em(0.12f));
    list->PushClipRect({left, top}, {field.at.x - em(0.2f), bottom + em(1)}, true);
    float y = top + em(0.3f);
    if (high >= em(bars_high)) draw_text(list, Face::text, em(0.76f), {left, y}, palette().text, "on the");
    if (high >= em(bars_high)) y += em(0.9f);
    draw_text(list, Face::text, em(0.76f), {left, y}, palette().text, "device");
    if (scene_.is_tight())
        draw_text(list, Face::text, em(0.72f), {left, y + em(0.95f)}, palette().bad,
                  fmt::format("full: {}", scene_.device_pages));
    list->PopClipRect();
}

void MapView::draw_legend() const {
    struct Entry {
        Cell cell;
        const char* words;
        bool shown;
    };
    uint8_t marks = 0;
    bool both = false, nowhere = false;
    for (const Row& row : scene_.rows)
        for (const Cell& cell : row.cells) {
            marks |= cell.marks;
            both = both || (cell.on_host && cell.on_device);
            nowhere = nowhere || cell.is_nowhere();
        }
    const Entry entries[] = {{{true, false, 0, -1}, "with the host", true},
                             {{false, true, 0, -1}, "on the device", true},
                             {{true, true, 0, -1}, "both", both},
                             {{false, false, 0, -1}, "nowhere", nowhere},
                             {{true, false, first_touch, -1}, "first touch", (marks & first_touch) != 0},
                             {{false, true, fault, -1}, "page fault", (marks & fault) != 0},
                             {{false, true, sent, -1}, "sent", (marks & sent) != 0},
                             {{true, false, evicted, -1}, "pushed out", (marks & evicted) != 0}};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x, pixels = em(0.82f), side = em(0.85f);
    float x = at.x, y = at.y + em(0.25f);
    for (const Entry& entry : entries) {
        if (!entry.shown) continue;
        const float wide = side + em(0.35f) + text_size(Face::text, pixels, entry.words).x;
        if (x + wide > right && x > at.x) {
            x = at.x;
            y += em(1.25f);
        }
        draw_cell(entry.cell, {x, y + em(0.08f)}, {x + side, y + em(0.08f) + side});
        draw_text(list, Face::text, pixels, {x + side + em(0.35f), y}, palette().dim, entry.words);
        x += wide + em(1.1f);
    }
    ImGui::Dummy({1, y - at.y + em(1.3f)});
}

bool MapView::row_at(float y, const Field& field, size_t& row) const {
    for (size_t b = 0; b < bands_.size(); ++b) {
        const float top = top_of(b, field);
        const size_t rows = cell_rows(bands_[b], field);
        if (y < top || y >= top + field.row * float(rows)) continue;
        row = std::min(bands_[b].first + size_t((y - top) / field.row) * field.per_row,
                       bands_[b].first + bands_[b].rows - 1);
        return true;
    }
    return false;
}

int MapView::line_of(size_t column, int row) const {
    const int event = row >= 0 ? scene_.rows[size_t(row)].cells[column].event : -1;
    const int line = event >= 0 ? scene_.map->events[size_t(event)].line : 0;
    return line > 0 ? line : scene_.map->acts[column].line;
}

void MapView::point(const RunChoice& choice, Cursor& cursor, size_t column, int row, bool click) {
    if (click) chosen_ = chosen_ == int(column) ? -1 : int(column);
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    cursor = Cursor{};
    cursor.pointed = true;
    cursor.pinned = click && chosen_ >= 0;
    choice.put_into(cursor);
    if (scene_.map->acts[column].launch >= 0) cursor.launch = scene_.map->acts[column].launch;
    cursor.line = line_of(column, row);
}

void MapView::explain(size_t column, int row) const {
    if (!begin_hint()) return;
    if (row >= 0) {
        const Row& page = scene_.rows[size_t(row)];
        const PagedBuffer& buffer = scene_.map->buffers[size_t(page.buffer)];
        hint_title(fmt::format("{}, page {} of {}", buffer.name, page.page, scene_.map->pages_of(buffer)));
        const Cell& cell = page.cells[column];
        hint_text(sentence_of(scene_, cell, column), cell.marks & fault ? palette().bad : palette().text);
    }
    hint_text(sentence_of(scene_, column));
    end_hint();
}

void MapView::draw(const RunChoice& choice, Cursor& cursor) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool roomy = room.y >= height(room.x) - em(2.5f);
    wrapped_text(Face::text, em(0.92f), palette().text, summary_of(scene_));
    if (scene_.map->left_out > 0)
        wrapped_text(Face::text, em(0.85f), palette().dim,
                     fmt::format("{} more that happened to pages are not shown.", scene_.map->left_out));
    // What a click holds is told in full; else, where there is room, how to read the map.
    const bool holds = chosen_ >= 0 && size_t(chosen_) < scene_.columns.size();
    if (holds || roomy)
        wrapped_text(Face::text, em(0.88f), palette().dim,
                     holds ? sentence_of(scene_, size_t(chosen_)) : std::string(how_to_read));
    ImGui::Dummy({1, em(0.2f)});
    const float bars = em(roomy ? bars_high : tight_bars);
    const Field field = lay_out(bars);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = field.label + field.column * float(field.columns);
    const bool clicked = ImGui::InvisibleButton("pages", {wide, field.head + field.high + bars});
    const ImVec2 mouse = ImGui::GetMousePos();
    int lit = -1;
    if (ImGui::IsItemHovered() && mouse.x >= field.at.x) {
        lit = std::clamp(int((mouse.x - field.at.x) / field.column), 0, int(field.columns) - 1);
        size_t row = 0;
        const int page = row_at(mouse.y, field, row) ? int(row) : -1;
        point(choice, cursor, size_t(lit), page, clicked);
        explain(size_t(lit), page);
    }
    if (!cursor.pinned && chosen_ >= 0 && !ImGui::IsItemHovered()) chosen_ = -1;
    draw_heads(field, lit);
    draw_labels(field);
    draw_cells(field);
    draw_filling(field, bars, lit);
    const int framed = lit >= 0 ? lit : chosen_;
    if (framed >= 0) {
        const float x = field.at.x + field.column * float(framed);
        ImGui::GetWindowDrawList()->AddRect(
            {x - 1, field.at.y - 1}, {x + field.column, field.at.y + field.high + bars}, palette().text, 2);
    }
    ImGui::SetCursorScreenPos({at.x, field.at.y + field.high + bars + em(0.2f)});
    draw_legend();
}

}  // namespace lab::lesson_11_unified_memory
