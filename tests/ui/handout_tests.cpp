// The beats on paper: a PDF of A4 pages.
#include <doctest/doctest.h>

#include "app/shell/handout.h"
#include "driver.h"

#ifdef CUDALAB_HAS_PANGO
TEST_CASE("a hand-out is a PDF with two beats a page, and what can't be written is said") {
    const Workspace workspace;
    Driver window(workspace, 640, 360);
    const std::string picture = (workspace.folder / "beat.png").string();
    window.screen->write_png(picture);
    const std::string file = (workspace.folder / "handout.pdf").string();
    lab::write_handout(file, window.app->now().lesson, {picture, picture, picture});
    const std::string text = lab::read_file(std::filesystem::path(file));
    CHECK(text.starts_with("%PDF-"));
    CHECK(text.find("/Count 2") != std::string::npos);  // pages
    CHECK(text.size() > 2000);
    CHECK_THROWS_WITH(lab::write_handout(file, window.app->now().lesson, {"/nowhere.png"}),
                      doctest::Contains("can't be read"));
    CHECK_THROWS_WITH(lab::write_handout("/nowhere/h.pdf", window.app->now().lesson, {picture}),
                      doctest::Contains("can't be written"));
}
#else
TEST_CASE("a build without Pango says what a hand-out needs") {
    const lab::Lesson lesson;
    CHECK_THROWS_WITH(lab::write_handout("h.pdf", lesson, {}), doctest::Contains("libpango1.0-dev"));
}
#endif
