// `cudalab run`: any CUDA program on the CPU machine, as a Run.
#pragma once

#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"
#include "workbench/play/player.h"
#include "workbench/record/run.h"

namespace lab {

// Thread orders that a checked program is played in. `both`: the second one, descending, at the same time in
// a process that prints and writes nothing; what it finds and the first one does not is added to the
// findings.
enum class Orders { forward, reverse, both };

struct ProgramRequest {
    std::vector<std::string>
        files;  // the first names the program; findings name them as they are written here
    std::vector<std::string> include_dirs;
    std::vector<std::string> defines;
    std::string standard;  // empty: the toolchain's default
    bool on_gpu =
        false;  // nvcc and this computer's GPU in place of the CPU machine; only what the card says is checked
    bool fast = false;  // no checks, every core; in one order
    Orders orders = Orders::both;
    std::vector<std::string> arguments;  // argv[1] and on
    Streams streams = Streams::ours;     // captured and passed_on keep what is printed in Run::output
    std::string registers;       // of its kernels, "add=24 copy=10" (simt/session.h); empty: not known
    uint64_t device_memory = 0;  // bytes of each device; 0: as much as this computer can spare
    int devices = 1;             // simulated, all alike: 1 to 16
    double seconds = 0;          // wall clock; 0: 60 checked, 600 fast
};

struct ProgramRun {
    Run run;
    bool has_main = true;  // false: the file was compiled and not run
};

// Never throws for a wrong program; std::runtime_error with a sentence when cudalab itself is incomplete or
// no program can run on a GPU here.
// Run::exit_code is the program's own, or 128 + signal. Status: compile_error, timeout, crashed, findings (at
// least one of severity error), failed (an exit code other than 0), ok, the first that fits.
ProgramRun run_program(const Home& home, const ProgramRequest& request);

}  // namespace lab
