// What authors write must never end the program: lesson.md, mutants.toml, and the markers of a solution. The
// first line of an input says which it is: `+++` opens a lesson.md, `#mutants` a mutants.toml; anything else
// is a solution.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

#include "workbench/lessons/parse.h"
#include "workbench/lessons/quiz.h"

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz-lesson: %s\n", what);
    std::abort();
}

void check_problems(const lab::Lesson& lesson) {
    for (const std::string& problem : lesson.problems)
        require(problem.rfind("file:", 0) == 0 && problem.back() == '.',
                "a problem is no sentence with a place");
}

// A quiz of a lesson without problems can be asked, answered wrongly and answered right.
void check_quiz(const lab::Quiz& quiz, bool sound) {
    const std::vector<int> shown = lab::shown_order(quiz);
    for (int option : shown)
        require(option >= 0 && option < static_cast<int>(quiz.options.size()), "an option that is not there");
    for (const char* typed : {"", "a", "b,a", "abc", "-1", "1e999", "zz", "0x", "a b c d e f g h"})
        lab::judge(quiz, lab::parse_answer(quiz, typed, shown));
    lab::Answer right;
    right.text = quiz.output;
    for (int i = 0; i < static_cast<int>(quiz.options.size()); ++i) {
        const bool all = quiz.kind == lab::QuizKind::order || quiz.kind == lab::QuizKind::match;
        if (all || quiz.options[i].right) right.chosen.push_back(i);
    }
    if (sound && quiz.kind != lab::QuizKind::number)
        require(lab::judge(quiz, right).right, "a quiz's own answer is judged wrong");
}

void check_lesson(const std::string& text) {
    lab::Lesson lesson;
    lab::parse_lesson_text(lesson, text, "file");
    check_problems(lesson);
    std::set<std::string> ids;
    for (const lab::Quiz& quiz : lesson.quizzes) {
        check_quiz(quiz, lesson.problems.empty());
        if (lesson.problems.empty()) require(ids.insert(quiz.id).second, "two quizzes have the same id");
    }
    for (const lab::Block& block : lesson.blocks) {
        require((block.kind == lab::Block::Kind::quiz) == (block.quiz >= 0), "a block and its quiz disagree");
        require(block.quiz < static_cast<int>(lesson.quizzes.size()),
                "a block names a quiz that is not there");
    }
}

void check_mutants(const std::string& text) {
    lab::Lesson lesson;
    lab::parse_mutants_text(lesson, text, "file");
    check_problems(lesson);
    for (const lab::Mutant& mutant : lesson.mutants) {
        if (lesson.problems.empty())
            require(!mutant.name.empty() && !mutant.find.empty(), "a mutant without an edit");
        try {
            lab::apply_mutant(mutant, "if (i < n) {\n    d_out[i] = i;\n}\n");
        } catch (const std::runtime_error&) {
        }
    }
}

void check_solution(const std::string& text) {
    try {
        const std::string stub = lab::cut_stub(text, "file");
        require(lab::cut_stub(stub, "file") == stub || stub.find("//") != std::string::npos,
                "a stub without comments is cut again");
    } catch (const std::runtime_error& error) {
        require(std::string(error.what()).rfind("file:", 0) == 0, "a complaint without a place");
    }
    lab::clean_solution(text);
    const lab::Excerpt excerpt = lab::cut_excerpt(text, "kernel");
    require(excerpt.problem.empty() == !excerpt.lines.empty() || !excerpt.problem.empty(),
            "an empty excerpt");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (text.rfind("+++", 0) == 0)
        check_lesson(text);
    else if (text.rfind("#mutants", 0) == 0)
        check_mutants(text);
    else
        check_solution(text);
    return 0;
}
