#include "driver.h"

#include <stdlib.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace fs = std::filesystem;

Workspace::Workspace() {
    std::string name = (fs::temp_directory_path() / "cudalab-ui-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder = name;
    fs::create_directories(folder / "exercises");
    solution = lab::read_file(fs::path(CUDALAB_CONTENT) / "solutions" / "01_hello_threads.cu");
    stub = lab::cut_stub(solution, "01_hello_threads.cu");
    exercise = folder / "exercises" / "01_hello_threads.cu";
    save(stub);
    // A workspace of `cudalab init`, so that the child process finds the same files.
    std::ofstream(folder / ".cudalab") << "";
    setenv("CUDALAB_DATA", (folder / "data").c_str(), 1);
    setenv("CUDALAB_CACHE", (folder / "cache").c_str(), 1);
    fs::create_directories(folder / "cache");
}

Workspace::~Workspace() {
    std::error_code ignored;
    fs::current_path("/", ignored);
    fs::remove_all(folder, ignored);
}

void Workspace::save(const std::string& text) const {
    const fs::path aside = exercise.string() + "~";
    std::ofstream(aside, std::ios::binary) << text;
    fs::rename(aside, exercise);
}

lab::Home Workspace::home() const {
    return {CUDALAB_CONTENT, folder / "exercises"};
}

Driver::Driver(const Workspace& workspace, int width, int height, float scale, const std::string& cudalab) {
    fs::current_path(workspace.folder);
    screen = std::make_unique<lab::Headless>(width, height);
    lab::AppOptions options;
    options.home = workspace.home();
    options.data = workspace.folder / "data";
    options.cudalab = cudalab;
    options.scale = scale;
    options.remember = false;
    options.slug = "01_hello_threads";
    if (workspace.gpu) options.has_gpu = [] { return true; };
    app = std::make_unique<lab::App>(options, [] {});
    frames(6);
}

void Driver::frames(int count) {
    for (int i = 0; i < count; ++i) {
        screen->begin_frame();
        app->frame();
        screen->end_frame();
    }
}

bool Driver::wait_for(const std::function<bool()>& done, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    while (!done()) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        frames(1);
    }
    frames(3);
    return true;
}

ImVec2 Driver::centre_of(const std::string& mark) const {
    const auto found = app->marks_.find(mark);
    if (found == app->marks_.end()) throw std::runtime_error("nothing on the screen is marked " + mark);
    return found->second.GetCenter();
}

void Driver::move_to(ImVec2 at) {
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    frames(2);
}

void Driver::scroll_to(const std::string& mark) {
    const ImRect view = app->marks_.at("lesson");
    for (int i = 0; i < 200; ++i) {
        const float middle = centre_of(mark).y;
        const float off = middle - view.GetCenter().y;
        if (std::fabs(off) < view.GetHeight() * 0.4f) return;
        lab::LessonView& lesson = app->now();
        lesson.scroll_to = std::clamp((lesson.scroll + off) / std::max(1.f, lesson.scroll_most), 0.f, 1.f);
        frames(6);
    }
}

void Driver::click(const std::string& mark) {
    const bool scrolls =
        mark.starts_with("quiz/") || mark.starts_with("hint/") || mark.starts_with("lesson/");
    // A picture that arrives above it pushes it down, maybe out of view: wait until it stays where the mouse is.
    constexpr int settles = 16;
    for (int i = 0; i < settles; ++i) {
        if (scrolls) scroll_to(mark);
        const ImVec2 before = centre_of(mark);
        move_to(before);
        const ImVec2 after = centre_of(mark);
        if (before.x == after.x && before.y == after.y) break;
    }
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frames(2);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frames(4);
}

// The mark is looked up anew for every step: a verdict that arrives meanwhile may move it or change its width.
void Driver::drag(const std::string& mark, float from, float to) {
    const auto at = [&](float part) {
        const ImRect rect = app->marks_.at(mark);
        return ImVec2{rect.Min.x + rect.GetWidth() * part, rect.GetCenter().y};
    };
    move_to(at(from));
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frames(2);
    for (int step = 1; step <= 8; ++step) move_to(at(from + (to - from) * float(step) / 8));
    constexpr int settles = 16;
    for (int i = 0; i < settles; ++i) {
        const ImVec2 before = at(to);
        move_to(before);
        const ImVec2 after = at(to);
        if (before.x == after.x && before.y == after.y) break;
    }
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frames(2);
}

void Driver::press(ImGuiKeyChord chord) {
    ImGuiIO& io = ImGui::GetIO();
    const ImGuiKey key = ImGuiKey(chord & ~ImGuiMod_Mask_);
    for (const bool down : {true, false}) {
        if (chord & ImGuiMod_Ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, down);
        if (chord & ImGuiMod_Shift) io.AddKeyEvent(ImGuiMod_Shift, down);
        io.AddKeyEvent(key, down);
        frames(2);
    }
    frames(3);
}

void Driver::type(const std::string& text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frames(4);
}

bool Driver::graded(const std::string& origin) const {
    const std::string& slug = app->now().lesson.slug;
    return app->grader_.run_of(slug, origin) &&
           app->grader_.state_of(slug, origin) == lab::Grader::State::idle;
}

int Driver::pixels_like(const std::string& mark, ImU32 colour) const {
    const ImRect& rect = app->marks_.at(mark);
    int found = 0;
    for (int y = int(rect.Min.y); y < int(rect.Max.y); y += 2)
        for (int x = int(rect.Min.x); x < int(rect.Max.x); x += 2) {
            const unsigned pixel = screen->pixel(x, y);
            int distance = 0;
            for (int shift : {0, 8, 16})
                distance += std::abs(int(pixel >> shift & 255) - int(colour >> shift & 255));
            found += distance < 24;
        }
    return found;
}

void Driver::picture(const std::string& name) const {
    if (const char* folder = std::getenv("CUDALAB_UI_PICTURES"))
        screen->write_png(std::string(folder) + "/" + name + ".png");
}
