// Lesson 23's own panel: the learner's kernels train while the curve grows, and what they have trained reads the pad.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <tuple>

#include "lesson_window.h"
#include "lessons/23_mlp_train/panel_train.h"
#include "workbench/data/digits.h"

namespace {

using namespace lab::lesson_23_mlp_train;

constexpr const char* slug = "23_mlp_train";
constexpr const char* panel = "panel/23_mlp_train";

struct Shown : LessonWindow {
    explicit Shown(const std::string& text) : LessonWindow(slug, panel, text) {}

    TrainPanel& training() {
        for (lab::PanelSlot& slot : window.app->now().side)
            if (slot.name == slug) return dynamic_cast<TrainPanel&>(*slot.panel);
        throw std::runtime_error("The panel is not there.");
    }
    void put_digit(int label) {
        for (uint64_t i = 0; i < 10; ++i) {
            const lab::Digit digit = lab::make_digit(5, i);
            if (digit.label == label) training().pad().set(lab::lesson_21_mlp_forward::ink_of(digit.pixels));
        }
        window.frames(2);
    }
};

}  // namespace

TEST_CASE("Training: the curve grows while the kernels work, and then their network reads the pad") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.window.app->learner_run()->run.passed);
    REQUIRE(shown.training().learned());
    CHECK_FALSE(shown.training().learned()->own);
    CHECK(shown.training().curve().is_empty());
    CHECK(shown.training().learned()->network.hidden == 32);
    CHECK(shown.training().verdict().accuracy() < 0.3);  // it is noise, and guesses
    shown.window.picture("training-1-before");

    // As long as it can be, so that a slow machine draws some frames meanwhile.
    shown.window.app->try_.wanted.settings["samples"] = 8000;
    shown.window.app->try_.wanted.settings["epochs"] = 8;
    shown.training().train();
    bool seen_alive = false;
    REQUIRE(shown.window.wait_for(
        [&] {
            const TrainPanel& training = shown.training();
            const bool running =
                shown.window.app->grader_.state_of(slug, "try") == lab::Grader::State::running;
            if (running && training.curve().steps() > 0 && training.curve().epochs() < 8) {
                if (!seen_alive) shown.window.picture("training-2-alive");
                seen_alive = true;
            }
            return training.learned()->own && !training.is_running();
        },
        120));
    CHECK(seen_alive);
    CHECK(shown.window.app->try_.shown->run.passed);
    CHECK(shown.training().curve().steps() == 2000);
    CHECK(shown.training().curve().epochs() == 8);
    CHECK(shown.training().curve().accuracy() > 0.9f);
    CHECK(shown.training().verdict().accuracy() > 0.9);
    CHECK(shown.training().learned()->network.hidden == 32);
    CHECK(std::filesystem::exists(kept_file()));

    CHECK(shown.training().answer() == -1);  // nothing on the pad
    for (const int digit : {0, 1, 6}) {
        shown.put_digit(digit);
        CHECK(shown.training().answer() == digit);
    }
    shown.window.picture("training-3-answers");
    // It is kept: another panel, as after a new start, reads with it.
    CHECK(learned_before().own);
    CHECK(learned_before().network.hidden == 32);
    std::filesystem::remove(kept_file());
    CHECK_FALSE(learned_before().own);
}

TEST_CASE("Training: every view has its picture, and the parts of the four programs are linked") {
    Shown shown(solution_of(slug));
    REQUIRE(shown.training().learned());
    for (const auto& [name, view] :
         {std::pair{"units", "units"}, {"mistakes", "mistakes"}, {"stages", "stages"}}) {
        shown.training().configure({{"view", view}});
        shown.window.frames(4);
        shown.window.picture(std::string("training-4-") + name);
    }
    CHECK(shown.training().view() == View::stages);
    const auto& stages = shown.training().stages().stages();
    REQUIRE(stages.size() == 4);
    for (const Stage& stage : stages) {
        REQUIRE(stage.parts.size() == stages[0].parts.size());
        for (size_t i = 0; i < stage.parts.size(); ++i) CHECK(stage.parts[i].name == stages[0].parts[i].name);
        CHECK(stage.parts.size() == 8);
    }
    const Verdict& verdict = shown.training().verdict();
    int all = 0;
    for (const auto& row : verdict.count)
        for (const int count : row) all += count;
    CHECK(all == most_tested);
    CHECK(int(verdict.worst.size()) == verdict.tested - verdict.right);
}

TEST_CASE("Training: a file that does not train says so, and the button is free again") {
    Shown shown(
        changed(solution_of(slug), "TRY(cudaGraphLaunch(step, stream));", "TRY(cudaErrorInvalidValue);"));
    REQUIRE_FALSE(shown.window.app->learner_run()->run.passed);
    shown.training().train();
    shown.window.frames(3);
    CHECK(shown.training().is_running());
    CHECK(shown.window.wait_for([&] { return !shown.training().is_running(); }, 60));
    CHECK_FALSE(shown.training().learned()->own);
}

TEST_CASE("Training: the panel in a small window and with large letters") {
    const Workspace workspace;
    for (const auto& [name, width, height, scale] :
         {std::tuple{"small", 1280, 720, 1.0f}, std::tuple{"large", 1600, 1000, 2.0f}}) {
        Driver window(workspace, width, height, scale, CUDALAB_REAL);
        for (size_t i = 0; i < window.app->lessons_.size(); ++i)
            if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
        CHECK(window.wait_for([&] { return window.graded("solution"); }));
        window.frames(6);
        window.press(ImGuiMod_Ctrl | ImGuiKey_4);
        window.frames(6);
        CHECK(window.has(panel));
        for (const char* view : {"train", "units", "mistakes", "stages"}) {
            for (lab::PanelSlot& slot : window.app->now().side)
                if (slot.name == slug) dynamic_cast<TrainPanel&>(*slot.panel).configure({{"view", view}});
            window.frames(4);
            window.picture(fmt::format("training-5-{}-{}", name, view));
        }
    }
}
