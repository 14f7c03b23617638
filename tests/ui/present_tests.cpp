// Presenting: the beats of lesson 05, as an instructor goes through them with a clicker.
#include <doctest/doctest.h>

#include "app/screens/present_run.h"
#include "lesson_window.h"
#include "lessons/05_shared_memory/panel_banks.h"

using namespace lab::lesson_05_shared_memory;
using Step = lab::Presentation::Step;

namespace {

constexpr const char* slug = "05_shared_memory";

struct Room {
    explicit Room(int width = 1280, int height = 720) : window(workspace, width, height, 1, CUDALAB_REAL) {
        save(solution_of(slug));
        for (size_t i = 0; i < window.app->lessons_.size(); ++i)
            if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
        window.frames(8);
        window.app->grade();
        REQUIRE(window.wait_for([&] { return window.graded(); }));
        window.press(ImGuiKey_F5);
        window.frames(6);
        REQUIRE(window.app->present_.on);
    }
    const lab::Presentation& shown() const { return window.app->present_; }
    void save(const std::string& text) const {
        const auto file = workspace.folder / "exercises" / (std::string(slug) + ".cu");
        std::ofstream(file.string() + "~", std::ios::binary) << text;
        std::filesystem::rename(file.string() + "~", file);
    }
    void show_picture_of(size_t beat) {
        window.app->show_beat(beat, Step::picture);
        REQUIRE(window.wait_for([&] { return shown().slot.loaded && !window.app->grader_.busy(); }));
        window.frames(6);
    }
    int turns_of_try() {
        lab::RunChoice choice;
        choice.load(*shown().slot.loaded);
        int most = 0;
        for (const Visit& visit : scene_of(choice).visits)
            if (!visit.access.wrote) most = std::max(most, visit.turns);
        return most;
    }

    Workspace workspace;
    Driver window;
};

}  // namespace

TEST_CASE("a beat asks first, then shows, then says; the keys of a clicker lead through") {
    Room room;
    CHECK(room.shown().beat == 0);
    CHECK(room.window.has("present/question"));
    CHECK_FALSE(room.window.has("present/panel"));
    room.window.picture("present_question");
    room.window.press(ImGuiKey_PageDown);
    CHECK(room.window.has("present/panel"));
    CHECK(room.window.has("present/code"));
    CHECK_FALSE(room.window.has("present/takeaway"));
    REQUIRE(room.window.wait_for([&] { return room.shown().slot.loaded != nullptr; }));
    room.window.picture("present_picture");
    room.window.press(ImGuiKey_Space);
    CHECK(room.window.has("present/takeaway"));
    room.window.picture("present_takeaway");
    room.window.press(ImGuiKey_RightArrow);
    CHECK(room.shown().beat == 1);
    CHECK(room.shown().step == Step::question);
    room.window.press(ImGuiKey_PageUp);
    CHECK(room.shown().beat == 0);
    CHECK(room.shown().step == Step::takeaway);
    room.window.press(ImGuiKey_End);
    CHECK(room.shown().beat + 1 == room.window.app->now().lesson.beats.size());
    for (int i = 0; i < 6; ++i) room.window.press(ImGuiKey_PageDown);  // the last beat's takeaway stays
    CHECK(room.shown().step == Step::takeaway);
    room.window.press(ImGuiKey_Home);
    CHECK(room.shown().beat == 0);
}

TEST_CASE("blank, notes, pointer and the end of a presentation") {
    Room room;
    const int light = room.window.pixels_like("present/question", lab::palette().text);
    CHECK(light > 0);
    room.window.press(ImGuiKey_B);
    CHECK(room.window.pixels_like("present/question", lab::palette().text) == 0);
    room.window.press(ImGuiKey_Escape);  // the picture comes back first
    CHECK(room.shown().on);
    CHECK(room.window.pixels_like("present/question", lab::palette().text) == light);
    CHECK_FALSE(room.window.has("present/notes"));
    room.window.press(ImGuiKey_N);
    room.window.frames(2);
    CHECK(room.window.has("present/notes"));
    CHECK(room.window.app->notes_of_beat().find("Then show: ") != std::string::npos);
    room.window.picture("present_notes");
    room.window.press(ImGuiKey_P);
    room.window.move_to({640, 500});
    room.window.picture("present_pointer");
    room.window.press(ImGuiKey_F1);
    CHECK(room.window.has("help"));
    room.window.press(ImGuiKey_Escape);
    CHECK(room.shown().on);
    room.window.press(ImGuiKey_F5);
    room.window.frames(8);
    CHECK_FALSE(room.shown().on);
    CHECK(room.window.has("lesson"));
}

