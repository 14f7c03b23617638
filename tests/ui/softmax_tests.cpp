// Lesson 19's own panel: what the lanes of a warp know of a row, in runs of the real machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lesson_window.h"
#include "lessons/19_softmax/panel_rows.h"

namespace {

using namespace lab::lesson_19_softmax;

constexpr const char* slug = "19_softmax";
constexpr const char* panel = "panel/19_softmax";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    // The rows of the first launch of the first case whose name has `part`.
    std::vector<RowRun> rows(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i) {
            if (cases[i].name.find(part) == std::string::npos) continue;
            for (const lab::Kernel& kernel : bundle().run.kernels)
                if (kernel.case_index == int(i)) return rows_of(bundle(), int(i), kernel);
        }
        return {};
    }
    bool point_at_a_lane() {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.2f; y < 0.98f; y += 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * 0.4f, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
};

std::vector<Step> steps_of(const WarpRun& warp, Kind kind) {
    std::vector<Step> found;
    for (const Step& step : warp.steps)
        if (step.kind == kind) found.push_back(step);
    return found;
}

// A rising row raises the maximum with every read, and ten shuffles make 32 pairs one.
void check_online(const Shown& shown) {
    const std::vector<RowRun> rows = shown.rows("Step 3, online: rows of 96");
    REQUIRE(rows.size() == 3);
    for (const RowRun& row : rows) {
        REQUIRE(row.warps.size() == 1);
        CHECK(row.passes() == 2);
        const std::vector<Step> shuffles = steps_of(row.warps[0], Kind::shuffle);
        REQUIRE(shuffles.size() == 10);
        for (size_t i = 0; i < shuffles.size(); ++i) {
            CHECK(shuffles[i].wrong == 0);
            CHECK(shuffles[i].distance == 16 >> (i / 2));
        }
        CHECK(steps_of(row.warps[0], Kind::write).size() == 3);
    }
    const std::vector<Step> rising = steps_of(rows[0].warps[0], Kind::read),
                            falling = steps_of(rows[1].warps[0], Kind::read),
                            level = steps_of(rows[2].warps[0], Kind::read);
    REQUIRE(rising.size() == 6);
    CHECK(rising[0].all.max < rising[1].all.max);
    CHECK(rising[1].all.max < rising[2].all.max);
    CHECK(rising[2].all.max == doctest::Approx(20));
    CHECK(rising[3].pass == 2);
    CHECK(falling[0].all.max == doctest::Approx(falling[2].all.max));
    CHECK(level[2].all.sum == doctest::Approx(96));
    const std::vector<Step> first = steps_of(rows[0].warps[0], Kind::shuffle);
    CHECK(first[0].brings == Brings::max);
    CHECK(first[1].brings == Brings::sum);
}

// Three reads, and around 89 the bare sum is infinite.
void check_safe(const Shown& shown) {
    const std::vector<RowRun> rows = shown.rows("Step 1, safe: numbers around 89");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].passes() == 3);
    const std::vector<Step> reads = steps_of(rows[0].warps[0], Kind::read);
    CHECK(std::isinf(reads.front().bare_sum));
    CHECK(reads.front().all.sum >= 1);
    CHECK(reads.front().all.sum < 40);
    for (const Step& shuffle : steps_of(rows[0].warps[0], Kind::shuffle)) CHECK(shuffle.wrong == 0);
}

// Eight warps share a row, and leave their pairs in shared memory.
void check_long(const Shown& shown) {
    const std::vector<RowRun> rows = shown.rows("Step 4, long: rows of 1500");
    REQUIRE(rows.size() == 3);
    REQUIRE(rows[0].warps.size() == 8);
    for (const WarpRun& warp : rows[0].warps) {
        CHECK(steps_of(warp, Kind::leave).size() == 2);
        CHECK(steps_of(warp, Kind::take).size() == 2);
        CHECK(steps_of(warp, Kind::shuffle).size() == 20);
    }
}

}  // namespace

TEST_CASE("Softmax: what the lanes of each step know, read, tell each other and write") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    check_online(shown);
    check_safe(shown);
    check_long(shown);
}

TEST_CASE("Softmax: lanes that never rescale are found to bring a wrong sum") {
    Shown shown(changed(solution_of(slug),
                        "for (int c = lane; c < columns; c += warpSize) mine = merge(mine, {in[c], 1});",
                        "for (int c = lane; c < columns; c += warpSize) {\n"
                        "        mine.max = fmaxf(mine.max, in[c]);\n"
                        "        mine.sum += expf(in[c] - mine.max);\n    }"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<RowRun> rows = shown.rows("Step 3, online: rows of 96");
    REQUIRE(rows.size() == 3);
    const std::vector<Step> rising = steps_of(rows[0].warps[0], Kind::shuffle),
                            falling = steps_of(rows[1].warps[0], Kind::shuffle);
    REQUIRE(rising.size() == 10);
    CHECK(rising[0].wrong == 0);  // the maxima are right
    CHECK(std::all_of(falling.begin(), falling.end(), [](const Step& step) { return step.wrong == 0; }));
    CHECK((rising[1].wrong != 0 || rising[1].brings == Brings::unknown));
    shown.window.picture("softmax-0-wrong");
}

TEST_CASE("Softmax: keys walk through the steps, and pointing at a lane points at it everywhere") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.point_at_a_lane());
    const lab::Cursor under = shown.window.app->cursor_;
    CHECK(under.run == shown.bundle().id);
    CHECK(under.block == 0);
    CHECK(under.lane >= 0);
    CHECK(under.line > 0);
    shown.window.picture("softmax-1-hover");
    for (const bool down : {true, false}) {  // the keys go to where the mouse was last pressed
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    for (int i = 0; i < 4; ++i) shown.window.press(ImGuiKey_LeftArrow);
    shown.window.move_to({0, 0});
    shown.window.picture("softmax-2-step");
}
