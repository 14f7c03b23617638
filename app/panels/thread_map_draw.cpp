// How the thread map looks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/thread_map.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

ImU32 colour_of_flags(uint8_t flags, float strength) {
    const Palette& p = palette();
    if (flags & was_written) return mix(p.cell, p.wrote, strength);
    if (flags & was_read) return mix(p.cell, p.read, strength);
    return p.idle;
}

float rounding_of(ImVec2 from, ImVec2 to) {
    return to.y - from.y > small_cell ? std::min(em(0.22f), (to.y - from.y) * 0.2f) : 0;
}

// What a small cell is filled with; 0: it takes more than one colour.
ImU32 flat_colour(uint8_t flags, float strength) {
    if ((flags & was_written) && (flags & was_read)) return 0;
    if (flags & (was_written | was_read)) return colour_of_flags(flags, strength);
    return mix(palette().idle, palette().border, 0.35f);
}

constexpr int64_t many_cells = 300;  // drawn plainly whatever their size

bool is_small(const CellGrid& grid) {
    return grid.size - grid.gap <= small_cell || grid.cells > many_cells;
}

// Without smooth edges, which are most of what a small one costs.
void plain_triangle(ImDrawList* list, ImVec2 a, ImVec2 b, ImVec2 c, ImU32 colour) {
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list->PrimReserve(3, 3);
    for (const ImVec2 corner : {a, b, c}) list->PrimVtx(corner, white, colour);
}

// A cell that was read and written is cut along its diagonal.
void fill_cell(ImDrawList* list, ImVec2 from, ImVec2 to, uint8_t flags, float strength, bool small = false) {
    small |= to.y - from.y <= small_cell;
    if (const ImU32 flat = small ? flat_colour(flags, strength) : 0)
        return list->AddRectFilled(from, to, flat);
    list->AddRectFilled(from, to, colour_of_flags(flags, strength), small ? 0 : rounding_of(from, to));
    if ((flags & was_written) && (flags & was_read)) {
        const ImU32 read = colour_of_flags(was_read, strength);
        if (!small) {
            list->AddTriangleFilled(from, {to.x, from.y}, {from.x, to.y}, read);
        } else {
            plain_triangle(list, from, {to.x, from.y}, {from.x, to.y}, read);
        }
    }
    if (!(flags & (was_written | was_read))) list->AddRect(from, to, palette().border, rounding_of(from, to));
}

void fill_wrong(ImDrawList* list, ImVec2 from, ImVec2 to) {
    list->AddRectFilled(from, to, palette().bad, rounding_of(from, to));
}

void cross_wrong(ImDrawList* list, ImVec2 from, ImVec2 to) {
    const float inset = (to.y - from.y) * 0.28f;
    if (inset > 2) draw_cross(list, {(from.x + to.x) / 2, (from.y + to.y) / 2}, inset, palette().surface);
}

// Hatched; where that would be a blur, halved along the diagonal.
void fill_never_written(ImDrawList* list, ImVec2 from, ImVec2 to) {
    if (to.y - from.y <= small_cell) {
        list->AddRectFilled(from, to, palette().bad_soft);
        return plain_triangle(list, {to.x, from.y}, to, {from.x, to.y}, palette().bad);
    }
    list->AddRectFilled(from, to, palette().bad_soft, rounding_of(from, to));
    draw_hatch(list, from, to, palette().bad);
    if (to.y - from.y >= 5) list->AddRect(from, to, with_alpha(palette().bad, 0.8f), rounding_of(from, to));
}

void outline(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
    list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, colour, rounding_of(from, to) + 1,
                  thickness);
}

ImVec2 far_corner(const CellGrid& grid, ImVec2 from) {
    return {from.x + grid.size - grid.gap, from.y + grid.size - grid.gap};
}

constexpr float name_scale = 0.72f;

// Whether every cell has room for its name, the longest of which is this.
bool names_fit(const CellGrid& grid, const std::string& longest) {
    return grid.per_cell == 1 &&
           text_size(Face::mono, em(name_scale), longest).x + em(0.3f) < grid.size - grid.gap;
}

// Readable on what fill_cell and fill_wrong fill with.
ImU32 ink_on(uint8_t flags) {
    if (flags & is_guilty) return palette().surface;
    return theme_kind() == ThemeKind::dark ? palette().background : palette().text;
}

