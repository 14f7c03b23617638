// What exercise 14 must do. The smallest cases come first: their threads can be counted on fingers.
#include "lessons/14_cooperative_groups/interface.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "lessons/14_cooperative_groups/grader_words.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("14_cooperative_groups");

namespace {

using namespace lab::lesson_14_cooperative_groups;

constexpr int untouched = -1;  // in d_peaks, before
constexpr int before = 77;     // in d_spare and d_toppled, before
constexpr size_t lanes = 32;

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

// A metric of the launch; nothing: this backend does not count it.
std::optional<double> counted(const lab::Kernel& kernel, const std::string& metric) {
    const auto found = kernel.metrics.find(metric);
    if (found == kernel.metrics.end()) return std::nullopt;
    return found->second;
}

double blocks_of(const lab::Kernel& kernel) {
    return static_cast<double>(kernel.grid.x) * kernel.grid.y * kernel.grid.z;
}

double warps_of(const lab::Kernel& kernel) {
    const auto threads = kernel.block.x * kernel.block.y * kernel.block.z;
    return blocks_of(kernel) * static_cast<double>((threads + lanes - 1) / lanes);
}

const std::vector<lab::Order> both{lab::Order::forward, lab::Order::reverse}, one{lab::Order::forward};

bool has_errors(const lab::Trial& trial, const std::vector<lab::Order>& orders = both) {
    for (const lab::Order order : orders)
        for (const lab::Finding& finding : trial.findings(order))
            if (finding.severity == lab::Severity::error) return true;
    return false;
}

bool went_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

// What the machine's own sentence does not know: what these threads were meant to do together.
bool told(lab::Trial& trial, bool in_settle = false) {
    for (const lab::Finding& finding : trial.findings()) {
        const std::optional<Words> words = words_for(finding, in_settle);
        if (!words) continue;
        lab::fail(trial, words->what, words->next, LAB_HERE);
        return true;
    }
    return false;
}

// At most `most`, else it says so. True: it was more.
bool is_too_many(lab::Trial& trial, const lab::Kernel& kernel, const Cost& cost, double most) {
    const double got = counted(kernel, cost.metric).value_or(0);
    if (got <= most) return false;
    lab::fail(trial,
              kernel.name + " made " + number(got) + " " + cost.what + "; " + number(most) +
                  (most == 1 ? " is enough." : " are enough."),
              cost.next, LAB_HERE);
    return true;
}

// --- tiles ---

void expect_tile_costs(lab::Trial& trial, const lab::Kernel& kernel, size_t tile) {
    // The tiles of a warp each meet by themselves.
    const double tiles = warps_of(kernel) * static_cast<double>(lanes / tile);
    for (const Cost& cost : costs_of_memory)
        if (is_too_many(trial, kernel, cost, 0)) return;
    if (is_too_many(trial, kernel, cost_of_shuffles, tiles * (std::bit_width(tile) - 1))) return;
    is_too_many(trial, kernel, cost_of_loads, warps_of(kernel));
}

void expect_tiles(const Numbers& values, size_t tile) {
    CAPTURE(values.size());
    CAPTURE(tile);
    const Numbers right = sums_of(values, tile);
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto sums = trial.output<int>("sums", right.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(sum_tiles)>("sum_tiles", player.device(in),
                                                static_cast<int>(values.size()), static_cast<int>(tile),
                                                player.device(sums));
    });
    trial.reference(sums, right);
    if (told(trial)) return;
    LAB_EXPECT_OK(trial);
    if (went_well(trial) && !has_errors(trial)) {
        const auto got = trial.values(sums);
        if (const Words words = words_for_sums(Numbers(got.begin(), got.end()), values, tile);
            !words.what.empty()) {
            lab::fail(trial, words.what, words.next, LAB_HERE);
            return;
        }
    }
    LAB_EXPECT_EACH(trial, sums, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches()) expect_tile_costs(trial, kernel, tile);
}

// --- the coalesced group ---

void check_peaks(lab::Trial& trial, const lab::Array<int>& peaks, const lab::Array<int>& count,
                 const Numbers& pile) {
    const Numbers right = peaks_of(pile);
    const int want = static_cast<int>(right.size());
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse}) {
        if (!went_well(trial) || has_errors(trial)) break;
        const int got = trial.values(count, order)[0];
        const auto all = trial.values(peaks, order);
        const Words words = words_for_peaks(Numbers(all.begin(), all.end()), got, pile);
        if (words.what.empty()) continue;
        lab::fail(trial, words.what, words.next, LAB_HERE);
        return;
    }
    LAB_EXPECT_EACH(trial, count, [&](size_t) { return want; });
}

