// What exercise 17 must do. The smallest cases come first: their sums can be checked by hand.
#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "lessons/17_scan/grader_guesses.h"
#include "lessons/17_scan/grader_words.h"
#include "lessons/17_scan/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("17_scan");

namespace {

using namespace lab::lesson_17_scan;

constexpr size_t warp = 32;
std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

// A metric summed over all launches; nothing: this backend does not count it.
std::optional<double> counted(const lab::Trial& trial, const std::string& metric) {
    std::optional<double> sum;
    for (const lab::Kernel& kernel : trial.launches())
        if (const auto found = kernel.metrics.find(metric); found != kernel.metrics.end())
            sum = sum.value_or(0) + found->second;
    return sum;
}

bool went_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

// What the machine's own sentence does not know: what these threads were meant to do.
bool told_about_the_cause(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        for (const Advice& advice : advices) {
            if (!advice.kind.empty() && finding.kind != advice.kind) continue;
            if (advice.kind.empty() && !finding.kind.ends_with("-race")) continue;
            if (!advice.buffer.empty() && finding.buffer != advice.buffer) continue;
            if (finding.message.find(advice.part) == std::string::npos) continue;
            lab::fail(trial, advice.what + finding.message + ".", advice.next, LAB_HERE);
            return true;
        }
    }
    return false;
}

// `guesses`: what well-known slips would give.
void check_values(lab::Trial& trial, const lab::Array<int>& out, const Numbers& values,
                  const std::function<std::vector<Guess>()>& guesses) {
    const Numbers right = sums_before(values);
    trial.reference(out, right);
    if (went_well(trial) && trial.findings().empty())
        for (const lab::Order order : {lab::Order::forward, lab::Order::reverse}) {
            const std::span<const int> got = trial.values(out, order);
            if (std::equal(got.begin(), got.end(), right.begin())) continue;
            Cause cause = guessed(got, right, guesses());
            if (cause.what.empty()) cause = cause_of(got, right, values);
            if (cause.what.empty()) break;
            lab::fail(trial, cause.what, cause.next, LAB_HERE);
            return;
        }
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return right[i]; });
}

// One thread that adds up all numbers is right, and a block of one.
bool told_about_idle_threads(lab::Trial& trial, double most) {
    for (const lab::Kernel& kernel : trial.launches()) {
        const auto found = kernel.metrics.find("busiest_warp_accesses");
        if (found == kernel.metrics.end() || found->second <= most) continue;
        lab::fail(trial,
                  "One warp of " + kernel.name + " went to memory " + number(found->second) + " times; " +
                      number(most) + " are plenty where all threads share the work.",
                  "No thread should walk along the numbers. Double the step: 1, 2, 4, 8 ...", LAB_HERE);
        return true;
    }
    return false;
}

bool told_about_conflicts(lab::Trial& trial, double most) {
    const double conflicts = counted(trial, "shared_load_conflicts").value_or(0) +
                             counted(trial, "shared_store_conflicts").value_or(0);
    if (conflicts <= most) return false;
    const double wavefronts = counted(trial, "shared_load_wavefronts").value_or(0) +
                              counted(trial, "shared_store_wavefronts").value_or(0);
    lab::fail(trial,
              number(conflicts) + " of " + number(wavefronts) +
                  " turns at the banks of shared memory are conflicts: lanes of a warp want different "
                  "numbers of the same bank.",
              "Number i should stand at i + i / 32, everywhere, and the launch has to ask for the room.",
              LAB_HERE);
    return true;
}

void expect_steps(const Numbers& values, int threads) {
    CAPTURE(values.size());
    CAPTURE(threads);
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto out = trial.output<int>("out", values.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(scan_in_steps)>(
            "scan_in_steps", player.device(in), static_cast<int>(values.size()), threads, player.device(out));
    });
    if (told_about_the_cause(trial)) return;
    LAB_EXPECT_OK(trial);
    check_values(trial, out, values, [&] { return guesses_for_steps(values, static_cast<size_t>(threads)); });
    LAB_EXPECT_CLEAN(trial);
    told_about_idle_threads(trial, 50);
}

