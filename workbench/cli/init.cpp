// `cudalab init`: a workspace apart from the clone, with the exercises and what editors and ctest need to
// know.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/cuts.h"
#include "workbench/lessons/text.h"
#include "workbench/lessons/workspace.h"
#include "workbench/play/registers.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

using Json = nlohmann::ordered_json;

// clangd: exercises/compile_flags.txt of the clone, with its relative folders made absolute.
std::string clangd_text(const Home& home) {
    std::string flags;
    const auto text = read_file(home.content / "exercises" / "compile_flags.txt").value_or("-xcuda\n");
    for (std::string_view line : split_lines(text)) {
        std::string flag(trimmed(line));
        if (flag.empty() || flag[0] == '#') continue;
        if (flag.rfind("-I", 0) == 0)
            flag = "-I" + (home.content / "exercises" / flag.substr(2)).lexically_normal().string();
        flags += fmt::format("    - {}\n", nlohmann::json(flag).dump());
    }
    return fmt::format(
        "# So that clangd shows no false error in exercises/, with no CUDA Toolkit. Written by `cudalab "
        "init`.\n"
        "CompileFlags:\n  Add:\n{}",
        flags);
}

Json problem_matcher() {
    return {{"owner", "cudalab"},
            {"source", "cudalab"},
            {"fileLocation", Json::array({"autoDetect", "${workspaceFolder}"})},
            {"pattern",
             {{"regexp", "^(.+\\.(?:cu|cuh|h|cpp)):(\\d+):(?:(\\d+):)?\\s+(error|warning|note):\\s+(.*)$"},
              {"file", 1},
              {"line", 2},
              {"column", 3},
              {"severity", 4},
              {"message", 5}}}};
}

std::string tasks_text(const std::string& program) {
    Json watching = problem_matcher();
    watching["background"] = {{"activeOnStart", true},
                              {"beginsPattern", "^\\d\\d .*\\.cu "},
                              {"endsPattern", "^(h hint|Waiting for the next save)"}};
    const Json tasks = {
        {"version", "2.0.0"},
        {"tasks", Json::array({{{"label", "cudalab: grade this exercise"},
                                {"type", "process"},
                                {"command", program},
                                {"args", Json::array({"grade", "${file}"})},
                                {"group", {{"kind", "build"}, {"isDefault", true}}},
                                {"presentation", {{"clear", true}, {"showReuseMessage", false}}},
                                {"problemMatcher", problem_matcher()}},
                               {{"label", "cudalab: grade on every save"},
                                {"type", "process"},
                                {"command", program},
                                {"args", Json::array({"watch", "${file}"})},
                                {"isBackground", true},
                                {"problemMatcher", watching}}})}};
    return tasks.dump(2) + "\n";
}

// A path as a CMake bracket argument, which knows no escapes.
std::string cmake_quoted(const std::string& text) {
    return fmt::format("[==[{}]==]", text);
}

std::string tests_text(const Home& home, const std::string& program) {
    std::string text = "# `ctest -R lesson01` here grades exercises/01_*.cu. Written by `cudalab init`.\n";
    for (const std::string& slug : lesson_slugs(home)) {
        const std::string name = "lesson" + slug.substr(0, slug.find('_'));
        text += fmt::format("add_test({} {} ctest-grade {})\n", name, cmake_quoted(program), slug);
        text += fmt::format("set_tests_properties({} PROPERTIES LABELS exercise)\n", name);
        if (find_nvcc().empty()) continue;
        text += fmt::format("add_test({}.cuda {} ctest-grade {} --backend cuda)\n", name,
                            cmake_quoted(program), slug);
        text += fmt::format("set_tests_properties({}.cuda PROPERTIES LABELS exercise SKIP_RETURN_CODE 77)\n",
                            name);
    }
    return text;
}

std::string hooks_text(const std::string& program) {
    return fmt::format(
        "# Plain ctest hides what a failed test prints; this shows the verdict. Written by `cudalab init`.\n"
        "set(CTEST_CUSTOM_PRE_TEST \"\\\"{0}\\\" ctest-before\")\n"
        "set(CTEST_CUSTOM_POST_TEST \"\\\"{0}\\\" ctest-after\")\n",
        program);
}

struct Written {
    std::vector<std::string> added, updated, kept;
};

void write_exercise(const Home& home, const fs::path& folder, const std::string& slug, Written& written) {
    const LessonPaths paths = paths_of({home.content, folder / "exercises"}, slug);
    const std::string stub = current_cut(paths);
    const auto old = read_file(paths.exercise);
    if (old && *old == stub) return;
    // An older cut that nobody has touched is brought up to date; work is left alone.
    if (old && state_of_exercise(paths) != ExerciseState::older) {
        written.kept.push_back(slug);
        return;
    }
    write_file(paths.exercise, stub);
    (old ? written.updated : written.added).push_back(slug);
}

Written make_workspace(const Home& home, const fs::path& folder) {
    fs::create_directories(folder / "exercises");
    fs::create_directories(folder / ".vscode");
    const std::string program = own_program().string();
    Written written;
    for (const std::string& slug : lesson_slugs(home)) write_exercise(home, folder, slug, written);
    write_file(folder / workspace_mark,
               "This folder is a cudalab workspace: commands given in it use its exercises/.\n");
    write_file(folder / ".clangd", clangd_text(home));
    write_file(folder / ".vscode" / "tasks.json", tasks_text(program));
    write_file(folder / "CTestTestfile.cmake", tests_text(home, program));
    write_file(folder / "CTestCustom.cmake", hooks_text(program));
    return written;
}

// A folder with somebody's other things in it is not made a workspace by accident.
bool may_use(const fs::path& folder) {
    std::error_code none;
    return !fs::exists(folder, none) || fs::exists(folder / workspace_mark, none) ||
           (fs::is_directory(folder, none) && fs::is_empty(folder, none));
}

}  // namespace

int command_init(const Home& home, const InitOptions& options) {
    if (lesson_slugs(home).empty()) return choose_lesson(home, "", options.json) ? 0 : 2;
    const fs::path folder = fs::absolute(options.folder).lexically_normal();
    if (!may_use(folder))
        return complain(options.json, fmt::format("{} holds other files. Name a new or an empty folder.",
                                                  shown_path(folder)));
    Written written;
    try {
        written = make_workspace(home, folder);
    } catch (const std::exception& error) {
        return complain(options.json, fmt::format("the workspace is not complete: {}", error.what()), 1);
    }
    if (options.json) {
        const Json json{{"folder", folder.string()},
                        {"added", written.added},
                        {"updated", written.updated},
                        {"kept", written.kept}};
        fmt::print("{}\n", json.dump(1));
        return 0;
    }
    fmt::print(
        "{} is a workspace: {} exercises added, {} brought up to date, {} of yours left as they are.\n",
        shown_path(folder), written.added.size(), written.updated.size(), written.kept.size());
    fmt::print("Next: `cd {}` and `cudalab watch`. Editors find .clangd and .vscode/ there.\n",
               shown_path(folder));
    return 0;
}

}  // namespace lab
