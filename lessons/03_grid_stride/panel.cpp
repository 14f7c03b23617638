// Rounds and waves: above, the elements folded into one row a round, so that the element under another belongs to
// the same thread; below, the card's multiprocessors with the launch's blocks on them, wave after wave.
//
// Options of a ```panel block: case = a part of a case's name; parts = rounds or waves, for one of the two alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/panels/cells.h"
#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/03_grid_stride/panel_look.h"

namespace lab::lesson_03_grid_stride {

namespace {

int64_t threads_of(const Kernel& kernel) {
    return int64_t(kernel.grid.x) * kernel.grid.y * kernel.grid.z * kernel.block.x * kernel.block.y *
           kernel.block.z;
}

class RoundsAndWaves : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override {
        choice_.configure(options);
        if (const auto parts = options.find("parts"); parts != options.end()) {
            shows_rounds_ = parts->second == "rounds";
            shows_waves_ = parts->second == "waves";
        }
    }
    void load(const RunBundle& bundle) override {
        choice_.load(bundle);
        derive();
    }
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override {
        const float above = choice_.height() + em(1.9f);
        return std::min(most, above + lay_out(shares_, waves_, width, em(30)).height);
    }

  private:
    void derive();
    void draw_rounds(Cursor& cursor, Layout& layout);
    void draw_waves(Cursor& cursor, Layout& layout);
    void draw_fold(Cursor& cursor, Fold& fold);
    void draw_head(const Fold& fold) const;
    void draw_row(const Fold& fold, int64_t row, const Cursor& cursor) const;
    void draw_marks(const Fold& fold, ImVec2 from, int64_t first, int64_t last) const;
    void draw_thread(const Fold& fold, const Cursor& cursor) const;
    void outline(const Fold& fold, int64_t element, ImU32 colour) const;
    int64_t element_at(const Fold& fold, ImVec2 point) const;  // -1: none
    void point_at(Cursor& cursor, int64_t element, bool click) const;
    void explain(int64_t element) const;
    void handle_keys(Cursor& cursor) const;

    void draw_fields(Cursor& cursor, SmFields& fields);
    void draw_field(const SmFields& fields, size_t place, const Cursor& cursor) const;
    void point_at_sm(Cursor& cursor, int64_t sm, int64_t wave, bool click) const;
    void explain_sm(int64_t sm, int64_t wave) const;
    bool start_pointing(Cursor& cursor, bool click) const;  // false: another place is held
    bool is_here(const Cursor& cursor) const {
        return choice_.holds(cursor) && cursor.launch == choice_.launch();
    }
    std::string thread_text(int64_t thread) const;

    RunChoice choice_;
    Shares shares_;
    Waves waves_;
    Summary summary_;
    bool shows_rounds_ = true, shows_waves_ = true;
};

void RoundsAndWaves::derive() {
    shares_ = shows_rounds_ ? shares_of(choice_.bundle(), choice_.case_index(), choice_.launch()) : Shares{};
    const Kernel* kernel = choice_.kernel();
    waves_ = kernel && shows_waves_ ? waves_of(*kernel) : Waves{};
    summary_ = summary_of(shares_);
}

std::string RoundsAndWaves::thread_text(int64_t thread) const {
    const Kernel& kernel = shares_.index.kernel;
    return fmt::format(
        "thread {} of block {}",
        place_text(place_in(thread % shares_.index.threads_per_block, kernel.block), kernel.block),
        place_text(place_in(thread / shares_.index.threads_per_block, kernel.grid), kernel.grid));
}

// ---- rounds

// The blocks above the columns of their threads.
void RoundsAndWaves::draw_head(const Fold& fold) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float small = em(0.78f), top = fold.at.y - fold.head, bar = std::max(2.f, std::round(em(0.18f)));
    const int64_t threads = shares_.index.threads_per_block;
    const float block_wide = float(threads) / float(fold.per_cell) * fold.wide;
    for (int64_t block = 0; block < shares_.index.blocks && block_wide >= 2; ++block) {
        const float from = fold.at.x + float(block) * block_wide;
        const float to = std::min(from + block_wide, fold.at.x + fold.width()) - fold.gap;
        list->AddRectFilled({from, fold.at.y - bar - fold.gap}, {to, fold.at.y - fold.gap},
                            colour_of_block(block));
        for (const std::string& name : {fmt::format("block {}", block), fmt::format("{}", block)}) {
            const float wide = text_size(Face::text, small, name).x;
            if (wide > block_wide - em(0.3f)) continue;
            draw_text(list, Face::text, small, {(from + to - wide) / 2, top}, palette().dim, name);
            break;
        }
    }
}

