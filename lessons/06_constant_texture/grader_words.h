// What results of exercise 06 ought to be, and what known mistakes make of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lessons/06_constant_texture/interface.h"

namespace lab::lesson_06_constant_texture {

struct Cause {
    std::string what, next;  // `what` empty: no known mistake
};

// ---- smooth: small whole numbers, so that every sum is exact in whatever order it is made

struct Row {
    int n = 0, radius = 0;
    float in(int i) const { return static_cast<float>(i * 37 % 101 + 1); }
    float weight(int k) const { return static_cast<float>(k + 1); }
    int last() const { return 2 * radius; }
};

inline std::vector<float> listed(int count, const std::function<float(int)>& value) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i) values.push_back(value(i));
    return values;
}

// What `number` and `weight` mean at any index, and which weights there are.
struct Reading {
    std::function<float(int)> number, weight;
    int first = 0, last = 0;
};
inline float sum_at(const Row& row, const Reading& reading, int i) {
    float sum = 0;
    for (int k = reading.first; k <= reading.last; ++k)
        sum += reading.weight(k) * reading.number(i + k - row.radius);
    return sum;
}

inline Reading right_reading(const Row& row) {
    return {[=](int at) { return row.in(std::clamp(at, 0, row.n - 1)); },
            [=](int k) { return row.weight(k); }, 0, row.last()};
}
inline float smoothed(const Row& row, int i) {
    return sum_at(row, right_reading(row), i);
}

struct RowMistake {
    Reading reading;
    Cause cause;
};

inline std::vector<RowMistake> row_mistakes(const Row& row) {
    const Reading right = right_reading(row);
    const auto with_numbers = [&](std::function<float(int)> number) {
        Reading reading = right;
        reading.number = std::move(number);
        return reading;
    };
    const auto with_weights = [&](std::function<float(int)> weight) {
        Reading reading = right;
        reading.weight = std::move(weight);
        return reading;
    };
    const auto inside = [=](int at) { return at >= 0 && at < row.n; };
    const int given = (row.last() + 1) / 4;  // floats in as many bytes as there are weights
    Reading one_less = right;
    --one_less.last;
    return {
        {with_weights([=](int k) { return k < given ? row.weight(k) : 0.0f; }),
         {"Only a quarter of the weights counts; the others were 0.",
          "cudaMemcpyToSymbol counts bytes: the number of weights times sizeof(float)."}},
        {one_less,
         {"The last weight is missing from every sum.",
          "There are 2 * radius + 1 weights: k goes from 0 to 2 * radius, and that is included."}},
        {with_weights([=](int k) { return row.weight(row.last() - k); }),
         {"The weights were taken from the wrong end: the last one weighs the number at the left.",
          "Weight k belongs to number i + k - radius, so weight 0 to the leftmost."}},
        {with_numbers([=](int at) { return inside(at) ? row.in(at) : 0.0f; }),
         {"The sums near the ends lack what lies beyond them: there the array counts as 0.",
          "Don't leave out a number beyond an end: the array's last number stands for it. Move the index to "
          "the "
          "nearest one in the array."}},
        {with_numbers([=](int at) { return row.in(at < 0 ? row.n - 1 : std::min(at, row.n - 1)); }),
         {"The array's last number stands for those before the first.",
          "An unsigned -1 is a very large number. Make the index an int before you clamp it."}},
        {with_numbers([=](int at) { return row.in(((at % row.n) + row.n) % row.n); }),
         {"Beyond an end the sums go on at the other end of the array.",
          "The last number stands for all beyond it: min(max(at, 0), n - 1), not a remainder."}},
        {with_numbers([=](int at) {
             const int mirrored = at < 0 ? -at : at >= row.n ? 2 * (row.n - 1) - at : at;
             return row.in(std::clamp(mirrored, 0, row.n - 1));
         }),
         {"Beyond an end the sums walk back into the array, as in a mirror.",
          "The last number stands for all beyond it: min(max(at, 0), n - 1)."}},
        {with_numbers([=](int at) { return row.in(std::clamp(at - 1, 0, row.n - 1)); }),
         {"Every sum stands one place too far to the right.", "Number i + k - radius, with k from 0."}},
        {with_numbers([=](int at) { return row.in(std::clamp(at + row.radius, 0, row.n - 1)); }),
         {"Every sum begins at its own number, and should begin `radius` to the left of it.",
          "Weight k belongs to number i + k - radius."}},
    };
}

