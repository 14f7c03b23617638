// What exercise 18 must do. The smallest cases come first: their products can be checked by hand.
#include <optional>
#include <string_view>

#include "lessons/18_matmul/grader_words.h"
#include "lessons/18_matmul/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("18_matmul");

namespace {

using lesson_18::Guess;
using lesson_18::Problem;

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

// 0.24, 1.6, 32
std::string short_number(double value) {
    if (value >= 10 || value == std::floor(value)) return number(value + 0.05);
    std::string text = std::to_string(value);
    return text.substr(0, text.find('.') + (value < 1 ? 3 : 2));
}

// A metric of the launch; nothing: this backend does not count it.
std::optional<double> counted(const lab::Kernel& kernel, const std::string& metric) {
    const auto found = kernel.metrics.find(metric);
    if (found == kernel.metrics.end()) return std::nullopt;
    return found->second;
}

// One of the four functions, and what its kernel has to reach where the sizes are multiples of its tile.
struct Rung {
    const char* function;
    int rows, columns, step;  // of a block's part of C, and how far it goes along k at once
    double served;            // multiply-adds for each float of global memory
    double lanes_served;      // multiply-adds for each shared wavefront; 0: it uses none
    bool loads_four;
};
constexpr Rung naive{"multiply_naive", 32, 32, 1, 0, 0, false};
constexpr Rung coalesced{"multiply_coalesced", 32, 32, 1, 0, 0, false};
constexpr Rung tiled{"multiply_tiled", 32, 32, 32, 32, 16, false};
constexpr Rung blocked{"multiply_blocked", 128, 128, 8, 128, 128, true};

bool is_whole(const Rung& rung, const Problem& p) {
    return p.m % rung.rows == 0 && p.n % rung.columns == 0 && p.k % rung.step == 0;
}

lesson_18::Words words_for(const lab::Finding& finding, const Problem& p, int step) {
    if (finding.kind == "misaligned") return lesson_18::words_for_alignment(finding, p);
    if (finding.kind == "oob-shared")
        return {"The kernel went past the end of a tile.",
                "The inner loop runs over what a step has fetched: 32 columns of a tile in the tiled kernel, "
                "`depth` "
                "lines in the blocked one. The outer loop goes on until k."};
    if (finding.kind == "oob-global") {
        const lesson_18::Words words = lesson_18::words_for_place(finding, p, step);
        if (!words.what.empty()) return words;
        return {"The kernel went past the end of a matrix.",
                "Ask before each load: is the row inside, and the column, too? In A columns end at k, in B "
                "rows do."};
    }
    if (finding.kind != "uninit-shared") return {};
    constexpr int width = lesson_18::side + 4;
    if (step == lesson_18::depth && finding.buffer == "a" && finding.element % width >= lesson_18::side)
        return {"A thread read the four floats of padding behind a line of A's tile.",
                "Your eight rows begin at my_row: eight_from takes four there and four more half a side "
                "further on."};
    return {"A product takes an element of a tile that nobody has filled.",
            "Each thread fills its place in every step, with 0 where the tile sticks out of the matrix; then "
            "__syncthreads(), then the sums."};
}

// True if it said what is wrong: then a comparison of values would only repeat it.
bool told_about_findings(lab::Trial& trial, const Problem& p, int step) {
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "shared-race" || !finding.other) continue;
        const bool too_early = finding.other->action == "wrote";
        const int writes = too_early ? finding.other->at.line : finding.at.line,
                  reads = too_early ? finding.at.line : finding.other->at.line;
        lab::fail(trial,
                  too_early ? "Line " + number(reads) + " reads a tile that line " + number(writes) +
                                  " fills, and nobody waits until all threads have filled theirs."
                            : "Line " + number(writes) + " fills a tile again while line " + number(reads) +
                                  " may still read the last one.",
                  "Each step has two waits: one __syncthreads() between filling and reading, one between "
                  "reading and filling again.",
                  LAB_HERE);
        return true;
    }
    for (const lab::Finding& finding : trial.findings()) {
        const lesson_18::Words words = words_for(finding, p, step);
        if (words.what.empty()) continue;
        lab::fail(trial, words.what, words.next, LAB_HERE);
        return true;
    }
    return false;
}

