// The toolchain's results as parts of a Run. Internal to workbench/play.
#pragma once

#include <functional>

#include "simt/toolchain/compile.h"
#include "workbench/record/run.h"

namespace lab {

// Diagnostics, status and times of a compilation.
void put_compilation(Run& run, const simt::toolchain::CompileResult& result);

// The machine's columns count in the rewritten text; afterwards they count in the learner's.
void map_columns(Run& run, const simt::toolchain::CompileResult& result);

}  // namespace lab
