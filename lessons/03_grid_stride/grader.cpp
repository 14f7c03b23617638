// What exercise 03 must do. The smallest cases come first, as ever. All values are whole numbers that a float holds
// exactly, so that how often an element was taken can be counted from what is left there.
#include "lessons/03_grid_stride/interface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("03_grid_stride");

namespace {

constexpr float a = 3;

float x_of(size_t i) {
    return static_cast<float>(i % 1000 + 1);
}
float y_of(size_t i) {
    return static_cast<float>(i % 4093);
}
float right_at(size_t i) {
    return a * x_of(i) + y_of(i);
}

template <class Value>
std::vector<float> values_of(size_t count, Value value) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = value(i);
    return values;
}

std::string number(size_t value) {
    return std::to_string(value);
}
std::string counted(size_t count, const std::string& one) {
    return number(count) + " " + one + (count == 1 ? "" : "s");
}
std::string range_of(size_t first, size_t last) {
    return first == last ? "y[" + number(first) + "]" : "y[" + number(first) + ".." + number(last) + "]";
}

struct Launch {
    size_t blocks = 0, threads_per_block = 0;  // both 0: not one launch
    size_t threads() const { return blocks * threads_per_block; }
};
Launch launch_of(const lab::Trial& trial) {
    if (trial.launches().size() != 1) return {};
    const lab::Kernel& kernel = trial.launches().front();
    return {size_t{kernel.grid.x} * kernel.grid.y * kernel.grid.z,
            size_t{kernel.block.x} * kernel.block.y * kernel.block.z};
}

// How often an element of a part that begins at 0 was taken, told from the value it was left with; -1: it holds
// something else.
int times_taken(float got, size_t i) {
    const float times = (got - y_of(i)) / (a * x_of(i));
    return times >= 0 && times == std::floor(times) && times < 1e6f ? static_cast<int>(times) : -1;
}

// Elements that no thread took. True: said.
bool told_about_the_rest(lab::Trial& trial, std::span<const float> got, const Launch& launch) {
    size_t first = got.size(), last = 0, count = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        if (times_taken(got[i], i) != 0) continue;
        if (count++ == 0) first = i;
        last = i;
    }
    if (count == 0) return false;
    const std::string holes =
        last - first + 1 == count
            ? range_of(first, last) + (count == 1 ? " still holds" : " still hold")
            : number(count) + " elements, the first is y[" + number(first) + "], still hold";
    std::string message = holes + " what it held before: no thread took " + (count == 1 ? "it." : "them.");
    if (count > 1) message.replace(message.find("it held"), 7, "they held");
    std::string next =
        "A thread's first element is first + its global index; the next one lies as many further on as the "
        "grid has threads.";
    if (trial.launches().empty()) {
        next =
            "Launch saxpy_kernel. It works with any grid; which one is right for the card, the card knows.";
    } else if (count == got.size()) {
        next = "Let a kernel do it: y[i] = a * x[i] + y[i].";
    } else if (first == launch.threads() && last + 1 == got.size()) {
        message += " The grid has " + counted(launch.threads(), "thread") + ", and each took one element.";
        next = "Make the if a loop: go on with i += blockDim.x * gridDim.x while i < last.";
    }
    lab::fail(trial, message, next, LAB_HERE);
    return true;
}

// Elements that several threads took. True: said.
bool told_about_repetition(lab::Trial& trial, std::span<const float> got, const Launch& launch) {
    for (size_t i = 0; i < got.size(); ++i) {
        const int times = times_taken(got[i], i);
        if (times < 2) continue;
        std::string next = "The stride is the number of threads of the whole grid: blockDim.x * gridDim.x.";
        const bool by_all = times == static_cast<int>(launch.blocks) && times_taken(got[0], 0) == times;
        if (by_all)
            next =
                "Every block took all of them. Start at the index in the whole grid, blockIdx.x * blockDim.x "
                "+ "
                "threadIdx.x, and go on by blockDim.x * gridDim.x.";
        lab::fail(trial,
                  "y[" + number(i) + "] was taken " + number(static_cast<size_t>(times)) + " times: it is " +
                      lab::describe_value(got[i]) + ", expected " + lab::describe_value(right_at(i)) + ".",
                  next, LAB_HERE);
        return true;
    }
    return false;
}

// Set by the first case. A kernel that is wrong in small need not be wrong a hundred thousand times: with a race that
// takes seconds.
bool kernel_is_wrong = false;

