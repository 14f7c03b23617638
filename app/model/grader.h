// Grades in the background: a thread that watches one file and runs `cudalab grade` as a child process, one
// at a time. The window never waits: it asks poll() once a frame. While nothing happens the thread sleeps in
// the kernel, but for a look at the file once a second, for file systems that report no changes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab {

struct RunRequest {
    std::string slug;
    // "exercise", "solution", "mutant NAME", "try", "example NAME" (a program that runs alone), or "gpu": the exercise
    // on both machines, so that its Run has a second verdict and the times. All others ask the CPU machine alone.
    std::string origin = "exercise";
    std::filesystem::path file{};         // empty: the lesson's exercise
    std::vector<std::string> settings{};  // origin "try": for `cudalab try`
    bool live = false;                    // the same: what it reports while it runs is wanted, see live()
    bool operator==(const RunRequest& other) const { return slug == other.slug && origin == other.origin; }
};

class Grader {
  public:
    enum class State { idle, queued, running };

    // program: the cudalab to start. wake: called from the thread when there is something new.
    // has_gpu: asked once, from the thread, when the first request with origin "gpu" comes; those come to nothing where it
    // says no, or is none.
    Grader(std::filesystem::path program, std::function<void()> wake, std::function<bool()> has_gpu = {});
    ~Grader();
    Grader(const Grader&) = delete;
    Grader& operator=(const Grader&) = delete;

    // Requests of the learner's exercise go first and replace a run of the same exercise that is under way. A
    // try comes next: the one under way goes on, and of those that wait only the newest is left.
    void request(const RunRequest& request);

    // Watches this file; a change sets file_changed once.
    void watch(const std::filesystem::path& file);

    // Takes what is new since the last call. True if a run ended, one started, or the file changed.
    bool poll();
    bool take_file_changed();

    RunPtr run_of(const std::string& slug, const std::string& origin) const;
    State state_of(const std::string& slug, const std::string& origin) const;
    bool busy() const;
    // What the try that is running has reported so far; empty: none is running, or it reports nothing.
    std::vector<Series> live() const;

  private:
    struct Child;
    void work();
    void look_at_file();
    void watch_folder();
    bool start_next();
    void finish(Child& child);

    std::filesystem::path program_, live_file_;
    std::function<void()> wake_;
    std::function<bool()> has_gpu_;
    std::optional<bool> gpu_;  // what it said

    mutable std::mutex mutex_;
    std::deque<RunRequest> queue_;
    bool running_ = false;
    RunRequest current_;
    bool cancel_ = false, stop_ = false, news_ = false, file_changed_ = false, watch_moved_ = false;
    std::filesystem::path file_;
    std::string file_seen_;  // the content that was last looked at
    std::map<std::string, RunPtr> runs_;

    int wake_fd_ = -1, inotify_fd_ = -1, watch_id_ = -1;
    std::unique_ptr<Child> child_;
    std::thread thread_;
};

// The cudalab program: beside this one, else in the PATH.
std::filesystem::path find_cudalab();

std::string read_file(const std::filesystem::path& path);

}  // namespace lab