// A tree needs about a third of a request for each number.
bool told_about_too_much_work(lab::Trial& trial, size_t numbers) {
    const double requests = counted(trial, "shared_load_requests").value_or(0) +
                            counted(trial, "shared_store_requests").value_or(0);
    const double most = 0.5 * static_cast<double>(numbers);
    if (requests <= most) return false;
    lab::fail(trial,
              "The warps went to shared memory " + number(requests) + " times for " +
                  number(static_cast<double>(numbers)) + " numbers; a tree needs fewer than " + number(most) +
                  ".",
              "Upwards, half of the threads drop out with each step; downwards, they come back. Number the "
              "threads so that those at work are the first of the block.",
              LAB_HERE);
    return true;
}

void expect_sweeps(const Numbers& values, int threads) {
    CAPTURE(values.size());
    CAPTURE(threads);
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto out = trial.output<int>("out", values.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(scan_in_sweeps)>("scan_in_sweeps", player.device(in),
                                                     static_cast<int>(values.size()), threads,
                                                     player.device(out));
    });
    if (told_about_the_cause(trial)) return;
    LAB_EXPECT_OK(trial);
    check_values(trial, out, values,
                 [&] { return guesses_for_sweeps(values, 2 * static_cast<size_t>(threads)); });
    LAB_EXPECT_CLEAN(trial);
    if (values.size() < 1000 || told_about_idle_threads(trial, 160)) return;
    if (told_about_too_much_work(trial, values.size())) return;
    told_about_conflicts(trial, 8);
}

// Each number is read and written twice by tiles and a carry, once by a look back; a sum a tile comes on top.
void expect_traffic(lab::Trial& trial, size_t n) {
    const size_t launches = trial.launches().size();
    if (launches == 0 || told_about_conflicts(trial, 64)) return;
    const bool once = launches == 1;
    if (once && trial.launches().front().grid == lab::Dim3{}) {
        lab::fail(trial, "One block scanned all " + number(static_cast<double>(n)) + " numbers.",
                  "The card has many multiprocessors. Let each block scan a tile of its own.", LAB_HERE);
        return;
    }
    if (!once && told_about_idle_threads(trial, 100)) return;
    const double each = static_cast<double>((n + 7) / 8);
    const double most = (once ? 1.25 : 2.5) * each;
    for (const auto& [metric, verb] :
         {std::pair{"global_load_sectors", "read"}, {"global_store_sectors", "wrote"}}) {
        const double sectors = counted(trial, metric).value_or(0);
        if (sectors <= most) continue;
        lab::fail(
            trial,
            "The launches " + std::string(verb) + " " + number(sectors) + " sectors; the numbers lie in " +
                number(each) + ", and " + number(most) + " are enough.",
            once ? "A single pass reads each number once, keeps it in a register, and writes one result."
                 : "Read each number once for its tile and once for the carry; the sums of the tiles "
                   "are few.",
            LAB_HERE);
        return;
    }
}

void expect_scan(const Numbers& values, int threads, bool is_counted = false) {
    CAPTURE(values.size());
    CAPTURE(threads);
    lab::Trial trial;
    trial.raise("leak").steps(uint64_t{1} << 22);
    auto in = trial.input("in", values);
    auto out = trial.output<int>("out", values.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(scan)>("scan", player.device(in), static_cast<int>(values.size()),
                                           threads, player.device(out));
    });
    if (told_about_the_cause(trial)) return;
    LAB_EXPECT_OK(trial);
    check_values(trial, out, values, [&] { return guesses_for_tiles(values, static_cast<size_t>(threads)); });
    LAB_EXPECT_CLEAN(trial);
    if (is_counted && went_well(trial)) expect_traffic(trial, values.size());
}

void expect_nothing_to_scan() {
    lab::Trial trial;
    trial.raise("leak").kernels_optional();
    auto in = trial.input("in", Numbers{5});
    auto out = trial.inout("out", Numbers{-1});
    trial.play([&](lab::Player& player) {
        return player.call<decltype(scan)>("scan", player.device(in), 0, 256, player.device(out));
    });
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "launch-config") continue;
        lab::fail(
            trial,
            "With no numbers there are no tiles, and a grid of 0 blocks is refused: " + finding.message + ".",
            "Return before the launch where n is 0.", LAB_HERE);
        return;
    }
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_EACH(trial, out, [](size_t) { return -1; });
    LAB_EXPECT_CLEAN(trial);
}