void name_cell(ImDrawList* list, ImVec2 from, ImVec2 to, const std::string& text, ImU32 colour) {
    const float pixels = em(name_scale), wide = text_size(Face::mono, pixels, text).x;
    draw_text(list, Face::mono, pixels,
              {(from.x + to.x - wide) / 2, (from.y + to.y - pixels) / 2 - em(0.06f)}, colour, text);
}

// each: what the label of row r counts: r times this.
void draw_row_labels(const CellGrid& grid, int64_t each) {
    if (grid.rows < 2) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float pixels = em(0.7f);
    const int every = std::max(1, int(std::ceil(pixels * 1.15f / grid.size)));
    for (int row = 0; row < grid.rows; row += every) {
        const std::string text = std::to_string(row * each);
        const float wide = text_size(Face::mono, pixels, text).x;
        draw_text(list, Face::mono, pixels,
                  {grid.at.x - wide - pixels * 0.5f,
                   grid.at.y + float(row) * grid.size + (grid.size - grid.gap - pixels) / 2},
                  palette().faint, text);
    }
}

// Places a field at ImGui's cursor and takes the mouse for it. Returns the thing under the mouse, or -1.
int64_t place_cells(CellGrid& grid, const char* id, bool& clicked) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    grid.at = corner;
    if (grid.rows > 1) grid.at.x += grid.label;
    clicked = ImGui::InvisibleButton(
        id, {std::max(1.f, grid.at.x - corner.x + grid.width()), std::max(1.f, grid.height())});
    return ImGui::IsItemHovered() ? grid.at_point(ImGui::GetMousePos()) : -1;
}

}  // namespace

std::string ThreadMap::thread_text(int64_t thread) const {
    const int64_t block = thread / index_.threads_per_block, in_block = thread % index_.threads_per_block;
    return fmt::format("thread {} of block {}",
                       place_text(place_in(in_block, index_.kernel.block), index_.kernel.block),
                       place_text(place_in(block, index_.kernel.grid), index_.kernel.grid));
}

void ThreadMap::draw_launch_line() const {
    std::string rest = active_ == index_.threads()
                           ? fmt::format("all {} threads touched memory", active_)
                           : fmt::format("{} of {} threads touched memory", active_, index_.threads());
    if (index_.dropped) rest += fmt::format(" (a sample: {} records did not fit)", index_.dropped);
    if (index_.sampled) rest += fmt::format(" (the first {} blocks)", index_.blocks);
    choice_.draw_launch(rest);
}

void ThreadMap::draw_block_cell(const CellGrid& grid, int64_t cell) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 from = grid.top_left(cell), to = far_corner(grid, from);
    uint8_t flags = 0;
    int64_t active = 0, threads = 0;
    for (int64_t b = cell * grid.per_cell; b < std::min(index_.blocks, (cell + 1) * grid.per_cell); ++b) {
        flags |= index_.block_flags[size_t(b)];
        active += index_.active[size_t(b)];
        threads += index_.threads_per_block;
    }
    // Filled as far as its threads touched memory.
    fill_cell(list, from, to, 0, 0);
    const float full = threads ? float(active) / float(threads) : 0;
    list->AddRectFilled({from.x, to.y - (to.y - from.y) * full}, to, colour_of_flags(flags, 0.5f),
                        rounding_of(from, to));
    if (flags & is_guilty) fill_wrong(list, from, to);
    if (block_ / grid.per_cell == cell) outline(list, from, to, palette().text, 2);
    if (!flat_grid() && names_fit(grid, std::to_string(index_.blocks - 1)))
        name_cell(list, from, to, std::to_string(cell), flags ? ink_on(flags) : palette().dim);
}

void ThreadMap::draw_grid(Cursor& cursor) {
    const Dim3& extent = index_.kernel.grid;
    std::string detail = plural(index_.blocks, "block", "blocks");
    if (extent.y > 1) detail = fmt::format("{} blocks, x to the right, y down", extent_text(extent));
    if (plan_.grid.per_cell > 1) detail += fmt::format(", a cell is {} of them", plan_.grid.per_cell);
    const ImVec2 title = ImGui::GetCursorScreenPos();
    section_title("Grid", detail, plan_.left);
    if (plan_.legend_above)
        draw_legend(
            {title.x + ImGui::GetContentRegionAvail().x - legend_width() + em(1), title.y + em(0.25f)},
            legend_width());
    bool clicked;
    const int64_t under = place_cells(plan_.grid, "grid", clicked);
    for (int64_t cell = 0; cell < plan_.grid.cells; ++cell) draw_block_cell(plan_.grid, cell);
    if (under < 0) return;
    cursor.pointed = true;
    if (clicked) {
        show_block(under);
        cursor = Cursor{};
        cursor.pointed = true;
    }
    if (!begin_hint()) return;
    hint_title(fmt::format("Block {}", place_text(place_in(under, extent), extent)));
    hint_text(fmt::format("{} of {} threads touched memory.{}", index_.active[size_t(under)],
                          index_.threads_per_block, under == block_ ? "" : " Click to see them."));
    end_hint();
}

