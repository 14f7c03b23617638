// The thread map's state: which case, launch and block it shows, what the reader points at, and how large
// everything is.
#include "app/panels/thread_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/theme/theme.h"

namespace lab {

void ThreadMap::configure(const std::map<std::string, std::string>& options) {
    choice_.configure(options);
    if (const auto found = options.find("columns"); found != options.end())
        columns_ = std::atoll(found->second.c_str());
}

void ThreadMap::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void ThreadMap::derive() {
    index_ = index_accesses(choice_.bundle(), choice_.case_index(), choice_.launch());
    active_ = 0;
    for (const int32_t active : index_.active) active_ += active;
    const auto guilty = std::find_if(index_.block_flags.begin(), index_.block_flags.end(),
                                     [](uint8_t flags) { return flags & is_guilty; });
    plan_ = {};
    show_block(guilty == index_.block_flags.end() ? 0 : guilty - index_.block_flags.begin());
}

void ThreadMap::show_block(int64_t block) {
    block_ = block;
    cells_.assign(index_.buffers.size(), {});
}

bool ThreadMap::flat_grid() const {
    const Dim3& d = index_.kernel.grid;
    return d.y > 1 && d.z == 1 && d.x <= 512;
}

bool ThreadMap::flat_block() const {
    const Dim3& d = index_.kernel.block;
    return d.y > 1 && d.z == 1 && d.x <= 64;
}

namespace {

constexpr float largest = 1.9f;  // ems of a cell
constexpr float label = 2.4f;    // ems before a row

// Of several launches, each has arrays that it has nothing to do with.
bool takes_part(const IndexedBuffer& buffer) {
    return buffer.touched;
}

float title_height() {
    return em(1.45f) + 2 * ImGui::GetStyle().ItemSpacing.y;
}

}  // namespace

CellGrid ThreadMap::fit_grid(float width, float height) const {
    const int row = flat_grid()                                   ? int(index_.kernel.grid.x)
                    : float(index_.blocks) * em(largest) <= width ? int(index_.blocks)
                                                                  : 0;
    return fit_cells(index_.blocks,
                     {width, std::min(height, em(flat_grid() ? 7.f : 3.8f)), 5, em(largest), row});
}

CellGrid ThreadMap::fit_threads(float width, float height) const {
    const int lanes =
        flat_block() ? int(index_.kernel.block.x) : int(std::min<int64_t>(32, index_.threads_per_block));
    CellGrid grid = fit_cells(index_.threads_per_block, {width - em(label), height, 0, em(largest), lanes});
    grid.label = em(label);
    return grid;
}

CellGrid ThreadMap::fit_buffer(const IndexedBuffer& buffer, float width, float height) const {
    const float room = width - em(label);
    const int few = float(buffer.shown) * em(largest) <= room ? int(buffer.shown) : 0;
    const int columns = columns_ ? int(columns_) : buffer.row ? int(buffer.row) : few;
    // A small picture keeps its rows, if the panel has to scroll for it.
    const float rows = columns > 1 ? std::ceil(float(buffer.shown) / float(columns)) : 1;
    const float high = std::max({em(1.5f), height, std::min(rows * 8, em(5))});
    CellGrid grid = fit_cells(buffer.shown, {room, high, 5, em(largest), columns});
    // Rows of the data's own length are no help once a cell stands for several elements.
    if (columns > 1 && grid.per_cell > 1)
        grid = fit_cells(buffer.shown, {room, std::max(em(1.5f), height), 5, em(largest), 0});
    grid.label = em(label);
    return grid;
}

float ThreadMap::Plan::smallest() const {
    float size = threads.size;
    for (const CellGrid& buffer : buffers)
        if (buffer.count > 0) size = std::min(size, buffer.size / float(buffer.per_cell));
    return size;
}

// All fields below each other.
ThreadMap::Plan ThreadMap::plan_stacked(float width, float room) const {
    Plan plan;
    const size_t buffers = size_t(std::count_if(index_.buffers.begin(), index_.buffers.end(), takes_part));
    plan.legend_above = legend_width() + em(14) < width;
    const float fixed = title_height() * float(2 + buffers) + (plan.legend_above ? em(0.2f) : em(2));
    const float left = std::max(em(7), room - fixed);
    plan.grid = fit_grid(width, left * 0.22f);
    plan.threads = fit_threads(width, (left - plan.grid.height()) * (buffers ? 0.5f : 1));
    const float rest = left - plan.grid.height() - plan.threads.height();
    float used = plan.grid.height() + plan.threads.height();
    for (const IndexedBuffer& buffer : index_.buffers) {
        plan.buffers.push_back(takes_part(buffer) ? fit_buffer(buffer, width, rest / float(buffers))
                                                  : CellGrid{});
        used += plan.buffers.back().height();
    }
    plan.height = fixed + used;
    return plan;
}

// Grid and threads to the left, the buffers to the right.
ThreadMap::Plan ThreadMap::plan_beside(float width, float room) const {
    Plan plan;
    const float gap = em(1.5f), legend = em(2), inner = std::max(em(7), room - legend);
    plan.left = (width - gap) * 0.5f;
    const float left = inner - 2 * title_height();
    plan.grid = fit_grid(plan.left, left * 0.25f);
    plan.threads = fit_threads(plan.left, left - plan.grid.height());
    const auto buffers = std::count_if(index_.buffers.begin(), index_.buffers.end(), takes_part);
    const float share = inner / float(std::max<int64_t>(1, buffers)) - title_height();
    float used = 0;
    for (const IndexedBuffer& buffer : index_.buffers) {
        plan.buffers.push_back(takes_part(buffer) ? fit_buffer(buffer, width - gap - plan.left, share)
                                                  : CellGrid{});
        if (takes_part(buffer)) used += plan.buffers.back().height() + title_height();
    }
    plan.height = std::max(used, 2 * title_height() + plan.grid.height() + plan.threads.height()) + legend;
    return plan;
}

// Of both arrangements the one with the larger cells. room: what is left below the line that names the
// launch.
ThreadMap::Plan ThreadMap::plan_for(float width, float room) const {
    Plan stacked = plan_stacked(width, room);
    if (index_.buffers.empty() || width < em(22)) return stacked;
    Plan beside = plan_beside(width, room);
    return beside.smallest() > stacked.smallest() ? beside : stacked;
}

float ThreadMap::height_for(float width, float most) {
    const float above = choice_.height() + em(1.6f);
    return index_.threads() == 0 ? em(6) : std::min(most, above + plan_for(width, most - above).height);
}

void ThreadMap::gather_cells(size_t buffer) {
    const IndexedBuffer& b = index_.buffers[buffer];
    const CellGrid& grid = plan_.buffers[buffer];
    std::vector<CellState>& cells = cells_[buffer];
    if (int64_t(cells.size()) == grid.cells) return;
    cells.assign(size_t(grid.cells), {});
    const int64_t from = block_ * index_.threads_per_block, to = from + index_.threads_per_block;
    for (int64_t e = 0; e < b.shown; ++e) {
        CellState& cell = cells[size_t(e / grid.per_cell)];
        cell.flags |= b.flags[size_t(e)];
        for (uint32_t i = b.first[size_t(e)]; i < b.first[size_t(e) + 1] && !cell.mine; ++i) {
            const int64_t thread = index_.touches[b.order[i]].thread;
            cell.mine = thread >= from && thread < to;
        }
    }
}

int64_t ThreadMap::thread_of(const Cursor& cursor) const {
    if (!cursor.has_thread() || !is_here(cursor) || cursor.block >= index_.blocks) return -1;
    const int64_t in_block = int64_t(cursor.warp) * 32 + cursor.lane;
    return in_block < index_.threads_per_block ? cursor.block * index_.threads_per_block + in_block : -1;
}

void ThreadMap::point_at_thread(Cursor& cursor, int64_t thread, bool click) {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const int64_t in_block = thread % index_.threads_per_block;
    const bool again = click && cursor.pinned && thread_of(cursor) == thread;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;  // a second click lets go
    cursor.pinned = click;
    choice_.put_into(cursor);
    cursor.block = thread / index_.threads_per_block;
    cursor.warp = int(in_block / 32);
    cursor.lane = int(in_block % 32);
    const uint32_t first = index_.first_touch[size_t(thread)], last = index_.first_touch[size_t(thread) + 1];
    if (const Finding* finding = index_.finding_of_thread(thread))
        cursor.line = finding->at.line;
    else if (last > first)
        cursor.line = index_.touches[last - 1].line;
}

void ThreadMap::point_at_element(Cursor& cursor, size_t buffer, int64_t element, bool click) {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned && cursor.buffer == int(buffer) && cursor.element == element;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    cursor.pinned = click;
    choice_.put_into(cursor);
    cursor.buffer = int(buffer);
    cursor.element = element;
    const IndexedBuffer& b = index_.buffers[buffer];
    if (b.first[size_t(element) + 1] == b.first[size_t(element)]) return;
    const Touch& touch = index_.touches[b.order[b.first[size_t(element) + 1] - 1]];
    cursor.line = touch.line;
    if (click) show_block(touch.thread / index_.threads_per_block);
}

uint8_t ThreadMap::lit_by_element(int64_t thread, const Cursor& cursor) const {
    if (!cursor.has_element() || !is_here(cursor) || cursor.buffer >= int(plan_.buffers.size())) return 0;
    const int64_t per_cell = plan_.buffers[size_t(cursor.buffer)].per_cell;
    uint8_t flags = 0;
    for (uint32_t i = index_.first_touch[size_t(thread)]; i < index_.first_touch[size_t(thread) + 1]; ++i) {
        const Touch& touch = index_.touches[i];
        if (touch.buffer == cursor.buffer && touch.element / per_cell == cursor.element / per_cell)
            flags |= (touch.wrote ? was_written : 0) | (touch.read ? was_read : 0);
    }
    return flags;
}

// The cells of a buffer that the pointed thread touched.
std::map<int64_t, uint8_t> ThreadMap::cells_lit(size_t buffer, const Cursor& cursor) const {
    const int64_t thread = thread_of(cursor), per_cell = std::max<int64_t>(1, plan_.buffers[buffer].per_cell);
    std::map<int64_t, uint8_t> lit;
    if (thread < 0) return lit;
    for (uint32_t i = index_.first_touch[size_t(thread)]; i < index_.first_touch[size_t(thread) + 1]; ++i) {
        const Touch& touch = index_.touches[i];
        if (touch.buffer == int(buffer))
            lit[touch.element / per_cell] |= (touch.wrote ? was_written : 0) | (touch.read ? was_read : 0);
    }
    return lit;
}

// Arrows walk from thread to thread; the thread stays held.
void ThreadMap::handle_keys(Cursor& cursor) {
    if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
    const int row = std::max(1, plan_.threads.columns);
    int64_t step = 0;
    if (ImGui::IsKeyPressed(ImGuiKey_RightArrow)) step = 1;
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) step = -1;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) step = row;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) step = -row;
    if (step == 0) return;
    int64_t thread = thread_of(cursor);
    thread = thread < 0 ? block_ * index_.threads_per_block
                        : std::clamp<int64_t>(thread + step, 0, index_.threads() - 1);
    cursor.pinned = false;
    point_at_thread(cursor, thread, false);
    cursor.pinned = true;
}

