// What exercise 12 must do. The smallest cases come first: their counts can be checked by hand.
#include "lessons/12_atomics/interface.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("12_atomics");

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

using Counts = std::vector<unsigned>;

constexpr std::string_view paragraph =
    "a crowd of threads arrives at a small shelf of jars. each of them holds one letter and drops a bead "
    "into "
    "the jar with that letter on it. the jar for e is never alone; the jars for j, q, x and z gather dust. "
    "nobody stands at the door and says who goes first, and yet every bead has to be in its jar at the end "
    "of the day. a thread that reads the number on the jar, adds one, and writes it back may overwrite what "
    "its neighbour wrote in the meantime, and a bead is gone without a sound. ";

// n bytes of the paragraph, over and over.
std::vector<char> prose(size_t n) {
    std::vector<char> text(n);
    for (size_t i = 0; i < n; ++i) text[i] = paragraph[i % paragraph.size()];
    return text;
}

std::vector<char> bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

int letter_of(char byte) {
    return byte >= 'a' && byte <= 'z' ? byte - 'a' : -1;
}

Counts counted(const std::vector<char>& text, size_t from = 0, size_t step = 1) {
    Counts counts(alphabet, 0);
    for (size_t i = from; i < text.size(); i += step)
        if (const int letter = letter_of(text[i]); letter >= 0) ++counts[letter];
    return counts;
}

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

// A known wrong count of every letter, and what to say if that is what came.
struct Guess {
    Counts counts;
    std::string cause, next;
};

std::vector<Guess> guesses(const std::vector<char>& text, const Counts& right, const lab::Kernel& kernel) {
    const size_t threads = size_t{kernel.grid.x} * kernel.block.x;
    std::vector<Guess> all{
        {Counts(alphabet, 0), "No letter was counted at all.",
         "One atomic addition for each character that is a letter, at the counter of that letter."}};
    if (threads < text.size())
        all.push_back(
            {counted({text.begin(), text.begin() + static_cast<ptrdiff_t>(threads)}),
             "Only the first " + number(static_cast<double>(threads)) +
                 " characters were counted, one a thread.",
             "The grid is smaller than the text: let each thread go on by the number of threads in the "
             "grid until it is past the end."});
    Counts overlapping(alphabet, 0);
    for (unsigned block = 0; block < kernel.grid.x; ++block) {
        const Counts of_block = counted(text, size_t{block} * kernel.block.x, 1);
        for (size_t i = 0; i < overlapping.size(); ++i) overlapping[i] += of_block[i];
    }
    if (kernel.grid.x > 1)
        all.push_back({overlapping,
                       "Characters were counted by several blocks: each went on by its own size.",
                       "The step of a grid-stride loop is gridDim.x * blockDim.x."});
    Counts last_only(alphabet, 0);
    for (size_t i = 0; i < last_only.size(); ++i) last_only[i] = right[i] != 0;
    all.push_back({last_only, "Every letter that occurs was counted once, however often it occurs.",
                   "Add to what is there, in one step: atomicAdd."});
    return all;
}

bool is_race(const lab::Finding& finding) {
    return finding.kind == "global-race" || finding.kind == "shared-race" || finding.kind == "warp-race";
}

bool is_at_one_line(const lab::Finding& finding) {
    return finding.other && finding.other->at.line == finding.at.line;
}

std::string element_of(const lab::Finding& finding) {
    return finding.buffer + "[" + std::to_string(finding.element) + "]";
}

// What the machine's own sentence does not know: what the array is for. A race at one line is the plain increment, a
// race of two lines a step that did not wait for the one before.
bool told_about_the_cause(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        if (!finding.buffer.starts_with("bins")) continue;
        if (is_race(finding) && is_at_one_line(finding)) {
            lab::fail(trial,
                      "Two threads change " + element_of(finding) + " at line " +
                          std::to_string(finding.at.line) +
                          ", and nothing keeps them apart: one of the two additions can be lost.",
                      "Read, add and write in one step that nobody can come between: atomicAdd.", LAB_HERE);
            return true;
        }
        if (finding.kind == "global-race" && finding.other) {
            lab::fail(trial, finding.message,
                      "Zero the grid's counters before the launch (cudaMemset), and change them by atomic "
                      "functions "
                      "alone: no barrier in a kernel waits for other blocks.",
                      LAB_HERE);
            return true;
        }
        if (is_race(finding) && finding.other) {
            lab::fail(trial,
                      "Two threads use " + element_of(finding) + ", one at line " +
                          std::to_string(finding.other->at.line) + " and one at line " +
                          std::to_string(finding.at.line) + ", and neither waits for the other.",
                      "Zero, wait, count, wait, report: each wait is a __syncthreads() of the whole block.",
                      LAB_HERE);
            return true;
        }
        if (finding.kind == "uninit-global") {
            lab::fail(
                trial, finding.message,
                "Zero all 26 counters before the launch: cudaMemset takes bytes, 26 * sizeof(unsigned int).",
                LAB_HERE);
            return true;
        }
    }
    return false;
}

