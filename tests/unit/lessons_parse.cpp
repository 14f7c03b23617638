// lesson.md and mutants.toml: what is read, and what is complained about, with its line.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

const std::string front = R"(+++
title = "T"
part = "P"
minutes = 10
goals = ["g"]
concepts = ["c"]
panels = ["thread_map"]
receipt = ["r"]
+++
)";

const std::string hints = R"(
```hint
one
```
```hint
two
```
````hint
three
```cpp
code
```
````
)";

Lesson parse(const std::string& text) {
    Lesson lesson;
    parse_lesson_text(lesson, text, "lesson.md");
    return lesson;
}

std::string first_problem(const std::string& body) {
    const Lesson lesson = parse(front + body + hints);
    return lesson.problems.empty() ? "none" : lesson.problems.front();
}

}  // namespace

TEST_CASE("a lesson's text comes in blocks, in order, with the line of each") {
    const Lesson lesson = parse(
        front +
        "# Head\n\ntext\n```cpp\nint x;\n```\n```panel\nname = \"thread_map\"\nheight = 3\n```\nlast\n" +
        hints);
    REQUIRE(lesson.problems.empty());
    REQUIRE(lesson.blocks.size() == 6);
    CHECK(lesson.blocks[0].text == "# Head\n\ntext\n```cpp\nint x;\n```\n");
    CHECK(lesson.blocks[0].line == 10);
    CHECK(lesson.blocks[1].panel == "thread_map");
    CHECK(lesson.blocks[1].options.at("height") == "3");
    CHECK(lesson.blocks[1].options.at("from") == "exercise");
    CHECK(lesson.blocks[1].line == 16);
    CHECK(lesson.blocks[2].text == "last\n");
    REQUIRE(lesson.hints.size() == 3);
    CHECK(lesson.hints[2] == "three\n```cpp\ncode\n```\n");
}

TEST_CASE("a lesson whose solution copes with every grid says so") {
    CHECK_FALSE(parse(front + hints).any_grid);
    std::string text = front;
    text.replace(text.find("minutes"), 0, "any_grid = true\n");
    CHECK(parse(text + hints).any_grid);
    CHECK_FALSE(parse(text + hints).fast_experiment);
    text.replace(text.find("minutes"), 0, "fast_experiment = true\n");
    CHECK(parse(text + hints).fast_experiment);
}

TEST_CASE("Windows line ends and a byte order mark change nothing") {
    std::string text = "\xEF\xBB\xBF" + front + "text\n" + hints;
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    const Lesson lesson = parse(text);
    CHECK(lesson.problems.empty());
    CHECK(lesson.title == "T");
    CHECK(lesson.blocks.front().text == "text\n");
}

TEST_CASE("a beat says what to show; one that can't be shown is complained about") {
    const auto with_beat = [](const std::string& rest) {
        std::string text = front;
        text.insert(text.rfind("+++"),
                    "[[slider]]\nname = \"n\"\nfrom = 1\nto = 9\nstart = 4\n"
                    "[[beat]]\nquestion = \"q\"\npicture = \"p\"\ntakeaway = \"t\"\n" +
                        rest);
        return parse(text + hints);
    };
    const Lesson plain = with_beat("");
    REQUIRE(plain.problems.empty());
    REQUIRE(plain.beats.size() == 1);
    CHECK(plain.beats[0].panel == "thread_map");
    CHECK(plain.beats[0].from == "exercise");
    CHECK(plain.beats[0].right == 0);
    const Lesson full = with_beat(
        "answers = [\"a\", \"b\"]\nright = 2\nsettings = { n = 9 }\nslide = \"n\"\ncode = \"x\"\n"
        "options = { case = \"c\" }\n");
    REQUIRE(full.problems.empty());
    CHECK(full.beats[0].right == 2);
    CHECK(full.beats[0].settings.at("n") == 9);
    CHECK(full.beats[0].options.at("case") == "c");
    const auto problem = [&](const std::string& rest) {
        const Lesson lesson = with_beat(rest);
        return lesson.problems.empty() ? "none" : lesson.problems.front();
    };
    CHECK(problem("answers = [\"a\", \"b\"]\n").find("right") != std::string::npos);
    CHECK(problem("answers = [\"a\", \"b\"]\nright = 3\n").find("from 1 to 2") != std::string::npos);
    CHECK(problem("from = \"me\"\n").find("exercise, solution or mutant NAME") != std::string::npos);
    CHECK(problem("slide = \"m\"\n").find("which this lesson has not") != std::string::npos);
    CHECK(problem("settings = { n = 10 }\n").find("from 1 to 9") != std::string::npos);
    CHECK(problem("settings = { m = 1 }\n") != "none");
    CHECK(problem("from = \"solution\"\nslide = \"n\"\n").find("shows the exercise") != std::string::npos);
}

