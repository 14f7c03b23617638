// Lesson 21's own panel: a digit drawn on the pad goes through the learner's kernels, and the figure shows what they made.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "lesson_window.h"
#include "lessons/21_mlp_forward/panel_network.h"
#include "workbench/data/digits.h"

namespace {

using namespace lab::lesson_21_mlp_forward;

constexpr const char* slug = "21_mlp_forward";
constexpr const char* panel = "panel/21_mlp_forward";

struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}

    NetworkPanel& network() {
        for (lab::PanelSlot& slot : window.app->now().side)
            if (slot.name == slug) return dynamic_cast<NetworkPanel&>(*slot.panel);
        throw std::runtime_error("The panel is not there.");
    }
    Pad& pad() { return network().picture().pad(); }

    // A stroke of the mouse through these places of the pad, 0 to 1.
    void stroke(std::initializer_list<ImVec2> places) {
        const ImVec2 from = pad().from(), to = pad().to();
        bool down = false;
        for (const ImVec2& place : places) {
            window.move_to({from.x + (to.x - from.x) * place.x, from.y + (to.y - from.y) * place.y});
            if (!down) ImGui::GetIO().AddMouseButtonEvent(0, true);
            down = true;
            window.frames(2);
        }
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        window.frames(2);
    }
    // Until the run with what is on the pad is shown.
    bool sees(const std::string& bytes) {
        return window.wait_for([&] {
            const lab::RunPtr& run = window.app->try_.shown;
            if (!window.app->try_.active || !run || network().flow().batch() != 1) return false;
            const Matrix* x = network().flow().find("x");
            if (!x || !x->came()) return false;
            for (size_t i = 0; i < bytes.size(); ++i)
                if (std::lround(x->numbers[i] * 255) != static_cast<unsigned char>(bytes[i])) return false;
            return true;
        });
    }
};

Ink digit_of(int label) {
    for (uint64_t i = 0; i < 10; ++i) {
        const lab::Digit digit = lab::make_digit(5, i);
        if (digit.label == label) return ink_of(digit.pixels);
    }
    return {};
}

// Where the ink's centre of mass is, in pixels.
ImVec2 centre_of(const Ink& ink) {
    float mass = 0, x = 0, y = 0;
    for (int i = 0; i < side * side; ++i) {
        mass += ink[size_t(i)];
        x += ink[size_t(i)] * float(i % side);
        y += ink[size_t(i)] * float(i / side);
    }
    return {x / mass, y / mass};
}

}  // namespace

TEST_CASE("Pad: ink is scaled to the box of 20 and its mass centred, wherever it was drawn") {
    Ink small{};
    draw_line(small, {3, 4}, {3, 9});
    for (const ImVec2 by : {ImVec2{0, 0}, ImVec2{15, 2}, ImVec2{20, 14}}) {
        Ink moved{};
        draw_line(moved, {3 + by.x, 4 + by.y}, {3 + by.x, 9 + by.y});
        const Ink result = centred(moved);
        CHECK(std::fabs(centre_of(result).x - 13.5f) < 0.4f);
        CHECK(std::fabs(centre_of(result).y - 13.5f) < 0.4f);
        for (size_t i = 0; i < result.size(); ++i) CHECK(std::fabs(result[i] - centred(small)[i]) < 0.01f);
        int top = side, bottom = -1;
        for (int i = 0; i < side * side; ++i)
            if (result[size_t(i)] > 0.5f) top = std::min(top, i / side), bottom = std::max(bottom, i / side);
        CHECK(bottom - top + 1 >= 16);
        CHECK(bottom - top + 1 <= 20);
    }
    CHECK(bytes_of(centred(Ink{})) == std::string(size_t{side} * side, '\0'));
    CHECK(bytes_of(ink_of(std::vector<uint8_t>(784, 200))) == std::string(784, '\xc8'));
}

