// What exercise 13 must do. The smallest cases come first: their lanes can be counted on fingers.
#include "lessons/13_warp_intrinsics/interface.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string_view>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("13_warp_intrinsics");

namespace {

constexpr size_t lanes = 32;
constexpr int untouched = -1;  // in d_out, before

using Numbers = std::vector<int>;

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

std::string at_line(const lab::Finding& finding) {
    return finding.at.line > 0 ? " at line " + std::to_string(finding.at.line) : "";
}

// A metric of the launch; nothing: this backend does not count it.
std::optional<double> counted(const lab::Kernel& kernel, const std::string& metric) {
    const auto found = kernel.metrics.find(metric);
    if (found == kernel.metrics.end()) return std::nullopt;
    return found->second;
}

double warps_of(const lab::Kernel& kernel) {
    const auto warps = (kernel.block.x * kernel.block.y * kernel.block.z + lanes - 1) / lanes;
    return static_cast<double>(warps) * kernel.grid.x * kernel.grid.y * kernel.grid.z;
}

// What the machine's own sentence does not know: what these lanes were meant to do together.
struct Advice {
    std::string_view part;  // of the machine's message
    const char* what;
    const char* next;
};
constexpr Advice advice_on_masks[] = {
    {"does not name its own lane", "A lane makes a call whose mask leaves it out.",
     "The mask names every lane that makes the call, itself as well: all 32 do, so it is 0xffffffff."},
    {"is elsewhere", "Lanes wait for others that the mask names and that never make this call.",
     "Take the call out of the condition: all lanes call, and the condition decides what they bring or "
     "keep."},
    {"is not in the mask", "A lane asks for the number of a lane that the mask does not name.",
     "All 32 lanes make the call here, so the mask is 0xffffffff; past the end a lane brings 0."},
    {"has left the kernel", "A lane asks for the number of a lane that went past this call and has left.",
     "Let no lane return early or skip the call: one past the end has 0 to add and keeps nothing, and still "
     "makes every call."},
};

// True if it said what is wrong: then a comparison of values would only repeat it.
bool told_about_lanes(lab::Trial& trial) {
    for (const Advice& advice : advice_on_masks) {
        for (const lab::Finding& finding : trial.findings()) {
            if (finding.kind != "shfl-mask" || finding.message.find(advice.part) == std::string::npos)
                continue;
            lab::fail(trial, std::string(advice.what) + " " + finding.message + ".", advice.next, LAB_HERE);
            return true;
        }
    }
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind == "warp-race" && finding.other) {
            if (finding.other->at.line == finding.at.line && finding.buffer == "sums") {
                lab::fail(trial,
                          "Several lanes of a warp write sums[" + std::to_string(finding.element) + "]" +
                              at_line(finding) + ": one of their values stays, and which is open.",
                          "One lane holds the sum of all after the last step. Let that lane alone store.",
                          LAB_HERE);
                return true;
            }
            lab::fail(trial,
                      "One lane leaves a value in memory at line " + std::to_string(finding.other->at.line) +
                          ", another of its warp uses it" + at_line(finding) +
                          ", and nothing orders the two: lanes of a warp need not be in step.",
                      "Hand the value over by a shuffle, which waits for both. (In memory it would take a "
                      "__syncwarp() between the lines.)",
                      LAB_HERE);
            return true;
        }
    }
    return false;
}

// Part 1 and 2 need no memory of the block.
bool told_about_shared_memory(lab::Trial& trial, const lab::Kernel& kernel) {
    double uses = 0;
    for (const char* op : {"load", "store", "atomic"})
        uses += counted(kernel, std::string("shared_") + op + "_requests").value_or(0);
    if (uses == 0) return false;
    lab::fail(trial,
              kernel.name + " goes to shared memory " + number(uses) +
                  " times. The lanes of a warp can read each other's registers.",
              "Replace the array by shuffles: no room to reserve, nothing to wait for.", LAB_HERE);
    return true;
}

struct Cost {
    const char* metric;
    double each;  // a warp may have so many
    const char* what;
    const char* next;
};

