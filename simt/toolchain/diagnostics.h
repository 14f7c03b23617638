// The compiler's messages, in the learner's text and words.
#pragma once

#include <string>
#include <vector>

#include "simt/toolchain/compile.h"
#include "simt/toolchain/sources.h"

namespace simt::toolchain {

// Reads what gcc printed (plain text, no carets). Messages that point into the machine's headers move to the
// learner's line that led there; columns are mapped back; each file's own line is attached, and plain words
// where we know some.
std::vector<Diagnostic> read_diagnostics(const std::string& output, const Sources& sources);

// Errors before warnings, each with the notes that follow it.
std::vector<Diagnostic> errors_first(std::vector<Diagnostic> all);

// What a message of gcc's means to somebody who is new to CUDA; "" where we know no better. `line`: the
// learner's.
std::string plain_words(const std::string& message, const std::string& line);

}  // namespace simt::toolchain