bool told_why(lab::Trial& trial, std::span<const float> got, const Problem& p, int step) {
    if (!trial.ended_well() || trial.returned() != 0) return false;
    const std::vector<float> right = p.product();
    if (std::equal(got.begin(), got.end(), right.begin())) return false;
    size_t first = 0;
    while (got[first] == right[first]) ++first;
    const auto tell = [&](const char* cause, const char* next) {
        lab::fail(trial,
                  "c[" + std::to_string(first) + "], row " + number(double(first / size_t(p.n))) +
                      ", column " + number(double(first % size_t(p.n))) + ", is " + number(got[first]) +
                      ", expected " + number(right[first]) + ". " + cause,
                  next, LAB_HERE);
        return true;
    };
    for (const Guess& guess : lesson_18::guesses(p, step))
        if (guess.values != right && std::equal(got.begin(), got.end(), guess.values.begin()))
            return tell(guess.cause, guess.next);
    const lesson_18::Slip* slip = lesson_18::slip_behind(got, p, step);
    return slip != nullptr && tell(slip->cause, slip->next);
}

// What a kernel fetched from global memory, where its tiles fit the matrices.
bool fetches_enough(lab::Trial& trial, const lab::Kernel& kernel, const Rung& rung, const Problem& p) {
    const std::optional<double> sectors = counted(kernel, "global_load_sectors"),
                                requests = counted(kernel, "global_load_requests");
    if (!sectors || !requests || rung.served == 0) return true;
    constexpr double floats_of_a_sector = 8, lanes = 32;
    const double least = 2 * p.multiply_adds() / rung.served / floats_of_a_sector;
    const double floats_a_lane = rung.loads_four ? 4 : 1;
    const double served = 2 * p.multiply_adds() / (*sectors * floats_of_a_sector);
    if (*sectors <= least && *requests <= least * floats_of_a_sector / lanes / floats_a_lane) return true;
    std::string next =
        "Each float that the block fetches goes to shared memory once a step and is read there by all that "
        "need it.";
    if (rung.loads_four && *requests >= 2 * least * floats_of_a_sector / lanes / floats_a_lane)
        next =
            "load_four is called by lanes whose floats lie 16 bytes apart. Four loads of 4 bytes go to each "
            "of their "
            "sectors four times; one float4 takes a sector's halves at once, and then it returns: nothing is "
            "left to load.";
    lab::fail(trial,
              kernel.name + " made " + number(*requests) + " requests and fetched " + number(*sectors) +
                  " sectors: each float of them serves " + short_number(served) +
                  " multiply-adds, and could serve " + number(rung.served) + " (" + number(least) +
                  " sectors).",
              next, LAB_HERE);
    return false;
}

// C is written once; with store_four by 16 bytes a lane.
bool stores_enough(lab::Trial& trial, const lab::Kernel& kernel, const Rung& rung, const Problem& p) {
    const std::optional<double> sectors = counted(kernel, "global_store_sectors");
    const double least = double(p.m) * p.n / 8;
    if (!sectors || rung.served == 0 || *sectors <= least) return true;
    lab::fail(trial,
              kernel.name + " stores C in " + number(*sectors) + " sectors; " + number(least) +
                  " are enough for " + number(double(p.m) * p.n) + " floats.",
              rung.loads_four
                  ? "store_four, too: one float4 where four floats went one by one, and then it returns."
                  : "Each element is stored once, after the last step, by lanes that are "
                    "neighbours in a row of C.",
              LAB_HERE);
    return false;
}

// How it reads and fills its tiles.
void expect_shared_costs(lab::Trial& trial, const lab::Kernel& kernel, const Rung& rung, const Problem& p) {
    if (rung.lanes_served == 0) return;
    for (const char* op : {"load", "store"}) {
        const double conflicts = counted(kernel, std::string("shared_") + op + "_conflicts").value_or(0);
        if (conflicts == 0) continue;
        lab::fail(trial,
                  kernel.name + " has " + number(conflicts) + " bank conflicts in its shared " + op + "s.",
                  std::string_view(op) == "load"
                      ? "Neighbouring lanes should read neighbouring words of a row, or all the same word. A "
                        "column of a tile of "
                        "32 lies in one bank."
                      : "Lanes of a warp store below each other. Rows of 128 words begin in the same bank: 4 "
                        "words more a row "
                        "move them apart.",
                  LAB_HERE);
        return;
    }
    const double wavefronts = counted(kernel, "shared_load_wavefronts").value_or(0);
    const double most = p.multiply_adds() / rung.lanes_served;
    if (wavefronts <= most) return;
    lab::fail(
        trial,
        kernel.name + " reads shared memory in " + number(wavefronts) + " wavefronts; " + number(most) +
            " are enough for its " + number(p.multiply_adds()) + " multiply-adds.",
        "Take what a thread needs for a step into variables once, and use each of them as often as it is "
        "needed: eight "
        "floats of A and eight of B make 64 products.",
        LAB_HERE);
}

