// The files of a lesson -> Lesson.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

// As an author would name it: from the content folder on.
std::string shown_name(const Home& home, const fs::path& path) {
    const fs::path relative = path.lexically_relative(home.content);
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

std::optional<std::string> read_or_complain(Lesson& lesson, const Home& home, const fs::path& path) {
    auto text = read_file(path);
    if (!text) {
        std::error_code none;
        lesson.problems.push_back(fmt::format("{}:1: {}", shown_name(home, path),
                                              fs::exists(path, none)
                                                  ? "this file can't be read, or is larger than 16 MB."
                                                  : "this file is missing; every lesson has one."));
    }
    return text;
}

const Mutant* find_mutant(const Lesson& lesson, const std::string& name) {
    for (const Mutant& mutant : lesson.mutants)
        if (mutant.name == name) return &mutant;
    return nullptr;
}

// The text that `from` names, with the file whose lines it has.
struct Source {
    std::optional<std::string> text;
    fs::path file;
    std::string problem;
};

Source source_of(const Lesson& lesson, const std::string& from, const std::optional<std::string>& solution) {
    if (from == "exercise") return {read_file(lesson.paths.exercise), lesson.paths.exercise, ""};
    if (from == "solution") return {solution, lesson.paths.solution, ""};
    const std::string name = from.substr(std::min(from.size(), sizeof "mutant " - 1));
    const Mutant* mutant = find_mutant(lesson, name);
    if (!mutant) return {{}, {}, fmt::format("mutants.toml has no mutant `{}`.", name)};
    if (!solution) return {{}, lesson.paths.solution, ""};
    try {
        return {apply_mutant(*mutant, *solution), lesson.paths.solution, ""};
    } catch (const std::runtime_error&) {
        return {{}, lesson.paths.solution, ""};  // check_solution has complained
    }
}

void resolve_block(Lesson& lesson, Block& block, const std::string& file,
                   const std::optional<std::string>& solution) {
    const std::string& from = block.options["from"];
    const Source source = source_of(lesson, from, solution);
    if (!source.problem.empty())
        lesson.problems.push_back(fmt::format("{}:{}: {}", file, block.line, source.problem));
    if (block.kind != Block::Kind::code) return;
    block.code_file = source.file.string();
    if (!source.text && !lesson.has_solution) {
        block.code =
            "// This copy of cudalab has no solutions/, and the code that belongs here is a part of one.";
        block.code_lines = {0};
    }
    if (!source.text) return;
    Excerpt excerpt = cut_excerpt(*source.text, block.options["part"]);
    if (!excerpt.problem.empty()) {
        // The learner may take the markers out of their own file: that is no fault of the lesson's.
        if (from != "exercise")
            lesson.problems.push_back(
                fmt::format("{}:{}: in the {}, {}", file, block.line, from, excerpt.problem));
        return;
    }
    block.code = std::move(excerpt.text);
    block.code_line = excerpt.lines.front();
    block.code_lines = std::move(excerpt.lines);
}

void check_solution(Lesson& lesson, const Home& home, const std::string& solution) {
    const std::string name = shown_name(home, lesson.paths.solution);
    try {
        const std::string stub = cut_stub(solution, name);
        if (stub == solution)
            lesson.problems.push_back(fmt::format(
                "{}:1: there is no // >>> TODO: in it, so the exercise would be the solution.", name));
        for (const Block& block : lesson.blocks) {
            if (block.kind != Block::Kind::code || block.options.at("from") != "exercise") continue;
            const Excerpt excerpt = cut_excerpt(stub, block.options.at("part"));
            if (!excerpt.problem.empty())
                lesson.problems.push_back(fmt::format("{}:{}: in the exercise as it is handed out, {}",
                                                      shown_name(home, lesson.paths.text), block.line,
                                                      excerpt.problem));
        }
    } catch (const std::runtime_error& error) {
        lesson.problems.push_back(error.what());
    }
    try {
        apply_further(lesson, solution);
    } catch (const std::runtime_error& error) {
        lesson.problems.push_back(
            fmt::format("{}:1: {}", shown_name(home, lesson.paths.mutants), error.what()));
    }
    if (lesson.further.empty() != lesson.further_edits.empty())
        lesson.problems.push_back(
            fmt::format("{}:1: goals in lesson.md and [further] in mutants.toml belong together, and one of "
                        "them is missing.",
                        shown_name(home, lesson.paths.mutants)));
    for (const Mutant& mutant : lesson.mutants) {
        try {
            if (apply_mutant(mutant, solution) == solution)
                lesson.problems.push_back(fmt::format("{}:1: the mutant `{}` changes nothing.",
                                                      shown_name(home, lesson.paths.mutants), mutant.name));
        } catch (const std::runtime_error& error) {
            lesson.problems.push_back(
                fmt::format("{}:1: {}", shown_name(home, lesson.paths.mutants), error.what()));
        }
    }
}

}  // namespace

Lesson load_lesson(const Home& home, const std::string& slug) {
    Lesson lesson;
    lesson.slug = slug;
    lesson.number = std::atoi(slug.c_str());
    lesson.title = slug;
    lesson.paths = paths_of(home, slug);
    const std::string text_name = shown_name(home, lesson.paths.text);
    if (const auto text = read_or_complain(lesson, home, lesson.paths.text))
        parse_lesson_text(lesson, *text, text_name);
    if (lesson.title.empty()) lesson.title = slug;
    if (const auto text = read_or_complain(lesson, home, lesson.paths.mutants))
        parse_mutants_text(lesson, *text, shown_name(home, lesson.paths.mutants));
    // An installed workbook holds its graders in the referee.
    std::error_code none;
    if (fs::exists(home.content / "lessons" / "CMakeLists.txt", none))
        read_or_complain(lesson, home, lesson.paths.grader);
    read_or_complain(lesson, home, lesson.paths.interface_header);
    lesson.has_solution = has_solutions(home);
    const auto solution =
        lesson.has_solution ? read_or_complain(lesson, home, lesson.paths.solution) : std::nullopt;
    if (solution) check_solution(lesson, home, *solution);
    for (Block& block : lesson.blocks)
        if (block.kind == Block::Kind::code || block.kind == Block::Kind::panel)
            resolve_block(lesson, block, text_name, solution);
    return lesson;
}

std::vector<Lesson> load_lessons(const Home& home) {
    std::vector<Lesson> lessons;
    std::vector<std::string> before;
    for (const std::string& slug : lesson_slugs(home)) {
        Lesson lesson = load_lesson(home, slug);
        for (const std::string& need : lesson.needs)
            if (std::find(before.begin(), before.end(), need) == before.end())
                lesson.problems.push_back(fmt::format("{}:1: it needs `{}`, which is no earlier lesson.",
                                                      shown_name(home, lesson.paths.text), need));
        before.push_back(slug);
        lessons.push_back(std::move(lesson));
    }
    return lessons;
}

}  // namespace lab
