// Runs the programs of this folder, and finds the lines that they say are faulty.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/scratch.h"
#include "workbench/play/run_program.h"

namespace lab::headers {

inline Run run(const std::string& name, bool fast, int devices = 1,
               const std::vector<std::string>& arguments = {}) {
    ProgramRequest request;
    request.files = {std::string(PROGRAMS_DIR) + "/" + name};
    request.streams = Streams::captured;
    request.fast = fast;
    request.devices = devices;
    request.arguments = arguments;
    request.seconds = 60;
    return run_program(find_home(), request).run;
}

// A program that is not kept in a file. It must compile.
inline Run run_text(const std::string& text) {
    const Scratch scratch;
    scratch.write("program.cu", text);
    ProgramRequest request;
    request.files = {(scratch / "program.cu").string()};
    request.streams = Streams::captured;
    request.seconds = 60;
    Run result = run_program(find_home(), request).run;
    CHECK(result.status != Status::compile_error);
    for (const Diagnostic& d : result.diagnostics)
        if (d.level == "error") FAIL_CHECK(d.message);
    return result;
}

inline std::string text_of(const std::string& name) {
    std::ifstream file(std::string(PROGRAMS_DIR) + "/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// A program of libraries' calls that checks itself.
inline void check_library(const std::string& name) {
    const Run result = run(name, false);
    CHECK(result.output == "done, 0 failures\n");
    for (const Finding& f : result.findings) FAIL_CHECK(f.at.line << ": " << f.message);
    CHECK(result.status == Status::ok);
    CHECK(run(name, true).output == "done, 0 failures\n");
}

// The line of a program that ends in `// fault: WHAT`.
inline int fault_line(const std::string& name, const std::string& what) {
    std::stringstream text(text_of(name));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number)
        if (line.ends_with("// fault: " + what)) return number;
    return 0;
}

inline bool is_found(const Run& result, const std::string& kind, int line) {
    return std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& f) {
        return f.kind == kind && f.at.line == line && f.at.file.ends_with(".cu");
    });
}

}  // namespace lab::headers