// The three ways in one run, so that they can be compared.
void expect_all(const Numbers& values) {
    CAPTURE(values.size());
    const int n = static_cast<int>(values.size());
    const int threads = std::max(2, static_cast<int>(std::bit_ceil(values.size())));
    lab::Trial trial;
    trial.steps(uint64_t{1} << 22);
    auto in = trial.input("in", values);
    auto by_steps = trial.output<int>("by_steps", values.size());
    auto by_sweeps = trial.output<int>("by_sweeps", values.size());
    auto by_tiles = trial.output<int>("by_tiles", values.size());
    trial.play([&](lab::Player& player) {
        int failed = player.call<decltype(scan_in_steps)>("scan_in_steps", player.device(in), n, threads,
                                                          player.device(by_steps));
        if (failed == 0)
            failed = player.call<decltype(scan_in_sweeps)>("scan_in_sweeps", player.device(in), n,
                                                           threads / 2, player.device(by_sweeps));
        if (failed != 0) return failed;
        return player.call<decltype(scan)>("scan", player.device(in), n, 32, player.device(by_tiles));
    });
    if (told_about_the_cause(trial)) return;
    LAB_EXPECT_OK(trial);
    const auto count = static_cast<size_t>(threads);
    check_values(trial, by_steps, values, [&] { return guesses_for_steps(values, count); });
    check_values(trial, by_sweeps, values, [&] { return guesses_for_sweeps(values, count); });
    check_values(trial, by_tiles, values, [&] { return guesses_for_tiles(values, warp); });
    LAB_EXPECT_CLEAN(trial);
}

// n numbers from 1 to 99; with them, no two sums are alike.
Numbers positive(size_t n) {
    Numbers values(n);
    uint32_t random = 17;
    for (int& value : values) {
        random = random * 1664525u + 1013904223u;
        value = 1 + static_cast<int>((random >> 8) % 99);
    }
    return values;
}

// Some below zero, some of them large.
Numbers mixed(size_t n) {
    Numbers values = positive(n);
    for (size_t i = 0; i < n; ++i)
        if (i % 3 == 1) values[i] *= i % 2 == 0 ? -1000 : -1;
    return values;
}

const Numbers eight{4, 2, 7, 1, 3, 5, 2, 6};

}  // namespace

TEST_CASE("Steps: eight numbers by eight threads") {
    expect_steps(eight, 8);
}

TEST_CASE("Steps: 32 numbers by a warp, and one number") {
    expect_steps(positive(32), 32);
    expect_steps({7}, 2);
}

TEST_CASE("Steps: 64 numbers, 100 by 128 threads, 1000 by 1024") {
    expect_steps(positive(64), 64);
    expect_steps(mixed(100), 128);
    expect_steps(positive(1000), 1024);
}

TEST_CASE("Sweeps: eight numbers by four threads") {
    expect_sweeps(eight, 4);
}

TEST_CASE("Sweeps: one number, 5 by four threads, 64 by 32, 100 by 64") {
    expect_sweeps({7}, 1);
    expect_sweeps(positive(5), 4);
    expect_sweeps(positive(64), 32);
    expect_sweeps(mixed(100), 64);
}

TEST_CASE("Sweeps: 1024 numbers by 512 threads, without bank conflicts") {
    expect_sweeps(positive(1024), 512);
}

TEST_CASE("Scan: 64 numbers, two warps of a block") {
    expect_scan(positive(64), 64);
}

TEST_CASE("Scan: no numbers, and one") {
    expect_nothing_to_scan();
    expect_scan({42}, 64);
}

TEST_CASE("Scan: 150 numbers by blocks of 64, and around the ends of tiles (63, 65, 128, 129)") {
    expect_scan(positive(150), 64);
    for (const size_t n : {63, 65, 128, 129}) expect_scan(mixed(n), 64);
}

TEST_CASE("Scan: 8224 numbers by blocks of 32, more sums than a block has threads") {
    expect_scan(positive(8224), 32);
}

TEST_CASE("Scan: 2000 numbers by blocks of 1024") {
    expect_scan(positive(2000), 1024);
}

TEST_CASE("Scan: 20000 numbers by blocks of 256, each read twice at most") {
    expect_scan(positive(20000), 256, true);
}

LAB_EXPERIMENT("Three scans of as many numbers as you chose")(const lab::Settings& at) {
    expect_all(positive(static_cast<size_t>(at["n"])));
}

TEST_SUITE_END();
