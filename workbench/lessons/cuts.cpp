#include "workbench/lessons/cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "workbench/lessons/text.h"

namespace lab {

std::vector<std::string> cuts_of(const LessonPaths& paths) {
    std::vector<std::string> cuts;
    const auto text = read_file(paths.folder / "cuts.txt");
    if (!text) return cuts;
    for (std::string_view line : split_lines(*text)) {
        line = trimmed(line);
        if (!line.empty() && line[0] != '#') cuts.emplace_back(line);
    }
    return cuts;
}

ExerciseState state_of_exercise(const LessonPaths& paths) {
    const auto text = read_file(paths.exercise);
    if (!text) return ExerciseState::missing;
    const std::vector<std::string> cuts = cuts_of(paths);
    const auto found = std::find(cuts.begin(), cuts.end(), fingerprint(*text));
    if (found == cuts.end()) return ExerciseState::edited;
    return found + 1 == cuts.end() ? ExerciseState::newest : ExerciseState::older;
}

namespace {

// Without the solution: the exercise that came with this copy, if it still is as it came.
std::string handed_out(const LessonPaths& paths) {
    const std::filesystem::path file =
        paths.folder.parent_path().parent_path() / "exercises" / paths.exercise.filename();
    const auto text = read_file(file);
    const std::vector<std::string> cuts = cuts_of(paths);
    if (text && !cuts.empty() && cuts.back() == fingerprint(*text)) return *text;
    throw std::runtime_error(
        fmt::format("{} can't be read, so there is nothing to cut the exercise from, and {} is not as it was "
                    "handed out. Take that "
                    "file anew from where this copy of cudalab came from.",
                    paths.solution.string(), file.string()));
}

}  // namespace

std::string current_cut(const LessonPaths& paths) {
    const auto solution = read_file(paths.solution);
    if (!solution) return handed_out(paths);
    return cut_stub(*solution, "solutions/" + paths.solution.filename().string());
}

std::vector<std::string> check_cut(const LessonPaths& paths) {
    std::vector<std::string> problems;
    const std::string slug = paths.folder.filename().string();
    const std::string remedy = fmt::format("Run `cudalab cut {}` and commit what it writes.", slug);
    try {
        const std::vector<std::string> cuts = cuts_of(paths);
        if (cuts.empty() || cuts.back() != fingerprint(current_cut(paths)))
            problems.push_back(fmt::format(
                "the cut of solutions/{0}.cu is not the one that lessons/{0}/cuts.txt notes last. {1}", slug,
                remedy));
    } catch (const std::runtime_error& error) {
        problems.push_back(error.what());
    }
    const ExerciseState state = state_of_exercise(paths);
    if (state == ExerciseState::older)
        problems.push_back(fmt::format("exercises/{}.cu is an older cut of its solution. {}", slug, remedy));
    if (state == ExerciseState::missing)
        problems.push_back(fmt::format("exercises/{}.cu is missing. {}", slug, remedy));
    return problems;
}

}  // namespace lab