inline Cause cause_of(std::span<const float> got, const Row& row) {
    constexpr float part_of_a_weight = 1e-30f;  // some bytes of a float, and not its exponent
    const auto fits = [&](const std::function<float(int)>& expected) {
        for (int i = 0; i < row.n; ++i)
            if (!(std::fabs(got[static_cast<size_t>(i)] - expected(i)) <= part_of_a_weight)) return false;
        return true;
    };
    if (fits([&](int i) { return smoothed(row, i); })) return {};
    if (std::all_of(got.begin(), got.end(), [](float sum) { return sum == 0; }))
        return {"Every sum is 0: all weights were.",
                "TODO 1: cudaMemcpyToSymbol(c_weights, ...) before the launch, from host memory."};
    for (const RowMistake& mistake : row_mistakes(row))
        if (fits([&](int i) { return sum_at(row, mistake.reading, i); })) return mistake.cause;
    return {};
}

// ---- zoom

struct Zoom {
    int cols = 0, rows = 0;
    View view{0, 0, 1, 1};
    int edge = edge_clamp;
    int out_cols = 0, out_rows = 0;

    // Rises to the right and downwards, with bumps: no two neighbours alike, and no direction like another.
    float texel(int c, int r) const { return static_cast<float>(16 * c + 5 * r + (c * 5 + r * 3) % 7 + 1); }
};

// One sample: a place in texels (texel i lies from i to i + 1), and how the texture is read there.
struct Look {
    double u = 0, v = 0;
    int edge_x = edge_clamp, edge_y = edge_clamp;
    bool filters = true;
};

// Where a pixel at `x` of `count` looks, `shift` being where in the pixel, in texels of `size`.
inline double place_of(double x, double shift, double count, float begin, float length, int size) {
    return (begin + (x + shift) / count * length) * size;
}

inline Look look_at(const Zoom& z, int x, int y) {
    return {place_of(x, 0.5, z.out_cols, z.view.left, z.view.width, z.cols),
            place_of(y, 0.5, z.out_rows, z.view.top, z.view.height, z.rows), z.edge, z.edge};
}

// Nothing: the border, which is 0.
inline std::optional<int> addressed(int i, int count, int edge) {
    if (i >= 0 && i < count) return i;
    const int in_period = ((i % (2 * count)) + 2 * count) % (2 * count);
    if (edge == edge_wrap) return in_period % count;
    if (edge == edge_mirror) return in_period < count ? in_period : 2 * count - 1 - in_period;
    if (edge == edge_clamp) return std::clamp(i, 0, count - 1);
    return {};
}

inline double texel_at(const Zoom& z, const Look& look, int c, int r) {
    const auto column = addressed(c, z.cols, look.edge_x), row = addressed(r, z.rows, look.edge_y);
    return column && row ? z.texel(*column, *row) : 0;
}

struct Corners {
    std::array<double, 4> value;  // (c, r), (c + 1, r), (c, r + 1), (c + 1, r + 1)
    double a = 0, b = 0;          // how far the place is from the first, in texels
};
inline Corners corners_at(const Zoom& z, const Look& look) {
    const int c = static_cast<int>(std::floor(look.u - 0.5)), r = static_cast<int>(std::floor(look.v - 0.5));
    return {{texel_at(z, look, c, r), texel_at(z, look, c + 1, r), texel_at(z, look, c, r + 1),
             texel_at(z, look, c + 1, r + 1)},
            look.u - 0.5 - c,
            look.v - 0.5 - r};
}

inline double sampled(const Zoom& z, const Look& look) {
    if (!look.filters)
        return texel_at(z, look, static_cast<int>(std::floor(look.u)), static_cast<int>(std::floor(look.v)));
    const auto [value, a, b] = corners_at(z, look);
    return (1 - b) * ((1 - a) * value[0] + a * value[1]) + b * ((1 - a) * value[2] + a * value[3]);
}

