#include "app/model/grader.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "workbench/progress/progress.h"

extern char** environ;

namespace lab {
namespace {

constexpr size_t most_output = size_t{256} << 20;  // of one child; beyond that something is wrong with it

std::string key_of(const std::string& slug, const std::string& origin) {
    return slug + " " + origin;
}

void close_fd(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::filesystem::path find_cudalab() {
    std::error_code ignored;
    const auto here = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const char* place :
         {"cudalab", "../../bin/cudalab"})  // the build folder; installed: lib/cudalab and bin
        if (const auto program = here / place; std::filesystem::is_regular_file(program, ignored))
            return program;
    return "cudalab";
}

struct Grader::Child {
    pid_t pid = -1;
    int out = -1, err = -1;
    std::string output, complaints;
    bool cancelled = false;

    ~Child() {
        if (pid > 0) {
            kill(-pid, SIGKILL);
            waitpid(pid, nullptr, 0);
        }
        close_fd(out);
        close_fd(err);
    }

    // False: the program can't be started.
    bool start(const std::vector<std::string>& words) {
        int out_pipe[2], err_pipe[2];
        if (pipe2(out_pipe, O_CLOEXEC) != 0) return false;
        if (pipe2(err_pipe, O_CLOEXEC) != 0) {
            close(out_pipe[0]);
            close(out_pipe[1]);
            return false;
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, out_pipe[1], 1);
        posix_spawn_file_actions_adddup2(&actions, err_pipe[1], 2);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        std::vector<char*> argv;
        for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        const bool started = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ) == 0;
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        close(out_pipe[1]);
        close(err_pipe[1]);
        out = out_pipe[0];
        err = err_pipe[0];
        if (!started) pid = -1;
        return started;
    }

    // Reads what is there; closes a descriptor at its end.
    static void drain(int& fd, std::string& into) {
        char buffer[1 << 16];
        const ssize_t got = read(fd, buffer, sizeof buffer);
        if (got > 0 && into.size() < most_output) into.append(buffer, size_t(got));
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) close_fd(fd);
    }
};

Grader::Grader(std::filesystem::path program, std::function<void()> wake, std::function<bool()> has_gpu)
    : program_(std::move(program)), wake_(std::move(wake)), has_gpu_(std::move(has_gpu)) {
    live_file_ = cache_folder() / "live" / std::to_string(getpid());
    wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    inotify_fd_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    thread_ = std::thread([this] { work(); });
}

Grader::~Grader() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    eventfd_write(wake_fd_, 1);
    thread_.join();
    close_fd(wake_fd_);
    close_fd(inotify_fd_);
    std::error_code ignored;
    std::filesystem::remove(live_file_, ignored);
}

void Grader::request(const RunRequest& request) {
    {
        const std::lock_guard lock(mutex_);
        const bool urgent = request.origin == "exercise";
        std::erase(queue_, request);
        const bool tried = request.origin == "try";
        if (running_ && current_ == request && !tried) {
            if (!urgent) return;
            cancel_ = true;
        } else if (running_ && urgent && current_.origin != "exercise" && !cancel_) {
            queue_.push_front(current_);  // it makes way, and starts again afterwards
            cancel_ = true;
        }
        const auto after_exercise = std::find_if(queue_.begin(), queue_.end(),
                                                 [](const RunRequest& r) { return r.origin != "exercise"; });
        if (urgent)
            queue_.push_front(request);
        else if (tried)
            queue_.insert(after_exercise, request);
        else
            queue_.push_back(request);
        news_ = true;
    }
    eventfd_write(wake_fd_, 1);
}

void Grader::watch(const std::filesystem::path& file) {
    {
        const std::lock_guard lock(mutex_);
        if (file == file_) return;
        file_ = file;
        file_seen_ = read_file(file);
        file_changed_ = false;
        watch_moved_ = true;
    }
    eventfd_write(wake_fd_, 1);
}

bool Grader::poll() {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, false);
}

bool Grader::take_file_changed() {
    const std::lock_guard lock(mutex_);
    return std::exchange(file_changed_, false);
}

RunPtr Grader::run_of(const std::string& slug, const std::string& origin) const {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(key_of(slug, origin));
    return found == runs_.end() ? nullptr : found->second;
}

Grader::State Grader::state_of(const std::string& slug, const std::string& origin) const {
    const std::lock_guard lock(mutex_);
    const RunRequest wanted{slug, origin, {}};
    if (running_ && current_ == wanted) return State::running;
    for (const RunRequest& waiting : queue_)
        if (waiting == wanted) return State::queued;
    return State::idle;
}

