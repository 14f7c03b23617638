// What exercise 02 must do. No picture here is square, but for the one that shows what a square picture
// hides.
#include "lessons/02_grids_2d/interface.h"

#include <algorithm>
#include <cmath>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("02_grids_2d");

namespace {

using Bytes = std::vector<unsigned char>;

struct Size {
    int width, height;
};

unsigned char byte_of(double value) {
    return static_cast<unsigned char>(std::fmin(std::fmax(value, 0), 255));
}

// A landscape: sky, a low sun, two ranges of hills and a lake. The grain keeps neighbours apart, so that a
// pixel taken from the wrong place shows.
Bytes landscape(Size size) {
    Bytes rgb(3 * static_cast<size_t>(size.width) * size.height);
    uint32_t grain = 1;
    for (int row = 0; row < size.height; ++row) {
        for (int col = 0; col < size.width; ++col) {
            const double x = (col + 0.5) / size.width, y = (row + 0.5) / size.height;
            const double far_hill = 0.45 + 0.08 * std::sin(9 * x) + 0.03 * std::sin(31 * x);
            const double near_hill = 0.6 + 0.06 * std::sin(5 * x + 2) + 0.02 * std::sin(47 * x);
            const double sun = std::exp(-60 * ((x - 0.7) * (x - 0.7) + (y - 0.3) * (y - 0.3)));
            double red = 120 + 160 * y + 150 * sun, green = 150 + 60 * y + 110 * sun, blue = 215 - 60 * y;
            if (y > far_hill) red = 90, green = 105, blue = 140;
            if (y > near_hill) red = 45, green = 95 - 40 * y, blue = 50;
            if (y > 0.78) red = 60 + 90 * x * (1 - y), green = 95 + 40 * (1 - y), blue = 150 - 40 * y;
            grain = grain * 1664525u + 1013904223u;
            const double noise = static_cast<double>(grain >> 24) / 12;
            const size_t at = 3 * (static_cast<size_t>(row) * size.width + col);
            rgb[at] = byte_of(red + noise);
            rgb[at + 1] = byte_of(green + noise);
            rgb[at + 2] = byte_of(blue + noise);
        }
    }
    return rgb;
}

Bytes grey_of(const Bytes& rgb) {
    Bytes grey(rgb.size() / 3);
    for (size_t i = 0; i < grey.size(); ++i) {
        grey[i] =
            static_cast<unsigned char>((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) / 256);
    }
    return grey;
}

Bytes blurred(const Bytes& grey, Size size) {
    Bytes out(grey.size());
    for (int row = 0; row < size.height; ++row) {
        for (int col = 0; col < size.width; ++col) {
            int sum = 0, count = 0;
            for (int y = std::max(row - 1, 0); y <= std::min(row + 1, size.height - 1); ++y) {
                for (int x = std::max(col - 1, 0); x <= std::min(col + 1, size.width - 1); ++x, ++count) {
                    sum += grey[static_cast<size_t>(y) * size.width + x];
                }
            }
            out[static_cast<size_t>(row) * size.width + col] = static_cast<unsigned char>(sum / count);
        }
    }
    return out;
}

std::string by(unsigned x, unsigned y) {
    return std::to_string(x) + " by " + std::to_string(y);
}

std::string pixel_words(size_t pixel, Size size) {
    return "column " + std::to_string(pixel % size.width) + " of row " + std::to_string(pixel / size.width);
}

// The result does not show a block of the learner's own choice, so look at the launches.
void expect_block(lab::Trial& trial, int block_x, int block_y) {
    for (const lab::Kernel& kernel : trial.launches()) {
        if (kernel.block.x == static_cast<unsigned>(block_x) &&
            kernel.block.y == static_cast<unsigned>(block_y))
            continue;
        lab::fail(trial,
                  "The launch used blocks of " + by(kernel.block.x, kernel.block.y) +
                      " threads, and was asked for blocks of " + by(block_x, block_y) + ".",
                  "The block is dim3(block_x, block_y).", LAB_HERE);
        return;
    }
}

// A grid that does not cover the picture, in columns and rows.
bool told_about_the_grid(lab::Trial& trial, Size size) {
    if (trial.launches().size() != 1) return false;
    const lab::Kernel& kernel = trial.launches().front();
    const unsigned columns = kernel.grid.x * kernel.block.x, rows = kernel.grid.y * kernel.block.y;
    const unsigned width = size.width, height = size.height;
    if (columns >= width && rows >= height) return false;
    const std::string fact = "The grid covers " + std::to_string(columns) + " columns and " +
                             std::to_string(rows) + (rows == 1 ? " row" : " rows") + " of a picture " +
                             std::to_string(width) + " wide and " + std::to_string(height) +
                             " high: the rest was never written.";
    std::string next =
        "Round up in both directions: (width + block_x - 1) / block_x blocks across, and the same down.";
    if (columns >= height && rows >= width)
        next = "x counts columns, y counts rows: exchange the two sizes of the grid.";
    if (kernel.grid.y == 1 && kernel.block.y == 1)
        next = "A plain number has no y. Give the launch a dim3 for the grid and one for the block.";
    lab::fail(trial, fact, next, LAB_HERE);
    return true;
}

// A thread outside the picture that touched it all the same: the finding knows the thread, this knows its
// pixel.
bool told_about_a_stray(lab::Trial& trial, Size size) {
    const auto& launches = trial.launches();
    if (launches.size() != 1) return false;
    const lab::Dim3 dim = launches.front().block;
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "oob-global" && finding.kind != "global-race" && finding.kind != "shared-race")
            continue;
        std::vector<std::pair<lab::Dim3, lab::Dim3>> threads;
        if (finding.block && finding.thread) threads.emplace_back(*finding.block, *finding.thread);
        if (finding.other && finding.other->block && finding.other->thread)
            threads.emplace_back(*finding.other->block, *finding.other->thread);
        for (const auto& [block, thread] : threads) {
            const unsigned col = block.x * dim.x + thread.x, row = block.y * dim.y + thread.y;
            if (col < static_cast<unsigned>(size.width) && row < static_cast<unsigned>(size.height)) continue;
            lab::fail(trial,
                      "The thread in column " + std::to_string(col) + " of row " + std::to_string(row) +
                          " has no pixel, for the picture is " + std::to_string(size.width) + " wide and " +
                          std::to_string(size.height) + " high, and it touched " + finding.buffer + "[" +
                          std::to_string(finding.element) + "] at line " + std::to_string(finding.at.line) +
                          ".",
                      "Let a thread go on only if its column is below width and its row is below height.",
                      LAB_HERE);
            return true;
        }
    }
    return false;
}

