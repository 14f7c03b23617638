// What the second picture shows: how many operations a kernel makes for each byte that it moves, and what a card can do at most
// with that.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lessons/18_matmul/panel_walk.h"

namespace lab::lesson_18_matmul {

// A card's three limits, worked out from its profile.
struct Card {
    std::string name;
    double flops = 0;         // a second: a multiply-add is two
    double global_bytes = 0;  // a second, of device memory
    double shared_bytes = 0;  // a second, of all multiprocessors: 32 banks of 4 bytes a clock each

    bool known() const { return flops > 0 && global_bytes > 0; }
    double reach_global(double flops_a_byte) const;
    double reach_shared(double flops_a_byte) const;
};

// From the limits of a profile: sm_count, clock_khz, memory_clock_khz, memory_bus_bits, fp32_per_sm.
Card card_of(const std::string& name, const std::map<std::string, double>& limits);

// The profiles *.toml in this folder, the largest first; empty where there is none.
std::vector<Card> cards_in(const std::filesystem::path& folder);

// One launch. Bytes: sectors that its loads took from global memory, times 32 (what it writes of C, once, is left out, for a
// longer k would make it as small as you like); wavefronts of shared memory, times 128.
struct Point {
    const Kernel* kernel = nullptr;
    std::optional<double> global, shared;  // flops a byte; nothing: it moves none, or they are not counted

    double reach(const Card& card) const;  // flops a second at most
    enum class Limit { none, arithmetic, global, shared };
    Limit limit(const Card& card) const;
};

std::vector<Point> points_of(const std::vector<Walk>& walks);

std::string rate_text(double flops);   // "8.1 TFLOP/s", "290 GFLOP/s"
std::string short_text(double value);  // "0.06", "1.6", "32"

}  // namespace lab::lesson_18_matmul
