// What exercise 07 must do: sums from a window that stays in registers, counts with an SM that is well filled, whatever card.
#include "lessons/07_registers_local/interface.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("07_registers_local");

namespace {

constexpr size_t lanes = 32;
constexpr double goal = 80;  // per cent of the warps that an SM can hold

using Numbers = std::vector<int>;

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

double metric_of(const lab::Kernel& kernel, const char* name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? 0 : found->second;
}

double warps_of(const lab::Kernel& kernel) {
    const auto warps = (kernel.block.x * kernel.block.y * kernel.block.z + lanes - 1) / lanes;
    return static_cast<double>(warps) * kernel.grid.x * kernel.grid.y * kernel.grid.z;
}

// The line with the most of a metric; 0: not known.
int line_of_most(const lab::Kernel& kernel, const char* metric) {
    int line = 0;
    double most = 0;
    for (const lab::LineCost& cost : kernel.lines) {
        const auto found = cost.metrics.find(metric);
        if (found == cost.metrics.end() || found->second <= most) continue;
        most = found->second;
        line = cost.at.line;
    }
    return line;
}

// Local memory is traffic like any other: a sector is a sector.
bool told_about_local_memory(lab::Trial& trial, const lab::Kernel& kernel, const char* next) {
    const double loaded = metric_of(kernel, "local_load_sectors");
    const double stored = metric_of(kernel, "local_store_sectors");
    if (loaded + stored == 0) return false;
    const int line = line_of_most(kernel, loaded > 0 ? "local_load_sectors" : "local_store_sectors");
    lab::fail(trial,
              kernel.name + " loads " + number(loaded) + " sectors from local memory and stores " +
                  number(stored) + (line > 0 ? ", most at line " + std::to_string(line) : std::string()) +
                  ": a local array has an index there that is only known when the kernel runs.",
              next, LAB_HERE);
    return true;
}

// A launch that the kernel's own promise rules out.
bool told_about_promise(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.message.find("__launch_bounds__") == std::string::npos) continue;
        lab::fail(
            trial, finding.message + ". The launch was refused, and no thread ran.",
            "The compiler gave out registers for blocks of the promised size. Raise the promise with the "
            "block, or tell cudaOccupancyMaxPotentialBlockSizeVariableSMem how far it may go.",
            LAB_HERE);
        return true;
    }
    return false;
}

// ---- part 1

Numbers samples(size_t count) {
    Numbers values(count);
    uint32_t random = 7;
    for (int& value : values) {
        random = random * 1664525u + 1013904223u;
        value = static_cast<int>((random >> 12) % levels);
    }
    return values;
}

Numbers sums_of(const Numbers& in, size_t channels, size_t length) {
    Numbers sums(in.size(), 0);
    for (size_t i = 0; i < in.size(); ++i)
        for (size_t k = 0; k < length && i >= k * channels; ++k) sums[i] += in[i - k * channels];
    return sums;
}

bool told_about_length(lab::Trial& trial, std::span<const int> got, const Numbers& in, size_t channels,
                       const Numbers& right) {
    if (std::equal(right.begin(), right.end(), got.begin())) return false;
    const size_t steps = in.size() / channels;
    for (size_t length = 1; length <= std::min<size_t>(steps, 2 * window_length); ++length) {
        const Numbers guess = sums_of(in, channels, length);
        if (guess == right || !std::equal(guess.begin(), guess.end(), got.begin())) continue;
        const auto wrong = std::mismatch(got.begin(), got.end(), right.begin()).first - got.begin();
        lab::fail(trial,
                  "out[" + std::to_string(wrong) + "] is " + std::to_string(got[size_t(wrong)]) +
                      ", expected " + std::to_string(right[size_t(wrong)]) + ". It is the sum of " +
                      (length >= steps ? "all samples so far" : "the last " + std::to_string(length)) +
                      ", not of the last " + std::to_string(window_length) + ".",
                  "Each step, one sample comes into the window and the oldest one leaves the sum.", LAB_HERE);
        return true;
    }
    return false;
}