// `n`: how many numbers the kernel went through. A warp that takes several 32 of them may cost as much as several warps.
void expect_costs(lab::Trial& trial, const lab::Kernel& kernel, std::span<const Cost> costs, size_t n) {
    if (told_about_shared_memory(trial, kernel)) return;
    const double warps = std::max(warps_of(kernel), static_cast<double>((n + lanes - 1) / lanes));
    for (const Cost& cost : costs) {
        const double most = cost.each * warps;
        const double got = counted(kernel, cost.metric).value_or(0);
        if (got <= most) continue;
        lab::fail(trial,
                  kernel.name + " made " + number(got) + " " + cost.what + "; " + number(most) +
                      " are enough for its " + number(warps) + " warps.",
                  cost.next, LAB_HERE);
        return;
    }
}

constexpr Cost costs_of_sums[] = {
    {"global_load_requests", 1, "requests to read the input",
     "Each lane reads its own number once. The rest is talk between the lanes."},
    {"global_atomic_requests", 0, "atomic additions to global memory",
     "Let the lanes of the warp add up among themselves; one of them stores the sum."},
    {"warp_shuffles", 5, "shuffles",
     "Halve: in the first step 16 lanes give to 16, then 8 to 8, then 4, 2, 1. That is five."},
};
constexpr Cost costs_of_keeping[] = {
    {"global_atomic_sectors", 1, "trips to the counter",
     "Ask the warp with __ballot_sync who keeps. One lane adds __popc of the answer, and tells the others "
     "by "
     "__shfl_sync where the warp's room begins."},
    {"global_load_requests", 2, "requests to read the input",
     "A lane needs its own number and the answer of the vote. The bits below its own are the lanes before "
     "it."},
};

Numbers sums_of(const Numbers& values) {
    Numbers sums((values.size() + lanes - 1) / lanes, 0);
    for (size_t i = 0; i < values.size(); ++i) sums[i / lanes] += values[i];
    return sums;
}

// A tree that leaves some of the steps 16, 8, 4, 2, 1 out: lane 0 has the numbers of the lanes that the other steps
// lead to. `steps`: those that were made, as a sum.
Numbers sums_by_steps(const Numbers& values, unsigned steps) {
    Numbers sums((values.size() + lanes - 1) / lanes, 0);
    for (size_t i = 0; i < values.size(); ++i)
        if ((i % lanes & ~steps) == 0) sums[i / lanes] += values[i];
    return sums;
}

// Other wrong sums that have a name, warp by warp.
struct Slip {
    int (*sum)(const Numbers& of_warp);  // 32 numbers
    const char* cause;
    const char* next;
};
constexpr Slip slips[] = {
    {[](const Numbers& v) { return v[0] + v[1] + v[2] + v[4] + v[8] + v[16]; },
     "That is the sum of lanes 0, 1, 2, 4, 8 and 16: each step handed on a number of the input, and not what "
     "had been "
     "added up by then.",
     "Shuffle the running sum itself: sum += __shfl_down_sync(all_lanes, sum, step)."},
    {[](const Numbers& v) { return v[0] * static_cast<int>(lanes); },
     "That is lane 0's own number, 32 times: there is no lane below it, so each step gave it its own value "
     "back.",
     "Values that travel up end in lane 31. With __shfl_down_sync they end in lane 0; let that lane store."},
    {[](const Numbers& v) { return v[lanes - 1] * static_cast<int>(lanes); },
     "That is lane 31's own number, 32 times: there is no lane above it, so each step gave it its own value "
     "back.",
     "With __shfl_down_sync the sum is in lane 0. Let that lane store."},
};

bool told_about_slips(lab::Trial& trial, std::span<const int> got, const Numbers& values) {
    Numbers padded = values;
    padded.resize(got.size() * lanes, 0);
    const Numbers right = sums_of(values);
    for (const Slip& slip : slips) {
        size_t wrong = got.size();
        bool fits = true;
        for (size_t w = 0; w < got.size() && fits; ++w) {
            const auto from = padded.begin() + static_cast<ptrdiff_t>(w * lanes);
            fits = got[w] == slip.sum(Numbers(from, from + lanes));
            if (got[w] != right[w]) wrong = std::min(wrong, w);
        }
        if (!fits || wrong == got.size()) continue;
        lab::fail(trial,
                  "sums[" + std::to_string(wrong) + "] is " + std::to_string(got[wrong]) + ", expected " +
                      std::to_string(right[wrong]) + ". " + slip.cause,
                  slip.next, LAB_HERE);
        return true;
    }
    return false;
}

