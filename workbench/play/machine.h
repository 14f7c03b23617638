// The machine behind a player, as a table of calls, so that a grader or a player never names it.
#pragma once

#include <string>

#include "simt/include/simt/session.h"

namespace lab {

struct Machine {
    std::string backend;  // "cpu", "cuda"
    std::string path;     // the library it came from
    void (*begin)(const simt_session_options* options) = nullptr;
    void (*end)() = nullptr;
    void* (*create)(const char* name, size_t bytes, size_t element_bytes) = nullptr;
    void (*pin)(const char* name, void* host, size_t bytes, size_t element_bytes) = nullptr;
    void (*upload)(void* device, const void* host, size_t bytes) = nullptr;
    void (*download)(void* device, void* host, size_t bytes, int must_be_written) = nullptr;
    // Only of a machine whose start is dear, so that one player (long_player.h) plays many trials: 0 after an error
    // that only a new process gets rid of. nullptr: a session is begun once a process, and a new player is cheap.
    int (*usable)() = nullptr;
    // Only of a machine that measures time: calls `body` with `context` many times and reports the median of what a call
    // takes (record "timing" in report.md). Returns the first result of `body` that is not 0, or 0.
    int (*time)(const char* name, double bytes, double flops, int (*body)(void*), void* context) = nullptr;

    bool lives_long() const { return usable != nullptr; }
    // It plays thread orders, counts metrics and draws a timeline; a GPU runs in its own order and counts nothing.
    bool watches() const { return backend == "cpu"; }
};

// Loads the machine's library into this process (it starts nothing yet; players fork from here and share it).
// Throws std::runtime_error with a sentence when the file is missing or is no machine.
Machine load_machine(const std::string& library, const std::string& backend = "cpu");

}  // namespace lab
