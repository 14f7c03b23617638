// `cudalab doctor`: what is there, what is missing, what each absence means, and what to do.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "simt/toolchain/compile.h"
#include "simt/toolchain/files.h"
#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/cli/process.h"
#include "workbench/data/store.h"
#include "workbench/lessons/about.h"
#include "workbench/lessons/text.h"
#include "workbench/play/gpu.h"
#include "workbench/play/registers.h"
#include "workbench/progress/progress.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

using simt::toolchain::find_program;

enum class State {
    there,
    missing,
    broken
};  // missing: something else works without it; broken: grading does not

struct Check {
    std::string name;
    State state = State::there;
    std::string detail;   // what was found
    std::string meaning;  // what its absence means
    std::string remedy;   // what to do
};

std::string first_line_of(const std::vector<std::string>& words) {
    const Captured captured = capture(words);
    const auto lines = split_lines(captured.output);
    return captured.code == 0 && !lines.empty() ? std::string(trimmed(lines[0])) : std::string();
}

Check check_compiler() {
    Check found{"compiler", State::broken, "", "No exercise can be compiled.",
                "Install g++ 12 or later: apt install g++"};
    const std::string version(trimmed(capture({SIMT_GXX, "-dumpfullversion"}).output));
    if (find_program(SIMT_GXX).empty()) return found;
    found.detail = fmt::format(SIMT_GXX " {} ({})", version, find_program(SIMT_GXX));
    found.state = std::atoi(version.c_str()) >= 12 ? State::there : State::broken;
    if (found.state == State::broken)
        found.meaning = "Exercises need g++ 12 or later: older ones see fewer accesses.";
    return found;
}

Check check_linker() {
    Check found{"binutils", State::there, "", "", ""};
    for (const char* name : {"as", "ld"}) {
        if (find_program(name).empty())
            return {"binutils", State::broken, fmt::format("there is no {}", name),
                    "No exercise can be compiled.", "Install it: apt install binutils"};
        found.detail += (found.detail.empty() ? "" : ", ") + find_program(name);
    }
    return found;
}

Check check_own(const char* name, const char* file, bool needed, const char* meaning) {
    const fs::path place = program_beside(file);
    std::error_code none;
    const fs::path library = own_program().parent_path() / file;
    const bool there = !place.empty() || fs::exists(library, none) ||
                       fs::exists(own_program().parent_path() / "../lib/cudalab" / file, none);
    if (there) return {name, State::there, place.empty() ? file : place.string(), "", ""};
    return {name, needed ? State::broken : State::missing, "", meaning,
            "Build it: scripts/run, or cmake --build build"};
}

Check check_nvcc() {
    const std::string place = find_nvcc();
    if (place.empty())
        return {"nvcc", State::missing, "",
                "Exercises run on the CPU machine only; every lesson works without it.",
                "To run them on an NVIDIA GPU, install the CUDA Toolkit 12 or later."};
    const Captured captured = capture({place, "--version"});
    std::string release;
    for (std::string_view line : split_lines(captured.output))
        if (line.find("release") != std::string_view::npos) release = trimmed(line);
    return {"nvcc", State::there, fmt::format("{} ({})", place, release), "", ""};
}

std::string cards_in_words(const GpuSetup& gpu) {
    const GpuCard& first = gpu.cards.front();
    const std::string name =
        fmt::format("{} (compute capability {}.{})", first.name, first.major, first.minor);
    return gpu.cards.size() == 1 ? name
                                 : fmt::format(
                                       "{} cards; exercises run on the first, {}. CUDA_VISIBLE_DEVICES "
                                       "names another",
                                       gpu.cards.size(), name);
}

Check check_gpu(const GpuSetup& gpu) {
    if (!gpu.cards.empty()) return {"GPU", State::there, cards_in_words(gpu), "", ""};
    return {"GPU", State::missing, "",
            "Exercises run on the CPU machine, which finds more than a GPU; nothing is timed on a GPU.",
            "Nothing to do, unless this computer has an NVIDIA GPU: then install its driver."};
}

