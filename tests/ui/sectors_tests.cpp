// Lesson 04's own panel: lanes over sectors and lines, what a source line costs, and what sliding has measured.
#include <doctest/doctest.h>

#include "lesson_window.h"
#include "lessons/04_global_memory/panel_requests.h"

using namespace lab::lesson_04_global_memory;

namespace {

constexpr const char* slug = "04_global_memory";
constexpr const char* panel = "panel/04_global_memory";

// The lesson, graded, with its panel in sight.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    Scene scene(const std::string& part, int launch = 0) const {
        lab::RunChoice choice;
        choice.configure({{"case", part}});
        choice.load(*window.app->learner_run());
        choice.choose_launch(launch);
        return scene_of(choice);
    }
    // Goes over the panel until the mouse is on a lane or on what it wanted.
    bool point_at_a_lane(float from = 0.02f) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = from; y < 0.98f; y += 0.012f) {
            window.move_to({at.Min.x + at.GetWidth() * 0.07f, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.has_thread()) return true;
        }
        return false;
    }
    // Slides, and waits until that run is shown.
    Scene slid(const std::string& slider, float from, float to) {
        window.drag("try/" + slider, from, to);
        const auto settled = [&] {
            const lab::RunPtr run = window.app->try_.shown;
            return run && window.graded("try") && run == window.app->grader_.run_of(slug, "try");
        };
        REQUIRE(window.wait_for(settled));
        lab::RunChoice choice;
        choice.load(*window.app->try_.shown);
        return scene_of(choice);
    }
};

// A scene with one load by a whole warp of floats, as the ruler makes it.
Scene one_load(int64_t offset, int64_t stride, int sectors) {
    Scene scene;
    Request request;
    request.access.mask = ~0u;
    request.access.bytes = 4;
    request.access.read = true;
    request.access.sectors = sectors;
    request.elements = {true, offset, stride};
    scene.requests.push_back(request);
    return scene;
}

}  // namespace

TEST_CASE("The same particles both ways: 32 sectors a request, and 4") {
    const Shown shown(solution_of(slug));
    REQUIRE(shown.window.app->learner_run()->run.passed);
    const Scene aos = shown.scene("both ways", 0), soa = shown.scene("both ways", 1);
    REQUIRE(aos.sites.size() == 3);
    for (const Site& site : aos.sites) {
        CHECK(site.load.each() == 32);
        CHECK(site.store.each() == 32);
        CHECK(site.used_percent() == 12);
    }
    REQUIRE(soa.sites.size() == 1);
    CHECK(soa.sites[0].load.each() == 4);
    CHECK(soa.sites[0].load.requests == 24);
    CHECK(soa.sites[0].used_percent() == 100);

    const Request& first = aos.requests[aos.sites[0].load.first];
    CHECK(name_of(aos, first.access.address[3]) == "vx of particle 3");
    CHECK(std::string(field_at(aos, first.access.address[0])) == "vx");
    CHECK(lines_of(first).size() == 8);
    CHECK(price_of(first) == "32 sectors for 128 bytes wanted. Side by side it would be 4.");
    const Request& beside = soa.requests[soa.sites[0].load.first];
    CHECK(sentence_of(soa, beside) == "Lane k takes vx[k], 4 bytes.");
    CHECK(lines_of(beside).size() == 1);
    CHECK(price_of(beside) == "4 sectors for 128 bytes wanted: as few as there can be.");
}

TEST_CASE("Right values with lanes that lie apart show their sectors") {
    const Shown shown(changed(solution_of(slug), "d_field[i] = clip(factor * d_field[i], limit);",
                              "int k = i % 32 * 8 + i / 32;\n"
                              "        if (k < n) d_field[k] = clip(factor * d_field[k], limit);"));
    const Scene soa = shown.scene("both ways", 1);
    REQUIRE(soa.sites.size() == 1);
    CHECK(soa.sites[0].load.each() == 32);
    CHECK(sentence_of(soa, soa.requests[soa.sites[0].load.first]) == "Lane k takes vx[8 k], 4 bytes.");
    CHECK_FALSE(shown.window.app->learner_run()->run.passed);
}

TEST_CASE("A lane under the mouse is named with what it takes; a click holds it, and the arrow goes on") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.point_at_a_lane());
    const lab::Cursor& cursor = shown.window.app->cursor_;
    CHECK(cursor.run == shown.window.app->learner_run()->id);
    CHECK(cursor.block == 0);
    CHECK(cursor.warp == 0);
    CHECK(cursor.line > 0);
    CHECK(shown.window.pixels_like(panel, lab::palette().read) > 50);
    shown.window.picture("sectors-1-lane");
    const int lane = cursor.lane;
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    shown.window.frames(2);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    shown.window.frames(4);
    CHECK(cursor.pinned);
    CHECK(cursor.lane == lane);
    const int orange = shown.window.pixels_like(panel, lab::palette().wrote);
    shown.window.press(ImGuiKey_RightArrow);  // from the line's load to its store
    shown.window.frames(4);
    CHECK(shown.window.pixels_like(panel, lab::palette().wrote) > orange);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(cursor.pinned);
}

TEST_CASE("Sliding stride, offset and size runs the ruler, and the panel shows the request and its price") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.window.has("try/stride"));
    const auto load_of = [](const Scene& scene) { return scene.requests[scene.sites.at(0).load.first]; };
    const auto& wanted = shown.window.app->try_.wanted.settings;

    Scene scene = shown.slid("stride", 0.07f, 0.99f);
    REQUIRE(wanted.at("stride") == 32);
    CHECK(load_of(scene).access.sectors == 32);
    CHECK(load_of(scene).elements.step == 32);
    CHECK(shown.window.app->try_.shown->run.passed);
    shown.window.frames(4);
    shown.window.picture("sectors-2-stride");

    scene = shown.slid("stride", 0.98f, 0.01f);
    REQUIRE(wanted.at("stride") == 0);
    CHECK(load_of(scene).access.sectors == 1);
    CHECK(sentence_of(scene, load_of(scene)) == "Lane k takes in[0], 4 bytes.");

    scene = shown.slid("offset", 0.02f, 0.99f);
    REQUIRE(wanted.at("offset") == 32);
    CHECK(load_of(scene).elements.first == 32);

    scene = shown.slid("bytes", 0.5f, 0.99f);
    REQUIRE(wanted.at("bytes") == 16);
    CHECK(load_of(scene).access.bytes == 16);
    shown.window.frames(4);
    shown.window.picture("sectors-3-bytes");
    shown.window.click("try/back");
    CHECK_FALSE(shown.window.app->try_.active);
}

TEST_CASE(
    "What has been measured is kept by element size, offset and stride; other kernels measure nothing") {
    Measurements measured;
    CHECK(measured.note(one_load(0, 2, 8), "read_kernel"));
    CHECK(measured.note(one_load(0, 8, 32), "read_kernel"));
    CHECK(measured.note(one_load(1, 8, 32), "read_kernel"));
    CHECK(measured.note(one_load(0, 2, 8), "read_kernel"));
    CHECK(measured.all().size() == 3);
    CHECK(measured.all().at({4, 0, 2}) == 8);
    CHECK(measured.last().stride == 2);
    CHECK_FALSE(measured.note(one_load(0, 1, 4), "scale_soa_kernel"));
    Scene half = one_load(0, 1, 4);
    half.requests[0].access.mask = 0xffff;
    CHECK_FALSE(measured.note(half, "read_kernel"));
    CHECK(measured.all().size() == 3);
}
