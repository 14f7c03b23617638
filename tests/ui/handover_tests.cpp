// Lesson 15's own panel: what one block hands to another, and what the race checker found between them.
#include <doctest/doctest.h>

#include <algorithm>

#include "lesson_window.h"
#include "lessons/15_memory_model/panel_story.h"

namespace {

using namespace lab::lesson_15_memory_model;

constexpr const char* slug = "15_memory_model";
constexpr const char* panel = "panel/15_memory_model";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    // Those of the first launch of the first case whose name has `part`.
    std::vector<Handover> hands(const std::string& part) const {
        const auto& cases = bundle().run.cases;
        for (size_t i = 0; i < cases.size(); ++i) {
            if (cases[i].name.find(part) == std::string::npos) continue;
            for (const lab::Kernel& kernel : bundle().run.kernels)
                if (kernel.case_index == int(i)) return handovers_of(bundle(), int(i), kernel);
        }
        return {};
    }
    // Goes down the panel, a part of its width from its left edge, until the mouse is on a line of code.
    bool point_at_a_line(float x) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.1f; y < 0.98f; y += 0.015f) {
            window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
};

std::vector<Deed> deeds(const Part& part) {
    std::vector<Deed> all;
    for (const Event& event : part.events) all.push_back(event.deed);
    return all;
}

bool has(const Part& part, Deed deed) {
    return std::any_of(part.events.begin(), part.events.end(),
                       [&](const Event& e) { return e.deed == deed; });
}

}  // namespace

TEST_CASE("Hand-over: write, barrier, fence, flag; look, fence, barrier, read") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const std::vector<Handover> hands = shown.hands("A letter of 100 numbers");
    REQUIRE(hands.size() == 1);
    const Handover& hand = hands[0];
    CHECK(hand.what == "letter[0..99]");
    CHECK(hand.is_ordered());
    CHECK(hand.writer.block == 0);
    CHECK(hand.reader.block == 1);
    CHECK(deeds(hand.writer) ==
          std::vector<Deed>{Deed::reads, Deed::writes, Deed::meets, Deed::fence, Deed::raises});
    REQUIRE(hand.released == 4);
    CHECK(hand.fence() == 3);
    CHECK(hand.written == 1);
    REQUIRE(hand.acquired >= 0);
    const Event& raised = hand.writer.events[4];
    const Event& seen = hand.reader.events[size_t(hand.acquired)];
    CHECK(raised.releases);
    CHECK(raised.what == "flag");
    CHECK(seen.acquires);
    CHECK(seen.deed == Deed::looks);
    CHECK(seen.address == raised.address);
    CHECK(seen.row > raised.row);
    CHECK(text_of(seen) == "sees flag raised");
    CHECK(hand.read > hand.acquired);
    CHECK(text_of(hand.reader.events[size_t(hand.read)]) == "reads letter[0..99]");
    CHECK(text_of(hand.writer.events[3]) == "__threadfence()");
}

TEST_CASE("Hand-over: without a fence nothing leads from the write to the read") {
    Shown shown(changed(solution_of(slug), "        __threadfence();\n        *static", "        *static"));
    CHECK_FALSE(shown.bundle().run.passed);
    const std::vector<Handover> hands = shown.hands("A letter of 100 numbers");
    REQUIRE(hands.size() == 1);
    CHECK_FALSE(hands[0].is_ordered());
    CHECK(hands[0].released == -1);
    CHECK(hands[0].finding->kind == "global-race");
    CHECK(has(hands[0].writer, Deed::raises));
    CHECK_FALSE(has(hands[0].writer, Deed::fence));
    shown.window.picture("handover-race");
}

TEST_CASE("Hand-over: the fence of a block is drawn, and hands nothing to another block") {
    Shown shown(changed(solution_of(slug), "        __threadfence();\n        *static",
                        "        __threadfence_block();\n        *static"));
    const std::vector<Handover> hands = shown.hands("A letter of 5 numbers");
    REQUIRE(hands.size() == 1);
    CHECK_FALSE(hands[0].is_ordered());
    const auto& events = hands[0].writer.events;
    const auto fence =
        std::find_if(events.begin(), events.end(), [](const Event& e) { return e.deed == Deed::fence; });
    REQUIRE(fence != events.end());
    CHECK(fence->scope == 1);
    CHECK(text_of(*fence) == "__threadfence_block()");
}

TEST_CASE("Hand-over: the last block's ticket sees those of all others") {
    Shown shown(solution_of(slug));
    const std::vector<Handover> hands = shown.hands("700 numbers, 4 blocks");
    REQUIRE(hands.size() == 3);
    for (const Handover& hand : hands) {
        CHECK(hand.reader.block == hands[0].reader.block);
        CHECK(hand.is_ordered());
        REQUIRE(hand.released >= 0);
        CHECK(hand.writer.events[size_t(hand.released)].deed == Deed::signs);
        CHECK(hand.writer.events[size_t(hand.released)].what == "done");
        CHECK(hand.what.rfind("partials[", 0) == 0);
    }
}

TEST_CASE("Hand-over: in a row of blocks each hands on to the next") {
    Shown shown(solution_of(slug));
    const std::vector<Handover> hands = shown.hands("In order: 100 numbers");
    REQUIRE(hands.size() == 3);
    for (const Handover& hand : hands) {
        CHECK(hand.is_ordered());
        CHECK(hand.released >= 0);
        CHECK(hand.what.rfind("ends[", 0) == 0);
    }
}

TEST_CASE("Hand-over: keys step through time, and pointing at an event points at its line everywhere") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.point_at_a_line(0.1f));
    CHECK(shown.window.app->cursor_.block == 0);
    CHECK(shown.window.app->cursor_.line > 0);
    shown.window.picture("handover-1-hover");
    REQUIRE(shown.point_at_a_line(0.8f));
    CHECK(shown.window.app->cursor_.block == 1);
    for (const bool down : {true, false}) {  // the keys go to where the mouse was last pressed
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.move_to({0, 0});
    for (int i = 0; i < 12; ++i) shown.window.press(ImGuiKey_RightArrow);
    const int drawn = shown.window.pixels_like(panel, lab::palette().accent);
    CHECK(drawn > 50);
    shown.window.picture("handover-2-all");
    for (int i = 0; i < 12; ++i) shown.window.press(ImGuiKey_LeftArrow);
    CHECK(shown.window.pixels_like(panel, lab::palette().accent) < drawn);  // what comes later fades
    shown.window.picture("handover-3-first");
}