bool told_why(lab::Trial& trial, std::span<const float> got) {
    if (!trial.ended_well() || trial.returned() != 0) return false;
    const Launch launch = launch_of(trial);
    return told_about_repetition(trial, got, launch) || told_about_the_rest(trial, got, launch);
}

// The result does not show a launch of the learner's own, so look at it.
void expect_shape(lab::Trial& trial, int blocks, int threads_per_block) {
    for (const lab::Kernel& kernel : trial.launches()) {
        const lab::Dim3 grid = kernel.asked_grid.value_or(kernel.grid);
        if (grid == lab::Dim3{static_cast<unsigned>(blocks)} &&
            kernel.block == lab::Dim3{static_cast<unsigned>(threads_per_block)})
            continue;
        lab::fail(trial,
                  "The launch was <<<" + number(grid.x) + ", " + number(kernel.block.x) + ">>>, and <<<" +
                      std::to_string(blocks) + ", " + std::to_string(threads_per_block) +
                      ">>> was asked for.",
                  "Launch what the caller asks for; the kernel has to cope.", LAB_HERE);
        return;
    }
}

void check_all(lab::Trial& trial, const lab::Array<float>& y) {
    LAB_EXPECT_OK(trial);
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "infinite-loop")
            return LAB_EXPECT_CLEAN(trial);  // no count of takings explains it
    trial.reference(y, values_of(y.size(), right_at));
    if (told_why(trial, trial.values(y))) return;
    LAB_EXPECT_EACH(trial, y, right_at);
    LAB_EXPECT_CLEAN(trial);
}

void expect_saxpy(size_t n, int blocks, int threads_per_block) {
    CAPTURE(n);
    CAPTURE(blocks);
    CAPTURE(threads_per_block);
    lab::Trial trial;
    auto x = trial.input("x", values_of(n, x_of));
    auto y = trial.inout("y", values_of(n, y_of));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(saxpy)>("saxpy", a, player.device(x), player.device(y), size_t{0}, n,
                                            blocks, threads_per_block);
    });
    check_all(trial, y);
    expect_shape(trial, blocks, threads_per_block);
    const auto got = trial.values(y);
    for (size_t i = 0; i < n; ++i) kernel_is_wrong = kernel_is_wrong || got[i] != right_at(i);
}

// Elements first to last - 1 of arrays that are all there.
void expect_part(size_t n, size_t first, size_t last) {
    CAPTURE(first);
    CAPTURE(last);
    lab::Trial trial;
    auto x = trial.input("x", values_of(n, x_of));
    auto y = trial.inout("y", values_of(n, y_of));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(saxpy)>("saxpy", a, player.device(x), player.device(y), first, last, 3,
                                            32);
    });
    LAB_EXPECT_OK(trial);
    const auto got = trial.values(y);
    for (size_t i = 0; i < n && trial.ended_well(); ++i) {
        if ((i >= first && i < last) || got[i] == y_of(i)) continue;
        lab::fail(trial,
                  "y[" + number(i) + "] was changed, and the part is y[" + number(first) + ".." +
                      number(last - 1) + "].",
                  i < first ? "The first thread begins at first, not at 0."
                            : "A thread goes on only while i < last.",
                  LAB_HERE);
        return;
    }
    LAB_EXPECT_EACH(trial, y, [&](size_t i) { return i >= first && i < last ? right_at(i) : y_of(i); });
    LAB_EXPECT_CLEAN(trial);
}

template <class T>
T* element_0_of(T* part, size_t first) {
    return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(part) - first * sizeof(T));
}

// A part of arrays of which nothing else is in memory: 2000 elements around number `edge`. An index that is cut off
// there leads 16 GiB away, where nothing is. Some threads begin below the edge and some beyond.
void expect_far_part(size_t edge, const std::string& type) {
    const size_t first = edge - 100, last = edge + 1900;
    CAPTURE(first);
    CAPTURE(last);
    lab::Trial trial;
    // Such an address is taken for a host pointer, and the advice about those would lead the reader astray.
    trial.tolerate("host-pointer");
    auto x = trial.input("x", values_of(last - first, x_of));
    auto y = trial.inout("y", values_of(last - first, y_of));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(saxpy)>("saxpy", a, element_0_of(player.device(x), first),
                                            element_0_of(player.device(y), first), first, last, 3, 64);
    });
    if (kernel_is_wrong) return check_all(trial, y);
    const std::string keep = "Keep i, and all that it is made of, in size_t.";
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "host-pointer" && finding.kind != "oob-global") continue;
        return lab::fail(trial,
                         "Line " + std::to_string(finding.at.line) + " left the part, elements " +
                             number(first) + " to " + number(last - 1) +
                             " of the arrays: an index that is to pass " + number(edge - 1) +
                             " went through " + type + ", which ends there.",
                         keep, LAB_HERE);
    }
    const auto got = trial.values(y);
    const auto untaken = std::find_if(got.begin(), got.end(), [&](const float& value) {
        return times_taken(value, static_cast<size_t>(&value - got.data())) == 0;
    });
    if (trial.ended_well() && trial.returned() == 0 && untaken != got.end())
        return lab::fail(trial,
                         "Nobody took element " + number(first + static_cast<size_t>(untaken - got.begin())) +
                             " of the arrays. The part is elements " + number(first) + " to " +
                             number(last - 1) + ", and " + type + " ends at " + number(edge - 1) + ".",
                         keep, LAB_HERE);
    check_all(trial, y);
}

