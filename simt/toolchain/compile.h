// A learner's .cu files -> one shared object that runs on libsimt.so.
//
//     CompileOptions options;
//     options.sources = {"exercises/01_hello_threads.cu"};
//     options.simt_library = "build/libsimt.so";
//     options.simt_include = "simt/include";
//     const CompileResult program = compile(options);
//     if (!program.ok) fputs(to_text(program.diagnostics).c_str(), stderr);
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simt/frontend/positions.h"

// Its name where plain g++ is too old (Ubuntu 22.04); set by the build.
#ifndef SIMT_GXX
#define SIMT_GXX "g++"
#endif

namespace simt::toolchain {

enum class Mode {
    checked,  // every access and basic block announces itself to libsimt.so; -O1
    fast,     // no hooks; -O3 for this machine
};

struct CompileOptions {
    std::vector<std::string> sources;  // one or more; messages and tables name them as they are written here
    std::string output;                // where to put the shared object; empty: it stays in the cache
    std::string cache_dir;             // empty: default_cache_dir()
    std::vector<std::string> include_dirs;  // -I, searched in this order, before simt_include
    std::vector<std::string> defines;       // "NAME" or "NAME=VALUE"
    std::string standard =
        "c++20";  // as after -std=; below c++20 it is raised to that, which our headers need
    Mode mode = Mode::checked;
    std::vector<std::string> extra_flags;  // passed to g++ -S as they are
    std::string simt_library;         // libsimt.so, linked by path; empty: hooks stay undefined until dlopen
    std::string simt_include;         // the folder with cuda_runtime.h and simt/abi.h
    std::string compiler = SIMT_GXX;  // g++ 12 or later; found in PATH
    bool use_cache = true;            // false: compile even if the same text was compiled before
};

// A compiler message, in the learner's own text. line and column are 1-based; 0: unknown.
struct Diagnostic {
    std::string level;  // "error", "warning", "note"
    std::string file;
    int line = 0;
    int column = 0;       // counts bytes, like gcc
    std::string message;  // the compiler's
    std::string
        plain;  // what it means for somebody who is new to CUDA, and what to do; "" where we know no better
    std::string source_line;  // the learner's line, without its newline; "" where unknown
};

struct StepTimes {  // seconds
    double rewrite = 0, header = 0, compile = 0, tables = 0, assemble = 0, link = 0;
};

struct CompileResult {
    bool ok = false;
    std::string shared_object;            // absolute path, when ok
    std::vector<Diagnostic> diagnostics;  // errors first, then warnings, each followed by its notes
    double seconds = 0;
    StepTimes steps;
    bool cache_hit = false;
    // For each file that was rewritten: machine columns (report.md) -> the learner's. Lines never move.
    std::map<std::string, frontend::PositionMap> positions;
    // Names of the __global__ functions in the sources, for messages.
    std::vector<std::string> kernels;
    // Does a source define main()? `cudalab run` needs one, a lesson's exercise has none.
    bool has_main = false;
};

// Never throws for bad input: an unreadable source, a missing compiler or a full disk is a diagnostic of
// level "error".
CompileResult compile(const CompileOptions& options);

// The learner's column for a column of the machine's report; the same number where nothing was rewritten.
int learner_column(const CompileResult& result, const std::string& file, int line, int column);

// $XDG_CACHE_HOME/cudalab, else ~/.cache/cudalab, else a folder of this user below the temporary folder.
std::string default_cache_dir();

// gcc's style, with the learner's line and a caret below it, and the plain words as a note:
//     file.cu:12:5: error: ...
//        12 |     threadldx.x
//           |     ^
//     file.cu:12:5: note: ...
std::string to_text(const std::vector<Diagnostic>& diagnostics);

// Builds the precompiled header for these options now, so that the next compile() is quick. False: it could
// not.
bool warm_up(const CompileOptions& options);

}  // namespace simt::toolchain
