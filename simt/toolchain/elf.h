// What a linked program lacks. The linker is not asked, because it would have to read all libraries.
#pragma once

#include <string>
#include <vector>

namespace simt::toolchain {

// Names, as in the source, of the symbols that `program` needs and that neither `library` (libsimt.so) nor
// this process with its C and C++ libraries has. Empty when `library` is empty.
std::vector<std::string> undefined_functions(const std::string& program, const std::string& library);

}  // namespace simt::toolchain
