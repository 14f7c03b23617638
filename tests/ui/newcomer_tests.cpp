// The first minutes of somebody new, with the real grader: from the first start to the second lesson. Where
// CUDALAB_UI_PICTURES names a folder, each step leaves a picture.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

#include "driver.h"

namespace {

std::string with(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

void play_the_first_lesson(int width, int height, float scale, const std::string& name) {
    const Workspace workspace;
    const std::string next = "02_grids_2d.cu";
    std::ofstream(workspace.folder / "exercises" / next)
        << lab::cut_stub(lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "solutions" / next), next);
    Driver window(workspace, width, height, scale, CUDALAB_REAL);
    int step = 0;
    const auto picture = [&](const std::string& what) {
        window.picture(fmt::format("{}-{:02}-{}", name, ++step, what));
    };
    picture("start");
    REQUIRE(window.wait_for([&] { return window.graded("solution"); }, 90));
    window.frames(6);
    picture("solution-is-there");

    const lab::Quiz& quiz = window.app->now().lesson.quizzes.at(0);
    int right = 0;
    while (!quiz.options[size_t(right)].right) ++right;
    window.scroll_to("quiz/" + quiz.id);
    picture("question");
    window.click(fmt::format("quiz/{}/option/{}", quiz.id, right == 0 ? 1 : 0));
    CHECK(window.app->now().quizzes[0].answered);
    picture("answered-wrong");
    window.click(fmt::format("quiz/{}/option/{}", quiz.id, right));
    CHECK(window.app->now().quizzes[0].right);
    picture("answered-right");

    // TODO 1 alone, as the text asks: the verdict speaks of the grid.
    std::string text = with(workspace.solution, "(n + threads_per_block - 1) / threads_per_block", "1");
    workspace.save(with(text, "if (i < n) ", ""));
    REQUIRE(window.wait_for([&] { return window.graded() && !window.app->learner_run()->run.passed; }, 60));
    CHECK_FALSE(window.app->learner_run()->run.next_action.empty());
    window.frames(6);
    picture("failed");
    CHECK(window.app->now().quizzes[0].right);

    window.click("hint/1");
    picture("hint");

    workspace.save(workspace.solution);
    REQUIRE(window.wait_for([&] { return window.graded() && window.app->learner_run()->run.passed; }, 60));
    window.frames(6);
    picture("passed");
    CHECK(window.app->now().ticks.exercise);
    // The verdict leads to the questions that are left.
    REQUIRE(window.has("verdict/question"));
    window.click("verdict/question");
    window.frames(6);
    const float above = window.centre_of("quiz/" + window.app->now().lesson.quizzes.at(1).id).y;
    CHECK(above > window.app->marks_.at("lesson").Min.y);
    picture("led-to-a-question");

    window.click("lesson/next");
    window.frames(8);
    CHECK(window.app->now().lesson.slug == "02_grids_2d");
    REQUIRE(window.wait_for([&] { return window.graded("solution"); }, 60));
    window.frames(6);
    picture("next-lesson");
    CHECK_FALSE(window.app->learner_run());  // nothing is graded before it was begun
    if (!window.app->narrow_) CHECK(window.has("panel/" + window.app->now().lesson.panels.at(0)));
}

// The first question with one right option, clicked wrong and then right.
void answer_a_question(Driver& window) {
    const auto& quizzes = window.app->now().lesson.quizzes;
    size_t number = 0;
    while (number < quizzes.size() && quizzes[number].kind != lab::QuizKind::one) ++number;
    REQUIRE(number < quizzes.size());
    const lab::Quiz& quiz = quizzes[number];
    int right = 0;
    while (!quiz.options[size_t(right)].right) ++right;
    window.click(fmt::format("quiz/{}/option/{}", quiz.id, right == 0 ? 1 : 0));
    CHECK(window.app->now().quizzes[number].answered);
    CHECK_FALSE(window.app->now().quizzes[number].right);
    window.click(fmt::format("quiz/{}/option/{}", quiz.id, right));
    CHECK(window.app->now().quizzes[number].right);
}

}  // namespace

TEST_CASE("Every lesson is read, asked, failed, mended and passed by clicks and saves, one after the other") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    const size_t count = window.app->lessons_.size();
    REQUIRE(count >= 3);
    for (size_t i = 0; i < count; ++i) {
        const std::string slug = window.app->now().lesson.slug;
        CAPTURE(slug);
        REQUIRE(window.app->lessons_[i].lesson.slug == slug);
        const std::string file = slug + ".cu";
        const auto save = [&](const std::string& text) {
            const auto exercise = workspace.folder / "exercises" / file;
            std::ofstream(exercise.string() + ".new", std::ios::binary) << text;
            std::filesystem::rename(exercise.string() + ".new", exercise);
        };
        const std::string solution =
            lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "solutions" / file);
        answer_a_question(window);

        save(lab::cut_stub(solution, file) + "\n");
        REQUIRE(
            window.wait_for([&] { return window.graded() && !window.app->learner_run()->run.passed; }, 60));
        window.frames(6);
        CHECK_FALSE(window.app->learner_run()->run.headline.empty());
        CHECK_FALSE(window.app->learner_run()->run.next_action.empty());
        CHECK(window.pixels_like("verdict", lab::palette().bad) > 20);
        window.picture(fmt::format("lesson-{}-failed", slug));

        save(solution);
        REQUIRE(
            window.wait_for([&] { return window.graded() && window.app->learner_run()->run.passed; }, 60));
        window.frames(6);
        CHECK(window.app->now().ticks.exercise);
        CHECK(window.pixels_like("verdict", lab::palette().good) > 20);
        for (const lab::PanelSlot& slot : window.app->now().side)
            if (slot.loaded) CHECK(slot.loaded == window.app->learner_run());
        window.picture(fmt::format("lesson-{}-passed", slug));
        if (i + 1 == count) break;
        window.click("lesson/next");
        window.frames(8);
    }
}

TEST_CASE("Somebody new reads, answers wrong and right, fails, passes and goes on, at 1280 by 720") {
    play_the_first_lesson(1280, 720, 1, "new");
}

TEST_CASE("The same at twice the text size") {
    play_the_first_lesson(1280, 720, 2, "large");
}
