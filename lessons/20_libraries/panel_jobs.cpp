#include "lessons/20_libraries/panel_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lab::lesson_20_libraries {
namespace {

constexpr const char* mark = "Side by side: ";

bool is_by_hand(const std::string& name) {
    return name.find("by_hand") != std::string::npos;
}

Piece piece_of(const TimelineTask& task) {
    return {task.name, task.line, double(task.end - task.begin) / 1e3};
}

Job job_of(const std::string& title, int case_index, const Timeline& timeline) {
    Job job{title, case_index, {}, {}};
    job.library.source = Source::at_least;
    for (const TimelineTask& task : timeline.tasks) {
        if (!task.takes_time()) continue;
        if (task.kind == "kernel" && is_by_hand(task.name)) {
            job.hand.pieces.push_back(piece_of(task));
            continue;
        }
        job.library.pieces.push_back(piece_of(task));
        if (task.kind != "kernel") continue;
        const bool is_foreign = task.name.find("::") != std::string::npos;  // "thrust::sort"
        job.library.source = is_foreign ? Source::unknown : Source::modelled;
    }
    return job;
}

// What most calls took the host.
double queue_time(const Timeline& timeline) {
    std::vector<double> times;
    for (const HostStep& step : timeline.host)
        if (step.what == "queues") times.push_back(double(step.end - step.begin) / 1e3);
    if (times.empty()) return 0;
    std::nth_element(times.begin(), times.begin() + long(times.size() / 2), times.end());
    return times[times.size() / 2];
}

struct Pair {
    const char *title, *hand, *library;
};
constexpr Pair pairs[] = {{"the product", "multiply_by_hand", "multiply"},
                          {"the fit", "fit_by_hand", "fit"},
                          {"the random numbers", "noise_by_hand", "noise"},
                          {"mean and deviation", "moments_by_hand", "moments"}};

Way measured(const Times& times, const std::string& name) {
    Way way;
    way.source = Source::measured;
    for (const TimedCall& call : times.calls)
        if (call.name == name && call.us > 0) way.pieces.push_back({name, 0, call.us});
    return way;
}

Jobs measured_jobs(const Times& times) {
    Jobs jobs;
    jobs.device = times.device;
    jobs.is_measured = true;
    for (const Pair& pair : pairs)
        if (Job job{pair.title, -1, measured(times, pair.hand), measured(times, pair.library)};
            job.hand.is_done() || job.library.is_done())
            jobs.jobs.push_back(std::move(job));
    return jobs;
}

}  // namespace

double Way::us() const {
    double sum = 0;
    for (const Piece& piece : pieces) sum += piece.us;
    return sum;
}

int Way::line() const {
    const auto longest = std::max_element(pieces.begin(), pieces.end(),
                                          [](const Piece& a, const Piece& b) { return a.us < b.us; });
    return longest == pieces.end() ? 0 : longest->line;
}

Jobs jobs_of(const Run& run) {
    if (run.times && run.times->problem.empty() && !run.times->calls.empty())
        return measured_jobs(*run.times);
    Jobs jobs;
    for (const Timeline& timeline : run.timelines) {
        if (timeline.case_index < 0 || size_t(timeline.case_index) >= run.cases.size()) continue;
        const std::string& name = run.cases[size_t(timeline.case_index)].name;
        const size_t at = name.find(mark);
        if (at == std::string::npos) continue;
        jobs.jobs.push_back(job_of(name.substr(at + std::strlen(mark)), timeline.case_index, timeline));
        jobs.device = timeline.device;
        jobs.queue_us = std::max(jobs.queue_us, queue_time(timeline));
    }
    return jobs;
}

std::string time_text(double us) {
    if (us >= 999.5) return fmt::format("{:.1f} ms", us / 1e3);
    return us >= 99.95 ? fmt::format("{:.0f} us", us) : fmt::format("{:.1f} us", us);
}

}  // namespace lab::lesson_20_libraries
