// What exercise 16 must do, a step of the ladder after the other. Sums are whole numbers, so that any order gives the same.
#include <algorithm>
#include <optional>

#include "lessons/16_reduction/grader_words.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("16_reduction");

namespace {

using namespace lab::lesson_16_reduction;

constexpr int before = 1000003;  // in d_sum; no sum that is taken here

// A metric of the launch; nothing: this backend does not count it.
std::optional<double> counted(const lab::Kernel& kernel, const std::string& metric) {
    const auto found = kernel.metrics.find(metric);
    if (found == kernel.metrics.end()) return std::nullopt;
    return found->second;
}

double extent(const lab::Dim3& dim) {
    return static_cast<double>(dim.x) * dim.y * dim.z;
}

// What one launch may cost: so many for each block.
struct Cost {
    const char* metric;
    double each;
    const char* what;
    const char* next;
};

constexpr Cost one_atomic{"global_atomic_sectors", 1, "additions to the sum in global memory",
                          "Add up within the block first; then its thread 0 alone adds the block's sum."};
constexpr Cost costs_of_tree[] = {
    one_atomic,
    {"shared_load_requests", 17, "requests to read shared memory",
     "Let the first threads of the block add, t < s, and halve s: then whole warps have nothing left to do."},
    {"shared_load_conflicts", 0, "passes more than its requests need, because words shared a bank",
     "Thread t should use part[t] and part[t + s]: neighbours in neighbouring banks."},
    {"shared_store_conflicts", 0, "passes more than its requests need, because words shared a bank",
     "Thread t should use part[t] and part[t + s]: neighbours in neighbouring banks."},
};
constexpr Cost costs_of_shuffles[] = {
    one_atomic,
    {"shared_load_requests", 1, "requests to read shared memory",
     "A warp adds up its own numbers by shuffles. Shared memory carries one sum a warp, which the first warp "
     "reads in one request."},
    {"shared_store_requests", 4, "requests to write shared memory",
     "One lane of each of the 4 warps leaves its warp's sum in of_warp; nothing else goes there."},
    {"warp_shuffles", 25, "shuffles",
     "Five for each of the 4 warps, and five for the first one when it adds up their sums."},
};

void expect_costs(lab::Trial& trial, const lab::Kernel& kernel, std::span<const Cost> costs) {
    const double blocks = extent(kernel.grid);
    for (const Cost& cost : costs) {
        const double got = counted(kernel, cost.metric).value_or(0), most = cost.each * blocks;
        if (got <= most) continue;
        lab::fail(trial,
                  kernel.name + " made " + number(got) + " " + cost.what + " in " + number(blocks) +
                      (blocks == 1 ? " block; " : " blocks; ") + number(most) +
                      (most == 1 ? " is enough." : " are enough."),
                  cost.next, LAB_HERE);
        return;
    }
}

bool went_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

bool has_errors(const lab::Trial& trial) {
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse})
        for (const lab::Finding& finding : trial.findings(order))
            if (finding.severity == lab::Severity::error) return true;
    return false;
}

// The first finding of this kind about this array ("": any), whichever order met it; nullptr: none.
const lab::Finding* found(const lab::Trial& trial, const std::string& kind, const std::string& buffer = "") {
    for (const lab::Order order : {lab::Order::reverse, lab::Order::forward})
        for (const lab::Finding& finding : trial.findings(order))
            if (finding.kind == kind && (buffer.empty() || finding.buffer == buffer)) return &finding;
    return nullptr;
}

// Thread 0 carries part[0] away, and another thread made the last addition to it.
bool is_race_on_the_result(const lab::Finding* race) {
    if (race == nullptr || race->element != 0 || !race->thread || !race->other || !race->other->thread)
        return false;
    return (race->thread->x == 0) != (race->other->thread->x == 0);
}

