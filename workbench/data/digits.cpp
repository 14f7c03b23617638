// A digit: a skeleton, its points moved a little, made a line, slanted, turned, warped, fitted and drawn.
#include "workbench/data/digits.h"

#include <algorithm>
#include <cmath>

#include "workbench/data/skeletons.h"

namespace lab {

namespace {

constexpr int side = 28;          // of a picture, in pixels
constexpr int steps_a_span = 5;   // short lines between two points of a stroke
constexpr int warp_cells = 2;     // the warp's lattice has this many cells across a digit
constexpr int64_t one = 1 << 16;  // lengths and factors are fixed-point numbers: 65536 is 1

int64_t times(int64_t a, int64_t b) {
    return (a * b) >> 16;
}

// SplitMix64: a counter and a mixing function.
uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
    int below(int n) { return static_cast<int>(((next() >> 32) * static_cast<uint64_t>(n)) >> 32); }
    int64_t between(int64_t low, int64_t high) {
        return low + static_cast<int64_t>((next() >> 32) % static_cast<uint64_t>(high - low + 1));
    }
    // Around zero: small numbers often, `widest` hardly ever (a sum of three even ones).
    int64_t around(int64_t widest) {
        const int64_t third = widest / 3;
        return between(-third, third) + between(-third, third) + between(-third, third);
    }

  private:
    uint64_t state_;
};

uint64_t state_for(uint64_t seed, uint64_t index) {
    return mixed(mixed(seed + 0x9e3779b97f4a7c15u) ^ (index + 0x632be59bd9b4e019u));
}

struct Dot {
    int64_t x, y;
    int64_t radius;  // of the pen there
};
using Line = std::vector<Dot>;

// Catmull-Rom: through p1 and p2, at k / steps of the way; in whole numbers, rounded once.
int64_t on_curve(int64_t p0, int64_t p1, int64_t p2, int64_t p3, int64_t k) {
    constexpr int64_t n = steps_a_span;
    const int64_t cubic = (3 * (p1 - p2) + p3 - p0) * k * k * k;
    const int64_t square = (2 * p0 - 5 * p1 + 4 * p2 - p3) * k * k * n;
    const int64_t linear = (p2 - p0) * k * n * n;
    return p1 + (cubic + square + linear) / (2 * n * n * n);
}

// The points, each moved a little, as a line of short pieces. A corner's two points stay one.
Line line_of(const Stroke& stroke, Random& random) {
    Line points;
    for (size_t i = 0; i < stroke.size(); ++i) {
        if (i > 0 && stroke[i] == stroke[i - 1]) {
            points.push_back(points.back());
            continue;
        }
        const int64_t x = stroke[i].x * one + random.around(9 * one / 2);
        const int64_t y = stroke[i].y * one + random.around(9 * one / 2);
        points.push_back({x, y, 0});
    }
    Line line{points.front()};
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        const Dot &p1 = points[i], &p2 = points[i + 1];
        if (p1.x == p2.x && p1.y == p2.y) continue;
        const Dot& p0 = i > 0 ? points[i - 1] : p1;
        const Dot& p3 = i + 2 < points.size() ? points[i + 2] : p2;
        for (int k = 1; k <= steps_a_span; ++k)
            line.push_back({on_curve(p0.x, p1.x, p2.x, p3.x, k), on_curve(p0.y, p1.y, p2.y, p3.y, k), 0});
    }
    return line;
}

// Slant, turn and proportions, around the middle of the digit.
void slant(std::vector<Line>& lines, Random& random) {
    const int64_t slope = one / 8 + random.around(one / 2);  // most hands lean to the right
    const int64_t turn = random.around(one / 5);             // in radians, small enough for sin a = a
    const int64_t level = one - times(turn, turn) / 2;
    const int64_t width = one + random.around(one / 3);
    for (Line& line : lines)
        for (Dot& dot : line) {
            const int64_t y = dot.y - 50 * one;
            const int64_t x = times(dot.x - 30 * one, width) - times(slope, y);
            dot.x = times(x, level) - times(y, turn);
            dot.y = times(x, turn) + times(y, level);
        }
}

struct Box {
    int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
    int64_t size() const { return std::max({right - left, bottom - top, one}); }
};