// A known wrong way to compute every pixel, and what to say if that is what the learner's values show.
struct Guess {
    Bytes values;
    const char* cause;
    const char* next;
    bool hole = false;  // what is wrong was never written
};

// The right pixels where `reached`, what was there before elsewhere.
template <class Reached>
Bytes with_holes(const Bytes& expected, unsigned char before, Size size, Reached reached) {
    Bytes values = expected;
    for (int row = 0; row < size.height; ++row)
        for (int col = 0; col < size.width; ++col)
            if (!reached(col, row)) values[static_cast<size_t>(row) * size.width + col] = before;
    return values;
}

std::vector<Guess> hole_guesses(const Bytes& expected, unsigned char before, Size size,
                                const lab::Kernel& kernel) {
    const int block_x = kernel.block.x, block_y = kernel.block.y;
    const int columns = kernel.grid.x * block_x, rows = kernel.grid.y * block_y;
    const auto pixels_reached = [&](auto reached) { return with_holes(expected, before, size, reached); };
    Bytes by_height(expected.size(), before);
    for (int row = 0; row < size.height; ++row) {
        for (int col = 0; col < size.width; ++col) {
            const size_t at = static_cast<size_t>(row) * size.height + col;
            if (at < by_height.size()) by_height[at] = expected[at];
        }
    }
    return {
        {pixels_reached([=](int col, int row) { return col < block_x && row < block_y; }),
         "Only the top left corner is painted, one block of it: every block painted the same pixels.",
         "threadIdx starts at 0 in every block. Add blockIdx.x * blockDim.x to the column, and the same in y "
         "to the row.",
         true},
        {pixels_reached([=](int col, int row) { return col < rows && row < columns; }),
         "The threads reach as many columns as the grid has rows: x and y are exchanged in the kernel.",
         "The column comes from threadIdx.x and blockIdx.x, the row from threadIdx.y and blockIdx.y.", true},
        {by_height, "The rows overlap: each begins `height` pixels after the one before.",
         "A row is `width` pixels long: row * width + col.", true},
        {pixels_reached([=](int col, int row) {
             return col > 0 && row > 0 && col < size.width - 1 && row < size.height - 1;
         }),
         "A frame one pixel wide was left out.",
         "The pixels at the edge are part of the picture. They have fewer neighbours, and a mean all the "
         "same.",
         true},
    };
}

