// Times on a GPU: what stands beside the learner's own.
#pragma once

#include "workbench/lessons/lesson.h"
#include "workbench/play/gpu.h"
#include "workbench/record/times.h"

namespace lab {

// The solution's time of each call of the same name.
void add_solution(Times& mine, const Times& solution);

// The card's name and ceilings. They are measured once a card and driver (a copy, and a product by cuBLAS where the
// toolkit has it; a few seconds) and kept with the progress. What fails there leaves them at 0.
void add_card(Times& times, const GpuSetup& setup, const Home& home);

// No times, and why.
Times times_without(const GpuSetup& setup, const std::string& why);

// What workbench/gpu/ceilings.cu prints: "copy 4.21e+12" and "product 5.09e+13", a line each. Other lines are left out.
Ceilings read_ceilings(const std::string& text);

}  // namespace lab