TEST_CASE("complaints name the file and the line in it") {
    CHECK(first_problem("text\n```quiz\nid = \"a\"\nkind = \"two\"\nquestion = \"q\"\n```\n") ==
          "lesson.md:12: `kind` must be one, several, number, output, order or match, not \"two\".");
    CHECK(first_problem("```panel\nname = \"map\"\n```\n") ==
          "lesson.md:11: the front matter's `panels` do not name the panel `map`; add it there.");
    CHECK(first_problem("```quiz\nid = \n```\n").find("lesson.md:11: this is no TOML") == 0);
    // Letters that the TOML library takes for impossible; in quotes and comments they are fine.
    CHECK(first_problem("```quiz\nid = \"Ξ é\" # Ж\nΞ = 1\n```\n")
              .find("lesson.md:12: this is no TOML: outside of quotes") == 0);
    CHECK(
        first_problem("```quiz\nid = \"Ξ \\\" é\"\nask = '''\nÄ 'Ö' '''\n```\n").find("outside of quotes") ==
        std::string::npos);
    CHECK(first_problem("```quiz one\n```\n").find("lesson.md:10: the info string must be `quiz`") == 0);
    CHECK(first_problem("`````hint\nx\n```\n").find("lesson.md:10: this fenced block has no closing fence") ==
          0);
    CHECK(parse("no front").problems.front().find("lesson.md:1: the first line must be +++") == 0);
    CHECK(parse(front + "\xff\n").problems.front().find("lesson.md:10: this line is not UTF-8") == 0);
    CHECK(parse(front + "text").problems.front().find("three hints") != std::string::npos);
}

TEST_CASE("a misspelt key is a complaint, not silence") {
    CHECK(first_problem("```code\npart = \"k\"\nform = \"solution\"\n```\n").find("knows no `form`") !=
          std::string::npos);
}

TEST_CASE("every option of a choice needs an explanation, and one choice exactly one right option") {
    const std::string head =
        "```quiz\nid = \"a\"\nkind = \"one\"\nquestion = \"q\"\n[[option]]\ntext = \"1\"\nright = "
        "true\nexplanation = \"e\"\n[[option]]\ntext = \"2\"\n";
    CHECK(first_problem(head + "```\n").find("a [[option]] has no `explanation`") != std::string::npos);
    CHECK(first_problem(head + "explanation = \"f\"\nright = true\n```\n")
              .find("exactly one right option; this one has 2") != std::string::npos);
    CHECK(first_problem(head + "explanation = \"f\"\n```\n") == "none");
}

TEST_CASE("a likely wrong answer that would be counted as right is a complaint") {
    CHECK(first_problem("```quiz\nid = \"a\"\nkind = \"number\"\nquestion = \"q\"\nanswer = 4\nexplanation = "
                        "\"e\"\n[[wrong]]\nanswer = 4\nexplanation = \"f\"\n```\n")
              .find("would be counted as right") != std::string::npos);
}

TEST_CASE("sliders are read, and one that can't be slid is complained about") {
    const auto problems_with = [](const std::string& rows) {
        Lesson lesson;
        parse_lesson_text(lesson,
                          "+++\ntitle = \"t\"\npart = \"p\"\nminutes = 5\ngoals = [\"g\"]\nconcepts = "
                          "[\"c\"]\nreceipt = [\"r\"]\n" +
                              rows + "+++\n```hint\na\n```\n```hint\nb\n```\n```hint\nc\n```\n",
                          "lesson.md");
        return std::pair(lesson.sliders, lesson.problems.size());
    };
    const std::string row = "[[slider]]\nname = \"n\"\nfrom = 1\nto = 9\nstart = 4\n";
    const auto [sliders, none] = problems_with(row + "values = [1, 4, 9]\n");
    CHECK(none == 0);
    REQUIRE(sliders.size() == 1);
    CHECK(sliders[0].label == "n");
    CHECK(sliders[0].values == std::vector<int>{1, 4, 9});
    CHECK(problems_with(row).second == 0);
    CHECK(sliders[0].word(9) == "9");
    const auto [named, no_problem] =
        problems_with("[[slider]]\nname = \"m\"\nfrom = 1\nto = 2\nstart = 1\nwords = [\"few\", \"many\"]\n");
    CHECK(no_problem == 0);
    CHECK(named.at(0).word(2) == "many");
    const auto [stops, none_either] =
        problems_with(row + "values = [1, 4, 9]\nwords = [\"a\", \"b\", \"c\"]\n");
    CHECK(none_either == 0);
    CHECK(stops.at(0).word(9) == "c");
    for (const char* bad : {"words = [\"a\", \"b\"]\n", "words = [1]\n", "values = [1, 9, 4]\n",
                            "values = [1, 2, 9]\n", "values = [1, 4]\n", "values = [\"a\"]\n", "colour = 1\n",
                            "[[slider]]\nname = \"n\"\nfrom = 1\nto = "
                            "9\nstart = 1\n",
                            "[[slider]]\nname = \"grid\"\nfrom = 1\nto = 9\nstart = 1\n",
                            "[[slider]]\nname = \"m\"\nfrom = 5\nto = 9\nstart = 1\n",
                            "[[slider]]\nname = \"M!\"\nfrom = 1\nto = 9\nstart = 1\n",
                            "[[slider]]\nname = \"m\"\nto = 9\nstart = 1\n"}) {
        CAPTURE(bad);
        CHECK(problems_with(row + bad).second > 0);
    }
}

