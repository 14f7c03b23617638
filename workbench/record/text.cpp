#include "workbench/record/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace lab {

namespace {

struct Paint {
    bool on;
    std::string operator()(const char* code, const std::string& text) const {
        return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
    }
    std::string bad(const std::string& text) const { return (*this)("1;31", text); }
    std::string good(const std::string& text) const { return (*this)("1;32", text); }
    std::string strong(const std::string& text) const { return (*this)("1", text); }
    std::string quiet(const std::string& text) const { return (*this)("2", text); }
};

// One entry of a verdict: what it says, and how willingly it goes when there is no room (0: never).
struct Entry {
    std::string text;
    int spare = 0;
};

size_t columns(const std::string& text) {
    size_t count = 0;
    bool escape = false;
    for (const unsigned char c : text) {
        if (c == 0x1b) escape = true;
        if (!escape && (c & 0xc0) != 0x80) ++count;
        if (escape && c == 'm') escape = false;
    }
    return count;
}

// Breaks at blanks; what follows the first line is indented by `indent`.
std::vector<std::string> wrap(const std::string& text, int width, size_t indent) {
    std::vector<std::string> lines;
    size_t start = 0;
    while (start <= text.size()) {
        const size_t newline = std::min(text.find('\n', start), text.size());
        std::string line;
        size_t from = start;
        while (from < newline) {
            size_t to = std::min(text.find(' ', from + 1), newline);
            const std::string word = text.substr(from, to - from);
            if (!line.empty() && columns(line) + columns(word) > static_cast<size_t>(width)) {
                lines.push_back(line);
                line = std::string(indent, ' ') + word.substr(word.find_first_not_of(' ') == std::string::npos
                                                                  ? 0
                                                                  : word.find_first_not_of(' '));
            } else {
                line += word;
            }
            from = to;
        }
        lines.push_back(line);
        start = newline + 1;
    }
    return lines;
}

// As the machine's sentences say it.
std::string in_three(const Dim3& d) {
    return fmt::format("({},{},{})", d.x, d.y, d.z);
}

// From the current folder on, where the file lies in it.
std::string shown_file(const std::string& file) {
    std::error_code failed;
    const std::string here = std::filesystem::current_path(failed).string() + "/";
    return !failed && file.rfind(here, 0) == 0 ? file.substr(here.size()) : file;
}

std::string place_prefix(const Place& at) {
    if (at.file.empty()) return "";
    const std::string file = shown_file(at.file);
    if (at.line <= 0) return file + ": ";
    if (at.column <= 0) return fmt::format("{}:{}: ", file, at.line);
    return fmt::format("{}:{}:{}: ", file, at.line, at.column);
}

std::string who(const std::optional<Dim3>& block, const std::optional<Dim3>& thread) {
    if (!thread) return "host code";
    return fmt::format("thread {} of block {}", in_three(*thread), in_three(block.value_or(Dim3{0, 0, 0})));
}

std::string finding_line(const Finding& finding, const Paint& paint) {
    const bool error = finding.severity == Severity::error;
    const std::string level = error ? paint.bad("error:") : paint("1;35", "warning:");
    std::string times;
    if (finding.count > 1) times = fmt::format(" ({} times)", finding.count);
    return fmt::format("{}{} {}{} [{}]", paint.strong(place_prefix(finding.at)), level, finding.message,
                       times, finding.kind);
}

std::string other_line(const Finding& finding, const Paint& paint) {
    const OtherParty& other = *finding.other;
    const std::string what =
        other.action == "decides" ? "this condition decides"
        : other.action == "declared"
            ? fmt::format("{} is declared here", finding.buffer.empty() ? "it" : finding.buffer)
        : other.action == "queued" ? "the other was queued here"
                                   : fmt::format("{} {} here", who(other.block, other.thread), other.action);
    return fmt::format("{}{} {}", paint.strong(place_prefix(other.at)), paint("1;36", "note:"), what);
}

void put_finding(std::vector<Entry>& entries, const Finding& finding, bool with_fix, int spare,
                 const Paint& paint) {
    entries.push_back({finding_line(finding, paint), spare});
    if (finding.other && finding.other->at.line > 0)
        entries.push_back({other_line(finding, paint), spare + 2});
    if (with_fix && !finding.fix.empty()) {
        entries.push_back({fmt::format("{}{} {}", paint.strong(place_prefix(finding.at)),
                                       paint("1;36", "note:"), finding.fix),
                           spare + 1});
    }
}

void put_diagnostic(std::vector<Entry>& entries, const Diagnostic& diagnostic, int spare,
                    const Paint& paint) {
    const char* code = diagnostic.level == "error" ? "1;31" : diagnostic.level == "warning" ? "1;35" : "1;36";
    entries.push_back({fmt::format("{}{} {}", paint.strong(place_prefix(diagnostic.at)),
                                   paint(code, diagnostic.level + ":"), diagnostic.message),
                       spare});
    if (!diagnostic.source_line.empty() && diagnostic.level == "error") {
        std::string gap =
            diagnostic.source_line.substr(0, static_cast<size_t>(std::max(0, diagnostic.at.column - 1)));
        for (char& c : gap) c = c == '\t' ? '\t' : ' ';
        entries.push_back({"    " + diagnostic.source_line, spare + 1});
        if (diagnostic.at.column > 0) entries.push_back({"    " + gap + paint.bad("^"), spare + 1});
    }
    if (!diagnostic.plain.empty()) {
        entries.push_back({fmt::format("{}{} {}", paint.strong(place_prefix(diagnostic.at)),
                                       paint("1;36", "note:"), diagnostic.plain),
                           spare});
    }
}

// Lines that fit: the most willing entries go first, then the last ones; never an entry with spare 0.
std::vector<std::string> fit(std::vector<Entry> entries, const RenderOptions& options) {
    const auto lines_of = [&](const Entry& entry) {
        const bool jumpable = entry.text.find(": error") != std::string::npos ||
                              entry.text.find("note:") != std::string::npos ||
                              entry.text.find("warning:") != std::string::npos;
        return wrap(entry.text, jumpable ? 100000 : options.width, 2);
    };
    const auto total = [&] {
        size_t count = 0;
        for (const auto& entry : entries) count += lines_of(entry).size();
        return count;
    };
    while (!options.verbose && total() > static_cast<size_t>(options.max_lines)) {
        auto worst = std::max_element(entries.rbegin(), entries.rend(),
                                      [](const Entry& a, const Entry& b) { return a.spare < b.spare; });
        if (worst == entries.rend() || worst->spare == 0) break;
        entries.erase(std::next(worst).base());
    }
    std::vector<std::string> lines;
    for (const auto& entry : entries) {
        for (auto& line : lines_of(entry)) lines.push_back(std::move(line));
    }
    if (!options.verbose && lines.size() > static_cast<size_t>(options.max_lines)) {
        lines.resize(static_cast<size_t>(options.max_lines));
    }
    return lines;
}

std::string what_ran(const Run& run) {
    return run.lesson.empty() ? run.source : run.lesson;
}

// " on NVIDIA H200", or nothing for the CPU machine.
std::string where_ran(const Run& run) {
    return run.device.empty() ? "" : " on " + run.device;
}

// Does a finding's own line, with its place, say this already?
bool is_told_by(const std::vector<const Finding*>& findings, const std::string& line) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding* finding) {
        return finding->at.line > 0 && (finding->message == line || finding->message + "." == line);
    });
}

