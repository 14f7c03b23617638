#include "app/shell/tour.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "app/shell/drawing.h"
#include "app/shell/handout.h"
#include "app/shell/headless.h"

namespace lab {
namespace {

constexpr int settling_frames = 4;
constexpr double longest_wait = 60;  // seconds for a lesson's runs in the background

class Tour {
  public:
    Tour(const AppOptions& options, const TourRequest& request)
        : request_(request),
          home_(options.home),
          screen_(request.width, request.height),
          app_(options, [] {}) {}

    // A picture of each beat, with its answer and what to take away. For a hand-out.
    std::vector<std::string> beats() {
        wait_for_runs();
        show_beats(app_.now().lesson.slug);
        return pictures_;
    }
    const Lesson& lesson() { return app_.now().lesson; }

    std::vector<std::string> run() {
        for (size_t i = 0; i < app_.lessons_.size(); ++i) show_lesson(i);
        app_.show_help_ = true;
        picture("keys");
        show_examples();
        return pictures_;
    }

  private:
    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            screen_.begin_frame();
            app_.frame();
            screen_.end_frame();
        }
    }

    void wait_for_runs() {
        using clock = std::chrono::steady_clock;
        const auto start = clock::now();
        frames(settling_frames);
        while (app_.grader_.busy() &&
               std::chrono::duration<double>(clock::now() - start).count() < longest_wait) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            frames(1);
        }
    }

    void picture(const std::string& name) {
        frames(settling_frames);
        const std::string path = fmt::format("{}/{}.png", request_.folder, name);
        screen_.write_png(path);
        note(path);
    }

    void note(const std::string& path) {
        pictures_.push_back(path);
        if (!request_.json && request_.beats.empty()) fmt::print("{}\n", path);
    }

    void show_lesson(size_t index) {
        app_.open_lesson(index);
        LessonView& view = app_.now();
        const std::string slug = view.lesson.slug;
        view.scroll_to = 0;
        app_.grade();
        wait_for_runs();
        picture(slug);
        if (!view.lesson.sliders.empty()) {
            app_.try_.chosen = app_.try_.open = true;
            app_.try_.wanted.grid[0] = 1;  // too small for what the sliders start with: a fault to look at
            app_.start_try();
            wait_for_runs();
            picture(slug + ".tried");
            app_.end_try();
            app_.try_.chosen = false;
        }
        for (PanelSlot& slot : view.side) {
            app_.only_pane_ = slot.name;
            picture(fmt::format("{}.{}", slug, slot.name));
        }
        app_.only_pane_ = "Lesson";
        view.scroll_to = 0;
        frames(settling_frames);
        const float page = float(request_.height) - em(5);
        const int pages = 1 + int(view.scroll_most / page + 0.99f);
        for (int i = 0; i < pages; ++i) {
            view.scroll_to = view.scroll_most > 0 ? std::min(1.f, float(i) * page / view.scroll_most) : 0;
            frames(settling_frames);  // figures that come into view ask for their runs
            wait_for_runs();
            picture(fmt::format("{}.text{:02}", slug, i + 1));
        }
        app_.only_pane_.clear();
        show_beats(slug);
    }

    void show_beats(const std::string& slug) {
        const size_t count = app_.now().lesson.beats.size();
        app_.present(0);
        for (size_t i = 0; i < count; ++i) {
            app_.show_beat(i, Presentation::Step::takeaway);
            wait_for_runs();
            picture(fmt::format("{}.beat{}", slug, i + 1));
        }
        app_.end_presentation();
    }

    // The timelines of assets/examples.
    void show_examples() {
        std::vector<std::filesystem::path> files;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(home_.content / "assets/examples", none))
            if (entry.path().extension() == ".cu") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const auto& file : files) {
            const std::string name = file.stem().string(), origin = "example " + name;
            app_.grader_.request({"", origin, file});
            wait_for_runs();
            const RunPtr run = app_.grader_.run_of("", origin);
            if (!run || !run->problem.empty())
                throw std::runtime_error(fmt::format("{} could not be run: {}", file.string(),
                                                     run ? run->problem : "it takes too long"));
            draw_panel(screen_, "timeline", *run, file.filename().string());
            const std::string path = fmt::format("{}/example.{}.png", request_.folder, name);
            screen_.write_png(path);
            note(path);
        }
    }

    TourRequest request_;
    Home home_;
    Headless screen_;
    App app_;
    std::vector<std::string> pictures_;
};

int run_handout(const AppOptions& options, const TourRequest& request, const std::string& scratch) {
    if (std::filesystem::path(request.folder).extension() != ".pdf")
        throw std::runtime_error(fmt::format(
            "a hand-out is a PDF file: give it a name that ends in .pdf, not {}.", request.folder));
    TourRequest drawn = request;
    drawn.folder = scratch;
    Tour tour(options, drawn);
    const std::vector<std::string> pictures = tour.beats();
    write_handout(request.folder, tour.lesson(), pictures);
    if (request.json)
        fmt::print("{{\"pictures\": [\"{}\"]}}\n", request.folder);
    else
        fmt::print("{} beats in {}\n", pictures.size(), request.folder);
    return 0;
}

}  // namespace

int run_tour(AppOptions options, const TourRequest& request) {
    try {
        // A tour is nobody's progress: everything goes to a folder that is thrown away.
        char scratch[] = "/tmp/cudalab-tour-XXXXXX";
        if (!mkdtemp(scratch)) throw std::runtime_error("No temporary folder can be made in /tmp.");
        options.data = scratch;
        options.remember = false;
        setenv("CUDALAB_DATA", scratch, 1);
        if (!request.beats.empty()) {
            const int code = run_handout(options, request, scratch);
            std::filesystem::remove_all(scratch);
            return code;
        }
        std::filesystem::create_directories(request.folder);
        const std::vector<std::string> pictures = Tour(options, request).run();
        std::filesystem::remove_all(scratch);
        if (request.json) {
            std::string list;
            for (const std::string& path : pictures) list += (list.empty() ? "\"" : ", \"") + path + "\"";
            fmt::print("{{\"pictures\": [{}]}}\n", list);
        } else {
            fmt::print("{} pictures in {}\n", pictures.size(), request.folder);
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "cudalab-app: {}\n", error.what());
        return 1;
    }
}

}  // namespace lab
