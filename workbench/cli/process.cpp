#include "workbench/cli/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace lab {

namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    return raw;
}

std::vector<std::string> environment_with(const std::vector<std::string>& set) {
    std::vector<std::string> all = set;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('=') + 1);
        bool replaced = false;
        for (const std::string& pair : set) replaced |= pair.rfind(name, 0) == 0;
        if (!replaced) all.emplace_back(text);
    }
    return all;
}

}  // namespace

void Child::start(const std::vector<std::string>& words, const std::vector<std::string>& set,
                  bool own_stderr) {
    stop();
    output_.clear();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(fmt::format("no pipe: {}.", std::strerror(errno)));
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    if (!own_stderr) posix_spawn_file_actions_adddup2(&files, ends[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP);  // a group of its own, so that stop() reaches its children
    std::vector<std::string> arguments = words, variables = environment_with(set);
    pid_t pid = -1;
    const int failed = posix_spawnp(&pid, words.at(0).c_str(), &files, &attributes,
                                    pointers(arguments).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        throw std::runtime_error(fmt::format("{} can't be started: {}.", words[0], std::strerror(failed)));
    }
    pid_ = pid;
    pipe_ = ends[0];
}

void Child::read_some() {
    char piece[65536];
    const ssize_t count = pipe_ < 0 ? 0 : read(pipe_, piece, sizeof piece);
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
        output_.append(piece, size_t(count));
        return;
    }
    if (pipe_ >= 0) close(pipe_);
    pipe_ = -1;
}

int Child::finish() {
    if (pid_ <= 0) return -1;
    while (pipe_ >= 0) read_some();
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Child::stop() {
    if (pid_ > 0) {
        kill(-pid_, SIGTERM);
        kill(-pid_, SIGKILL);
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    if (pipe_ >= 0) close(pipe_);
    pid_ = -1;
    pipe_ = -1;
}

Captured capture(const std::vector<std::string>& words, int timeout_milliseconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(timeout_milliseconds);
    Child child;
    try {
        child.start(words);
    } catch (const std::runtime_error&) {
        return {127, ""};
    }
    while (!child.done()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd wait{child.descriptor(), POLLIN, 0};
        if (left <= 0 || poll(&wait, 1, int(left)) == 0) return {124, child.output()};
        child.read_some();
    }
    const std::string output = child.output();
    const int code = child.finish();
    return {code, output};
}

}  // namespace lab
