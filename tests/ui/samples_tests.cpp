// Lesson 06's own panel: what a warp asks of the constant cache, and where a texture is sampled.
#include <doctest/doctest.h>

#include "lesson_window.h"
#include "lessons/06_constant_texture/panel_constant.h"
#include "lessons/06_constant_texture/panel_texture.h"

using namespace lab::lesson_06_constant_texture;

namespace {

constexpr const char* slug = "06_constant_texture";
constexpr const char* panel = "panel/06_constant_texture";

lab::RunChoice chosen(const lab::RunBundle& run, const std::string& part) {
    lab::RunChoice choice;
    choice.configure({{"case", part}});
    choice.load(run);
    return choice;
}

const Fetch* fetch_of(const TextureScene& scene, unsigned x, unsigned y) {
    for (const Fetch& fetch : scene.fetches)
        if (fetch.thread.x == x && fetch.thread.y == y) return &fetch;
    return nullptr;
}

int sum_of_weights(const std::vector<Tap>& taps) {
    int sum = 0;
    for (const Tap& tap : taps) sum += tap.weight;
    return sum;
}

}  // namespace

TEST_CASE("one address is a broadcast, and the panel shows where each pixel of the zoom was sampled") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    const lab::RunBundle& run = *lesson.window.app->learner_run();
    REQUIRE(run.run.passed);

    const ConstantScene constant = constant_scene_of(chosen(run, "1024 numbers, radius 8"));
    REQUIRE(constant.reads.size() == 544);
    CHECK(constant.variable == "c_weights");
    CHECK(constant.words == 17);
    const ConstantRead& read = constant.reads[5];
    CHECK(read.turns == std::vector<int>{5});
    CHECK(sentence_of(read, constant, "0") == "Warp 0 of block 0 reads c_weights[5] at line " +
                                                  std::to_string(read.line) +
                                                  ": 32 lanes, one address, 1 turn.");

    const TextureScene texture = texture_scene_of(chosen(run, "5 by 4 texels become 12 by 7"));
    CHECK(texture.columns == 5);
    CHECK(texture.rows == 4);
    CHECK(texture.texels.size() == 20);
    CHECK(texture.fetches.size() == 84);
    CHECK(sampling_text(texture) == "Linear filter, coordinates from 0 to 1, clamp beyond the edges.");
    const Fetch* fetch = fetch_of(texture, 6, 3);
    REQUIRE(fetch);
    CHECK(fetch->x() == doctest::Approx(6.5 / 12 * 5).epsilon(0.01));
    CHECK(fetch->y() == doctest::Approx(3.5 / 7 * 4).epsilon(0.01));
    const std::vector<Tap> taps = texture.taps(*fetch);
    REQUIRE(taps.size() == 4);
    CHECK(taps[0].column == 2);
    CHECK(taps[0].row == 1);
    CHECK(sum_of_weights(taps) == 256);
    lesson.window.picture("samples_passed");
}

TEST_CASE("what a sample is made of gives the value that the kernel wrote, in every address mode") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    const lab::RunBundle& run = *lesson.window.app->learner_run();
    for (const char* mode : {"clamp", "wrap", "mirror", "border"}) {
        CAPTURE(mode);
        const lab::RunChoice choice = chosen(run, std::string("past the edges, ") + mode);
        const TextureScene scene = texture_scene_of(choice);
        REQUIRE(scene.fetches.size() == 1200);
        CHECK(mode_name(scene.sampling.mode[0]) == std::string(mode));
        const float* out = nullptr;
        for (const lab::ArrayValues& array : run.run.arrays)
            if (array.case_index == choice.case_index() && array.name == "out")
                out = reinterpret_cast<const float*>(array.got.data());
        REQUIRE(out);
        for (const Fetch& fetch : scene.fetches) {
            double sum = 0;
            for (const Tap& tap : scene.taps(fetch))
                sum += tap.weight / 256.0 * double(*scene.value(tap.column, tap.row));
            REQUIRE(sum == doctest::Approx(out[fetch.thread.y * 40 + fetch.thread.x]).epsilon(1e-4));
        }
    }
    CHECK(texture_scene_of(chosen(run, "past the edges, mirror")).left < -3);
}

TEST_CASE("an order of its own in every lane takes a turn for each weight") {
    LessonWindow lesson(slug, panel,
                        changed(solution_of(slug), "sum += c_weights[k] * d_in[at];",
                                "sum += c_weights[(k + threadIdx.x) % (2 * radius + 1)] * d_in[at];"));
    const lab::RunBundle& run = *lesson.window.app->learner_run();
    REQUIRE_FALSE(run.run.passed);
    const ConstantScene scene = constant_scene_of(chosen(run, "1024 numbers, radius 8"));
    REQUIRE(scene.reads.size() == 544);
    CHECK(scene.reads[0].turns.size() == 17);
    CHECK(scene.reads[0].served(0) == 2);  // lanes 0 and 17
    CHECK(sentence_of(scene.reads[0], scene, "0").find("17 addresses, 17 turns.") != std::string::npos);
    lesson.window.picture("samples_turns");
}

TEST_CASE("the mouse on a sample points at its thread") {
    LessonWindow lesson(slug, panel, solution_of(slug));
    lab::App& app = *lesson.window.app;
    lesson.window.drag("try/edge", 0.3f, 1.0f);
    const auto settled = [&] {
        const lab::RunPtr run = app.try_.shown;
        return run && lesson.window.graded("try") && run == app.grader_.run_of(slug, "try");
    };
    REQUIRE(lesson.window.wait_for(settled));
    const TextureScene scene = texture_scene_of(chosen(*app.try_.shown, ""));
    CHECK(mode_name(scene.sampling.mode[0]) == std::string("border"));
    lesson.window.frames(6);
    const ImRect at = app.marks_.at(panel);
    bool pointed = false;
    for (float y = 0.2f; y < 0.9f && !pointed; y += 0.03f)
        for (float x = 0.1f; x < 0.9f && !pointed; x += 0.1f) {
            lesson.window.move_to({at.Min.x + at.GetWidth() * x, at.Min.y + at.GetHeight() * y});
            pointed = app.cursor_.has_thread();
        }
    CHECK(pointed);
    lesson.window.picture("samples_border");
}
