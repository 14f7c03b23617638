#include "workbench/record/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lab {

namespace {

constexpr double fewest_requests = 8, least_ratio = 2;

double value(const Metrics& metrics, const std::string& name) {
    const auto found = metrics.find(name);
    return found == metrics.end() ? 0 : found->second;
}

std::string rounded(double number) {
    const bool whole = std::fabs(number - std::round(number)) < 0.05;
    return whole ? fmt::format("{:.0f}", number) : fmt::format("{:.1f}", number);
}

struct Cost {
    std::string sentence;
    double excess = 0;
};

// `took` and `needs`, both over all `requests`.
Cost compare(double requests, double took, double needs, const std::string& what, const std::string& unit) {
    if (requests < fewest_requests || needs <= 0 || took < least_ratio * needs) return {};
    const double would_do = needs / requests;
    return {fmt::format("{} {} a {}, {} would do", rounded(took / requests), unit, what, rounded(would_do)),
            took - needs};
}

// The worst that there is to say about a line.
Cost worst(const Metrics& m) {
    std::vector<Cost> costs;
    for (const char* op : {"load", "store"}) {
        const std::string name = std::string("global_") + op;
        costs.push_back(compare(value(m, name + "_requests"), value(m, name + "_sectors"),
                                value(m, name + "_ideal_sectors"), op, "sectors"));
    }
    for (const char* op : {"load", "store", "atomic"}) {
        const std::string name = std::string("shared_") + op;
        const double took = value(m, name + "_wavefronts");
        costs.push_back(compare(value(m, name + "_requests"), took, took - value(m, name + "_conflicts"),
                                std::string("shared ") + op, "passes through the banks"));
    }
    const double reads = value(m, "constant_load_requests");
    costs.push_back(
        compare(reads, value(m, "constant_load_addresses"), reads, "read of constants", "addresses"));
    const double branches = value(m, "branches"), parted = value(m, "divergent_branches");
    if (branches >= fewest_requests && parted > branches / 2)
        costs.push_back(
            {fmt::format("the lanes of a warp part in {} of {} branches", rounded(parted), rounded(branches)),
             parted});
    const double faults = value(m, "page_faults"), moved = value(m, "page_bytes");
    constexpr double fewest_faults = 8, accesses_of_a_fault = 1000;
    if (faults >= fewest_faults)
        costs.push_back(
            {moved > 0 ? fmt::format("{} page faults, which move {} KiB: cudaMemPrefetchAsync before the "
                                     "launch brings them in one copy",
                                     rounded(faults), rounded(moved / 1024))
                       : fmt::format("{} page faults", rounded(faults)),
             faults * accesses_of_a_fault});
    return *std::max_element(costs.begin(), costs.end(),
                             [](const Cost& a, const Cost& b) { return a.excess < b.excess; });
}

}  // namespace

std::string cost_of_line(const Metrics& metrics) {
    return worst(metrics).sentence;
}

std::vector<CostlyLine> costly_lines(const Run& run, size_t most) {
    std::map<std::tuple<std::string, std::string, int>, std::pair<Place, Metrics>> sums;
    for (const Kernel& kernel : run.kernels)
        for (const LineCost& line : kernel.lines) {
            auto& [at, metrics] = sums[{kernel.name, line.at.file, line.at.line}];
            at = line.at;
            for (const auto& [name, number] : line.metrics) metrics[name] += number;
        }
    std::vector<CostlyLine> lines;
    for (const auto& [key, sum] : sums) {
        const Cost cost = worst(sum.second);
        if (!cost.sentence.empty())
            lines.push_back({std::get<0>(key), sum.first, cost.sentence, cost.excess});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const CostlyLine& a, const CostlyLine& b) { return a.excess > b.excess; });
    if (lines.size() > most) lines.resize(most);
    return lines;
}

}  // namespace lab