void expect_costs(lab::Trial& trial, const lab::Kernel& kernel, const Rung& rung, const Problem& p) {
    if (!is_whole(rung, p)) return;
    if (fetches_enough(trial, kernel, rung, p) && stores_enough(trial, kernel, rung, p))
        expect_shared_costs(trial, kernel, rung, p);
}

void expect_product(const Rung& rung, int m, int n, int k) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const Problem p(m, n, k);
    lab::Trial trial;
    auto a = trial.input("a", p.a);
    auto b = trial.input("b", p.b);
    auto c = trial.output<float>("c", size_t(m) * size_t(n));
    trial.rows(a, size_t(k)).rows(b, size_t(n)).rows(c, size_t(n));
    trial.play([&](lab::Player& player) {
        return player.call<Multiply>(rung.function, player.device(a), player.device(b), player.device(c), m,
                                     n, k);
    });
    const std::vector<float> right = p.product();
    trial.reference(c, right);
    if (told_about_findings(trial, p, rung.step)) return;
    LAB_EXPECT_OK(trial);
    if (told_why(trial, trial.values(c), p, rung.step)) return;
    LAB_EXPECT_EACH(trial, c, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches()) expect_costs(trial, kernel, rung, p);
}

// All four, one after the other.
void expect_ladder(int m, int n, int k) {
    constexpr const Rung* rungs[] = {&naive, &coalesced, &tiled, &blocked};
    constexpr const char* outputs[] = {"c_naive", "c_coalesced", "c_tiled", "c_blocked"};
    constexpr size_t count = std::size(rungs);
    const Problem p(m, n, k);
    lab::Trial trial;
    trial.orders({lab::Order::forward});  // the cases of each have both
    auto a = trial.input("a", p.a);
    auto b = trial.input("b", p.b);
    std::vector<lab::Array<float>> c;
    for (const char* name : outputs) c.push_back(trial.output<float>(name, size_t(m) * size_t(n)));
    trial.rows(a, size_t(k)).rows(b, size_t(n));
    for (const lab::Array<float>& one : c) trial.rows(one, size_t(n));
    trial.play([&](lab::Player& player) {
        for (size_t i = 0; i < count; ++i) {
            const int failed = player.call<Multiply>(rungs[i]->function, player.device(a), player.device(b),
                                                     player.device(c[i]), m, n, k);
            if (failed != 0) return failed;
        }
        return 0;
    });
    const std::vector<float> right = p.product();
    const auto faulty = trial.launches().empty() ? count - 1 : std::min(trial.launches().size(), count) - 1;
    if (told_about_findings(trial, p, rungs[faulty]->step)) return;  // the last one that ran
    LAB_EXPECT_OK(trial);
    for (const lab::Array<float>& one : c) LAB_EXPECT_EACH(trial, one, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    if (trial.launches().size() != count) return;
    for (size_t i = 0; i < count; ++i) expect_costs(trial, trial.launches()[i], *rungs[i], p);
}

}  // namespace

TEST_CASE("Tiled: 3 x 4 times 4 x 5, one tile that is nearly empty") {
    expect_product(tiled, 3, 5, 4);
}

TEST_CASE("Tiled: 64 x 64 times 64 x 64, where each float serves 32 multiply-adds") {
    expect_product(tiled, 64, 64, 64);
}

TEST_CASE("Tiled: 40 x 70 times 70 x 50, with tiles that stick out everywhere") {
    expect_product(tiled, 40, 50, 70);
}

TEST_CASE("Tiled: a row times a column, a column times a row, and sizes of 31 and 33") {
    expect_product(tiled, 1, 1, 100);
    expect_product(tiled, 33, 31, 1);
    expect_product(tiled, 31, 33, 33);
}

TEST_CASE("Blocked: 3 x 4 times 4 x 5") {
    expect_product(blocked, 3, 5, 4);
}

TEST_CASE("Blocked: 128 x 32 times 32 x 256, where each float serves 128 multiply-adds") {
    expect_product(blocked, 128, 256, 32);
}

TEST_CASE("Blocked: 130 x 20 times 20 x 140, with tiles that stick out everywhere") {
    expect_product(blocked, 130, 140, 20);
}

TEST_CASE("Blocked: rows that are no multiple of 4 floats") {
    expect_product(blocked, 30, 41, 12);
    expect_product(blocked, 9, 12, 19);
    expect_product(blocked, 129, 131, 9);
    expect_product(blocked, 10, 42, 22);
}

TEST_CASE("All four: 128 x 32 times 32 x 128") {
    expect_ladder(128, 128, 32);
}

LAB_EXPERIMENT("All four at the sizes that you chose")(const lab::Settings& at) {
    expect_ladder(at["m"], at["n"], at["k"]);
}

TEST_SUITE_END();
