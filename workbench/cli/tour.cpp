// `cudalab tour`: the window draws its pictures without a display.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"

namespace lab {

namespace {

// Becomes the window's program. Returns only where that fails.
int start_window(std::vector<std::string> words, bool json) {
    const auto app = program_beside("cudalab-app");
    if (app.empty())
        return complain(json,
                        "the window was not built here, so there is nothing to draw with. Configure with "
                        "-DCUDALAB_APP=ON (the default) and build again.",
                        1);
    words.insert(words.begin(), app.string());
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    execv(app.c_str(), raw.data());
    return complain(json, fmt::format("{} can't be started: {}.", app.string(), std::strerror(errno)), 1);
}

}  // namespace

int command_tour(const Home&, const TourOptions& options) {
    std::vector<std::string> words = {"--tour", options.folder};
    if (options.json) words.push_back("--json");
    const auto pass_on = [&words](const char* name, const std::string& value) {
        if (value.empty()) return;
        words.push_back(name);
        words.push_back(value);
    };
    pass_on("--size", options.size);
    pass_on("--font-scale", options.font_scale);
    pass_on("--theme", options.theme);
    if (!options.beats.empty()) words.insert(words.end(), {"--beats", options.beats});
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    return start_window(std::move(words), options.json);
}

int command_present(const Home& home, const std::string& slug, int beat) {
    const auto lesson = load_lesson(home, slug);
    const auto count = static_cast<int>(lesson.beats.size());
    if (count == 0) return complain(false, fmt::format("{} has no beats to present.", slug), 1);
    if (beat > count)
        return complain(false, fmt::format("{} has {} beats, and beat {} was asked for.", slug, count, beat),
                        2);
    fmt::print(
        "F5 or Escape ends it, F1 shows the keys. These notes are for you; keep the terminal off the "
        "projector.\n\n");
    std::fflush(stdout);
    return start_window({slug, "--present", std::to_string(beat)}, false);
}

}  // namespace lab