// True if it said what is wrong: then the plain comparison would only repeat it.
bool told_why(lab::Trial& trial, std::span<const unsigned char> got, const Bytes& expected,
              const std::string& name, Size size, std::vector<Guess> guesses) {
    if (!trial.ended_well() || trial.returned() != 0) return false;
    if (told_about_a_stray(trial, size)) return true;
    if (std::equal(got.begin(), got.end(), expected.begin())) return false;
    // An empty kernel is told by the plain comparison: its grid is the lesser trouble.
    const bool untouched =
        std::all_of(got.begin(), got.end(), [&](unsigned char byte) { return byte == got[0]; });
    if (untouched) return false;
    if (told_about_the_grid(trial, size)) return true;
    const size_t first = std::mismatch(got.begin(), got.end(), expected.begin()).first - got.begin();
    if (trial.launches().size() == 1) {
        const auto holes = hole_guesses(expected, got[first], size, trial.launches().front());
        guesses.insert(guesses.end(), holes.begin(), holes.end());
    }
    for (const Guess& guess : guesses) {
        if (!std::equal(got.begin(), got.end(), guess.values.begin())) continue;
        const std::string where =
            name + "[" + std::to_string(first) + "], " + pixel_words(first, size) + ", ";
        const std::string what = guess.hole ? "was never written. "
                                            : "is " + std::to_string(got[first]) + ", expected " +
                                                  std::to_string(expected[first]) + ". ";
        lab::fail(trial, where + what + guess.cause, guess.next, LAB_HERE);
        return true;
    }
    return false;
}

std::vector<Guess> grey_guesses(const Bytes& rgb) {
    Bytes narrow(rgb.size() / 3);
    for (size_t i = 0; i < narrow.size(); ++i)
        narrow[i] = static_cast<unsigned char>((77 * rgb[i] + 150 * rgb[i + 1] + 29 * rgb[i + 2]) / 256);
    return {{narrow,
             "It was made from bytes p, p + 1 and p + 2 of the colour picture, where p is the number of the "
             "pixel.",
             "A colour pixel is three bytes long, so pixel p begins at byte 3 * p."}};
}

std::vector<Guess> blur_guesses(const Bytes& grey, Size size) {
    const int width = size.width, height = size.height, pixels = width * height;
    Bytes by_nine(pixels), wrapped(pixels), narrow(pixels);
    for (int pixel = 0; pixel < pixels; ++pixel) {
        int inside = 0, inside_count = 0, flat = 0, flat_count = 0;
        for (int y = pixel / width - 1; y <= pixel / width + 1; ++y) {
            for (int x = pixel % width - 1; x <= pixel % width + 1; ++x) {
                const int at = y * width + x;
                if (at < 0 || at >= pixels) continue;
                flat += grey[at], ++flat_count;
                if (x >= 0 && x < width && y >= 0 && y < height) inside += grey[at], ++inside_count;
            }
        }
        by_nine[pixel] = static_cast<unsigned char>(inside / 9);
        wrapped[pixel] = static_cast<unsigned char>(flat / flat_count);
        narrow[pixel] = static_cast<unsigned char>(inside % 256 / inside_count);
    }
    return {
        {by_nine,
         "The sum was divided by nine, and a pixel at the edge has fewer neighbours: six, or four in a "
         "corner.",
         "Count the neighbours that you add up, and divide by that number."},
        {wrapped, "It took a neighbour from the far end of another row.",
         "Check the neighbour's column and row, each for itself: the number of its pixel says too little."},
        {narrow, "The sum of the neighbours does not fit into a byte: it starts again at 256.",
         "Add up in an int."}};
}