bool told_about_steps(lab::Trial& trial, std::span<const int> got, const Numbers& values) {
    const Numbers right = sums_of(values);
    for (unsigned steps = 0; steps < lanes - 1; ++steps) {
        const Numbers guess = sums_by_steps(values, steps);
        if (guess == right || !std::equal(got.begin(), got.end(), guess.begin())) continue;
        size_t first = 0;
        while (got[first] == right[first]) ++first;
        std::string missing;
        for (unsigned step = lanes / 2; step > 0; step /= 2)
            if ((steps & step) == 0) missing += (missing.empty() ? "" : ", ") + std::to_string(step);
        const std::string there = std::to_string(1u << std::popcount(steps));
        lab::fail(trial,
                  "sums[" + std::to_string(first) + "] is " + std::to_string(got[first]) + ", expected " +
                      std::to_string(right[first]) + ". It has the numbers of " + there +
                      " of the 32 lanes: the step of " + missing + " is missing.",
                  "The steps are 16, 8, 4, 2 and 1: after each, half as many lanes hold what counts.",
                  LAB_HERE);
        return true;
    }
    return false;
}

bool went_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

void check_sums(lab::Trial& trial, const lab::Array<int>& sums, const Numbers& values) {
    const Numbers right = sums_of(values);
    trial.reference(sums, right);
    if (went_well(trial) && trial.findings().empty() &&
        (told_about_steps(trial, trial.values(sums), values) ||
         told_about_slips(trial, trial.values(sums), values)))
        return;
    LAB_EXPECT_EACH(trial, sums, [&](size_t i) { return right[i]; });
}

void expect_sums(const Numbers& values) {
    CAPTURE(values.size());
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto sums = trial.output<int>("sums", (values.size() + lanes - 1) / lanes);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(sum_warps)>("sum_warps", player.device(in),
                                                static_cast<int>(values.size()), player.device(sums));
    });
    if (told_about_lanes(trial)) return;
    LAB_EXPECT_OK(trial);
    check_sums(trial, sums, values);
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches())
        expect_costs(trial, kernel, costs_of_sums, values.size());
}

// The kept numbers of each 32 neighbours; those that keep none are left out.
std::vector<Numbers> groups_of(const Numbers& values) {
    std::vector<Numbers> groups;
    for (size_t i = 0; i < values.size(); ++i) {
        if (i % lanes == 0) groups.emplace_back();
        if (values[i] > 0) groups.back().push_back(values[i]);
    }
    std::erase_if(groups, [](const Numbers& group) { return group.empty(); });
    return groups;
}

std::string wrong_count(int got, size_t expected, const Numbers& values) {
    const size_t groups = groups_of(values).size();
    std::string text = "count[0] is " + std::to_string(got) + ", expected " + std::to_string(expected) + ".";
    if (got == 0) return text + " Nobody reserved room.";
    if (static_cast<size_t>(got) == groups)
        return text + " Each warp that keeps something added 1, however many of its lanes do.";
    if (static_cast<size_t>(got) == groups * lanes)
        return text + " Each warp that keeps something reserved room for 32.";
    if (static_cast<size_t>(got) > values.size() && got % static_cast<int>(lanes) == 0)
        return text + " Every lane reserved the room of its whole warp.";
    return text;
}

// Where the kept numbers do not lie as they should: a sentence; empty: they do. Numbers are distinct.
std::string wrong_places(std::span<const int> out, size_t count, const Numbers& values) {
    std::map<int, size_t> place;
    for (size_t i = 0; i < count; ++i) place.emplace(out[i], i);
    for (size_t i = 0; i < values.size(); ++i)
        if (values[i] > 0 && !place.contains(values[i]))
            return "in[" + std::to_string(i) + "] = " + std::to_string(values[i]) +
                   " is above zero and is not among the " + std::to_string(count) +
                   " kept numbers: somebody wrote over it, or it went elsewhere.";
    for (size_t i = count; i < out.size(); ++i)
        if (out[i] != untouched)
            return "out[" + std::to_string(i) + "] was written (" + std::to_string(out[i]) +
                   "), behind the " + std::to_string(count) + " kept numbers.";
    for (const Numbers& group : groups_of(values))
        for (size_t k = 1; k < group.size(); ++k)
            if (place[group[k]] != place[group[0]] + k)
                return std::to_string(group[k]) + " is in out[" + std::to_string(place[group[k]]) +
                       "]; it should be " + std::to_string(k) + " behind " + std::to_string(group[0]) +
                       ", the first that its warp keeps, in out[" + std::to_string(place[group[0]]) + "].";
    return "";
}

