// CUDA C++ -> C++. Only what C++ cannot parse is rewritten (launches, __shared__ declarations), plus
// `return;` in kernels and notes that the machine wants. One line in is one line out; the notes follow after
// the last line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simt/frontend/positions.h"
#include "simt/frontend/scan.h"

namespace simt::frontend {

// A fault that the front end found itself. The text is a sentence for somebody who is new to CUDA.
struct Problem {
    int line = 0, column = 0;
    std::string message;
};

// Names through which volatile memory may be read: variables, members, types, functions, macros.
using VolatileNames = std::set<std::string, std::less<>>;

// What other files of the program declare.
struct Known {
    std::vector<Kernel> kernels;
    std::map<std::string, int> functions;  // those that are no kernels: name -> line
    std::set<std::string> dynamic_shared;  // names of `extern __shared__` at namespace scope
    VolatileNames volatile_names;

    void add(const Scan& scan);
};

struct Options {
    std::string path = "kernel.cu";  // names the file in the notes
    Known known;
    // What stands in an #include, with its quotes -> what to put there instead, with quotes.
    std::map<std::string, std::string> includes;
    // Without checks: loops that may wait for another thread let it have its turn.
    bool fast = false;
};

struct Rewritten {
    std::string text;
    PositionMap positions;
    std::vector<Problem> problems;  // by line
    std::vector<Include> includes;  // as they are in the original
    bool changed = false;           // false: `text` is the original
};

Rewritten rewrite(const Scan& scan, const Options& options);
Rewritten rewrite(std::string_view text, const Options& options = {});

}  // namespace simt::frontend
