#include "workbench/play/long_player.h"

#include <dlfcn.h>
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
#include <stdexcept>

#include "workbench/play/ending.h"
#include "workbench/play/shared_memory.h"

namespace lab {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int turn_descriptor = 3, word_descriptor = 4;  // in the player
constexpr double startup_seconds = 30;                   // a driver's start, on top of a first trial's limit
constexpr double arrival_seconds = 20;                   // from one trial of the player's to its next one

// What the player says through its pipe.
enum Word : char { arrived = 'a', played = 'p', spoiled = 's' };  // spoiled: played, and of no further use

struct Page {
    detail::ControlPage page;
    char place[2048];
};

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void make_pipe(int (&ends)[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(fmt::format("No pipe for the player: {}.", strerror(errno)));
}

}  // namespace

struct LongPlayer::Inside {
    detail::SharedMemory page{sizeof(Page)};
    detail::SharedMemory report{PlayerLimits{}.report_bytes};
    detail::SharedMemory trace{0};
    pid_t pid = -1;
    int pidfd = -1, turn = -1, word = -1, output = -1;  // the parent's ends
    bool is_player = false, has_begun = false;
    int started = 0;

    Page& shared() { return *reinterpret_cast<Page*>(page.data()); }
    detail::PlayerControl& control() { return shared().page.control; }

    // ---- in the player

    void say(Word what) {
        const char byte = what;
        while (write(word_descriptor, &byte, 1) < 0 && errno == EINTR) {
        }
    }

    void wait_for_turn(const std::string& place) {
        strncpy(shared().place, place.c_str(), sizeof(shared().place) - 1);
        say(arrived);
        char byte = 0;
        ssize_t got = 0;
        while ((got = read(turn_descriptor, &byte, 1)) < 0 && errno == EINTR) {
        }
        if (got != 1) _exit(0);  // the parent has no more use for it
    }

    PlayResult play_here(const Machine& machine, PlayRequest request) {
        detail::attach(request.session, shared().page.counters, report, trace);
        machine.begin(&request.session);
        if (!has_begun) detail::watch_program();
        has_begun = true;
        void* program = detail::load_or_end(request.program, control());
        detail::play_body(request, {program, machine}, control());
        machine.end();
        control().phase = static_cast<int>(detail::Phase::closed);
        dlclose(program);  // its variables, on the host and on the device, start anew in the next trial
        fflush(nullptr);
        const bool usable = machine.usable() != 0;
        say(usable ? played : spoiled);
        if (!usable) _exit(0);
        return result_of(request, 0, {});
    }

    // ---- in both

    struct Heard {
        char word = 0;  // 0: none in time, or the player has ended
        bool timed_out = false, too_much_output = false;
    };

    PlayResult result_of(const PlayRequest& request, int status, const Heard& heard) {
        PlayResult result = detail::read_back(control(), shared().page.counters, report, trace);
        detail::judge(result, {control(), request.limits, status, heard.timed_out, heard.too_much_output,
                               shared().page.counters.report_dropped != 0});
        return result;
    }

    // ---- in the parent

    bool is_alive() const { return pid > 0; }

    // Returns in the parent and in the player.
    void start(const Machine& machine, const PlayRequest& request) {
        int to_player[2], from_player[2], printed[2];
        make_pipe(to_player);
        make_pipe(from_player);
        make_pipe(printed);
        fcntl(printed[0], F_SETFL, O_NONBLOCK);
        fflush(nullptr);
        const pid_t parent = getpid();
        ++started;
        pid = fork();
        if (pid == 0) {
            is_player = true;
            // Out of the way first: one pair may lie where the other one goes.
            const int turn_end = fcntl(to_player[0], F_DUPFD, 10),
                      word_end = fcntl(from_player[1], F_DUPFD, 10);
            const int print_end = fcntl(printed[1], F_DUPFD, 10);
            dup2(turn_end, turn_descriptor);
            dup2(word_end, word_descriptor);
            detail::enter_player(machine, request.limits, control(),
                                 {parent, print_end, print_end, word_descriptor + 1});
            return;
        }
        const int error = errno;
        for (const int end : {to_player[0], from_player[1], printed[1]}) close(end);
        turn = to_player[1];
        word = from_player[0];
        output = printed[0];
        if (pid < 0) {
            forget();
            throw std::runtime_error(fmt::format(
                "No process for the player: {}. Close other programs and try again.", strerror(error)));
        }
        pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    }

