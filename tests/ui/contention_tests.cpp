// Lesson 12's own panel: who comes to which counter, and who wins a compare-and-swap, in runs of the real machine.
#include <doctest/doctest.h>

#include "app/panels/run_choice.h"
#include "lesson_window.h"
#include "lessons/12_atomics/panel_arrivals.h"

namespace {

using lab::lesson_12_atomics::Scene;

constexpr const char* slug = "12_atomics";
constexpr const char* panel = "panel/12_atomics";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    int case_of(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i)
            if (cases[i].name.find(part) != std::string::npos) return int(i);
        return -1;
    }
    // Goes down the panel, a little to the right of its left edge, until the mouse is on a lane.
    bool point_at_a_lane() {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.1f; y < 0.98f; y += 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * 0.05f, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
};

}  // namespace

TEST_CASE(
    "Contention: every letter of the text is an arrival at its counter, and the trips are the machine's") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const std::vector<Scene> scenes =
        lab::lesson_12_atomics::scenes_of(shown.bundle(), shown.case_of("both ways"));
    REQUIRE(scenes.size() == 2);
    CHECK(scenes[0].shared_additions == 0);
    CHECK(scenes[1].shared_additions == scenes[0].global_additions);
    CHECK(scenes[1].global_additions == 2 * 26);
    CHECK(scenes[1].trips() < scenes[0].trips() / 4);
    const std::array<int, 26> all =
        lab::lesson_12_atomics::additions_until(scenes[0], scenes[0].arrivals.size() - 1);
    int sum = 0;
    for (const int count : all) sum += count;
    CHECK(sum == scenes[0].global_additions);
    CHECK(all[4] > all[25]);  // e and z

    REQUIRE(shown.point_at_a_lane());
    const lab::Cursor under = shown.window.app->cursor_;
    CHECK(under.run == shown.bundle().id);
    CHECK(under.line > 0);
    bool found = false;
    for (const auto& arrival : scenes[0].arrivals)
        found = found || (arrival.block == under.block && arrival.warp == under.warp &&
                          int(arrival.step) == under.step && arrival.line == under.line);
    CHECK(found);
    shown.window.picture("contention-1-lane");

    for (const bool down : {true, false}) {  // holds the lane, and gives the panel the keys
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_RightArrow);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.move_to({0, 0});
    REQUIRE(shown.point_at_a_lane());
    const lab::Cursor next = shown.window.app->cursor_;
    CHECK((next.warp != under.warp || next.block != under.block || next.step != under.step));
}

TEST_CASE("Contention: a plain increment is shown as arrivals that overwrite each other, in red") {
    Shown shown(changed(solution_of(slug), "atomicAdd(&d_bins[letter], 1u);", "d_bins[letter]++;"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<Scene> scenes =
        lab::lesson_12_atomics::scenes_of(shown.bundle(), shown.case_of("banana"));
    REQUIRE(scenes.size() == 1);
    REQUIRE(scenes[0].arrivals.size() == 1);
    CHECK_FALSE(scenes[0].arrivals[0].atomic);
    CHECK(scenes[0].arrivals[0].crowd == 3);
    CHECK(scenes[0].arrivals[0].crowded == 0);
    CHECK(shown.window.pixels_like(panel, lab::palette().bad) > 200);
    shown.window.picture("contention-2-plain");
}

TEST_CASE(
    "Contention: each round of compare-and-swap shows who got in, and a round without a winner has none") {
    Shown shown(changed(solution_of(slug), "float lowest = -INFINITY;", "float lowest = 0;"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<Scene> scenes =
        lab::lesson_12_atomics::scenes_of(shown.bundle(), shown.case_of("ascending order"));
    REQUIRE(scenes.size() == 1);
    REQUIRE(scenes[0].warps.size() == 1);
    const auto& rounds = scenes[0].warps[0].rounds;
    REQUIRE(rounds.size() >= 32);
    for (size_t i = 0; i < 32; ++i) {
        CHECK(rounds[i].shared);
        CHECK(__builtin_popcount(rounds[i].won) == 1);
        CHECK(__builtin_popcount(rounds[i].mask) == 32 - int(i));
        CHECK((rounds[i].won & ~rounds[i].mask) == 0);
    }
    // Shown is the case that failed: its numbers lie below zero.
    CHECK(shown.window.pixels_like(panel, lab::palette().good) > 20);
    REQUIRE(shown.point_at_a_lane());
    CHECK(shown.window.app->cursor_.warp == 0);
    shown.window.picture("contention-3-rounds");
}

TEST_CASE("Contention: a lesson asks for a launch by its number or by its kernel's name") {
    const Shown shown(solution_of(slug));
    const auto shown_first = [&](const std::string& launch) {
        lab::RunChoice choice;
        choice.configure({{"case", "both ways"}, {"launch", launch}});
        choice.load(shown.bundle());
        REQUIRE(choice.kernel());
        return choice.kernel()->name;
    };
    CHECK(shown_first("1") == "count_kernel");
    CHECK(shown_first("2") == "count_shared_kernel");
    CHECK(shown_first("shared") == "count_shared_kernel");
    CHECK(shown_first("3") == "count_kernel");  // there is none: the first
    CHECK(shown_first("scan") == "count_kernel");
}
