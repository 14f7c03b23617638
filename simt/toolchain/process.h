// Starts a program and waits for it.
#pragma once

#include <string>
#include <vector>

namespace simt::toolchain {

struct Outcome {
    bool started = false;    // false: `error` says why
    int exit_code = -1;      // 128 + signal when a signal ended it
    bool timed_out = false;  // it was killed
    std::string output;      // what it wrote to stdout and stderr, the first 4 MB
    std::string error;
    bool ok() const { return started && !timed_out && exit_code == 0; }
};

// Runs argv[0] (found on PATH) in `directory` ("": here), with messages in English and no input.
Outcome run(const std::vector<std::string>& argv, const std::string& directory = "",
            double timeout_seconds = 120);

}  // namespace simt::toolchain