void ThreadMap::draw_threads(Cursor& cursor) {
    const Dim3& extent = index_.kernel.block;
    const std::string detail =
        flat_block() ? fmt::format("{} threads, x to the right, y down", extent_text(extent))
        : index_.threads_per_block <= 32
            ? plural(index_.threads_per_block, "thread", "threads")
            : fmt::format("{} threads, a warp of 32 in each row", index_.threads_per_block);
    section_title(fmt::format("Threads of block {}",
                              place_text(place_in(block_, index_.kernel.grid), index_.kernel.grid)),
                  detail, plan_.left);
    ImDrawList* list = ImGui::GetWindowDrawList();
    bool clicked;
    CellGrid& grid = plan_.threads;
    const int64_t under = place_cells(grid, "threads", clicked);
    draw_row_labels(grid, flat_block() ? 1 : grid.columns);
    const int64_t base = block_ * index_.threads_per_block, pointed = thread_of(cursor);
    const bool dimmed = (cursor.has_element() && is_here(cursor)) || pointed >= 0;
    auto name_of = [&](int64_t t) {
        return flat_block() ? fmt::format("{},{}", t % grid.columns, t / grid.columns) : std::to_string(t);
    };
    const bool named = names_fit(grid, name_of(index_.threads_per_block - 1)),
               runs = is_small(grid) && !named;
    const float usual = dimmed ? 0.12f : 0.5f;
    std::vector<ImU32> flat(size_t(runs ? index_.threads_per_block : 0), 0);
    for (size_t t = 0; t < flat.size(); ++t) {
        const uint8_t flags = index_.thread_flags[size_t(base) + t];
        const bool special = (flags & is_guilty) || base + int64_t(t) == pointed;
        if (!special && !lit_by_element(base + int64_t(t), cursor)) flat[t] = flat_colour(flags, usual);
    }
    if (runs) fill_runs(list, grid, flat);
    for (int64_t t = 0; t < index_.threads_per_block; ++t) {
        if (runs && flat[size_t(t)] != 0) continue;
        const ImVec2 from = grid.top_left(t), to = far_corner(grid, from);
        const uint8_t flags = index_.thread_flags[size_t(base + t)], lit = lit_by_element(base + t, cursor);
        if (lit)
            fill_cell(list, from, to, lit, 1);
        else if (flags & is_guilty)
            fill_wrong(list, from, to);
        else
            fill_cell(list, from, to, flags, base + t == pointed ? 0.9f : usual, runs);
        if (named) name_cell(list, from, to, name_of(t), flags ? ink_on(flags) : palette().dim);
        if (base + t == pointed) outline(list, from, to, palette().text, 2);
    }
    if (under < 0) return;
    point_at_thread(cursor, base + under, clicked);
    explain_thread(base + under);
}

void ThreadMap::explain_thread(int64_t thread) const {
    if (!begin_hint(true)) return;
    const int64_t in_block = thread % index_.threads_per_block;
    std::string title = thread_text(thread);
    title[0] = 'T';
    hint_title(title);
    hint_text(fmt::format("warp {}, lane {}", in_block / 32, in_block % 32));
    const uint32_t first = index_.first_touch[size_t(thread)], last = index_.first_touch[size_t(thread) + 1];
    const Finding* finding = index_.finding_of_thread(thread);
    if (first == last && !finding) hint_text("It touched no memory.");
    for (uint32_t i = first; i < std::min(last, first + 8); ++i) {
        const Touch& touch = index_.touches[i];
        const char* verb = touch.wrote && touch.read ? "updated" : touch.wrote ? "wrote" : "read";
        hint_text(fmt::format("{} {}[{}] in line {}", verb, index_.buffers[size_t(touch.buffer)].name,
                              touch.element, touch.line),
                  touch.wrote ? palette().wrote : palette().read);
    }
    if (last > first + 8) hint_text(fmt::format("... and {} more accesses", last - first - 8));
    if (finding) hint_text(finding->message, palette().bad);
    end_hint();
}

