// Lesson 16's own panel: who adds what to what, who idles, and whose work nobody uses, in runs of the real machine.
#include <doctest/doctest.h>

#include <algorithm>

#include "lesson_window.h"
#include "lessons/16_reduction/panel_tree.h"

namespace {

using namespace lab::lesson_16_reduction;

constexpr const char* slug = "16_reduction";
constexpr const char* panel = "panel/16_reduction";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    // The trees of the first launch of the first case whose name has `part`.
    std::vector<BlockTree> trees(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i) {
            if (cases[i].name.find(part) == std::string::npos) continue;
            for (const lab::Kernel& kernel : bundle().run.kernels)
                if (kernel.case_index == int(i)) return trees_of(bundle(), int(i), kernel);
        }
        return {};
    }
    // Goes down the panel, a part of its width from its left edge, until the mouse is on a thread.
    bool point_at_a_thread(float x = 0.05f) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.1f; y < 0.98f; y += 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
};

int count(const Row& row, Part part) {
    return int(std::count(row.parts.begin(), row.parts.end(), part));
}

}  // namespace

TEST_CASE("Tree: the rounds of a block in shared memory, interleaved, packed and sequential") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const char* parts[] = {"Given, interleaved", "Given, packed", "Step 1, sequential: 1 to 128"};
    for (const char* part : parts) {
        CAPTURE(part);
        const std::vector<BlockTree> trees = shown.trees(part);
        REQUIRE(trees.size() == 1);
        const std::vector<Row>& rows = trees[0].rows;
        REQUIRE(rows.size() == 9);  // the load, seven rounds, the atomic
        CHECK(rows[0].round == Round::loads);
        CHECK(rows[8].round == Round::result);
        for (size_t r = 1; r < 8; ++r) {
            CHECK(rows[r].round == Round::shared);
            CHECK(rows[r].at_work() == 128 >> r);
            CHECK(count(rows[r], Part::counts) == 128 >> r);
            CHECK(rows[r].holds[0] == 1 << r);
            CHECK(rows[r].line > 0);
        }
        CHECK(trees[0].in_result() == 128);
    }
    const Row interleaved = shown.trees(parts[0])[0].rows[3], packed = shown.trees(parts[1])[0].rows[3],
              sequential = shown.trees(parts[2])[0].rows[3];
    CHECK(interleaved.warps_at_work() == 4);
    CHECK(packed.warps_at_work() == 1);
    CHECK(sequential.warps_at_work() == 1);
    CHECK(interleaved.parts[8] == Part::counts);
    CHECK(interleaved.parts[1] == Part::idle);
    CHECK(interleaved.distance() == 4);
    CHECK(sequential.distance() == 16);
    CHECK(name_of(sequential) == "add, 16 apart");
    CHECK(name_of(packed) == "add");
}

TEST_CASE("Tree: shuffles make no grey, and half of their work is for nothing") {
    Shown shown(solution_of(slug));
    const std::vector<BlockTree> trees = shown.trees("Step 3, shuffled: 1 to 256");
    REQUIRE(trees.size() == 1);
    const std::vector<Row>& rows = trees[0].rows;
    REQUIRE(rows.size() == 13);  // the load, five shuffles, the sums of the warps, five shuffles, the atomic
    CHECK(rows[0].holds[127] == 2);
    CHECK(rows[1].round == Round::shuffle);
    CHECK(rows[1].distance() == 16);
    CHECK(rows[1].at_work() == 128);
    CHECK(count(rows[1], Part::counts) == 64);
    CHECK(count(rows[5], Part::counts) == 4);  // lane 0 of each warp
    CHECK(rows[6].round == Round::shared);
    CHECK(rows[6].at_work() == 4);
    CHECK(name_of(rows[6]) == "shared memory");
    CHECK(name_of(rows[7]) == "shuffle, 16 apart");  // though there is nothing to get for four lanes
    CHECK(rows[6].holds[3] == 64);
    CHECK(rows[11].holds[0] == 256);
    CHECK(trees[0].in_result() == 256);
}

TEST_CASE(
    "Tree: a grid-stride block has all of its numbers in its leaves, and all blocks together have all") {
    Shown shown(solution_of(slug));
    const std::vector<BlockTree> trees = shown.trees("4096 numbers and 3 blocks");
    REQUIRE(trees.size() == 3);
    int64_t all = 0;
    for (const BlockTree& tree : trees) all += tree.in_result();
    CHECK(all == 4096);
}

TEST_CASE("Tree: a step that is missing leaves numbers behind") {
    Shown shown(changed(solution_of(slug), "for (int s = blockDim.x / 2; s > 0; s /= 2)",
                        "for (int s = blockDim.x / 2; s > 1; s /= 2)"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<BlockTree> trees = shown.trees("Step 1, sequential: 1 to 128");
    REQUIRE(trees.size() == 1);
    CHECK(trees[0].in_result() == 64);
    CHECK(count(trees[0].rows[6], Part::works) == 1);  // thread 1 adds, and nobody uses it
}

TEST_CASE("Tree: a sum that a thread carries on in its register counts its own numbers, too") {
    Shown shown(changed(changed(solution_of(slug), "    int t = threadIdx.x;\n    //",
                                "    int t = threadIdx.x;\n    int mine = part[t];\n    //"),
                        "if (t < s) part[t] += part[t + s];", "if (t < s) part[t] = mine += part[t + s];"));
    REQUIRE(shown.bundle().run.passed);
    const std::vector<BlockTree> trees = shown.trees("Step 1, sequential: 1 to 128");
    REQUIRE(trees.size() == 1);
    CHECK(trees[0].in_result() == 128);
}

TEST_CASE("Tree: keys walk through rows, and pointing at a box points at its thread and line everywhere") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.point_at_a_thread());
    const lab::Cursor under = shown.window.app->cursor_;
    CHECK(under.run == shown.bundle().id);
    CHECK(under.block == 0);
    CHECK(under.warp == 0);
    CHECK(under.line > 0);
    shown.window.picture("tree-1-hover");
    for (const bool down : {true, false}) {  // the keys go to where the mouse was last pressed
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.move_to({0, 0});
    const int drawn = shown.window.pixels_like(panel, lab::palette().accent);
    CHECK(drawn > 100);
    for (int i = 0; i < 5; ++i) shown.window.press(ImGuiKey_LeftArrow);
    CHECK(shown.window.pixels_like(panel, lab::palette().accent) < drawn);  // later rows fade
    shown.window.picture("tree-2-step");
    shown.window.press(ImGuiKey_Equal);  // to one warp: 32 threads in the room of 128
    shown.window.press(ImGuiKey_Equal);
    REQUIRE(shown.point_at_a_thread());
    CHECK(shown.window.app->cursor_.warp == 1);
    shown.window.picture("tree-3-warp");
}
