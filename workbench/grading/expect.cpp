// The checks that a grader asks for. Each looks at every thread order; the first one that fails is told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "workbench/grading/trial.h"

namespace lab {

namespace {

// Where the machine has an explanation, it leads; what the function returned is its consequence.
Failure explained_by(const Finding& finding, const std::string& consequence) {
    return {sentence(finding.message), consequence, finding.fix};
}

std::string range_words(const std::string& array, size_t first, size_t last) {
    return first == last ? fmt::format("{}[{}]", array, first)
                         : fmt::format("{}[{}..{}]", array, first, last);
}

bool is_unwritten(const Slot& slot, const char* data, size_t index) {
    if (slot.is_input) return false;
    const auto* bytes = reinterpret_cast<const unsigned char*>(data) + index * slot.element_bytes;
    return std::all_of(bytes, bytes + slot.element_bytes, [](unsigned char b) { return b == kPoison; });
}

struct Looked {
    WrongElements elements;
    size_t first_run_end = 0;  // last index of the first unwritten run
    bool one_run = true;       // all unwritten elements lie in it
};

// What the machine saw nobody write: the poison may be the right value of a byte by chance.
bool seen_unwritten(const Slot& slot, const std::vector<Finding>& findings, size_t index) {
    const auto element = static_cast<int64_t>(index);
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.kind == "never-written" && finding.buffer == slot.name && finding.element >= 0 &&
               element >= finding.element && element <= finding.last_element;
    });
}

Looked look_at(const Slot& slot, const char* data, const detail::ArrayCheck& check,
               const std::vector<Finding>& findings) {
    Looked looked;
    WrongElements& elements = looked.elements;
    elements.count = check.count;
    for (size_t i = 0; i < check.count; ++i) {
        const bool unwritten = is_unwritten(slot, data, i);
        if (check.right(data, i) && !(unwritten && seen_unwritten(slot, findings, i))) continue;
        if (elements.wrong++ == 0) elements.first = i;
        elements.last = i;
        if (!unwritten) continue;
        if (elements.unwritten == 0)
            elements.first_unwritten = looked.first_run_end = i;
        else if (looked.one_run && i == looked.first_run_end + 1)
            looked.first_run_end = i;
        else
            looked.one_run = false;
        elements.last_unwritten = i;
        ++elements.unwritten;
    }
    return looked;
}

std::string unwritten_words(const Slot& slot, const Looked& looked, const detail::ArrayCheck& check) {
    const WrongElements& elements = looked.elements;
    if (elements.unwritten == elements.count) {
        return fmt::format(
            "{} was never written: all {} elements hold what they held before. Expected {}[0] = {}.",
            slot.name, elements.count, slot.name, check.expected(0));
    }
    const bool one = elements.first_unwritten == looked.first_run_end;
    std::string text = fmt::format("{} {} never written",
                                   range_words(slot.name, elements.first_unwritten, looked.first_run_end),
                                   one ? "was" : "were");
    if (!looked.one_run) {
        const auto others = elements.unwritten - (looked.first_run_end - elements.first_unwritten + 1);
        text += others == 1 ? fmt::format(", nor was {}[{}]", slot.name, elements.last_unwritten)
                            : fmt::format(", nor were {} other elements up to {}[{}]", others, slot.name,
                                          elements.last_unwritten);
    }
    return text + fmt::format(". Expected {}[{}] = {}.", slot.name, elements.first_unwritten,
                              check.expected(elements.first_unwritten));
}

std::string wrong_words(const Slot& slot, const char* data, const WrongElements& elements,
                        const detail::ArrayCheck& check) {
    std::string text =
        fmt::format("{}[{}] is {}, expected {}{}.", slot.name, elements.first,
                    check.got(data, elements.first), check.expected(elements.first), check.tolerance);
    if (elements.count == 1) return text;
    if (elements.wrong == 1) return text + fmt::format(" The other {} are right.", elements.count - 1);
    if (elements.wrong == elements.count)
        return text + fmt::format(" All {} elements are wrong.", elements.count);
    return text + fmt::format(" {} of {} elements are wrong, the last is {}[{}].", elements.wrong,
                              elements.count, slot.name, elements.last);
}

