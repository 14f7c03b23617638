// What does not depend on how progress is kept.
#include "workbench/progress/progress.h"

#include <cstdlib>

namespace fs = std::filesystem;

namespace lab {

namespace {

fs::path folder_from(const char* ours, const char* xdg, const char* in_home) {
    const auto value = [](const char* name) {
        const char* found = std::getenv(name);
        return std::string(found ? found : "");
    };
    if (const std::string chosen = value(ours); !chosen.empty()) return chosen;
    // The XDG rules: a relative path counts as unset.
    if (const std::string base = value(xdg); !base.empty() && base[0] == '/')
        return fs::path(base) / "cudalab";
    const std::string home = value("HOME");
    return (home.empty() ? fs::temp_directory_path() : fs::path(home)) / in_home / "cudalab";
}

}  // namespace

fs::path data_folder() {
    return folder_from("CUDALAB_DATA", "XDG_DATA_HOME", ".local/share");
}
fs::path cache_folder() {
    return folder_from("CUDALAB_CACHE", "XDG_CACHE_HOME", ".cache");
}

Ticks ticks_of(const Lesson& lesson, const LessonProgress& progress) {
    Ticks ticks;
    ticks.exercise = progress.passed;
    ticks.further = progress.further;
    ticks.quizzes_all = int(lesson.quizzes.size());
    for (const Quiz& quiz : lesson.quizzes) {
        const auto answer = progress.answers.find(quiz.id);
        ticks.quizzes_right += answer != progress.answers.end() && answer->second;
    }
    ticks.quizzes = ticks.quizzes_right == ticks.quizzes_all;
    return ticks;
}

}  // namespace lab