Box box_of(const std::vector<Line>& lines) {
    Box box;
    for (const Line& line : lines)
        for (const Dot& dot : line) {
            box.left = std::min(box.left, dot.x);
            box.right = std::max(box.right, dot.x);
            box.top = std::min(box.top, dot.y);
            box.bottom = std::max(box.bottom, dot.y);
        }
    return box;
}

// 0 to 1 and level at both ends, so that neighbouring cells of the lattice join without a bend.
int64_t smooth(int64_t t) {
    return times(times(t, t), 3 * one - 2 * t);
}

// A sheet of rubber: every knot of a lattice over the digit is pulled somewhere, and what lies between follows.
class Warp {
  public:
    explicit Warp(Random& random) {
        for (int64_t& pull : pulls_) pull = random.around(16 * one);
    }
    // How far to move along an axis (0: x, 1: y) at a place given in cells.
    int64_t at(int axis, int64_t across, int64_t down) const {
        const int64_t column = std::clamp<int64_t>(across >> 16, 0, warp_cells - 1);
        const int64_t row = std::clamp<int64_t>(down >> 16, 0, warp_cells - 1);
        const int64_t right = smooth(std::clamp<int64_t>(across - column * one, 0, one));
        const int64_t below = smooth(std::clamp<int64_t>(down - row * one, 0, one));
        const auto knot = [&](int64_t c, int64_t r) {
            return pulls_[static_cast<size_t>((axis * (warp_cells + 1) + r) * (warp_cells + 1) + c)];
        };
        const int64_t upper = times(knot(column, row), one - right) + times(knot(column + 1, row), right);
        const int64_t lower =
            times(knot(column, row + 1), one - right) + times(knot(column + 1, row + 1), right);
        return times(upper, one - below) + times(lower, below);
    }

  private:
    std::array<int64_t, 2 * (warp_cells + 1) * (warp_cells + 1)> pulls_{};
};

void warp(std::vector<Line>& lines, Random& random) {
    const Warp sheet(random);
    const Box box = box_of(lines);
    const int64_t cell = box.size() / warp_cells;
    for (Line& line : lines)
        for (Dot& dot : line) {
            const int64_t across = ((dot.x - box.left) << 16) / cell, down = ((dot.y - box.top) << 16) / cell;
            dot.x += sheet.at(0, across, down);
            dot.y += sheet.at(1, across, down);
        }
}

// The pen: one thickness a digit (radius in pixels), pressed more or less along each stroke.
void press(std::vector<Line>& lines, Random& random) {
    const int64_t radius = one * 112 / 100 + random.around(one * 75 / 100);
    for (Line& line : lines) {
        const int64_t begin = radius + random.around(one * 4 / 10),
                      end = radius + random.around(one * 4 / 10);
        const auto last = std::max<int64_t>(1, static_cast<int64_t>(line.size()) - 1);
        for (size_t i = 0; i < line.size(); ++i)
            line[i].radius = std::max(one * 6 / 10, begin + (end - begin) * static_cast<int64_t>(i) / last);
    }
}

// As MNIST's pictures were made: the longer side of the ink becomes 20 pixels, its centre of mass the middle.
void fit(std::vector<Line>& lines) {
    const Box box = box_of(lines);
    int64_t radius = 0;
    for (const Line& line : lines)
        for (const Dot& dot : line) radius = std::max(radius, dot.radius);
    const int64_t room = 20 * one - 2 * radius;
    int64_t mass = 0, x = 0, y = 0;
    for (Line& line : lines)
        for (Dot& dot : line) {
            dot.x = (dot.x - box.left) * (room >> 8) / (box.size() >> 8);
            dot.y = (dot.y - box.top) * (room >> 8) / (box.size() >> 8);
        }
    for (const Line& line : lines)
        for (size_t i = 1; i < line.size(); ++i) {
            const int64_t weight = std::abs(line[i].x - line[i - 1].x) + std::abs(line[i].y - line[i - 1].y);
            mass += weight >> 8;
            x += (weight >> 8) * ((line[i].x + line[i - 1].x) / 2);
            y += (weight >> 8) * ((line[i].y + line[i - 1].y) / 2);
        }
    mass = std::max<int64_t>(mass, 1);
    // The outermost pixels stay empty, whatever the centre of mass says.
    const int64_t edge = radius + one * 3 / 2;
    const int64_t width = (box.right - box.left) * (room >> 8) / (box.size() >> 8);
    const int64_t height = (box.bottom - box.top) * (room >> 8) / (box.size() >> 8);
    const int64_t left = std::clamp(14 * one - x / mass, edge, std::max(edge, side * one - edge - width));
    const int64_t top = std::clamp(14 * one - y / mass, edge, std::max(edge, side * one - edge - height));
    for (Line& line : lines)
        for (Dot& dot : line) {
            dot.x += left;
            dot.y += top;
        }
}