    void forget() {
        for (int* descriptor : {&turn, &word, &output, &pidfd}) {
            if (*descriptor >= 0) close(*descriptor);
            *descriptor = -1;
        }
        pid = -1;
    }

    int stop() {
        int status = 0;
        if (!is_alive()) return status;
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        forget();
        return status;
    }

    // Keeps what is printed; `bytes` counts it.
    void read_output(const PlayerLimits& limits, std::string& kept, uint64_t& bytes) {
        char buffer[64 << 10];
        while (true) {
            const ssize_t got = read(output, buffer, sizeof buffer);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return;
            const size_t room =
                limits.kept_output_bytes - std::min<uint64_t>(kept.size(), limits.kept_output_bytes);
            kept.append(buffer, std::min(room, static_cast<size_t>(got)));
            bytes += static_cast<uint64_t>(got);
            if (bytes > limits.output_bytes) return;
        }
    }

    // Waits for the player's next word or its end.
    Heard listen(const PlayerLimits& limits, double seconds, std::string& kept, uint64_t& bytes) {
        const auto start_time = Clock::now();
        Heard heard;
        while (true) {
            const double left = seconds - seconds_since(start_time);
            if (left <= 0) {
                heard.timed_out = true;
                return heard;
            }
            pollfd on[] = {{word, POLLIN, 0}, {output, POLLIN, 0}};
            poll(on, 2, static_cast<int>(left * 1000) + 1);
            read_output(limits, kept, bytes);
            if (bytes > limits.output_bytes) {
                heard.too_much_output = true;
                return heard;
            }
            if (on[0].revents == 0) {
                // A hang-up of the output alone would spin.
                if (on[1].revents & POLLHUP) usleep(1000);
                continue;
            }
            if (read(word, &heard.word, 1) == 1) {
                read_output(limits, kept, bytes);
                return heard;
            }
            heard.word = 0;  // end of file: the player has ended
            return heard;
        }
    }

    // It goes on to the trial that its parent is at?
    bool comes_to(const std::string& place) {
        std::string nothing;
        uint64_t bytes = 0;
        if (listen({}, arrival_seconds, nothing, bytes).word != arrived) return false;
        return place.compare(0, sizeof(Page::place) - 1, shared().place) == 0;
    }

    // A last chance to say where it is, then the end.
    int end_late() {
        kill(pid, SIGXCPU);
        const auto asked = Clock::now();
        int status = 0;
        while (seconds_since(asked) < 0.5) {
            if (waitpid(pid, &status, WNOHANG) == pid) {
                forget();
                return status;
            }
            usleep(2000);
        }
        return stop();
    }

    int collect_end(const Heard& heard) {
        if (heard.timed_out) return end_late();
        if (heard.too_much_output) return stop();
        int status = 0;
        waitpid(pid, &status, 0);
        kill(-pid, SIGKILL);  // whatever is left of its process group
        forget();
        return status;
    }

    PlayResult listen_to_trial(const PlayRequest& request, double seconds) {
        const auto start_time = Clock::now();
        std::string kept;
        uint64_t bytes = 0;
        const Heard heard = listen(request.limits, seconds, kept, bytes);
        const int status = heard.word == played ? 0 : collect_end(heard);
        PlayResult result = result_of(request, status, heard);
        result.seconds = seconds_since(start_time);
        result.output = std::move(kept);
        result.output_cut = bytes > result.output.size();
        return result;
    }
};

LongPlayer::LongPlayer() : inside_(std::make_unique<Inside>()) {}

LongPlayer::~LongPlayer() {
    if (!inside_->is_player) inside_->stop();
}

PlayResult LongPlayer::play(const Machine& machine, const PlayRequest& request, const std::string& place) {
    Inside& in = *inside_;
    if (in.is_player) {
        in.wait_for_turn(place);
        return in.play_here(machine, request);
    }
    if (in.is_alive() && !in.comes_to(place)) in.stop();
    in.shared().page.begin();
    if (!in.is_alive()) {
        in.start(machine, request);
        if (in.is_player) return in.play_here(machine, request);
        return in.listen_to_trial(request, request.limits.seconds + startup_seconds);
    }
    const char go = 'g';
    if (write(in.turn, &go, 1) != 1) throw std::runtime_error("The player does not listen any more.");
    return in.listen_to_trial(request, request.limits.seconds);
}

bool LongPlayer::is_player() const {
    return inside_->is_player;
}

int LongPlayer::started() const {
    return inside_->started;
}

}  // namespace lab
