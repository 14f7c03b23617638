// `cudalab reset` (the learner's) and `cudalab cut` (the author's): both write the exercise from the
// solution.
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/cuts.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

// NAME.cu.bak-20261130-210000, with a number behind it where that is taken.
fs::path backup_name(const fs::path& file) {
    char stamp[32];
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    fs::path name = fmt::format("{}.bak-{}", file.string(), stamp);
    std::error_code none;
    for (int i = 2; fs::exists(name, none); ++i) name = fmt::format("{}.bak-{}-{}", file.string(), stamp, i);
    return name;
}

}  // namespace

int command_reset(const Home& home, const ResetOptions& options) {
    const LessonPaths paths = paths_of(home, options.slug);
    nlohmann::ordered_json json{{"slug", options.slug},
                                {"exercise", paths.exercise.string()},
                                {"changed", false},
                                {"backup", nullptr}};
    try {
        const std::string stub = current_cut(paths);
        const auto old = read_file(paths.exercise);
        std::string kept;
        if (!old || *old != stub) {
            std::error_code failed;
            fs::create_directories(paths.exercise.parent_path(), failed);
            if (fs::exists(paths.exercise, failed)) {
                // A copy, and then a write under a new name: at no moment is the learner's work nowhere.
                const fs::path backup = backup_name(paths.exercise);
                fs::copy_file(paths.exercise, backup);
                kept = backup.string();
                json["backup"] = kept;
            }
            write_file(paths.exercise, stub);
            json["changed"] = true;
        }
        if (options.json) {
            fmt::print("{}\n", json.dump(1));
        } else if (!json["changed"].get<bool>()) {
            fmt::print("{} is as it was handed out; nothing to do.\n", shown_path(paths.exercise));
        } else {
            fmt::print("{} is as it was handed out again.\n", shown_path(paths.exercise));
            if (!kept.empty()) fmt::print("Your file is kept as {}.\n", shown_path(kept));
        }
    } catch (const std::exception& error) {
        return complain(
            options.json,
            fmt::format("{} Where the exercises are not yours to write, `cudalab init FOLDER` makes a "
                        "workspace that is.",
                        error.what()),
            1);
    }
    return 0;
}

int command_cut(const Home& home, const CutOptions& options) {
    // The author's files lie in the content folder, also when the author stands in a workspace.
    const LessonPaths paths = paths_of({home.content, home.content / "exercises"}, options.slug);
    const std::string exercise = shown_path(paths.exercise);
    try {
        const std::string stub = current_cut(paths);
        std::vector<std::string> cuts = cuts_of(paths);
        const ExerciseState state = state_of_exercise(paths);
        if (options.check) {
            const auto problems = check_cut(paths);
            for (const std::string& problem : problems) complain(options.json, problem, 1);
            if (problems.empty() && !options.json) fmt::print("{}: the cut is up to date.\n", options.slug);
            return problems.empty() ? 0 : 1;
        }
        const auto old = read_file(paths.exercise);
        if (state == ExerciseState::edited && *old != stub)
            return complain(
                options.json,
                fmt::format("{} holds somebody's work, so it was not overwritten. `cudalab reset {}` "
                            "keeps a copy; then cut again.",
                            exercise, options.slug),
                1);
        write_file(paths.exercise, stub);
        const std::string mark = fingerprint(stub);
        const auto known = std::find(cuts.begin(), cuts.end(), mark);
        if (known != cuts.end()) cuts.erase(known);
        cuts.push_back(mark);
        write_file(paths.folder / "cuts.txt", fmt::format("# Written by `cudalab cut`: a fingerprint of each "
                                                          "exercise that was handed out, newest last.\n{}\n",
                                                          fmt::join(cuts, "\n")));
        if (options.json) {
            fmt::print("{}\n",
                       nlohmann::ordered_json{
                           {"slug", options.slug}, {"exercise", paths.exercise.string()}, {"cut", mark}}
                           .dump(1));
        } else {
            fmt::print("{} written ({} bytes).\n", exercise, stub.size());
        }
    } catch (const std::exception& error) {
        return complain(options.json, error.what(), 1);
    }
    return 0;
}

}  // namespace lab