void expect_window_costs(lab::Trial& trial, const lab::Kernel& kernel, size_t steps) {
    if (told_about_local_memory(trial, kernel,
                                "Let every index be a number once the loops are unrolled: shift the window "
                                "by one place a step in a loop "
                                "of a fixed length, and the oldest is always window[0]."))
        return;
    const double enough = warps_of(kernel) * static_cast<double>(steps);
    const double loads = metric_of(kernel, "global_load_requests");
    if (loads > enough)
        return lab::fail(trial,
                         kernel.name + " reads global memory " + number(loads) + " times; " + number(enough) +
                             " are enough for " + number(warps_of(kernel)) + " warps and " +
                             std::to_string(steps) + " steps: samples are read again.",
                         "A thread has seen its last samples. Keep them in the window.", LAB_HERE);
    const double shared =
        metric_of(kernel, "shared_load_wavefronts") + metric_of(kernel, "shared_store_wavefronts");
    if (shared > 0)
        lab::fail(trial,
                  kernel.name + " goes to shared memory " + number(shared) +
                      " times, for samples that no other thread wants.",
                  "Eight numbers fit in eight registers, which cost no trip at all.", LAB_HERE);
}

void expect_sums(size_t channels, size_t steps) {
    CAPTURE(channels);
    CAPTURE(steps);
    const Numbers values = samples(channels * steps);
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto out = trial.output<int>("out", values.size());
    trial.rows(in, channels).rows(out, channels);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(moving_sums)>("moving_sums", player.device(in),
                                                  static_cast<int>(channels), static_cast<int>(steps),
                                                  player.device(out));
    });
    LAB_EXPECT_OK(trial);
    const Numbers right = sums_of(values, channels, window_length);
    trial.reference(out, right);
    if (trial.ended_well() && trial.returned() == 0 && trial.findings().empty() &&
        told_about_length(trial, trial.values(out), values, channels, right))
        return;
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches()) expect_window_costs(trial, kernel, steps);
}

// ---- part 2

Numbers class_table() {
    Numbers table(levels);
    for (int s = 0; s < levels; ++s)
        table[size_t(s)] = s * 5 / 3 % (classes - 1);  // the last class stays empty
    return table;
}

// What fills the SM first, and what to make of it.
struct Limit {
    const char* metric;
    const char* what;
    const char* next;
};
constexpr Limit limits[] = {
    {"occupancy_limit_warps", "its places for threads",
     "A block is on an SM whole or not at all, so a large one leaves places empty that it does not divide. "
     "Try a smaller "
     "one."},
    {"occupancy_limit_blocks", "its places for blocks",
     "Each block is too small to fill a place's share: try a larger one."},
    {"occupancy_limit_registers", "its registers",
     "A thread takes too many registers for that many threads: promise larger blocks, or more of them, in "
     "__launch_bounds__."},
    {"occupancy_limit_shared_mem", "its shared memory",
     "Every block has a table of its own. In a larger block more threads share one; too large a block leaves "
     "a rest "
     "that no further block fits in. Compare the sizes in the panel, or ask "
     "cudaOccupancyMaxPotentialBlockSizeVariableSMem."},
};

void expect_filled(lab::Trial& trial, const lab::Kernel& kernel, const std::string& card) {
    const auto known = kernel.metrics.find("occupancy_pct");
    if (known == kernel.metrics.end() || known->second >= goal) return;
    const Limit* least =
        std::min_element(std::begin(limits), std::end(limits), [&](const Limit& a, const Limit& b) {
            return metric_of(kernel, a.metric) < metric_of(kernel, b.metric);
        });
    const auto threads = kernel.block.x * kernel.block.y * kernel.block.z;
    const std::string blocks = number(metric_of(kernel, least->metric));
    lab::fail(trial,
              "On the card " + card + " an SM holds " + blocks + (blocks == "1" ? " block" : " blocks") +
                  " of " + std::to_string(threads) + " threads and " +
                  number(static_cast<double>(kernel.shared_bytes)) + " bytes of shared memory: " +
                  number(known->second) + " % of the warps that it has room for, and " + number(goal) +
                  " % are asked for. First it runs out of " + least->what + ".",
              least->next, LAB_HERE);
}

