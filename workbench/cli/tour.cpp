// `cudalab tour`: the window draws its pictures without a display.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"

namespace lab {

int command_tour(const Home&, const TourOptions& options) {
    const auto app = program_beside("cudalab-app");
    if (app.empty())
        return complain(options.json,
                        "the window was not built here, so there is nothing to draw with. Configure with "
                        "-DCUDALAB_APP=ON (the default) and build again.",
                        1);
    std::vector<std::string> words = {app.string(), "--tour", options.folder};
    if (options.json) words.push_back("--json");
    const auto pass_on = [&words](const char* name, const std::string& value) {
        if (value.empty()) return;
        words.push_back(name);
        words.push_back(value);
    };
    pass_on("--size", options.size);
    pass_on("--font-scale", options.font_scale);
    pass_on("--theme", options.theme);
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    execv(app.c_str(), raw.data());
    return complain(options.json, fmt::format("{} can't be started: {}.", app.string(), std::strerror(errno)),
                    1);
}

}  // namespace lab
