// Drives the window without a display: frames by hand, the mouse and the keys through ImGui's event queue,
// widgets by the names that the window marks them with.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/shell/headless.h"

// A learner's folder of their own: an exercises/ with the stub of lesson 01, progress and caches; gone
// afterwards.
class Workspace {
  public:
    Workspace();
    ~Workspace();
    std::filesystem::path folder, exercise;
    std::string stub, solution;
    void save(const std::string& text) const;  // as editors do: written aside, then renamed
    lab::Home home() const;
    bool gpu = false;  // the stand-in for cudalab answers for a GPU, too
};

class Driver {
  public:
    explicit Driver(const Workspace& workspace, int width = 1280, int height = 720, float scale = 1,
                    const std::string& cudalab = CUDALAB_CANNED);

    void frames(int count = 4);
    // Frames until `done` holds; false after `seconds`.
    bool wait_for(const std::function<bool()>& done, double seconds = 40);
    bool has(const std::string& mark) const { return app->marks_.contains(mark); }
    ImVec2 centre_of(const std::string& mark) const;
    void move_to(ImVec2 at);
    // Scrolls the lesson until the marked item is in view, then clicks its middle.
    void click(const std::string& mark);
    // Presses on the marked item, moves over it from one part of its width to another, lets go.
    void drag(const std::string& mark, float from, float to);
    void scroll_to(const std::string& mark);
    void press(ImGuiKeyChord chord);
    void type(const std::string& text);
    bool graded(const std::string& origin = "exercise") const;
    // Pixels of about this colour within a marked rectangle.
    int pixels_like(const std::string& mark, ImU32 colour) const;
    void picture(const std::string& name) const;  // where CUDALAB_UI_PICTURES names a folder

    std::unique_ptr<lab::Headless> screen;
    std::unique_ptr<lab::App> app;
};
