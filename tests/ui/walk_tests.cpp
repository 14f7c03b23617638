// Lesson 18's own panel: which tiles a block takes in which step, how often each element is fetched, and the roofline, in runs
// of the real machine.
#include <doctest/doctest.h>

#include <algorithm>

#include "lesson_window.h"
#include "lessons/18_matmul/panel_roof.h"
#include "lessons/18_matmul/panel_walk.h"

namespace {

using namespace lab::lesson_18_matmul;

constexpr const char* slug = "18_matmul";
constexpr const char* panel = "panel/18_matmul";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    int case_of(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i)
            if (cases[i].name.find(part) != std::string::npos) return int(i);
        FAIL("no case has this name: ", part);
        return -1;
    }
    std::vector<Walk> walks(const std::string& part) const { return walks_of(bundle(), case_of(part)); }
    // Goes down the panel, a part of its width from its left edge, until the mouse is on an element.
    bool point_at_an_element(float x) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.1f; y < 0.98f; y += 0.01f) {
            window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_element()) return true;
        }
        return false;
    }
    void click() {
        for (const bool down : {true, false}) {
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            window.frames(2);
        }
    }
    // From where the mouse is, clicks its way up until the roofline's green line is there. In between are only the sliders.
    bool open_roofline() {
        const float left = window.app->marks_.at(panel).Min.x;
        for (float y = ImGui::GetMousePos().y; y > 0; y -= 8) {
            window.move_to({left + 150, y});
            click();
            if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return false;  // too far up
            if (window.pixels_like(panel, lab::palette().good) > 30) return true;
        }
        return false;
    }
};

bool all_are(const std::vector<uint32_t>& values, uint32_t wanted) {
    return std::all_of(values.begin(), values.end(), [&](uint32_t value) { return value == wanted; });
}

}  // namespace

TEST_CASE("Walk: a block of the tiled kernel takes one tile of each matrix in each step") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const std::vector<Walk> walks = shown.walks("Tiled: 40 x 70");
    REQUIRE(walks.size() == 1);
    const Walk& walk = walks[0];
    CHECK(walk.sizes.m == 40);
    CHECK(walk.sizes.n == 50);
    CHECK(walk.sizes.k == 70);
    REQUIRE(walk.blocks.size() == 4);
    CHECK(walk.is_whole);
    const BlockWalk& first = walk.blocks[0];
    REQUIRE(first.steps.size() == 3);
    CHECK(first.steps[0].elements[matrix_a].size() == 32 * 32);
    CHECK(first.steps[0].elements[matrix_a][0] == 0);
    CHECK(first.steps[1].elements[matrix_a][0] == 32);       // to the right in A
    CHECK(first.steps[1].elements[matrix_b][0] == 32 * 50);  // down in B
    CHECK(first.steps[2].elements[matrix_a].size() == 32 * 6);
    CHECK(first.steps[2].elements[matrix_b].size() == 6 * 32);
    CHECK(first.stored.size() == 32 * 32);
    CHECK(walk.blocks[3].stored.size() == 8 * 18);
    CHECK(walk.owner_of(39 * 50 + 49) == 3);
    // Two blocks side by side and two above each other: each element is fetched twice.
    CHECK(all_are(walk.in[matrix_a].fetched, 2));
    CHECK(all_are(walk.in[matrix_b].fetched, 2));
}

TEST_CASE("Walk: without barriers a step is a round of the loop, and sharing shows in the counts") {
    Shown shown(solution_of(slug));
    const std::vector<Walk> walks = shown.walks("All four");
    REQUIRE(walks.size() == 4);
    const Walk &naive = walks[0], &coalesced = walks[1], &tiled = walks[2], &blocked = walks[3];
    REQUIRE(naive.blocks.size() == 16);
    CHECK(naive.blocks[0].steps.size() == 32);
    CHECK(naive.blocks[0].steps[5].elements[matrix_a].size() == 32);
    CHECK(naive.blocks[0].steps[5].elements[matrix_a][1] == 32 + 5);
    CHECK(all_are(naive.in[matrix_a].fetched, 128));
    CHECK(all_are(naive.in[matrix_b].fetched, 4));
    CHECK(all_are(coalesced.in[matrix_a].fetched, 4));
    CHECK(all_are(coalesced.in[matrix_b].fetched, 128));
    CHECK(tiled.in[matrix_a].average() == 4);
    CHECK(tiled.in[matrix_b].average() == 4);
    REQUIRE(blocked.blocks.size() == 1);
    CHECK(blocked.blocks[0].steps.size() == 3);  // it asks one step ahead, so for two in the first
    CHECK(blocked.blocks[0].steps[0].elements[matrix_a].size() == 2 * 128 * 8);
    CHECK(blocked.blocks[0].steps[1].elements[matrix_a].size() == 128 * 8);
    CHECK(all_are(blocked.in[matrix_a].fetched, 1));
    CHECK(all_are(blocked.in[matrix_b].fetched, 1));
}

