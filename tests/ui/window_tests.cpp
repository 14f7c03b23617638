#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>

#include "driver.h"

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

bool passed(const Driver& window) {
    return window.graded() && window.app->learner_run()->run.passed;
}
bool failed(const Driver& window) {
    return window.graded() && !window.app->learner_run()->run.passed;
}

// Answers as a reader does: with clicks, where the kind allows it; order and match by the answer that the
// rows stand for.
void answer_right(Driver& window, size_t index) {
    const lab::Quiz& quiz = window.app->now().lesson.quizzes[index];
    lab::QuizView& view = window.app->now().quizzes[index];
    const std::string name = "quiz/" + quiz.id;
    if (quiz.kind == lab::QuizKind::one || quiz.kind == lab::QuizKind::several) {
        for (size_t i = 0; i < quiz.options.size(); ++i)
            if (quiz.options[i].right) window.click(name + "/option/" + std::to_string(i));
    } else if (quiz.kind == lab::QuizKind::number || quiz.kind == lab::QuizKind::output) {
        window.click(name + "/field");
        const std::string text =
            quiz.kind == lab::QuizKind::number ? fmt::format("{}", quiz.answer) : quiz.output;
        for (char letter : text) {
            if (letter == '\n')
                window.press(ImGuiMod_Ctrl | ImGuiKey_Enter);
            else
                window.type(std::string(1, letter));
        }
    } else if (quiz.kind == lab::QuizKind::order) {
        for (size_t row = 0; row < quiz.options.size(); ++row)
            for (size_t at = row; at < quiz.options.size(); ++at)
                if (view.answer.chosen[at] == int(row))
                    for (size_t up = at; up > row; --up) window.click(name + "/up/" + std::to_string(up));
    } else {
        for (size_t i = 0; i < quiz.options.size(); ++i) view.answer.chosen[i] = int(i);
    }
    if (quiz.kind != lab::QuizKind::one) window.click(name + "/check");
}

}  // namespace

TEST_CASE("A reader opens lesson 01, answers wrong and then right, fails, and passes") {
    const Workspace workspace;
    Driver window(workspace);
    CHECK(window.has("lesson"));
    CHECK(window.app->untouched_);
    window.picture("1-opened");

    // The first question: a wrong answer says why and stays open, the right one closes it.
    const lab::Quiz& quiz = window.app->now().lesson.quizzes.at(0);
    REQUIRE(quiz.kind == lab::QuizKind::one);
    int right = 0;
    while (!quiz.options[size_t(right)].right) ++right;
    const int wrong = right == 0 ? 1 : 0;
    window.click("quiz/" + quiz.id + "/option/" + std::to_string(wrong));
    CHECK(window.app->now().quizzes[0].answered);
    CHECK_FALSE(window.app->now().quizzes[0].right);
    window.picture("2-wrong");
    window.click("quiz/" + quiz.id + "/option/" + std::to_string(right));
    CHECK(window.app->now().quizzes[0].right);
    CHECK(window.app->now().ticks.quizzes_right == 1);
    window.picture("3-right");

    // Nothing was graded by surprise; the solution's run fills the map.
    CHECK_FALSE(window.app->learner_run());
    REQUIRE(window.wait_for([&] { return window.graded("solution"); }));
    window.frames(4);
    CHECK(window.app->now().side.at(0).loaded);
    CHECK(window.app->now().side.at(0).notice.find("solution") != std::string::npos);

    // A save without the round-up: elements that nobody wrote.
    workspace.save(replaced(workspace.solution, "(n + threads_per_block - 1) / threads_per_block", "1"));
    REQUIRE(window.wait_for([&] { return failed(window); }));
    window.move_to(window.centre_of("verdict"));
    CHECK(window.app->learner_run()->run.headline.find("never written") != std::string::npos);
    const int line = window.app->learner_run()->run.findings.at(0).at.line;
    CHECK(window.has("code/mark/" + std::to_string(line)));
    CHECK(window.has("verdict/message/0"));
    CHECK(window.app->now().side.at(0).notice.empty());
    CHECK(window.pixels_like("code/mark/" + std::to_string(line), lab::palette().bad) > 5);
    CHECK(window.pixels_like("panel/thread_map", lab::palette().bad) > 20);
    CHECK(window.pixels_like("verdict", lab::palette().bad) > 20);
    window.picture("4-failed");

    // The solution.
    workspace.save(workspace.solution);
    REQUIRE(window.wait_for([&] { return passed(window); }));
    CHECK(window.pixels_like("verdict", lab::palette().good) > 20);
    CHECK(window.pixels_like("code", lab::palette().bad) == 0);
    window.picture("5-passed");
}

