// The toolchain's results as parts of a Run. Internal to workbench/play.
#pragma once

#include <functional>

#include "simt/toolchain/compile.h"
#include "workbench/record/run.h"

namespace lab {

struct GpuProgram;

// Diagnostics, status and times of a compilation.
void put_compilation(Run& run, const simt::toolchain::CompileResult& result);
void put_compilation(Run& run, const GpuProgram& program);

// The machine's columns count in the rewritten text; afterwards they count in the learner's.
void map_columns(Run& run, const simt::toolchain::CompileResult& result);

}  // namespace lab
