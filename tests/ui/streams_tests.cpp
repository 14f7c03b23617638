// Lesson 09's own panel: chunks in engines and streams, what they waited for, and the critical path.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "lesson_window.h"
#include "lessons/09_streams/panel_scene.h"

using namespace lab::lesson_09_streams;

namespace {

constexpr const char* slug = "09_streams";
constexpr const char* panel = "panel/09_streams";

// The lesson, graded, with its panel over the whole window.
struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    const lab::Timeline* timeline_of(const std::string& part) const {
        for (const lab::Timeline& timeline : bundle().run.timelines)
            if (bundle().run.cases.at(size_t(timeline.case_index)).name.find(part) != std::string::npos)
                return &timeline;
        return nullptr;
    }
    // Goes down the panel until the mouse is on something that was queued.
    bool point_at_a_bar() {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.2f; y < 0.95f; y += 0.015f)
            for (const float x : {0.3f, 0.5f, 0.7f}) {
                window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
                window.frames(2);
                if (window.app->cursor_.line > 0) return true;
            }
        return false;
    }
};

int count_of(const Scene& scene, Wait why) {
    return int(std::count_if(scene.path.begin(), scene.path.end(),
                             [&](int id) { return scene.held[size_t(id)].why == why; }));
}

// Tasks by hand: id, engine, stream, queued, begin, end, held_by, after.
lab::TimelineTask task(int id, const char* engine, int stream, int64_t queued, int64_t begin, int64_t end,
                       int held_by = -1, std::vector<int> after = {}) {
    lab::TimelineTask made;
    made.id = id;
    made.engine = engine;
    made.kind = made.engine.empty() ? "wait" : made.engine == "kernels" ? "kernel" : "copy";
    made.stream = stream;
    made.queued = queued;
    made.begin = begin;
    made.end = end;
    made.held_by = held_by;
    made.after = std::move(after);
    return made;
}

}  // namespace

TEST_CASE(
    "Engines and streams: the reason of a wait is found through marks, engines and the default stream") {
    lab::Timeline t;
    t.streams = {
        {0, "the default stream", "", 0, 0, 0}, {1, "a", "x.cu", 4, 0, 0}, {2, "b", "x.cu", 5, 0, 0}};
    t.tasks = {task(0, "copies_to_device", 1, 0, 10, 20),
               task(1, "kernels", 1, 1, 20, 30, 0),              // behind its copy
               task(2, "copies_to_device", 2, 2, 20, 30, 0),     // behind the other copy on the engine
               task(3, "", 2, 3, 32, 32, 1, {1}),                // cudaStreamWaitEvent for the kernel
               task(4, "kernels", 2, 4, 32, 40, 3),              // behind that mark
               task(5, "kernels", 0, 5, 42, 50, 4, {1, 4}),      // the default stream
               task(6, "copies_to_host", 1, 6, 52, 60, 5, {5}),  // waits for the default stream
               task(7, "copies_to_host", 2, 70, 72, 80)};        // the host called late
    t.tasks[6].is_critical = t.tasks[5].is_critical = true;
    const Scene scene = scene_of(t);
    const auto why = [&](size_t id) { return scene.held[id].why; };
    CHECK(why(0) == Wait::host);
    CHECK(why(1) == Wait::same_stream);
    CHECK(why(2) == Wait::engine);
    CHECK(scene.held[2].by == 0);
    CHECK(why(4) == Wait::event);
    CHECK(scene.held[4].by == 1);
    CHECK(why(5) == Wait::default_stream);
    CHECK(why(6) == Wait::default_stream);
    CHECK(why(7) == Wait::host);
    CHECK(scene.held[4].ns == 28);
    CHECK(scene.chunks == 2);
    CHECK(scene.chunk == std::vector<int>{0, 0, 1, -1, 1, -1, 0, 1});
    CHECK(scene.path == std::vector<int>{5, 6});
    CHECK(sentence_of(scene, 2) == "It waited for its engine, which was busy with the copy in of chunk 0.");
    CHECK(sentence_of(scene, 4) == "It waited for an event, behind the kernel of chunk 0.");
    CHECK(scene_of(lab::Timeline{}).timeline == nullptr);
}