TEST_CASE("A thread outside the array and its element are red, and pointing at them lights the line") {
    const Workspace workspace;
    Driver window(workspace);
    workspace.save(replaced(workspace.solution, "if (i < n)", "if (true)"));
    REQUIRE(window.wait_for([&] { return failed(window); }));
    window.frames(6);
    CHECK(window.pixels_like("panel/thread_map", lab::palette().bad) > 5);
    const ImRect map = window.app->marks_.at("panel/thread_map");
    bool thread = false, element = false;
    for (float y = map.Min.y + 4; y < map.Max.y - 4; y += 5) {
        window.move_to({map.Min.x + lab::em(2), y});
        thread |= window.app->cursor_.has_thread();
        element |= window.app->cursor_.has_element();
        if (window.app->cursor_.has_thread()) {
            window.picture("6-thread");
            CHECK(window.app->cursor_.line > 0);
        }
    }
    CHECK(thread);
    CHECK(element);
    window.move_to(window.centre_of("verdict"));
    CHECK_FALSE(window.app->cursor_.has_thread());
}

TEST_CASE("A file that does not compile shows the compiler's line in plain words") {
    const Workspace workspace;
    Driver window(workspace);
    workspace.save(replaced(workspace.solution, "return cudaGetLastError();", "return cudaGetLastError()"));
    REQUIRE(window.wait_for([&] { return failed(window); }));
    CHECK(window.app->learner_run()->run.status == lab::Status::compile_error);
    window.frames(4);
    CHECK(window.has("code/mark/28"));
    window.picture("7-compile-error");
}

TEST_CASE("Everything is reached by keys: help, text size, theme, grading, panes") {
    const Workspace workspace;
    Driver window(workspace);
    window.press(ImGuiKey_F1);
    CHECK(window.has("help"));
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.has("help"));
    const float before = lab::em();
    window.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
    window.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
    CHECK(lab::em() > before);
    window.press(ImGuiMod_Ctrl | ImGuiKey_0);
    CHECK(lab::em() == before);
    window.press(ImGuiMod_Ctrl | ImGuiKey_D);
    CHECK(lab::theme_kind() == lab::ThemeKind::light);
    window.press(ImGuiMod_Ctrl | ImGuiKey_R);
    CHECK(window.wait_for([&] { return window.graded(); }));
    window.press(ImGuiMod_Ctrl | ImGuiKey_4);
    window.press(ImGuiKey_RightArrow);
    window.press(ImGuiKey_RightArrow);
    CHECK(window.app->cursor_.pinned);
    CHECK(window.app->cursor_.lane == 1);
    window.press(ImGuiKey_Escape);
    CHECK_FALSE(window.app->cursor_.has_thread());
}

TEST_CASE("A question is answered with the keyboard alone") {
    const Workspace workspace;
    Driver window(workspace);
    window.press(ImGuiMod_Ctrl | ImGuiKey_2);
    for (int i = 0; i < 40 && !window.app->now().quizzes[0].answered; ++i) {
        window.press(ImGuiKey_Tab);
        window.press(ImGuiKey_Space);
    }
    CHECK(window.app->now().quizzes[0].answered);
}

TEST_CASE("Hints open one at a time and stay open") {
    const Workspace workspace;
    {
        Driver window(workspace);
        CHECK(window.has("hint/1"));
        CHECK_FALSE(window.has("hint/2"));
        window.click("hint/1");
        CHECK(window.has("hint/2"));
    }
    Driver again(workspace);
    CHECK_FALSE(again.has("hint/1"));
    CHECK(again.has("hint/2"));
}

