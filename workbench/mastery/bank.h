// The question bank of the five levels: assets/quiz/*.toml. This comment is the definition of its files.
//
// The file's name begins with its level: 1 terms, 2 matching parts to functions, 3 judging when, 4 choosing a schedule,
// 5 predicting a measured result.
//
//   [[question]]                                  # a quiz as in lesson.md (workbench/lessons/parse.h), and besides:
//   lesson = "05_shared_memory"                   # required: the lesson that teaches it
//   concepts = ["race"]                           # required: of that lesson's own concepts
//
//   [[from_lesson]]                               # a question that stands in a lesson
//   lesson = "05_shared_memory"
//   quiz = "column_banks"                         # its id there
//   concepts = ["bank conflict"]
#pragma once

#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

constexpr int quiz_levels = 5;

struct BankQuestion {
    Quiz quiz;  // its id is unique in the bank
    int level = 1;
    std::string lesson;  // slug
    std::vector<std::string> concepts;
};

struct Bank {
    std::vector<BankQuestion> questions;
    std::vector<std::string> problems;           // what is wrong with its files, as sentences
    std::vector<int> of_level(int level) const;  // indices into questions
};

Bank load_bank(const Home& home, const std::vector<Lesson>& lessons);

const char* name_of_level(int level);  // "Terms", ...; level: 1 to 5

// What the CPU machine prints or counts for a question that has a `verify` program: "32". Runs the program (a second or
// two). Throws std::runtime_error with a sentence where it does not run to its end.
std::string measured(const Home& home, const Quiz& quiz);

}  // namespace lab
