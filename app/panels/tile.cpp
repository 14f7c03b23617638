#include "app/panels/tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "app/panels/access_index.h"
#include "app/theme/widgets.h"

namespace lab {
namespace {

constexpr size_t most_accesses = 200000;
constexpr int64_t most_words = 64 * 1024;  // of one block: 256 KB, more than any device has

}  // namespace

void Tile::configure(const std::map<std::string, std::string>& options) {
    choice_.configure(options);
    if (const auto found = options.find("columns"); found != options.end())
        fixed_columns_ = std::atoi(found->second.c_str());
}

void Tile::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void Tile::derive() {
    all_.clear();
    blocks_.clear();
    accesses_.clear();
    words_.clear();
    const Kernel* kernel = choice_.kernel();
    if (!kernel || !choice_.trace()) return;
    all_ = warp_accesses(*choice_.trace(), uint32_t(kernel->launch), true, most_accesses);
    if (all_.empty()) return;
    base_ = ~uint64_t{0};
    for (const WarpAccess& access : all_) {
        if (blocks_.empty() || blocks_.back() != access.block) blocks_.push_back(access.block);
        for (int lane = 0; lane < 32; ++lane)
            if (access.has(lane)) base_ = std::min(base_, access.address[size_t(lane)]);
    }
    base_ &= ~uint64_t{127};  // a block's shared memory begins at a whole row of banks
    show_block(0);
}

void Tile::show_block(uint32_t index) {
    block_ = index;
    accesses_.clear();
    for (const WarpAccess& access : all_)
        if (access.block == blocks_[index]) accesses_.push_back(access);
    std::stable_sort(accesses_.begin(), accesses_.end(), [](const WarpAccess& a, const WarpAccess& b) {
        return std::tie(a.phase, a.step, a.warp) < std::tie(b.phase, b.step, b.warp);
    });
    int64_t last = int64_t(choice_.kernel()->shared_bytes) / word_bytes - 1;
    for (const WarpAccess& access : accesses_)
        for (int lane = 0; lane < 32; ++lane)
            if (access.has(lane)) last = std::max(last, word_of(access.address[size_t(lane)]));
    words_.assign(size_t(std::min(last + 1, most_words)), {});
    for (size_t i = 0; i < accesses_.size(); ++i)
        for (int lane = 0; lane < 32; ++lane) {
            if (!accesses_[i].has(lane)) continue;
            const int64_t word = word_of(accesses_[i].address[size_t(lane)]);
            if (word >= int64_t(words_.size())) continue;
            int& when = accesses_[i].wrote ? words_[size_t(word)].written : words_[size_t(word)].read;
            if (when < 0) when = int(i);
        }
    columns_ = fixed_columns_ > 0 ? fixed_columns_ : guess_columns();
    find_hazards();
    shown_ = int(accesses_.size()) - 1;
}

// The same word in the same phase, written by one thread and touched by another: nothing orders the two.
void Tile::find_hazards() {
    struct Last {
        int64_t writer = -1, reader = -1;
        uint32_t phase = 0;
    };
    std::vector<Last> last(words_.size());
    hazards_ = 0;
    for (const WarpAccess& access : accesses_)
        for (int lane = 0; lane < 32; ++lane) {
            if (!access.has(lane)) continue;
            const int64_t word = word_of(access.address[size_t(lane)]), thread = access.warp * 32 + lane;
            if (word >= int64_t(words_.size())) continue;
            Last& before = last[size_t(word)];
            if (before.phase != access.phase) before = {-1, -1, access.phase};
            const bool hazard = (before.writer >= 0 && before.writer != thread) ||
                                (access.wrote && before.reader >= 0 && before.reader != thread);
            const bool atomic = access.wrote && access.read;
            if (hazard && !atomic && !words_[size_t(word)].hazard) {
                words_[size_t(word)].hazard = true;
                ++hazards_;
            }
            (access.wrote ? before.writer : before.reader) = thread;
        }
}

// A row of the tile: how far apart two neighbouring warps begin to write, where that is a small number; else
// the banks.
int Tile::guess_columns() const {
    for (size_t i = 1; i < accesses_.size(); ++i) {
        const WarpAccess &a = accesses_[i - 1], &b = accesses_[i];
        if (!a.wrote || !b.wrote || a.step != b.step || b.warp != a.warp + 1 || !a.has(0) || !b.has(0))
            continue;
        const int64_t apart = (int64_t(b.address[0]) - int64_t(a.address[0])) / word_bytes;
        if (apart >= 8 && apart <= 80) return int(apart);
    }
    return banks;
}

float Tile::height_for(float, float most) {
    return accesses_.empty() ? em(5) : most;
}

std::string Tile::access_text(const WarpAccess& access) const {
    return fmt::format(
        "{}, warp {}, line {}: {}",
        access.phase == 0 ? std::string("before any barrier") : fmt::format("after barrier {}", access.phase),
        access.warp, access.line, access.wrote ? "writes" : "reads");
}

void Tile::draw_steps() {
    int step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) {
        step += ImGui::IsKeyPressed(ImGuiKey_RightArrow);
        step -= ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    }
    if (blocks_.size() > 1) {
        const Dim3& extent = choice_.kernel()->grid;
        int block = int(block_);
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.28f);
        const std::string label =
            fmt::format("block {}", place_text(place_in(blocks_[block_], extent), extent));
        if (ImGui::SliderInt("##block", &block, 0, int(blocks_.size()) - 1, label.c_str(),
                             ImGuiSliderFlags_AlwaysClamp))
            show_block(uint32_t(block));
        ImGui::SameLine();
    }
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    const std::string label = fmt::format("access {} of {}", shown_ + 1, accesses_.size());
    ImGui::SliderInt("##access", &shown_, 0, int(accesses_.size()) - 1, label.c_str(),
                     ImGuiSliderFlags_AlwaysClamp);
    shown_ = std::clamp(shown_ + step, 0, int(accesses_.size()) - 1);
}

