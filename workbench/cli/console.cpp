#include "workbench/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string colored(std::string_view text, const char* code) {
    return use_color() ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

// Columns that a UTF-8 text takes, counting one a character.
int width_of(std::string_view text) {
    int width = 0;
    for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return width;
}

}  // namespace

bool use_color(int descriptor) {
    const std::string chosen = variable("CUDALAB_COLOR");
    if (chosen == "always") return true;
    if (chosen == "never" || !variable("NO_COLOR").empty() || variable("TERM") == "dumb") return false;
    return isatty(descriptor) == 1;
}

std::string bold(std::string_view text) {
    return colored(text, "1");
}
std::string green(std::string_view text) {
    return colored(text, "32");
}
std::string red(std::string_view text) {
    return colored(text, "31");
}
std::string yellow(std::string_view text) {
    return colored(text, "33");
}
std::string dim(std::string_view text) {
    return colored(text, "2");
}

int complain(bool json, const std::string& sentence, int code) {
    std::fflush(stdout);
    if (json) {
        const auto text =
            nlohmann::json{{"error", sentence}}.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
        fmt::print("{}\n", text);
    }
    fmt::print(stderr, "cudalab: {}\n", sentence);
    return code;
}

void tell_notice(const Progress& progress) {
    if (progress.notice().empty()) return;
    std::fflush(stdout);
    fmt::print(stderr, "cudalab: {}\n", progress.notice());
}

std::optional<std::string> choose_lesson(const Home& home, const std::string& typed, bool json,
                                         bool questions) {
    const std::vector<std::string> slugs = lesson_slugs(home);
    if (slugs.empty()) {
        complain(
            json,
            home.content.empty()
                ? "the lessons are not found. Build from a clone with scripts/run, or let CUDALAB_HOME name "
                  "the "
                  "folder that holds lessons/."
                : fmt::format(
                      "there are no lessons in {}. CUDALAB_HOME must name the folder that holds lessons/.",
                      home.content.string()));
        return {};
    }
    if (!typed.empty()) {
        if (auto slug = slug_from(home, typed)) return slug;
        const std::string stem = fs::path(typed).stem().string();
        std::vector<std::string> names = slugs;
        for (const std::string& slug : slugs) names.push_back(slug.substr(slug.find('_') + 1));
        const std::string near = nearest(stem, names);
        complain(json,
                 fmt::format("there is no lesson `{}`.{} `cudalab lessons` lists them all.", typed,
                             near.empty() ? "" : fmt::format(" Did you mean `{}`?", *slug_from(home, near))));
        return {};
    }
    Progress progress;
    for (const std::string& slug : slugs) {
        const Lesson lesson = load_lesson(home, slug);
        const Ticks ticks = ticks_of(lesson, progress.of(lesson));
        if (!(questions ? ticks.quizzes : ticks.exercise)) return slug;
    }
    return slugs.back();
}

std::string no_solutions() {
    return "this copy of cudalab was handed out without solutions/. Exercises are graded all the same; ask "
           "whoever gave it to "
           "you.";
}

std::string two_digits(int number) {
    return fmt::format("{:02}", number);
}

std::string shown_path(const fs::path& path) {
    std::error_code failed;
    const std::string relative = fs::relative(path, failed).string();
    const bool shorter = !failed && !relative.empty() && relative.size() < path.string().size();
    return shorter && relative.rfind("../../..", 0) != 0 ? relative : path.string();
}

int terminal_columns() {
    winsize size{};
    if (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
    const int told = std::atoi(variable("COLUMNS").c_str());  // watch tells its grading
    return told >= 20 && told <= 1000 ? told : 80;
}

namespace {

// Breaks one paragraph at blanks; lines behind the first get `hanging` more blanks (a list's item).
void wrap_paragraph(std::string& result, std::string_view text, int columns, std::string_view indent,
                    size_t hanging) {
    std::string row;
    int at = 0;
    const auto put_row = [&] {
        result.append(indent).append(row).push_back('\n');
        row.assign(hanging, ' ');
        at = int(hanging);
    };
    bool first = true;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        if (word.empty()) continue;
        if (!first && at + 1 + width_of(word) + width_of(indent) > columns) {
            put_row();
            first = true;
        }
        if (!first) row.push_back(' '), ++at;
        row.append(word);
        at += width_of(word);
        first = false;
    }
    if (!first) put_row();
}

// "- item", "* item", "1. item": how far its text is in; 0: no item.
size_t item_indent(std::string_view line) {
    size_t at = line.find_first_not_of(' ');
    if (at == std::string_view::npos) return 0;
    if ((line[at] == '-' || line[at] == '*') && line.substr(at + 1, 1) == " ") return at + 2;
    size_t digits = at;
    while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
    return digits > at && line.substr(digits, 2) == ". " ? digits + 2 : 0;
}

}  // namespace

std::string wrapped(std::string_view text, int columns, std::string_view indent) {
    std::string result, paragraph;
    size_t hanging = 0;
    bool fenced = false;
    const auto flush = [&] {
        wrap_paragraph(result, paragraph, columns, indent, hanging);
        paragraph.clear();
        hanging = 0;
    };
    for (std::string_view line : split_lines(text)) {
        const std::string_view plain = trimmed(line);
        const bool fence = plain.substr(0, 3) == "```";
        fenced ^= fence;
        const bool keep = fence || fenced || plain.substr(0, 1) == "|" || plain.substr(0, 1) == "#";
        const size_t item = item_indent(line);
        if (keep || plain.empty() || item > 0) flush();
        if (keep || plain.empty()) {
            if (!plain.empty()) result.append(indent).append(line);
            result.push_back('\n');
            continue;
        }
        if (item > 0) hanging = item;
        if (!paragraph.empty()) paragraph.push_back(' ');
        paragraph.append(plain);
    }
    flush();
    return result;
}

fs::path own_program() {
    std::error_code failed;
    return fs::read_symlink("/proc/self/exe", failed);
}

fs::path program_beside(const std::string& name) {
    std::error_code none;
    const fs::path folder = own_program().parent_path();
    for (const fs::path& place : {folder / name, folder / ".." / "lib" / "cudalab" / name})
        if (access(place.c_str(), X_OK) == 0 && fs::is_regular_file(place, none)) return place;
    return {};
}

bool has_display() {
    return !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
}

}  // namespace lab
