// A lesson in the driven window: graded by the real cudalab, with one of its panels in sight.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "driver.h"

inline std::string solution_of(const std::string& slug) {
    return lab::read_file(std::filesystem::path(CUDALAB_CONTENT) / "solutions" / (slug + ".cu"));
}

// The text with the one place replaced.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

struct LessonWindow {
    // `text` becomes the exercise. Throws, by REQUIRE, where `panel` ("panel/09_streams") never comes into sight.
    LessonWindow(const std::string& slug, const std::string& panel, const std::string& text)
        : window(workspace, 1600, 1000, 1, CUDALAB_REAL) {
        std::ofstream(workspace.folder / "exercises" / (slug + ".cu"), std::ios::binary) << text;
        for (size_t i = 0; i < window.app->lessons_.size(); ++i)
            if (window.app->lessons_[i].lesson.slug == slug) window.app->open_lesson(i);
        REQUIRE(window.app->now().lesson.slug == slug);
        window.frames(8);
        window.app->grade();
        REQUIRE(window.wait_for([&] { return window.graded(); }));
        window.frames(6);
        for (size_t i = 0; i < window.app->now().side.size() && !window.has(panel); ++i) {
            window.press(ImGuiMod_Ctrl | ImGuiKey_4);  // from panel to panel
            window.frames(6);
        }
        REQUIRE(window.has(panel));
    }

    Workspace workspace;
    Driver window;
};
