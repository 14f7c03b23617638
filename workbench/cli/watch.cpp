// `cudalab watch`: grades on every save. Each grading is a process of its own, so that a new save ends the
// one before.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/cli/process.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

volatile std::sig_atomic_t stop_signal = 0;
volatile std::sig_atomic_t continued = 0;

void note_signal(int number) {
    if (number == SIGCONT) {
        continued = 1;
    } else {
        stop_signal = number;
    }
}

void catch_signals() {
    struct sigaction action {};
    action.sa_handler = note_signal;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCONT}) sigaction(number, &action, nullptr);
}

// Keys arrive one by one while this lives; the terminal is as before afterwards.
class Keyboard {
  public:
    explicit Keyboard(bool wanted) : on_(wanted && isatty(0) && isatty(1) && tcgetattr(0, &before_) == 0) {
        set();
    }
    ~Keyboard() {
        if (on_) tcsetattr(0, TCSANOW, &before_);
    }
    Keyboard(const Keyboard&) = delete;
    Keyboard& operator=(const Keyboard&) = delete;

    bool on() const { return on_; }
    void set() const {
        if (!on_) return;
        termios raw = before_;
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO);
        tcsetattr(0, TCSANOW, &raw);
    }
    char key() {
        char key = 0;
        const ssize_t count = read(0, &key, 1);
        if (count == 0) on_ = false;  // the terminal is gone
        return count == 1 ? key : char(0);
    }

  private:
    termios before_{};
    bool on_;
};

// What tells one state of a file from another: editors write in place, or write beside and rename.
struct FileState {
    bool there = false;
    timespec written{};
    off_t size = 0;
    ino_t inode = 0;

    explicit FileState(const fs::path& path) {
        struct stat found {};
        there = stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
        if (!there) return;
        written = found.st_mtim;
        size = found.st_size;
        inode = found.st_ino;
    }
    bool operator==(const FileState& other) const {
        return there == other.there && written.tv_sec == other.written.tv_sec &&
               written.tv_nsec == other.written.tv_nsec && size == other.size && inode == other.inode;
    }
};

// Wakes the loop at a change in the folder. Only a quicker way: the loop looks at the file itself in any
// case, since network and shared folders send no notice.
class FolderNotice {
  public:
    explicit FolderNotice(bool wanted) : descriptor_(wanted ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1) {}
    ~FolderNotice() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    FolderNotice(const FolderNotice&) = delete;
    FolderNotice& operator=(const FolderNotice&) = delete;

    int descriptor() const { return descriptor_; }
    // Watches the folder also after it was deleted and made again. The same folder again is no second watch.
    void follow(const fs::path& folder) {
        if (descriptor_ >= 0)
            inotify_add_watch(descriptor_, folder.c_str(),
                              IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
    }
    void drain() {
        alignas(inotify_event) char events[8192];
        while (read(descriptor_, events, sizeof events) > 0) {
        }
    }

  private:
    int descriptor_;
};

class Watch {
  public:
    Watch(const Home& home, const WatchOptions& options)
        : home_(home),
          options_(options),
          lesson_(load_lesson(home, options.slug)),
          keyboard_(!options.json),
          notice_(!options.poll),
          seen_(lesson_.paths.exercise) {}

    int run() {
        catch_signals();
        Progress progress;
        passed_before_ = progress.of(lesson_).passed;
        progress.record_current(lesson_);
        tell_notice(progress);
        start();
        while (!leave_ && !stop_signal) wait();
        child_.stop();
        if (stop_signal) return 128 + stop_signal;
        return code_;
    }

  private:
    bool words() const { return !options_.json; }
    bool screen() const { return words() && isatty(1); }

