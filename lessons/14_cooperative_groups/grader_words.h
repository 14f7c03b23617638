// The references of exercise 14, and what wrong results of it tell: a cause and one thing to try.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lessons/14_cooperative_groups/interface.h"
#include "workbench/record/run.h"

namespace lab::lesson_14_cooperative_groups {

using Numbers = std::vector<int>;

struct Words {
    std::string what, next;  // empty: nothing to say
};

// --- costs ---

struct Cost {
    const char* metric;
    const char* what;
    const char* next;
};
inline constexpr Cost costs_of_shared[] = {
    {"shared_load_requests", "requests to read shared memory",
     "The threads of a group within a warp read each other's registers: group.shfl and its kin."},
    {"shared_store_requests", "requests to write shared memory",
     "The threads of a group within a warp read each other's registers: group.shfl and its kin."},
};
inline constexpr Cost costs_of_memory[] = {
    costs_of_shared[0],
    costs_of_shared[1],
    {"global_atomic_requests", "atomic additions to global memory",
     "Let the tile add up its values by tile.shfl_down; its first thread stores the sum."},
};
inline constexpr Cost cost_of_shuffles{"warp_shuffles", "shuffles",
                                       "Begin with half of the tile and halve: a tile of 8 takes the steps "
                                       "4, 2 and 1. tile.num_threads() knows the size."};
inline constexpr Cost cost_of_loads{
    "global_load_requests", "requests to read the input",
    "Each thread reads its own number once; the rest is talk between the threads of the tile."};
inline constexpr Cost cost_of_tickets{"global_atomic_sectors", "trips to the counter",
                                      "Only the thread of rank 0 in the coalesced group goes there, and "
                                      "reserves here.num_threads() places for all."};
inline constexpr Cost cost_of_counting{"global_atomic_sectors", "atomic additions",
                                       "Each warp adds up its toppled cells with tile_sum first; its first "
                                       "thread adds the sum to d_toppled[round], once a round."};
inline constexpr Cost cost_of_sums{
    "warp_shuffles", "shuffles",
    "Add up the warp's toppled cells once a round, behind both steps: five shuffles."};

inline constexpr Cost cost_of_rounds{"grid_barriers", "barriers of the grid",
                                     "Stop after the round in which no cell toppled: all threads read the "
                                     "same d_toppled[round] behind the grid.sync()."};

// --- what the machine found ---

inline std::string at_line(const Finding& finding) {
    return finding.at.line > 0 ? " at line " + std::to_string(finding.at.line) : "";
}

// Nothing: the machine's own words say it all.
inline std::optional<Words> words_for(const Finding& finding, bool in_settle) {
    if (finding.kind == "shfl-mask" && finding.message.find("is elsewhere") != std::string::npos)
        return Words{
            "Threads of a tile wait for others of it that never make this call. " + finding.message + ".",
            "A tile's shfl and sync are for all its threads: take the call out of the condition. For those "
            "who "
            "happen to be in a branch there is cg::coalesced_threads()."};
    if (finding.kind == "shfl-mask" && finding.message.find("has left the kernel") != std::string::npos)
        return Words{
            "A thread asks one of its group that has left, or went past this call. " + finding.message + ".",
            "Let all threads of the tile stay: one past the end brings 0 and stores nothing."};
    const bool is_race = finding.kind == "global-race" || finding.kind == "warp-race";
    if (is_race && in_settle && finding.other && finding.at.line == finding.other->at.line)
        return Words{
            "Two threads touch one element at line " + std::to_string(finding.at.line) + ": " +
                finding.message + ".",
            "A cell belongs to one thread of the grid: i begins at grid.thread_rank() and goes on by "
            "grid.num_threads(). (And a step reads one array and writes the other.)"};
    if (is_race && in_settle && finding.other)
        return Words{
            "No grid.sync() stands between line " + std::to_string(finding.at.line) + " and line " +
                std::to_string(finding.other->at.line) + ": " + finding.message + ".",
            "A step reads what the whole grid wrote in the step before, so all of it must meet in between, "
            "and again before the next round. __syncthreads() and block.sync() wait for one block, "
            "__syncwarp() "
            "for one warp, a fence for nobody."};
    if (finding.kind == "barrier-early-exit" && in_settle)
        return Words{
            finding.message + ".",
            "Let no thread leave before the loop's end. One without a cell skips the loop over the cells by "
            "itself, and still comes to every grid.sync()."};
    return std::nullopt;
}

// --- tiles ---

inline Numbers sums_of(const Numbers& values, size_t tile) {
    Numbers sums((values.size() + tile - 1) / tile, 0);
    for (size_t i = 0; i < values.size(); ++i) sums[i / tile] += values[i];
    return sums;
}

inline std::string first_difference(const Numbers& got, const Numbers& right) {
    size_t first = 0;
    while (first + 1 < got.size() && got[first] == right[first]) ++first;
    return "sums[" + std::to_string(first) + "] is " + std::to_string(got[first]) + ", expected " +
           std::to_string(right[first]) + ". ";
}

// What a tree gives that shuffles by these steps in groups of `width` lanes, where a lane without a partner gets its own
// value back.
inline Numbers tree_sums(const Numbers& values, size_t tile, size_t width, const std::vector<size_t>& steps) {
    const size_t count = (values.size() + tile - 1) / tile;
    Numbers lanes = values;
    lanes.resize((values.size() + 31) / 32 * 32, 0);
    for (const size_t step : steps) {
        const Numbers brought = lanes;
        for (size_t i = 0; i < lanes.size(); ++i)
            lanes[i] += brought[i % width + step < width ? i + step : i];
    }
    Numbers sums(count);
    for (size_t t = 0; t < count; ++t) sums[t] = lanes[t * tile];
    return sums;
}

inline Words words_for_sums(const Numbers& got, const Numbers& values, size_t tile) {
    const Numbers right = sums_of(values, tile);
    if (got == right) return {};
    const std::string difference = first_difference(got, right), size = std::to_string(tile);
    if (got == tree_sums(values, tile, tile, {16, 8, 4, 2, 1}))
        return {difference + "The steps are those of a whole warp: 16 and what follows. In a tile of " +
                    size +
                    " a thread has no partner 16 further on, gets its own value back, and adds it once more.",
                "Begin with half of the tile: tile.num_threads() / 2."};
    if (got == tree_sums(values, tile, 32, {16, 8, 4, 2, 1}))
        return {difference + "That is a whole warp's sum: it goes past the end of the tile of " + size + ".",
                "Use the tile's own shuffle, tile.shfl_down; it stays within its " + size + " threads."};
    Numbers own(right.size());
    for (size_t t = 0; t < own.size(); ++t) own[t] = values[t * tile];
    if (got == own)
        return {difference + "That is the first thread's own number.",
                "Add up within the tile before its first thread stores."};
    for (const size_t left_out : {size_t{1}, tile / 2}) {
        std::vector<size_t> steps;
        for (size_t step = tile / 2; step > 0; step /= 2)
            if (step != left_out) steps.push_back(step);
        if (got == tree_sums(values, tile, tile, steps))
            return {difference + "The step of " + std::to_string(left_out) + " is missing.",
                    "The steps of a tile of " + size + " are " + std::to_string(tile / 2) +
                        ", and half of it each time, down to 1."};
    }
    return {};
}

// --- peaks ---

inline bool topples(int grains) {
    return grains > most_grains;
}

inline Numbers peaks_of(const Numbers& pile) {
    Numbers peaks;
    for (size_t i = 0; i < pile.size(); ++i)
        if (topples(pile[i])) peaks.push_back(static_cast<int>(i));
    return peaks;
}

inline Words words_for_peaks(const Numbers& list, int count, const Numbers& pile) {
    const Numbers right = peaks_of(pile);
    const int want = static_cast<int>(right.size());
    const std::string said = "count is " + std::to_string(count) + ", and " + std::to_string(want) +
                             (want == 1 ? " cell topples." : " cells topple.");
    if (count < want)
        return {said,
                "The group reserves here.num_threads() places, in one atomicAdd: as many as it has threads."};
    if (count > want)
        return {said,
                "One thread of the group adds here.num_threads(), the others nothing; and it is the number "
                "of threads "
                "in the branch, not of the warp."};
    for (size_t i = 0; i < list.size(); ++i) {
        const bool belongs = i < right.size();
        const int place = list[i];
        const std::string at = "peaks[" + std::to_string(i) + "]";
        if (belongs && place == -1)
            return {at + " was never written, though count says that there are " + std::to_string(count) +
                        " peaks: somebody wrote over another one's place.",
                    "Each thread of the group has a place of its own: where the group's room begins, told to "
                    "all by "
                    "here.shfl(first, 0), plus here.thread_rank(), its rank among those who are here."};
        if (!belongs && place != -1)
            return {at + " was written, and the list ends at " + std::to_string(count) + ".",
                    "The rank in the coalesced group counts only those who are in the branch: "
                    "here.thread_rank(), not the "
                    "lane and not the rank in the block."};
        if (!belongs) continue;
        if (place < 0 || place >= static_cast<int>(pile.size()) || !topples(pile[static_cast<size_t>(place)]))
            return {at + " is " + std::to_string(place) + ", which is no cell that topples.",
                    "The list holds the places of cells: i, the thread's rank in the grid."};
    }
    Numbers sorted(list.begin(), list.begin() + want);
    std::sort(sorted.begin(), sorted.end());
    if (sorted == right) return {};
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    return {"Cell " + std::to_string(twice == sorted.end() ? sorted[0] : *twice) +
                " is in the list more than once.",
            "Each thread stores its own i, once."};
}

// --- sand ---

struct Settled {
    Numbers pile, toppled;
    int rounds = 0;  // that were played
};

// d_to as `from` toppled once, and how many cells did.
inline std::pair<Numbers, int> toppled_once(const Numbers& from, int width, int height) {
    Numbers to(from.size(), 0);
    int count = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto at = [&](int cx, int cy) {
                if (cx < 0 || cy < 0 || cx >= width || cy >= height) return 0;
                return from[static_cast<size_t>(cy) * static_cast<size_t>(width) + static_cast<size_t>(cx)];
            };
            count += topples(at(x, y));
            to[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)] =
                at(x, y) % 4 + at(x - 1, y) / 4 + at(x + 1, y) / 4 + at(x, y - 1) / 4 + at(x, y + 1) / 4;
        }
    return {to, count};
}

