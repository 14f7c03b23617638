#include "workbench/record/times.h"

#include "workbench/record/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lab {

namespace {

using namespace fields;

std::string duration(double us) {
    if (us < 1000) return fmt::format("{:.3g} us", us);
    return us < 1e6 ? fmt::format("{:.3g} ms", us / 1000) : fmt::format("{:.3g} s", us / 1e6);
}

// Three digits and the unit's thousandfold: 3.77e12 -> "3.77 T".
std::string rate(double value, const char* unit) {
    constexpr std::pair<double, const char*> steps[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (const auto& [size, letter] : steps)
        if (value >= size) return fmt::format("{:.3g} {}{}", value / size, letter, unit);
    return fmt::format("{:.3g} {}", value, unit);
}

std::string share(double value, double ceiling, const char* of) {
    if (ceiling <= 0) return "";
    const double percent = 100 * value / ceiling;
    return fmt::format(" ({:.{}f} % of {})", percent, percent < 9.95 ? 1 : 0, of);
}

KernelTime to_kernel(const json& record) {
    return {text(record, "name"), real(record, "us"), small(record, "launches")};
}

TimedCall to_call(const json& record) {
    return {text(record, "name"),
            real(record, "us"),
            small(record, "calls"),
            real(record, "bytes"),
            real(record, "flops"),
            real(record, "solution_us"),
            list(record, "kernels", to_kernel)};
}

}  // namespace

std::string describe(const TimedCall& call, const Ceilings& ceilings) {
    std::string words = duration(call.us);
    if (call.us <= 0) return words;
    const double bytes = call.bytes / call.us * 1e6, flops = call.flops / call.us * 1e6;
    if (call.bytes > 0) words += ", " + rate(bytes, "B/s") + share(bytes, ceilings.copy, "this card's copy");
    if (call.flops > 0) words += ", " + rate(flops, "FLOP/s") + share(flops, ceilings.product, "cuBLAS here");
    if (call.solution_us > 0) words += "; the solution takes " + duration(call.solution_us);
    return words;
}

std::vector<std::string> lines_of(const Times& times) {
    if (!times.problem.empty())
        return {fmt::format("No times on the GPU ({}): {}", times.device, times.problem)};
    std::vector<std::string> lines;
    lines.push_back(fmt::format("Times on the GPU ({}): {}.", times.device, times.title));
    size_t widest = 0;
    for (const TimedCall& call : times.calls) widest = std::max(widest, call.name.size());
    for (const TimedCall& call : times.calls) {
        lines.push_back(fmt::format("  {:{}}  {}", call.name, widest, describe(call, times.ceilings)));
        if (call.kernels.size() < 2) continue;
        for (const KernelTime& kernel : call.kernels)
            lines.push_back(
                fmt::format("    {} {}{}", kernel.name, duration(kernel.us),
                            kernel.launches > 1 ? fmt::format(" in {} launches", kernel.launches) : ""));
    }
    return lines;
}

json from_times(const Times& times) {
    json calls = json::array();
    for (const TimedCall& call : times.calls) {
        json kernels = json::array();
        for (const KernelTime& kernel : call.kernels)
            kernels.push_back({{"name", kernel.name}, {"us", kernel.us}, {"launches", kernel.launches}});
        calls.push_back({{"name", call.name},
                         {"us", call.us},
                         {"calls", call.calls},
                         {"bytes", call.bytes},
                         {"flops", call.flops},
                         {"solution_us", call.solution_us},
                         {"kernels", kernels}});
    }
    return {{"device", times.device},
            {"driver", times.driver},
            {"title", times.title},
            {"problem", times.problem},
            {"copy_bytes_per_second", times.ceilings.copy},
            {"product_flops_per_second", times.ceilings.product},
            {"calls", calls}};
}

Times to_times(const json& record) {
    Times times;
    times.device = text(record, "device");
    times.driver = text(record, "driver");
    times.title = text(record, "title");
    times.problem = text(record, "problem");
    times.ceilings = {real(record, "copy_bytes_per_second"), real(record, "product_flops_per_second")};
    times.calls = list(record, "calls", to_call);
    return times;
}

}  // namespace lab