    void start() {
        child_.stop();
        notice_.follow(lesson_.paths.exercise.parent_path());
        seen_ = FileState(lesson_.paths.exercise);
        if (!seen_.there) return show_missing();
        std::vector<std::string> command = {own_program().string(), "grade", lesson_.slug};
        if (options_.json) command.push_back("--json");
        try {
            child_.start(command,
                         {fmt::format("COLUMNS={}", terminal_columns()),
                          fmt::format("CUDALAB_COLOR={}", use_color() ? "always" : "never")},
                         options_.json);
        } catch (const std::runtime_error& error) {
            complain(options_.json, error.what(), 1);
            code_ = 1;
            leave_ = true;
        }
    }

    // Sleeps until something happens: a notice, output of the grading, a key, or the time for a look at the
    // file.
    void wait() {
        pollfd on[3] = {{notice_.descriptor(), POLLIN, 0},
                        {child_.descriptor(), POLLIN, 0},
                        {keyboard_.on() ? 0 : -1, POLLIN, 0}};
        const int look_every = options_.poll || notice_.descriptor() < 0 ? 250 : 1000;
        const int ready = poll(on, 3, look_every);
        if (continued) {
            continued = 0;
            keyboard_.set();
            redraw();
        }
        if (ready > 0 && on[0].revents) notice_.drain();
        if (ready > 0 && on[1].revents) child_.read_some();
        if (child_.done()) show_verdict();
        if (ready > 0 && on[2].revents) press(keyboard_.key());
        if (ready == 0) notice_.follow(lesson_.paths.exercise.parent_path());
        if (!leave_ && !(FileState(lesson_.paths.exercise) == seen_)) settle();
    }

    // An editor that renames leaves no file for a moment; one that writes in place leaves half of one.
    void settle() {
        for (int i = 0; i < 10; ++i) {
            const FileState before(lesson_.paths.exercise);
            poll(nullptr, 0, 15);
            if (before.there && before == FileState(lesson_.paths.exercise)) break;
        }
        start();
    }

    void print_line(const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    }

    void redraw() {
        if (screen()) fmt::print("\033[H\033[2J\033[3J");
        char clock[16];
        const std::time_t now = std::time(nullptr);
        std::tm local{};
        localtime_r(&now, &local);
        std::strftime(clock, sizeof clock, "%H:%M:%S", &local);
        fmt::print("{}  {}  {}\n\n", bold(fmt::format("{} {}", two_digits(lesson_.number), lesson_.title)),
                   shown_path(lesson_.paths.exercise), dim(clock));
        if (!verdict_.empty()) fmt::print("{}{}", verdict_, verdict_.back() == '\n' ? "" : "\n");
        print_footer();
    }

    void print_footer() {
        if (!after_.empty()) fmt::print("\n{}\n", after_);
        if (keyboard_.on()) {
            fmt::print("\n{}\n",
                       dim("h hint   n next lesson   space grade again   q quit   (saving grades again)"));
        } else {
            fmt::print("\nWaiting for the next save of {}.\n", shown_path(lesson_.paths.exercise));
        }
        std::fflush(stdout);
    }

    void show_missing() {
        const std::string sentence = fmt::format(
            "{} is not there. Save it again, or `cudalab reset {}` writes it as it was handed out.",
            shown_path(lesson_.paths.exercise), two_digits(lesson_.number));
        if (options_.json) return print_line(nlohmann::json{{"error", sentence}}.dump());
        verdict_ = yellow(sentence) + "\n";
        after_.clear();
        redraw();
    }

    void show_verdict() {
        verdict_ = child_.output();
        code_ = child_.finish();
        after_.clear();
        if (options_.json) {
            const auto run = nlohmann::ordered_json::parse(verdict_, nullptr, false);
            print_line(run.is_discarded()
                           ? nlohmann::json{{"error", "the grading ended without a record"}}.dump()
                           : run.dump());
        }
        if (code_ == 0) return pass();
        passed_before_ = false;
        if (words()) redraw();
    }