inline Settled settled(const Numbers& start, int width, int height, int max_rounds) {
    Settled result{start, Numbers(static_cast<size_t>(max_rounds), 0), 0};
    for (int round = 0; round < max_rounds; ++round) {
        auto [spare, first] = toppled_once(result.pile, width, height);
        auto [pile, second] = toppled_once(spare, width, height);
        result.pile = pile;
        result.toppled[static_cast<size_t>(round)] = first + second;
        result.rounds = round + 1;
        if (first + second == 0) break;
    }
    return result;
}

struct Beginning {
    Numbers grains;
    int width, height, max_rounds;
};

inline Words words_for_pile(const Numbers& pile, const Numbers& toppled, const Settled& right,
                            const Beginning& from) {
    if (pile == right.pile && toppled == right.toppled) return {};
    if (pile == from.grains && pile != right.pile)
        return {"The pile is as it was at the beginning.",
                "A round topples d_pile into d_spare, and d_spare back into d_pile."};
    Numbers steps = from.grains, second(toppled.size(), 0), first(toppled.size(), 0);
    Numbers half;  // after the first step of the last round
    for (int round = 0; round < right.rounds; ++round) {
        auto [spare, one] = toppled_once(steps, from.width, from.height);
        half = spare;
        auto [back, two] = toppled_once(spare, from.width, from.height);
        if (pile == back && round + 1 < right.rounds && pile != right.pile)
            return {"The pile is as it should be after " + std::to_string(round + 1) + " of " +
                        std::to_string(right.rounds) + " rounds.",
                    "The loop goes on while d_toppled[round] is not 0, for max_rounds rounds at most."};
        steps = back;
        first[static_cast<size_t>(round)] = one;
        second[static_cast<size_t>(round)] = two;
    }
    if (pile == half && pile != right.pile)
        return {"The pile is one step behind: the last step of the last round is missing.",
                "A round has two steps: into d_spare, and back into d_pile."};
    if (pile != right.pile) {
        const size_t cells = pile.size();
        size_t wrong = 0;
        while (pile[wrong] == right.pile[wrong]) ++wrong;
        if (std::equal(pile.begin(), pile.begin() + static_cast<ptrdiff_t>(wrong), right.pile.begin()) &&
            wrong > 0 &&
            std::equal(pile.begin() + static_cast<ptrdiff_t>(wrong), pile.end(),
                       from.grains.begin() + static_cast<ptrdiff_t>(wrong)))
            return {"From cell " + std::to_string(wrong) + " of " + std::to_string(cells) +
                        " on, the pile is as it was at the beginning.",
                    "There may be more cells than threads: for (i = grid.thread_rank(); i < cells; i += "
                    "grid.num_threads())."};
        return {};
    }
    if (toppled == second)
        return {"toppled counts the second step of each round alone.",
                "Add what both steps toppled: toppled += topple(...)."};
    if (toppled == first)
        return {"toppled counts the first step of each round alone.",
                "Add what both steps toppled: toppled += topple(...)."};
    for (size_t r = 0; r < toppled.size(); ++r) {
        if (toppled[r] == right.toppled[r]) continue;
        return {"toppled[" + std::to_string(r) + "] is " + std::to_string(toppled[r]) +
                    ", and in that round " + std::to_string(right.toppled[r]) +
                    " cells toppled. The pile itself is right.",
                "After tile_sum, the warp's first thread has the sum of all 32; it alone adds, and to "
                "d_toppled[round]."};
    }
    return {};
}