// 0: the launch has no such metric.
size_t metric_of(const lab::Kernel& kernel, const char* name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? size_t{0} : static_cast<size_t>(found->second);
}

// What neighbours in memory cost, and whether all blocks did their share.
void expect_shared_out(int blocks, int threads_per_block, size_t rounds) {
    const size_t n = rounds * static_cast<size_t>(blocks) * static_cast<size_t>(threads_per_block);
    lab::Trial trial;
    auto x = trial.input("x", values_of(n, x_of));
    auto y = trial.inout("y", values_of(n, y_of));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(saxpy)>("saxpy", a, player.device(x), player.device(y), size_t{0}, n,
                                            blocks, threads_per_block);
    });
    check_all(trial, y);
    if (!trial.ended_well() || trial.launches().size() != 1) return;
    const std::string kernel = trial.launches().front().name;
    LAB_EXPECT_METRIC(
        trial, kernel, "global_load_sectors", <=, 2 * n / 8,
        "Neighbours should take neighbours: a warp then reads 32 floats in 4 sectors. Let a thread go on "
        "by the whole grid, not by one element.");
    const size_t enough = 3 * rounds;  // in a round a warp makes two loads and a store
    const size_t most = metric_of(trial.launches().front(), "busiest_warp_accesses");
    if (most <= 2 * enough) return;
    lab::fail(
        trial,
        "The work is not shared out: the busiest warp made " + number(most) + " memory instructions, and " +
            number(enough) + " are enough for " + number(rounds) + " rounds of the whole grid.",
        "Let no block leave before the loop: start at the thread's index in the whole grid, and go on by "
        "blockDim.x * gridDim.x.",
        LAB_HERE);
}

// ---- the card's own grid

struct Card {
    size_t sms = 0, blocks_per_sm = 0;
    size_t at_once() const { return sms * blocks_per_sm; }
};
// Which card a launch ran on; empty where that is not known.
Card card_of(const lab::Kernel& kernel) {
    Card card;
    card.sms = metric_of(kernel, "sm_count");
    card.blocks_per_sm = metric_of(kernel, "occupancy_blocks");  // what a GPU itself says
    if (card.blocks_per_sm != 0) return card;
    card.blocks_per_sm = std::min(
        {metric_of(kernel, "occupancy_limit_warps"), metric_of(kernel, "occupancy_limit_blocks"),
         metric_of(kernel, "occupancy_limit_registers"), metric_of(kernel, "occupancy_limit_shared_mem")});
    return card;
}

void expect_the_cards_grid(lab::Trial& trial, size_t n, int threads_per_block) {
    const Launch launch = launch_of(trial);
    if (launch.blocks == 0) return LAB_EXPECT_LAUNCHES(trial, ==, 1);
    const Card card = card_of(trial.launches().front());
    const auto threads = static_cast<size_t>(threads_per_block);
    if (launch.threads_per_block != threads)
        return lab::fail(trial,
                         "The launch used blocks of " + counted(launch.threads_per_block, "thread") +
                             ", and was asked for blocks of " + number(threads) + ".",
                         "The second number between <<< and >>> is threads_per_block.", LAB_HERE);
    if (card.at_once() == 0 || n == 0) return;
    const size_t needed = (n + threads - 1) / threads, wanted = std::min(needed, card.at_once());
    if (launch.blocks == wanted) return;
    const std::string holds = "This card holds " + number(card.at_once()) + " blocks of " + number(threads) +
                              " threads at once, " + number(card.blocks_per_sm) + " on each of its " +
                              number(card.sms) + " multiprocessors";
    if (needed < card.at_once())
        return lab::fail(
            trial,
            "The launch has " + counted(launch.blocks, "block") + " for " + counted(n, "element") + "; " +
                number(needed) + (needed == 1 ? " gives" : " give") + " each element a thread.",
            "Take the smaller of two numbers: the blocks that n needs, rounded up, and those that the "
            "card holds.",
            LAB_HERE);
    lab::fail(
        trial, holds + ". The launch has " + counted(launch.blocks, "block") + ".",
        launch.blocks > wanted && launch.blocks == needed
            ? "More than that only wait for a place. The kernel copes with any grid: launch as many as fit."
            : "Ask: cudaDeviceGetAttribute for cudaDevAttrMultiProcessorCount, and "
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor for the blocks on one of them.",
        LAB_HERE);
}

