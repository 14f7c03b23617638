// Where the programs and libraries are that a run needs.
#pragma once

#include <filesystem>

#include "workbench/lessons/lesson.h"

namespace lab {

struct Tools {
    std::filesystem::path machine;       // libsimt.so
    std::filesystem::path referee;       // cudalab-referee
    std::filesystem::path simt_include;  // cuda_runtime.h and its kin
};

// Looks beside this program, in ../lib/cudalab (installed), and where the build put them. Throws
// std::runtime_error with a sentence that names what is missing.
Tools find_tools(const Home& home);

}  // namespace lab
