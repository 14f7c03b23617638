// The parts of rewrite(), private to this folder.
#pragma once

#include <string>
#include <vector>

#include "simt/frontend/edit.h"
#include "simt/frontend/rewrite.h"

namespace simt::frontend {

// Everything that a part reads, and the edits and problems that it adds.
struct Rewriter {
    const Scan& scan;
    const Options& options;
    std::vector<Edit> edits;
    std::vector<Problem> problems;

    void problem(const Token& at, std::string message) {
        problems.push_back({at.line, scan.lexed.column_of(at.begin), std::move(message)});
    }
};

// One token stream: `macro` is the #define whose body it is, nullptr for the file's code.
struct Stream {
    const Tokens& tokens;
    const Macro* macro;
    size_t first;  // the body's first token

    bool is_parameter(std::string_view name) const;
    // A string literal (or several that join) with the text of tokens [first, last); macro parameters are
    // stringised.
    std::string literal(size_t first, size_t last) const;
};

void rewrite_launches(Rewriter& rewriter, const Stream& stream);         // launches.cpp
void rewrite_shared(Rewriter& rewriter, const Stream& stream);           // shared.cpp
void rewrite_kernel_pointers(Rewriter& rewriter, const Stream& stream);  // kernel_pointers.cpp
void rewrite_returns(Rewriter& rewriter);                                // notes.cpp
void rewrite_locals(Rewriter& rewriter);                                 // locals.cpp
// What follows the declaration of array `name`, which ends before token `declared`: an expression that is true where the
// array may be kept in registers. Empty: an index is only known when the kernel runs. (register_arrays.cpp)
std::string fits_registers(const Rewriter& rewriter, const Function& function, size_t declared, size_t name);
void add_symbols(Rewriter& rewriter);                // notes.cpp
void add_bounds(Rewriter& rewriter);                 // bounds.cpp
std::string source_notes(const Rewriter& rewriter);  // notes.cpp: what follows the last line
void add_turns(Rewriter& rewriter);                  // turns.cpp
void add_volatile_names(const Scan& scan,
                        VolatileNames& names);  // turns.cpp: those of the file, to those given
void check_kernels(Rewriter& rewriter);         // checks.cpp

// All declarations of a kernel that a launch may mean. `qualified` is "a::k" as written.
std::vector<Kernel> kernels_named(const Rewriter& rewriter, std::string_view qualified,
                                  std::string_view scope);

std::string escaped(std::string_view text);     // for a string literal
std::string file_tag(const std::string& path);  // hexadecimal, for names that are unique to a file
// Might macros hide a CUDA word in tokens [first, last)?
bool hides_words(const Scan& scan, size_t first, size_t last);

}  // namespace simt::frontend
