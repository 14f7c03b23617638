#include "lessons/06_constant_texture/panel_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/palette.h"
#include "app/theme/widgets.h"

namespace lab::lesson_06_constant_texture {
namespace {

void centred(ImDrawList* list, Face face, float pixels, ImVec2 middle, ImU32 colour,
             const std::string& text) {
    const ImVec2 room = text_size(face, pixels, text);
    draw_text(list, face, pixels, {middle.x - room.x / 2, middle.y - room.y / 2}, colour, text);
}

// Numbers in boxes side by side, as small as they must be.
struct Strip {
    ImVec2 at;
    float wide = 0, high = 0;
    int count = 0;
    ImVec2 middle(int i, float part) const { return {at.x + wide * (float(i) + 0.5f), at.y + high * part}; }
    void box(ImDrawList* list, int i, ImU32 fill, ImU32 ink) const {
        const ImVec2 from{at.x + wide * float(i), at.y}, to{from.x + std::max(1.f, wide - 1), at.y + high};
        list->AddRectFilled(from, to, fill, 2);
        const float pixels = std::min(em(0.75f), em(1) * (wide - 2) / text_size(Face::mono, em(1), "00").x);
        if (pixels > em(0.3f)) centred(list, Face::mono, pixels, middle(i, 0.5f), ink, std::to_string(i));
    }
};

}  // namespace

int draw_lanes_and_words(const ConstantScene& scene, const ConstantRead& read, int turn, float width) {
    section_title("Lanes, and what they read", scene.variable, width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = em(1.3f), gap = em(3.2f), wide = std::min(em(1.7f), width / lanes);
    const Strip above{at, wide, high, lanes};
    const float words_wide = std::min(em(1.7f), width / float(std::max(1, scene.words)));
    const Strip below{{at.x, at.y + high + gap}, words_wide, high, scene.words};
    ImGui::InvisibleButton("lanes", {width, 2 * high + gap});
    const bool over = ImGui::IsItemHovered();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Palette& p = palette();
    const int handed = read.turns[size_t(turn)];
    const ImU32 ink = read.turns.size() > 1 ? p.bad : p.read;
    for (int pass = 0; pass < 2; ++pass)
        for (int lane = 0; lane < lanes; ++lane) {
            const int word = read.word[size_t(lane)];
            const bool now = word == handed;
            if (word < 0 || now != (pass == 1)) continue;
            list->AddLine(above.middle(lane, 1), below.middle(word, 0), now ? ink : p.faint, now ? 2.f : 1.f);
        }
    for (int lane = 0; lane < lanes; ++lane) {
        const int word = read.word[size_t(lane)];
        above.box(list, lane, word == handed ? mix(p.surface, ink, 0.5f) : p.idle,
                  word < 0 ? p.faint : p.text);
    }
    for (int word = 0; word < scene.words; ++word)
        below.box(list, word, word == handed ? mix(p.surface, ink, 0.5f) : p.idle, p.text);
    if (!over) return -1;
    const ImVec2 mouse = ImGui::GetMousePos();
    const int lane = int((mouse.x - at.x) / wide);
    if (mouse.y > at.y + high || lane < 0 || lane >= lanes || read.word[size_t(lane)] < 0) return -1;
    if (begin_hint()) {
        hint_text(fmt::format("Lane {} reads word {}.", lane, read.word[size_t(lane)]));
        end_hint();
    }
    return lane;
}

size_t draw_turns_of_warp(const ConstantScene& scene, size_t shown, float width) {
    const ConstantRead& read = scene.reads[shown];
    const auto same = [&](const ConstantRead& r) { return r.block == read.block && r.warp == read.warp; };
    size_t first = shown, end = shown;
    while (first > 0 && same(scene.reads[first - 1])) --first;
    while (end < scene.reads.size() && same(scene.reads[end])) ++end;
    size_t sum = 0;
    for (size_t i = first; i < end; ++i) sum += scene.reads[i].turns.size();
    section_title("Turns of each read of this warp",
                  fmt::format("{} for {}", plural(int64_t(sum), "turn", "turns"),
                              plural(int64_t(end - first), "read", "reads")),
                  width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = em(3.2f), wide = std::min(em(1.2f), width / float(end - first));
    ImGui::InvisibleButton("bars", {std::max(1.f, wide * float(end - first)), high});
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t i = first; i < end; ++i) {
        const ImVec2 from{at.x + wide * float(i - first), at.y},
            to{from.x + std::max(1.f, wide - 1), at.y + high};
        const size_t turns = scene.reads[i].turns.size();
        list->AddRectFilled(from, to, palette().idle);
        list->AddRectFilled({from.x, to.y - std::max(2.f, high * float(turns) / lanes)}, to,
                            turns > 1 ? palette().bad : palette().read);
        if (i == shown) list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().text);
    }
    if (!ImGui::IsItemHovered()) return shown;
    const auto under =
        size_t(std::clamp((ImGui::GetMousePos().x - at.x) / wide, 0.f, float(end - first) - 1));
    if (begin_hint()) {
        hint_text(plural(int64_t(scene.reads[first + under].turns.size()), "turn", "turns"));
        end_hint();
    }
    return ImGui::IsMouseDown(ImGuiMouseButton_Left) ? first + under : shown;
}

namespace {

float scale_of(const TextureScene& scene, float width, float height) {
    const auto across = float(scene.right - scene.left + 1), down = float(scene.bottom - scene.top + 1);
    const float readable = std::min(width / across, em(1.3f));  // then rather scroll
    return std::max({2.f, readable, std::min({width / across, height / down, em(3.4f)})});
}

class Grid {
  public:
    Grid(const TextureScene& scene, ImVec2 at, float scale) : scene_(scene), at_(at), scale_(scale) {}