void expect_on_card(const char* profile, size_t elements, int threads_per_block) {
    const size_t n = kernel_is_wrong ? std::min<size_t>(elements, 1000) : elements;
    CAPTURE(profile);
    CAPTURE(n);
    CAPTURE(threads_per_block);
    lab::Trial trial;
    trial.card(profile);
    if (n == 0) trial.kernels_optional();
    auto x = trial.input("x", values_of(n, x_of));
    auto y = trial.inout("y", values_of(n, y_of));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(saxpy_on_card)>("saxpy_on_card", a, player.device(x), player.device(y), n,
                                                    threads_per_block);
    });
    check_all(trial, y);
    if (trial.ended_well() && trial.returned() == 0 && !trial.launches().empty())
        expect_the_cards_grid(trial, n, threads_per_block);
}

}  // namespace

TEST_CASE("Three blocks of four threads, forty elements: each thread takes three or four") {
    expect_saxpy(40, 3, 4);
}

TEST_CASE("One thread alone does all of twenty elements") {
    expect_saxpy(20, 1, 1);
}

TEST_CASE("More threads than elements, and no element at all (n = 5 and 0, 4 blocks of 8)") {
    expect_saxpy(5, 4, 8);
    expect_saxpy(0, 4, 8);
}

TEST_CASE("Any grid and any block will do (n = 1000: 1 block of 1000, 7 of 48, 40 of 32, 100 of 1)") {
    expect_saxpy(1000, 1, 1000);
    expect_saxpy(1000, 7, 48);
    expect_saxpy(1000, 40, 32);
    expect_saxpy(1000, 100, 1);
}

TEST_CASE("A part in the middle: elements 100 to 699 of 1000, and the others stay as they are") {
    expect_part(1000, 100, 700);
    expect_part(1000, 400, 400);
}

TEST_CASE("All blocks work and neighbours take neighbours (16 blocks of 256, four rounds)") {
    expect_shared_out(16, 256, 4);
}

TEST_CASE("A part of long arrays: elements around number 2147483648, where an int ends") {
    expect_far_part(size_t{1} << 31, "an int");
}

TEST_CASE("A part of longer arrays: elements around number 4294967296, where an unsigned int ends") {
    expect_far_part(size_t{1} << 32, "32 bits");
}

TEST_CASE("A launch that CUDA refuses (2048 threads a block) comes back as an error") {
    lab::Trial trial;
    auto x = trial.input("x", values_of(1000, x_of));
    auto y = trial.inout("y", values_of(1000, y_of));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(saxpy)>("saxpy", a, player.device(x), player.device(y), size_t{0},
                                            size_t{1000}, 2, 2048);
    });
    LAB_EXPECT_ERROR(trial, 0);
    LAB_EXPECT_CLEAN(trial);
}

TEST_CASE("The card's own grid: 100000 elements in blocks of 256, on a T4") {
    expect_on_card("t4", 100000, 256);
}

TEST_CASE("Another card, another grid: 30000 elements in blocks of 1024, on an RTX 3060") {
    expect_on_card("rtx3060", 30000, 1024);
}

TEST_CASE("Small blocks: places run out before threads do (21000 elements in blocks of 32, on a T4)") {
    expect_on_card("t4", 21000, 32);
}

TEST_CASE("Few elements need few blocks (n = 1000, 1 and 0 in blocks of 256, on an H200)") {
    expect_on_card("h200", 1000, 256);
    expect_on_card("h200", 1, 256);
    expect_on_card("h200", 0, 256);
}

LAB_EXPERIMENT("SAXPY with the grid that you chose")(const lab::Settings& at) {
    expect_saxpy(static_cast<size_t>(at["n"]), at["blocks"], at["block"]);
}

TEST_SUITE_END();
