// "Further": a goal shows the number of the reader's own run, and a star when it is reached.
#include <doctest/doctest.h>

#include "app/theme/palette.h"
#include "lesson_window.h"

namespace {

constexpr const char* slug = "01_hello_threads";

std::string four_elements_a_thread() {
    const std::string loop = changed(solution_of(slug), "    if (i < n) {\n        d_out[i] = i * i;\n    }",
                                     "    for (i += 3 * blockIdx.x * blockDim.x; i < n &&\n"
                                     "         i < 4 * (blockIdx.x + 1) * blockDim.x; i += blockDim.x) {\n"
                                     "        d_out[i] = i * i;\n    }");
    return changed(loop, "(n + threads_per_block - 1) / threads_per_block",
                   "(n + 4 * threads_per_block - 1) / (4 * threads_per_block)");
}

}  // namespace

TEST_CASE("a goal has the number of the run that passed, and no star before it is reached") {
    LessonWindow lesson(slug, "panel/thread_map", solution_of(slug));
    lab::App& app = *lesson.window.app;
    REQUIRE(app.learner_run()->run.passed);
    REQUIRE(app.learner_run()->run.further.size() == 1);
    CHECK(app.learner_run()->run.further[0].value == 1250);
    lesson.window.scroll_to("goal/0");
    CHECK(lesson.window.has("goal/0"));
    CHECK_FALSE(app.now().ticks.further);
    lesson.window.picture("further_open");
}

TEST_CASE("a goal that is reached gives the lesson its star, and a run that fails later takes nothing away") {
    LessonWindow lesson(slug, "panel/thread_map", four_elements_a_thread());
    lab::App& app = *lesson.window.app;
    REQUIRE(app.learner_run()->run.passed);
    CHECK(lab::all_reached(app.learner_run()->run.further));
    CHECK(app.now().ticks.further);
    lesson.window.scroll_to("goal/0");
    CHECK(lesson.window.pixels_like("path/01_hello_threads", lab::palette().warn) >= 4);
    lesson.window.picture("further_reached");
}