TEST_CASE("the bank-conflict beat: the room predicts, padding 0 becomes 1, and 32 turns become one") {
    Room room;
    room.window.press(ImGuiKey_End);
    room.window.press(ImGuiKey_1);  // what the room says
    CHECK(room.shown().said == 1);
    room.window.picture("present_banks_question");
    REQUIRE(room.window.wait_for([&] { return room.window.app->try_.shown != nullptr; }));
    room.window.press(ImGuiKey_PageDown);
    REQUIRE(room.window.wait_for([&] { return room.shown().slot.loaded == room.window.app->try_.shown; }));
    CHECK(room.turns_of_try() == 32);
    room.window.picture("present_banks_0");
    const lab::RunPtr before = room.window.app->try_.shown;
    room.window.press(ImGuiKey_UpArrow);
    REQUIRE(room.window.wait_for([&] { return room.window.app->try_.shown != before; }));
    room.window.frames(4);
    CHECK(room.turns_of_try() == 1);
    room.window.press(ImGuiKey_PageDown);
    room.window.picture("present_banks_1");
    CHECK(room.window.has("present/answer/3"));
}

TEST_CASE("a student's wrong line, saved while the room looks on, is in the picture at once") {
    Room room;
    room.window.press(ImGuiKey_End);
    room.window.press(ImGuiKey_PageDown);
    REQUIRE(room.window.wait_for([&] { return room.window.app->try_.shown != nullptr; }));
    const lab::RunPtr before = room.window.app->try_.shown;
    std::string wrong = solution_of(slug);
    for (size_t at; (at = wrong.find("    __syncthreads();\n")) != std::string::npos;)
        wrong.erase(at, std::string("    __syncthreads();\n").size());
    room.save(wrong);
    REQUIRE(room.window.wait_for([&] {
        const lab::RunPtr run = room.window.app->try_.shown;
        return run != before && room.shown().slot.loaded == run && !room.window.app->grader_.busy();
    }));
    const auto& findings = room.shown().slot.loaded->run.findings;
    REQUIRE_FALSE(findings.empty());
    CHECK(findings.front().kind == "shared-race");
    CHECK(findings.front().message.find("thread") != std::string::npos);
    CHECK(room.window.has("present/verdict"));
    room.window.picture("present_wrong_line");
}

TEST_CASE("a click gives the arrows to the panel, Escape gives them back") {
    Room room;
    room.show_picture_of(0);
    room.window.click("present/panel");
    CHECK(room.shown().panel_has_keys);
    room.window.press(ImGuiKey_RightArrow);
    CHECK(room.shown().step == Step::picture);  // a step in the panel, none in the lesson
    room.window.press(ImGuiKey_Escape);
    room.window.frames(2);
    CHECK(room.shown().on);
    CHECK_FALSE(room.shown().panel_has_keys);
    room.window.press(ImGuiKey_RightArrow);
    CHECK(room.shown().step == Step::takeaway);
    room.show_picture_of(1);
    room.window.click("present/panel");
    room.window.press(ImGuiKey_PageDown);  // a clicker's key always leads on
    CHECK(room.shown().step == Step::takeaway);
}

TEST_CASE("twice as large a text, as the presenter wants it") {
    Room room;
    for (int i = 0; i < 12; ++i) room.window.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
    CHECK(room.shown().scale == doctest::Approx(2));
    room.window.picture("present_double_question");
    for (size_t beat : {2u, 5u}) {
        room.show_picture_of(beat);
        room.window.app->show_beat(beat, Step::takeaway);
        room.window.frames(20);
        const auto& marks = room.window.app->marks_;
        CHECK(marks.at("present/takeaway").Max.y < 720);
        CHECK(marks.at("present/panel").GetHeight() > 720 * 0.25f);
        CHECK(marks.at("present/panel").Max.y <= marks.at("present/verdict").Min.y);
        CHECK(marks.at("present/question").Max.y <= marks.at("present/panel").Min.y);
        room.window.picture("present_double_" + std::to_string(beat + 1));
    }
}

TEST_CASE("every beat of the lesson has its picture, at 1280 by 720 and at 3840 by 2160") {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(3840, 2160)}) {
        Room room(width, height);
        for (size_t beat = 0; beat < room.window.app->now().lesson.beats.size(); ++beat) {
            CAPTURE(beat);
            room.show_picture_of(beat);
            CHECK(room.window.has("present/panel"));
            const ImRect panel = room.window.app->marks_.at("present/panel");
            CHECK(panel.GetHeight() > float(height) * 0.35f);
            room.window.app->show_beat(beat, Step::takeaway);
            room.window.frames(6);
            CHECK(room.window.app->marks_.at("present/takeaway").Max.y < float(height));
            room.window.picture("present_" + std::to_string(height) + "_beat_" + std::to_string(beat + 1));
        }
    }
}