TEST_CASE("Engines and streams: the solution's path waits for engines; bars name their lines; keys walk it") {
    Shown shown(solution_of(slug));
    INFO(shown.bundle().run.headline);
    REQUIRE(shown.bundle().run.passed);
    const lab::Timeline* timeline = shown.timeline_of("Copies run behind kernels");
    REQUIRE(timeline);
    const Scene scene = scene_of(*timeline);
    CHECK(scene.chunks == 6);
    CHECK(scene.streams == 3);
    CHECK(scene.overlap_pct > 80);
    CHECK(count_of(scene, Wait::engine) >= 5);
    CHECK(count_of(scene, Wait::default_stream) == 0);
    for (const EngineUse& engine : scene.engines) CHECK(engine.tasks == 6);
    const int bright = shown.window.pixels_like(panel, lab::palette().read);
    CHECK(bright > 500);
    CHECK(shown.window.pixels_like(panel, lab::palette().wrote) > 500);

    REQUIRE(shown.point_at_a_bar());
    const int line = shown.window.app->cursor_.line;
    CHECK(std::any_of(timeline->tasks.begin(), timeline->tasks.end(),
                      [&](const lab::TimelineTask& one) { return one.line == line; }));
    shown.window.picture("streams-1-bar");
    for (const bool down : {true, false}) {  // gives the panel the keys
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    shown.window.move_to({2, 2});
    shown.window.press(ImGuiKey_RightArrow);
    shown.window.press(ImGuiKey_RightArrow);
    shown.window.frames(4);
    // The step that is lit has its chunk in full colour, and the others are dimmed.
    CHECK(shown.window.pixels_like(panel, lab::palette().read) < bright / 2);
    shown.window.picture("streams-2-walk");
}

TEST_CASE("Engines and streams: a kernel in the default stream is what the copies wait for") {
    Shown shown(changed(solution_of(slug), "<<<blocks, threads, 0, stream>>>", "<<<blocks, threads>>>"));
    CHECK_FALSE(shown.bundle().run.passed);
    const lab::Timeline* timeline = shown.timeline_of("Copies run behind kernels");
    REQUIRE(timeline);
    const Scene scene = scene_of(*timeline);
    CHECK(scene.overlap_pct < 65);
    CHECK(count_of(scene, Wait::default_stream) >= 5);
    shown.window.picture("streams-3-default");
}

TEST_CASE("Engines and streams: sliding the streams to one runs the learner's own code again, in turn") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    std::ofstream(workspace.folder / "exercises" / "09_streams.cu", std::ios::binary) << solution_of(slug);
    for (size_t i = 0; i < window.app->lessons_.size(); ++i)
        if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
    window.frames(8);
    window.app->grade();
    REQUIRE(window.wait_for([&] { return window.graded(); }));
    window.frames(6);
    REQUIRE(window.has("try/streams"));
    window.drag("try/streams", 0.35f, 0.01f);
    REQUIRE(window.app->try_.wanted.settings.at("streams") == 1);
    const auto shown = [&]() -> const lab::Timeline* {
        const lab::RunPtr run = window.app->try_.shown;
        const bool is_it = run && window.graded("try") && run == window.app->grader_.run_of(slug, "try");
        return is_it && !run->run.timelines.empty() ? &run->run.timelines.front() : nullptr;
    };
    REQUIRE(window.wait_for([&] { return shown() && scene_of(*shown()).streams == 1; }));
    CHECK(window.app->try_.shown->run.passed);
    CHECK(scene_of(*shown()).overlap_pct == 0);
    CHECK(scene_of(*shown()).chunks == 6);
    window.frames(4);
    window.picture("streams-4-one");
}