bool told_about_block(lab::Trial& trial) {
    if (found(trial, "oob-shared", "of_warp") != nullptr) {
        lab::fail(
            trial, "of_warp has 4 places, one for each warp of the block.",
            "Lane 0 of a warp writes of_warp[warp]. In the first warp, the lanes below blockDim.x / warpSize "
            "read a place each, and the other lanes bring 0.",
            LAB_HERE);
        return true;
    }
    if (is_race_on_the_result(found(trial, "warp-race", "part"))) {
        lab::fail(trial,
                  "Another thread made the last addition to part[0], and thread 0 reads it without a wait.",
                  "Let the threads below s add: part[t] += part[t + s]. Then thread 0 makes the last "
                  "addition itself.",
                  LAB_HERE);
        return true;
    }
    if (found(trial, "shfl-mask") != nullptr && found(trial, "barrier-divergence") != nullptr) {
        lab::fail(
            trial, "Only a part of the block came into block_sum: its shuffles and its barrier wait for all.",
            "Call block_sum with all threads of the block, outside of any if; then thread 0 takes what it "
            "returned.",
            LAB_HERE);
        return true;
    }
    return false;
}

// The sum, with the cause where a wrong one tells it.
template <class T>
void expect_sum(lab::Trial& trial, const lab::Array<T>& sum, const std::vector<T>& values, Shape shape,
                const std::vector<Slip>& slips = {}) {
    const Numbers numbers(values.begin(), values.end());
    const long long right = sum_of(numbers);
    trial.reference(sum, std::vector<T>{static_cast<T>(right)});
    if (went_well(trial))
        for (const lab::Order order : {lab::Order::forward, lab::Order::reverse}) {
            const auto got = static_cast<long long>(trial.values(sum, order)[0]);
            if (got == right) continue;
            Words words = first_fit(got, right, slips);
            if (words.what.empty()) words = words_for(got, numbers, shape);
            if (words.what.empty()) break;
            lab::fail(trial,
                      "sum is " + std::to_string(got) + ", expected " + std::to_string(right) +
                          " (n = " + std::to_string(values.size()) + "). " + words.what,
                      words.next, LAB_HERE);
            return;
        }
    LAB_EXPECT_EACH(trial, sum, [&](size_t) { return static_cast<T>(right); });
}

struct Step {
    const char* function;
    Shape shape;
    std::span<const Cost> costs;
};
const Step interleaved{"sum_interleaved", {threads, Tree::shared}, {}},
    packed{"sum_packed", {threads, Tree::shared}, {}},
    sequential{"sum_sequential", {threads, Tree::shared}, costs_of_tree},
    first_add{"sum_first_add", {2 * threads, Tree::shared}, costs_of_tree},
    shuffled{"sum_shuffled", {2 * threads, Tree::shuffles}, costs_of_shuffles};

// Each number is read once, and neighbours by neighbours: so many requests and sectors for n numbers, `numbers_each` by a lane.
void expect_read_once(lab::Trial& trial, const lab::Kernel& kernel, size_t n, size_t numbers_each,
                      const char* next) {
    // What n / numbers_each leaves over, one by one at worst; and a last block may read the sums of all.
    const double rest = numbers_each > 1 ? 3 + extent(kernel.grid) : 0;
    const auto over = [&](size_t each) { return static_cast<double>((n + each - 1) / each) + rest; };
    const std::pair<const char*, double> bounds[] = {{"requests", over(lanes * numbers_each)},
                                                     {"sectors", over(8)}};
    for (const auto& [unit, most] : bounds) {
        const double got = counted(kernel, std::string("global_load_") + unit).value_or(0);
        if (got <= most) continue;
        lab::fail(trial,
                  kernel.name + " read " + std::to_string(n) + " numbers by " + number(got) + " " + unit +
                      "; " + number(most) + " are enough.",
                  next, LAB_HERE);
        return;
    }
}

