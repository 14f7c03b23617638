// Lesson 20's own panel: each job by hand and by library, in runs of the real machine.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/panels/timeline_parts.h"
#include "lesson_window.h"
#include "lessons/20_libraries/panel_jobs.h"

namespace {

using namespace lab::lesson_20_libraries;

constexpr const char* slug = "20_libraries";
constexpr const char* panel = "panel/20_libraries";

struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}
    const lab::RunBundle& bundle() const { return *window.app->learner_run(); }
    // The first place of the panel that points at a line, from the top.
    bool point_at_a_bar(float across) {
        const ImRect at = window.app->marks_.at(panel);
        for (float y = 0.1f; y < 0.98f; y += 0.012f) {
            window.move_to({at.Min.x + at.GetWidth() * across, at.Min.y + at.GetHeight() * y});
            if (window.app->cursor_.line > 0) return true;
        }
        return false;
    }
};

const Job& job(const Jobs& jobs, const std::string& part) {
    const auto found = std::find_if(jobs.jobs.begin(), jobs.jobs.end(), [&](const Job& one) {
        return one.title.find(part) != std::string::npos;
    });
    REQUIRE(found != jobs.jobs.end());
    return *found;
}

lab::TimedCall timed(const std::string& name, double us) {
    lab::TimedCall call;
    call.name = name;
    call.us = us;
    return call;
}

}  // namespace

TEST_CASE("Libraries: each job has both its ways, with the calls that they are made of") {
    const Shown shown(solution_of(slug));
    REQUIRE(shown.bundle().run.passed);
    const Jobs jobs = jobs_of(shown.bundle().run);
    REQUIRE(jobs.jobs.size() == 4);
    CHECK(jobs.queue_us > 1);
    const Job& product = job(jobs, "product of 128");
    REQUIRE(product.hand.pieces.size() == 1);
    REQUIRE(product.library.pieces.size() == 1);
    CHECK(product.hand.pieces[0].name == "multiply_by_hand_kernel");
    CHECK(product.library.pieces[0].name == "cublasSgemm");
    CHECK(product.library.source == Source::at_least);
    CHECK(product.library.us() < product.hand.us());
    const Job& fit = job(jobs, "a fit");
    CHECK(fit.hand.pieces.size() == 2);
    REQUIRE(fit.library.pieces.size() == 4);
    CHECK(fit.library.pieces[2].name == "cusolverDnSpotrf");
    CHECK(fit.library.pieces[2].line > fit.library.pieces[1].line);
    CHECK(fit.hand.us() > 10 * fit.library.us());
    const Job& noise = job(jobs, "random numbers");
    REQUIRE(noise.library.pieces.size() == 1);
    CHECK(noise.library.pieces[0].name == "curandGenerateNormal");
    CHECK(noise.library.source == Source::at_least);
    CHECK(noise.library.us() < noise.hand.us());
    CHECK(job(jobs, "deviation").library.source == Source::modelled);
}

TEST_CASE("Libraries: a job that nobody has done by library says so") {
    Shown shown(
        changed(solution_of(slug),
                "    TRY(cublasSgemm(tools->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, "
                "&zero, d_c, n));\n",
                ""));
    CHECK_FALSE(shown.bundle().run.passed);
    const Jobs jobs = jobs_of(shown.bundle().run);
    CHECK(job(jobs, "product").hand.is_done());
    CHECK_FALSE(job(jobs, "product").library.is_done());
    shown.window.picture("libraries-0-not-yet");
}

TEST_CASE("Libraries: pointing at a bar points at its line, and a click holds it") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.point_at_a_bar(0.2f));
    const lab::Cursor under = shown.window.app->cursor_;
    CHECK(under.run == shown.bundle().id);
    const Jobs jobs = jobs_of(shown.bundle().run);
    CHECK(std::any_of(jobs.jobs.begin(), jobs.jobs.end(), [&](const Job& one) {
        return one.case_index == under.case_index && one.hand.line() == under.line;
    }));
    shown.window.picture("libraries-1-hover");
    for (const bool down : {true, false}) {
        ImGui::GetIO().AddMouseButtonEvent(0, down);
        shown.window.frames(2);
    }
    CHECK(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_Escape);
    CHECK_FALSE(shown.window.app->cursor_.pinned);
    shown.window.press(ImGuiKey_RightArrow);
    shown.window.move_to({0, 0});
    shown.window.picture("libraries-2-step");
}

TEST_CASE("Libraries: times of a GPU take the model's place") {
    lab::Run run;
    run.times = lab::Times{};
    run.times->device = "some card";
    run.times->calls = {timed("multiply_by_hand", 900), timed("multiply", 400), timed("moments", 20)};
    const Jobs jobs = jobs_of(run);
    CHECK(jobs.is_measured);
    REQUIRE(jobs.jobs.size() == 2);
    CHECK(job(jobs, "product").hand.us() == 900);
    CHECK(job(jobs, "product").library.source == Source::measured);
    CHECK_FALSE(job(jobs, "deviation").hand.is_done());
    CHECK(time_text(900) == "900 us");
    CHECK(time_text(2340) == "2.3 ms");
}

TEST_CASE("Libraries: in the timeline, a call stands under its name") {
    LessonWindow lesson(slug, "panel/timeline", solution_of(slug));
    int calls = 0;
    for (const lab::Timeline& timeline : lesson.window.app->learner_run()->run.timelines)
        for (const lab::TimelineTask& task : timeline.tasks) {
            const std::string label = lab::label_of_task(task);
            CHECK(label.find("0 bytes") != 0);
            calls += label == "cublasSgemm" || label == "cusolverDnSpotrs";
        }
    CHECK(calls > 40);
    lesson.window.picture("libraries-timeline");
    lesson.window.app->set_scale(2);
    lesson.window.frames(12);
    lesson.window.press(ImGuiMod_Ctrl | ImGuiKey_4);
    lesson.window.frames(8);
    lesson.window.picture("libraries-double");
}