void RoundsAndWaves::draw_marks(const Fold& fold, ImVec2 from, int64_t first, int64_t last) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 to{from.x + fold.wide - fold.gap, from.y + fold.high - fold.gap};
    bool untaken = false, bad = false;
    for (int64_t e = first; e < last; ++e) {
        untaken |= shares_.is_untaken(e);
        bad |= shares_.at(e).times > 1 || shares_.is_wrong(e);
    }
    if (untaken) {
        list->AddRectFilled(from, to, palette().bad_soft);
        draw_hatch(list, from, to, palette().bad);
    } else if (bad && fold.wide >= 6 && fold.high >= 6) {
        list->AddRect(from, to, palette().bad, 0, std::max(1.f, std::round(em(0.12f))));
    } else if (bad) {
        list->AddRectFilled(from, to, palette().bad);
    }
    if (fold.per_cell != 1) return;
    const Taken& one = shares_.at(first);
    const std::string text = one.times > 1 ? fmt::format("×{}", one.times) : std::to_string(first);
    const float pixels = em(0.78f);
    const ImVec2 size = text_size(Face::text, pixels, text);
    if (size.x > fold.wide - fold.gap - em(0.2f) || size.y > fold.high - fold.gap) return;
    const bool on_dark = theme_kind() == ThemeKind::dark;
    const ImU32 ink = untaken || one.times > 1 ? palette().text : on_dark ? IM_COL32_WHITE : palette().text;
    draw_text(list, Face::text, pixels, {(from.x + to.x - size.x) / 2, (from.y + to.y - size.y) / 2}, ink,
              text);
}

void RoundsAndWaves::draw_row(const Fold& fold, int64_t row, const Cursor& cursor) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float y = fold.at.y + float(row) * fold.high;
    const int64_t lit = is_here(cursor) ? cursor.block : -1;
    const int64_t blocks_a_cell = std::max<int64_t>(1, fold.per_cell / shares_.index.threads_per_block);
    for (int64_t cell = 0; cell < fold.cells; ++cell) {
        const int64_t first = shares_.origin + row * shares_.columns + cell * fold.per_cell;
        const int64_t row_end = shares_.origin + (row + 1) * shares_.columns;
        const int64_t last = std::min({first + fold.per_cell, row_end, shares_.end});
        if (first >= last) break;
        const ImVec2 from{fold.at.x + float(cell) * fold.wide, y};
        const int64_t block = shares_.block_of(shares_.at(first));
        ImU32 colour = palette().idle;
        const bool is_lit = lit < 0 || (lit >= block && lit < block + blocks_a_cell);
        if (block >= 0)
            colour =
                mix(palette().idle, colour_of_block(blocks_a_cell > 1 ? 0 : block), is_lit ? 1.f : 0.35f);
        list->AddRectFilled(from, {from.x + fold.wide - fold.gap, y + fold.high - fold.gap}, colour);
        draw_marks(fold, from, first, last);
    }
}