void expect_count_costs(lab::Trial& trial, const lab::Kernel& kernel, size_t steps) {
    if (told_about_local_memory(
            trial, kernel,
            "The sample decides which counter goes up, and nobody knows it before. Keep the "
            "counters in shared memory, in a column of each thread's own."))
        return;
    const double enough = warps_of(kernel) * static_cast<double>(steps) +
                          static_cast<double>(kernel.grid.x) * levels / static_cast<double>(lanes);
    const double loads = metric_of(kernel, "global_load_requests");
    if (loads <= enough) return;
    lab::fail(trial,
              kernel.name + " reads global memory " + number(loads) + " times; " + number(enough) +
                  " are enough: each sample once, and the table once a block.",
              "Let the block copy the table to shared memory first, and look the classes up there.",
              LAB_HERE);
}

// profile: empty for the card as it is.
void expect_counts(size_t channels, size_t steps, const std::string& profile) {
    CAPTURE(channels);
    CAPTURE(profile);
    const Numbers values = samples(channels * steps), table = class_table();
    lab::Trial trial;
    if (!profile.empty()) trial.card(profile).orders({lab::Order::forward});
    auto in = trial.input("in", values);
    auto class_of = trial.input("class_of", table);
    auto counts = trial.output<int>("counts", channels * classes);
    trial.rows(in, channels).rows(counts, channels);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(count_classes)>("count_classes", player.device(in),
                                                    static_cast<int>(channels), static_cast<int>(steps),
                                                    player.device(class_of), player.device(counts));
    });
    if (told_about_promise(trial)) return;
    LAB_EXPECT_OK(trial);
    Numbers right(channels * classes, 0);
    for (size_t i = 0; i < values.size(); ++i)
        ++right[static_cast<size_t>(table[static_cast<size_t>(values[i])]) * channels + i % channels];
    LAB_EXPECT_EACH(trial, counts, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches()) {
        expect_count_costs(trial, kernel, steps);
        if (!profile.empty()) expect_filled(trial, kernel, profile);
    }
}

}  // namespace

TEST_CASE("Three channels, twelve steps: the window fills, then slides") {
    expect_sums(3, 12);
}

TEST_CASE("256 channels, 40 steps: each sample read once, and no local memory") {
    expect_sums(256, 40);
}

TEST_CASE("Shorter than the window, and ragged: 1, 31, 33 and 129 channels") {
    expect_sums(2, 5);
    for (const size_t channels : {1, 31, 33, 129}) expect_sums(channels, 17);
}

TEST_CASE("Counts of 100 channels, 9 steps") {
    expect_counts(100, 9, "");
}

TEST_CASE("Counts of 1, 33 and 530 channels") {
    for (const size_t channels : {1, 33, 530}) expect_counts(channels, 5, "");
}

TEST_CASE("An H200 is filled") {
    expect_counts(512, 1, "h200");
}

TEST_CASE("A T4 is filled") {
    expect_counts(512, 1, "t4");
}

TEST_CASE("An RTX 3060 is filled, and an RTX 4090") {
    for (const char* card : {"rtx3060", "rtx4090"}) expect_counts(512, 1, card);
}

TEST_CASE("An A100 is filled, and an H100") {
    for (const char* card : {"a100", "h100"}) expect_counts(512, 1, card);
}

LAB_EXPERIMENT("Sums of as many channels and steps as you chose")(const lab::Settings& at) {
    expect_sums(static_cast<size_t>(at["channels"]), static_cast<size_t>(at["steps"]));
}

TEST_SUITE_END();
