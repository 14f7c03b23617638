// What exercise 15 must do. Three hand-overs: to one block, from all blocks to the last one, and from each block to the next.
#include <string>
#include <utility>

#include "lessons/15_memory_model/grader_words.h"
#include "lessons/15_memory_model/interface.h"

TEST_SUITE_BEGIN("15_memory_model");

namespace {

using namespace lab::lesson_15_memory_model;

constexpr size_t warp = 32;
constexpr int out_before = -7;
// Far above what a right program takes; one that waits in vain ends soon.
constexpr uint64_t patience = uint64_t{1} << 22;

bool went_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

const lab::Finding* first_error(const lab::Trial& trial) {
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse})
        for (const lab::Finding& finding : trial.findings(order))
            if (finding.severity == lab::Severity::error) return &finding;
    return nullptr;
}

// The machine's sentence with what it means here; false: nothing to add.
bool told_what_it_means(lab::Trial& trial, const lab::Finding& finding) {
    const Advice* advice = advice_for(finding);
    if (advice == nullptr) return false;
    lab::fail(trial, std::string(advice->what) + finding.message + ".",
              advice->next.empty() ? finding.fix : std::string(advice->next), LAB_HERE);
    return true;
}

// False: there is a finding, and the case has failed with it. A wrong number would only repeat it.
bool is_clean(lab::Trial& trial) {
    if (const lab::Finding* finding = first_error(trial)) {
        if (!told_what_it_means(trial, *finding)) LAB_EXPECT_CLEAN(trial);
        return false;
    }
    LAB_EXPECT_OK(trial);
    return went_well(trial);
}

// n numbers from 1 to 997 that look like no row: each part of them has a sum of its own, and floats hold the sums exactly.
std::vector<int> mixed(size_t n) {
    std::vector<int> values(n);
    uint32_t random = 15;
    for (int& value : values) {
        random = random * 1664525u + 1013904223u;
        value = static_cast<int>((random >> 8) % 997) + 1;
    }
    return values;
}

// ---- the letter ----

void expect_letter(size_t n) {
    CAPTURE(n);
    const std::vector<int> numbers = mixed(n);
    lab::Trial trial;
    trial.steps(patience);
    auto in = trial.input("in", numbers);
    auto letter = trial.output<int>("letter", n);
    auto flag = trial.inout("flag", std::vector<int>{0});
    auto out = trial.output<int>("out", n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(pass_letter)>("pass_letter", player.device(in), static_cast<int>(n),
                                                  player.device(letter), player.device(flag),
                                                  player.device(out));
    });
    if (!is_clean(trial)) return;
    LAB_EXPECT_EACH(trial, letter, [&](size_t i) { return 3 * numbers[i]; });
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return 3 * numbers[i] + 1; });
    LAB_EXPECT_EACH(trial, flag, [](size_t) { return 1; });
}

// ---- the sum ----

// One call after the other, with the same counter; of each the sum.
void expect_sums(size_t n, int blocks, size_t calls) {
    CAPTURE(n);
    CAPTURE(blocks);
    const std::vector<int> whole = mixed(n);
    const auto right = static_cast<float>(sum_of_blocks(whole, blocks, [](size_t) { return true; }));
    lab::Trial trial;
    trial.steps(patience);
    auto in = trial.input("in", std::vector<float>(whole.begin(), whole.end()));
    auto partials = trial.output<float>("partials", static_cast<size_t>(blocks), lab::Unwritten::is_allowed);
    auto done = trial.inout("done", std::vector<unsigned>{0});
    auto sums = trial.inout("sums", std::vector<float>(calls, sum_before));
    trial.play([&](lab::Player& player) {
        int status = 0;
        for (size_t call = 0; call < calls && status == 0; ++call)
            status = player.call<decltype(sum_once)>("sum_once", player.device(in), static_cast<int>(n),
                                                     player.device(partials), player.device(done),
                                                     player.device(sums) + call, blocks);
        return status;
    });
    if (!is_clean(trial)) return;
    const unsigned left = trial.values(done)[0];
    for (size_t call = 0; call < calls && went_well(trial); ++call)
        for (const lab::Order order : {lab::Order::forward, lab::Order::reverse}) {
            const float got = trial.values(sums, order)[call];
            if (got == right) continue;
            Words words = words_for_sum(got, whole, blocks);
            if (call > 0 && left != 0) words = words_for_the_counter(trial.values(done, order)[0]);
            if (words.what.empty()) break;
            lab::fail(trial,
                      "The sum of call " + std::to_string(call + 1) + " is " +
                          lab::describe(static_cast<double>(got)) + ", expected " +
                          lab::describe(static_cast<double>(right)) + " (n = " + std::to_string(n) + ", " +
                          std::to_string(blocks) + " blocks). " + words.what,
                      words.next, LAB_HERE);
            return;
        }
    LAB_EXPECT_EACH(trial, sums, [&](size_t) { return right; });
    if (went_well(trial) && left != 0)
        lab::fail(trial, "The sum is right, and d_done holds " + std::to_string(left) + " afterwards.",
                  "The next call relies on a 0: let the last block set the counter back.", LAB_HERE);
    LAB_EXPECT_LAUNCHES(trial, ==, calls);
    LAB_EXPECT_METRIC(trial, "sum_kernel", "global_atomic_sectors", <=, static_cast<double>(calls) * blocks,
                      "One ticket a block is enough: let thread 0 take it, when the block's sum is stored.");
}