// True if it said what is wrong: then the plain comparison would only repeat it.
bool told_why(lab::Trial& trial, std::span<const unsigned> got, const Counts& right,
              const std::vector<char>& text) {
    if (!trial.ended_well() || trial.returned() != 0) return false;
    if (told_about_the_cause(trial)) return true;
    if (std::equal(got.begin(), got.end(), right.begin()) || trial.launches().size() != 1) return false;
    for (const Guess& guess : guesses(text, right, trial.launches().front())) {
        if (!std::equal(got.begin(), got.end(), guess.counts.begin())) continue;
        size_t first = 0;
        while (got[first] == right[first]) ++first;
        lab::fail(trial,
                  "bins[" + std::to_string(first) + "], the letter " +
                      std::string(1, static_cast<char>('a' + first)) + ", is " + std::to_string(got[first]) +
                      ", expected " + std::to_string(right[first]) + ". " + guess.cause,
                  guess.next, LAB_HERE);
        return true;
    }
    return false;
}

// How many blocks the launches of a shared count used, and how often they went to the grid's counters. A block
// may go there once for each letter. A backend that does not count gives no number.
void expect_private_counters(lab::Trial& trial, const lab::Kernel& kernel, int blocks) {
    const lab::Dim3 grid = kernel.asked_grid.value_or(kernel.grid);  // a grid of the reader's is no fault
    if (grid.x * grid.y * grid.z != static_cast<unsigned>(blocks)) {
        lab::fail(trial,
                  "The launch used " + std::to_string(grid.x * grid.y * grid.z) +
                      " blocks, and was asked for " + std::to_string(blocks) + ".",
                  "The first number between <<< and >>> is `blocks`, whatever n is.", LAB_HERE);
        return;
    }
    const auto found = kernel.metrics.find("global_atomic_sectors");
    const double most = static_cast<double>(alphabet) * kernel.grid.x;
    if (found == kernel.metrics.end() || found->second <= most) return;
    lab::fail(
        trial,
        kernel.name + " goes " + number(found->second) + " times to the counters of the whole grid, and " +
            number(most) + " times are enough: once a block and letter.",
        "Count in the block's own counters, in shared memory. Add each of them to d_bins when the block "
        "is done.",
        LAB_HERE);
}

void expect_global(const std::vector<char>& text) {
    CAPTURE(text.size());
    lab::Trial trial;
    auto in = trial.input("text", text);
    auto bins = trial.output<unsigned>("bins", alphabet);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(count_letters)>("count_letters", player.device(in),
                                                    static_cast<int>(text.size()), player.device(bins));
    });
    const Counts right = counted(text);
    trial.reference(bins, right);
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(bins), right, text)) return;
    LAB_EXPECT_EACH(trial, bins, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
}

void expect_shared(const std::vector<char>& text, int blocks) {
    CAPTURE(text.size());
    CAPTURE(blocks);
    lab::Trial trial;
    auto in = trial.input("text", text);
    auto bins = trial.output<unsigned>("bins", alphabet);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(count_letters_shared)>("count_letters_shared", player.device(in),
                                                           static_cast<int>(text.size()), player.device(bins),
                                                           blocks);
    });
    const Counts right = counted(text);
    trial.reference(bins, right);
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(bins), right, text)) return;
    LAB_EXPECT_EACH(trial, bins, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches()) expect_private_counters(trial, kernel, blocks);
}

