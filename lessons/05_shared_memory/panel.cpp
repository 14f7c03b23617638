// The 32 banks: a warp's visit to shared memory, turn by turn, and how many turns each visit of the launch took. The tries
// with the padding slider are kept in a table beside it.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/panels/access_index.h"
#include "app/panels/panel.h"
#include "app/panels/steps.h"
#include "app/theme/palette.h"
#include "app/theme/widgets.h"
#include "lessons/05_shared_memory/panel_banks.h"

namespace lab::lesson_05_shared_memory {
namespace {

constexpr float bars_high = 3.2f, table_high = 5.2f;  // in em
constexpr int table_columns = 9;                      // padding 0 to 8, as far as the slider goes

class Banks : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void draw_bars(float width);
    void draw_turns(Cursor& cursor, float width, float height);
    void draw_cell(const ImVec2& from, const ImVec2& to, const std::vector<int>& served) const;
    void explain(Cursor& cursor, int bank, int turn) const;
    void draw_table(float width) const;
    const Visit& now() const { return scene_.visits[shown_]; }
    std::string block_text(const Visit& visit) const;

    RunChoice choice_;
    Scene scene_;
    PaddingTable table_;  // of all tries while the lesson is open
    size_t shown_ = 0;
};

void Banks::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
    if (bundle.origin == "try") table_.note(scene_);
}

// The first read shows what the columns cost; the first write is always fine.
void Banks::derive() {
    scene_ = scene_of(choice_);
    shown_ = 0;
    for (size_t i = 0; i < scene_.visits.size() && scene_.visits[shown_].access.wrote; ++i) shown_ = i;
}

std::string Banks::block_text(const Visit& visit) const {
    const Dim3& grid = choice_.kernel()->grid;
    return place_text(place_in(visit.access.block, grid), grid);
}

float Banks::height_for(float, float most) {
    if (scene_.visits.empty()) return em(5);
    return std::min(most,
                    choice_.height() + em(12.5f + bars_high + table_high) + em(0.62f) * float(now().turns));
}

// The visits of the shown block, a bar each, as high as the turns that it took.
void Banks::draw_bars(float width) {
    const uint32_t block = now().access.block;
    const auto of_block = [&](const Visit& visit) { return visit.access.block == block; };
    const auto begin = std::find_if(scene_.visits.begin(), scene_.visits.end(), of_block);
    const auto end = std::find_if_not(begin, scene_.visits.end(), of_block);
    const size_t first = size_t(begin - scene_.visits.begin()), count = size_t(end - begin);
    section_title(fmt::format("Turns of each visit, block {}", block_text(now())),
                  "orange: writes, blue: reads", width);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = em(bars_high), wide = std::min(em(0.9f), width / float(count));
    ImGui::InvisibleButton("bars", {std::max(1.f, wide * float(count)), high});
    const bool over = ImGui::IsItemHovered();
    const auto under = size_t(std::clamp((ImGui::GetMousePos().x - at.x) / wide, 0.f, float(count) - 1));
    if (over && ImGui::IsMouseDown(ImGuiMouseButton_Left)) shown_ = first + under;
    for (size_t i = 0; i < count; ++i) {
        const Visit& visit = scene_.visits[first + i];
        const ImVec2 from{at.x + wide * float(i), at.y}, to{from.x + std::max(1.f, wide - 1), at.y + high};
        list->AddRectFilled(from, to, palette().idle);
        const float tall = std::max(2.f, high * float(visit.turns) / lanes);
        list->AddRectFilled({from.x, to.y - tall}, to, visit.access.wrote ? palette().wrote : palette().read);
        if (first + i == shown_)
            list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().text);
    }
    if (!over || !begin_hint()) return;
    hint_text(sentence_of(scene_.visits[first + under], block_text(now())));
    end_hint();
}

void Banks::draw_cell(const ImVec2& from, const ImVec2& to, const std::vector<int>& served) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 ink = now().access.wrote ? palette().wrote : palette().read;
    list->AddRectFilled(from, to, served.empty() ? palette().idle : mix(palette().surface, ink, 0.55f), 2);
    if (served.empty()) return;
    const std::string text =
        served.size() == 1 ? std::to_string(served.front()) : fmt::format("{}×", served.size());
    const float fits = text_size(Face::mono, em(1), text).x;
    const float size = std::min({em(0.8f), em(1) * (to.x - from.x - 1) / fits, (to.y - from.y) / 1.25f});
    if (size < em(0.36f)) return;
    const ImVec2 room = text_size(Face::mono, size, text);
    draw_text(list, Face::mono, size, {(from.x + to.x - room.x) / 2, (from.y + to.y - room.y) / 2},
              palette().text, text);
}

