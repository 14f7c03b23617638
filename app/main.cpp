// cudalab-app: the window. `cudalab` starts it; `cudalab tour` draws the same into pictures.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>

#include "app/shell/drawing.h"
#include "app/shell/tour.h"
#include "app/shell/window.h"

int main(int argc, char** argv) {
    CLI::App cli{"The window of cudalab: lessons, your code, its verdict, and pictures of its run."};
    std::string lesson, theme, size = "1280x720";
    float scale = 0;
    bool first_frame = false;
    int present = 0;
    bool beats = false;
    lab::TourRequest tour;
    cli.add_option("lesson", lesson, "the lesson to open; without it, where you stopped");
    cli.add_option("--tour", tour.folder,
                   "draw every lesson and panel to PNG files in this folder, without a display");
    cli.add_option("--size", size, "of the pictures, as WIDTHxHEIGHT");
    cli.add_option("--font-scale", scale, "1 is the usual size, 2 twice that")->check(CLI::Range(0.5, 4.0));
    cli.add_option("--theme", theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
    std::vector<std::string> drawing;
    cli.add_option("--draw-timeline", drawing, "draw the timeline of a run's record (JSON) into a PNG file")
        ->expected(2);
    cli.add_flag("--beats", beats, "of --tour: the lesson's beats as a PDF file of that name");
    cli.add_option("--present", present, "begin with this beat of the lesson, in front of a class")
        ->check(CLI::PositiveNumber);
    cli.add_flag("--json", tour.json, "print the list of pictures as JSON");
    cli.add_flag("--first-frame", first_frame, "close after the first frame and print how long it took");
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? 0 : 2;
    }
    lab::AppOptions options;
    options.home = lab::find_home();
    options.data = lab::data_folder();
    options.cudalab = lab::find_cudalab();
    options.theme = theme == "light" ? lab::ThemeKind::light : lab::ThemeKind::dark;
    options.scale = scale > 0 ? scale : 1;
    options.remember = scale == 0 && theme.empty();
    options.present = present;
    if (beats && lesson.empty()) {
        fmt::print(stderr, "cudalab-app: --beats needs a lesson.\n");
        return 2;
    }
    if (present > 0)
        options.tell_presenter = [](const std::string& notes) {
            fmt::print("{}\n\n", notes);
            std::fflush(stdout);
        };
    if (!lesson.empty()) {
        const auto slug = lab::slug_from(options.home, lesson);
        if (!slug) {
            fmt::print(stderr, "cudalab-app: there is no lesson named {}. `cudalab lessons` lists them.\n",
                       lesson);
            return 2;
        }
        options.slug = *slug;
    }
    if (tour.folder.empty() && drawing.empty()) return lab::run_window(options, first_frame);
    if (std::sscanf(size.c_str(), "%dx%d", &tour.width, &tour.height) != 2 || tour.width < 320 ||
        tour.height < 240 || tour.width > 8192 || tour.height > 8192) {
        fmt::print(stderr, "cudalab-app: --size takes WIDTHxHEIGHT, for example 1280x720.\n");
        return 2;
    }
    if (beats) {
        tour.beats = options.slug;
        if (theme.empty()) options.theme = lab::ThemeKind::light;  // it is printed
        if (cli.count("--size") == 0) tour.width = 1920, tour.height = 1080;
    }
    if (!drawing.empty())
        return lab::draw_timeline(
            {drawing[0], drawing[1], tour.width, tour.height, options.theme, options.scale});
    return lab::run_tour(options, tour);
}
