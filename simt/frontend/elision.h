#pragma once

#include "simt/frontend/scan.h"

namespace simt::frontend {

// Does the file declare a class with a destructor and neither a copy nor a move constructor? An object of such a
// class that a function returns may be right only because the compiler left the copy out.
bool relies_on_elision(const Scan& scan);

}  // namespace simt::frontend
