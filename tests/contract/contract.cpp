// lesson-contract SLUG CUDALAB: exit code 0 when the lesson keeps every promise, else 1, with a table.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "tests/contract/contract.h"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "lesson-contract SLUG CUDALAB: the lesson, and the cudalab that grades it\n");
        return 2;
    }
    lab::Subject subject;
    subject.home = lab::find_home();
    subject.lesson = lab::load_lesson(subject.home, argv[1]);
    subject.cudalab = argv[2];
    subject.scratch = fs::temp_directory_path() / fmt::format("cudalab-contract-{}", getpid());
    fs::create_directories(subject.scratch);
    // What is graded here is nobody's progress.
    setenv("CUDALAB_DATA", (subject.scratch / "data").c_str(), 1);

    std::vector<lab::Check> checks = lab::check_form(subject);
    for (lab::Check& check : lab::check_by_running(subject, 2)) checks.push_back(std::move(check));
    lab::print_table(checks);
    std::error_code none;
    fs::remove_all(subject.scratch, none);

    size_t failed = 0;
    for (const lab::Check& check : checks) failed += !check.holds;
    fmt::print("{}: {} of {} checks hold.\n", argv[1], checks.size() - failed, checks.size());
    return failed ? 1 : 0;
}