// Everything that `grade --backend cuda` needs, together.
Check check_gpu_backend(const GpuSetup& gpu) {
    const std::string meaning =
        "`--backend cuda` does not work, and `--backend auto` asks the CPU machine alone.";
    if (!gpu.ready()) return {"GPU grading", State::missing, gpu.problem, meaning, gpu.remedy};
    try {
        const std::string other = host_compiler_for(gpu.nvcc);
        return {"GPU grading", State::there,
                fmt::format("CUDA {}, driver {}{}", gpu.toolkit, gpu.cards.front().driver,
                            other.empty() ? "" : ", host compiler " + other),
                "", ""};
    } catch (const std::runtime_error& error) {
        return {"GPU grading", State::missing, "nvcc does not take the host compiler", meaning, error.what()};
    }
}

Check check_counters(const GpuSetup& gpu) {
    if (gpu.counters_for_all || geteuid() == 0)
        return {"counters", State::there, "ncu may read them", "", ""};
    return {"counters", State::missing, "only root may read the card's performance counters",
            "Nsight Compute (ncu) says ERR_NVGPUCTRPERM; cudalab itself does not need them.",
            "Let the driver's option NVreg_RestrictProfilingToAdminUsers be 0, or run ncu as root."};
}

Check check_driver() {
    const auto text = read_file("/proc/driver/nvidia/version", 4096);
    if (text && !split_lines(*text).empty())
        return {"driver", State::there, std::string(split_lines(*text)[0]), "", ""};
    std::error_code none;
    if (fs::exists("/usr/lib/wsl/lib/libcuda.so.1", none))
        return {"driver", State::there, "the Windows driver, through WSL2", "", ""};
    return {"driver", State::missing, "", "Programs that nvcc builds can't reach a GPU here.",
            "Nothing to do without an NVIDIA GPU; with one, install its driver (in WSL2: on Windows)."};
}

Check check_display() {
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
        if (const char* value = std::getenv(name); value && *value)
            return {"display", State::there, fmt::format("{}={}", name, value), "", ""};
    return {
        "display", State::missing, "",
        "No window opens here. Every command works, and `cudalab tour pictures/` draws the lessons to files.",
        "Over SSH, connect with ssh -X; in WSL2, use WSLg."};
}

// Any of the files that fontconfig knows under a family.
Check check_font(const char* name, const std::string& pattern, const char* meaning, const char* remedy) {
    const std::string line =
        find_program("fc-list").empty() ? std::string() : first_line_of({"fc-list", pattern, "file"});
    if (!line.empty())
        return {name, State::there, std::string(trimmed(line.substr(0, line.find(':')))), "", ""};
    return {name, State::missing, find_program("fc-list").empty() ? "fc-list is not there to ask" : "",
            meaning, remedy};
}

Check check_clangd() {
    const std::string place = find_program("clangd");
    if (!place.empty()) return {"clangd", State::there, place, "", ""};
    return {"clangd", State::missing, "",
            "Editors that use clangd show no errors and completions as you type; grading is not touched.",
            "Install it: apt install clangd"};
}

Check check_folder(const char* name, const fs::path& folder, const char* meaning, const char* variable) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (!failed && access(folder.c_str(), W_OK | X_OK) == 0)
        return {name, State::there, folder.string(), "", ""};
    return {name, State::broken, folder.string() + " can't be written", meaning,
            fmt::format("Make it writable, or let {} name another folder.", variable)};
}

Check check_progress() {
    Progress progress;
    if (progress.notice().empty()) return {"progress", State::there, progress.file().string(), "", ""};
    return {"progress", State::missing, progress.notice(),
            "Lessons are graded all the same; what you have done before is not shown.",
            "Make the data folder writable, or let CUDALAB_DATA name another one."};
}

// Absent is as good as there: nothing needs it.
Check check_mnist() {
    const StoredSet stored = examine(*find_set("mnist"));
    if (stored.complete()) return {"MNIST", State::there, stored.folder.string(), "", ""};
    return {"MNIST", State::missing, stored.any() ? stored.folder.string() + " is not whole" : "",
            "Networks learn from generated digits, which need no network.",
            "To let them learn from digits that people wrote: cudalab data mnist"};
}