void Banks::explain(Cursor& cursor, int bank, int turn) const {
    const std::vector<int> served = now().served(bank, turn);
    if (!served.empty()) {
        choice_.put_into(cursor);
        cursor.pointed = true;
        if (!cursor.pinned) {
            cursor.block = now().access.block;
            cursor.warp = now().access.warp;
            cursor.lane = served.front();
            cursor.line = now().access.line;
        }
    }
    if (!begin_hint()) return;
    hint_title(fmt::format("Bank {}, turn {}", bank, turn + 1));
    if (served.empty())
        hint_text("Nothing is asked of this bank.");
    else if (served.size() > 1)
        hint_text(fmt::format("{} lanes want word {}, and all of them get it at once.", served.size(),
                              now().word[size_t(served.front())]));
    else
        hint_text(fmt::format("Lane {} {} word {}.", served.front(), now().access.wrote ? "writes" : "reads",
                              now().word[size_t(served.front())]));
    end_hint();
}

// Banks across, turns down; in each cell the lane that is served.
void Banks::draw_turns(Cursor& cursor, float width, float height) {
    section_title("32 banks, turn by turn", "the number is the lane", width);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = std::min(std::floor(width / banks), em(1.5f)), head = em(0.95f);
    const float tall = std::clamp((height - em(2) - head) / float(now().turns), 3.f, em(1.3f));
    ImGui::InvisibleButton("turns", {wide * banks, head + tall * float(now().turns)});
    const bool over = ImGui::IsItemHovered();
    for (int bank = 0; bank < banks; ++bank) {
        const float x = at.x + wide * float(bank);
        const std::string number = std::to_string(bank);
        const float pixels = std::min(em(0.7f), em(1) * wide / text_size(Face::mono, em(1), "00 ").x);
        draw_text(list, Face::mono, pixels,
                  {x + (wide - 1 - text_size(Face::mono, pixels, number).x) / 2, at.y}, palette().dim,
                  number);
        for (int turn = 0; turn < now().turns; ++turn) {
            const ImVec2 from{x, at.y + head + tall * float(turn)};
            draw_cell(from, {from.x + wide - 1, from.y + std::max(2.f, tall - 1)}, now().served(bank, turn));
        }
    }
    if (!over) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const int turn = int((mouse.y - at.y - head) / tall);
    if (mouse.y > at.y + head && turn < now().turns)
        explain(cursor, std::clamp(int((mouse.x - at.x) / wide), 0, banks - 1), turn);
}

// What sliding the padding has shown.
void Banks::draw_table(float width) const {
    section_title("Turns by padding, side 32", "from your own tries", width);
    if (table_.turns().empty())
        return wrapped_text(
            Face::text, em(0.92f), palette().dim,
            "Under Try other sizes, take a side of 32 and slide the padding. Each try is noted here.", width);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float wide = std::min(em(3.2f), width / table_columns), high = em(1.3f);
    for (int padding = 0; padding < table_columns; ++padding) {
        const ImVec2 from{at.x + wide * float(padding), at.y}, to{from.x + wide - 2, at.y + 2 * high};
        const auto found = table_.turns().find(padding);
        const bool known = found != table_.turns().end();
        list->AddRectFilled(from, to, known && found->second > 1 ? palette().bad_soft : palette().raised, 2);
        if (padding == table_.last()) list->AddRect(from, to, palette().accent, 2);
        const std::string top = fmt::format("+{}", padding),
                          below = known ? std::to_string(found->second) : "?";
        draw_text(list, Face::mono, em(0.75f), {from.x + em(0.3f), from.y + em(0.15f)}, palette().dim, top);
        draw_text(list, Face::bold, em(0.95f), {from.x + em(0.3f), from.y + high},
                  !known              ? palette().faint
                  : found->second > 1 ? palette().bad
                                      : palette().good,
                  below);
    }
    ImGui::Dummy({wide * table_columns, 2 * high});
}

void Banks::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    const Kernel* kernel = choice_.kernel();
    const auto conflicts = [&](const char* name) {
        const auto found = kernel->metrics.find(name);
        return found == kernel->metrics.end() ? int64_t{0} : int64_t(found->second);
    };
    choice_.draw_launch(kernel
                            ? plural(conflicts("shared_load_conflicts") + conflicts("shared_store_conflicts"),
                                     "turn too many", "turns too many")
                            : "");
    if (scene_.visits.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim, "This launch touches no shared memory.");
    shown_ = draw_steps({"visit", fmt::format("visit {} of {}", shown_ + 1, scene_.visits.size())}, shown_,
                        scene_.visits.size());
    const bool waits = now().turns > 1;
    wrapped_text(Face::bold, em(0.95f), waits ? palette().bad : palette().text,
                 sentence_of(now(), block_text(now())));
    if (const std::string rule = rule_of(now()); !rule.empty())
        wrapped_text(Face::text, em(0.92f), palette().dim, rule);
    const float width = ImGui::GetContentRegionAvail().x;
    draw_bars(width);
    ImGui::Dummy({1, em(0.3f)});
    draw_turns(cursor, width, std::max(em(8), ImGui::GetContentRegionAvail().y - em(table_high)));
    ImGui::Dummy({1, em(0.3f)});
    draw_table(width);
}

}  // namespace

const char* panel_title() {
    return "Banks";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Banks>();
}

}  // namespace lab::lesson_05_shared_memory