CellGrid Tile::fit_words(float width, float height) const {
    return fit_cells(int64_t(words_.size()), {width, height, 2, em(1.3f), columns_});
}

void Tile::draw_words(Cursor& cursor, CellGrid grid) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    grid.at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("words", {std::max(1.f, grid.width()), std::max(1.f, grid.height())});
    const int64_t under = ImGui::IsItemHovered() ? grid.at_point(ImGui::GetMousePos()) : -1;
    const WarpAccess& now = accesses_[size_t(shown_)];
    in_hand_.assign(words_.size(), 0);
    for (int lane = 0; lane < 32; ++lane)
        if (now.has(lane) && word_of(now.address[size_t(lane)]) < int64_t(words_.size()))
            in_hand_[size_t(word_of(now.address[size_t(lane)]))] = 1;
    std::vector<ImU32> colours(size_t(grid.cells), 0);
    for (size_t cell = 0; cell < colours.size(); ++cell) {
        const size_t first = cell * size_t(grid.per_cell);
        const Word& word = words_[first];
        ImU32 colour = mix(palette().idle, palette().border, 0.35f);
        if (word.written >= 0 && word.written <= shown_) colour = mix(palette().cell, palette().wrote, 0.45f);
        if (word.read >= 0 && word.read <= shown_) colour = mix(palette().cell, palette().read, 0.45f);
        if (word.hazard) colour = mix(palette().bad, palette().surface, word.read <= shown_ ? 0 : 0.55f);
        if (in_hand_[first]) colour = now.wrote ? palette().wrote : palette().read;
        colours[cell] = colour;
    }
    fill_runs(list, grid, colours);
    for (int64_t cell = 0; cell < grid.cells && grid.size > 4; ++cell) {
        if (!in_hand_[size_t(cell * grid.per_cell)]) continue;
        const ImVec2 from = grid.top_left(cell);
        const float side = grid.size - grid.gap;
        list->AddRect({from.x - 1, from.y - 1}, {from.x + side + 1, from.y + side + 1}, palette().text);
    }
    if (under < 0) return;
    cursor.pointed = true;
    if (!cursor.pinned) cursor.line = now.line;
    explain_word(under);
}