// --- blocks ---

inline std::string whole(double value) {
    return std::to_string(static_cast<long long>(value));
}

inline Words words_for_fit(double said, double fit, double multiprocessors, int threads) {
    if (said == fit || multiprocessors == 0) return {};
    const std::string what =
        "blocks_at_once(" + std::to_string(threads) + ") returned " + whole(said) + "; " + whole(fit) +
        " blocks of settle_kernel are on this device at once: " + whole(fit / multiprocessors) +
        " on each of its " + whole(multiprocessors) + " multiprocessors.";
    if (said * multiprocessors == fit)
        return {what + " You have those of one multiprocessor.",
                "Multiply by cudaDevAttrMultiProcessorCount, asked of the device."};
    if (said == multiprocessors)
        return {what + " You have the number of multiprocessors.",
                "Ask cudaOccupancyMaxActiveBlocksPerMultiprocessor how many blocks each of them holds, and "
                "multiply."};
    return {
        what,
        "Ask cudaOccupancyMaxActiveBlocksPerMultiprocessor about settle_kernel with `threads` threads and no "
        "dynamic shared memory, and multiply by cudaDevAttrMultiProcessorCount."};
}

inline Words words_for_blocks(double got, double need, double fit) {
    const double right = std::min(need, fit);
    if (got == right) return {};
    if (got > need)
        return {"settle launched " + whole(got) + " blocks; " + whole(need) +
                    " have a cell for each thread already. The others only make every grid.sync() longer.",
                "Launch as many blocks as the cells need, and no more than fit."};
    if (got > fit) return {};  // the launch was refused, and says so
    return {"settle launched " + whole(got) + (got == 1 ? " block, where " : " blocks, where ") +
                whole(right) + " would be at work.",
            "Launch as many blocks as the cells need, and no more than fit: the smaller of the two numbers."};
}

}  // namespace lab::lesson_14_cooperative_groups