void check_kept(lab::Trial& trial, const lab::Array<int>& out, const lab::Array<int>& count,
                const Numbers& values) {
    size_t kept = 0;
    for (const int value : values) kept += value > 0;
    trial.reference(count, Numbers{static_cast<int>(kept)});
    if (!went_well(trial)) return;
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse}) {
        const int got = trial.values(count, order)[0];
        if (static_cast<size_t>(got) != kept) {
            lab::fail(
                trial, wrong_count(got, kept, values),
                "Once a warp, one lane adds __popc of the ballot: as much room as there are lanes that keep.",
                LAB_HERE);
            return;
        }
        const std::string wrong = wrong_places(trial.values(out, order), kept, values);
        if (wrong.empty()) continue;
        lab::fail(trial, wrong,
                  "A lane's place is where the warp's room begins, plus the number of keepers in the lanes "
                  "before it: __popc(ballot & ((1u << lane) - 1)).",
                  LAB_HERE);
        return;
    }
}

void expect_kept(const Numbers& values) {
    CAPTURE(values.size());
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto out = trial.inout("out", Numbers(values.size(), untouched));
    auto count = trial.output<int>("count", 1);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(keep_positive)>("keep_positive", player.device(in),
                                                    static_cast<int>(values.size()), player.device(out),
                                                    player.device(count));
    });
    if (told_about_lanes(trial)) return;
    LAB_EXPECT_OK(trial);
    check_kept(trial, out, count, values);
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches())
        expect_costs(trial, kernel, costs_of_keeping, values.size());
}

// The sums and the kept ones of the same numbers.
void expect_both(const Numbers& values) {
    CAPTURE(values.size());
    const int n = static_cast<int>(values.size());
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto sums = trial.output<int>("sums", (values.size() + lanes - 1) / lanes);
    auto out = trial.inout("out", Numbers(values.size(), untouched));
    auto count = trial.output<int>("count", 1);
    trial.play([&](lab::Player& player) {
        const int failed =
            player.call<decltype(sum_warps)>("sum_warps", player.device(in), n, player.device(sums));
        if (failed != 0) return failed;
        return player.call<decltype(keep_positive)>("keep_positive", player.device(in), n, player.device(out),
                                                    player.device(count));
    });
    if (told_about_lanes(trial)) return;
    LAB_EXPECT_OK(trial);
    check_sums(trial, sums, values);
    check_kept(trial, out, count, values);
    LAB_EXPECT_CLEAN(trial);
    if (trial.launches().size() != 2) return;
    expect_costs(trial, trial.launches().front(), costs_of_sums, values.size());
    expect_costs(trial, trial.launches().back(), costs_of_keeping, values.size());
}

// Small whole numbers everywhere, so that every way to round gives the same floats.
const std::vector<float> curve{1, -2, 3, 5}, knots{-6, -3, -1, 2, 4, 7};

float by_curve(float x) {
    float y = 0;
    for (const float term : curve) y = y * x + term;
    return y;
}

float by_knots(float x) {
    float y = 0;
    for (const float knot : knots) y += std::fabs(x - knot);
    return y;
}

// The line at which the most warps went both ways; 0: not known.
int most_divided_line(const lab::Kernel& kernel) {
    int line = 0;
    double most = 0;
    for (const lab::LineCost& cost : kernel.lines) {
        const auto found = cost.metrics.find("divergent_branches");
        if (found == cost.metrics.end() || found->second <= most) continue;
        most = found->second;
        line = cost.at.line;
    }
    return line;
}

// Readings for whole pairs of warps: none of them need go two ways.
void expect_undivided(lab::Trial& trial, const lab::Kernel& kernel, size_t readings) {
    const double divided = counted(kernel, "divergent_branches").value_or(0);
    if (divided > 0) {
        const int line = most_divided_line(kernel);
        lab::fail(trial,
                  kernel.name + " made " + number(divided) + " divergent branches in " +
                      number(warps_of(kernel)) + " warps" +
                      (line > 0 ? ", most of them at line " + std::to_string(line) : std::string()) +
                      ": some lanes go one way and wait while the rest goes the other.",
                  "Decide by a number that is the same for all 32 lanes, such as that of the warp; then work "
                  "out which reading each lane takes.",
                  LAB_HERE);
        return;
    }
    // A pair of warps reads its 64 numbers by two requests, and each list once.
    const double most = static_cast<double>(readings / (2 * lanes)) * (2 + curve_terms + knot_count);
    const double loads = counted(kernel, "global_load_requests").value_or(0);
    if (loads <= most) return;
    lab::fail(trial,
              kernel.name + " has no divergent branch, and reads " + number(loads) + " times where " +
                  number(most) + " are enough: warps still do the work of both sensors.",
              "To work both ways for every reading and throw one result away costs as much as to go both "
              "ways. Each warp should have one sensor to serve.",
              LAB_HERE);
}

