// The same file on the CPU machine and on a GPU: one report of both. Internal to workbench/play.
#pragma once

#include "workbench/record/run.h"

namespace lab {

// A Run that failed on a GPU gets what the CPU machine found: its findings, and what to do next. Where the CPU machine
// passes the same file, that difference is a finding (`backends-differ`).
void explain(Run& gpu, const Run& cpu);

// The CPU machine's Run gets the GPU's verdict beside its own. It passes when both pass.
void add_second(Run& cpu, const Run& gpu);

}  // namespace lab
