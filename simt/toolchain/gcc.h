// The compiler's parts: the commands that g++ would run, called directly, and the precompiled header.
#pragma once

#include <string>
#include <vector>

#include "simt/toolchain/compile.h"

namespace simt::toolchain {

// Commands with these words in place of file names.
inline constexpr const char* input_word = "@INPUT@";
inline constexpr const char* output_word = "@OUTPUT@";

struct Toolset {
    std::string error;                  // a sentence when the compiler can't be used
    std::vector<std::string> compile;   // C++ -> assembler text
    std::vector<std::string> assemble;  // assembler text -> object
    std::vector<std::string> link;      // objects (several inputs) -> shared object
    std::string folder;                 // of the precompiled header
    double seconds = 0;                 // spent on building it, 0 when it was there
};

// The flags for g++ -S that all sources and the precompiled header share.
std::vector<std::string> compile_flags(const CompileOptions& options);
// Those that the precompiled header does without: -D, -I, and -iquote for the folder of `source`. They come
// first.
std::vector<std::string> source_flags(const CompileOptions& options, const std::string& source);

// A hash over the compiler, its flags and the machine's headers.
// `special_functions`: with std::beta and its kin, see gcc.cpp.
std::string toolset_key(const CompileOptions& options, bool special_functions);

// Finds or makes them, in `cache`/toolsets/KEY. Two processes may do this at once.
Toolset find_toolset(const CompileOptions& options, const std::string& cache, bool special_functions,
                     const std::string& key);

// `command` with its placeholders filled in.
std::vector<std::string> filled(const std::vector<std::string>& command,
                                const std::vector<std::string>& inputs, const std::string& output);

}  // namespace simt::toolchain
