// From save to verdict in the terminal: the median of 15 runs of `cudalab grade 01` on the stub and on the
// solution. A comment with the number of the run goes in front of each, so that no compiled program is taken
// from the cache.
//
//     build/save_to_verdict [LESSON]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "workbench/lessons/lesson.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace {

constexpr int kRuns = 15;

double seconds_of(const std::string& command) {
    const auto start = std::chrono::steady_clock::now();
    const int status = std::system(command.c_str());
    if (status != 0 && WEXITSTATUS(status) != 1) {
        fmt::print(stderr, "`{}` ended with status {}.\n", command, status);
        std::exit(1);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const fs::path& program, const std::string& slug, const char* what, const std::string& text,
             const fs::path& scratch) {
    std::vector<double> seconds;
    const fs::path file = scratch / (slug + ".cu");
    for (int run = -2; run < kRuns; ++run) {  // two to warm up
        lab::write_file(file, fmt::format("// {} {} {}\n{}", what, run + 2, getpid(), text));
        const double one = seconds_of(
            fmt::format("'{}' grade {} '{}' > /dev/null 2>&1", program.string(), slug, file.string()));
        if (run >= 0) seconds.push_back(one);
    }
    std::sort(seconds.begin(), seconds.end());
    fmt::print("{:<9} median {:.0f} ms of {} (fastest {:.0f}, slowest {:.0f})\n", what,
               1000 * seconds[kRuns / 2], kRuns, 1000 * seconds.front(), 1000 * seconds.back());
}

}  // namespace

int main(int argc, char** argv) {
    const lab::Home home = lab::find_home();
    const auto slug = lab::slug_from(home, argc > 1 ? argv[1] : "01");
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path() / "cudalab";
    const auto solution = slug ? lab::read_file(home.content / "solutions" / (*slug + ".cu")) : std::nullopt;
    if (!solution) {
        fmt::print(stderr, "There is no such lesson. `cudalab lessons` lists them.\n");
        return 2;
    }
    const fs::path scratch = fs::temp_directory_path() / fmt::format("cudalab-bench-{}", getpid());
    fs::create_directories(scratch);
    fmt::print("{}: from save to verdict\n", *slug);
    measure(program, *slug, "stub", lab::cut_stub(*solution, *slug + ".cu"), scratch);
    measure(program, *slug, "solution", *solution, scratch);
    fs::remove_all(scratch);
    return 0;
}