void expect_step(const Step& step, const std::vector<int>& values) {
    CAPTURE(values.size());
    const int n = static_cast<int>(values.size());
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto sum = trial.inout("sum", std::vector<int>{before});
    if (n == 0) trial.kernels_optional();
    trial.play([&](lab::Player& player) {
        return player.call<decltype(sum_sequential)>(step.function, player.device(in), n, player.device(sum));
    });
    if (told_about_block(trial)) return;
    LAB_EXPECT_OK(trial);
    if (has_errors(trial)) {
        LAB_EXPECT_CLEAN(trial);  // where the machine knows the cause, a wrong sum only repeats it
        return;
    }
    expect_sum(trial, sum, values, step.shape);
    for (const lab::Kernel& kernel : trial.launches()) {
        expect_costs(trial, kernel, step.costs);
        expect_read_once(trial, kernel, values.size(), 1,
                         "In one load instruction, the 32 lanes of a warp should read 32 neighbours: thread "
                         "t takes number t "
                         "of the block's, and the one that lies blockDim.x further on.");
    }
}

// All kinds of ends.
void expect_lengths(const Step& step) {
    for (const size_t n : {0, 1, 31, 257, 1000}) expect_step(step, mixed(n));
}

struct Share {
    size_t first, n;
    int blocks;
};

// An address that belongs to no array at all: the way to the share went wrong.
bool told_about_first(lab::Trial& trial, const Share& share) {
    const lab::Finding* nowhere = found(trial, "host-pointer");
    if (share.first == 0 || nowhere == nullptr) return false;
    lab::fail(trial,
              "Line " + std::to_string(nowhere->at.line) +
                  " goes to a place where no array is. The share begins at number " +
                  std::to_string(share.first) +
                  "; an int ends at 2147483647 and then counts from below zero.",
              "Count with size_t wherever a place in the array is worked out, beginning with d_in + first.",
              LAB_HERE);
    return true;
}

// The launch, before anything that comes of it.
bool told_about_grid(lab::Trial& trial, const Share& share) {
    for (const lab::Kernel& kernel : trial.launches()) {
        if (extent(kernel.grid) == share.blocks) continue;
        const bool turned = extent(kernel.grid) == threads && extent(kernel.block) == share.blocks;
        lab::fail(trial,
                  "The grid has " + number(extent(kernel.grid)) +
                      (extent(kernel.grid) == 1 ? " block of " : " blocks of ") +
                      number(extent(kernel.block)) + (extent(kernel.block) == 1 ? " thread" : " threads") +
                      "; `blocks` asked for " + std::to_string(share.blocks) + ".",
                  turned ? "The two numbers stand the other way round: <<<blocks, threads>>>."
                         : "Launch with `blocks` blocks. The loop makes any number of them right.",
                  LAB_HERE);
        return true;
    }
    return false;
}

// Float4s that are not where the kernel looked for them.
bool told_about_fours(lab::Trial& trial, const Share& share) {
    if (found(trial, "misaligned") != nullptr) {
        lab::fail(trial, "A float4 begins at a multiple of 16 bytes, and this one does not.",
                  "Cast d_in + first once, without a thread's number in it. Then the index goes on by whole "
                  "float4s: "
                  "d_four[i].",
                  LAB_HERE);
        return true;
    }
    const lab::Finding* out = found(trial, "oob-global", "in");
    if (out == nullptr || out->element < 0 || !out->thread || !out->block || out->element % 4 != 0)
        return false;
    const auto all = threads * static_cast<size_t>(share.blocks),
               four = static_cast<size_t>(out->element) / 4,
               thread = out->block->x * threads + out->thread->x;
    const bool is_own = four % all == thread, is_fourth = four % 4 == 0 && four / 4 % all == thread;
    if (thread == 0 || is_own == is_fourth) return false;
    const std::string fours = std::to_string(share.n / 4);
    lab::fail(trial,
              is_own ? "The loop goes on past the last whole float4: of " + std::to_string(share.n) +
                           " numbers there are " + fours + "."
                     : "Thread " + std::to_string(thread) + " went to float4 number " + std::to_string(four) +
                           ", four times as far as it should: d_four[i] counts float4s, not floats.",
              is_own ? "i counts float4s: go on while i < n / 4."
                     : "Begin at the thread's number, go on by the number of threads, and read d_four[i].",
              LAB_HERE);
    return true;
}

