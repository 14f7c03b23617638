// What is cut from a solution: the stub, excerpts, the clean text, mutants.
#include <fmt/format.h>

#include <stdexcept>

#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

enum class Mark { none, open, instead, stub_line, close };

Mark mark_of(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.rfind("// >>> ", 0) == 0 || text == "// >>>") return Mark::open;
    if (text == "// ===") return Mark::instead;
    if (text.rfind("//|", 0) == 0) return Mark::stub_line;
    if (text == "// <<<") return Mark::close;
    return Mark::none;
}

std::string_view indent_of(std::string_view line) {
    return line.substr(0, line.find_first_not_of(" \t"));
}

// "    //| return 0;" -> "    return 0;"
std::string stub_line(std::string_view line) {
    std::string_view rest = trimmed(line).substr(3);
    if (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
    return rest.empty() ? std::string() : std::string(indent_of(line)).append(rest);
}

// `[name]` of a line `// [name]`, `[/name]` of `// [/name]`; empty: another line.
std::string_view marker_of(std::string_view line) {
    std::string_view text = trimmed(line);
    if (text.rfind("// [", 0) != 0 || text.back() != ']') return {};
    text.remove_prefix(4);
    text.remove_suffix(1);
    const std::string_view name = text.substr(0, 1) == "/" ? text.substr(1) : text;
    return is_plain_name(name) ? text : std::string_view();
}

size_t count_of(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

void edit_once(std::string& text, const std::string& find, const std::string& replace,
               const std::string& who) {
    const size_t count = find.empty() ? 0 : count_of(text, find);
    if (count != 1)
        throw std::runtime_error(
            fmt::format("{} looks for `{}`, which occurs {} in the solution; it must occur once.", who, find,
                        count == 0 ? "nowhere" : fmt::format("{} times", count)));
    text.replace(text.find(find), find.size(), replace);
}

}  // namespace

std::string cut_stub(const std::string& solution_text, const std::string& file_name) {
    std::string stub;
    int number = 0, opened = 0, instead = 0;
    const auto fail = [&](int line, const char* what) {
        throw std::runtime_error(fmt::format("{}:{}: {}", file_name, line, what));
    };
    for (std::string_view line : split_lines(solution_text)) {
        ++number;
        const Mark mark = mark_of(line);
        if (mark == Mark::open) {
            const std::string_view text = trimmed(line).substr(6);
            if (opened)
                fail(number, "this // >>> stands inside another one; close that one with // <<< first.");
            if (trimmed(text).rfind("TODO: ", 0) != 0)
                fail(number, "after // >>> there must be TODO: and what the learner is to write.");
            if (text.back() != '.' && text.back() != '?')
                fail(number, "the text after TODO: ends without . or ?; all of it stands on this one line.");
            opened = number;
            instead = 0;
            stub.append(indent_of(line)).append("// ").append(trimmed(text)).push_back('\n');
        } else if (mark == Mark::close) {
            if (!opened) fail(number, "this // <<< closes nothing; a // >>> TODO: must come before it.");
            opened = 0;
        } else if (mark == Mark::instead) {
            if (!opened) fail(number, "this // === stands outside a // >>> TODO: ... // <<< pair.");
            if (instead) fail(number, "a pair has one // === at most.");
            instead = number;
        } else if (mark == Mark::stub_line) {
            if (!opened || !instead) fail(number, "a //| line stands between // === and // <<< only.");
            stub.append(stub_line(line)).push_back('\n');
        } else if (!opened) {
            stub.append(line).push_back('\n');
        } else if (instead) {
            fail(number, "between // === and // <<< every line starts with //|.");
        }
    }
    if (opened) fail(opened, "this // >>> TODO: is never closed; put // <<< behind what the learner writes.");
    return stub;
}

std::string clean_solution(const std::string& solution_text) {
    std::string clean;
    for (std::string_view line : split_lines(solution_text))
        if (mark_of(line) == Mark::none && marker_of(line).empty()) clean.append(line).push_back('\n');
    return clean;
}

Excerpt cut_excerpt(const std::string& file_text, const std::string& marker) {
    Excerpt excerpt;
    int number = 0, opened = 0, closed = 0;
    for (std::string_view line : split_lines(file_text)) {
        ++number;
        const std::string_view found = marker_of(line);
        if (found == marker) {
            if (opened) {
                excerpt.problem = fmt::format("the marker // [{}] stands there twice (lines {} and {}).",
                                              marker, opened, number);
                return excerpt;
            }
            opened = number;
        } else if (!found.empty() && found[0] == '/' && found.substr(1) == marker) {
            if (opened && !closed) closed = number;
        } else if (opened && !closed && found.empty() && mark_of(line) == Mark::none) {
            excerpt.text.append(line).push_back('\n');
            excerpt.lines.push_back(number);
        }
    }
    if (!opened) {
        excerpt.problem = fmt::format("the marker // [{}] is not there.", marker);
    } else if (!closed) {
        excerpt.problem =
            fmt::format("the marker // [{0}] in line {1} has no // [/{0}] behind it.", marker, opened);
    } else if (excerpt.lines.empty()) {
        excerpt.problem = fmt::format("there is nothing between // [{0}] and // [/{0}].", marker);
    }
    return excerpt;
}

std::string apply_mutant(const Mutant& mutant, const std::string& solution_text) {
    const std::string who = fmt::format("the mutant `{}`", mutant.name);
    std::string text = solution_text;
    edit_once(text, mutant.find, mutant.replace, who);
    for (const auto& [find, replace] : mutant.edits) edit_once(text, find, replace, who);
    return text;
}

std::string apply_further(const Lesson& lesson, const std::string& solution_text) {
    std::string text = solution_text;
    for (const auto& [find, replace] : lesson.further_edits) edit_once(text, find, replace, "[further]");
    return text;
}

}  // namespace lab
