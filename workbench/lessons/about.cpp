#include "workbench/lessons/about.h"

namespace lab {

const char* version() {
    return CUDALAB_VERSION;
}
const char* source_folder() {
    return CUDALAB_SOURCE_DIR;
}
const char* build_folder() {
    return CUDALAB_BINARY_DIR;
}

}  // namespace lab