TEST_CASE("The window opens where the reader stopped") {
    const Workspace workspace;
    float place = 0;
    {
        Driver window(workspace);
        window.app->now().scroll_to = 0.5f;
        window.frames(8);
        place = window.app->now().scroll;
    }
    Driver again(workspace);
    again.frames(12);
    CHECK(again.app->now().scroll == doctest::Approx(place).epsilon(0.02));
}

TEST_CASE("What grows above moves nothing that the reader looks at") {
    const Workspace workspace;
    Driver window(workspace);
    window.wait_for([&] { return window.graded("exercise"); }, 20);
    lab::Lesson& lesson = window.app->now().lesson;
    const std::string mark = "quiz/" + lesson.quizzes.back().id + "/check";
    window.scroll_to(mark);
    window.frames(3);
    const auto place = window.centre_of(mark);
    const float scroll = window.app->now().scroll;
    lesson.problems.assign(5, "a line that appears at the top of the lesson");
    window.frames(4);
    CHECK(window.app->now().scroll > scroll + 50);
    CHECK(window.centre_of(mark).y == doctest::Approx(place.y).epsilon(0.01));
}

TEST_CASE("Every lesson opens, each of its questions can be answered right, and the next lesson follows") {
    const Workspace workspace;
    Driver window(workspace);
    for (size_t lesson = 0; lesson < window.app->lessons_.size(); ++lesson) {
        CAPTURE(window.app->now().lesson.slug);
        CHECK(window.app->now().lesson.problems.empty());
        for (size_t i = 0; i < window.app->now().lesson.quizzes.size(); ++i) {
            const lab::Quiz& quiz = window.app->now().lesson.quizzes[i];
            CAPTURE(quiz.id);
            answer_right(window, i);
            CHECK(window.app->now().quizzes[i].right);
        }
        CHECK(window.app->now().ticks.quizzes);
        window.picture("quizzes-" + std::to_string(lesson));
        if (lesson + 1 < window.app->lessons_.size()) window.click("lesson/next");
        CHECK(window.app->current_ == std::min(lesson + 1, window.app->lessons_.size() - 1));
    }
}

TEST_CASE(
    "With a GPU its verdict and its times follow those of the CPU machine, and go when the file changes") {
    Workspace workspace;
    workspace.gpu = true;
    Driver window(workspace);
    workspace.save(workspace.solution);
    REQUIRE(window.wait_for([&] { return window.graded() && window.has("verdict/times"); }));
    REQUIRE(window.app->gpu_run());
    CHECK(window.app->gpu_run()->run.second->passed);
    CHECK_FALSE(window.app->learner_run()->run.second);  // it did not wait for the GPU
    window.picture("gpu-passed");

    std::string wrong = workspace.solution;
    wrong.replace(wrong.find("if (i < n) "), 11, "");
    workspace.save(wrong);
    REQUIRE(window.wait_for(
        [&] { return window.graded() && !window.app->learner_run()->run.passed && window.app->gpu_run(); }));
    window.frames(4);
    CHECK(window.has("verdict/gpu"));
    CHECK_FALSE(window.has("verdict/times"));
    window.picture("gpu-hides");
}

TEST_CASE("Without a GPU nobody is told of one") {
    const Workspace workspace;
    Driver window(workspace);
    workspace.save(workspace.solution);
    REQUIRE(window.wait_for([&] { return window.graded(); }));
    window.frames(20);
    CHECK_FALSE(window.has("verdict/gpu"));
}

TEST_CASE("At twice the text size in a small window every pane is there, in tabs") {
    const Workspace workspace;
    Driver window(workspace, 1280, 720, 2);
    CHECK(window.app->narrow_);
    CHECK(window.has("verdict"));
    window.press(ImGuiMod_Ctrl | ImGuiKey_3);
    CHECK(window.has("code/path"));
    window.press(ImGuiMod_Ctrl | ImGuiKey_4);
    CHECK(window.has("panel/thread_map"));
    window.press(ImGuiMod_Ctrl | ImGuiKey_L);
    CHECK(window.has("path/01_hello_threads"));
    // The list covers the text below it.
    const ImRect row = window.app->marks_.at("path/01_hello_threads");
    const ImRect list{row.Min, {row.Max.x, row.Min.y + lab::em(14)}};
    window.app->mark("list", list.Min, list.Max);
    CHECK(window.pixels_like("list", lab::palette().raised) > 0.5f * list.GetWidth() * list.GetHeight() / 4);
    window.picture("narrow-lessons");
}