TEST_CASE("Walk: keys and the mouse go through steps and elements, and the roofline is one click away") {
    // Only this case fails, so it is the one that is shown: three steps, the last with six columns of A.
    Shown shown(changed(solution_of(slug),
                        "float sum = 0;\n    for (int first = 0; first < k; first += tile) {",
                        "float sum = m == 40;\n    for (int first = 0; first < k; first += tile) {"));
    CHECK_FALSE(shown.bundle().run.passed);
    const ImU32 taken = lab::palette().read;
    REQUIRE(shown.point_at_an_element(0.6f));
    CHECK(shown.window.app->cursor_.run == shown.bundle().id);
    CHECK(shown.window.app->cursor_.line > 0);
    shown.click();  // holds it, and the keys are the panel's
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.move_to({0, 0});
    const int whole_tiles = shown.window.pixels_like(panel, taken);
    CHECK(whole_tiles > 100);
    shown.window.picture("walk-1-first-step");
    shown.window.press(ImGuiKey_RightArrow);
    CHECK(shown.window.pixels_like(panel, taken) > whole_tiles / 2);
    shown.window.press(ImGuiKey_RightArrow);
    const int ragged = shown.window.pixels_like(panel, taken);
    CHECK(ragged > 10);
    CHECK(ragged < whole_tiles / 2);
    shown.window.picture("walk-2-last-step");
    REQUIRE(shown.point_at_an_element(0.6f));
    shown.window.picture("walk-3-hover");

    REQUIRE(shown.open_roofline());
    shown.window.move_to({0, 0});
    CHECK(shown.window.pixels_like(panel, lab::palette().read) > 100);
    CHECK(shown.window.pixels_like(panel, lab::palette().good) > 30);
    shown.window.picture("walk-4-roofline");
}

TEST_CASE("Roofline: each kernel's two intensities, and what bounds it") {
    Shown shown(solution_of(slug));
    const std::vector<Point> points = points_of(shown.walks("All four"));
    REQUIRE(points.size() == 4);
    REQUIRE(!shown.bundle().run.devices.empty());
    const lab::DeviceLimits& device = shown.bundle().run.devices.front();
    const Card card = card_of(device.name, device.limits);
    CHECK(card.flops == doctest::Approx(66.9e12).epsilon(0.01));
    CHECK(card.global_bytes == doctest::Approx(4.81e12).epsilon(0.01));
    CHECK(card.shared_bytes == doctest::Approx(33.5e12).epsilon(0.01));
    const double global[] = {64.0 / (33 * 32), 64.0 / (5 * 32), 8, 32};
    for (size_t i = 0; i < points.size(); ++i) {
        REQUIRE(points[i].global);
        CHECK(*points[i].global == doctest::Approx(global[i]));
        CHECK(points[i].shared.has_value() == (i >= 2));
    }
    CHECK(points[0].limit(card) == Point::Limit::global);
    CHECK(points[1].limit(card) == Point::Limit::global);
    CHECK(points[2].limit(card) == Point::Limit::shared);
    CHECK(points[2].reach(card) == doctest::Approx(*points[2].shared * card.shared_bytes));
    CHECK(points[3].reach(card) > 0.9 * card.flops);
}

TEST_CASE("Roofline: there is a card for every profile, and its limits are worked out from it") {
    const std::vector<Card> cards = cards_in(std::filesystem::path(CUDALAB_CONTENT) / "assets/devices");
    REQUIRE(cards.size() == 6);
    CHECK(cards.front().name == "NVIDIA H200");
    for (const Card& card : cards) {
        CHECK(card.flops > 1e12);
        CHECK(card.shared_bytes > card.global_bytes);
    }
    CHECK(cards.back().name == "Tesla T4");
    CHECK(cards.back().flops == doctest::Approx(8.1e12).epsilon(0.01));
    CHECK(cards.back().global_bytes == doctest::Approx(320e9).epsilon(0.01));
    CHECK(cards_in("/nowhere").empty());
}

TEST_CASE("Numbers of the roofline are short") {
    CHECK(short_text(64.0 / 1056) == "0.06");
    CHECK(short_text(1.6) == "1.6");
    CHECK(short_text(32) == "32");
    CHECK(short_text(66.9) == "66.9");
    CHECK(rate_text(66.9e12) == "66.9 TFLOP/s");
    CHECK(rate_text(290e9) == "290 GFLOP/s");
}
