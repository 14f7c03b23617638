#include "simt/toolchain/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>

extern char** environ;

namespace simt::toolchain {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_output = 4u << 20;

// The caller's environment with messages that we can read.
std::vector<std::string> english_environment() {
    std::vector<std::string> out;
    for (char** e = environ; *e != nullptr; e++) {
        const std::string entry = *e;
        if (entry.rfind("LC_ALL=", 0) == 0 || entry.rfind("LANGUAGE=", 0) == 0 ||
            entry.rfind("GCC_COLORS=", 0) == 0)
            continue;
        out.push_back(entry);
    }
    out.emplace_back("LC_ALL=C");
    return out;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> out;
    for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
    out.push_back(nullptr);
    return out;
}

// Reads until the pipe closes or the time is up. False: the time is up.
bool drain(int fd, Clock::time_point deadline, std::string& output) {
    char buffer[16384];
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd waiting{fd, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        if (output.size() < most_output) output.append(buffer, static_cast<size_t>(n));
    }
}

}  // namespace

Outcome run(const std::vector<std::string>& argv, const std::string& directory, double timeout_seconds) {
    Outcome outcome;
    int ends[2];
    if (argv.empty() || pipe2(ends, O_CLOEXEC) != 0) {
        outcome.error = argv.empty() ? "nothing to run" : std::strerror(errno);
        return outcome;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const std::vector<std::string> environment = english_environment();
    pid_t pid = 0;
    const int failed = posix_spawnp(&pid, argv[0].c_str(), &actions, &attributes, pointers(argv).data(),
                                    pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
        close(ends[0]);
        outcome.error = std::strerror(failed);
        return outcome;
    }
    outcome.started = true;
    const auto deadline =
        Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(timeout_seconds * 1000));
    outcome.timed_out = !drain(ends[0], deadline, outcome.output);
    close(ends[0]);
    if (outcome.timed_out) kill(-pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome;
}

}  // namespace simt::toolchain