    void pass() {
        if (options_.once) {
            if (words()) redraw_without_footer();
            leave_ = true;
            return;
        }
        const std::string open = open_questions();
        const std::optional<std::string> next = next_slug(true);
        // A lesson that had passed before this watch began is being played with: stay until `n`.
        if (passed_before_ || !next) {
            after_ = open + (next ? fmt::format("Next: lesson {} (press n, or `cudalab watch {}`).", *next,
                                                next->substr(0, next->find('_')))
                                  : "Every exercise passes.");
            if (words()) redraw();
            return;
        }
        after_ = open;
        move_to(*next);
        if (words()) redraw_moved();
    }

    void redraw_without_footer() {
        fmt::print("{}{}{}", screen() ? "\033[H\033[2J\033[3J" : "", verdict_,
                   verdict_.empty() || verdict_.back() == '\n' ? "" : "\n");
        std::fflush(stdout);
    }

    // The verdict of the lesson that has passed, and the lesson that is watched from now on.
    void redraw_moved() {
        redraw_without_footer();
        fmt::print("\n{}{}\n", after_,
                   bold(fmt::format("Now lesson {}: {}", two_digits(lesson_.number), lesson_.title)));
        fmt::print("Next: open {} and fill in its TODO.\n", shown_path(lesson_.paths.exercise));
        after_.clear();
        verdict_.clear();
        print_footer();
    }

    void move_to(const std::string& slug) {
        lesson_ = load_lesson(home_, slug);
        seen_ = FileState(lesson_.paths.exercise);
        notice_.follow(lesson_.paths.exercise.parent_path());
        Progress progress;
        passed_before_ = progress.of(lesson_).passed;
        progress.record_current(lesson_);
    }

    std::string open_questions() {
        Progress progress;
        const Ticks ticks = ticks_of(lesson_, progress.of(lesson_));
        if (ticks.quizzes) return {};
        return fmt::format("{} of {} questions of this lesson are open: `cudalab quiz {}`.\n",
                           ticks.quizzes_all - ticks.quizzes_right, ticks.quizzes_all,
                           two_digits(lesson_.number));
    }

    // The lesson behind this one; `open_only`: the first whose exercise has not passed, from here round.
    std::optional<std::string> next_slug(bool open_only) {
        const std::vector<std::string> slugs = lesson_slugs(home_);
        const size_t count = slugs.size();
        size_t here = 0;
        while (here < count && slugs[here] != lesson_.slug) ++here;
        Progress progress;
        for (size_t i = 1; i < count; ++i) {
            const std::string& slug = slugs[(here + i) % count];
            if (!open_only || !progress.of(load_lesson(home_, slug)).passed) return slug;
        }
        return {};
    }

    void press(char key) {
        if (key == 'q') leave_ = true;
        if (key == ' ' || key == '\n' || key == 'r') start();
        if (key == 'h') show_hint();
        if (key != 'n') return;
        const auto next = next_slug(false);
        if (!next) return;
        child_.stop();
        move_to(*next);
        verdict_.clear();
        after_.clear();
        start();
    }

    void show_hint() {
        const int all = int(lesson_.hints.size());
        if (all == 0) return;
        Progress progress;
        const int step = std::min(progress.of(lesson_).hints + 1, all);
        progress.record_hint(lesson_, step);
        after_ = fmt::format(
            "{}\n{}", bold(fmt::format("Hint {} of {}", step, all)),
            wrapped(trimmed(lesson_.hints[size_t(step - 1)]), std::min(terminal_columns(), 90), "  "));
        redraw();
    }

    Home home_;
    WatchOptions options_;
    Lesson lesson_;
    Keyboard keyboard_;
    FolderNotice notice_;
    FileState seen_;
    Child child_;
    std::string verdict_, after_;
    bool passed_before_ = false, leave_ = false;
    int code_ = 0;
};

}  // namespace

int command_watch(const Home& home, const WatchOptions& options) {
    const int code = Watch(home, options).run();
    return code >= 128 || options.once ? code : 0;
}

}  // namespace lab
