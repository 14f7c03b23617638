// The window, drawn by software without a display at 1600x1000: how long until the first frame, how long one
// frame of every screen and panel takes, and what the program uses while nothing happens.
//
//     build/app_frames [WIDTHxHEIGHT]
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "app/app.h"
#include "app/shell/headless.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace {

constexpr int kStarts = 11, kFrames = 90;
constexpr double kIdleSeconds = 5, kLongestWait = 60;
int width = 1600, height = 1000;

double now() {
    timespec at{};
    clock_gettime(CLOCK_MONOTONIC, &at);
    return double(at.tv_sec) + double(at.tv_nsec) * 1e-9;
}

double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Times {
    double median, p95;
};
Times times_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return {1000 * seconds[seconds.size() / 2], 1000 * seconds[seconds.size() * 95 / 100]};
}

lab::AppOptions options_in(const fs::path& scratch) {
    lab::AppOptions options;
    options.home = lab::find_home();
    options.data = scratch;
    options.cudalab = lab::find_cudalab();
    options.remember = false;
    return options;
}

// Begins to end of one frame, with all of its pixels drawn: reading one waits for them.
double draw_frame(lab::Headless& screen, lab::App& app) {
    const double start = now();
    screen.begin_frame();
    app.frame();
    screen.end_frame();
    (void)screen.pixel(width / 2, height / 2);
    return now() - start;
}

// In a process of its own: prints the seconds since `start`, a time of this computer's monotonic clock.
int first_frame(double start, const fs::path& scratch) {
    lab::Headless screen(width, height);
    lab::App app(options_in(scratch), [] {});
    draw_frame(screen, app);
    fmt::print("{:.6f}\n", now() - start);
    std::fflush(stdout);
    _exit(0);
}

void measure_starts(const fs::path& scratch) {
    std::vector<double> seconds;
    for (int i = -2; i < kStarts; ++i) {
        const std::string command = fmt::format("/proc/{}/exe --first-frame {:.9f} {} {}x{}", getpid(), now(),
                                                scratch.string(), width, height);
        FILE* pipe = popen(command.c_str(), "r");
        double one = 0;
        if (!pipe || std::fscanf(pipe, "%lf", &one) != 1) {
            fmt::print(stderr, "The program could not be started again to time its first frame.\n");
            exit(1);
        }
        pclose(pipe);
        if (i >= 0) seconds.push_back(one);
    }
    const Times t = times_of(seconds);
    fmt::print("start to first frame: median {:.0f} ms of {}, 95th percentile {:.0f} ms\n\n", t.median,
               kStarts, t.p95);
}

class Bench {
  public:
    explicit Bench(const fs::path& scratch)
        : screen_(width, height), app_(options_in(scratch), [this] { ++wakes_; }) {}

    void run() {
        // The CPU's own time, of all threads, says the same on a machine that others use.
        fmt::print("{:<44} {:>10} {:>10} {:>10} {:>10}\n", "", "median ms", "95 % ms", "CPU ms", "triangles");
        for (size_t i = 0; i < app_.lessons_.size(); ++i) lesson(i);
        app_.show_help_ = true;
        frames("keys, over the window");
        app_.show_help_ = false;
        idle();
    }

  private:
    void wait_for_runs() {
        const double start = now();
        for (int i = 0; i < 6; ++i) draw_frame(screen_, app_);
        while (app_.animates() && now() - start < kLongestWait) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            draw_frame(screen_, app_);
        }
    }

    // The mouse crosses the whole picture meanwhile, so that everything is pointed at once.
    void frames(const std::string& what) {
        for (int i = 0; i < 6; ++i) draw_frame(screen_, app_);
        std::vector<double> seconds;
        const double cpu = cpu_seconds();
        int most_triangles = 0;
        for (int i = 0; i < kFrames; ++i) {
            const float part = (float(i) + 0.5f) / kFrames;
            ImGui::GetIO().AddMousePosEvent(float(width) * (0.55f + 0.45f * float(i % 10) / 10),
                                            float(height) * part);
            seconds.push_back(draw_frame(screen_, app_));
            most_triangles = std::max(most_triangles, ImGui::GetDrawData()->TotalIdxCount / 3);
        }
        ImGui::GetIO().AddMousePosEvent(-1, -1);
        const Times t = times_of(seconds);
        fmt::print("{:<44} {:>10.1f} {:>10.1f} {:>10.1f} {:>10}{}\n", what, t.median, t.p95,
                   1000 * (cpu_seconds() - cpu) / kFrames, most_triangles,
                   t.p95 > 1000.0 / 60 ? "  over 16.6" : "");
    }

    void lesson(size_t index) {
        app_.open_lesson(index);
        app_.now().scroll_to = 0;
        app_.grade();
        wait_for_runs();
        const std::string slug = app_.now().lesson.slug;
        frames(slug);
        if (!app_.now().lesson.sliders.empty()) {
            app_.start_try();
            wait_for_runs();
            frames(slug + ", other sizes tried");
        }
        for (const lab::PanelSlot& slot : app_.now().side) {
            app_.only_pane_ = slot.name;
            frames(slug + ", " + slot.name + " alone");
        }
        app_.end_try();
        app_.only_pane_ = "Lesson";
        frames(slug + ", text alone, top");
        app_.now().scroll_to = 0.5f;
        wait_for_runs();
        frames(slug + ", text alone, middle");
        app_.only_pane_.clear();
    }

    // The window's loop sleeps until it is woken: what is left is the thread that watches the file.
    void idle() {
        wait_for_runs();
        wakes_ = 0;
        const double cpu = cpu_seconds(), start = now();
        std::this_thread::sleep_for(std::chrono::duration<double>(kIdleSeconds));
        fmt::print("\nidle for {:.0f} s: {:.1f} ms of CPU time, woken {} times, {}\n", now() - start,
                   1000 * (cpu_seconds() - cpu), wakes_.load(),
                   app_.animates() ? "still animating" : "nothing moves");
    }

    lab::Headless screen_;
    std::atomic<int> wakes_{0};
    lab::App app_;
};

}  // namespace

int main(int argc, char** argv) {
    const bool child = argc > 3 && std::string(argv[1]) == "--first-frame";
    const char* size = child && argc > 4 ? argv[4] : !child && argc > 1 ? argv[1] : "1600x1000";
    if (std::sscanf(size, "%dx%d", &width, &height) != 2 || width < 320 || height < 240) {
        fmt::print(stderr, "app_frames takes WIDTHxHEIGHT, for example 1600x1000.\n");
        return 2;
    }
    if (child) return first_frame(std::atof(argv[2]), argv[3]);
    char scratch[] = "/tmp/cudalab-frames-XXXXXX";
    if (!mkdtemp(scratch)) return 1;
    setenv("CUDALAB_DATA", scratch, 1);
    fmt::print("{}x{}, software OpenGL, no display\n", width, height);
    measure_starts(scratch);
    Bench(scratch).run();
    fs::remove_all(scratch);
    return 0;
}
