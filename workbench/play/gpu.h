// The backend `cuda`: finds the card and nvcc, and compiles what a player needs to run an exercise there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"
#include "workbench/record/run.h"

namespace lab {

struct GpuCard {
    std::string name;          // "NVIDIA H200"
    std::string driver;        // "580.159.04"
    int major = 0, minor = 0;  // compute capability
};

struct GpuSetup {
    std::vector<GpuCard> cards;     // in the order of nvidia-smi
    std::string nvcc;               // path
    std::string toolkit;            // "13.0"
    bool counters_for_all = true;   // false: only root may read the card's performance counters (ncu)
    std::vector<std::string> code;  // -gencode options for these cards
    std::string problem, remedy;    // sentences; empty: exercises run on the first card
    bool ready() const { return problem.empty(); }
};

// Asks nvidia-smi and nvcc, which takes some tenths of a second. CUDALAB_NVIDIA_SMI and CUDALAB_NVCC in the environment
// name other programs in their place.
GpuSetup find_gpu();

// nvcc refuses host compilers that are newer than itself. Empty: it takes its own choice; else the name of another one
// that is here and that it takes. Throws std::runtime_error with a sentence when there is none. Takes half a second.
std::string host_compiler_for(const std::string& nvcc);

// What nvidia-smi prints for --query-gpu=name,driver_version,compute_cap --format=csv,noheader. A line that is not of
// that form is left out.
std::vector<GpuCard> read_cards(const std::string& csv);

// The -gencode options for these cards: real code for each that nvcc knows, and the newest virtual architecture that
// fits one that is newer than nvcc. `known`: what nvcc --list-gpu-arch prints. Empty, with a sentence in `problem`: a
// card is older than everything that nvcc compiles for.
std::vector<std::string> code_options(const std::vector<GpuCard>& cards, const std::string& known,
                                      std::string& problem);

// nvcc's messages (its front end's and those of the host compiler and the linker), placed.
std::vector<Diagnostic> read_nvcc_messages(const std::string& output);

struct GpuProgram {
    bool ok = false;
    std::string shared_object;
    std::vector<Diagnostic> diagnostics;
    double seconds = 0;
};

struct GpuSources {
    std::vector<std::string> files;  // .cu first; .cpp and .c go to the host compiler
    std::vector<std::string> include_dirs, defines;
    std::string standard = "c++20";
};

// Compiles a program for all cards of this computer. Kept in the cache; the key is the text of the files and of
// everything that they include by "...", the compiler and its options.
GpuProgram compile_for_gpu(const GpuSetup& setup, const GpuSources& sources, bool use_cache);

// The machine's library (workbench/gpu/machine.cpp), compiled once a toolkit and kept in the cache. Throws
// std::runtime_error with a sentence.
std::string machine_for_gpu(const GpuSetup& setup, const Home& home);

// The program that measures the card's ceilings (workbench/gpu/ceilings.cu), kept in the cache as well. Empty: it does
// not compile, for want of cuBLAS where that is asked for.
std::string ceilings_program(const GpuSetup& setup, const Home& home, bool with_cublas);

}  // namespace lab