// `whole`: the array that d_in points to; its share begins at number `first` of it. Empty: of the array, the share alone is
// really there.
template <class Check>
void play_share(const Share& share, const std::vector<float>& values, const std::vector<float>& whole,
                Check check) {
    CAPTURE(share.n);
    CAPTURE(share.blocks);
    lab::Trial trial;
    auto in = trial.input("in", whole.empty() ? values : whole);
    auto sum = trial.inout("sum", std::vector<float>{static_cast<float>(before)});
    if (share.n == 0) trial.kernels_optional();
    trial.play([&](lab::Player& player) {
        const auto there = reinterpret_cast<uintptr_t>(player.device(in));
        const auto start = whole.empty() ? there - share.first * sizeof(float) : there;
        return player.call<decltype(sum_grid_stride)>("sum_grid_stride",
                                                      reinterpret_cast<const float*>(start), share.first,
                                                      share.n, player.device(sum), share.blocks);
    });
    if (told_about_grid(trial, share) || told_about_first(trial, share) || told_about_fours(trial, share) ||
        told_about_block(trial))
        return;
    LAB_EXPECT_OK(trial);
    if (has_errors(trial)) {
        LAB_EXPECT_CLEAN(trial);
        return;
    }
    check(trial, sum);
    for (const lab::Kernel& kernel : trial.launches()) {
        expect_costs(trial, kernel, costs_of_shuffles);
        expect_read_once(trial, kernel, share.n, 4,
                         "Read a float4 at a time, d_four[i], and neighbours by neighbouring threads: a "
                         "request of a warp then "
                         "brings 128 numbers.");
    }
}

Shape shape_of(const Share& share) {
    return {threads * static_cast<size_t>(share.blocks), Tree::grid_stride};
}

void expect_share(const Share& share) {
    const std::vector<int> numbers = mixed(share.n);
    const std::vector<float> values(numbers.begin(), numbers.end());
    play_share(share, values, {}, [&](lab::Trial& trial, const lab::Array<float>& sum) {
        expect_sum(trial, sum, values, shape_of(share));
    });
}

// A share of an array that is there as a whole, and goes on behind it: what was read in its place has a sum, too.
void expect_share_of_whole(const Share& share) {
    const std::vector<int> all = mixed(4 * share.first + share.n + 4);
    const Numbers numbers(all.begin(), all.end());
    const auto sum_from = [&](size_t first, size_t count) {
        return sum_where(numbers, [&](size_t i) { return i >= first && i < first + count; });
    };
    const size_t fours = share.n / 4 * 4, rest = share.n - fours;
    const std::string first = std::to_string(share.first);
    const std::vector<float> whole(all.begin(), all.end()),
        values(whole.begin() + static_cast<ptrdiff_t>(share.first),
               whole.begin() + static_cast<ptrdiff_t>(share.first + share.n));
    const Words too_far{
        "The float4s were taken from number " + std::to_string(4 * share.first) + " on, not from " + first +
            ": behind the cast, + first goes on by float4s.",
        "Go to the share while the pointer still counts floats, d_in + first, and cast that."};
    const std::vector<Slip> slips{
        {sum_from(0, share.n),
         {"That is the sum of the array's first " + std::to_string(share.n) +
              " numbers; the share begins at number " + first + ".",
          "Go to d_in + first before anything is read."}},
        {sum_from(share.first, fours) + sum_from(fours, rest),
         {"The numbers that are left over were taken near the beginning of the array, not at the end of the "
          "share.",
          "Count them from the share's beginning as well: d_in + first."}},
        {sum_from(0, fours) + sum_from(share.first + fours, rest),
         {"The float4s were taken from the beginning of the array; the share begins at number " + first + ".",
          "Cast d_in + first, not d_in."}},
        {sum_from(4 * share.first, share.n), too_far},
        {sum_from(4 * share.first, fours) + sum_from(share.first + fours, rest), too_far}};
    play_share(share, values, whole, [&](lab::Trial& trial, const lab::Array<float>& sum) {
        expect_sum(trial, sum, values, shape_of(share), slips);
    });
}