void expect_grey(Size size, int block_x, int block_y) {
    CAPTURE(by(size.width, size.height));
    CAPTURE(by(block_x, block_y));
    const Bytes picture = landscape(size);
    lab::Trial trial;
    auto rgb = trial.input("rgb", picture);
    auto grey = trial.output<unsigned char>("grey", picture.size() / 3);
    trial.rows(rgb, 3 * static_cast<size_t>(size.width)).rows(grey, size.width);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(to_grey)>("to_grey", player.device(rgb), player.device(grey), size.width,
                                              size.height, block_x, block_y);
    });
    const Bytes expected = grey_of(picture);
    trial.reference(grey, expected);
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(grey), expected, "grey", size, grey_guesses(picture))) return;
    LAB_EXPECT_EACH(trial, grey, [&](size_t i) { return expected[i]; });
    LAB_EXPECT_CLEAN(trial);
    expect_block(trial, block_x, block_y);
}

void expect_blur(Size size, int block_x, int block_y) {
    CAPTURE(by(size.width, size.height));
    CAPTURE(by(block_x, block_y));
    const Bytes picture = grey_of(landscape(size));
    lab::Trial trial;
    auto grey = trial.input("grey", picture);
    auto out = trial.output<unsigned char>("out", picture.size());
    trial.rows(grey, size.width).rows(out, size.width);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(blur)>("blur", player.device(grey), player.device(out), size.width,
                                           size.height, block_x, block_y);
    });
    const Bytes expected = blurred(picture, size);
    trial.reference(out, expected);
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(out), expected, "out", size, blur_guesses(picture, size))) return;
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return expected[i]; });
    LAB_EXPECT_CLEAN(trial);
    expect_block(trial, block_x, block_y);
}

// Both steps in one run, so that all pictures can be shown. The blur starts from a grey picture of its own:
// what to_grey left out is told once.
void expect_pictures(Size size, int block_x, int block_y) {
    const Bytes picture = landscape(size);
    lab::Trial trial;
    auto rgb = trial.input("rgb", picture);
    auto grey = trial.output<unsigned char>("grey", picture.size() / 3);
    auto grey_in = trial.input("grey_in", grey_of(picture));
    auto out = trial.output<unsigned char>("out", picture.size() / 3);
    const auto width = static_cast<size_t>(size.width);
    trial.rows(rgb, 3 * width).rows(grey, width).rows(grey_in, width).rows(out, width);
    trial.play([&](lab::Player& player) {
        const int failed = player.call<decltype(to_grey)>("to_grey", player.device(rgb), player.device(grey),
                                                          size.width, size.height, block_x, block_y);
        if (failed != 0) return failed;
        return player.call<decltype(blur)>("blur", player.device(grey_in), player.device(out), size.width,
                                           size.height, block_x, block_y);
    });
    const Bytes expected = grey_of(picture), smooth = blurred(expected, size);
    trial.reference(grey, expected);
    trial.reference(out, smooth);
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_EACH(trial, grey, [&](size_t i) { return expected[i]; });
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return smooth[i]; });
    LAB_EXPECT_CLEAN(trial);
    expect_block(trial, block_x, block_y);
}