void Tile::explain_word(int64_t word) const {
    if (!begin_hint()) return;
    const Word& w = words_[size_t(word)];
    hint_title(fmt::format("Word {}: row {}, column {}, bank {}", word, word / columns_, word % columns_,
                           word % banks));
    hint_text(
        w.written < 0 ? "Never written." : "First written " + access_text(accesses_[size_t(w.written)]) + ".",
        w.written < 0 ? 0 : palette().wrote);
    if (w.read >= 0) hint_text("First read " + access_text(accesses_[size_t(w.read)]) + ".", palette().read);
    if (w.hazard)
        hint_text("One thread writes it and another reads it, and no barrier lies between the two.",
                  palette().bad);
    end_hint();
}

// How many words each bank has to deliver for the access in hand: the highest bar is the number of passes.
void Tile::draw_banks(float width) const {
    const WarpAccess& now = accesses_[size_t(shown_)];
    std::array<std::vector<uint64_t>, banks> in_bank;
    for (int lane = 0; lane < 32; ++lane) {
        if (!now.has(lane)) continue;
        const uint64_t word = now.address[size_t(lane)] / word_bytes;
        auto& list = in_bank[size_t(word % banks)];
        if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
    }
    ImGui::BeginGroup();
    section_title("Banks",
                  now.conflict == 1
                      ? "one word from each bank at most: one pass"
                      : fmt::format("up to {} words from one bank: {} passes", now.conflict, now.conflict),
                  width);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float cell = std::min(std::floor(width / banks), em(1.3f)), high = em(2);
    for (int bank = 0; bank < banks; ++bank) {
        const int count = int(in_bank[size_t(bank)].size());
        const ImVec2 from{at.x + cell * float(bank), at.y}, to{from.x + cell - 2, at.y + high};
        list->AddRectFilled(from, to, palette().idle, 2);
        const float full = high * float(count) / float(std::max(4, now.conflict));
        const ImU32 colour = count > 1 ? palette().bad : now.wrote ? palette().wrote : palette().read;
        if (count) list->AddRectFilled({from.x, to.y - full}, to, colour, 2);
        const std::string number = std::to_string(bank);
        const float pixels = em(0.62f), wide = text_size(Face::mono, pixels, number).x;
        if (wide < cell)
            draw_text(list, Face::mono, pixels, {from.x + (cell - 2 - wide) / 2, to.y + em(0.1f)},
                      palette().faint, number);
    }
    ImGui::Dummy({cell * banks, high + em(0.8f)});
    ImGui::EndGroup();
}

void Tile::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    const Kernel* kernel = choice_.kernel();
    choice_.draw_launch(kernel ? fmt::format("{} bytes of shared memory a block", kernel->shared_bytes) : "");
    if (accesses_.empty()) {
        wrapped_text(Face::text, em(0.95f), palette().dim, "This launch touches no shared memory.");
        return;
    }
    draw_steps();
    const WarpAccess& now = accesses_[size_t(shown_)];
    wrapped_text(Face::bold, em(0.95f), now.wrote ? palette().wrote : palette().read,
                 "Access in hand, " + access_text(now) + ".");
    if (hazards_)
        wrapped_text(Face::text, em(0.92f), palette().bad,
                     fmt::format("{} are written by one thread and read by another with no barrier between.",
                                 plural(hazards_, "word", "words")));
    // The banks stand below the tile, or beside it where that leaves the tile larger.
    const ImVec2 room = ImGui::GetContentRegionAvail(), start = ImGui::GetCursorScreenPos();
    const float title = em(2), bank_height = em(5.4f), bank_width = em(17);
    const CellGrid above = fit_words(room.x, std::max(em(4), room.y - title - bank_height));
    const CellGrid beside = fit_words(room.x - bank_width, std::max(em(4), room.y - title));
    const bool side = beside.size > above.size;
    const float width = side ? std::max(em(12), beside.width()) : room.x;
    ImGui::BeginGroup();
    section_title(fmt::format("Tile, {} words a row", columns_), "orange: written, blue: read by now", width);
    draw_words(cursor, side ? beside : above);
    ImGui::EndGroup();
    if (side) ImGui::SetCursorScreenPos({start.x + width + em(1.5f), start.y});
    draw_banks(side ? room.x - width - em(1.5f) : room.x);
}

}  // namespace lab
