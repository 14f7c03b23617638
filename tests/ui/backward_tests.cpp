// Lesson 22's own panel: a network's gradients as the learner's kernels left them, who wrote which, and a weight to nudge.
#include <doctest/doctest.h>

#include <cmath>

#include "lesson_window.h"
#include "lessons/22_mlp_backward/panel_backward.h"
#include "workbench/data/digits.h"

namespace {

using namespace lab::lesson_22_mlp_backward;

constexpr const char* slug = "22_mlp_backward";
constexpr const char* panel = "panel/22_mlp_backward";

struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}

    BackwardPanel& back() {
        for (lab::PanelSlot& slot : window.app->now().side)
            if (slot.name == slug) return dynamic_cast<BackwardPanel&>(*slot.panel);
        throw std::runtime_error("The panel is not there.");
    }
    const Matrix& matrix(const std::string& name) {
        const Matrix* found = back().flow().find(name);
        REQUIRE(found);
        return *found;
    }
    // Turns the wheel over the panel until the matrix's head is in sight, and clicks it.
    void click(const std::string& name) {
        const auto area = window.app->marks_.at(panel);
        const ImVec2 from = area.Min, to = area.Max;
        for (int turn = 0; turn < 60; ++turn) {
            const ImVec2 at = back().figure().place_of(name);
            if (at.y > from.y + 20 && at.y < to.y - 20) break;
            window.move_to({(from.x + to.x) / 2, (from.y + to.y) / 2});
            ImGui::GetIO().AddMouseWheelEvent(0, at.y > from.y + 20 ? -1.f : 1.f);
            window.frames(3);
        }
        window.move_to(back().figure().place_of(name));
        window.frames(2);
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        window.frames(2);
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        window.frames(2);
    }
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Back: every gradient is there with its shape, and a click says who wrote it and from what") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.window.app->learner_run()->run.passed);
    CHECK(shown.matrix("dlogits").shape == "3 x 10");
    CHECK(shown.matrix("dhidden").shape == "3 x 64");
    CHECK(shown.matrix("dw1").shape == "784 x 64");
    CHECK(shown.matrix("dw1").came());
    CHECK(shown.matrix("dw2").shape == "64 x 10");
    shown.window.frames(4);
    shown.window.picture("backward-1-graded");

    shown.click("dw2");
    CHECK(shown.back().figure().chosen() == "dw2");
    CHECK(has(shown.back().figure().words(), "Written by weights_kernel, which read dlogits and hidden."));
    shown.click("dhidden");
    CHECK(has(shown.back().figure().words(),
              "Written by input_kernel, which read dlogits and w2; then by "
              "relu_backward_kernel, which read hidden."));
    CHECK(has(shown.back().figure().words(), "Read by weights_kernel for dw1 and bias_kernel for db1."));
    shown.window.picture("backward-2-dhidden");
    shown.click("hidden");
    CHECK(has(shown.back().figure().words(), "It was there before the way back."));
}

TEST_CASE("Back: the gradient touches the curve of the loss") {
    Shown shown(solution_of(slug));
    shown.window.frames(4);
    const Weight most = shown.back().figure().weight();
    CHECK(most.layer == 1);
    CHECK(shown.back().nudge().gradient(most).value() ==
          doctest::Approx(shown.matrix("dw1").at(most.row, most.column)));
    CHECK(has(shown.back().nudge().words(), "the line touches the curve"));
}

TEST_CASE("Back: without the mask the line leaves the curve") {
    Shown broken(changed(solution_of(slug), "if (d_y[i] <= 0) d_dy[i] = 0;", "d_dy[i] *= 2;"));
    REQUIRE_FALSE(broken.window.app->learner_run()->run.passed);
    CHECK_FALSE(broken.back().flow().has_pictures());  // the first case that failed has none
    CHECK(broken.matrix("dy").wrong > 0);
    const lab::Digit seven = lab::make_digit(2, 7);
    broken.window.app->try_drawing(
        {"picture", std::string(seven.pixels.begin(), seven.pixels.end()), {{"label", 3}}});
    REQUIRE(broken.window.wait_for([&] {
        return broken.window.app->try_.active && broken.window.app->try_.shown &&
               broken.back().flow().batch() == 1 && broken.back().flow().find("dw1");
    }));
    broken.window.frames(6);
    CHECK(broken.matrix("dhidden").wrong > 0);
    CHECK(has(broken.back().nudge().words(), "the gradient is wrong"));
    broken.window.picture("backward-4-broken");
}

TEST_CASE("Back: a digit with a wrong label has larger gradients than with the right one") {
    Shown shown(solution_of(slug));
    const auto largest = [&](int label) {
        lab::Digit digit = lab::make_digit(2, 0);
        for (uint64_t i = 0; digit.label != 4; ++i) digit = lab::make_digit(2, i);
        shown.window.app->try_drawing(
            {"picture", std::string(digit.pixels.begin(), digit.pixels.end()), {{"label", label}}});
        REQUIRE(shown.window.wait_for([&] {
            return shown.window.app->try_.active && shown.window.app->try_.shown &&
                   shown.back().flow().labels == std::vector<int>{label};
        }));
        shown.window.frames(4);
        float most = 0;
        for (const float value : shown.matrix("dw1").numbers) most = std::max(most, std::fabs(value));
        return most;
    };
    const float wrong = largest(8);
    shown.window.picture("backward-5-wrong-label");
    const float right = largest(4);
    shown.window.picture("backward-6-right-label");
    CHECK(wrong > 10 * right);
}

TEST_CASE("Back: the page's figures, in a small window and with large letters") {
    for (const float scale : {1.f, 2.f}) {
        CAPTURE(scale);
        const Workspace workspace;
        Driver window(workspace, 1280, 720, scale, CUDALAB_REAL);
        for (size_t i = 0; i < window.app->lessons_.size(); ++i)
            if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
        window.frames(8);
        const std::string name = "backward-page-" + std::to_string(int(scale));
        const auto has_curve = [&] { return window.pixels_like("lesson", lab::palette().read) > 100; };
        window.app->now().scroll_to = 0.035f;
        window.frames(6);
        if (scale == 1)
            CHECK(window.wait_for(has_curve));
        else
            window.wait_for([] { return false; }, 1);
        window.picture(name + "-first");
    }
}
