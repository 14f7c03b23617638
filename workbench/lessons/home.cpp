// Where the workbook's files are, and which lesson a word names.
#include <algorithm>
#include <cstdlib>

#include "workbench/lessons/lesson.h"
#include "workbench/lessons/text.h"
#include "workbench/lessons/workspace.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

bool is_content(const fs::path& folder) {
    std::error_code none;
    return !folder.empty() && fs::is_directory(folder / "lessons", none);
}

bool is_workspace(const fs::path& folder) {
    std::error_code none;
    return fs::exists(folder / workspace_mark, none);
}

fs::path workspace_above(fs::path folder) {
    while (true) {
        if (is_workspace(folder)) return folder;
        if (!folder.has_parent_path() || folder == folder.parent_path()) return {};
        folder = folder.parent_path();
    }
}

// Lessons without a workspace: the installed share folder, else the source tree. In this order, since an installed
// program must not depend on the tree that it was built from, which may have gone or moved on.
fs::path own_content() {
    std::error_code none;
    const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
    // bin/cudalab, or lib/cudalab/cudalab-app and its like
    for (const fs::path& prefix : {folder.parent_path(), folder.parent_path().parent_path()})
        if (is_content(prefix / "share" / "cudalab")) return prefix / "share" / "cudalab";
    return is_content(CUDALAB_SOURCE_DIR) ? fs::path(CUDALAB_SOURCE_DIR) : fs::path();
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// 5 of "05_shared_memory"; -1: this is no slug.
int number_of(const std::string& slug) {
    size_t digits = 0;
    while (digits < slug.size() && is_digit(slug[digits])) ++digits;
    if (digits < 2 || digits > 3 || digits + 1 >= slug.size() || slug[digits] != '_') return -1;
    return is_plain_name(slug) ? std::atoi(slug.c_str()) : -1;
}

}  // namespace

Home find_home() {
    std::error_code none;
    const char* chosen = std::getenv("CUDALAB_HOME");
    if (chosen && *chosen) {
        const fs::path folder = fs::absolute(chosen, none);
        if (!is_content(folder) && is_workspace(folder)) return {own_content(), folder / "exercises"};
        return {folder, folder / "exercises"};
    }
    const fs::path content = own_content();
    const fs::path workspace = workspace_above(fs::current_path(none));
    return {content, (workspace.empty() ? content : workspace) / "exercises"};
}

bool has_solutions(const Home& home) {
    std::error_code none;
    return fs::is_directory(home.content / "solutions", none);
}

std::vector<std::string> lesson_slugs(const Home& home) {
    std::vector<std::string> slugs;
    std::error_code failed;
    for (fs::directory_iterator it(home.content / "lessons", failed), end; !failed && it != end;
         it.increment(failed)) {
        const std::string name = it->path().filename().string();
        std::error_code none;
        if (number_of(name) > 0 && it->is_directory(none)) slugs.push_back(name);
    }
    std::sort(slugs.begin(), slugs.end(), [](const std::string& a, const std::string& b) {
        return std::pair(number_of(a), a) < std::pair(number_of(b), b);
    });
    return slugs;
}

LessonPaths paths_of(const Home& home, const std::string& slug) {
    const fs::path folder = home.content / "lessons" / slug;
    LessonPaths paths;
    paths.folder = folder;
    paths.text = folder / "lesson.md";
    paths.grader = folder / "grader.cpp";
    paths.interface_header = folder / "interface.h";
    paths.mutants = folder / "mutants.toml";
    paths.panel = folder / "panel.cpp";
    paths.exercise = home.exercises / (slug + ".cu");
    paths.solution = home.content / "solutions" / (slug + ".cu");
    return paths;
}

std::optional<std::string> slug_from(const Home& home, const std::string& text) {
    std::string word = fs::path(text).filename().string();
    if (word.size() > 3 && word.compare(word.size() - 3, 3, ".cu") == 0) word.resize(word.size() - 3);
    const std::vector<std::string> slugs = lesson_slugs(home);
    for (const std::string& slug : slugs)
        if (word == slug || word == slug.substr(slug.find('_') + 1)) return slug;
    if (word.rfind("lesson", 0) == 0)
        word = word.substr(word.find_first_not_of("_- ", 6) == std::string::npos
                               ? word.size()
                               : word.find_first_not_of("_- ", 6));
    if (word.empty() || word.size() > 4 || !std::all_of(word.begin(), word.end(), is_digit)) return {};
    const int number = std::atoi(word.c_str());
    for (const std::string& slug : slugs)
        if (number_of(slug) == number) return slug;
    return {};
}

}  // namespace lab
