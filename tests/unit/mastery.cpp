// The five levels: the bank, when questions come back, and that clicking passes nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/unit/scratch.h"
#include "workbench/lessons/workspace.h"
#include "workbench/mastery/mastery.h"

namespace lab {
namespace {

struct Course {
    Home home = find_home();
    std::vector<Lesson> lessons = load_lessons(home);
    Bank bank = load_bank(home, lessons);
};
const Course& course() {
    static const Course whole;
    return whole;
}

Answer right_answer(const Quiz& quiz) {
    Answer answer;
    for (size_t i = 0; i < quiz.options.size(); ++i)
        if (quiz.kind != QuizKind::one || quiz.options[i].right) answer.chosen.push_back(int(i));
    answer.text = std::to_string(quiz.answer);
    return answer;
}

Answer random_answer(const Quiz& quiz, std::mt19937_64& random) {
    Answer answer;
    answer.text = std::to_string(random() % 65);
    if (quiz.kind == QuizKind::one) answer.chosen = {int(random() % quiz.options.size())};
    if (quiz.kind != QuizKind::match) return answer;
    for (size_t i = 0; i < quiz.options.size(); ++i) answer.chosen.push_back(int(i));
    std::shuffle(answer.chosen.begin(), answer.chosen.end(), random);
    return answer;
}

}  // namespace

TEST_CASE("the bank has ten questions a level and one for every lesson, each with its tags") {
    const Bank& bank = course().bank;
    for (const std::string& problem : bank.problems) FAIL_CHECK(problem);
    for (int level = 1; level <= quiz_levels; ++level)
        CHECK_MESSAGE(bank.of_level(level).size() >= (level < 3 ? 12u : 10u), name_of_level(level));
    std::set<std::string> ids, lessons;
    for (const BankQuestion& question : bank.questions) {
        CHECK_MESSAGE(ids.insert(question.quiz.id).second, question.quiz.id);
        lessons.insert(question.lesson);
        if (question.level == quiz_levels) CHECK_MESSAGE(!question.quiz.verify.empty(), question.quiz.id);
    }
    for (const Lesson& lesson : course().lessons)
        CHECK_MESSAGE((lesson.number > 23 || lessons.contains(lesson.slug)), lesson.slug);
}

TEST_CASE("whoever knows passes every level, and neither random clicks nor clicking everything does") {
    std::mt19937_64 random(7);
    for (int level = 1; level <= quiz_levels; ++level) {
        Sitting known(course().bank, level, {}, 0, 1);
        REQUIRE(known.asked().size() == sitting_length);
        for (size_t i = 0; i < known.asked().size(); ++i)
            CHECK(known.answer(i, right_answer(known.question(i).quiz)).right);
        CHECK(known.passed());
        int passed_at_random = 0, passed_by_all = 0;
        constexpr int rounds = 4000;
        for (int round = 0; round < rounds; ++round) {
            Sitting clicks(course().bank, level, {}, 0, uint64_t(round));
            for (size_t i = 0; i < clicks.asked().size(); ++i)
                clicks.answer(i, random_answer(clicks.question(i).quiz, random));
            passed_at_random += clicks.passed();
            // Everything, from top to bottom, until it is right.
            Sitting all(course().bank, level, {}, 0, uint64_t(round));
            for (size_t i = 0; i < all.asked().size(); ++i) {
                const Quiz& quiz = all.question(i).quiz;
                if (quiz.kind != QuizKind::one) all.answer(i, {all.asked()[i].shown, "1"});
                for (const int option : all.asked()[i].shown) all.answer(i, {{option}, "1"});
                all.answer(i, right_answer(quiz));
            }
            passed_by_all += all.passed();
        }
        CHECK_MESSAGE(passed_at_random <= rounds / 500, "level ", level, ": ", passed_at_random);
        CHECK_MESSAGE(passed_by_all <= rounds / 500, "level ", level, ": ", passed_by_all);
    }
}

TEST_CASE("saying that one does not know costs nothing, and passes nothing") {
    Sitting sitting(course().bank, 1, {}, 0, 3);
    for (size_t i = 0; i < sitting.asked().size(); ++i) sitting.skip(i);
    CHECK(sitting.ended());
    CHECK(sitting.score() == 0);
    CHECK_FALSE(sitting.passed());
}

TEST_CASE("a wrong answer comes back after ten minutes, and then at growing distances") {
    constexpr int64_t day = 86400;
    Recall recall = after_answer({}, false, 1000);
    CHECK_FALSE(is_due(recall, 1000 + 599));
    CHECK(is_due(recall, 1000 + 600));
    int64_t now = recall.due;
    for (const int64_t wait : {day, 3 * day, 7 * day, 16 * day, 35 * day, 35 * day}) {
        recall = after_answer(recall, true, now);
        CHECK(recall.due - now == wait);
        now = recall.due;
    }
    recall = after_answer(recall, false, now);
    CHECK(recall.due - now == 600);
    CHECK_FALSE(is_due({}, now));
}

TEST_CASE("what is due is kept in the progress file and asked first") {
    const Scratch scratch;
    const Bank& bank = course().bank;
    const int index = bank.of_level(3).back();
    const std::string id = bank.questions[size_t(index)].quiz.id;
    {
        Progress progress(scratch.folder());
        CHECK(read_recalls(progress, bank).empty());
        CHECK(keep_recall(progress, id, after_answer({}, false, 5000)));
        CHECK(keep_level_passed(progress, 2, 77));
        CHECK(keep_level_passed(progress, 2, 99));
    }
    Progress progress(scratch.folder());
    CHECK(level_passed_at(progress, 2) == 77);
    CHECK(level_passed_at(progress, 3) == 0);
    const Recalls recalls = read_recalls(progress, bank);
    REQUIRE(recalls.size() == 1);
    CHECK(recalls.at(id).due == 5600);
    CHECK(Sitting(bank, 0, recalls, 5599, 1).asked().empty());
    CHECK(Sitting(bank, 0, recalls, 5600, 1).asked().size() == 1);
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const Sitting sitting(bank, 3, recalls, 5600, seed);
        CHECK(std::any_of(sitting.asked().begin(), sitting.asked().end(),
                          [&](const Asked& asked) { return asked.question == index; }));
    }
}

