// What ctest calls. The test of an exercise grades it as `cudalab grade` does and leaves its words behind;
// since plain ctest hides what a test prints, a hook after the tests prints them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/cli/process.h"
#include "workbench/lessons/text.h"
#include "workbench/play/gpu.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

constexpr size_t whole_verdicts = 3;  // of more, only the first line of each is printed

fs::path verdict_folder() {
    return cache_folder() / "ctest";
}

// The test and the hooks are children of the same ctest.
std::string verdict_prefix() {
    return fmt::format("{}-", getppid());
}

std::vector<fs::path> verdicts_of_this_ctest() {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator it(verdict_folder(), failed), end; !failed && it != end; it.increment(failed))
        if (it->path().filename().string().rfind(verdict_prefix(), 0) == 0) found.push_back(it->path());
    std::sort(found.begin(), found.end());
    return found;
}

// ctest -V and its kin have printed everything already.
bool ctest_prints_output() {
    if (std::getenv("CTEST_OUTPUT_ON_FAILURE")) return true;
    std::string words;
    if (FILE* file = std::fopen(fmt::format("/proc/{}/cmdline", getppid()).c_str(), "rb")) {
        char piece[4096];
        while (const size_t count = std::fread(piece, 1, sizeof piece, file)) words.append(piece, count);
        std::fclose(file);
    }
    for (size_t at = 0; at < words.size(); at += std::string_view(words.c_str() + at).size() + 1) {
        const std::string_view word = words.c_str() + at;
        if (word == "-V" || word == "-VV" || word == "--verbose" || word == "--extra-verbose" ||
            word == "--output-on-failure")
            return true;
    }
    return false;
}

std::string first_line(const std::string& text) {
    const auto lines = split_lines(text);
    return lines.empty() ? std::string() : std::string(lines.front());
}

}  // namespace

int command_ctest_grade(const Home&, const std::string& slug, const std::string& backend) {
    constexpr int skipped = 77;  // SKIP_RETURN_CODE of the tests
    const bool on_gpu = backend == "cuda";
    if (on_gpu) {
        const GpuSetup gpu = find_gpu();
        if (!gpu.ready()) {
            fmt::print("Skipped: {} {}\n", gpu.problem, gpu.remedy);
            return skipped;
        }
    }
    Child child;
    child.start({own_program().string(), "grade", slug, "--backend", backend}, {"CUDALAB_COLOR=never"});
    const int code = child.finish();
    fmt::print("{}", child.output());
    std::error_code failed;
    fs::create_directories(verdict_folder(), failed);
    try {
        write_file(verdict_folder() / (verdict_prefix() + slug + (on_gpu ? ".cuda" : "")), child.output());
    } catch (const std::runtime_error&) {
        // The verdict is in the test's output too; only the hook has nothing to print then.
    }
    return code;
}

int command_ctest_before() {
    std::error_code failed;
    for (const fs::path& old : verdicts_of_this_ctest()) fs::remove(old, failed);
    // What a ctest that was killed has left.
    const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (fs::directory_iterator it(verdict_folder(), failed), end; !failed && it != end;
         it.increment(failed)) {
        std::error_code none;
        if (it->last_write_time(none) < limit) fs::remove(it->path(), none);
    }
    return 0;
}

int command_ctest_after() {
    const std::vector<fs::path> verdicts = verdicts_of_this_ctest();
    const bool print = !ctest_prints_output();
    for (const fs::path& file : verdicts) {
        const std::string text = read_file(file).value_or("");
        const std::string slug = file.filename().string().substr(verdict_prefix().size());
        std::error_code none;
        fs::remove(file, none);
        if (!print) continue;
        if (verdicts.size() > whole_verdicts) {
            fmt::print("{}: {}\n", slug, first_line(text));
        } else {
            fmt::print("\n{}", text);
        }
    }
    return 0;
}

}  // namespace lab