// The texture unit keeps 8 bits of a weight's fraction: a and b are each off by 1/512 at most, and so is each of four
// weights when it is rounded again. Together no more than 1/128 of how far the four texels differ.
inline double tolerance_of(const Zoom& z) {
    double widest = 0;
    for (int y = 0; y < z.out_rows; ++y)
        for (int x = 0; x < z.out_cols; ++x) {
            const auto value = corners_at(z, look_at(z, x, y)).value;
            widest = std::max(widest, *std::max_element(value.begin(), value.end()) -
                                          *std::min_element(value.begin(), value.end()));
        }
    return widest / 128 + 1e-3;
}

struct ZoomMistake {
    std::function<Look(int x, int y)> look;
    Cause cause;
};

inline std::vector<ZoomMistake> edge_mistakes(const Zoom& z) {
    const auto with_edges = [=](int edge_x, int edge_y) {
        return [=](int x, int y) {
            Look look = look_at(z, x, y);
            look.edge_x = edge_x;
            look.edge_y = edge_y;
            return look;
        };
    };
    return {
        {with_edges(z.edge, edge_wrap),
         {"In y, the picture begins again beyond its edge, whatever `edge` asks for.",
          "Set addressMode[1], too. What nobody sets is 0, which is cudaAddressModeWrap."}},
        {with_edges(edge_wrap, z.edge),
         {"In x, the picture begins again beyond its edge, whatever `edge` asks for.",
          "Set addressMode[0], too. What nobody sets is 0, which is cudaAddressModeWrap."}},
        {with_edges(edge_wrap, edge_wrap),
         {"The picture begins again beyond its edges, whatever `edge` asks for.",
          "Set addressMode[0] and addressMode[1]. What nobody sets is 0, which is cudaAddressModeWrap."}},
        {with_edges(edge_clamp, edge_clamp),
         {"The outermost texels go on beyond the picture's edges, whatever `edge` asks for.",
          "Set addressMode[0] and addressMode[1] to cudaTextureAddressMode(edge). Wrap and mirror need "
          "normalizedCoords = 1."}},
        {with_edges(edge_border, edge_border),
         {"Beyond the picture's edges everything is 0, whatever `edge` asks for.",
          "Set addressMode[0] and addressMode[1] to cudaTextureAddressMode(edge)."}},
    };
}

inline constexpr const char* whole_numbers =
    "x / out_cols is a division of whole numbers: 0 for every x below out_cols, and y / out_rows is 0 as "
    "well. "
    "(x + 0.5f) / out_cols is none.";

