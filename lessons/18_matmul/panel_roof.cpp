#include "lessons/18_matmul/panel_roof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace lab::lesson_18_matmul {
namespace {

constexpr double sector_bytes = 32, wavefront_bytes = 128;

double metric(const Kernel& kernel, const char* name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? 0 : found->second;
}

// `key = number` and `name = "text"`, with comments behind: all that a profile has in the lines that are wanted.
Card read_card(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::map<std::string, double> limits;
    std::string name;
    for (std::string line; std::getline(file, line);) {
        const size_t equals = line.find(" = ");
        if (line.empty() || line[0] == '#' || equals == line.npos) continue;
        const std::string key = line.substr(0, equals), value = line.substr(equals + 3);
        if (key == "name")
            name = value.substr(1, value.find('"', 1) - 1);
        else
            limits[key] = std::strtod(value.c_str(), nullptr);
    }
    return card_of(name, limits);
}

}  // namespace

double Card::reach_global(double flops_a_byte) const {
    return std::min(flops, flops_a_byte * global_bytes);
}

double Card::reach_shared(double flops_a_byte) const {
    return std::min(flops, flops_a_byte * shared_bytes);
}

Card card_of(const std::string& name, const std::map<std::string, double>& limits) {
    const auto get = [&](const char* key) {
        const auto found = limits.find(key);
        return found == limits.end() ? 0 : found->second;
    };
    const double clocks = get("sm_count") * get("clock_khz") * 1e3;  // of all multiprocessors, a second
    Card card;
    card.name = name;
    card.flops = 2 * get("fp32_per_sm") * clocks;
    card.global_bytes = 2 * get("memory_clock_khz") * 1e3 * get("memory_bus_bits") / 8;  // two a clock
    card.shared_bytes = wavefront_bytes * clocks;
    return card;
}

std::vector<Card> cards_in(const std::filesystem::path& folder) {
    std::vector<Card> cards;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
        if (entry.path().extension() == ".toml")
            if (Card card = read_card(entry.path()); card.known()) cards.push_back(std::move(card));
    std::sort(cards.begin(), cards.end(),
              [](const Card& a, const Card& b) { return a.global_bytes > b.global_bytes; });
    return cards;
}

double Point::reach(const Card& card) const {
    double most = card.flops;
    if (global) most = std::min(most, card.reach_global(*global));
    if (shared) most = std::min(most, card.reach_shared(*shared));
    return most;
}

Point::Limit Point::limit(const Card& card) const {
    if (!global && !shared) return Limit::none;
    const double most = reach(card);
    if (most >= card.flops) return Limit::arithmetic;
    return shared && card.reach_shared(*shared) <= most ? Limit::shared : Limit::global;
}

std::vector<Point> points_of(const std::vector<Walk>& walks) {
    std::vector<Point> points;
    for (const Walk& walk : walks) {
        Point point;
        point.kernel = walk.kernel;
        const double flops = 2 * walk.sizes.multiply_adds();
        const double global = metric(*walk.kernel, "global_load_sectors") * sector_bytes;
        const double shared = (metric(*walk.kernel, "shared_load_wavefronts") +
                               metric(*walk.kernel, "shared_store_wavefronts")) *
                              wavefront_bytes;
        if (global > 0 && flops > 0) point.global = flops / global;
        if (shared > 0 && flops > 0) point.shared = flops / shared;
        points.push_back(point);
    }
    return points;
}

std::string rate_text(double flops) {
    return flops >= 1e12 ? short_text(flops / 1e12) + " TFLOP/s" : fmt::format("{:.0f} GFLOP/s", flops / 1e9);
}

std::string short_text(double value) {
    if (value >= 99.95 || std::fabs(value - std::round(value)) < 0.005) return fmt::format("{:.0f}", value);
    return value >= 0.95 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace lab::lesson_18_matmul