void RoundsAndWaves::outline(const Fold& fold, int64_t element, ImU32 colour) const {
    const int64_t row = (element - shares_.origin) / shares_.columns;
    if (element < shares_.origin || element >= shares_.end || row >= fold.rows) return;
    const int64_t cell = (element - shares_.origin) % shares_.columns / fold.per_cell;
    const ImVec2 from{fold.at.x + float(cell) * fold.wide, fold.at.y + float(row) * fold.high};
    const float grow = fold.gap > 0 ? 1.f : 0.f;
    ImGui::GetWindowDrawList()->AddRect(
        {from.x - grow, from.y - grow},
        {from.x + fold.wide - fold.gap + grow, from.y + fold.high - fold.gap + grow}, colour, 0, 2);
}

void RoundsAndWaves::draw_thread(const Fold& fold, const Cursor& cursor) const {
    if (!is_here(cursor)) return;
    const int64_t in_block = int64_t(cursor.warp) * 32 + cursor.lane;
    if (cursor.has_thread() && in_block < shares_.index.threads_per_block)
        for (const int64_t element :
             shares_.elements_of(cursor.block * shares_.index.threads_per_block + in_block, 4096))
            outline(fold, element, palette().wrote);
    if (cursor.has_element() && cursor.buffer == shares_.buffer)
        outline(fold, cursor.element, palette().text);
}

int64_t RoundsAndWaves::element_at(const Fold& fold, ImVec2 point) const {
    if (point.x < fold.at.x || point.y < fold.at.y || fold.wide <= 0) return -1;
    const auto cell = int64_t((point.x - fold.at.x) / fold.wide),
               row = int64_t((point.y - fold.at.y) / fold.high);
    if (cell >= fold.cells || row >= fold.rows) return -1;
    const int64_t element = shares_.origin + row * shares_.columns + cell * fold.per_cell;
    return element < shares_.end ? element : -1;
}

void RoundsAndWaves::draw_fold(Cursor& cursor, Fold& fold) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    fold.at = {std::floor(corner.x + fold.label), std::floor(corner.y + fold.head)};
    ImGui::SetCursorScreenPos(fold.at);
    const bool clicked =
        ImGui::InvisibleButton("rounds", {fold.width(), std::max(1.f, float(fold.rows) * fold.high)});
    const int64_t under = ImGui::IsItemHovered() ? element_at(fold, ImGui::GetMousePos()) : -1;
    draw_head(fold);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float small = em(0.78f);
    for (int64_t row = 0; row < fold.rows; ++row) {
        const int64_t every = int64_t(std::ceil(em(1.05f) / fold.high));
        if (row % every == 0)
            draw_text(list, Face::text, small,
                      {corner.x,
                       fold.at.y + (float(row) + 0.5f) * fold.high - text_size(Face::text, small, "r").y / 2},
                      palette().dim, fmt::format("round {}", row));
        draw_row(fold, row, cursor);
    }
    if (under >= 0) {
        point_at(cursor, under, clicked);
        explain(under);
    }
    draw_thread(fold, cursor);
}

bool RoundsAndWaves::start_pointing(Cursor& cursor, bool click) const {
    cursor.pointed = true;
    if (cursor.pinned && !click) return false;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return false;  // a second click lets go
    cursor.pinned = click;
    choice_.put_into(cursor);
    return true;
}

void RoundsAndWaves::point_at(Cursor& cursor, int64_t element, bool click) const {
    if (!start_pointing(cursor, click)) return;
    cursor.buffer = shares_.buffer;
    cursor.element = element;
    const Taken& one = shares_.at(element);
    if (one.thread < 0) return;
    const int64_t in_block = one.thread % shares_.index.threads_per_block;
    cursor.line = one.line;
    cursor.block = shares_.block_of(one);
    cursor.warp = int(in_block / 32);
    cursor.lane = int(in_block % 32);
}