// Both ways in one run, so that they can be compared.
void expect_both(const std::vector<char>& text, int blocks) {
    CAPTURE(text.size());
    CAPTURE(blocks);
    lab::Trial trial;
    auto in = trial.input("text", text);
    auto bins = trial.output<unsigned>("bins", alphabet);
    auto bins_shared = trial.output<unsigned>("bins_shared", alphabet);
    trial.play([&](lab::Player& player) {
        const int n = static_cast<int>(text.size());
        const int failed =
            player.call<decltype(count_letters)>("count_letters", player.device(in), n, player.device(bins));
        if (failed != 0) return failed;
        return player.call<decltype(count_letters_shared)>("count_letters_shared", player.device(in), n,
                                                           player.device(bins_shared), blocks);
    });
    const Counts right = counted(text);
    trial.reference(bins, right);
    trial.reference(bins_shared, right);
    LAB_EXPECT_OK(trial);
    if (trial.ended_well() && trial.returned() == 0 && told_about_the_cause(trial)) return;
    LAB_EXPECT_EACH(trial, bins, [&](size_t i) { return right[i]; });
    LAB_EXPECT_EACH(trial, bins_shared, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    if (trial.launches().size() == 2) expect_private_counters(trial, trial.launches().back(), blocks);
}

// The reference: what is larger than all before it, which a NaN never is.
float largest_of(const std::vector<float>& values) {
    float best = -infinity;
    for (const float value : values)
        if (value > best) best = value;
    return best;
}

std::string text_of(float value) {
    return lab::describe(static_cast<double>(value));
}

void tell_about_the_largest(lab::Trial& trial, float got, float expected, const std::vector<float>& values) {
    std::string cause = "No element has this value.";
    std::string next = "Swap bits for bits: __float_as_uint on the way in, __uint_as_float on the way out.";
    bool has_nan = false, is_there = false;
    for (const float value : values) {
        has_nan = has_nan || std::isnan(value);
        is_there = is_there || value == got;
    }
    if (std::isnan(got) && has_nan) {
        cause = "A NaN of the input got through.";
        next = "Ask whether value is larger than the guess: for a NaN the answer is no.";
    } else if (got == -infinity && expected < 0) {
        cause = "No number below zero was taken for larger than -infinity.";
        next = "Compare floats, not their bits: below zero, the bits grow as the float falls.";
    } else if (got == -infinity) {
        cause = "Nothing was ever swapped in.";
        next = "Guess what is at the address, and swap value's bits in for as long as value is larger.";
    } else if (got == 0 && expected < 0) {
        cause = "All elements are below zero.";
        next = "Start from -INFINITY, and compare floats, not their bits.";
    } else if (is_there) {
        cause =
            "A smaller element stands where a larger one has been or should have come: a thread looked, and "
            "by the time that it wrote, its look was out of date.";
        next =
            "If atomicCAS gives back another value than your guess, nothing was written. Take that value as "
            "the "
            "new guess, compare again, try again.";
    }
    lab::fail(trial, "largest[0] is " + text_of(got) + ", expected " + text_of(expected) + ". " + cause, next,
              LAB_HERE);
}

bool told_about_the_loop(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind == "deadlock" || finding.kind == "infinite-loop") {
            lab::fail(
                trial,
                "A thread tries to swap at line " + std::to_string(finding.at.line) +
                    " again and again, and its guess is never what it finds there.",
                "atomicCAS gives back what it found. Make that the next guess, and go on only while value is "
                "larger.",
                LAB_HERE);
            return true;
        }
        if (is_race(finding) && finding.other) {
            const std::string first = std::to_string(finding.other->at.line);
            const std::string lines = is_at_one_line(finding)
                                          ? "line " + first
                                          : "lines " + first + " and " + std::to_string(finding.at.line);
            lab::fail(
                trial,
                "Two threads are at " + element_of(finding) + " (" + lines +
                    "), at least one of them by a plain read or store, and nothing keeps them apart.",
                "Look and store by atomic functions alone. A first guess needs no look: what stands there "
                "before anybody comes is -INFINITY.",
                LAB_HERE);
            return true;
        }
    }
    return false;
}

void expect_largest(const std::vector<float>& values) {
    CAPTURE(values.size());
    lab::Trial trial;
    trial.steps(uint64_t{1} << 20);  // a loop that never ends is told soon
    auto in = trial.input("in", values);
    auto out = trial.output<float>("largest", 1);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(largest)>("largest", player.device(in), static_cast<int>(values.size()),
                                              player.device(out));
    });
    const float expected = largest_of(values);
    trial.reference(out, std::vector<float>{expected});
    if (told_about_the_loop(trial)) return;
    LAB_EXPECT_OK(trial);
    if (trial.ended_well() && trial.returned() == 0 && trial.findings().empty())
        for (const lab::Order order : {lab::Order::forward, lab::Order::reverse})
            if (const float got = trial.values(out, order)[0]; !(got == expected))
                return tell_about_the_largest(trial, got, expected, values);
    LAB_EXPECT_EACH(trial, out, [&](size_t) { return expected; });
    LAB_EXPECT_CLEAN(trial);
}

