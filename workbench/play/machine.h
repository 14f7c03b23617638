// The machine behind a player, as a table of calls, so that a grader or a player never names it.
#pragma once

#include <string>

#include "simt/include/simt/session.h"

namespace lab {

struct Machine {
    std::string backend;  // "cpu"
    std::string path;     // the library it came from
    void (*begin)(const simt_session_options* options) = nullptr;
    void (*end)() = nullptr;
    void* (*create)(const char* name, size_t bytes, size_t element_bytes) = nullptr;
    void (*pin)(const char* name, void* host, size_t bytes, size_t element_bytes) = nullptr;
    void (*upload)(void* device, const void* host, size_t bytes) = nullptr;
    void (*download)(void* device, void* host, size_t bytes, int must_be_written) = nullptr;
};

// Loads the machine's library into this process (it starts nothing yet; players fork from here and share it).
// Throws std::runtime_error with a sentence when the file is missing or is no machine.
Machine load_machine(const std::string& library);

}  // namespace lab