void expect_peaks(const Numbers& pile) {
    CAPTURE(pile.size());
    lab::Trial trial;
    auto in = trial.input("pile", pile);
    auto peaks = trial.inout("peaks", Numbers(pile.size(), untouched));
    auto count = trial.output<int>("count", 1);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(list_peaks)>("list_peaks", player.device(in),
                                                 static_cast<int>(pile.size()), player.device(peaks),
                                                 player.device(count));
    });
    if (told(trial)) return;
    LAB_EXPECT_OK(trial);
    check_peaks(trial, peaks, count, pile);
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches()) {
        double warps = 0;  // with a peak
        for (size_t i = 0; i < pile.size(); i += lanes) {
            const auto end = std::min(pile.size(), i + lanes);
            warps += std::any_of(pile.begin() + static_cast<ptrdiff_t>(i),
                                 pile.begin() + static_cast<ptrdiff_t>(end), topples);
        }
        if (is_too_many(trial, kernel, cost_of_tickets, warps)) return;
        for (const Cost& cost : costs_of_shared)
            if (is_too_many(trial, kernel, cost, 0)) return;
    }
}

// --- the grid ---

struct Sand {
    int width = 1, height = 1;
    Numbers grains;
    int max_rounds = 1, threads = 32;
    const char* card = "h200";
};

Sand heap(int width, int height, int grains, int max_rounds, int threads) {
    Sand sand{width, height, Numbers(static_cast<size_t>(width) * height, 0), max_rounds, threads};
    sand.grains[static_cast<size_t>(height / 2) * width + width / 2] = grains;
    return sand;
}

// So many blocks of the launch's kernel are on the device at once.
double fits_at_once(const lab::Kernel& kernel) {
    const double sms = counted(kernel, "sm_count").value_or(0);
    if (const auto each = counted(kernel, "occupancy_blocks")) return sms * *each;
    double least = 1e9;
    for (const char* limit : {"warps", "blocks", "registers", "shared_mem"})
        if (const auto each = counted(kernel, std::string("occupancy_limit_") + limit))
            least = std::min(least, *each);
    return sms * least;
}

// How many blocks it asked for, and how it counted.
bool told_about_grid(lab::Trial& trial, const lab::Kernel& kernel, const lab::Array<int>& at_once,
                     const Sand& sand) {
    const double fit = fits_at_once(kernel), said = trial.values(at_once)[0], got = blocks_of(kernel);
    const double cells = static_cast<double>(sand.grains.size());
    const double need = std::ceil(cells / sand.threads);
    const double sms = counted(kernel, "sm_count").value_or(0);
    Words words = words_for_fit(said, fit, sms, sand.threads);
    if (words.what.empty()) words = words_for_blocks(got, need, fit);
    if (words.what.empty()) return false;
    lab::fail(trial, words.what, words.next, LAB_HERE);
    return true;
}

// An atomic for each warp and round in which it counted something, and no more; and no rounds that nobody needs.
void expect_grid_costs(lab::Trial& trial, const lab::Kernel& kernel, const Settled& right) {
    const double rounds = static_cast<double>(right.rounds), warps = warps_of(kernel);
    if (is_too_many(trial, kernel, cost_of_rounds, 2 * rounds + 1)) return;
    if (is_too_many(trial, kernel, cost_of_counting, rounds * warps)) return;
    is_too_many(trial, kernel, cost_of_sums, rounds * warps * 5);
}

// Where a wrong pile tells its cause, that.
void check_pile(lab::Trial& trial, const lab::Array<int>& pile, const lab::Array<int>& toppled,
                const Settled& right, const Sand& sand) {
    if (went_well(trial)) {
        const auto end = trial.values(pile), counts = trial.values(toppled);
        const Words words =
            words_for_pile(Numbers(end.begin(), end.end()), Numbers(counts.begin(), counts.end()), right,
                           {sand.grains, sand.width, sand.height, sand.max_rounds});
        if (!words.what.empty()) {
            lab::fail(trial, words.what, words.next, LAB_HERE);
            return;
        }
    }
    LAB_EXPECT_EACH(trial, pile, [&](size_t i) { return right.pile[i]; });
    LAB_EXPECT_EACH(trial, toppled, [&](size_t i) { return right.toppled[i]; });
}