#ifdef CUDALAB_REAL
TEST_CASE("With the real grader: the stub fails in the words of the terminal, the solution passes") {
    const Workspace workspace;
    Driver window(workspace, 1280, 720, 1, CUDALAB_REAL);
    // The first run also makes the compiler's precompiled header.
    REQUIRE(window.wait_for([&] { return window.graded("solution"); }, 90));
    workspace.save(replaced(workspace.solution, "(n + threads_per_block - 1) / threads_per_block", "1"));
    REQUIRE(window.wait_for([&] { return failed(window); }, 60));
    const lab::Run& run = window.app->learner_run()->run;
    CHECK(run.headline.find("never written") != std::string::npos);
    CHECK_FALSE(run.next_action.empty());
    REQUIRE_FALSE(run.findings.empty());
    CHECK(window.has("code/mark/" + std::to_string(run.findings[0].at.line)));
    CHECK(window.pixels_like("panel/thread_map", lab::palette().bad) > 20);
    window.picture("8-real-failed");
    const auto saved = std::chrono::steady_clock::now();
    workspace.save(workspace.solution + "// once more\n");
    REQUIRE(window.wait_for([&] { return passed(window); }, 60));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - saved;
    MESSAGE("from a save to the verdict in the window: " << took.count() << " ms");
    CHECK(window.app->now().ticks.exercise);
    window.picture("9-real-passed");
}
#endif

TEST_CASE("a failed file is copied as a question: code, finding, lesson") {
    const Workspace workspace;
    Driver window(workspace);
    workspace.save(workspace.stub + "// ```wrong\n");
    REQUIRE(window.wait_for([&] { return window.graded() && window.has("verdict/copy"); }));
    window.click("verdict/copy");
    const std::string question = ImGui::GetClipboardText();
    CHECK(question.find("lesson 01") != std::string::npos);
    CHECK(question.find("````cuda\n") != std::string::npos);  // the code holds three backticks
    CHECK(question.find("// ```wrong\n````") != std::string::npos);
    CHECK(question.find("> " + window.app->learner_run()->run.headline) != std::string::npos);
    CHECK(question.find("leave the correction to me") != std::string::npos);
    window.picture("copied-question");
    window.app->set_scale(2);
    window.press(ImGuiMod_Ctrl | ImGuiKey_5);
    window.frames(12);
    CHECK(window.has("verdict/copy"));
    window.picture("copied-question-double");
}

TEST_CASE("larger text makes the buttons larger, too") {
    const Workspace workspace;
    Driver window(workspace);
    const float button = window.app->marks_.at("bar/larger").GetHeight();
    for (int i = 0; i < 5; ++i) window.click("bar/larger");
    window.frames(4);
    CHECK(window.app->marks_.at("bar/larger").GetHeight() > button * 1.35f);
}

TEST_CASE("What the reader made of the panes' sizes is there at the next start") {
    const Workspace workspace;
    float share = 0;
    {
        Driver window(workspace, 1600, 1000);
        window.app->options_.remember = true;
        const ImRect lesson = window.app->marks_.at("lesson");
        const ImVec2 splitter{lesson.Max.x + 2, lesson.GetCenter().y};
        window.move_to(splitter);
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        window.frames(2);
        for (int i = 1; i <= 8; ++i) window.move_to({splitter.x - 20.f * float(i), splitter.y});
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        window.frames(4);
        share = window.app->marks_.at("lesson").GetWidth();
        CHECK(share < lesson.GetWidth() - 100);
    }
    lab::Headless screen(1600, 1000);
    lab::AppOptions options;
    options.home = workspace.home();
    options.data = workspace.folder / "data";
    options.cudalab = CUDALAB_CANNED;
    options.slug = "01_hello_threads";
    lab::App app(options, [] {});
    for (int i = 0; i < 6; ++i) {
        screen.begin_frame();
        app.frame();
        screen.end_frame();
    }
    CHECK(app.marks_.at("lesson").GetWidth() == doctest::Approx(share).epsilon(0.02));
}
