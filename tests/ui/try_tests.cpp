// The sliders above the panels.
#include <doctest/doctest.h>

#include "app/panels/access_index.h"
#include "driver.h"

namespace {

const lab::Kernel* shown_kernel(const Driver& window) {
    const lab::RunPtr loaded = window.app->now().side.at(0).loaded;
    return loaded && !loaded->run.kernels.empty() ? &loaded->run.kernels.front() : nullptr;
}

bool tried(const Driver& window) {
    return window.graded("try") &&
           window.app->try_.shown == window.app->grader_.run_of("01_hello_threads", "try");
}

}  // namespace

TEST_CASE("Dragging a slider runs the learner's kernel at that size, and every panel shows that run") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000);
    workspace.save(workspace.solution);
    REQUIRE(window.wait_for([&] { return window.graded() && window.app->learner_run()->run.passed; }));
    window.frames(6);
    const lab::RunPtr graded = window.app->learner_run();
    CHECK(window.app->now().side.at(0).loaded == graded);
    REQUIRE(window.has("try/n"));

    window.drag("try/n", 0.02f, 0.5f);
    CHECK(window.app->try_.active);
    const int n = window.app->try_.wanted.settings.at("n");
    CHECK(n > 500);
    REQUIRE(window.wait_for(
        [&] { return tried(window) && shown_kernel(window)->grid.x == unsigned(n + 3) / 4; }));
    CHECK(window.app->now().side.at(0).loaded->origin == "try");
    CHECK(window.has("try/headline"));
    CHECK(window.app->learner_run() == graded);
    CHECK_FALSE(window.app->progress_.of(window.app->now().lesson).attempts > 1);
    window.picture("try-1-dragged");

    // A grid that is too small for the elements: the finding that the learner's own program never had.
    window.drag("try/grid_x", 0.02f, 0.3f);
    const unsigned blocks = window.app->try_.wanted.grid[0];
    CHECK(blocks > 0);
    REQUIRE(window.wait_for([&] {
        return tried(window) && shown_kernel(window)->asked_grid && shown_kernel(window)->grid.x == blocks;
    }));
    CHECK_FALSE(window.app->try_.shown->run.passed);
    CHECK(window.has("try/finding"));
    CHECK(window.pixels_like("panel/thread_map", lab::palette().bad) > 5);
    window.picture("try-2-grid");

    window.click("try/back");
    window.frames(4);
    CHECK_FALSE(window.app->try_.active);
    CHECK(window.app->now().side.at(0).loaded == graded);
}

TEST_CASE("While a try runs the old picture stays, and of many moves the last one counts") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000);
    REQUIRE(window.wait_for([&] { return window.graded("solution"); }));
    window.frames(6);
    REQUIRE(shown_kernel(window));
    for (int n = 11; n < 60; ++n) {
        window.app->try_.wanted.settings["n"] = n;
        window.app->start_try();
        window.frames(1);
        REQUIRE(shown_kernel(window));
        CHECK(window.app->now().side.at(0).loaded);
    }
    CHECK(window.app->try_.solution);
    REQUIRE(window.wait_for([&] { return tried(window) && shown_kernel(window)->grid.x == 15; }));
    CHECK(window.app->now().side.at(0).notice.find("solution") != std::string::npos);
}

TEST_CASE("The sliders are reached and moved by keys alone") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000);
    REQUIRE(window.wait_for([&] { return window.graded("solution"); }));
    window.frames(6);
    window.press(ImGuiMod_Ctrl | ImGuiKey_T);
    window.frames(6);
    window.press(ImGuiKey_Space);
    const auto before = window.app->try_.wanted;
    for (int i = 0; i < 3; ++i) window.press(ImGuiKey_RightArrow);
    CHECK(window.app->try_.active);
    CHECK(before != window.app->try_.wanted);
}
