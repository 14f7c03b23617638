// The pad: where the reader draws a digit with a soft brush, and what of it goes to the network.
#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/panels/pixel_image.h"
#include "app/theme/theme.h"

namespace lab::lesson_21_mlp_forward {

constexpr int side = 28;                             // pixels of a picture, across and down
using Ink = std::array<float, size_t{side} * side>;  // row by row: 0 paper, 1 full ink

// A line of the brush, its ends in pixels from the top left corner of the picture.
void draw_line(Ink& ink, ImVec2 from, ImVec2 to);

// The picture as MNIST's authors made theirs: the ink fits a box of 20 by 20, and its centre of mass is in the middle.
// An empty picture stays empty.
Ink centred(const Ink& ink);

std::string bytes_of(const Ink& ink);
Ink ink_of(std::span<const uint8_t> bytes);

// A picture of `width` by `height` numbers, each a square of `scale` pixels. Painted anew when anything has changed.
class Squares {
  public:
    // version: of the colours; the caller raises it when they change.
    template <class Colour>
    void draw(ImVec2 at, int width, int height, int scale, uint64_t version, Colour colour) {
        if (version != version_ || scale != scale_ || theme_kind() != theme_ || image_.width() == 0) {
            version_ = version;
            scale_ = scale;
            theme_ = theme_kind();
            std::vector<ImU32> colours(size_t(width) * size_t(height));
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) colours[size_t(y * width + x)] = colour(x, y);
            paint(width, height, colours);
        }
        image_.draw(ImGui::GetWindowDrawList(), at);
    }

  private:
    void paint(int width, int height, const std::vector<ImU32>& colours);
    PixelImage image_;
    uint64_t version_ = ~uint64_t{0};
    int scale_ = 0;
    ThemeKind theme_ = ThemeKind::dark;
};

class Pad {
  public:
    // At the cursor, `scale` screen pixels a pixel. True: a stroke has ended.
    bool draw(int scale);
    void clear();
    void set(const Ink& ink);
    bool is_empty() const;
    const Ink& ink() const { return ink_; }
    // Where it was drawn last, in the window's pixels; for tests.
    ImVec2 from() const { return from_; }
    ImVec2 to() const { return to_; }

  private:
    Ink ink_{};
    std::optional<ImVec2> last_;  // of the stroke that is being drawn
    uint64_t version_ = 0;
    Squares picture_;
    ImVec2 from_{0, 0}, to_{0, 0};
};

}  // namespace lab::lesson_21_mlp_forward
