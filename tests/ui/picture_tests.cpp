// Lesson 02's own panel: the learner's picture, graded and tried by the real machine.
#include <doctest/doctest.h>

#include <fstream>

#include "driver.h"

namespace {

constexpr const char* slug = "02_grids_2d";

std::string solution_of_02() {
    return lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "solutions" / "02_grids_2d.cu");
}

void save_02(const Workspace& workspace, const std::string& text) {
    std::ofstream(workspace.folder / "exercises" / "02_grids_2d.cu", std::ios::binary) << text;
}

void open_02(Driver& window) {
    for (size_t i = 0; i < window.app->lessons_.size(); ++i)
        if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
    REQUIRE(window.app->now().lesson.slug == slug);
    window.frames(8);
}

// Brings the panel's tab forward and goes over it until the mouse is on a pixel of an output.
bool point_at_a_written_pixel(Driver& window) {
    for (int i = 0; i < 2 && window.app->focus_.empty(); ++i) {
        window.press(ImGuiMod_Ctrl | ImGuiKey_4);
        window.frames(4);
    }
    const ImRect panel = window.app->marks_.at("panel/02_grids_2d");
    for (float y = 0.95f; y > 0.3f; y -= 0.06f)
        for (float x = 0.1f; x < 0.9f; x += 0.2f) {
            window.move_to({panel.Min.x + panel.GetWidth() * x, panel.Min.y + panel.GetHeight() * y});
            if (window.app->cursor_.has_element() && window.app->cursor_.has_thread()) return true;
        }
    return false;
}

const lab::ArrayValues* array_of(const lab::Run& run, int case_index, const std::string& name) {
    for (const lab::ArrayValues& array : run.arrays)
        if (array.case_index == case_index && array.name == name) return &array;
    return nullptr;
}

}  // namespace

TEST_CASE("The picture names the thread of the pixel under the mouse, and the thread map goes there") {
    const Workspace workspace;
    save_02(workspace, solution_of_02());
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_02(window);
    window.app->grade();
    REQUIRE(window.wait_for([&] { return window.graded() && window.app->learner_run()->run.passed; }));
    window.frames(6);
    REQUIRE(point_at_a_written_pixel(window));
    const lab::Cursor under = window.app->cursor_;
    const lab::Run& run = window.app->learner_run()->run;
    CHECK(under.run == window.app->learner_run()->id);
    CHECK(under.line > 0);
    // The landscape: blocks of 16 by 16, six across. Pixel and thread agree.
    const int64_t in_block = under.warp * 32 + under.lane;
    const int64_t column = under.block % 6 * 16 + in_block % 16, row = under.block / 6 * 16 + in_block / 16;
    const int64_t pixel = row * 96 + column;
    CHECK((under.element == pixel || under.element == 3 * pixel));  // of rgb, or of grey or out
    const lab::ArrayValues* grey = array_of(run, under.case_index, "grey");
    REQUIRE(grey);
    CHECK(grey->got == grey->expected);
    window.picture("picture-1-hover");

    ImGui::GetIO().AddMouseButtonEvent(0, true);
    window.frames(2);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    window.frames(4);
    CHECK(window.app->cursor_.pinned);
    // The key goes from panel to panel.
    for (size_t i = 0; i < window.app->now().side.size() && !window.has("panel/thread_map"); ++i) {
        window.press(ImGuiMod_Ctrl | ImGuiKey_4);
        window.frames(6);
    }
    REQUIRE(window.has("panel/thread_map"));
    CHECK(window.pixels_like("panel/thread_map", lab::palette().wrote) > 0);
    window.picture("picture-2-thread-map");
}

TEST_CASE(
    "Dragging the width shows the picture at that width; a grid that is too small leaves pixels marked") {
    const Workspace workspace;
    save_02(workspace, solution_of_02());
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_02(window);
    window.app->grade();
    REQUIRE(window.wait_for([&] { return window.graded(); }));
    for (int i = 0; i < 2; ++i) window.press(ImGuiMod_Ctrl | ImGuiKey_4);
    window.frames(6);
    REQUIRE(window.has("try/width"));
    window.drag("try/width", 0.55f, 0.3f);
    const int width = window.app->try_.wanted.settings.at("width");
    CHECK(width < 90);
    const auto shown = [&] {
        const lab::RunPtr run = window.app->try_.shown;
        return run && window.graded("try") && run == window.app->grader_.run_of(slug, "try") ? run : nullptr;
    };
    REQUIRE(window.wait_for([&] {
        const lab::RunPtr run = shown();
        const lab::ArrayValues* grey = run ? array_of(run->run, 0, "grey") : nullptr;
        return grey && grey->columns == uint64_t(width);
    }));
    const lab::ArrayValues* grey = array_of(shown()->run, 0, "grey");
    CHECK(grey->elements() == uint64_t(width) * 60);
    CHECK(grey->wrong.empty());
    const int before = window.pixels_like("panel/02_grids_2d", lab::palette().bad);
    window.picture("picture-3-width");

    window.drag("try/grid_y", 0.05f, 0.2f);
    REQUIRE(window.app->try_.wanted.grid[1] > 0);
    REQUIRE(window.wait_for([&] { return shown() && !shown()->run.passed; }));
    window.frames(4);
    grey = array_of(shown()->run, 0, "grey");
    REQUIRE(grey);
    CHECK(grey->is_wrong(grey->elements() - 1));
    CHECK(window.pixels_like("panel/02_grids_2d", lab::palette().bad) > before + 50);
    window.picture("picture-4-grid");
}

TEST_CASE("Pixels that a wrong kernel left out or got wrong are marked in the record and in red") {
    const Workspace workspace;
    std::string text = solution_of_02();
    const std::string line = "d_out[row * width + col] = sum / count;";
    text.replace(text.find(line), line.size(), "if (col != 3) d_out[row * width + col] = sum / 9;");
    save_02(workspace, text);
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_02(window);
    window.app->grade();
    REQUIRE(window.wait_for([&] { return window.graded(); }));
    for (int i = 0; i < 2; ++i) window.press(ImGuiMod_Ctrl | ImGuiKey_4);
    window.frames(8);
    const lab::Run& run = window.app->learner_run()->run;
    const lab::ArrayValues* out = nullptr;
    for (size_t i = 0; i < run.cases.size() && !out; ++i)
        if (!run.cases[i].passed) out = array_of(run, int(i), "out");
    REQUIRE(out);
    CHECK(out->is_wrong(0));                       // divided by nine
    CHECK(out->is_wrong(3));                       // left out
    CHECK_FALSE(out->is_wrong(out->columns + 1));  // right
    CHECK(window.pixels_like("panel/02_grids_2d", lab::palette().bad) > 50);
    window.picture("picture-5-wrong");
}
