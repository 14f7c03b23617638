#include "lessons/21_mlp_forward/panel_pad.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace lab::lesson_21_mlp_forward {

namespace {

constexpr float brush = 1.15f, soft = 0.9f;  // radius of full ink, and how far it fades beyond
constexpr float box = 20;                    // that the ink fits into
constexpr float least_ink = 0.1f;

// Distance of a point from a line between two others.
float distance(ImVec2 point, ImVec2 from, ImVec2 to) {
    const float dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
    const float along =
        length > 0 ? std::clamp(((point.x - from.x) * dx + (point.y - from.y) * dy) / length, 0.f, 1.f) : 0;
    return std::hypot(point.x - from.x - along * dx, point.y - from.y - along * dy);
}

// Between the pixels, by their four neighbours; paper outside.
float sample(const Ink& ink, float x, float y) {
    const float left = std::floor(x), top = std::floor(y);
    const auto pixel = [&](float column, float row) {
        const bool inside = column >= 0 && row >= 0 && column < side && row < side;
        return inside ? ink[size_t(row) * side + size_t(column)] : 0.f;
    };
    const float right = x - left, down = y - top;
    return (pixel(left, top) * (1 - right) + pixel(left + 1, top) * right) * (1 - down) +
           (pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right) * down;
}

}  // namespace

void draw_line(Ink& ink, ImVec2 from, ImVec2 to) {
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const float far = distance({float(column) + 0.5f, float(row) + 0.5f}, from, to);
            const float wet = std::clamp(1 - (far - brush) / soft, 0.f, 1.f);
            float& pixel = ink[size_t(row * side + column)];
            pixel = std::max(pixel, wet);
        }
}

Ink centred(const Ink& ink) {
    int left = side, right = -1, top = side, bottom = -1;
    float mass = 0, x = 0, y = 0;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const float wet = ink[size_t(row * side + column)];
            mass += wet;
            x += wet * float(column);
            y += wet * float(row);
            if (wet < least_ink) continue;
            left = std::min(left, column);
            right = std::max(right, column);
            top = std::min(top, row);
            bottom = std::max(bottom, row);
        }
    if (right < 0) return Ink{};
    const float scale = box / float(std::max(right - left, bottom - top) + 1);
    constexpr float middle = (side - 1) / 2.0f;
    Ink result;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            result[size_t(row * side + column)] = sample(ink, (float(column) - middle) / scale + x / mass,
                                                         (float(row) - middle) / scale + y / mass);
    return result;
}

std::string bytes_of(const Ink& ink) {
    std::string bytes;
    for (const float wet : ink)
        bytes += static_cast<char>(static_cast<unsigned char>(std::lround(std::clamp(wet, 0.f, 1.f) * 255)));
    return bytes;
}

Ink ink_of(std::span<const uint8_t> bytes) {
    Ink ink{};
    for (size_t i = 0; i < std::min(bytes.size(), ink.size()); ++i) ink[i] = float(bytes[i]) / 255.0f;
    return ink;
}

void Squares::paint(int width, int height, const std::vector<ImU32>& colours) {
    const int wide = width * scale_, high = height * scale_;
    std::vector<ImU32> pixels(size_t(wide) * size_t(high));
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x)
            pixels[size_t(y) * size_t(wide) + size_t(x)] = colours[size_t(y / scale_ * width + x / scale_)];
    image_.set(wide, high, pixels);
}

void Pad::clear() {
    set(Ink{});
}

void Pad::set(const Ink& ink) {
    ink_ = ink;
    last_.reset();
    ++version_;
}

bool Pad::is_empty() const {
    return std::all_of(ink_.begin(), ink_.end(), [](float wet) { return wet < least_ink; });
}

bool Pad::draw(int scale) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    from_ = {std::floor(corner.x), std::floor(corner.y)};
    const float size = float(side * scale);
    to_ = {from_.x + size, from_.y + size};
    ImGui::SetCursorScreenPos(from_);
    ImGui::InvisibleButton("pad", {size, size});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    bool ended = false;
    if (ImGui::IsItemActive()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const ImVec2 now{(mouse.x - from_.x) / float(scale), (mouse.y - from_.y) / float(scale)};
        const ImVec2 before = last_.value_or(now);
        if (!last_ || before.x != now.x || before.y != now.y) {
            draw_line(ink_, before, now);
            ++version_;
        }
        last_ = now;
    } else if (std::exchange(last_, std::nullopt)) {
        ended = true;
    }
    picture_.draw(from_, side, side, scale, version_, [this](int x, int y) {
        return mix(palette().code, palette().text, ink_[size_t(y * side + x)]);
    });
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRect({from_.x - 1, from_.y - 1}, {to_.x + 1, to_.y + 1}, palette().accent, 0, 1);
    if (is_empty() && !last_) {
        const char* words = "draw here";
        const ImVec2 wide = text_size(Face::text, em(0.85f), words);
        draw_text(list, Face::text, em(0.85f),
                  {(from_.x + to_.x - wide.x) / 2, (from_.y + to_.y - wide.y) / 2}, palette().dim, words);
    }
    return ended;
}

}  // namespace lab::lesson_21_mlp_forward