TEST_CASE("the machine runs a prediction's program and counts what the answer says") {
    for (const char* id : {"05_shared_memory.column_banks", "04_global_memory.wide"})
        for (const BankQuestion& question : course().bank.questions)
            if (question.quiz.id == id)
                CHECK(std::stod(measured(course().home, question.quiz)) == question.quiz.answer);
}

TEST_CASE("a concept is mastered by its exercise and its questions together, and the next step says why") {
    const std::vector<Lesson>& lessons = course().lessons;
    std::vector<LessonProgress> done(lessons.size());
    const std::vector<int64_t> levels(quiz_levels, 0);
    Recalls recalls;
    Standing at = standing(lessons, done, course().bank, recalls, levels, 0);
    CHECK_FALSE(at.earned);
    CHECK(at.parts.at(0).value == 0);
    REQUIRE(!at.next.empty());
    CHECK(at.next[0].command == "cudalab watch 01");
    CHECK(at.next.back().command == "cudalab levels 1");

    done[0].passed = true;
    at = standing(lessons, done, course().bank, recalls, levels, 0);
    CHECK(at.earned);
    CHECK(at.parts.at(0).passed == 1);
    const auto guard = [&] {
        return *std::find_if(at.concepts.begin(), at.concepts.end(),
                             [](const ConceptMastery& one) { return one.name == "guard"; });
    };
    CHECK(guard().value() == doctest::Approx(0.5));
    CHECK_FALSE(guard().mastered());
    for (const Quiz& quiz : lessons[0].quizzes) done[0].answers[quiz.id] = true;
    recalls["guard_is"] = after_answer({}, true, 0);
    at = standing(lessons, done, course().bank, recalls, levels, 2 * 86400);
    CHECK(guard().value() == doctest::Approx(1));
    CHECK(guard().mastered());
    CHECK(at.due == 1);
    CHECK(at.next[0].command == "cudalab levels --due");
    CHECK(at.next[1].command == "cudalab watch 02");
    done[1].attempts = 3;
    at = standing(lessons, done, course().bank, recalls, levels, 0);
    CHECK(at.due == 0);
    CHECK(at.next[0].why.find("tried 3 times") != std::string::npos);
}

}  // namespace lab
