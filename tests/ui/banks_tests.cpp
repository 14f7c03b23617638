// Lesson 05's own panel: the 32 banks, turn by turn, and what sliding the padding shows.
#include <doctest/doctest.h>

#include "lesson_window.h"
#include "lessons/05_shared_memory/panel_banks.h"

using namespace lab::lesson_05_shared_memory;

namespace {

constexpr const char* slug = "05_shared_memory";
constexpr const char* panel = "panel/05_shared_memory";

Scene scene_of_case(const lab::RunBundle& run, const std::string& part) {
    lab::RunChoice choice;
    choice.configure({{"case", part}});
    choice.load(run);
    return scene_of(choice);
}

int most_turns(const Scene& scene, bool wrote) {
    int most = 0;
    for (const Visit& visit : scene.visits)
        if (visit.access.wrote == wrote) most = std::max(most, visit.turns);
    return most;
}

// The run of the sliders as they stand, once it is shown.
Scene tried(lab::App& app, Driver& window) {
    const auto settled = [&] {
        const lab::RunPtr run = app.try_.shown;
        return run && window.graded("try") && run == app.grader_.run_of(slug, "try");
    };
    REQUIRE(window.wait_for(settled));
    return scene_of_case(*app.try_.shown, "");
}

}  // namespace

TEST_CASE("a padded tile is read and written in one turn, and the panel says by which rule") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    REQUIRE(lesson.window.app->learner_run()->run.passed);
    const Scene scene = scene_of_case(*lesson.window.app->learner_run(), "four whole tiles");
    REQUIRE(scene.visits.size() == 256);
    CHECK(scene.pitch == 33);
    CHECK(most_turns(scene, true) == 1);
    CHECK(most_turns(scene, false) == 1);
    const Visit& read = scene.visits[33];
    CHECK(sentence_of(read, "0") == "Warp 1 of block 0 reads at line " + std::to_string(read.access.line) +
                                        ". 32 words, in 32 banks: 1 turn.");
    CHECK(rule_of(read) == "Lane k reads word 1 + 33 k, in bank (1 + k) mod 32.");
    CHECK(rule_of(scene.visits[1]) == "Lane k writes word 33 + k, in bank (1 + k) mod 32.");
}

TEST_CASE("without padding a column stands in line at one bank, lane behind lane") {
    LessonWindow lesson(slug, panel, changed(solution_of(slug), "[tile_side + 1]", "[tile_side]"));
    REQUIRE_FALSE(lesson.window.app->learner_run()->run.passed);
    const Scene scene = scene_of_case(*lesson.window.app->learner_run(), "four whole tiles");
    REQUIRE(scene.visits.size() == 256);
    CHECK(scene.padding() == 0);
    CHECK(most_turns(scene, true) == 1);
    const Visit& read = scene.visits[33];
    CHECK(read.turns == 32);
    CHECK(rule_of(read) == "Lane k reads word 1 + 32 k: always in bank 1.");
    CHECK(read.served(1, 5) == std::vector<int>{5});
    CHECK(read.served(0, 5).empty());
    CHECK(sentence_of(read, "0").find("32 words, all in bank 1: 32 turns.") != std::string::npos);
    // The mouse on a bank points at the lane in every panel.
    const ImRect at = lesson.window.app->marks_.at(panel);
    bool pointed = false;
    for (float y = 0.1f; y < 0.9f && !pointed; y += 0.02f)
        for (float x = 0.03f; x < 0.6f && !pointed; x += 0.03f) {
            lesson.window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            pointed = lesson.window.app->cursor_.has_thread();
        }
    CHECK(pointed);
    lesson.window.picture("banks_conflict");
}

TEST_CASE("sliding the padding runs the learner's kernel, and the table keeps what it showed") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    lab::App& app = *lesson.window.app;
    lesson.window.drag("try/side", 0.5f, 1.0f);
    PaddingTable table;
    CHECK(table.note(tried(app, lesson.window)));
    CHECK(table.last() == 1);
    lesson.window.drag("try/padding", 0.12f, 0.0f);
    CHECK(table.note(tried(app, lesson.window)));
    REQUIRE(table.turns().contains(0));
    CHECK(table.turns().at(0) == 32);
    CHECK(table.turns().at(1) == 1);
    lesson.window.drag("try/padding", 0.0f, 1.0f);
    CHECK(table.note(tried(app, lesson.window)));
    CHECK(table.turns().at(8) == 8);
    lesson.window.picture("banks_tries");
}
