// What every command shares: colours, complaints, and choosing a lesson.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/lessons/lesson.h"
#include "workbench/progress/progress.h"

namespace lab {

// $CUDALAB_COLOR=always|never decides; else colours are used on a terminal, unless NO_COLOR is set or TERM is
// dumb.
bool use_color(int descriptor = 1);

// The text in a colour where colours are used, else as it is.
std::string bold(std::string_view text);
std::string green(std::string_view text);
std::string red(std::string_view text);
std::string yellow(std::string_view text);
std::string dim(std::string_view text);

// Prints what went wrong to stderr (with `json`, also {"error": ...} to stdout) and returns `code`.
int complain(bool json, const std::string& sentence, int code = 2);

// Prints a progress file's notice to stderr, if it has one.
void tell_notice(const Progress& progress);

// The slug that was typed; empty: the first lesson whose exercise has not passed (`questions`: that has
// questions open). nullopt: there is none, and it has been said.
std::optional<std::string> choose_lesson(const Home& home, const std::string& typed, bool json,
                                         bool questions = false);

std::string no_solutions();  // what to say where a solution is asked for in a copy that has none

std::string two_digits(int number);  // "05"
std::string shown_path(
    const std::filesystem::path& path);  // from the current folder on, where that is shorter
int terminal_columns();                  // 80 where there is no terminal
std::string wrapped(std::string_view text, int columns, std::string_view indent = "");

std::filesystem::path own_program();                            // this executable
std::filesystem::path program_beside(const std::string& name);  // another of ours; empty: it was not built
bool has_display();

}  // namespace lab
