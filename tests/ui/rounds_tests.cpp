// Lesson 03's own panel: who takes which element in which round, and how many blocks the card holds at once.
#include <doctest/doctest.h>

#include <fstream>

#include "driver.h"
#include "lessons/03_grid_stride/panel_look.h"

using namespace lab::lesson_03_grid_stride;

namespace {

constexpr const char* slug = "03_grid_stride";
constexpr const char* panel_mark = "panel/03_grid_stride";

std::string solution_of_03() {
    return lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "solutions" / "03_grid_stride.cu");
}

// Opens the lesson with this text in the exercise, grades it, and brings the panel forward.
void open_03(Driver& window, const Workspace& workspace, const std::string& text) {
    std::ofstream(workspace.folder / "exercises" / "03_grid_stride.cu", std::ios::binary) << text;
    for (size_t i = 0; i < window.app->lessons_.size(); ++i)
        if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
    REQUIRE(window.app->now().lesson.slug == slug);
    window.frames(8);
    window.app->grade();
    REQUIRE(window.wait_for([&] { return window.graded(); }));
    window.frames(6);
    REQUIRE(window.has(panel_mark));
}

// Goes over the panel, from above or from below, until `found` holds.
bool sweep(Driver& window, bool upwards, const std::function<bool()>& found) {
    const ImRect panel = window.app->marks_.at(panel_mark);
    for (int i = 1; i < 40; ++i)
        for (float x = 0.25f; x < 0.9f; x += 0.13f) {
            const float y = float(upwards ? 40 - i : i) / 40;
            window.move_to({panel.Min.x + panel.GetWidth() * x, panel.Min.y + panel.GetHeight() * y});
            if (found()) return true;
        }
    return false;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
}

lab::Kernel launch_on(double sms, double places, unsigned blocks) {
    lab::Kernel kernel;
    kernel.status = "ok";
    kernel.grid = {blocks};
    kernel.block = {256};
    kernel.metrics = {{"sm_count", sms},
                      {"occupancy_limit_warps", places},
                      {"occupancy_limit_blocks", 16},
                      {"occupancy_limit_registers", 16},
                      {"occupancy_limit_shared_mem", 32}};
    return kernel;
}

}  // namespace

TEST_CASE("An element under the mouse names its thread, and an SM its block; a click holds them") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_03(window, workspace, solution_of_03());
    REQUIRE(window.app->learner_run()->run.passed);
    const lab::Cursor& cursor = window.app->cursor_;
    REQUIRE(sweep(window, false, [&] { return cursor.has_element() && cursor.element >= 12; }));
    // Three blocks of four: the thread of an element follows from its column.
    CHECK(cursor.has_thread());
    CHECK(cursor.element % 12 == cursor.block * 4 + cursor.lane);
    CHECK(cursor.run == window.app->learner_run()->id);
    CHECK(cursor.line > 0);
    CHECK(window.pixels_like(panel_mark, lab::palette().wrote) > 10);  // its other rounds
    window.picture("rounds-1-hover");

    const int64_t element = cursor.element;
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    window.frames(2);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    window.frames(4);
    CHECK(cursor.pinned);
    window.press(ImGuiKey_UpArrow);
    CHECK(cursor.element == element - 12);
    CHECK(cursor.element % 12 == cursor.block * 4 + cursor.lane);
    window.press(ImGuiKey_Escape);

    REQUIRE(sweep(window, true, [&] { return cursor.block >= 0 && !cursor.has_element(); }));
    CHECK(cursor.block < 3);
    CHECK(cursor.lane == 0);
    window.picture("rounds-2-sm");
}

TEST_CASE("Sliding blocks and threads shows other rounds, more waves, and a right result all the way") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_03(window, workspace, solution_of_03());
    REQUIRE(window.has("try/blocks"));
    window.drag("try/block", 0.3f, 0.99f);
    window.drag("try/blocks", 0.1f, 0.99f);
    const auto& wanted = window.app->try_.wanted.settings;
    REQUIRE(wanted.at("block") == 1024);
    REQUIRE(wanted.at("blocks") == 1000);
    const auto shown = [&]() -> const lab::Kernel* {
        const lab::RunPtr run = window.app->try_.shown;
        const bool is_it = run && window.graded("try") && run == window.app->grader_.run_of(slug, "try");
        return is_it && !run->run.kernels.empty() ? &run->run.kernels.front() : nullptr;
    };
    REQUIRE(window.wait_for([&] { return shown() && shown()->grid.x == 1000 && shown()->block.x == 1024; }));
    CHECK(window.app->try_.shown->run.passed);
    const Waves waves = waves_of(*shown());
    CHECK(text_of(waves) == "132 SMs × 2 blocks = 264 at once");
    CHECK(verdict_of(waves) == "3 full waves, then a tail with 208 of 264 places taken.");
    window.frames(4);
    CHECK(window.pixels_like(panel_mark, lab::palette().accent) > 500);  // full SMs
    window.picture("rounds-3-waves");
}

TEST_CASE("Elements that several threads took, or none, are red and counted") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    const std::string right = "size_t stride = size_t(gridDim.x) * blockDim.x;";
    open_03(window, workspace, changed(solution_of_03(), right, "size_t stride = blockDim.x;"));
    const auto summary = [&] { return summary_of(shares_of(*window.app->learner_run(), 0, 0)); };
    CHECK(summary().text == "36 elements were taken more than once, up to 3 times.");
    CHECK_FALSE(summary().good);
    CHECK(window.pixels_like(panel_mark, lab::palette().bad) > 50);
    window.picture("rounds-4-twice");

    open_03(window, workspace, changed(solution_of_03(), right, "size_t stride = 13;"));
    CHECK(summary().text == "3 elements were taken by nobody.");
    open_03(window, workspace, solution_of_03());
    CHECK(summary().text == "Every element once. The busiest thread took 4.");
    CHECK(summary().good);
}

TEST_CASE("A launch's waves follow from the card that it ran on") {
    const Waves two_and_a_tail = waves_of(launch_on(40, 4, 391));
    CHECK(two_and_a_tail.at_once() == 160);
    CHECK(two_and_a_tail.count() == 3);
    CHECK(two_and_a_tail.blocks_in(2) == 71);
    CHECK(two_and_a_tail.held_by(30, 2) == 2);
    CHECK(two_and_a_tail.held_by(31, 2) == 1);
    CHECK(two_and_a_tail.blocks_on(31, 1) == std::vector<int64_t>{191, 231, 271, 311});
    CHECK(two_and_a_tail.limit == "threads");
    CHECK(verdict_of(two_and_a_tail) == "2 full waves, then a tail with 71 of 160 places taken.");
    CHECK(verdict_of(waves_of(launch_on(40, 4, 160))) == "One wave, and the card is full.");
    CHECK(verdict_of(waves_of(launch_on(40, 4, 320))) == "2 full waves.");
    CHECK(verdict_of(waves_of(launch_on(40, 4, 1))) == "One wave: 1 of 160 places taken.");
    CHECK(waves_of(launch_on(40, 32, 1)).limit == "places for blocks");
    lab::Kernel refused = launch_on(40, 4, 160);
    refused.status = "refused";
    CHECK(waves_of(refused).at_once() == 0);
    CHECK(waves_of(lab::Kernel{}).at_once() == 0);
}
