// What nvcc's assembler says of a program's kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workbench/record/kernel_name.h"

namespace lab {

struct KernelResources {
    int registers = 0;    // a thread
    int stack_bytes = 0;  // local memory of a thread; 0: every local array is in registers
};

struct CompiledKernels {
    std::string compiler;                            // path of nvcc; empty: there is none
    std::map<std::string, KernelResources> kernels;  // by name, without namespaces and template arguments; of
                                                     // several with one name the one with most registers
    std::string error;  // what nvcc said when it did not compile; empty otherwise
};

// nvcc on PATH or in /usr/local/cuda/bin; empty: there is none.
std::string find_nvcc();

// Compiles the first of `files` for `architecture` ("sm_90") as `nvcc -Xptxas -v` and reads what it prints. Takes
// about two seconds.
CompiledKernels compiled_kernels(const std::vector<std::string>& files,
                                 const std::vector<std::string>& include_dirs,
                                 const std::vector<std::string>& defines, const std::string& standard,
                                 const std::string& architecture = "sm_90");

// The text of `nvcc -Xptxas -v`, read.
std::map<std::string, KernelResources> read_resources(const std::string& text);

}  // namespace lab