Check check_lessons(const Home& home) {
    const std::vector<Lesson> lessons = load_lessons(home);
    if (lessons.empty())
        return {"lessons", State::broken, home.content.string(), "There is nothing to learn from.",
                "Let CUDALAB_HOME name the folder that holds lessons/."};
    size_t problems = 0;
    for (const Lesson& lesson : lessons) problems += lesson.problems.size();
    Check found{"lessons", State::there, fmt::format("{} in {}", lessons.size(), home.content.string()), "",
                ""};
    if (problems == 0) return found;
    found.state = State::missing;
    found.detail += fmt::format(", with {} problems", problems);
    found.meaning = "Parts of a lesson are left out.";
    found.remedy = "`cudalab lessons` names them, with file and line.";
    return found;
}

Check check_exercises(const Home& home) {
    if (access(home.exercises.c_str(), W_OK | X_OK) == 0)
        return {"exercises", State::there, home.exercises.string(), "", ""};
    return {"exercises", State::missing, home.exercises.string() + " can't be written",
            "You can't edit the exercises there.",
            "Make a workspace of your own: cudalab init ~/cudalab, then work in it."};
}

std::vector<Check> examine(const Home& home) {
    const GpuSetup gpu = find_gpu();
    std::vector<Check> found{
        check_compiler(),
        check_linker(),
        check_own("CPU machine", "libsimt.so", true, "No exercise can be run."),
        check_own("referee", "cudalab-referee", true, "No exercise can be graded."),
        check_own("window", "cudalab-app", false,
                  "`cudalab` alone lists the lessons in place of opening a window."),
        check_lessons(home),
        check_exercises(home),
        check_folder("cache", cache_folder(), "Every grading compiles anew, or not at all.",
                     "XDG_CACHE_HOME"),
        check_folder("data", data_folder(), "Progress is not kept.", "CUDALAB_DATA"),
        check_progress(),
        check_mnist(),
        check_nvcc(),
        check_gpu(gpu),
        check_driver(),
        check_gpu_backend(gpu),
        check_display(),
        check_font("code font", ":spacing=mono", "The window shows code in a built-in font.",
                   "Install one: apt install fonts-jetbrains-mono"),
        check_font("Chinese font", ":lang=zh-cn", "The window can't show the lessons' Chinese text.",
                   "Install one: apt install fonts-noto-cjk"),
        check_clangd()};
    if (!gpu.cards.empty()) found.push_back(check_counters(gpu));
    return found;
}

const char* name_of(State state) {
    return state == State::there ? "there" : state == State::missing ? "missing" : "broken";
}

void print_check(const Check& found) {
    const std::string mark = found.state == State::there     ? green("✓")
                             : found.state == State::missing ? yellow("·")
                                                             : red("✗");
    const char* nothing = found.state == State::there ? "there" : "not there";
    fmt::print("{} {:<13} {}\n", mark, found.name, found.detail.empty() ? nothing : found.detail);
    if (found.state == State::there) return;
    const int columns = std::min(terminal_columns(), 100);
    fmt::print("{}{}", wrapped(found.meaning, columns, "                "),
               dim(wrapped(found.remedy, columns, "                ")));
}

}  // namespace

int command_doctor(const Home& home, const DoctorOptions& options) {
    const std::vector<Check> found = examine(home);
    int broken = 0;
    for (const Check& item : found) broken += item.state == State::broken;
    if (options.json) {
        auto list = nlohmann::ordered_json::array();
        for (const Check& item : found)
            list.push_back({{"name", item.name},
                            {"state", name_of(item.state)},
                            {"detail", item.detail},
                            {"meaning", item.meaning},
                            {"remedy", item.remedy}});
        const nlohmann::ordered_json json{{"version", version()},
                                          {"program", own_program().string()},
                                          {"can_grade", broken == 0},
                                          {"checks", list}};
        fmt::print("{}\n", json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
        return broken ? 1 : 0;
    }
    fmt::print("cudalab {} ({})\n\n", version(), own_program().string());
    for (const Check& item : found) print_check(item);
    fmt::print("\n{}\n",
               broken ? red(fmt::format("{} of these must be mended before exercises can be graded.", broken))
                      : green("Exercises can be graded here."));
    return broken ? 1 : 0;
}

}  // namespace lab