void put_failing_case(std::vector<Entry>& entries, const Run& run, size_t index, const RenderOptions& options,
                      const Paint& paint) {
    const Case& one = run.cases[index];
    std::vector<const Finding*> findings;
    for (const auto& finding : run.findings) {
        if (finding.case_index != static_cast<int>(index)) continue;
        const bool matters =
            finding.severity == Severity::error && (finding.at.line > 0 || one.message.empty());
        if (matters || options.verbose) findings.push_back(&finding);
    }
    entries.push_back({"  " + paint.quiet("case: ") + one.name, 1});
    size_t start = 0, number = 0;
    while (start < one.message.size()) {
        const size_t newline = std::min(one.message.find('\n', start), one.message.size());
        const std::string line = one.message.substr(start, newline - start);
        start = newline + 1;
        if (is_told_by(findings, line)) continue;
        entries.push_back({"  " + (number == 0 ? paint.strong(line) : line), number < 2 ? 0 : 5});
        ++number;
    }
    for (size_t i = 0; i < findings.size(); ++i) {
        put_finding(entries, *findings[i], options.verbose, i == 0 ? 1 : 6 + static_cast<int>(i), paint);
    }
}

void put_second(std::vector<Entry>& entries, const Run& run, const Paint& paint) {
    const std::string words = second_words(run);
    if (words.empty()) return;
    entries.push_back({run.second->passed && run.passed ? paint.good(words) : words, 1});
}

std::vector<Entry> failing_grade(const Run& run, const RenderOptions& options, const Paint& paint) {
    std::vector<Entry> entries;
    size_t failing = 0, first = run.cases.size();
    for (size_t i = 0; i < run.cases.size(); ++i) {
        if (run.cases[i].passed) continue;
        ++failing;
        first = std::min(first, i);
    }
    if (first == run.cases.size()) {
        entries.push_back({paint.bad(what_ran(run) + ": " + name_of(run.status) + ". ") + run.headline, 0});
    } else {
        entries.push_back({paint.bad(fmt::format("{}: {} of {} cases fail{}.", what_ran(run), failing,
                                                 run.cases.size(), where_ran(run))),
                           0});
        put_failing_case(entries, run, first, options, paint);
    }
    for (size_t i = first + 1; options.verbose && i < run.cases.size(); ++i) {
        if (!run.cases[i].passed) put_failing_case(entries, run, i, options, paint);
    }
    put_second(entries, run, paint);
    if (!run.next_action.empty()) entries.push_back({paint.strong("Next: ") + run.next_action, 0});
    return entries;
}