void RoundsAndWaves::explain(int64_t element) const {
    if (!begin_hint()) return;
    const Taken& one = shares_.at(element);
    hint_title(fmt::format("{}[{}]", shares_.name, element));
    if (one.times == 0) {
        if (shares_.is_untaken(element))
            hint_text("No thread took it.", palette().bad);
        else
            hint_text("Not in the trace, which has some of the blocks only.");
        return end_hint();
    }
    std::string who = thread_text(one.thread);
    who[0] = 'T';
    hint_text(fmt::format("{} took it in line {}, in its round {}.", who, one.line, one.round),
              palette().text);
    if (one.times > 1)
        hint_text(fmt::format("It was taken {} times; that one was the last.", one.times), palette().bad);
    if (shares_.is_wrong(element)) hint_text("Its value is wrong.", palette().bad);
    if (one.round > 0 && element == shares_.origin + one.thread + one.round * shares_.columns)
        hint_text(fmt::format("{} + {} * {} = {}", shares_.origin + one.thread, one.round, shares_.columns,
                              element));
    std::string list;
    constexpr size_t named = 6;
    const auto elements = shares_.elements_of(one.thread, named + 1);
    for (size_t i = 0; i < std::min(named, elements.size()); ++i)
        list += fmt::format("{}{}", i == 0 ? "" : ", ", elements[i]);
    hint_text(fmt::format("This thread's elements: {}{}", list, elements.size() > named ? ", ..." : ""));
    end_hint();
}

// Arrows walk over the elements: across to the next thread, down to the same thread's next round.
void RoundsAndWaves::handle_keys(Cursor& cursor) const {
    if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
    const int64_t step =
        ImGui::IsKeyPressed(ImGuiKey_RightArrow) - ImGui::IsKeyPressed(ImGuiKey_LeftArrow) +
        shares_.columns * (ImGui::IsKeyPressed(ImGuiKey_DownArrow) - ImGui::IsKeyPressed(ImGuiKey_UpArrow));
    if (step == 0 || shares_.count() <= 0) return;
    const bool inside = is_here(cursor) && cursor.has_element() && cursor.buffer == shares_.buffer;
    const int64_t next = inside ? cursor.element + step : shares_.origin;
    if (next < shares_.origin || next >= shares_.end) return;
    cursor.pinned = false;
    point_at(cursor, next, false);
    cursor.pinned = true;
}

// ---- waves

void RoundsAndWaves::draw_field(const SmFields& fields, size_t place, const Cursor& cursor) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int64_t wave = fields.waves[place];
    const float y = fields.at.y + float(place) * fields.step, gap = fields.size >= 8 ? 2.f : 1.f;
    draw_text(list, Face::text, em(0.88f), {fields.at.x, y}, palette().text, text_of_wave(waves_, wave));
    draw_text(
        list, Face::text, em(0.78f), {fields.at.x, y + em(1.1f)}, palette().dim,
        fmt::format("{}, {} SMs", plural(waves_.blocks_in(wave), "block", "blocks"), waves_.busy_sms(wave)));
    for (int64_t sm = 0; sm < waves_.sms; ++sm) {
        const ImVec2 from{fields.at.x + fields.label + float(sm % fields.columns) * fields.size,
                          y + float(sm / fields.columns) * fields.size};
        const ImVec2 to{from.x + fields.size - gap, from.y + fields.size - gap};
        list->AddRectFilled(from, to, palette().idle);
        list->AddRect(from, to, palette().border);
        const int64_t held = waves_.held_by(sm, wave);
        const float full = float(held) / float(waves_.per_sm);
        if (held > 0)
            list->AddRectFilled({from.x, to.y - std::max(0.25f, full) * (to.y - from.y)}, to,
                                palette().accent);
        if (!is_here(cursor) || cursor.block < 0 || cursor.block / waves_.at_once() != wave) continue;
        if (cursor.block % waves_.at_once() % waves_.sms == sm)
            list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().text, 0, 2);
    }
}

