// A program started by a command, with what it prints collected.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace lab {

// One running program; stdout and stderr arrive in one pipe, stdin is empty. Killed with its children when
// this goes away.
class Child {
  public:
    Child() = default;
    ~Child() { stop(); }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Throws std::runtime_error with a sentence when no process can be started. `set`: NAME=VALUE pairs for
    // it alone. `own_stderr`: stderr stays this process's.
    void start(const std::vector<std::string>& words, const std::vector<std::string>& set = {},
               bool own_stderr = false);
    bool running() const { return pid_ > 0; }
    int descriptor() const { return pipe_; }  // readable when there is output or it has ended; -1: none
    void read_some();                         // takes what is there; sets done() at the end
    bool done() const { return pid_ > 0 && pipe_ < 0; }
    int finish();  // waits; the exit code, or 128 + signal
    void stop();
    const std::string& output() const { return output_; }

  private:
    pid_t pid_ = -1;
    int pipe_ = -1;
    std::string output_;
};

struct Captured {
    int code = -1;  // 127: it could not be started
    std::string output;
};
Captured capture(const std::vector<std::string>& words, int timeout_milliseconds = 10000);

}  // namespace lab
