// Lesson 07's own panel: what fills an SM, on which card, beside what the run launched.
#include <doctest/doctest.h>

#include <algorithm>

#include "lesson_window.h"
#include "lessons/07_registers_local/panel_model.h"

namespace {

using namespace lab::lesson_07_registers_local;

constexpr const char* slug = "07_registers_local";
constexpr const char* panel = "panel/07_registers_local";

const lab::Card& card_of(const std::string& name) {
    const auto& all = lab::cards();
    const auto found = std::find_if(all.begin(), all.end(), [&](const lab::Card& card) {
        return card.profile == name || card.name == name;
    });
    REQUIRE_MESSAGE(found != all.end(), name);
    return *found;
}

Needs counting(int threads) {
    return {threads, 32, 8192, 32};
}

// The launch of count_kernel in the case with this name, once for each launch of the case.
std::vector<Launched> launches_of(const lab::RunBundle& bundle, const std::string& part) {
    std::vector<Launched> launches;
    for (const lab::Kernel& kernel : bundle.run.kernels) {
        const auto at = size_t(kernel.case_index);
        if (at < bundle.run.cases.size() && bundle.run.cases[at].name.find(part) != std::string::npos)
            launches.push_back(launched_by(kernel, bundle.run, kernel.case_index));
    }
    return launches;
}

void click(Driver& window) {
    for (const bool down : {true, false}) {
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        window.frames(2);
    }
}

// The curve stands at the panel's end.
void scroll_down(Driver& window) {
    window.move_to(window.centre_of(panel));
    ImGui::GetIO().AddMouseWheelEvent(0, -100);
    window.frames(8);
}

// From the bottom of the panel up, near its left edge, until a click has made it another picture: the bar of 32 threads.
bool choose_32_threads(Driver& window) {
    const ImRect at = window.app->marks_.at(panel);
    const int before = window.pixels_like(panel, lab::palette().warn);
    for (float y = at.Max.y - 4; y > at.Min.y + at.GetHeight() / 2; y -= 8) {
        window.move_to({at.Min.x + at.GetWidth() * 0.025f, y});
        click(window);
        if (window.pixels_like(panel, lab::palette().warn) > before + 400) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("Occupancy: the limiter is what is enough for the fewest blocks, and the sentence names it") {
    const lab::Card &t4 = card_of("t4"), &rtx = card_of("rtx3060");
    const Filled small = fill(t4, counting(64));
    CHECK(small.blocks == 6);
    CHECK(small.percent() == 37.5);
    CHECK(limit_text(small) == "shared memory");
    CHECK(sentence_of(t4, counting(64), small) ==
          "6 blocks of 64 threads: 12 of 32 warps, 38 %. First it runs out of shared memory.");
    const Filled large = fill(rtx, {1024, 32, 0, 0});
    CHECK(large.blocks == 1);
    CHECK(large.percent() == doctest::Approx(66.67).epsilon(0.001));
    CHECK(limit_text(large) == "threads");
    CHECK(limit_text(fill(t4, {32, 32, 0, 0})) == "places for blocks");
    CHECK(limit_text(fill(t4, {256, 128, 0, 0})) == "registers");
    CHECK(fill(t4, {1024, 128, 0, 0}).impossible);
    CHECK(fill(t4, {32, 32, 70000, 0}).impossible);
    const std::vector<double> percents = curve(rtx, {32, 32, 0, 0});
    REQUIRE(percents.size() == sizes);
    CHECK(percents[15] == 100);  // 512
    CHECK(percents[16] < 80);    // 544: two blocks, and a rest
}

TEST_CASE("Occupancy: the panel's arithmetic gives what the machine reported, on each card") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    const lab::RunBundle& bundle = *lesson.window.app->learner_run();
    REQUIRE(bundle.run.passed);
    size_t seen = 0;
    for (const char* part : {"An H200", "A T4", "An RTX 3060", "An A100"})
        for (const Launched& launched : launches_of(bundle, part)) {
            const int extra = launched.shared_bytes - 8192 - 32 * launched.threads;
            CHECK(extra == 0);
            Needs needs = counting(launched.threads);
            needs.registers = launched.registers;
            CHECK(launched.percent >= 80);
            CHECK(fill(card_of(launched.card), needs).percent() ==
                  doctest::Approx(launched.percent).epsilon(0.001));
            ++seen;
        }
    CHECK(seen >= 4);
    lesson.window.picture("occupancy_full");
}

TEST_CASE("Occupancy: another block size empties the SM; the learner's launch stays marked") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    Driver& window = lesson.window;
    scroll_down(window);
    CHECK(window.pixels_like(panel, lab::palette().wrote) > 10);
    REQUIRE(choose_32_threads(window));
    CHECK(window.pixels_like(panel, lab::palette().wrote) > 10);
    window.picture("occupancy_32");
}

TEST_CASE("Occupancy: the stub's blocks of 64 do not fill a T4, and the panel begins with them") {
    const std::string stub =
        lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "exercises" / (std::string(slug) + ".cu"));
    LessonWindow lesson(slug, panel, stub);
    const lab::RunBundle& bundle = *lesson.window.app->learner_run();
    CHECK_FALSE(bundle.run.passed);
    const std::vector<Launched> launches = launches_of(bundle, "A T4");
    REQUIRE(!launches.empty());
    CHECK(launches[0].threads == 64);
    CHECK(launches[0].percent == 37.5);
    lesson.window.picture("occupancy_stub");
}