void ThreadMap::draw_buffer(Cursor& cursor, size_t buffer) {
    const IndexedBuffer& b = index_.buffers[buffer];
    CellGrid& grid = plan_.buffers[buffer];
    section_title(b.name, grid.per_cell == 1
                              ? plural(b.elements, "element", "elements")
                              : fmt::format("{} elements, a cell is {} of them", b.elements, grid.per_cell));
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::PushID(int(buffer));
    bool clicked;
    const int64_t under = place_cells(grid, "elements", clicked);
    ImGui::PopID();
    draw_row_labels(grid, grid.columns * grid.per_cell);
    gather_cells(buffer);
    const bool named = names_fit(grid, std::to_string(b.shown - 1));
    const bool dimmed = thread_of(cursor) >= 0, here = is_here(cursor) && cursor.buffer == int(buffer);
    const std::vector<CellState>& states = cells_[buffer];
    const auto lit_cells = cells_lit(buffer, cursor);
    std::vector<ImU32> flat(is_small(grid) && !named ? states.size() : 0, 0);
    for (size_t cell = 0; cell < flat.size(); ++cell) {
        const int64_t element = int64_t(cell) * grid.per_cell;
        const bool pointed = here && cursor.element >= 0 && cursor.element / grid.per_cell == int64_t(cell);
        const bool special = (states[cell].flags & is_guilty) || element >= b.elements;
        if (!special && !pointed && !lit_cells.contains(int64_t(cell)))
            flat[cell] = states[cell].flags & never_written
                             ? palette().bad_soft
                             : flat_colour(states[cell].flags, dimmed              ? 0.1f
                                                               : states[cell].mine ? 0.65f
                                                                                   : 0.2f);
    }
    if (!flat.empty()) fill_runs(list, grid, flat);
    for (int64_t cell = 0; cell < grid.cells; ++cell) {
        const ImVec2 from = grid.top_left(cell), to = far_corner(grid, from);
        if (!flat.empty() && flat[size_t(cell)] != 0) {
            if (states[size_t(cell)].flags & never_written)
                plain_triangle(list, {to.x, from.y}, to, {from.x, to.y}, palette().bad);
            continue;
        }
        const CellState& state = cells_[buffer][size_t(cell)];
        const int64_t element = cell * grid.per_cell;
        const bool beyond = element >= b.elements;
        const auto found = lit_cells.find(cell);
        const uint8_t lit = found == lit_cells.end() ? 0 : found->second;
        if (state.flags & is_guilty)
            fill_wrong(list, from, to);
        else if (lit)
            fill_cell(list, from, to, lit, 1);
        else if (state.flags & never_written)
            fill_never_written(list, from, to);
        else
            fill_cell(list, from, to, state.flags, dimmed ? 0.1f : state.mine ? 0.65f : 0.2f, !flat.empty());
        if (beyond && !(state.flags & is_guilty)) outline(list, from, to, palette().bad, 1);
        if (named && !(state.flags & never_written))
            name_cell(list, from, to, std::to_string(element),
                      state.flags ? ink_on(state.flags) : palette().dim);
        const bool pointed = here && cursor.element >= 0 && cursor.element / grid.per_cell == cell;
        if (pointed || lit) outline(list, from, to, palette().text, pointed ? 2.f : 1.5f);
    }
    if (under < 0) return;
    point_at_element(cursor, buffer, under, clicked);
    explain_element(buffer, under);
}

void ThreadMap::explain_element(size_t buffer, int64_t element) const {
    if (!begin_hint()) return;
    const IndexedBuffer& b = index_.buffers[buffer];
    const int64_t last = std::min(b.shown, element + plan_.buffers[buffer].per_cell) - 1;
    hint_title(last > element ? fmt::format("{}[{} .. {}]", b.name, element, last)
                              : fmt::format("{}[{}]", b.name, element));
    if (element >= b.elements)
        hint_text(fmt::format("beyond the end: {} has {} elements", b.name, b.elements), palette().bad);
    const uint32_t first = b.first[size_t(element)], end = b.first[size_t(last) + 1];
    if (first == end)
        hint_text(b.flags[size_t(element)] & never_written ? "No thread ever wrote it."
                                                           : "No thread touched it in this launch.");
    for (uint32_t i = first; i < std::min(end, first + 6); ++i) {
        const Touch& touch = index_.touches[b.order[i]];
        hint_text(
            fmt::format("{} by {} in line {}", touch.wrote ? (touch.read ? "updated" : "written") : "read",
                        thread_text(touch.thread), touch.line),
            touch.wrote ? palette().wrote : palette().read);
    }
    if (end > first + 6) hint_text(fmt::format("... and {} more accesses", end - first - 6));
    if (const Finding* finding = index_.finding_of_element(int(buffer), element))
        hint_text(finding->message, palette().bad);
    end_hint();
}

