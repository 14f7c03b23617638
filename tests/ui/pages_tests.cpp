// Lesson 11's own panel: where each page of managed memory was, act by act, and who stumbled over it.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "driver.h"
#include "lessons/11_unified_memory/panel_pages.h"

using namespace lab::lesson_11_unified_memory;

namespace {

constexpr const char* slug = "11_unified_memory";
constexpr const char* panel_mark = "panel/11_unified_memory";

std::string solution_of_11() {
    return lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "solutions" / "11_unified_memory.cu");
}

std::string without(std::string text, const std::string& line) {
    REQUIRE(text.find(line) != std::string::npos);
    return text.replace(text.find(line), line.size(), "");
}

void open_11(Driver& window, const Workspace& workspace, const std::string& text) {
    std::ofstream(workspace.folder / "exercises" / "11_unified_memory.cu", std::ios::binary) << text;
    for (size_t i = 0; i < window.app->lessons_.size(); ++i)
        if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
    REQUIRE(window.app->now().lesson.slug == slug);
    window.frames(8);
    window.app->grade();
    REQUIRE(window.wait_for([&] { return window.graded(); }));
    window.frames(6);
    REQUIRE(window.has(panel_mark));
}

int case_named(const lab::Run& run, const std::string& part) {
    for (size_t i = 0; i < run.cases.size(); ++i)
        if (run.cases[i].name.find(part) != std::string::npos) return int(i);
    FAIL("there is no such case: " << part);
    return -1;
}

// Columns of this kind, in order.
std::vector<size_t> acts_of(const Scene& scene, const std::string& title) {
    std::vector<size_t> found;
    for (size_t i = 0; i < scene.map->acts.size(); ++i)
        if (title_of(scene.map->acts[i]) == title) found.push_back(i);
    return found;
}

// Goes over the panel until `found` holds.
bool sweep(Driver& window, const std::function<bool()>& found) {
    const ImRect panel = window.app->marks_.at(panel_mark);
    for (int i = 1; i < 40; ++i)
        for (float x = 0.2f; x < 0.95f; x += 0.06f) {
            window.move_to(
                {panel.Min.x + panel.GetWidth() * x, panel.Min.y + panel.GetHeight() * float(i) / 40});
            if (found()) return true;
        }
    return false;
}

lab::Run run_with(lab::PageMap map) {
    lab::Run run;
    run.timelines.emplace_back();
    run.timelines.back().page_map = std::move(map);
    return run;
}

}  // namespace

TEST_CASE(
    "The solution's pages are sent, worked on and sent home; a click on the map holds a line of the code") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_11(window, workspace, solution_of_11());
    const lab::RunPtr run = window.app->learner_run();
    REQUIRE(run->run.passed);
    const Scene large = scene_of(run->run, case_named(run->run, "on a card of 4"));
    REQUIRE(large.map != nullptr);
    CHECK(large.device_pages == 4);
    CHECK(large.is_tight());
    CHECK(large.rows.size() == 7);
    for (const Column& column : large.columns) {
        CHECK(column.faults == 0);
        CHECK(column.on_device <= 4);
        CHECK(column.evicted == 0);
    }
    CHECK(acts_of(large, "prefetch").size() == 13);
    CHECK(acts_of(large, "develop_kernel").size() == 12);
    CHECK(summary_of(large) ==
          "No kernel faulted, and the host did not either, after it had made 7 pages. 448 KiB went to the "
          "device, "
          "384 KiB came home.");

    const lab::Cursor& cursor = window.app->cursor_;
    CHECK(window.pixels_like(panel_mark, lab::palette().read) > 50);
    CHECK(window.pixels_like(panel_mark, lab::palette().wrote) > 50);
    REQUIRE(sweep(window, [&] { return cursor.line > 0 && !cursor.pinned; }));
    CHECK(cursor.run == run->id);
    window.picture("pages-1-hover");
    const int line = cursor.line;
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    window.frames(2);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    window.frames(4);
    CHECK(cursor.pinned);
    CHECK(cursor.line == line);
    window.press(ImGuiKey_Escape);
    window.frames(4);
    CHECK_FALSE(cursor.pinned);
}

TEST_CASE("A curve without advice commutes on the map, and the fault names its line") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    const std::string advice =
        "cudaMemAdvise(curve, levels * sizeof(int), cudaMemAdviseSetReadMostly, device);";
    open_11(window, workspace, without(solution_of_11(), advice));
    const lab::Run& run = window.app->learner_run()->run;
    CHECK_FALSE(run.passed);
    const Scene scene = scene_of(run, case_named(run, "and no faults"));
    REQUIRE(scene.map != nullptr);
    const std::vector<size_t> kernels = acts_of(scene, "develop_kernel");
    REQUIRE(kernels.size() == 2);
    CHECK(scene.columns[kernels[0]].faults == 0);
    CHECK(scene.columns[kernels[1]].faults == 1);
    const Row& curve = scene.rows.back();
    CHECK(scene.map->buffers[size_t(curve.buffer)].name == "curve");
    CHECK_FALSE(curve.cells[kernels[1] - 1].on_device);  // the preview had it
    CHECK(curve.cells[kernels[1]].on_device);
    CHECK(curve.cells[kernels[1]].marks == fault);
    const std::string why = sentence_of(scene, curve.cells[kernels[1]], kernels[1]);
    CHECK(why.starts_with("A fault: a kernel read it, and it was on the other side. (line "));
    CHECK(window.pixels_like(panel_mark, lab::palette().bad) > 0);
    window.picture("pages-2-commutes");
}