TEST_CASE("mutants are read, and each must state a reason") {
    Lesson lesson;
    parse_mutants_text(lesson,
                       "[[mutant]]\nname = \"a\"\nwhy = \"w\"\nfind = 'x'\nreplace = ''\nfinding = "
                       "\"oob-global\"\nedits = [['y', 'z']]\n",
                       "m");
    REQUIRE(lesson.problems.empty());
    REQUIRE(lesson.mutants.size() == 1);
    CHECK(lesson.mutants[0].edits.at(0).second == "z");
    parse_mutants_text(lesson, "\n[[mutant]]\nname = \"b\"\nwhy = \"w\"\nfind = 'x'\nreplace = ''\n", "m");
    REQUIRE(lesson.problems.size() == 1);
    CHECK(lesson.problems[0] == "m:2: this mutant states no reason: give `finding` or `fails`.");
}

TEST_CASE("goals of Further are read, one bound each, and the edits that reach them") {
    const std::string goal = "```goal\ncase = \"All\"\nmetric = \"warps\"\n";
    const Lesson lesson =
        parse(front + goal + "kernel = \"k\"\nat_most = 3\n```\n" + goal + "at_least = 2.5\n```\n" + hints);
    REQUIRE(lesson.problems.empty());
    REQUIRE(lesson.further.size() == 2);
    CHECK(lesson.blocks[1].goal == 1);
    CHECK(describe(lesson.further[0]) == "warps of k: at most 3");
    CHECK(describe(lesson.further[1]) == "warps: at least 2.5");
    CHECK(first_problem(goal + "```\n") ==
          "lesson.md:11: a goal has `at_most` or `at_least`, one of the two.");
    CHECK(first_problem(goal + "at_most = 1\nat_least = 1\n```\n") ==
          "lesson.md:11: a goal has `at_most` or `at_least`, one of the two.");
    CHECK(first_problem(goal + "at_most = \"3\"\n```\n") ==
          "lesson.md:13: `at_most` of this goal must be a number.");

    Lesson other;
    parse_mutants_text(other, "[further]\nedits = [['a', 'b'], ['b', 'cc']]\n", "m");
    REQUIRE(other.problems.empty());
    CHECK(apply_further(other, "x = a") == "x = cc");
    CHECK_THROWS_WITH(apply_further(other, "x"),
                      "[further] looks for `a`, which occurs nowhere in the solution; it must occur once.");
}

TEST_CASE("no bytes make the parsers throw or hang") {
    std::vector<std::string> seeds;
    for (const char* slug : {"01_hello_threads", "02_grids_2d", "03_grid_stride", "05_shared_memory"}) {
        const auto folder = std::filesystem::path(std::getenv("CUDALAB_SOURCE")) / "lessons" / slug;
        for (const char* name : {"lesson.md", "mutants.toml"})
            seeds.push_back(read_file(folder / name).value_or(""));
    }
    const std::string whole =
        front +
        "```quiz\nid = \"a\"\nkind = \"number\"\nanswer = 1\nquestion = \"q\"\nexplanation=\"e\"\n```\n" +
        hints;
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string text = round % 20 ? whole : seeds[random() % seeds.size()];
        if (text.empty()) text = whole;
        for (int edits = 0; edits < 4; ++edits) {
            const size_t at = random() % text.size();
            if (random() % 2) text[at] = char(random());
            if (random() % 4 == 0) text.erase(at, random() % 20);
            if (random() % 4 == 0) text.insert(at, text.substr(random() % text.size(), 30));
        }
        Lesson lesson;
        CHECK_NOTHROW(parse_lesson_text(lesson, text, "lesson.md"));
        CHECK_NOTHROW(parse_mutants_text(lesson, text, "mutants.toml"));
    }
}

}  // namespace lab