bool Grader::busy() const {
    const std::lock_guard lock(mutex_);
    return running_ || !queue_.empty();
}

std::vector<Series> Grader::live() const {
    {
        const std::lock_guard lock(mutex_);
        if (!running_ || current_.origin != "try" || !current_.live) return {};
    }
    return read_series(live_file_);
}

// Compares contents: an editor that touches the file without changing it starts nothing.
void Grader::look_at_file() {
    std::unique_lock lock(mutex_);
    const std::filesystem::path file = file_;
    lock.unlock();
    std::error_code failed;
    if (file.empty() || !std::filesystem::exists(file, failed)) return;  // in the middle of a save by rename
    std::string now = read_file(file);
    lock.lock();
    if (file != file_ || now == file_seen_) return;
    file_seen_ = std::move(now);
    file_changed_ = news_ = true;
    lock.unlock();
    wake_();
}

void Grader::watch_folder() {
    std::filesystem::path folder;
    {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(watch_moved_, false)) return;
        folder = file_.parent_path();
    }
    if (watch_id_ >= 0) inotify_rm_watch(inotify_fd_, watch_id_);
    // The folder, since most editors save by writing another file and renaming it.
    watch_id_ = inotify_add_watch(inotify_fd_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE);
}

bool Grader::start_next() {
    RunRequest request;
    {
        const std::lock_guard lock(mutex_);
        if (queue_.empty()) return false;
        request = queue_.front();
    }
    if (request.origin == "gpu" && !gpu_) gpu_ = has_gpu_ && has_gpu_();
    {
        const std::lock_guard lock(mutex_);
        // Meanwhile a more urgent request may have come.
        if (queue_.empty()) return false;
        request = queue_.front();
        queue_.pop_front();
        if (request.origin == "gpu" && !gpu_.value_or(false)) return false;
        current_ = request;
        running_ = news_ = true;
        cancel_ = false;
    }
    wake_();
    child_ = std::make_unique<Child>();
    const bool tried = request.origin == "try";
    const bool example = request.origin.starts_with("example ");
    std::vector<std::string> words{program_.string(), example ? "run" : tried ? "try" : "grade"};
    if (!example) words.push_back(request.slug);
    if (!example && !tried)
        words.insert(words.end(), {"--backend", request.origin == "gpu" ? "auto" : "cpu"});
    if (tried && request.live) {
        std::error_code ignored;
        std::filesystem::remove(live_file_, ignored);  // the last one's
        words.insert(words.end(), {"--live", live_file_.string()});
    }
    if (tried && !request.file.empty()) words.push_back("--file");
    if (!request.file.empty()) words.push_back(request.file.string());
    words.insert(words.end(), request.settings.begin(), request.settings.end());
    words.push_back("--json");
    if (!child_->start(words)) {
        child_->complaints = "The program cudalab could not be started (" + program_.string() +
                             "). Build it again with scripts/run.";
        finish(*child_);
    }
    return true;
}

void Grader::finish(Child& child) {
    if (child.pid > 0) waitpid(child.pid, nullptr, 0);
    child.pid = -1;
    RunPtr run;
    if (!child.cancelled) run = read_run(child.output, child.complaints, current_.origin);
    {
        const std::lock_guard lock(mutex_);
        if (run) runs_[key_of(current_.slug, current_.origin)] = run;
        running_ = false;
        news_ = true;
    }
    child_.reset();
    wake_();
}

void Grader::work() {
    while (true) {
        watch_folder();
        if (!child_) start_next();
        pollfd fds[4] = {{wake_fd_, POLLIN, 0},
                         {inotify_fd_, POLLIN, 0},
                         {child_ ? child_->out : -1, POLLIN, 0},
                         {child_ ? child_->err : -1, POLLIN, 0}};
        const int ready = ::poll(fds, 4, 1000);
        if (fds[0].revents) {
            eventfd_t ignored;
            eventfd_read(wake_fd_, &ignored);
        }
        {
            const std::lock_guard lock(mutex_);
            if (stop_) break;
            if (cancel_ && child_ && !child_->cancelled && child_->pid > 0) {
                child_->cancelled = true;
                kill(-child_->pid, SIGKILL);
            }
        }
        if (fds[1].revents) {
            char events[4096];
            while (read(inotify_fd_, events, sizeof events) > 0) {
            }
        }
        if (fds[1].revents || ready == 0) look_at_file();
        if (!child_) continue;
        if (fds[2].revents) Child::drain(child_->out, child_->output);
        if (fds[3].revents) Child::drain(child_->err, child_->complaints);
        if (child_->out < 0 && child_->err < 0) finish(*child_);
    }
    child_.reset();
}

}  // namespace lab