TEST_CASE("Pad: what is drawn runs the learner's kernels, and another digit gets another answer") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.window.app->learner_run()->run.passed);
    REQUIRE(shown.network().flow().has_pictures());
    CHECK(shown.network().flow().batch() == 3);
    shown.window.picture("network-1-graded");

    shown.stroke({{0.5f, 0.12f}, {0.5f, 0.3f}, {0.49f, 0.6f}, {0.48f, 0.88f}});
    REQUIRE_FALSE(shown.pad().is_empty());
    REQUIRE(shown.sees(bytes_of(centred(shown.pad().ink()))));
    CHECK(shown.window.app->try_.shown->run.passed);
    CHECK(shown.network().picture().answer() == 1);
    shown.window.picture("network-2-one");

    shown.pad().clear();
    shown.stroke({{0.5f, 0.15f},
                  {0.3f, 0.25f},
                  {0.22f, 0.5f},
                  {0.3f, 0.75f},
                  {0.5f, 0.86f},
                  {0.7f, 0.75f},
                  {0.78f, 0.5f},
                  {0.7f, 0.25f},
                  {0.5f, 0.15f}});
    REQUIRE(shown.sees(bytes_of(centred(shown.pad().ink()))));
    CHECK(shown.network().picture().answer() == 0);
    shown.window.picture("network-3-zero");
    CHECK(shown.window.app->learner_run()->run.passed);  // nothing of it was graded
}

TEST_CASE("Pad: broken kernels show their broken answer") {
    Shown shown(changed(solution_of(slug), "float sum = d_b[col];", "float sum = 0;"));
    REQUIRE_FALSE(shown.window.app->learner_run()->run.passed);
    // The first case that failed has no pictures; its matrices are shown, with what is wrong.
    CHECK_FALSE(shown.network().flow().has_pictures());
    CHECK(shown.network().flow().find("y")->wrong > 0);
    CHECK(shown.window.pixels_like(panel, lab::palette().bad) > 20);
    shown.window.picture("network-4-matrices");

    shown.window.app->try_drawing({"picture", bytes_of(digit_of(3)), {{"digit", 3}}});
    REQUIRE(shown.sees(bytes_of(digit_of(3))));
    CHECK_FALSE(shown.window.app->try_.shown->run.passed);
    CHECK(shown.network().flow().find("hidden")->wrong > 0);
    CHECK(shown.network().flow().labels == std::vector<int>{3});
    shown.window.frames(4);
    CHECK(shown.window.pixels_like(panel, lab::palette().bad) > 50);
    shown.window.picture("network-5-broken");
}

TEST_CASE("Pad: a program that never answers is said to, and a nan is no answer") {
    Shown shown(changed(solution_of(slug), "float most = -INFINITY;", "float most = NAN;"));
    shown.window.app->try_drawing({"picture", bytes_of(digit_of(8)), {{"digit", 8}}});
    REQUIRE(shown.sees(bytes_of(digit_of(8))));
    const Matrix* p = shown.network().flow().find("probabilities");
    REQUIRE(p);
    REQUIRE(p->came());
    CHECK(p->columns == 10);
    CHECK(short_number(NAN) == "nan");
    CHECK(short_number(-INFINITY) == "-inf");
    CHECK(short_number(1234567) == "1.2e+06");
    CHECK(short_number(0.5f) == "0.50");
}

TEST_CASE("The hidden units alone: with view = weights they take the place of the pad") {
    Shown shown(solution_of(slug));
    // How many units the mouse finds where otherwise the pad is.
    const auto units_found = [&] {
        std::set<int> units;
        const ImRect at = shown.window.app->marks_.at(panel);
        for (float y = 0.48f; y < 0.64f; y += 0.04f)
            for (float x = 0.02f; x < 0.16f; x += 0.02f) {
                shown.window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
                units.insert(shown.network().picture().unit());
            }
        return units.size();
    };
    CHECK(units_found() == 1);
    shown.network().configure({{"view", "weights"}});
    shown.window.frames(2);
    CHECK(units_found() > 4);
    shown.window.picture("network-6-weights");
}
