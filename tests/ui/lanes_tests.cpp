// Lesson 13's own panel: who hands what to whom, who did not come, and which lanes work, in runs of the real machine.
#include <doctest/doctest.h>

#include "lesson_window.h"
#include "lessons/13_warp_intrinsics/panel_lanes.h"

namespace {

using namespace lab::lesson_13_warp_intrinsics;
using simt::trace::WarpOperation;

constexpr const char* slug = "13_warp_intrinsics";
constexpr const char* panel = "panel/13_warp_intrinsics";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    std::vector<Scene> scenes(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i)
            if (cases[i].name.find(part) != std::string::npos) return scenes_of(bundle(), int(i));
        return {};
    }
    // Goes down the panel, a part of its width from its left edge, until the mouse is on a lane.
    bool point_at_a_lane(float x = 0.05f) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.1f; y < 0.98f; y += 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
    void click() {
        for (const bool down : {true, false}) {
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            window.frames(2);
        }
    }
};

}  // namespace

TEST_CASE("Lanes: the five steps of a sum, with the lane that each asked and what it got") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const std::vector<Scene> scenes = shown.scenes("528");
    REQUIRE(scenes.size() == 1);
    REQUIRE(!scenes[0].warps.empty());
    const std::vector<Exchange>& steps = scenes[0].warps[0].exchanges;
    REQUIRE(steps.size() == 5);
    for (int i = 0; i < 5; ++i) {
        const Exchange& step = steps[size_t(i)];
        const int distance = 16 >> i;
        CHECK(step.operation == WarpOperation::shuffle_down);
        CHECK(name_of(step) == "__shfl_down_sync by " + std::to_string(distance));
        CHECK(step.came == ~0u);
        CHECK(step.asked == ~0u);
        CHECK(step.source[0] == distance);
        CHECK(step.source[31] == 31);  // nobody beyond
        CHECK(step.result[0] == step.value[size_t(distance)]);
    }
    CHECK(number_of(steps[0].value[31]) == 32);
    CHECK(number_of(steps[4].value[0]) + number_of(steps[4].result[0]) == 528);
    const ImU32 ink = lab::mix(lab::palette().surface, lab::palette().accent, 0.75f);  // as they are drawn
    CHECK(shown.window.pixels_like(panel, ink) > 100);
    shown.window.picture("lanes-1-shuffle");

    REQUIRE(shown.point_at_a_lane());
    const lab::Cursor under = shown.window.app->cursor_;
    CHECK(under.run == shown.bundle().id);
    CHECK(under.line == steps[0].line);
    CHECK(under.warp == 0);
    shown.window.picture("lanes-2-hover");
    shown.click();
    CHECK(shown.window.app->cursor_.pinned);
    const int arrows = shown.window.pixels_like(panel, lab::palette().accent);
    shown.window.press(ImGuiKey_RightArrow);
    shown.window.press(ImGuiKey_RightArrow);
    CHECK(shown.window.pixels_like(panel, lab::palette().accent) != arrows);  // other arrows
    shown.window.picture("lanes-3-step");
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.move_to({0, 0});
    shown.window.press(ImGuiKey_DownArrow);  // the next warp
    REQUIRE(shown.point_at_a_lane());
    CHECK(shown.window.app->cursor_.warp == 1);
}

TEST_CASE("Lanes: a ballot has its bits and ranks, and the broadcast behind it asks lane 0") {
    Shown shown(solution_of(slug));
    const std::vector<Scene> scenes = shown.scenes("Eight numbers");
    REQUIRE(scenes.size() == 1);
    const std::vector<Exchange>& steps = scenes[0].warps[0].exchanges;
    REQUIRE(steps.size() == 2);
    const Exchange &vote = steps[0], &told = steps[1];
    REQUIRE(vote.is_ballot());
    CHECK(vote.ballot() == 0b10110101u);
    CHECK(vote.rank(0) == 0);
    CHECK(vote.rank(5) == 3);
    CHECK(vote.rank(7) == 4);
    CHECK(told.operation == WarpOperation::shuffle_index);
    for (const int source : told.source) CHECK(source == 0);
    // The vote comes after the load, the broadcast after the atomic.
    CHECK(vote.step == 1);
    CHECK(told.step == 2);
}

TEST_CASE("Lanes: those that the mask names and that left are missed, and who asks them is marked") {
    Shown shown(changed(solution_of(slug), "int sum = i < n ? d_in[i] : 0;",
                        "if (i >= n) return; int sum = d_in[i];"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<Scene> scenes = shown.scenes("Three numbers");
    REQUIRE(scenes.size() == 1);
    REQUIRE(!scenes[0].warps.empty());
    const Exchange& step = scenes[0].warps[0].exchanges.at(0);
    CHECK(step.came == 7u);
    CHECK(step.is_missed(3));
    CHECK_FALSE(step.is_missed(2));
    CHECK(step.asks_absent(0));
    CHECK(shown.window.pixels_like(panel, lab::palette().bad) > 100);
    shown.window.picture("lanes-4-missed");
}

TEST_CASE("Lanes: a branch that splits its warps shows half of the lanes at work in each row") {
    const std::string divided = changed(
        changed(solution_of(slug), "int sensor = warp % 2;", "int sensor = i % 2;"),
        "int mine = warp / 2 * 2 * warpSize + 2 * lane + sensor;", "int mine = warp * warpSize + lane;");
    Shown shown(divided);
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<Scene> scenes = shown.scenes("64 readings");
    REQUIRE(scenes.size() == 1);
    CHECK_FALSE(scenes[0].talks());
    CHECK(scenes[0].metric("divergent_branches") == 2);
    REQUIRE(scenes[0].warps.size() == 2);
    for (const WarpTalk& warp : scenes[0].warps) {
        CHECK(warp.instructions.size() == 14);
        for (const Instruction& instruction : warp.instructions)
            CHECK((instruction.mask == 0x55555555u || instruction.mask == 0xaaaaaaaau));
    }
    REQUIRE(shown.point_at_a_lane());  // the first case that failed is shown
    CHECK(shown.window.app->cursor_.line > 0);
    shown.window.picture("lanes-5-divided");
}
