#include "workbench/grading/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace lab {

namespace {

constexpr size_t kMessageLines = 4;

int rank(const Finding& finding) {
    if (finding.severity == Severity::advice) return 3;
    if (finding.kind == "order-dependent") return 2;
    return finding.kind == "never-written" || finding.kind == "unchecked-error" ||
                   finding.kind == "sticky-error"
               ? 1
               : 0;
}

std::string message_of(const std::vector<Failure>& failures) {
    std::vector<std::string> lines;
    const auto put = [&](const std::string& line) {
        if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
            lines.push_back(line);
    };
    for (const auto& failure : failures) {
        put(failure.message);
        put(failure.cause);
    }
    if (lines.size() > kMessageLines) lines.resize(kMessageLines);
    return fmt::format("{}", fmt::join(lines, "\n"));
}

bool write_file(const std::string& path, const std::vector<char>& bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return false;
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return std::fclose(file) == 0 && whole;
}

Status status_of(Ending ending) {
    switch (ending) {
        case Ending::timeout:
            return Status::timeout;
        case Ending::returned:
        case Ending::not_loaded:
            return Status::failed;
        default:
            return Status::crashed;
    }
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& some, int case_index) {
    for (T entry : some) {
        entry.case_index = case_index;
        all.push_back(std::move(entry));
    }
}

void append_values(std::vector<ArrayValues>& all, const std::vector<ArrayValues>& some, int case_index,
                   size_t& bytes) {
    for (ArrayValues array : some) {
        const size_t more = array.got.size() + array.expected.size();
        if (bytes + more > most_values_bytes) continue;
        bytes += more;
        array.case_index = case_index;
        all.push_back(std::move(array));
    }
}

std::string next_of(const std::vector<Failure>& failures, const std::vector<Finding>& findings) {
    for (const auto& failure : failures) {
        if (!failure.next.empty()) return failure.next;
    }
    for (const auto& finding : findings) {
        if (finding.severity == Severity::error && !finding.fix.empty()) return finding.fix;
    }
    return "Read the line that the message names, change one thing, and save again.";
}

}  // namespace

Referee& referee() {
    static Referee one;
    return one;
}

const Settings& settings() {
    return referee().settings;
}

int Settings::operator[](const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::out_of_range(fmt::format("The lesson has no slider `{}`.", name));
    return found->second;
}

std::string error_words(int code) {
    const auto& name = referee().error_name;
    return name ? fmt::format("{} ({})", code, name(code)) : fmt::format("{}", code);
}

void put_cause_first(std::vector<Finding>& findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
}

void Collector::begin_case(const std::string& name) {
    cases_.emplace_back();
    cases_.back().result.name = name;
}

void Collector::add_failure(const Failure& failure) {
    if (!cases_.empty()) cases_.back().failures.push_back(failure);
}

void Collector::add_trial(TrialRecord record) {
    if (cases_.empty()) return;
    auto& trials = cases_.back().trials;
    if (trials.empty()) {
        trials.push_back(std::move(record));
    } else if (record.failed && !trials.front().failed) {
        trials.front() = std::move(record);
    }
}

void Collector::end_case(bool passed, double seconds) {
    Entry& entry = cases_.back();
    entry.result.passed = passed;
    entry.result.seconds = seconds;
    entry.result.message = passed ? "" : message_of(entry.failures);
    if (trace_prefix_.empty() || entry.trials.empty() || entry.trials.front().trace.empty()) return;
    const std::string path = fmt::format("{}{}.trace", trace_prefix_, cases_.size() - 1);
    if (write_file(path, entry.trials.front().trace)) entry.result.trace = path;
    entry.trials.front().trace.clear();
}

Run Collector::finish() const {
    Run run;
    run.passed = !cases_.empty();
    size_t values_bytes = 0;
    for (size_t i = 0; i < cases_.size(); ++i) {
        const Entry& entry = cases_[i];
        run.cases.push_back(entry.result);
        const bool first_failure = run.passed && !entry.result.passed;
        run.passed = run.passed && entry.result.passed;
        if (entry.trials.empty()) {
            if (first_failure) run.status = Status::failed;
        } else {
            const TrialRecord& trial = entry.trials.front();
            append(run.findings, trial.findings, static_cast<int>(i));
            append(run.kernels, trial.kernels, static_cast<int>(i));
            append(run.buffers, trial.buffers, static_cast<int>(i));
            append(run.devices, trial.devices, static_cast<int>(i));
            append(run.timelines, trial.timelines, static_cast<int>(i));
            if (!trial.times.empty()) {
                if (!run.times) run.times.emplace().title = entry.result.name;
                run.times->calls.insert(run.times->calls.end(), trial.times.begin(), trial.times.end());
            }
            append(run.series, trial.series, static_cast<int>(i));
            append_values(run.arrays, trial.arrays, static_cast<int>(i), values_bytes);
            if (i == 0 || first_failure) {
                run.output = trial.output;
                run.output_cut = trial.output_cut;
            }
            if (first_failure) run.status = status_of(trial.ending);
        }
        if (!first_failure) continue;
        run.headline = entry.result.message.substr(0, entry.result.message.find('\n'));
        run.next_action = next_of(
            entry.failures, entry.trials.empty() ? std::vector<Finding>{} : entry.trials.front().findings);
    }
    put_cause_first(run.findings);
    // The first failing case's findings lead: it is the one that the verdict talks about.
    const auto failing =
        std::find_if(run.cases.begin(), run.cases.end(), [](const Case& c) { return !c.passed; });
    const int index = failing == run.cases.end() ? -1 : static_cast<int>(failing - run.cases.begin());
    std::stable_partition(run.findings.begin(), run.findings.end(), [&](const Finding& f) {
        return f.severity == Severity::error && f.case_index == index;
    });
    if (cases_.empty()) run.status = Status::failed;
    return run;
}

}  // namespace lab