void RoundsAndWaves::draw_fields(Cursor& cursor, SmFields& fields) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    fields.at = {std::floor(corner.x), std::floor(corner.y)};
    const bool clicked = ImGui::InvisibleButton(
        "waves", {fields.label + float(fields.columns) * fields.size, fields.height()});
    const bool hovered = ImGui::IsItemHovered();
    for (size_t i = 0; i < fields.waves.size(); ++i) draw_field(fields, i, cursor);
    if (!hovered) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const float x = mouse.x - fields.at.x - fields.label, y = mouse.y - fields.at.y;
    const auto place = size_t(std::max(0.f, y) / fields.step);
    const auto row = int64_t((y - float(place) * fields.step) / fields.size);
    const int64_t sm = x < 0 ? -1 : row * fields.columns + int64_t(x / fields.size);
    if (place >= fields.waves.size() || row >= fields.rows || sm < 0 || sm >= waves_.sms) return;
    point_at_sm(cursor, sm, fields.waves[place], clicked);
    explain_sm(sm, fields.waves[place]);
}

void RoundsAndWaves::point_at_sm(Cursor& cursor, int64_t sm, int64_t wave, bool click) const {
    if (!start_pointing(cursor, click) || waves_.held_by(sm, wave) == 0) return;
    cursor.block = waves_.blocks_on(sm, wave).front();
    cursor.warp = cursor.lane = 0;
}

void RoundsAndWaves::explain_sm(int64_t sm, int64_t wave) const {
    if (!begin_hint(true)) return;
    const std::vector<int64_t> blocks = waves_.blocks_on(sm, wave);
    hint_title(fmt::format("SM {}, {}", sm, text_of_wave(waves_, wave)));
    std::string list;
    for (size_t i = 0; i < blocks.size(); ++i) list += fmt::format("{}{}", i == 0 ? "" : ", ", blocks[i]);
    if (blocks.empty())
        hint_text("No block is left for it.", palette().dim);
    else
        hint_text(fmt::format("{} {}: {} of {} places", blocks.size() == 1 ? "Block" : "Blocks", list,
                              blocks.size(), waves_.per_sm),
                  palette().text);
    hint_text(
        "As if blocks were dealt in the order of their numbers and took equally long. CUDA promises no "
        "order.");
    end_hint();
}

void RoundsAndWaves::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    const Kernel* kernel = choice_.kernel();
    choice_.draw_launch(kernel ? plural(threads_of(*kernel), "thread", "threads") : "");
    if (!kernel || kernel->status == "refused") return;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    Layout layout = lay_out(shares_, waves_, room.x, room.y);
    if (shows_rounds_) draw_rounds(cursor, layout);
    if (waves_.at_once() != 0) draw_waves(cursor, layout);
}

void RoundsAndWaves::draw_rounds(Cursor& cursor, Layout& layout) {
    handle_keys(cursor);
    section_title("Who takes what",
                  fmt::format("{} a round", plural(shares_.columns, "element", "elements")));
    wrapped_text(Face::text, em(0.88f), summary_.good ? palette().good : palette().bad, summary_.text);
    if (layout.fold.rows > 0) draw_fold(cursor, layout.fold);
    if (layout.says_more)
        wrapped_text(Face::text, em(0.82f), palette().dim,
                     fmt::format("... and {}", plural(layout.fold.rows_left, "more round", "more rounds")));
    ImGui::Dummy({1, em(0.2f)});
}

void RoundsAndWaves::draw_waves(Cursor& cursor, Layout& layout) {
    section_title("Who is on the card", text_of(waves_));
    const int64_t hidden = waves_.count() - int64_t(layout.fields.waves.size());
    wrapped_text(Face::text, em(0.88f), palette().dim,
                 fmt::format("{}{} What an SM runs out of: {}.", verdict_of(waves_),
                             hidden > 0 ? " The waves between look like the first." : "", waves_.limit));
    draw_fields(cursor, layout.fields);
}

}  // namespace

const char* panel_title() {
    return "Rounds and waves";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<RoundsAndWaves>();
}

}  // namespace lab::lesson_03_grid_stride
