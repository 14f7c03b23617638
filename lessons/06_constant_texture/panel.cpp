// What the shown launch asks of the two memories of this lesson: the constant cache, turn by turn, or a texture, sample by
// sample.
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
#include "lessons/06_constant_texture/panel_grid.h"

namespace lab::lesson_06_constant_texture {
namespace {

class ConstantTexture : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override {
        choice_.load(bundle);
        derive();
    }
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void draw_constant(Cursor& cursor);
    void draw_texture(Cursor& cursor);
    void point_at(Cursor& cursor, uint32_t block, int warp, int lane, int line) const;

    RunChoice choice_;
    ConstantScene constant_;
    TextureScene texture_;
    size_t read_ = 0, turn_ = 0, fetch_ = 0;
};

// A fetch in the first row of pixels says little: begin in the middle.
void ConstantTexture::derive() {
    constant_ = constant_scene_of(choice_);
    texture_ = texture_scene_of(choice_);
    read_ = turn_ = 0;
    fetch_ = 0;
    if (texture_.fetches.empty()) return;
    const unsigned row = texture_.fetches.back().thread.y / 2;
    while (texture_.fetches[fetch_].thread.y < row) ++fetch_;
}

float ConstantTexture::height_for(float width, float most) {
    if (!texture_.fetches.empty())
        return std::min(most, choice_.height() + em(10.5f) + grid_height(texture_, width, most - em(10.5f)));
    return std::min(most, choice_.height() + (constant_.reads.empty() ? em(5) : em(22)));
}

void ConstantTexture::point_at(Cursor& cursor, uint32_t block, int warp, int lane, int line) const {
    choice_.put_into(cursor);
    cursor.pointed = true;
    if (cursor.pinned) return;
    cursor.block = block;
    cursor.warp = warp;
    cursor.lane = lane;
    cursor.line = line;
}

void ConstantTexture::draw_constant(Cursor& cursor) {
    read_ = draw_steps({"read", fmt::format("read {} of {}", read_ + 1, constant_.reads.size())}, read_,
                       constant_.reads.size());
    const ConstantRead& read = constant_.reads[read_];
    turn_ = std::min(turn_, read.turns.size() - 1);
    if (read.turns.size() > 1)
        turn_ = draw_steps({"turn", fmt::format("turn {} of {}", turn_ + 1, read.turns.size()),
                            ImGuiKey_DownArrow, ImGuiKey_UpArrow},
                           turn_, read.turns.size());
    const Dim3& grid = choice_.kernel()->grid;
    const bool waits = read.turns.size() > 1;
    wrapped_text(Face::bold, em(0.95f), waits ? palette().bad : palette().text,
                 sentence_of(read, constant_, place_text(place_in(read.block, grid), grid)));
    wrapped_text(Face::text, em(0.92f), palette().dim,
                 waits ? fmt::format("In this turn the cache hands out word {}, to {}. The others wait.",
                                     read.turns[turn_], plural(read.served(int(turn_)), "lane", "lanes"))
                       : "A broadcast: the cache hands out one word, and every lane has it.");
    const float width = ImGui::GetContentRegionAvail().x;
    const int lane = draw_lanes_and_words(constant_, read, int(turn_), width);
    if (lane >= 0) point_at(cursor, read.block, read.warp, lane, read.line);
    ImGui::Dummy({1, em(0.3f)});
    read_ = draw_turns_of_warp(constant_, read_, width);
}

void ConstantTexture::draw_texture(Cursor& cursor) {
    wrapped_text(Face::text, em(0.92f), palette().dim, sampling_text(texture_));
    fetch_ = draw_steps({"fetch", fmt::format("fetch {} of {}", fetch_ + 1, texture_.fetches.size())}, fetch_,
                        texture_.fetches.size());
    const float width = ImGui::GetContentRegionAvail().x;
    const float below = em(6);
    const auto pointed = draw_grid(texture_, fetch_, width, ImGui::GetContentRegionAvail().y - below);
    if (pointed) fetch_ = *pointed;
    const Fetch& fetch = texture_.fetches[fetch_];
    if (pointed) point_at(cursor, fetch.block, fetch.warp, fetch.lane, fetch.line);
    wrapped_text(Face::bold, em(0.95f), palette().text, sentence_of(fetch), width);
    std::string sum;
    for (const Tap& tap : texture_.taps(fetch)) sum += (sum.empty() ? "" : "  +  ") + tap_text(tap, texture_);
    wrapped_text(Face::text, em(0.92f), palette().dim, sum, width);
}

void ConstantTexture::draw(Cursor& cursor) {
    if (choice_.draw()) derive();
    const Kernel* kernel = choice_.kernel();
    const auto counted = [&](const char* name) {
        const auto found = kernel->metrics.find(name);
        return found == kernel->metrics.end() ? int64_t{0} : int64_t(found->second);
    };
    std::string counts;
    if (kernel && !constant_.reads.empty())
        counts = fmt::format("{}, {}", plural(counted("constant_load_requests"), "read", "reads"),
                             plural(counted("constant_load_addresses"), "turn", "turns"));
    else if (kernel && !texture_.fetches.empty())
        counts = fmt::format("{} by {}", plural(counted("texture_load_requests"), "fetch", "fetches"),
                             plural(counted("warps"), "warp", "warps"));
    choice_.draw_launch(counts);
    if (!texture_.fetches.empty()) return draw_texture(cursor);
    if (!constant_.reads.empty()) return draw_constant(cursor);
    wrapped_text(Face::text, em(0.95f), palette().dim,
                 "This launch reads neither constant memory nor a 2D texture.");
}

}  // namespace

const char* panel_title() {
    return "Constants and samples";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<ConstantTexture>();
}

}  // namespace lab::lesson_06_constant_texture