bool ThreadMap::is_here(const Cursor& cursor) const {
    return choice_.holds(cursor) && (cursor.launch < 0 || cursor.launch == choice_.launch());
}

// Another panel points into this run: show the case, the launch and the block that it points at.
void ThreadMap::follow(const Cursor& cursor) {
    if (!cursor.has_thread() || (cursor.run != 0 && cursor.run != choice_.bundle().id)) return;
    const int shown_case = choice_.case_index(), launch = choice_.launch();
    if (cursor.run != 0) choice_.choose_case(cursor.case_index);
    if (!choice_.holds(cursor)) return;
    if (cursor.launch >= 0) choice_.choose_launch(cursor.launch);
    if (shown_case != choice_.case_index() || launch != choice_.launch()) derive();
    if (thread_of(cursor) >= 0 && cursor.block != block_) show_block(cursor.block);
}

void ThreadMap::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    draw_launch_line();
    if (index_.threads() == 0) return;
    follow(cursor);
    handle_keys(cursor);
    const ImVec2 room = ImGui::GetContentRegionAvail(), start = ImGui::GetCursorScreenPos();
    plan_ = plan_for(room.x, room.y);
    ImGui::BeginGroup();
    draw_grid(cursor);
    draw_threads(cursor);
    if (plan_.left > 0) {
        ImGui::EndGroup();
        ImGui::SetCursorScreenPos({start.x + plan_.left + em(1.5f), start.y});
        ImGui::BeginGroup();
    }
    for (size_t i = 0; i < index_.buffers.size(); ++i)
        if (takes_part(index_.buffers[i])) draw_buffer(cursor, i);
    ImGui::EndGroup();
    draw_links(cursor);
    if (plan_.legend_above) return;
    ImGui::SetCursorScreenPos({start.x, start.y + plan_.height - em(1.6f)});
    draw_legend(ImGui::GetCursorScreenPos(), room.x);
    ImGui::Dummy({1, em(1.2f)});
}

}  // namespace lab
