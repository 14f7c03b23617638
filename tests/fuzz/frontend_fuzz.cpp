// The front end must stand any text: no crash, no line lost, and text without CUDA comes back as it was.
// Input that begins like gcc's assembler text (a tab and `.file`) goes to the assembler pass.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "simt/frontend/asm_tables.h"
#include "simt/frontend/rewrite.h"

namespace {

long lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

void fail(const char* what, const std::string& input) {
    std::fprintf(stderr, "fuzz-frontend: %s. The input (%zu bytes):\n%s\n", what, input.size(),
                 input.c_str());
    std::abort();
}

void check(const std::string& input) {
    const simt::frontend::Rewritten once = simt::frontend::rewrite(input);
    if (lines(once.text) < lines(input)) fail("the rewrite lost a line", input);
    const bool notes = once.text.find("#ifndef simt_source_") != std::string::npos;
    if (!notes && lines(once.text) != lines(input)) fail("the rewrite added a line", input);
    if (!once.changed && once.text != input) fail("unchanged text is not the input", input);
    // Every place of the rewritten text leads to a place of the input.
    for (int line = 1; line <= lines(input) + 1; line++)
        for (const int column : {1, 7, 60, 200}) {
            const simt::frontend::Position at = once.positions.original(line, column);
            if (at.line < 1 || at.line > lines(input) + 1 || at.column < 1)
                fail("a place leads out of the input", input);
        }
    // Without anything of CUDA's there is nothing to do; a second rewrite of such text changes nothing
    // either.
    const bool cuda = input.find("<<<") != std::string::npos || input.find("__") != std::string::npos ||
                      input.find("cuda") != std::string::npos || input.find("sync") != std::string::npos;
    if (!cuda && once.changed) fail("text without CUDA was changed", input);
    for (const simt::frontend::Problem& p : once.problems)
        if (p.message.empty() || p.line < 1) fail("a problem without words or place", input);
}

void check_assembler(const std::string& input) {
    simt::frontend::FileTable files;
    simt::frontend::TableOptions options;
    options.foreign_prefixes = {"/usr/"};
    options.drop_debug = input.size() % 2 == 0;
    if (simt::frontend::add_tables(input, files, options).text.empty()) fail("the tables are empty", input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    if (input.rfind("\t.file", 0) == 0)
        check_assembler(input);
    else
        check(input);
    return 0;
}