// Plays `name` on a picture whose launch CUDA should refuse. A program that finds a legal launch and gets the
// right result is as good as one that reports the error.
template <class Function>
void expect_refusal(const char* name, Size size, int channels, int block_x, int block_y) {
    const Bytes picture = channels == 3 ? landscape(size) : grey_of(landscape(size));
    lab::Trial trial;
    auto in = trial.input(channels == 3 ? "rgb" : "grey", picture);
    auto out = trial.output<unsigned char>(channels == 3 ? "grey" : "out", picture.size() / channels,
                                           lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        return player.call<Function>(name, player.device(in), player.device(out), size.width, size.height,
                                     block_x, block_y);
    });
    const Bytes expected = channels == 3 ? grey_of(picture) : blurred(picture, size);
    const auto values = trial.values(out);
    const bool right = trial.ended_well() && trial.returned() == 0 &&
                       std::equal(values.begin(), values.end(), expected.begin(), expected.end());
    if (!right) LAB_EXPECT_ERROR(trial, 0);
    LAB_EXPECT_CLEAN(trial);
}

}  // namespace

TEST_CASE("A picture 8 wide and 6 high goes grey (blocks of 4 by 3 fit exactly)") {
    expect_grey({8, 6}, 4, 3);
}

TEST_CASE("A picture 7 wide and 5 high goes grey (blocks of 4 by 4 stick out on two sides)") {
    expect_grey({7, 5}, 4, 4);
}

TEST_CASE("The landscape, 96 by 64, goes grey (blocks of 16 by 16)") {
    expect_grey({96, 64}, 16, 16);
}

TEST_CASE("Odd pictures go grey: 61 by 37, 37 by 61, one row, one column") {
    expect_grey({61, 37}, 16, 16);
    expect_grey({37, 61}, 16, 16);
    expect_grey({100, 1}, 16, 16);
    expect_grey({1, 100}, 16, 16);
}

TEST_CASE("Any block shape makes it grey (61 by 37, blocks of 32 by 8, 8 by 32, 5 by 3 and 1 by 1)") {
    expect_grey({61, 37}, 32, 8);
    expect_grey({61, 37}, 8, 32);
    expect_grey({61, 37}, 5, 3);
    expect_grey({61, 37}, 1, 1);
}

TEST_CASE("A grey launch that CUDA refuses comes back as an error (64 by 32 is 2048 threads a block)") {
    expect_refusal<decltype(to_grey)>("to_grey", {61, 37}, 3, 64, 32);
}

TEST_CASE("A picture 7 wide and 5 high is blurred (blocks of 4 by 4)") {
    expect_blur({7, 5}, 4, 4);
}

TEST_CASE("The landscape, 96 by 64, is blurred (blocks of 16 by 16)") {
    expect_blur({96, 64}, 16, 16);
}

TEST_CASE("Odd pictures are blurred: 61 by 37, 37 by 61, one row, one column, one pixel") {
    expect_blur({61, 37}, 16, 16);
    expect_blur({37, 61}, 16, 16);
    expect_blur({100, 1}, 16, 16);
    expect_blur({1, 100}, 16, 16);
    expect_blur({1, 1}, 16, 16);
}

TEST_CASE("Any block shape blurs it (61 by 37, blocks of 32 by 8, 8 by 32 and 5 by 3)") {
    expect_blur({61, 37}, 32, 8);
    expect_blur({61, 37}, 8, 32);
    expect_blur({61, 37}, 5, 3);
}

TEST_CASE(
    "A blur that CUDA refuses comes back as an error (2048 threads a block; 70000 blocks down, 65535 "
    "allowed)") {
    expect_refusal<decltype(blur)>("blur", {61, 37}, 1, 64, 32);
    expect_refusal<decltype(blur)>("blur", {3, 70000}, 1, 32, 1);
}

TEST_CASE("The landscape goes grey and is blurred, one after the other (96 by 64, blocks of 16 by 16)") {
    expect_pictures({96, 64}, 16, 16);
}

LAB_EXPERIMENT("Grey, then blurred, at the sizes that you chose")(const lab::Settings& at) {
    expect_pictures({at["width"], at["height"]}, at["block_x"], at["block_y"]);
}

TEST_SUITE_END();
