// The contract test of one lesson: a list of checks, each with what was expected and what came.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

struct Check {
    std::string what;    // "mutant no_guard"
    std::string wanted;  // "oob-global"
    bool holds = false;
    std::string came;  // one line
    double seconds = 0;
};

struct Subject {
    Home home;
    Lesson lesson;
    std::filesystem::path cudalab;  // the program that grades and runs
    std::filesystem::path scratch;  // a folder for files of this test, removed afterwards
};

// What can be checked by reading: form, counts, the cut, panels.
std::vector<Check> check_form(const Subject& subject);

// What has to be run: the stub fails, the solution passes, every mutant fails for its reason, every answer
// that has a `verify` program is proved.
std::vector<Check> check_by_running(const Subject& subject, unsigned workers);

void print_table(const std::vector<Check>& checks);

}  // namespace lab
