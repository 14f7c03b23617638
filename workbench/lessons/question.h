// What a learner would paste into a forum, or give to an assistant: the lesson, the file and what was said of it.
#pragma once

#include <string>

#include "workbench/lessons/lesson.h"
#include "workbench/record/run.h"

namespace lab {

// Markdown. `run` is a grading of `code`. It asks for an explanation, and not for the solution.
std::string as_question(const Lesson& lesson, const Run& run, const std::string& code);

}  // namespace lab