// For the panels: what should be there, and which elements are not as they should be.
void note_values(Slot& slot, const detail::ArrayCheck& check) {
    if (slot.bytes() > slot.most_bytes || check.count != slot.count) return;
    slot.expected.assign(slot.bytes(), '\0');
    for (size_t i = 0; i < slot.count; ++i)
        check.put_expected(i, slot.expected.data() + i * slot.element_bytes);
    slot.wrong.clear();
    for (const GuardedArray& array : slot.arrays) {
        std::string& wrong = slot.wrong.emplace_back((slot.count + 7) / 8, '\0');
        for (size_t i = 0; i < slot.count; ++i)
            if (!check.right(array.data(), i)) wrong[i / 8] = static_cast<char>(wrong[i / 8] | 1 << i % 8);
    }
}

bool compare(double left, const char* op, double right) {
    const std::string_view o = op;
    if (o == "<=") return left <= right;
    if (o == "<") return left < right;
    if (o == ">=") return left >= right;
    if (o == ">") return left > right;
    if (o == "!=") return left != right;
    return left == right;
}

const char* words_of(const char* op) {
    const std::string_view o = op;
    if (o == "<=") return "at most";
    if (o == "<") return "fewer than";
    if (o == ">=") return "at least";
    if (o == ">") return "more than";
    if (o == "!=") return "not";
    return "exactly";
}

std::string plain(double value) {
    return value == std::floor(value) && std::fabs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                 : fmt::format("{:.4g}", value);
}

const Finding* refusal(const Trial::State& state, size_t order) {
    for (const auto& finding : state.results[order].report.findings) {
        if (finding.kind == "launch-config" || finding.kind == "unchecked-error") return &finding;
    }
    return nullptr;
}

}  // namespace

std::string describe(bool value) {
    return value ? "true" : "false";
}
std::string describe(long long value) {
    return fmt::format("{}", value);
}
std::string describe(unsigned long long value) {
    return fmt::format("{}", value);
}
std::string describe(double value) {
    return fmt::format("{:.9g}", value);
}
std::string detail::describe(const Tolerance& tolerance) {
    std::string text = tolerance.relative != 0
                           ? fmt::format(" (give or take {:.2g} of it", tolerance.relative)
                           : fmt::format(" (give or take {:.2g}", tolerance.absolute);
    return text + (tolerance.why.empty() ? ")" : ": " + tolerance.why + ")");
}

void expect_ok(Trial& trial, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site)) return;
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        const int code = state.results[order].returned;
        if (code == 0) continue;
        const std::string consequence = "The function returned " + error_words(code) + ".";
        state.tolerated.insert("leak");  // whoever leaves at an error leaves its memory behind, too
        const auto errors = state.errors(order);
        report_once(state, order, told,
                    errors.empty()
                        ? Failure{consequence + " Expected 0 (cudaSuccess).", "",
                                  "Look at the call that fails first: its error is the one that counts."}
                        : explained_by(*errors.front(), consequence),
                    site);
    }
}

void expect_error(Trial& trial, int code, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site)) return;
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        const int got = state.results[order].returned;
        if (got != 0 && (code == 0 || got == code)) {
            state.tolerated.insert({"launch-config", "sticky-error"});
            continue;
        }
        const Finding* why = refusal(state, order);
        const std::string fact = why ? sentence(why->message) : "This call was made to fail.";
        const std::string wanted = code == 0 ? "" : " Expected " + error_words(code) + ".";
        report_once(
            state, order, told,
            {fmt::format("The launch failed, and the function returned {}.{}",
                         got == 0 ? "0 (cudaSuccess)" : error_words(got), wanted),
             fact,
             "A launch returns nothing itself: ask cudaGetLastError() after it, and return what it says."},
            site);
        // The message tells it; the findings that say the same need no second failure.
        state.findings_reported = true;
    }
}

void expect_clean(Trial& trial, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site) || state.findings_reported) return;
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        std::vector<Finding> errors;
        for (const Finding* finding : state.errors(order)) {
            const bool known = state.holes_reported && finding->kind == "never-written";
            if (!known) errors.push_back(*finding);
        }
        if (errors.empty()) continue;
        put_cause_first(errors);
        report_once(state, order, told, explained_by(errors.front(), ""), site);
        state.findings_reported = true;
    }
}

