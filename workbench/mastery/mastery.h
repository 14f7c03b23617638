// What the learner masters, by concept and by part of the path, and what to do next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbench/mastery/levels.h"

namespace lab {

// Half of it is graded work (the share of the lessons with this concept whose exercise has passed), half questions: those
// of these lessons answered right and, where the bank asks about the concept, the first answers there, half each.
struct ConceptMastery {
    std::string name, part;            // part: of the first lesson that teaches it
    std::vector<std::string> lessons;  // slugs
    double graded = 0, quizzes = 0;    // 0..1
    double value() const { return (graded + quizzes) / 2; }
    bool mastered() const { return graded >= 1 && quizzes >= 0.75; }
};

struct PartMastery {
    std::string name;
    double value = 0;  // 0..1, the mean of its concepts
    int concepts = 0, mastered = 0;
    int lessons = 0, passed = 0;
};

struct NextStep {
    std::string what, why;  // a sentence each
    std::string command;    // for the terminal
};

struct Standing {
    std::vector<ConceptMastery> concepts;  // in the order of the path
    std::vector<PartMastery> parts;        // in the order of the path: the axes of the radar chart
    std::vector<int64_t> levels;           // when level 1.. was passed; 0: not yet
    int due = 0;                           // questions that come back now
    std::vector<NextStep> next;            // the most useful one first, at most three
    bool earned = false;                   // at least one exercise has passed
};

// done[i]: the progress of lessons[i].
Standing standing(const std::vector<Lesson>& lessons, const std::vector<LessonProgress>& done,
                  const Bank& bank, const Recalls& recalls, const std::vector<int64_t>& levels, int64_t now);
// The same, read from the learner's progress.
Standing standing(const std::vector<Lesson>& lessons, const Bank& bank, Progress& progress, int64_t now);

}  // namespace lab