std::vector<Entry> compile_errors(const Run& run, const RenderOptions& options, const Paint& paint) {
    std::vector<Entry> entries;
    entries.push_back({paint.bad(what_ran(run) + " does not compile."), 0});
    int shown = 0;
    for (const auto& diagnostic : run.diagnostics) {
        if (diagnostic.level != "error" && !options.verbose) continue;
        put_diagnostic(entries, diagnostic, shown == 0 ? 1 : 10 + shown, paint);
        ++shown;
    }
    if (!run.next_action.empty()) entries.push_back({paint.strong("Next: ") + run.next_action, 0});
    return entries;
}

// What the lesson asks for beyond a pass, and how near it is.
void put_further(std::vector<Entry>& entries, const Run& run, const Paint& paint) {
    if (all_reached(run.further)) {
        entries.push_back({paint.good("Further: reached. ") + describe(run.further.front().goal) +
                               (run.further.size() > 1 ? ", and what else was asked." : "."),
                           2});
        return;
    }
    for (const GoalResult& one : run.further) {
        if (one.reached() || !one.value) continue;
        entries.push_back({paint.strong("Further: ") + fmt::format("{}. It is {} now.", describe(one.goal),
                                                                   describe_number(*one.value)),
                           2});
        return;
    }
}

std::vector<Entry> passing_grade(const Run& run, const RenderOptions& options, const Paint& paint) {
    std::vector<Entry> entries;
    entries.push_back(
        {paint.good(fmt::format("{}: passed, {} of {} cases{} in {:.2f} s.", what_ran(run), run.cases.size(),
                                run.cases.size(), where_ran(run), run.total_seconds)),
         0});
    put_second(entries, run, paint);
    for (const auto& one : run.cases) {
        if (options.verbose) entries.push_back({"  " + paint.good("ok ") + one.name, 1});
    }
    int shown = 0;
    for (const auto& diagnostic : run.diagnostics) {
        if (diagnostic.level == "warning") put_diagnostic(entries, diagnostic, 10 + shown++, paint);
    }
    for (const auto& finding : run.findings) {
        if (shown < 2 || options.verbose) put_finding(entries, finding, true, 10 + shown, paint);
        ++shown;
    }
    put_further(entries, run, paint);
    if (!run.next_action.empty()) entries.push_back({paint.strong("Next: ") + run.next_action, 0});
    return entries;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    return text;
}

std::string times_part(const Run& run) {
    return run.times ? joined(lines_of(*run.times)) : "";
}

std::string output_part(const Run& run, const RenderOptions& options, const Paint& paint) {
    if (run.output.empty()) return "";
    std::string text = paint.quiet("Your program printed:") + "\n";
    size_t start = 0;
    int count = 0;
    while (start < run.output.size() && (options.verbose || count < options.output_lines)) {
        const size_t newline = std::min(run.output.find('\n', start), run.output.size());
        std::string line = run.output.substr(start, newline - start);
        for (char& c : line) {
            if (static_cast<unsigned char>(c) < 0x20 && c != '\t')
                c = '?';  // no escape sequence reaches the terminal
        }
        if (line.size() > 400) line = line.substr(0, 400) + " ...";
        text += "  | " + line + "\n";
        start = newline + 1;
        ++count;
    }
    if (start < run.output.size() || run.output_cut) text += paint.quiet("  | ... (cut here)") + "\n";
    return text;
}

}  // namespace

const Finding* cause_of(const Run& run) {
    const Finding* cause = nullptr;
    for (const Finding& finding : run.findings) {
        if (finding.severity != Severity::error) continue;
        const bool told = run.headline.find(finding.message) != std::string::npos;
        if (!cause || (told && run.headline.find(cause->message) == std::string::npos)) cause = &finding;
    }
    return cause;
}

std::string render_findings(const Run& run, const RenderOptions& options) {
    const Paint paint{options.color};
    std::vector<Entry> entries;
    for (const auto& diagnostic : run.diagnostics) put_diagnostic(entries, diagnostic, 0, paint);
    for (const auto& finding : run.findings) put_finding(entries, finding, true, 0, paint);
    RenderOptions all = options;
    all.verbose = true;
    return joined(fit(entries, all));
}

std::string second_words(const Run& run) {
    if (!run.second) return "";
    const SecondVerdict& second = *run.second;
    const std::string on = fmt::format("On the GPU ({}): ", second.device);
    if (second.passed && run.passed)
        return on + fmt::format("{} of {} cases pass, too, in {:.2f} s.", second.cases, second.cases,
                                second.seconds);
    if (second.passed)
        return on + fmt::format("all {} cases pass. The hardware hides this fault; it is one all the same.",
                                second.cases);
    if (second.cases == 0) return on + second.headline;
    return on + fmt::format("{} of {} cases fail. {}", second.failed, second.cases, second.headline);
}

std::string render_text(const Run& run, const RenderOptions& options) {
    const Paint paint{options.color};
    std::vector<Entry> entries;
    if (run.status == Status::compile_error) {
        entries = compile_errors(run, options, paint);
    } else if (run.passed) {
        entries = passing_grade(run, options, paint);
    } else {
        entries = failing_grade(run, options, paint);
    }
    return joined(fit(std::move(entries), options)) + times_part(run) + output_part(run, options, paint);
}

}  // namespace lab
