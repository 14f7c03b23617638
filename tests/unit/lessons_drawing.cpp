// Pictures that a reader draws for an experiment: their row in lesson.md, their word on the command line.
#include <doctest/doctest.h>

#include <stdexcept>

#include "workbench/lessons/experiment.h"
#include "workbench/lessons/parse.h"

using namespace lab;

namespace {

Lesson lesson_with(const std::string& rows) {
    Lesson lesson;
    parse_lesson_text(lesson,
                      "+++\ntitle = \"t\"\npart = \"p\"\nminutes = 5\ngoals = [\"g\"]\nconcepts = "
                      "[\"c\"]\nreceipt = [\"r\"]\n[[slider]]\nname = \"n\"\nfrom = 1\nto = 9\nstart = 4\n" +
                          rows + "+++\n```hint\na\n```\n```hint\nb\n```\n```hint\nc\n```\n",
                      "lesson.md");
    return lesson;
}

const std::string ink = "[[drawing]]\nname = \"ink\"\nwidth = 2\nheight = 3\n";

std::string complaint_about(const std::string& word) {
    try {
        read_experiment(lesson_with(ink), {word});
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a drawing is read, and one of no size or with another's name is complained about") {
    const Lesson lesson = lesson_with(ink);
    CHECK(lesson.problems.empty());
    REQUIRE(lesson.drawings.size() == 1);
    CHECK(lesson.drawings[0].name == "ink");
    CHECK(lesson.drawings[0].bytes() == 6);
    for (const char* bad :
         {"[[drawing]]\nname = \"n\"\nwidth = 2\nheight = 3\n",
          "[[drawing]]\nname = \"ink\"\nwidth = 2\nheight = 3\n",
          "[[drawing]]\nname = \"grid\"\nwidth = 2\nheight = 3\n",
          "[[drawing]]\nname = \"Ink!\"\nwidth = 2\nheight = 3\n",
          "[[drawing]]\nname = \"a\"\nwidth = 0\nheight = 3\n",
          "[[drawing]]\nname = \"a\"\nwidth = 65\nheight = 3\n", "[[drawing]]\nname = \"a\"\nwidth = 2\n"}) {
        CAPTURE(bad);
        CHECK_FALSE(lesson_with(ink + bad).problems.empty());
    }
}

TEST_CASE("a drawing's word has two digits a byte, and comes back as it went") {
    const Lesson lesson = lesson_with(ink);
    const Experiment read = read_experiment(lesson, {"ink=00fF7f8001aB", "n=2"});
    CHECK(read.drawings.at("ink") == std::string("\x00\xff\x7f\x80\x01\xab", 6));
    CHECK(read_experiment(lesson, words_of(read)) == read);
    CHECK(describe(lesson, read) == "n = 2, ink as drawn");
    CHECK(read_experiment(lesson, {}).drawings.empty());
}

TEST_CASE("a drawing of another size, or no digits at all, is one sentence") {
    for (const char* word : {"ink=", "ink=00", "ink=00ff7f8001abcd", "ink=00ff7f8001a", "ink=00ff7f8001ag",
                             "ink=-0ff7f8001ab"}) {
        CAPTURE(word);
        CHECK(complaint_about(word).find("2 by 3 bytes, two hexadecimal digits each: 12 digits") !=
              std::string::npos);
    }
    CHECK(complaint_about("ink=00ff7f8001ab") == "none");
    CHECK(complaint_about("pen=00").find("There is no slider `pen`") == 0);
}
