#include "workbench/play/gpu_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "simt/toolchain/process.h"
#include "workbench/progress/progress.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

constexpr double ceilings_limit = 60;  // seconds

std::string text_of(const Ceilings& ceilings) {
    return fmt::format("copy {:.6g}\nproduct {:.6g}\n", ceilings.copy, ceilings.product);
}

// cuBLAS is no part of every toolkit; without it there is the copy alone.
Ceilings measure(const GpuSetup& setup, const Home& home) {
    for (const bool with_cublas : {true, false}) {
        const std::string program = ceilings_program(setup, home, with_cublas);
        if (program.empty()) continue;
        const auto outcome = simt::toolchain::run({program}, "", ceilings_limit);
        const Ceilings found = outcome.ok() ? read_ceilings(outcome.output) : Ceilings{};
        if (found.copy > 0) return found;
    }
    return {};
}

}  // namespace

Ceilings read_ceilings(const std::string& text) {
    Ceilings found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        double value = 0;
        if (!(words >> name >> value) || !std::isfinite(value) || value < 0) continue;
        if (name == "copy") found.copy = value;
        if (name == "product") found.product = value;
    }
    return found;
}

void add_solution(Times& mine, const Times& solution) {
    for (TimedCall& call : mine.calls) {
        const auto same = std::find_if(solution.calls.begin(), solution.calls.end(),
                                       [&](const TimedCall& one) { return one.name == call.name; });
        if (same != solution.calls.end()) call.solution_us = same->us;
    }
}

void add_card(Times& times, const GpuSetup& setup, const Home& home) {
    const GpuCard& card = setup.cards.front();
    times.device = card.name;
    times.driver = card.driver;
    Progress progress;
    const std::string key = fmt::format("ceilings/{}/{}", card.name, card.driver);
    times.ceilings = read_ceilings(progress.kept(key));
    if (times.ceilings.copy > 0) return;
    times.ceilings = measure(setup, home);
    if (times.ceilings.copy > 0) progress.keep(key, text_of(times.ceilings));
}

Times times_without(const GpuSetup& setup, const std::string& why) {
    Times times;
    times.device = setup.cards.front().name;
    times.driver = setup.cards.front().driver;
    times.problem = why;
    return times;
}

}  // namespace lab