    ImVec2 place(double x, double y) const {
        return {at_.x + float(x - scene_.left) * scale_, at_.y + float(y - scene_.top) * scale_};
    }
    ImVec2 place(const Fetch& fetch) const { return place(fetch.x(), fetch.y()); }

    void draw_texels() const {
        for (int row = scene_.top; row <= scene_.bottom; ++row)
            for (int column = scene_.left; column <= scene_.right; ++column) draw_texel(column, row);
        if (scene_.columns == 0) return;
        list_->AddRect(place(0, 0), place(scene_.columns, scene_.rows), palette().accent, 0, 2);
    }

    void draw_samples(size_t shown) const {
        const float radius = std::clamp(scale_ * 0.07f, 1.5f, em(0.2f));
        for (const Fetch& fetch : scene_.fetches)
            list_->AddCircleFilled(place(fetch), radius, with_alpha(palette().read, 0.8f), 8);
        const Fetch& fetch = scene_.fetches[shown];
        for (const Tap& tap : scene_.taps(fetch)) draw_tap(tap, fetch);
        list_->AddCircleFilled(place(fetch), std::max(3.f, radius * 1.8f), palette().wrote, 12);
        list_->AddCircle(place(fetch), std::max(3.f, radius * 1.8f), palette().surface, 12);
    }

    std::optional<size_t> under(ImVec2 mouse) const {
        std::optional<size_t> nearest;
        float least = std::pow(std::max(em(0.6f), scale_ / 2), 2.f);
        for (size_t i = 0; i < scene_.fetches.size(); ++i) {
            const ImVec2 at = place(scene_.fetches[i]);
            const float apart = (at.x - mouse.x) * (at.x - mouse.x) + (at.y - mouse.y) * (at.y - mouse.y);
            if (apart < least) least = apart, nearest = i;
        }
        return nearest;
    }

  private:
    bool is_inside(int column, int row) const {
        return column >= 0 && row >= 0 && column < scene_.columns && row < scene_.rows;
    }

    void draw_texel(int column, int row) const {
        const Palette& p = palette();
        const ImVec2 from = place(column, row), to = place(column + 1, row + 1);
        const auto value = scene_.value(column, row);
        const float span = std::max(1e-6f, scene_.highest - scene_.lowest);
        const float bright = value ? std::clamp((*value - scene_.lowest) / span, 0.f, 1.f) : 0.3f;
        ImU32 fill = mix(p.raised, p.cell, 0.2f + 0.8f * bright);
        const bool inside = is_inside(column, row);
        if (!inside) fill = mix(p.surface, fill, 0.35f);
        list_->AddRectFilled(from, {to.x - 1, to.y - 1}, fill);
        if (!value || scale_ < em(2)) return;
        draw_text(list_, Face::mono, em(0.68f), {from.x + 3, from.y + 2}, inside ? p.text : p.faint,
                  fmt::format("{:g}", *value));
    }

    // The texel's outline, its middle, and a line from there, the thicker the more it weighs.
    void draw_tap(const Tap& tap, const Fetch& fetch) const {
        const ImU32 ink = palette().wrote;
        const ImVec2 from = place(tap.column, tap.row), to = place(tap.column + 1, tap.row + 1);
        list_->AddRect(from, {to.x - 1, to.y - 1}, ink, 0, 2);
        const ImVec2 middle = place(tap.column + 0.5, tap.row + 0.5);
        list_->AddLine(middle, place(fetch), ink, 1 + 4 * float(tap.weight) / 256);
        list_->AddCircleFilled(middle, std::max(2.f, scale_ * 0.05f), ink, 8);
        if (scale_ < em(2)) return;
        centred(list_, Face::bold, em(0.72f), {middle.x, to.y - em(0.55f)}, ink, std::to_string(tap.weight));
    }

    const TextureScene& scene_;
    ImVec2 at_;
    float scale_;
    ImDrawList* list_ = ImGui::GetWindowDrawList();
};

}  // namespace

float grid_height(const TextureScene& scene, float width, float most) {
    return scale_of(scene, width, most) * float(scene.bottom - scene.top + 1);
}

std::optional<size_t> draw_grid(const TextureScene& scene, size_t shown, float width, float height) {
    section_title("Texels, and where they are sampled",
                  fmt::format("the frame: {} by {} texels", scene.columns, scene.rows), width);
    const float scale = scale_of(scene, width, height - em(2));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room{scale * float(scene.right - scene.left + 1),
                      scale * float(scene.bottom - scene.top + 1)};
    ImGui::InvisibleButton("grid", room);
    const bool over = ImGui::IsItemHovered();
    const Grid grid(scene, at, scale);
    grid.draw_texels();
    grid.draw_samples(shown);
    return over ? grid.under(ImGui::GetMousePos()) : std::nullopt;
}

}  // namespace lab::lesson_06_constant_texture
