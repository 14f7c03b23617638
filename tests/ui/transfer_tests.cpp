// Lesson 08's own panel: where the host was blocked and where it was free, and what sliding has measured.
#include <doctest/doctest.h>

#include "lesson_window.h"
#include "lessons/08_host_memory/panel_transfers.h"

using namespace lab::lesson_08_host_memory;

namespace {

constexpr const char* slug = "08_host_memory";
constexpr const char* panel = "panel/08_host_memory";

struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    Scene scene(const std::string& part) const {
        const lab::Run& run = window.app->learner_run()->run;
        for (size_t i = 0; i < run.cases.size(); ++i)
            if (run.cases[i].name.find(part) != std::string::npos) return scene_of(run, int(i));
        return {};
    }
    // Goes over the panel until the mouse is on something that has a line.
    bool point_at_a_bar() {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.05f; y < 0.95f; y += 0.015f)
            for (const float x : {0.3f, 0.5f, 0.7f}) {
                window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
                window.frames(2);
                if (window.app->cursor_.line > 0) return true;
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
        window.frames(4);
        return scene_of(window.app->try_.shown->run, 0);
    }
};

lab::HostStep step(const char* what, int64_t begin, int64_t end, int task, const char* call = "") {
    lab::HostStep made;
    made.what = what;
    made.begin = begin;
    made.end = end;
    made.task = task;
    made.call = call;
    return made;
}

}  // namespace

TEST_CASE(
    "Transfer lab: time in a copy's call is blocked time, own work and a wait by choice are free time") {
    lab::Run run;
    lab::Timeline t;
    lab::TimelineTask copy;
    copy.kind = "copy";
    copy.engine = "copies_to_device";
    copy.begin = 4000;
    copy.end = 14000;
    copy.bytes = 100'000;
    t.tasks = {copy};
    t.host = {step("queues", 0, 2000, 0), step("works", 2000, 5000, -1),
              step("waits", 5000, 16000, 0, "cudaDeviceSynchronize"),
              step("works", 16000, 56000, -1, "cudaFreeHost")};
    t.metrics["total_us"] = 56;
    t.case_index = 0;
    run.timelines = {t};
    Scene scene = scene_of(run, 0);
    CHECK(scene.source == Source::pinned);
    CHECK(scene.blocked == 2000);
    CHECK(scene.free == 14000);
    CHECK(scene.allocates == 40000);
    CHECK(scene.gb_per_s() == doctest::Approx(100'000 / 14000.));

    run.timelines[0].tasks[0].is_pageable = true;
    run.timelines[0].host[2].call.clear();  // the copy itself made it wait
    scene = scene_of(run, 0);
    CHECK(scene.source == Source::pageable);
    CHECK(scene.blocked == 13000);
    CHECK(scene.free == 3000);

    run.timelines[0].tasks[0].kind = "kernel";
    run.timelines[0].tasks[0].engine = "kernels";
    run.buffers = {{"out", "global", 0x1000, 4096, 4, {}, 0}};
    scene = scene_of(run, 0);
    CHECK(scene.source == Source::mapped);
    CHECK(scene.bytes == 4096);
    CHECK(scene_of(run, 1).timeline == nullptr);

    Tries tries;
    tries.note(scene);
    tries.note(scene);
    CHECK(tries.all().size() == 1);
    tries.note(Scene{});
    CHECK(tries.all().size() == 1);
}

TEST_CASE("Transfer lab: the same calls leave the host free with pinned memory, and block it with pageable") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.window.app->learner_run()->run.passed);
    const Scene pinned = shown.scene("pieces from pinned"), pageable = shown.scene("pieces from pageable");
    REQUIRE(pinned.timeline != nullptr);
    REQUIRE(pageable.timeline != nullptr);
    CHECK(pinned.source == Source::pinned);
    CHECK(pinned.pieces == 4);
    CHECK(pinned.bytes == uint64_t{1} << 20);
    CHECK(pinned.blocked < pinned.free);
    CHECK(pageable.source == Source::pageable);
    CHECK(pageable.blocked > 10 * pinned.blocked);
    CHECK(pageable.blocked > 10 * pageable.free);
    CHECK(arrival_text(pinned).find("1 MiB, 4 pieces, pinned memory: done after") == 0);
    CHECK(shown.window.pixels_like(panel, lab::palette().read) > 50);
    shown.window.picture("transfer-1-pinned");
    REQUIRE(shown.point_at_a_bar());
    CHECK(shown.window.app->cursor_.run == shown.window.app->learner_run()->id);
    shown.window.picture("transfer-2-pointed");
}

TEST_CASE(
    "Transfer lab: sliding the memory, the size and the pieces runs the exercise and leaves a mark each") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.window.has("try/memory"));
    const auto& wanted = shown.window.app->try_.wanted.settings;
    Scene scene = shown.slid("memory", 0.5f, 0.02f);
    REQUIRE(wanted.at("memory") == 0);
    CHECK(scene.source == Source::pageable);
    CHECK(scene.blocked > scene.free);
    CHECK(shown.window.app->try_.shown->run.headline.find("memory = pageable") != std::string::npos);
    shown.window.picture("transfer-3-pageable");
    scene = shown.slid("memory", 0.02f, 0.99f);
    REQUIRE(wanted.at("memory") == 2);
    CHECK(scene.source == Source::mapped);
    CHECK(scene.bytes == uint64_t{1} << 20);
    scene = shown.slid("pieces", 0.02f, 0.99f);
    REQUIRE(wanted.at("pieces") == 64);
    CHECK(scene.pieces == 64);
    scene = shown.slid("kib", 0.8f, 0.02f);
    REQUIRE(wanted.at("kib") == 1);
    CHECK(scene.bytes == 1024);
    CHECK(scene.gb_per_s() < 0.1);
    CHECK(shown.window.pixels_like(panel, lab::palette().accent) > 20);  // the marks of mapped memory
    shown.window.picture("transfer-4-tries");
    shown.window.click("try/back");
    CHECK_FALSE(shown.window.app->try_.active);
}