TEST_CASE("A small card pushes pages out, and a slide to a larger one ends that") {
    const Workspace workspace;
    Driver window(workspace, 1600, 1000, 1, CUDALAB_REAL);
    open_11(window, workspace, solution_of_11());
    REQUIRE(window.has("try/card"));
    window.drag("try/piece", 0.05f, 0.99f);
    REQUIRE(window.app->try_.wanted.settings.at("piece") == 8);
    const auto tried = [&]() -> lab::RunPtr {
        const lab::RunPtr run = window.app->try_.shown;
        const bool is_it = run && window.graded("try") && run == window.app->grader_.run_of(slug, "try");
        return is_it ? run : nullptr;
    };
    const auto evictions = [&] {
        const Scene scene = scene_of(tried()->run, 0);
        int all = 0;
        for (const Column& column : scene.columns) all += column.evicted;
        return all;
    };
    REQUIRE(window.wait_for([&] { return tried() && evictions() > 0; }));
    CHECK(tried()->run.passed);  // right all the same
    window.picture("pages-3-pushed-out");
    window.drag("try/card", 0.05f, 0.99f);
    REQUIRE(window.wait_for([&] { return tried() && scene_of(tried()->run, 0).device_pages == 32; }));
    CHECK(evictions() == 0);
}

TEST_CASE("The map says for every kind of change where the page is and why") {
    lab::PageMap map;
    map.device_bytes = 3 * 65536;
    map.buffers = {
        {"x", "a.cu", 1, 4 * 65536, false}, {"v", "a.cu", 2, 4, true}, {"unused", "a.cu", 3, 65536, false}};
    map.acts = {{"host", "", "a.cu", 5, -1},
                {"kernel", "k<int>", "a.cu", 6, 0},
                {"call", "cudaMemAdvise", "a.cu", 7, -1},
                {"prefetch", "cudaMemPrefetchAsync", "a.cu", 8, -1},
                {"call", "cudaFree", "a.cu", 9, -1}};
    map.events = {{0, 0, 0, 4, "made", true, true, true, 0, "a.cu", 5},
                  {1, 0, 0, 2, "moved", true, false, false, 1, "a.cu", 3},
                  {1, 1, 0, 1, "copied", true, false, true, 1, "a.cu", 3},
                  {1, 0, 0, 1, "evicted", false, false, true, 0, "", 0},
                  {1, 0, 3, 1, "mapped", true, true, true, 0, "a.cu", 4},
                  {2, 0, 0, 4, "advised", false, false, true, 0, "a.cu", 7},
                  {4, 0, 0, 4, "freed", false, false, false, 0, "a.cu", 9}};
    const lab::Run run = run_with(map);
    const Scene scene = scene_of(run, 0);
    REQUIRE(scene.rows.size() == 5);  // nothing happened to the third buffer
    CHECK(scene.columns[0].touched == 4);
    CHECK(scene.columns[1].faults == 4);
    CHECK(scene.columns[1].evicted == 1);
    CHECK(scene.columns[1].on_device == 2);
    CHECK(scene.rows[4].cells[0].on_host);  // a variable begins with the host
    CHECK(scene.rows[0].cells[1].marks == (fault | evicted));
    CHECK(sentence_of(scene, 1) ==
          "2 of 5: k (line 6). 4 pages by fault, 1 page pushed out of a full device.");
    CHECK(sentence_of(scene, 2) == "3 of 5: advice (line 7). Nothing moves yet.");
    CHECK(sentence_of(scene, 3) == "4 of 5: prefetch (line 8). Everything was there already.");
    CHECK(sentence_of(scene, scene.rows[0].cells[1], 1) ==
          "The device was full, and this page had been there longest. It is with the host.");
    CHECK(sentence_of(scene, scene.rows[3].cells[1], 1) ==
          "A fault: a kernel wrote to it, and reaches it over the bus from now on. (line 4) It is with the "
          "host.");
    CHECK(sentence_of(scene, scene.rows[2].cells[0], 0) ==
          "The first touch made it: the host wrote to it. (line 5) It is with the host.");
    CHECK(sentence_of(scene, scene.rows[4].cells[1], 1).ends_with("Both sides have a copy."));
    CHECK(sentence_of(scene, scene.rows[1].cells[4], 4).starts_with("Freed."));
    CHECK(scene_of(lab::Run{}, 0).map == nullptr);
}