TEST_CASE("the verdict under a picture is what the wrong program is shown for") {
    Room room;
    room.show_picture_of(3);  // barrier_in_the_branch races as well
    const lab::Finding* cause = lab::fault_shown(*room.window.app);
    REQUIRE(cause);
    CHECK(cause->kind == "barrier-divergence");
}

namespace {

// The beat of another lesson, with its takeaway; the exercise is as it was handed out.
struct OneBeat {
    OneBeat(const std::string& slug, size_t beat) : window(workspace, 1280, 720, 1, CUDALAB_REAL) {
        lab::App& app = *window.app;
        for (size_t i = 0; i < app.lessons_.size(); ++i)
            if (app.lessons_[i].lesson.slug == slug) app.open_lesson(i);
        window.frames(8);
        app.present(beat);
        app.show_beat(beat, Step::takeaway);
        REQUIRE(window.wait_for([&] { return app.present_.slot.loaded && !app.grader_.busy(); }));
        window.frames(6);
    }
    Workspace workspace;
    Driver window;
};

}  // namespace

TEST_CASE("the words under a picture and the marks in its code are those of the case that it shows") {
    OneBeat one("03_grid_stride", 3);  // int_index: a later case of the same run ends with an illegal address
    lab::App& app = *one.window.app;
    REQUIRE_FALSE(app.present_.slot.loaded->run.findings.empty());
    CHECK(lab::fault_shown(app) == nullptr);
    CHECK(lab::words_of_picture(app).find("Nobody took element 2147483648") == 0);
    CHECK(app.present_.code.only_case == 6);
    CHECK_FALSE(one.window.has("code/mark/31"));
    app.end_presentation();
    CHECK(app.code_.only_case == -1);
    CHECK(app.code_.named == 0);
}

TEST_CASE("a low picture leaves its code the whole width, and the line that is spoken of stands out") {
    OneBeat one("03_grid_stride", 1);
    lab::App& app = *one.window.app;
    const ImRect panel = app.marks_.at("present/panel"), code = app.marks_.at("present/code");
    CHECK(code.Min.y >= panel.Max.y);
    CHECK(code.GetWidth() > 1100);
    CHECK(app.present_.code.lines[size_t(app.present_.code.named - 1)].find("i += stride") !=
          std::string_view::npos);
    CHECK(one.window.pixels_like("present/code", lab::palette().accent_soft) > 5000);
}

TEST_CASE("a slider of an exercise that nobody has touched moves the solution, and shows its code") {
    OneBeat one("03_grid_stride", 5);
    lab::App& app = *one.window.app;
    CHECK_FALSE(lab::shows_own_file(app));
    CHECK(lab::code_of_beat(app).path == app.now().lesson.paths.solution);
    CHECK(one.window.has("present/code"));
    const auto grid = [&] { return app.try_.shown->run.kernels.front().grid.x; };
    CHECK(grid() == 264);
    one.window.press(ImGuiKey_UpArrow);
    REQUIRE(one.window.wait_for([&] { return grid() == 265; }));
}

TEST_CASE("every beat that says what to show shows it, in all lessons") {
    const Workspace workspace;
    Driver window(workspace, 1280, 720, 1, CUDALAB_REAL);
    lab::App& app = *window.app;
    int shown = 0;
    for (size_t index = 0; index < app.lessons_.size(); ++index) {
        const lab::Lesson& lesson = app.lessons_[index].lesson;
        if (lesson.slug == slug) continue;  // the test case above
        bool opened = false;
        for (size_t beat = 0; beat < lesson.beats.size(); ++beat) {
            const lab::Beat& named = lesson.beats[beat];
            if (named.code.empty() && named.options.empty() && named.from == "exercise") continue;
            CAPTURE(lesson.slug);
            CAPTURE(beat);
            if (!opened) app.open_lesson(index);
            if (!opened) window.frames(8);
            opened = true;
            app.present(beat);
            app.show_beat(beat, Step::takeaway);
            REQUIRE(window.wait_for([&] { return app.present_.slot.loaded && !app.grader_.busy(); }));
            window.frames(6);
            CHECK(window.has("present/panel"));
            CHECK((window.has("present/code") || named.code.empty()));
            CHECK(app.marks_.at("present/takeaway").Max.y < 720);
            const ImRect panel = app.marks_.at("present/panel");
            const bool low = window.has("present/code") && app.marks_.at("present/code").Min.y >= panel.Max.y;
            CHECK(panel.GetHeight() > 720 * (low ? 0.2f : 0.3f));
            window.picture("present_" + lesson.slug + "_" + std::to_string(beat + 1));
            ++shown;
        }
    }
    CHECK(shown >= 139);
}
