// A Run in words, for a terminal.
#pragma once

#include <string>

#include "workbench/record/run.h"

namespace lab {

struct RenderOptions {
    bool color = false;
    int width = 100;        // columns; longer lines are wrapped
    int max_lines = 10;     // of a verdict that is no pass; the program's own output comes after them
    int output_lines = 12;  // of the program's own output
    bool verbose = false;   // every case and every finding, however many lines that takes
};

// The verdict. Findings and compiler messages stand in it as `file:line:column: error: ...`, so that editors
// jump. A failing grade names the case, what was expected and what came, the cause, and one thing to try
// next.
std::string render_text(const Run& run, const RenderOptions& options = {});

// What the GPU said of the same file, in a sentence; empty where none was asked.
std::string second_words(const Run& run);

// The error that the headline tells, else the first; null: there is none.
const Finding* cause_of(const Run& run);

// Only the findings and diagnostics, one `file:line:column:` line each, with a note for the other party.
std::string render_findings(const Run& run, const RenderOptions& options = {});

}  // namespace lab
