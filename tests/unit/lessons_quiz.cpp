// How answers to questions are judged.
#include <doctest/doctest.h>

#include <algorithm>

#include "workbench/lessons/quiz.h"

namespace lab {

namespace {

Quiz choice(QuizKind kind) {
    Quiz quiz;
    quiz.id = "q";
    quiz.kind = kind;
    quiz.options = {{"A", "why a", true, "1", ""},
                    {"B", "why b", false, "2", ""},
                    {"C", "why c", kind == QuizKind::several, "3", ""}};
    quiz.explanation = "because";
    return quiz;
}

bool right(const Quiz& quiz, const std::string& typed) {
    return judge(quiz, parse_answer(quiz, typed)).right;
}
bool understood(const Quiz& quiz, const std::string& typed) {
    return judge(quiz, parse_answer(quiz, typed)).understood;
}

}  // namespace

TEST_CASE("one choice: a letter or a number, and the explanation of what was chosen") {
    const Quiz quiz = choice(QuizKind::one);
    CHECK(right(quiz, "a"));
    CHECK(right(quiz, " A "));
    CHECK(right(quiz, "1"));
    CHECK_FALSE(right(quiz, "b"));
    CHECK(judge(quiz, parse_answer(quiz, "b")).explanation == "why b");
    for (const char* odd : {"", "d", "a,b", "0", "99999999999", "?", "\xff"})
        CHECK_FALSE(understood(quiz, odd));
}

TEST_CASE("several choices: all right ones and no other") {
    const Quiz quiz = choice(QuizKind::several);
    CHECK(right(quiz, "a,c"));
    CHECK(right(quiz, "ca"));
    CHECK_FALSE(right(quiz, "a"));
    CHECK_FALSE(right(quiz, "a b c"));
    CHECK_FALSE(understood(quiz, "a,a"));
}

TEST_CASE("a number may be off by its tolerance, and a known mistake has its own explanation") {
    Quiz quiz;
    quiz.kind = QuizKind::number;
    quiz.answer = 4;
    quiz.tolerance = 0.5;
    quiz.explanation = "four";
    quiz.wrong = {{"8", "that is twice"}};
    CHECK(right(quiz, "4"));
    CHECK(right(quiz, "4.5"));
    CHECK_FALSE(right(quiz, "4.6"));
    CHECK(judge(quiz, {{}, "8.0"}).explanation == "that is twice");
    for (const char* odd : {"", "four", "4 or 5", "nan", "inf"}) CHECK_FALSE(understood(quiz, odd));
}

TEST_CASE("output is compared without spaces at line ends and empty lines at the end") {
    Quiz quiz;
    quiz.kind = QuizKind::output;
    quiz.output = "0 1\n2";
    CHECK(right(quiz, "0 1 \r\n2\n\n"));
    CHECK_FALSE(right(quiz, "0 1 2"));
    CHECK_FALSE(right(quiz, "0  1\n2"));
}

TEST_CASE("order and match are shown in an order that is not the answer, the same every time") {
    for (const QuizKind kind : {QuizKind::order, QuizKind::match}) {
        Quiz quiz = choice(kind);
        for (int i = 0; i < 50; ++i) {
            quiz.id = "q" + std::to_string(i);
            const auto shown = shown_order(quiz);
            CHECK_FALSE(std::is_sorted(shown.begin(), shown.end()));
            CHECK(shown == shown_order(quiz));
            std::string letters;  // which letter stands for the first, second, third option
            for (int option = 0; option < 3; ++option)
                letters += char('a' + (std::find(shown.begin(), shown.end(), option) - shown.begin()));
            CHECK(judge(quiz, parse_answer(quiz, letters, shown)).right);
            CHECK_FALSE(judge(quiz, parse_answer(quiz, "abc", shown)).right);
            CHECK_FALSE(judge(quiz, parse_answer(quiz, "ab", shown)).understood);
        }
    }
}

TEST_CASE("two lines that read the same may change places") {
    Quiz quiz = choice(QuizKind::order);
    quiz.options[2].text = "A";
    CHECK(right(quiz, "c,b,a"));
}

}  // namespace lab