void ThreadMap::draw_link(int64_t thread, int buffer, int64_t element, ImU32 colour) const {
    const int64_t in_block = thread - block_ * index_.threads_per_block;
    if (in_block < 0 || in_block >= index_.threads_per_block ||
        element >= index_.buffers[size_t(buffer)].shown)
        return;
    const CellGrid &threads = plan_.threads, &elements = plan_.buffers[size_t(buffer)];
    ImVec2 from = threads.centre_of(in_block), to = elements.centre_of(element);
    const bool beside = plan_.left > 0;
    (beside ? from.x : from.y) += threads.size / 2;
    (beside ? to.x : to.y) -= elements.size / 2;
    const ImVec2 bend = beside ? ImVec2{(to.x - from.x) * 0.5f, 0} : ImVec2{0, (to.y - from.y) * 0.5f};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddBezierCubic(from, {from.x + bend.x, from.y + bend.y}, {to.x - bend.x, to.y - bend.y}, to,
                         with_alpha(colour, 0.9f), std::max(1.5f, em(0.1f)));
    list->AddCircleFilled(to, em(0.16f), colour);
}

// Lines from the pointed thread to its elements, or from the element to the threads of the shown block. The
// access that a finding names is no part of the trace: it was stopped.
void ThreadMap::draw_links(const Cursor& cursor) const {
    constexpr uint32_t most = 16;
    auto link = [&](const Touch& touch) {
        draw_link(touch.thread, touch.buffer, touch.element, touch.wrote ? palette().wrote : palette().read);
    };
    if (const int64_t thread = thread_of(cursor); thread >= 0) {
        const uint32_t first = index_.first_touch[size_t(thread)],
                       last = index_.first_touch[size_t(thread) + 1];
        for (uint32_t i = first; i < std::min(last, first + most); ++i) link(index_.touches[i]);
        const Finding* finding = index_.finding_of_thread(thread);
        for (size_t b = 0; finding && b < index_.buffers.size(); ++b)
            if (index_.buffers[b].name == finding->buffer && finding->element >= 0)
                draw_link(thread, int(b), finding->element, palette().bad);
    } else if (cursor.has_element() && is_here(cursor) && cursor.buffer < int(index_.buffers.size())) {
        const IndexedBuffer& b = index_.buffers[size_t(cursor.buffer)];
        if (cursor.element >= b.shown || plan_.buffers[size_t(cursor.buffer)].per_cell > 1) return;
        const uint32_t first = b.first[size_t(cursor.element)], last = b.first[size_t(cursor.element) + 1];
        for (uint32_t i = first; i < std::min(last, first + most); ++i) link(index_.touches[b.order[i]]);
    }
}

namespace {

struct LegendEntry {
    const char* text;
    uint8_t flags;
};
constexpr LegendEntry legend[] = {{"wrote", was_written},
                                  {"read", was_read},
                                  {"no access", 0},
                                  {"never written", never_written},
                                  {"wrong", is_guilty}};

float legend_entry_width(const LegendEntry& entry) {
    return em(1.1f) + text_size(Face::text, em(0.8f), entry.text).x;
}

}  // namespace

float ThreadMap::legend_width() {
    float width = 0;
    for (const LegendEntry& entry : legend) width += legend_entry_width(entry) + em(1);
    return width;
}

void ThreadMap::draw_legend(ImVec2 at, float width) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float side = em(0.72f), left = at.x, right = at.x + width;
    for (const LegendEntry& entry : legend) {
        const float wide = legend_entry_width(entry);
        if (at.x + wide > right && at.x > left) at = {left, at.y + em(1.2f)};
        const ImVec2 from{at.x, at.y + em(0.05f)}, to{at.x + side, from.y + side};
        if (entry.flags & is_guilty) {
            fill_wrong(list, from, to);
            cross_wrong(list, from, to);
        } else if (entry.flags & never_written) {
            fill_never_written(list, from, to);
        } else {
            fill_cell(list, from, to, entry.flags, 0.8f);
        }
        draw_text(list, Face::text, em(0.8f), {to.x + em(0.35f), at.y}, palette().dim, entry.text);
        at.x += wide + em(1);
    }
}

}  // namespace lab
