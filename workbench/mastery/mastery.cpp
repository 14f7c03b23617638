#include "workbench/mastery/mastery.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {
namespace {

constexpr size_t most_steps = 3;

double share(int some, int all) {
    return all > 0 ? double(some) / all : 0;
}

// Of the bank's questions about a concept: how many there are, and how many were answered right last.
std::pair<int, int> bank_share(const Bank& bank, const Recalls& recalls, const std::string& name) {
    int all = 0, right = 0;
    for (const BankQuestion& question : bank.questions) {
        if (std::find(question.concepts.begin(), question.concepts.end(), name) == question.concepts.end())
            continue;
        ++all;
        const auto recall = recalls.find(question.quiz.id);
        right += recall != recalls.end() && recall->second.last_right;
    }
    return {right, all};
}

std::vector<ConceptMastery> concepts_of(const std::vector<Lesson>& lessons) {
    std::vector<ConceptMastery> concepts;
    for (const Lesson& lesson : lessons)
        for (const std::string& name : lesson.concepts) {
            auto found = std::find_if(concepts.begin(), concepts.end(),
                                      [&](const ConceptMastery& one) { return one.name == name; });
            if (found == concepts.end())
                found = concepts.insert(concepts.end(), ConceptMastery{name, lesson.part, {}, 0, 0});
            found->lessons.push_back(lesson.slug);
        }
    return concepts;
}

void weigh(ConceptMastery& concept_of, const std::vector<Lesson>& lessons,
           const std::vector<LessonProgress>& done, const Bank& bank, const Recalls& recalls) {
    int passed = 0;
    double answered = 0;
    for (size_t i = 0; i < lessons.size(); ++i) {
        const auto& slugs = concept_of.lessons;
        if (std::find(slugs.begin(), slugs.end(), lessons[i].slug) == slugs.end()) continue;
        const Ticks ticks = ticks_of(lessons[i], done[i]);
        passed += ticks.exercise;
        answered += share(ticks.quizzes_right, ticks.quizzes_all);
    }
    const double count = double(concept_of.lessons.size());
    concept_of.graded = passed / count;
    concept_of.quizzes = answered / count;
    const auto [right, all] = bank_share(bank, recalls, concept_of.name);
    if (all > 0) concept_of.quizzes = (concept_of.quizzes + share(right, all)) / 2;
}

std::vector<PartMastery> parts_of(const std::vector<Lesson>& lessons, const std::vector<LessonProgress>& done,
                                  const std::vector<ConceptMastery>& concepts) {
    std::vector<PartMastery> parts;
    for (size_t i = 0; i < lessons.size(); ++i) {
        if (parts.empty() || parts.back().name != lessons[i].part) {
            parts.emplace_back();
            parts.back().name = lessons[i].part;
        }
        parts.back().lessons += 1;
        parts.back().passed += done[i].passed;
    }
    for (PartMastery& part : parts) {
        for (const ConceptMastery& one : concepts) {
            if (one.part != part.name) continue;
            part.concepts += 1;
            part.mastered += one.mastered();
            part.value += one.value();
        }
        if (part.concepts > 0) part.value /= part.concepts;
    }
    return parts;
}

// The first lesson whose exercise is open and whose needs have passed; -1: none.
int next_lesson(const std::vector<Lesson>& lessons, const std::vector<LessonProgress>& done) {
    for (size_t i = 0; i < lessons.size(); ++i)
        if (!done[i].passed) return int(i);
    return -1;
}

std::vector<NextStep> steps(const std::vector<Lesson>& lessons, const std::vector<LessonProgress>& done,
                            const Standing& at) {
    std::vector<NextStep> next;
    if (at.due > 0)
        next.push_back(
            {fmt::format("Answer the {} question{} due.", at.due, at.due == 1 ? " that is" : "s that are"),
             "What comes back just before it is forgotten stays longest.", "cudalab levels --due"});
    const int open = next_lesson(lessons, done);
    if (open >= 0) {
        const Lesson& lesson = lessons[size_t(open)];
        const int attempts = done[size_t(open)].attempts;
        next.push_back({fmt::format("Lesson {:02}, {}: the exercise.", lesson.number, lesson.title),
                        attempts > 0 ? fmt::format("You have tried {} time{}, and it has not passed yet.",
                                                   attempts, attempts == 1 ? "" : "s")
                                     : "It is the first on the path that has not passed.",
                        fmt::format("cudalab watch {:02}", lesson.number)});
    }
    for (size_t i = 0; i < lessons.size(); ++i) {
        const Ticks ticks = ticks_of(lessons[i], done[i]);
        if (!ticks.exercise || ticks.quizzes) continue;
        next.push_back({fmt::format("Lesson {:02}, {}: the questions.", lessons[i].number, lessons[i].title),
                        fmt::format("Its exercise has passed, and {} of {} questions are open.",
                                    ticks.quizzes_all - ticks.quizzes_right, ticks.quizzes_all),
                        fmt::format("cudalab quiz {:02}", lessons[i].number)});
        break;
    }
    for (size_t i = 0; i < at.levels.size(); ++i) {
        if (at.levels[i] > 0) continue;
        const int level = int(i) + 1;
        next.push_back({fmt::format("Level {}, {}.", level, name_of_level(level)),
                        "It is the first level that you have not passed.",
                        fmt::format("cudalab levels {}", level)});
        break;
    }
    if (next.size() > most_steps) next.resize(most_steps);
    return next;
}

}  // namespace

Standing standing(const std::vector<Lesson>& lessons, const std::vector<LessonProgress>& done,
                  const Bank& bank, const Recalls& recalls, const std::vector<int64_t>& levels, int64_t now) {
    Standing at;
    at.concepts = concepts_of(lessons);
    for (ConceptMastery& one : at.concepts) weigh(one, lessons, done, bank, recalls);
    at.parts = parts_of(lessons, done, at.concepts);
    at.levels = levels;
    for (const auto& entry : recalls) at.due += is_due(entry.second, now);
    at.earned = std::any_of(done.begin(), done.end(), [](const LessonProgress& one) { return one.passed; });
    at.next = steps(lessons, done, at);
    return at;
}

Standing standing(const std::vector<Lesson>& lessons, const Bank& bank, Progress& progress, int64_t now) {
    std::vector<LessonProgress> done;
    for (const Lesson& lesson : lessons) done.push_back(progress.of(lesson));
    std::vector<int64_t> levels;
    for (int level = 1; level <= quiz_levels; ++level) levels.push_back(level_passed_at(progress, level));
    return standing(lessons, done, bank, read_recalls(progress, bank), levels, now);
}

}  // namespace lab