void expect_settled(const Sand& sand) {
    CAPTURE(sand.width);
    CAPTURE(sand.height);
    CAPTURE(sand.max_rounds);
    CAPTURE(sand.threads);
    lab::Trial trial;
    trial.card(sand.card).steps(uint64_t{1} << 22).raise("barrier-early-exit");
    // Ten thousand threads take a while, and in which order they run is the other cases' business.
    const std::vector<lab::Order>& orders = sand.grains.size() > 10000 ? one : both;
    trial.orders(orders);
    auto pile = trial.inout("pile", sand.grains);
    auto spare = trial.inout("spare", Numbers(sand.grains.size(), before));
    auto toppled = trial.inout("toppled", Numbers(static_cast<size_t>(sand.max_rounds), before));
    auto at_once = trial.output<int>("at_once", 1);
    trial.rows(pile, static_cast<size_t>(sand.width)).rows(spare, static_cast<size_t>(sand.width));
    trial.play([&](lab::Player& player) {
        *player.host(at_once) = player.call<decltype(blocks_at_once)>("blocks_at_once", sand.threads);
        return player.call<decltype(settle)>("settle", player.device(pile), player.device(spare), sand.width,
                                             sand.height, player.device(toppled), sand.max_rounds,
                                             sand.threads);
    });
    const Settled right = settled(sand.grains, sand.width, sand.height, sand.max_rounds);
    trial.reference(pile, right.pile);
    trial.reference(toppled, right.toppled);
    if (told(trial, true)) return;
    LAB_EXPECT_OK(trial);
    if (has_errors(trial, orders)) {
        LAB_EXPECT_CLEAN(trial);  // where the machine knows the cause, wrong values only repeat it
        return;
    }
    if (trial.ended_well() && trial.launches().size() > 1) {
        lab::fail(trial,
                  "settle launched " + std::to_string(trial.launches().size()) +
                      " kernels. The host comes back to the device after each of them.",
                  "Launch settle_kernel once, with cudaLaunchCooperativeKernel; the rounds are a loop in it.",
                  LAB_HERE);
        return;
    }
    check_pile(trial, pile, toppled, right, sand);
    LAB_EXPECT_CLEAN(trial);
    if (!went_well(trial) || trial.launches().empty()) return;
    const lab::Kernel& kernel = trial.launches().front();
    if (told_about_grid(trial, kernel, at_once, sand)) return;
    expect_grid_costs(trial, kernel, right);
}

Numbers counting_up(int n) {
    Numbers values(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<size_t>(i)] = i + 1;
    return values;
}

// Grains from 0 to 7 in no order; about `percent` of the cells topple.
Numbers scattered(size_t n, int percent) {
    Numbers pile(n);
    uint32_t random = 14;
    for (int& grains : pile) {
        random = random * 1664525u + 1013904223u;
        const bool peak = static_cast<int>((random >> 8) % 100) < percent;
        grains = static_cast<int>(random >> 16 & 3) + (peak ? 4 : 0);
    }
    return pile;
}

// Different numbers in no order.
Numbers shuffled(size_t n) {
    Numbers values(n);
    for (size_t i = 0; i < n; ++i)
        values[i] = static_cast<int>(i * 577 % 1021) + 1000 * static_cast<int>(i % 3);
    return values;
}

Sand scattered_heaps(int width, int height, int max_rounds, int threads, const char* card) {
    return {width, height, scattered(static_cast<size_t>(width) * height, 2), max_rounds, threads, card};
}

}  // namespace

TEST_CASE("Tiles of 8: 1 to 32 make 36, 100, 164 and 228") {
    expect_tiles(counting_up(32), 8);
}

TEST_CASE("Tiles of 4, 16 and 32: 1 to 32") {
    for (const size_t tile : {4, 16, 32}) expect_tiles(counting_up(32), tile);
}

TEST_CASE("Tiles that the array does not fill: 1, 13, 70 and 300 numbers") {
    const std::pair<size_t, size_t> sizes[] = {{1, 8}, {13, 4}, {70, 8}, {300, 32}};
    for (const auto& [n, tile] : sizes) expect_tiles(shuffled(n), tile);
}

TEST_CASE("Peaks: 12 cells, five of them topple") {
    expect_peaks({4, 0, 3, 5, 9, 1, 2, 4, 0, 0, 7, 3});
}

TEST_CASE("Peaks: a warp in which all topple, one in which none does, one in which its last cell does") {
    Numbers pile(96, 0);
    std::fill(pile.begin(), pile.begin() + 32, 4);
    pile.back() = 6;
    expect_peaks(pile);
}

TEST_CASE("Peaks: 1000 cells, a third topples; and none at all, all of 100") {
    expect_peaks(scattered(1000, 33));
    expect_peaks(scattered(65, 0));
    expect_peaks(scattered(100, 100));
}

TEST_CASE("Sand: 16 grains on the middle of 5 x 5, one block") {
    expect_settled(heap(5, 5, 16, 8, 32));
}

TEST_CASE("Sand: 64 grains on 9 x 7, two blocks, until it is quiet") {
    expect_settled(heap(9, 7, 64, 10, 32));
}

TEST_CASE("Sand: 200 grains on 13 x 11, five blocks, 18 rounds") {
    expect_settled(heap(13, 11, 200, 20, 32));
}

TEST_CASE("Sand: stopped after 3 rounds, blocks of 96; after 1") {
    expect_settled(heap(21, 20, 400, 3, 96));
    expect_settled(heap(3, 2, 1000, 1, 64));
}

TEST_CASE("Sand: more cells than the card has room for threads") {
    expect_settled(scattered_heaps(128, 114, 1, 32, "rtx3060"));
}

LAB_EXPERIMENT("Sand, at the sizes that you chose")(const lab::Settings& at) {
    expect_settled(heap(at["side"], at["side"], at["grains"], 400, 32 * at["warps"]));
}

TEST_SUITE_END();