// ---- in order ----

// About every third is below zero.
std::vector<int> with_gaps(size_t n) {
    std::vector<int> values = mixed(n);
    for (int& value : values)
        if (value % 3 == 0) value = -value;
    return values;
}

struct Card {
    const char* profile;
    size_t room;  // of blocks of 32 threads at once; 0: more than any case launches
};
constexpr Card h200{"h200", 0}, rtx3060{"rtx3060", 28 * 16};

struct Kept {
    std::vector<int> numbers;
    size_t count = 0;
};

Kept kept_of(const std::vector<int>& values) {
    Kept kept;
    for (const int value : values)
        if (value >= 0) kept.numbers.push_back(value);
    kept.count = kept.numbers.size();
    kept.numbers.resize(values.size(), out_before);
    return kept;
}

// A deadlock in the row: true if it was told.
bool told_about_the_row(lab::Trial& trial, size_t blocks, size_t room) {
    const lab::Finding* finding = first_error(trial);
    if (finding == nullptr || finding->kind != "deadlock" || finding->buffer != "flags") return false;
    const Words words = words_for_the_row(*finding, blocks, room);
    lab::fail(trial, words.what, words.next, LAB_HERE);
    return true;
}

// 32 tickets a block, of which the lanes take it for granted that they follow each other.
void expect_one_ticket(lab::Trial& trial, unsigned next, size_t blocks) {
    if (next != warp * blocks) return;
    for (const lab::Kernel& kernel : trial.launches())
        for (const lab::LineCost& line : kernel.lines) {
            const auto sectors = line.metrics.find("global_atomic_sectors");
            const auto requests = line.metrics.find("global_atomic_requests");
            if (sectors == line.metrics.end() || requests == line.metrics.end()) continue;
            if (sectors->second < static_cast<double>(warp) * requests->second) continue;
            lab::fail(trial,
                      "In line " + std::to_string(line.at.line) +
                          " each of the 32 lanes draws a ticket of its own. Nobody promises that a warp's "
                          "tickets follow each other: another block may draw one between them, and then the "
                          "lanes do not agree on their number.",
                      "One ticket a block: lane 0 draws it, and __shfl_sync gives it to the others.",
                      LAB_HERE);
            return;
        }
}

void expect_kept(const std::vector<int>& values, const Card& card, int calls) {
    const size_t n = values.size(), blocks = (n + warp - 1) / warp;
    CAPTURE(n);
    lab::Trial trial;
    trial.card(card.profile).steps(patience);
    auto in = trial.input("in", values);
    auto out = trial.inout("out", std::vector<int>(n, out_before));
    auto count = trial.output<int>("count", 1);
    auto next = trial.inout("next", std::vector<unsigned>{12345});
    auto ends = trial.output<int>("ends", blocks, lab::Unwritten::is_allowed);
    auto flags = trial.output<int>("flags", blocks, lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        int status = 0;
        for (int call = 0; call < calls && status == 0; ++call)
            status = player.call<decltype(keep_in_order)>(
                "keep_in_order", player.device(in), static_cast<int>(n), player.device(out),
                player.device(count), player.device(next), player.device(ends), player.device(flags));
        return status;
    });
    if (told_about_the_row(trial, blocks, card.room) || !is_clean(trial)) return;
    const Kept kept = kept_of(values);
    LAB_EXPECT_EACH(trial, count, [&](size_t) { return static_cast<int>(kept.count); });
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return kept.numbers[i]; });
    if (went_well(trial)) expect_one_ticket(trial, trial.values(next)[0], blocks);
}

}  // namespace

TEST_CASE("A letter of 5 numbers, from block 0 to block 1") {
    expect_letter(5);
}

TEST_CASE("A letter of 100 numbers, written by four warps") {
    expect_letter(100);
}

TEST_CASE("One kernel: 700 numbers, 4 blocks") {
    expect_sums(700, 4, 1);
}

TEST_CASE("One kernel: three calls with the same counter") {
    expect_sums(700, 4, 3);
}

TEST_CASE("One kernel: 0 numbers, 1 number, one block, more blocks than numbers") {
    expect_sums(0, 3, 1);
    expect_sums(1, 1, 2);
    expect_sums(7, 9, 2);
}

TEST_CASE("One kernel: 130 blocks, more than a block has threads") {
    expect_sums(17000, 130, 1);
}

TEST_CASE("In order: 100 numbers, 4 blocks") {
    expect_kept(with_gaps(100), h200, 1);
}

TEST_CASE("In order: all, none, one, two calls") {
    expect_kept(std::vector<int>(64, 3), h200, 1);
    expect_kept(std::vector<int>(64, -3), h200, 1);
    expect_kept({0}, h200, 1);
    expect_kept(with_gaps(333), h200, 2);
}

TEST_CASE("In order: more blocks than the card has room for at once") {
    expect_kept(with_gaps(14600), rtx3060, 1);
}

LAB_EXPERIMENT("All three hand-overs, at the sizes that you chose")(const lab::Settings& at) {
    expect_letter(static_cast<size_t>(at["letter"]));
    expect_sums(static_cast<size_t>(at["n"]), at["blocks"], 2);
    expect_kept(with_gaps(static_cast<size_t>(at["n"])), h200, 1);
}

TEST_SUITE_END();