inline std::vector<ZoomMistake> place_mistakes(const Zoom& z) {
    const View& view = z.view;
    const auto looking = [=](double shift, double moved, int less) {
        return [=](int x, int y) {
            Look look = look_at(z, x, y);
            look.u =
                place_of(x, shift, std::max(1, z.out_cols - less), view.left, view.width, z.cols) + moved;
            look.v =
                place_of(y, shift, std::max(1, z.out_rows - less), view.top, view.height, z.rows) + moved;
            return look;
        };
    };
    const auto changed = [=](const std::function<void(Look&, int, int)>& change) {
        return [=](int x, int y) {
            Look look = look_at(z, x, y);
            change(look, x, y);
            return look;
        };
    };
    const char* middle =
        "The middle of pixel x lies at x + 0.5, so (x + 0.5f) / out_cols of the view's width.";
    return {
        {looking(0, 0, 0),
         {"Every pixel shows what lies under its upper left corner: the picture is moved by half a pixel.",
          middle}},
        {looking(0, 0, 1),
         {"The first and the last pixel look at the very edges of the view, not at what lies under their "
          "middles.",
          middle}},
        {looking(0.5, -0.5, 0),
         {"The picture is moved by half a texel.",
          "Fetch at the place itself. The texture unit takes off its half texel on its own."}},
        {looking(0.5, 0.5, 0),
         {"The picture is moved by half a texel.",
          "With normalised coordinates 0 is the picture's left edge and 1 its right one: nothing is to be "
          "added "
          "to them."}},
        {changed([](Look& look, int, int) { look.filters = false; }),
         {"Every pixel has the value of one texel, and nothing in between: the texture does not filter.",
          "Set filterMode to cudaFilterModeLinear."}},
        {changed([=](Look& look, int, int) {
             look = {look.u / z.cols, look.v / z.rows, edge_clamp, edge_clamp, false};
         }),
         {"All pixels have the value of one texel. Either coordinates from 0 to 1 were taken as texels, and "
          "nothing is filtered, or all pixels look at one place.",
          "TODO 3: a cudaTextureDesc of zeros reads the nearest texel, at coordinates in texels. TODO 4: "
          "x / out_cols divides whole numbers, and is 0 for every pixel; (x + 0.5f) / out_cols is not."}},
        {changed([=](Look& look, int, int) {
             look.u /= z.cols, look.v /= z.rows, look.edge_x = look.edge_y = edge_clamp;
         }),
         {"All pixels look at the first texels: their coordinates, from 0 to 1, were taken as texels.",
          "Set normalizedCoords to 1."}},
        {changed([=](Look& look, int x, int y) {
             look.u = place_of(x, 0.5, z.out_cols, 0, view.width, z.cols);
             look.v = place_of(y, 0.5, z.out_rows, 0, view.height, z.rows);
         }),
         {"The view's left and top were left out: every pixel looks as far from the picture's corner as it "
          "should "
          "from the view's.",
          "Add view.left and view.top."}},
        {changed([=](Look& look, int x, int y) {
             look.u = place_of(x, 0.5, z.out_cols, 0, 1, z.cols);
             look.v = place_of(y, 0.5, z.out_rows, 0, 1, z.rows);
         }),
         {"The output shows the whole picture, whatever the view is.",
          "A pixel's place is view.left + (x + 0.5f) / out_cols * view.width, and the same in y."}},
        {changed([=](Look& look, int, int) { look.u = view.left * z.cols; }),
         {"All pixels of a row look at one place.", whole_numbers}},
        {changed([=](Look& look, int, int) { look.v = view.top * z.rows; }),
         {"All pixels of a column look at one place.", whole_numbers}},
        {changed([=](Look& look, int, int) {
             look.u = view.left * z.cols;
             look.v = view.top * z.rows;
         }),
         {"All pixels look at one place, the corner of the view.", whole_numbers}},
        {changed([=](Look& look, int x, int y) {
             look.u = place_of(y, 0.5, z.out_rows, view.left, view.width, z.cols);
             look.v = place_of(x, 0.5, z.out_cols, view.top, view.height, z.rows);
         }),
         {"x and y have changed places in the fetch.", "tex2D takes x, the column, first."}},
        {changed([=](Look& look, int, int y) {
             look.v = place_of(y, 0.5, z.out_cols, view.top, view.height, z.rows);
         }),
         {"The rows are spaced as if there were as many as columns.",
          "y counts rows: (y + 0.5f) / out_rows of the view's height."}},
        {changed([=](Look& look, int, int y) {
             look.v = place_of(y, 0.5, z.out_rows, view.top, view.width, z.rows);
         }),
         {"The rows are spread over the view's width.", "In y it is view.top and view.height."}},
    };
}

// A sample at the border between two texels may come out either way, so a few pixels may differ.
inline Cause cause_of(std::span<const float> got, const Zoom& z) {
    const double tolerance = tolerance_of(z);
    const auto misses = [&](const std::function<Look(int, int)>& look) {
        int count = 0;
        for (int y = 0; y < z.out_rows; ++y)
            for (int x = 0; x < z.out_cols; ++x) {
                const double value =
                    got[static_cast<size_t>(y) * static_cast<size_t>(z.out_cols) + static_cast<size_t>(x)];
                count += !(std::fabs(value - sampled(z, look(x, y))) <= tolerance);
            }
        return count;
    };
    if (misses([&](int x, int y) { return look_at(z, x, y); }) == 0) return {};
    const int pixels = z.out_cols * z.out_rows;
    for (const auto& mistakes : {place_mistakes(z), edge_mistakes(z)})
        for (const ZoomMistake& mistake : mistakes)
            if (misses(mistake.look) * 20 <= pixels) return mistake.cause;
    return {};
}

}  // namespace lab::lesson_06_constant_texture