// n distinct values, from `lowest` up in steps of a quarter, shuffled.
std::vector<float> scattered(int n, float lowest) {
    std::vector<float> values(static_cast<size_t>(n));
    for (size_t i = 0; i < values.size(); ++i) values[i] = lowest + 0.25f * static_cast<float>(i);
    uint32_t random = 12;
    for (size_t i = values.size(); i > 1; --i) {
        random = random * 1664525u + 1013904223u;
        std::swap(values[i - 1], values[(random >> 8) % i]);
    }
    return values;
}

std::vector<float> ascending(int n) {
    std::vector<float> values(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<size_t>(i)] = static_cast<float>(i) + 0.5f;
    return values;
}

}  // namespace

TEST_CASE("banana: three a, one b, two n") {
    expect_global(bytes_of("banana"));
}

TEST_CASE("What is no letter counts nowhere: capitals, spaces, ` and {, bytes above 127") {
    expect_global(bytes_of("Hello, `world` {a} [z] \xc3\xa9t\xc3\xa9 ~0xff@"));
}

TEST_CASE("All threads at one letter: a thousand e") {
    expect_global(std::vector<char>(1000, 'e'));
}

TEST_CASE("A text of 640 characters, and of 1, 256 and 257") {
    for (const size_t n : {640, 1, 256, 257}) expect_global(prose(n));
}

TEST_CASE("Counters for each block: banana, with one block") {
    expect_shared(bytes_of("banana"), 1);
}

TEST_CASE("Counters for each block: what is no letter counts nowhere") {
    expect_shared(bytes_of("Hello, `world` {a} [z] \xc3\xa9t\xc3\xa9 ~0xff@"), 1);
}

TEST_CASE("Counters for each block: 640 characters with 2 and 3 blocks, more threads than characters") {
    expect_shared(prose(640), 3);
    expect_shared(prose(100), 2);
}

TEST_CASE("Counters for each block: 3000 characters, and the grid is smaller (1 and 5 blocks)") {
    for (const int blocks : {1, 5}) expect_shared(prose(3000), blocks);
}

TEST_CASE("The same 640 characters both ways, 2 blocks: the second goes to the grid's counters less often") {
    expect_both(prose(640), 2);
}

TEST_CASE("The largest of eight floats is 9") {
    expect_largest({3, 1, 4, 1, 5, 9, 2, 6});
}

TEST_CASE("The largest of 32 floats in ascending order: every lane has to beat the one before") {
    expect_largest(ascending(32));
}

TEST_CASE("The largest of numbers below zero is below zero") {
    expect_largest({-3, -1, -4, -1.5f, -5, -9, -2, -6});
    expect_largest(scattered(500, -1000));
}

TEST_CASE("A NaN is skipped, wherever it stands; with nothing else, it is -infinity") {
    expect_largest({nan_value, -2, -nan_value, -7, nan_value, -5});
    expect_largest({nan_value, nan_value});
}

TEST_CASE("Infinities and the ends of float count like any number") {
    constexpr float most = std::numeric_limits<float>::max(),
                    least = std::numeric_limits<float>::denorm_min();
    expect_largest({1, infinity, -infinity, 3});
    expect_largest({-infinity, -most, -infinity});
    expect_largest({0.0f, least, -most});
}

TEST_CASE("The largest of 700 floats in three blocks, scattered") {
    expect_largest(scattered(700, -20));
}

LAB_EXPERIMENT("Letters counted both ways, at the sizes that you chose")(const lab::Settings& at) {
    const std::string_view order = "etaoinshrdlcumwfgypbvkjxqz";
    const size_t kinds = static_cast<size_t>(at["kinds"]);
    std::vector<char> text(static_cast<size_t>(at["n"]));
    uint32_t random = 12;
    for (char& letter : text) {
        random = random * 1664525u + 1013904223u;
        letter = order[(random >> 16) % kinds];
    }
    expect_both(text, at["blocks"]);
}

TEST_SUITE_END();