void expect_calibrated(size_t n) {
    CAPTURE(n);
    std::vector<float> raw(n);
    for (size_t i = 0; i < n; ++i) raw[i] = static_cast<float>((i * 7 + i / 32) % 23) - 11;
    lab::Trial trial;
    auto in = trial.input("raw", raw);
    auto terms = trial.input("curve", curve);
    auto places = trial.input("knots", knots);
    auto out = trial.output<float>("out", n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(calibrate)>("calibrate", player.device(in), static_cast<int>(n),
                                                player.device(terms), player.device(places),
                                                player.device(out));
    });
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return i % 2 == 0 ? by_curve(raw[i]) : by_knots(raw[i]); });
    LAB_EXPECT_CLEAN(trial);
    if (n % (2 * lanes) != 0) return;  // at a ragged end, a branch may well divide a warp
    for (const lab::Kernel& kernel : trial.launches()) expect_undivided(trial, kernel, n);
}

// n distinct numbers, shuffled; about `percent` of them above zero.
Numbers mixed(size_t n, int percent) {
    Numbers values(n);
    uint32_t random = 13;
    for (size_t i = 0; i < n; ++i) {
        random = random * 1664525u + 1013904223u;
        const bool positive = static_cast<int>((random >> 8) % 100) < percent;
        values[i] = positive ? static_cast<int>(i) + 1 : -2 - static_cast<int>(i);
    }
    for (size_t i = n; i > 1; --i) {
        random = random * 1664525u + 1013904223u;
        std::swap(values[i - 1], values[(random >> 8) % i]);
    }
    return values;
}

Numbers counting_up(int n) {
    Numbers values(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<size_t>(i)] = i + 1;
    return values;
}

}  // namespace

TEST_CASE("The sum of 1 to 32 is 528") {
    expect_sums(counting_up(32));
}

TEST_CASE("Three numbers for a warp of 32: 7, 8 and 9 make 24") {
    expect_sums({7, 8, 9});
}

TEST_CASE("70 numbers: warps with 32, 32 and 6") {
    expect_sums(mixed(70, 50));
}

TEST_CASE("Sums of 1000 numbers, and of 31, 33, 128 and 129") {
    for (const size_t n : {1000, 31, 33, 128, 129}) expect_sums(mixed(n, 50));
}

TEST_CASE("Eight numbers, five of them kept") {
    expect_kept({3, -1, 4, -2, 5, 9, -6, 2});
}

TEST_CASE("A warp that keeps all 32, one that keeps none, one that keeps its last") {
    Numbers values = counting_up(96);
    for (size_t i = lanes; i + 1 < values.size(); ++i) values[i] = -values[i];
    expect_kept(values);
}

TEST_CASE("70 numbers to keep or not: the last warp has six") {
    expect_kept(mixed(70, 60));
}

TEST_CASE("1000 numbers, a third kept: one trip to the counter a warp; and 31, 33, 129") {
    for (const size_t n : {1000, 31, 33, 129}) expect_kept(mixed(n, 33));
}

TEST_CASE("Nothing to keep, and everything") {
    expect_kept(mixed(100, 0));
    expect_kept(mixed(100, 100));
}

TEST_CASE("64 readings: two warps, and neither goes both ways") {
    expect_calibrated(64);
}

TEST_CASE("1024 readings") {
    expect_calibrated(1024);
}

TEST_CASE("Ragged readings: 1, 2, 31, 63, 65, 97 and 1000") {
    for (const size_t n : {1, 2, 31, 63, 65, 97, 1000}) expect_calibrated(n);
}

LAB_EXPERIMENT("Sums and kept numbers, at the sizes that you chose")(const lab::Settings& at) {
    expect_both(mixed(static_cast<size_t>(at["n"]), at["percent"]));
}

TEST_SUITE_END();
