// Which cuts of a lesson's solution were ever handed out. lessons/SLUG/cuts.txt keeps a fingerprint a line,
// newest last. With it, a file in exercises/ is told apart without git: the newest cut, an older one that
// nobody has touched, or the learner's own work. So a test can keep exercises/ equal to the cut, solving an
// exercise breaks no test, and an update replaces only what nobody has edited.
#pragma once

#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

enum class ExerciseState { missing, newest, older, edited };

std::vector<std::string> cuts_of(const LessonPaths& paths);  // newest last; empty: none was noted
ExerciseState state_of_exercise(const LessonPaths& paths);

// The exercise as it is handed out now. Throws std::runtime_error with a sentence.
std::string current_cut(const LessonPaths& paths);

// Everything that is wrong between solution, cuts.txt and a file in exercises/ that nobody has edited; a
// sentence each.
std::vector<std::string> check_cut(const LessonPaths& paths);

}  // namespace lab
