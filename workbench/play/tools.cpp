#include "workbench/play/tools.h"

#include <stdexcept>

namespace fs = std::filesystem;

namespace lab {

namespace {

fs::path find_beside(const std::string& name) {
    std::error_code none;
    const fs::path own = fs::read_symlink("/proc/self/exe", none).parent_path();
    for (const fs::path& folder :
         {own, own.parent_path() / "lib" / "cudalab", fs::path(CUDALAB_BINARY_DIR)}) {
        if (fs::exists(folder / name, none)) return folder / name;
    }
    throw std::runtime_error(name + " is missing: it should be in " + own.string() +
                             ". Build again, with scripts/run.");
}

}  // namespace

Tools find_tools(const Home& home) {
    Tools tools;
    tools.machine = find_beside("libsimt.so");
    tools.referee = find_beside("cudalab-referee");
    tools.simt_include = home.content / "simt" / "include";
    std::error_code none;
    if (!fs::exists(tools.simt_include, none))
        tools.simt_include = fs::path(CUDALAB_SOURCE_DIR) / "simt" / "include";
    if (!fs::exists(tools.simt_include, none)) {
        throw std::runtime_error(
            "The CUDA headers of the CPU machine are missing: expected them in " +
            (home.content / "simt" / "include").string() +
            ". Install again, or let CUDALAB_HOME name the folder that holds lessons/ and simt/.");
    }
    return tools;
}

}  // namespace lab
