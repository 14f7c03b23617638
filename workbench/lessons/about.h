// What the build knows of itself.
#pragma once

namespace lab {

const char* version();        // "0.1.0"
const char* source_folder();  // the source tree that this program was built from; may be gone
const char* build_folder();   // where it was built; may be gone

}  // namespace lab
