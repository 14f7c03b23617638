// Lesson 14's own panel: tiles, those who were in a branch, and the grid at its barriers, in runs of the real machine.
#include <doctest/doctest.h>

#include "app/panels/access_index.h"
#include "lesson_window.h"
#include "lessons/14_cooperative_groups/panel_groups.h"

namespace {

using namespace lab::lesson_14_cooperative_groups;
using simt::trace::WarpOperation;

constexpr const char* slug = "14_cooperative_groups";
constexpr const char* panel = "panel/14_cooperative_groups";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    GridGroups groups(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i)
            if (cases[i].name.find(part) != std::string::npos)
                for (const lab::Kernel* kernel : lab::kernels_of(bundle().run, int(i)))
                    return groups_of(bundle(), int(i), *kernel);
        return {};
    }
    void click() {
        for (const bool down : {true, false}) {
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            window.frames(2);
        }
    }
    // Goes up the panel, a part of its width from its left edge, until the mouse is on a thread.
    bool point_at_a_thread(float x = 0.3f) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.98f; y > 0.05f; y -= 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
};

}  // namespace

TEST_CASE("Groups: tiles of 8 meet three times, with ranks from 0 to 7") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const GridGroups grid = shown.groups("Tiles of 8");
    CHECK(grid.barriers == 0);
    CHECK(grid.threads == 128);
    REQUIRE(grid.blocks.size() == 1);
    const std::vector<Meeting>& meetings = grid.blocks[0].meetings;
    REQUIRE(meetings.size() == 3);
    for (int i = 0; i < 3; ++i) {
        const Meeting& meeting = meetings[size_t(i)];
        CHECK(name_of(meeting) == "shfl_down by " + std::to_string(4 >> i));
        CHECK(sizes_of(meeting) == "16 groups of 8");
        REQUIRE(meeting.of(1, 13) != nullptr);
        CHECK(meeting.of(1, 13)->rank(13) == 5);
        CHECK(meeting.of(1, 13)->named == 0xff00u);
        CHECK(meeting.of(1, 13)->came == 0xff00u);
    }
    shown.window.picture("groups-1-tiles");
    REQUIRE(shown.point_at_a_thread());
    CHECK(shown.window.app->cursor_.line == meetings[0].line);
    shown.window.picture("groups-2-hover");
}

TEST_CASE("Groups: those in a branch have ranks without gaps, though they do not lie side by side") {
    Shown shown(solution_of(slug));
    const GridGroups grid = shown.groups("Peaks: 12 cells");
    REQUIRE(grid.blocks.size() == 1);
    REQUIRE(grid.blocks[0].meetings.size() == 1);
    const Meeting& meeting = grid.blocks[0].meetings[0];
    CHECK(meeting.operation == WarpOperation::shuffle_index);
    REQUIRE(meeting.groups.size() == 1);
    CHECK(meeting.groups[0].named == 0b010010011001u);
    CHECK(sizes_of(meeting) == "1 group of 5, not all side by side");
    CHECK(meeting.of(0, 7)->rank(7) == 3);
    CHECK(meeting.of(0, 5) == nullptr);
}

TEST_CASE("Groups: the grid meets twice a round, and a block that has less to do comes first") {
    Shown shown(solution_of(slug));
    const GridGroups grid = shown.groups("Sand: 200 grains");
    CHECK(grid.barriers == 36);
    CHECK(grid.only_grid_barriers());
    REQUIRE(grid.blocks.size() == 5);
    CHECK(grid.phases() == 37);
    for (const BlockGroups& block : grid.blocks)
        CHECK(block.work[0] == grid.most_work(0));  // also that of 15 cells
    // The last round topples nothing, so that nobody counts.
    CHECK(grid.most_work(35) == grid.blocks[2].work[35]);
    // In the second step of the first round, four cells topple: one of block 1, three of block 2. Those two count.
    CHECK(grid.last_at(1) == 1);
    CHECK(grid.blocks[2].work[1] == grid.blocks[1].work[1]);
    CHECK(grid.blocks[2].work[1] > grid.blocks[0].work[1]);
    CHECK(grid.first_at(1) == 0);
    for (const Meeting& meeting : grid.blocks[2].meetings) CHECK(sizes_of(meeting) == "1 group of 32");
}

TEST_CASE("Groups: threads of a tile that did not come are marked, and the barrier's slider moves") {
    const std::string guarded =
        changed(solution_of(slug),
                "int sum = tile_sum(tile, i < n ? d_in[i] : 0);\n    if (tile.thread_rank() == 0 && i < n) "
                "d_sums[i / size] = sum;",
                "if (i < n) {\n        int sum = tile_sum(tile, d_in[i]);\n        if (tile.thread_rank() "
                "== 0) d_sums[i / size] = sum;\n    }");
    Shown shown(guarded);
    CHECK_FALSE(shown.bundle().run.passed);
    const GridGroups grid = shown.groups("Tiles that the array does not fill");
    REQUIRE(!grid.blocks.empty());
    REQUIRE(!grid.blocks[0].meetings.empty());
    const Group& alone = grid.blocks[0].meetings[0].groups[0];
    CHECK(alone.named == 0xffu);
    CHECK(alone.came == 1u);
    CHECK(shown.window.pixels_like(panel, lab::palette().bad) > 20);  // the hatching
    shown.window.picture("groups-3-missing");
}

TEST_CASE(
    "Groups: a click on a row of the grid shows that block, and its barriers are gone through by keys") {
    // Right but for the count, in the first case whose blocks have several warps.
    Shown shown(changed(solution_of(slug), "if (warp.thread_rank() == 0 && toppled > 0)",
                        "if (cg::this_thread_block().thread_rank() == 0 && toppled > 0)"));
    CHECK_FALSE(shown.bundle().run.passed);
    const GridGroups grid = shown.groups("stopped after 3 rounds");
    CHECK(grid.barriers == 6);
    REQUIRE(grid.blocks.size() == 5);
    REQUIRE(shown.point_at_a_thread());
    const ImVec2 thread = ImGui::GetIO().MousePos;
    CHECK(shown.window.app->cursor_.block == 0);
    shown.click();  // the panel has the keys now
    CHECK(shown.window.app->cursor_.pinned);
    shown.click();
    shown.window.press(ImGuiKey_DownArrow);
    shown.window.move_to({thread.x + 1, thread.y});
    CHECK(shown.window.app->cursor_.block == 1);
    shown.window.press(ImGuiKey_Period);
    shown.window.picture("groups-4-grid");
    bool shows_the_third = false;
    for (float up = 60; up < 400 && !shows_the_third; up += 8) {  // the rows lie above the threads
        shown.window.move_to({thread.x, thread.y - up});
        shown.click();
        shown.window.move_to(thread);
        shows_the_third = shown.window.app->cursor_.block == 3;
    }
    CHECK(shows_the_third);
    shown.window.picture("groups-5-clicked");
}
