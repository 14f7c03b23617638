// The parent's side of a player: makes the shared memory, forks, reads what is printed, keeps the clock, and
// says how it ended.
#include "workbench/play/player.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "workbench/play/control.h"
#include "workbench/play/ending.h"
#include "workbench/play/shared_memory.h"

namespace lab {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void pass_on(int descriptor, const char* data, size_t bytes) {
    while (bytes != 0) {
        const ssize_t written = write(descriptor, data, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // nobody listens any more
        data += written;
        bytes -= static_cast<size_t>(written);
    }
}

// One forked player, from its birth to its end.
class Child {
  public:
    Child(const Machine& machine, const PlayRequest& request)
        : request_(request),
          page_(sizeof(detail::ControlPage)),
          report_(request.limits.report_bytes),
          trace_(request.limits.trace_bytes) {
        auto* page = reinterpret_cast<detail::ControlPage*>(page_.data());
        control_ = &page->control;
        counters_ = &page->counters;
        page->begin();
        detail::attach(request_.session, *counters_, report_, trace_);
        start(machine);
    }
    ~Child() {
        if (pid_ > 0 && !ended_) {
            kill_all();
            waitpid(pid_, &status_, 0);
        }
        for (const int descriptor : {streams_[0].from, streams_[1].from, pidfd_}) {
            if (descriptor >= 0) close(descriptor);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    bool ended() const { return ended_; }

    // What to wait for, and how long at most (milliseconds).
    void add_polls(std::vector<pollfd>& polls) const {
        for (const Stream& stream : streams_) {
            if (stream.from >= 0) polls.push_back({stream.from, POLLIN, 0});
        }
        if (pidfd_ >= 0) polls.push_back({pidfd_, POLLIN, 0});
    }
    int patience() const {
        if (pidfd_ < 0) return 3;
        return static_cast<int>(std::clamp((deadline() - seconds_since(start_)) * 1000 + 1, 0.0, 60e3));
    }

    // Reads, keeps the clock, collects the end.
    void step() {
        for (Stream& stream : streams_) read_some(stream);
        if (output_bytes_ > request_.limits.output_bytes && !too_much_output_) {
            too_much_output_ = true;
            kill_all();
        }
        if (seconds_since(start_) >= deadline()) out_of_time();
        const pid_t done = waitpid(pid_, &status_, WNOHANG);
        if (done == 0) return;
        seconds_ = seconds_since(start_);
        ended_ = true;
        kill_all();  // whatever is left of its process group
        for (Stream& stream : streams_) read_some(stream);
    }

    PlayResult result();

  private:
    struct Stream {
        int from = -1;  // the pipe's end; -1: none, or closed
        int to = -1;    // passed on to this descriptor; -1: only kept
    };
    void start(const Machine& machine);
    int open_pipe(Stream& stream, int pass_to);
    void read_some(Stream& stream);
    void out_of_time();
    double deadline() const { return request_.limits.seconds + (asked_to_end_ ? 0.5 : 0); }
    void kill_all() {
        if (request_.limits.streams == Streams::captured) kill(-pid_, SIGKILL);
        if (!ended_) kill(pid_, SIGKILL);
    }

    PlayRequest request_;
    detail::SharedMemory page_, report_, trace_;
    detail::PlayerControl* control_ = nullptr;
    detail::Counters* counters_ = nullptr;
    pid_t pid_ = -1;
    Stream streams_[2];
    int pidfd_ = -1;
    int status_ = 0;
    bool ended_ = false, timed_out_ = false, asked_to_end_ = false, too_much_output_ = false;
    std::string kept_;
    uint64_t output_bytes_ = 0;
    Clock::time_point start_ = Clock::now();
    double seconds_ = 0;
};

// The end that the child writes to.
int Child::open_pipe(Stream& stream, int pass_to) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(fmt::format("No pipe for the player's output: {}.", strerror(errno)));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    stream = {ends[0], pass_to};
    return ends[1];
}

void Child::start(const Machine& machine) {
    int output = -1, complaints = -1;
    if (request_.limits.streams == Streams::captured) output = complaints = open_pipe(streams_[0], -1);
    if (request_.limits.streams == Streams::passed_on) {
        output = open_pipe(streams_[0], 1);
        complaints = open_pipe(streams_[1], 2);
    }
    fflush(nullptr);  // or the child would print it again
    const pid_t parent = getpid();
    detail::find_stack();
    pid_ = fork();
    if (pid_ == 0) detail::run_player(machine, request_, *control_, {parent, output, complaints});
    const int error = errno;
    if (output >= 0) close(output);
    if (complaints >= 0 && complaints != output) close(complaints);
    if (pid_ < 0)
        throw std::runtime_error(fmt::format(
            "No process for the player: {}. Close other programs and try again.", strerror(error)));
    pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
}

void Child::read_some(Stream& stream) {
    char buffer[64 << 10];
    while (stream.from >= 0 && output_bytes_ <= request_.limits.output_bytes) {
        const ssize_t got = read(stream.from, buffer, sizeof(buffer));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return;
        if (got == 0) {
            close(stream.from);
            stream.from = -1;
            return;
        }
        const auto bytes = static_cast<size_t>(got);
        const size_t room = request_.limits.kept_output_bytes -
                            std::min<uint64_t>(kept_.size(), request_.limits.kept_output_bytes);
        kept_.append(buffer, std::min(room, bytes));
        output_bytes_ += bytes;
        if (stream.to >= 0) pass_on(stream.to, buffer, bytes);
    }
}

void Child::out_of_time() {
    timed_out_ = true;
    if (asked_to_end_) return kill_all();
    asked_to_end_ = true;  // its handler notes the line that it is on; then it has half a second
    kill(pid_, SIGXCPU);
}

PlayResult Child::result() {
    PlayResult result = detail::read_back(*control_, *counters_, report_, trace_);
    result.seconds = seconds_;
    result.output = std::move(kept_);
    result.output_cut = output_bytes_ > result.output.size();
    detail::judge(result, {*control_, request_.limits, status_, timed_out_, too_much_output_,
                           counters_->report_dropped != 0});
    return result;
}

}  // namespace

std::vector<PlayResult> play_all(const Machine& machine, const std::vector<PlayRequest>& requests) {
    std::vector<std::unique_ptr<Child>> children;
    for (const auto& request : requests) children.push_back(std::make_unique<Child>(machine, request));
    while (true) {
        std::vector<pollfd> polls;
        int patience = 60'000;
        for (const auto& child : children) {
            if (child->ended()) continue;
            child->add_polls(polls);
            patience = std::min(patience, child->patience());
        }
        const bool all_ended =
            std::all_of(children.begin(), children.end(), [](const auto& c) { return c->ended(); });
        if (all_ended) break;
        poll(polls.data(), polls.size(), patience);
        for (const auto& child : children) {
            if (!child->ended()) child->step();
        }
    }
    std::vector<PlayResult> results;
    for (const auto& child : children) results.push_back(child->result());
    return results;
}

PlayResult play(const Machine& machine, const PlayRequest& request) {
    return std::move(play_all(machine, {request}).front());
}

}  // namespace lab
