// What is cut from a solution, and where lessons are found.
#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/unit/scratch.h"
#include "workbench/lessons/cuts.h"
#include "workbench/lessons/parse.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

const std::string solution = R"(// [kernel]
__global__ void fill(int* d_out) {
    // >>> TODO: write the index.
    d_out[threadIdx.x] = threadIdx.x;
    // <<<
}
// [/kernel]
int f() {
    // >>> TODO: launch.
    fill<<<1, 2>>>(nullptr);
    return 1;
    // ===
    //| // change this line
    //|
    //| return 0;
    // <<<
}
)";

}  // namespace

TEST_CASE("the stub keeps what the learner needs and loses what the learner writes") {
    CHECK(cut_stub(solution, "s.cu") == R"(// [kernel]
__global__ void fill(int* d_out) {
    // TODO: write the index.
}
// [/kernel]
int f() {
    // TODO: launch.
    // change this line

    return 0;
}
)");
    CHECK(clean_solution(solution).find("TODO") == std::string::npos);
    CHECK(clean_solution(solution).find("//|") == std::string::npos);
    CHECK(clean_solution(solution).find("return 1;") != std::string::npos);
}

TEST_CASE("markers that do not pair are named with file and line") {
    const auto complaint = [](const std::string& text) {
        try {
            cut_stub(text, "s.cu");
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    CHECK(complaint("a\n// >>> TODO: x.\nb\n").find("s.cu:2: this // >>> TODO: is never closed") == 0);
    CHECK(complaint("// <<<\n").find("s.cu:1: this // <<< closes nothing") == 0);
    CHECK(complaint("// >>> TODO: x.\n// >>> TODO: y.\n").find("s.cu:2: this // >>> stands inside") == 0);
    CHECK(complaint("// >>> x\n").find("s.cu:1: after // >>> there must be TODO") == 0);
    CHECK(complaint("// >>> TODO: add it up, warp by\n//     warp.\n// <<<\n")
              .find("s.cu:1: the text after TODO:") == 0);
    CHECK(complaint("//| x\n").find("s.cu:1: a //| line") == 0);
    CHECK(complaint("// >>> TODO: x.\n// ===\nb\n// <<<\n").find("s.cu:3: between") == 0);
}

TEST_CASE("an excerpt knows its lines, and leaves marker lines out") {
    const Excerpt excerpt = cut_excerpt(solution, "kernel");
    CHECK(excerpt.problem.empty());
    CHECK(excerpt.text == "__global__ void fill(int* d_out) {\n    d_out[threadIdx.x] = threadIdx.x;\n}\n");
    CHECK(excerpt.lines == std::vector<int>{2, 4, 6});
    CHECK(cut_excerpt(solution, "launch").problem == "the marker // [launch] is not there.");
    CHECK(cut_excerpt("// [a]\nx\n", "a").problem.find("has no // [/a]") != std::string::npos);
}

TEST_CASE("a mutant's text must occur exactly once") {
    Mutant mutant{"m", "", "fill", "full", {}, "", "", ""};
    CHECK_THROWS_WITH_AS(apply_mutant(mutant, solution), doctest::Contains("occurs 2 times"),
                         std::runtime_error);
    mutant.find = "nowhere";
    CHECK_THROWS_AS(apply_mutant(mutant, solution), std::runtime_error);
    mutant.find = "return 1;";
    mutant.replace = "return 2;";
    mutant.edits = {{"return 2;", "return 3;"}};
    CHECK(apply_mutant(mutant, solution).find("return 3;") != std::string::npos);
}

TEST_CASE("an exercise is the newest cut, an older one, or somebody's work") {
    const Scratch scratch;
    const Home home{scratch.folder(), scratch / "exercises"};
    const LessonPaths paths = paths_of(home, "01_a");
    scratch.write("solutions/01_a.cu", solution);
    const std::string stub = current_cut(paths), old = "an older stub\n";
    scratch.write("lessons/01_a/cuts.txt",
                  "# comment\n" + fingerprint(old) + "\n" + fingerprint(stub) + "\n");
    CHECK(state_of_exercise(paths) == ExerciseState::missing);
    scratch.write("exercises/01_a.cu", stub);
    CHECK(state_of_exercise(paths) == ExerciseState::newest);
    CHECK(check_cut(paths).empty());
    scratch.write("exercises/01_a.cu", "my own work");
    CHECK(state_of_exercise(paths) == ExerciseState::edited);
    CHECK(check_cut(paths).empty());
    scratch.write("exercises/01_a.cu", old);
    REQUIRE(check_cut(paths).size() == 1);
    CHECK(check_cut(paths)[0].find("is an older cut") != std::string::npos);
    scratch.write("exercises/01_a.cu", stub);
    scratch.write("solutions/01_a.cu", "// another head\n" + solution);
    CHECK_FALSE(check_cut(paths).empty());
}

TEST_CASE("a lesson is found by number, name, slug or file") {
    const Scratch scratch;
    for (const char* slug : {"01_hello", "02_grids", "12_atomics", "101_far", "x_no", "3_no"})
        std::filesystem::create_directories(scratch.folder() / "lessons" / slug);
    const Home home{scratch.folder(), scratch / "exercises"};
    CHECK(lesson_slugs(home) == std::vector<std::string>{"01_hello", "02_grids", "12_atomics", "101_far"});
    for (const char* name : {"1", "01", "lesson01", "lesson1", "lesson 01", "lesson_01", "01_hello", "hello",
                             "exercises/01_hello.cu", "/a/b/01_hello.cu"})
        CHECK_MESSAGE(slug_from(home, name) == std::optional<std::string>("01_hello"), name);
    CHECK(slug_from(home, "12") == std::optional<std::string>("12_atomics"));
    for (const char* name :
         {"", "0", "3", "13", "lesson", "hell", "01_hell", "-1", "1.5", ".cu", "/", "99999999999999999999"})
        CHECK_MESSAGE(slug_from(home, name) == std::nullopt, name);
}

TEST_CASE("a missing or unreadable lesson is a sentence, never an exception") {
    const Scratch scratch;
    const Home home{scratch.folder(), scratch / "exercises"};
    const Lesson lesson = load_lesson(home, "01_hello");
    CHECK(lesson.problems.size() >= 4);
    CHECK(lesson.problems[0] == "lessons/01_hello/lesson.md:1: this file is missing; every lesson has one.");
    std::filesystem::create_directories(scratch / "lessons/01_hello/lesson.md");
    CHECK(load_lessons(home).size() == 1);
}

}  // namespace lab