// Ink of a short piece of line, at most `full`: 1 inside the pen's width, falling to 0 within one pixel around it.
void draw_piece(Digit& digit, const Dot& a, const Dot& b, int64_t full) {
    const int64_t reach = std::max(a.radius, b.radius) + one / 2;
    const auto cell = [](int64_t at) { return static_cast<int>(std::clamp<int64_t>(at >> 16, 0, side - 1)); };
    const int left = cell(std::min(a.x, b.x) - reach), right = cell(std::max(a.x, b.x) + reach);
    const int top = cell(std::min(a.y, b.y) - reach), bottom = cell(std::max(a.y, b.y) + reach);
    const int64_t dx = (b.x - a.x) >> 8, dy = (b.y - a.y) >> 8,
                  length = std::max<int64_t>(1, dx * dx + dy * dy);
    for (int row = top; row <= bottom; ++row)
        for (int column = left; column <= right; ++column) {
            const int64_t px = (column * one + one / 2 - a.x) >> 8, py = (row * one + one / 2 - a.y) >> 8;
            const int64_t along = std::clamp<int64_t>(((px * dx + py * dy) << 16) / length, 0, one);
            const int64_t x = px - times(along, dx), y = py - times(along, dy);
            const int64_t inner = a.radius + times(along, b.radius - a.radius) + one / 2;
            const int64_t square = (x * x + y * y) << 16;
            if (square >= inner * inner) continue;
            // A square root of a whole number below 2^53 is rounded alike by every IEEE machine.
            const auto distance = static_cast<int64_t>(std::sqrt(static_cast<double>(square)));
            const int64_t ink = times(std::min(one, inner - distance), full);
            uint8_t& pixel = digit.pixels[static_cast<size_t>(row * side + column)];
            pixel = std::max(pixel, static_cast<uint8_t>(ink));
        }
}

uint8_t label_of(uint64_t seed, uint64_t index) {
    std::array<uint8_t, 10> labels{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    Random random(state_for(seed ^ 0x6c6162656c73u, index / 10));
    for (int i = 9; i > 0; --i)
        std::swap(labels[static_cast<size_t>(i)], labels[static_cast<size_t>(random.below(i + 1))]);
    return labels[index % 10];
}

Pictures pictures_of(uint64_t seed, int count) {
    Pictures pictures;
    pictures.pixels.reserve(static_cast<size_t>(count) * side * side);
    for (int i = 0; i < count; ++i) {
        const Digit digit = make_digit(seed, static_cast<uint64_t>(i));
        pictures.pixels.insert(pictures.pixels.end(), digit.pixels.begin(), digit.pixels.end());
        pictures.labels.push_back(digit.label);
    }
    return pictures;
}

}  // namespace

Digit make_digit(uint64_t seed, uint64_t index) {
    Digit digit;
    digit.label = label_of(seed, index);
    Random random(state_for(seed, index));
    const std::vector<Skeleton>& ways = skeletons_of(digit.label);
    std::vector<Line> lines;
    for (const Stroke& stroke : ways[static_cast<size_t>(random.below(static_cast<int>(ways.size())))])
        lines.push_back(line_of(stroke, random));
    slant(lines, random);
    warp(lines, random);
    press(lines, random);
    fit(lines);
    const int64_t full = random.between(225, 255);
    for (const Line& line : lines)
        for (size_t i = 1; i < line.size(); ++i) draw_piece(digit, line[i - 1], line[i], full);
    return digit;
}

Dataset make_digits(uint64_t seed, int train, int test) {
    Dataset dataset;
    dataset.name = "digits";
    dataset.source = "generated digits, seed " + std::to_string(seed);
    dataset.train = pictures_of(seed, train);
    dataset.test = pictures_of(mixed(seed ^ 0x74657374u), test);
    return dataset;
}

}  // namespace lab