// Fractions between a half and one. Whatever the order, a number goes through n - 1 additions at most, and each may be
// off by 2^-24 of its result, which is no more than the sum of all.
void expect_fractions(const Share& share) {
    std::vector<float> values(share.n);
    double right = 0;
    uint32_t random = 16;
    for (float& value : values) {
        random = random * 1664525u + 1013904223u;
        value = 0.5f + static_cast<float>(random >> 9) / static_cast<float>(1 << 24);
        right += value;
    }
    const double bound = static_cast<double>(share.n - 1) * std::ldexp(1.0, -24) * right * 1.001;
    play_share(share, values, {}, [&](lab::Trial& trial, const lab::Array<float>& sum) {
        LAB_EXPECT_NEAR(trial, sum,
                        lab::tolerance(bound, 0, "n - 1 additions at most, each rounded to 24 bits"),
                        [&](size_t) { return static_cast<float>(right); });
    });
}

}  // namespace

TEST_CASE("Given, interleaved: 1 to 128 is 8256") {
    expect_step(interleaved, counting_up(128));
}

TEST_CASE("Given, packed: 1 to 128 is 8256") {
    expect_step(packed, counting_up(128));
}

TEST_CASE("Step 1, sequential: 1 to 128 is 8256") {
    expect_step(sequential, counting_up(128));
}

TEST_CASE("Step 1, sequential: 1024 numbers, and lengths that are no multiple of anything") {
    expect_step(sequential, mixed(1024));
    expect_lengths(sequential);
}

TEST_CASE("Step 2, first add: 1 to 256 is 32896") {
    expect_step(first_add, counting_up(256));
}

TEST_CASE("Step 2, first add: 1024 numbers, and lengths that are no multiple of anything") {
    expect_step(first_add, mixed(1024));
    expect_lengths(first_add);
}

TEST_CASE("Step 3, shuffled: 1 to 256 is 32896") {
    expect_step(shuffled, counting_up(256));
}

TEST_CASE("Step 3, shuffled: 1024 numbers, and lengths that are no multiple of anything") {
    expect_step(shuffled, mixed(1024));
    expect_lengths(shuffled);
}

TEST_CASE("Step 4, grid stride: 1024 numbers, a block for all of them") {
    expect_share({0, 1024, 1});
}

TEST_CASE("Step 4, grid stride: 4096 numbers and 3 blocks") {
    expect_share({0, 4096, 3});
}

TEST_CASE("Step 4, grid stride: lengths from 0 to 2051, more blocks than numbers") {
    for (const size_t n : {0, 1, 3, 5, 1023, 2051}) expect_share({0, n, 2});
    expect_share({0, 7, 9});
}

TEST_CASE("Step 4, grid stride: 1027 numbers of a longer array, from number 1000 on") {
    expect_share_of_whole({1000, 1027, 2});
}

TEST_CASE("Step 4, grid stride: a share that begins at number 3,000,000,000") {
    expect_share({3'000'000'000, 1026, 2});
}

TEST_CASE("Step 4, grid stride: 1003 fractions") {
    expect_fractions({0, 1003, 2});
}

LAB_EXPERIMENT("Every step, at the sizes that you chose")(const lab::Settings& at) {
    const auto n = static_cast<size_t>(at["n"]);
    for (const Step* step : {&interleaved, &packed, &sequential, &first_add, &shuffled})
        expect_step(*step, mixed(n));
    expect_share({0, n, at["blocks"]});
}

TEST_SUITE_END();
