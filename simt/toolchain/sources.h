// The learner's files and the files that they include, read and rewritten.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simt/frontend/rewrite.h"
#include "simt/toolchain/compile.h"

namespace simt::toolchain {

struct SourceFile {
    std::string path;       // as the learner, or the #include, names it
    std::string full_path;  // canonical
    std::string text;
    std::unique_ptr<frontend::Scan> scan;
    frontend::Rewritten rewritten;
    std::map<std::string, std::string> includes;  // "name" with its quotes -> full_path of the file it means
    bool is_main = false;                         // named in CompileOptions::sources
    bool replaced = false;                        // its rewritten text is put in place of the file
    std::string replacement;                      // path in the cache, when replaced and not main
};

struct Sources {
    std::vector<std::unique_ptr<SourceFile>> files;  // the mains first, in order
    std::vector<Diagnostic> problems;                // unreadable files, and what the front end found

    bool special_functions = false;  // a file names one of C++17's special mathematical functions
    bool relies_on_elision = false;  // see frontend/elision.h

    const SourceFile* find(const std::string& full_path) const;
    // The learner's text of a file named in a compiler message; nullptr: it is none of ours.
    const SourceFile* by_message_path(const std::string& path) const;
};

// Reads, scans and rewrites. Rewritten headers are written to `folder` under names made from path and text.
Sources load_sources(const CompileOptions& options, const std::string& folder);

// "line" of a text, without its newline; 1-based.
std::string line_of_text(const std::string& text, int line);

}  // namespace simt::toolchain