void expect_metric(Trial& trial, const std::string& kernel, const std::string& metric, const char* op,
                   double value, const std::string& sentence, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site) || !referee().machine.watches()) return;
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        double sum = 0;
        bool launched = false, measured = false;
        for (const auto& launch : state.results[order].report.kernels) {
            if (launch.name != kernel) continue;
            launched = true;
            const auto found = launch.metrics.find(metric);
            measured = measured || found != launch.metrics.end();
            sum += found == launch.metrics.end() ? 0 : found->second;
        }
        if (launched && measured && compare(sum, op, value)) continue;
        const std::string message =
            !launched ? fmt::format("No kernel named {} was launched.", kernel)
            : !measured
                ? fmt::format("The machine has no number for {} of {}: this is a fault of the grader.",
                              metric, kernel)
                : fmt::format("{} made {} {}; expected {} {}.", kernel, plain(sum), metric, words_of(op),
                              plain(value));
        report_once(state, order, told, {message, sentence, ""}, site);
    }
}

void expect_timeline(Trial& trial, const std::string& metric, const char* op, double value,
                     const std::string& sentence, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site) || !referee().machine.watches()) return;
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        const auto& timelines = state.results[order].report.timelines;
        const bool queued = !timelines.empty();
        const bool measured = queued && timelines.front().metrics.count(metric) != 0;
        const double got = queued ? timelines.front().metric(metric) : 0;
        if (measured && compare(got, op, value)) continue;
        const std::string message =
            !queued     ? "Nothing was queued on the device, so there is no timeline."
            : !measured ? fmt::format("The timeline has no {}: too little runs for it.", metric)
                        : fmt::format("On the timeline {} is {}; expected {} {}.", metric, plain(got),
                                      words_of(op), plain(value));
        report_once(state, order, told, {message, sentence, ""}, site);
    }
}

void expect_launches(Trial& trial, const char* op, size_t count, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site)) return;
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        const auto& kernels = state.results[order].report.kernels;
        const auto accepted = std::count_if(kernels.begin(), kernels.end(),
                                            [](const Kernel& k) { return k.status != "refused"; });
        if (compare(static_cast<double>(accepted), op, static_cast<double>(count))) continue;
        report_once(state, order, told,
                    {fmt::format("The function launched {} kernel{}; expected {} {}.", accepted,
                                 accepted == 1 ? "" : "s", words_of(op), count),
                     "", ""},
                    site);
    }
}

void fail(Trial& trial, const std::string& message, const std::string& next, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site)) return;
    for (size_t order = 0; order < state.orders.size(); ++order)
        state.failed[order] = true;  // it says nothing about orders
    report_failure(state, 0, {message, "", next}, site);
}

void detail::expect_each(Trial& trial, const ArrayCheck& check, CheckSite site) {
    auto& state = trial.state();
    if (report_bad_end(state, site)) return;
    Slot& slot = state.slots.at(static_cast<size_t>(check.slot));
    note_values(slot, check);
    bool told = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        const char* data = slot.arrays[order].data();
        const Looked looked = look_at(slot, data, check, state.results[order].report.findings);
        const WrongElements& elements = looked.elements;
        if (elements.wrong == 0) continue;
        if (told) {
            state.failed[order] = true;
            continue;
        }
        // What was written wrong says more than what was not, unless the hole comes first.
        const bool hole = elements.unwritten != 0 && elements.first_unwritten == elements.first;
        Failure failure = guess_cause(
            state.results[order].report.kernels, elements, slot.name,
            [&](size_t i, size_t other) { return check.equals_expected_at(data, i, other); },
            [&](size_t i) { return !check.right(data, i); });
        failure.message =
            hole ? unwritten_words(slot, looked, check) : wrong_words(slot, data, elements, check);
        state.holes_reported = state.holes_reported || elements.unwritten != 0;
        report_once(state, order, told, failure, site);
    }
}

}  // namespace lab
