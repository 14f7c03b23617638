// What a learner's program may try, and how each attempt ends: as a failed run with a true reason, and with
// this process untouched.
//
// Not protected, and so not tested: a program under `cudalab run` may write and delete the learner's own
// files; a graded exercise may read files; and code that runs in the player can write any value into an array
// that it was given, on the host, without a kernel (the launches then tell).
#include <dirent.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "workbench/play/player.h"

using namespace lab;

namespace {

const Machine& machine() {
    static const Machine one = load_machine(FAKE_MACHINE);
    return one;
}

PlayResult attack(const char* function, double seconds = 5, const char* program = ATTACKS) {
    PlayRequest request;
    request.program = program;
    request.limits.seconds = seconds;
    request.limits.data_bytes = uint64_t{1} << 30;
    request.limits.trace_bytes = 1 << 20;
    request.body = [function](const LoadedProgram& loaded) {
        return reinterpret_cast<int (*)()>(resolve_or_end(loaded, function))();
    };
    return play(machine(), request);
}

bool says(const PlayResult& result, const std::string& part) {
    return result.reason.find(part) != std::string::npos;
}

int processes_named_like_this_one() {
    int count = 0;
    std::ifstream own("/proc/self/comm");
    std::string name;
    std::getline(own, name);
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream comm(entry.path() / "comm");
        std::string other;
        if (std::getline(comm, other) && other == name) ++count;
    }
    return count;
}

}  // namespace

TEST_SUITE_BEGIN("attacks");

TEST_CASE("a program that behaves is a good run with its output and its result") {
    const PlayResult result = attack("behave");
    CHECK(result.ended_well());
    CHECK(result.returned == 42);
    CHECK(result.output == "hello\n");
    CHECK(result.reason.empty());
    CHECK(result.report.closed);
}

TEST_CASE("exit(0) inside the exercise is an early end") {
    const PlayResult result = attack("call_exit");
    CHECK(result.ending == Ending::exited);
    CHECK(says(result, "called exit(0)"));
}

TEST_CASE("_exit(0) inside the exercise is an early end") {
    const PlayResult result = attack("call_quick_exit");
    CHECK(result.ending == Ending::exited);
    CHECK(says(result, "called _exit(0)"));
}

TEST_CASE("a printed PASS is output and nothing else") {
    const PlayResult result = attack("print_pass");
    CHECK(result.returned == 1);
    CHECK(result.output.find("PASS") != std::string::npos);
    CHECK(result.report.findings.empty());
}

TEST_CASE("a null pointer on the host is a crash with its address") {
    const PlayResult result = attack("null_pointer");
    CHECK(result.ending == Ending::signal);
    CHECK(result.signal == SIGSEGV);
    CHECK(says(result, "null pointer"));
}

TEST_CASE("endless recursion is told apart from a wild pointer") {
    const PlayResult result = attack("stack_overflow");
    CHECK(result.ending == Ending::signal);
    CHECK(says(result, "ran out of stack"));
}

TEST_CASE("an endless loop on the host ends at the time limit") {
    const PlayResult result = attack("loop_forever", 0.3);
    CHECK(result.ending == Ending::timeout);
    CHECK(says(result, "within 0.3 s"));
    CHECK(result.seconds < 2);
}

TEST_CASE("a fork loop is stopped at its first fork and leaves no process behind") {
    const int before = processes_named_like_this_one();
    const PlayResult result = attack("fork_loop");
    CHECK(result.ending == Ending::forbidden);
    CHECK(says(result, "start another process"));
    CHECK(processes_named_like_this_one() == before);
}

TEST_CASE("system() is another process, too") {
    const PlayResult result = attack("run_shell");
    CHECK(result.ending == Ending::forbidden);
    CHECK(says(result, "start another process"));
}

TEST_CASE("a malloc of 100 GB fails, and the crash after it says so") {
    const PlayResult result = attack("allocate_much");
    CHECK(result.ending == Ending::signal);
    CHECK(says(result, "asked for 100 GB"));
}

TEST_CASE("allocating without end comes to the limit") {
    const PlayResult result = attack("allocate_forever");
    CHECK(result.ending == Ending::signal);
    CHECK(says(result, "null pointer"));
}

TEST_CASE("a new of 100 GB is an exception that nobody caught") {
    const PlayResult result = attack("new_much");
    CHECK(result.ending == Ending::threw);
    CHECK(says(result, "bad_alloc"));
    CHECK(says(result, "asked for 100 GB"));
}

TEST_CASE("abort() is a crash") {
    const PlayResult result = attack("call_abort");
    CHECK(result.ending == Ending::signal);
    CHECK(result.signal == SIGABRT);
    CHECK(says(result, "abort()"));
}

TEST_CASE("an uncaught exception comes with its text, wherever it was thrown") {
    for (const auto& [function, text] : {std::pair{"throw_exception", "the sum is too large"},
                                         std::pair{"throw_in_noexcept", "nobody can catch me"},
                                         std::pair{"throw_in_thread", "from a thread"}}) {
        const PlayResult result = attack(function);
        CHECK(result.ending == Ending::threw);
        CHECK(says(result, text));
    }
}

TEST_CASE("signals reach nobody else") {
    for (const char* function : {"kill_parent", "kill_everybody", "kill_group"}) {
        CAPTURE(function);
        const PlayResult result = attack(function);
        CHECK(result.ending == Ending::forbidden);
        CHECK(says(result, "send a signal to another process"));
    }
}

TEST_CASE("printing without end is stopped, and what is kept of it is small") {
    const PlayResult result = attack("print_much");
    CHECK(result.ending == Ending::output_limit);
    CHECK(says(result, "printed more than 16 MB"));
    CHECK(result.output.size() <= 64 << 10);
    CHECK(result.output_cut);
}

TEST_CASE("threads that outlive the exercise's function end with the player") {
    const PlayResult result = attack("leave_threads");
    CHECK(result.ended_well());
    CHECK(result.returned == 7);
}

TEST_CASE("a program that writes over all shared memory has failed") {
    const PlayResult result = attack("scribble");
    CHECK(result.ending == Ending::damaged);
    CHECK(says(result, "wrote over"));
    CHECK(!result.ended_well());
}

TEST_CASE("a forged report is no pass") {
    const PlayResult result = attack("forge_report");
    CHECK(!result.ended_well());
    CHECK(!result.reason.empty());
}

TEST_CASE("a static constructor that writes to every descriptor finds none that matters") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    const PlayResult result = attack("behave", 5, ATTACK_CONSTRUCTOR);
    char buffer[64];
    CHECK(read(ends[0], buffer, sizeof(buffer)) < 0);  // nothing came through a descriptor of ours
    close(ends[0]);
    close(ends[1]);
    CHECK(result.ending == Ending::exited);
    CHECK(says(result, "static constructor"));
    CHECK(says(result, "_exit(0)"));
}

TEST_CASE("a player has three descriptors") {
    CHECK(attack("count_descriptors").returned == 3);
}

TEST_CASE("a graded exercise deletes and empties no file") {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("cudalab-attacked-" + std::to_string(getpid()));
    std::ofstream(file) << "precious";
    setenv("ATTACKED_FILE", file.c_str(), 1);
    const PlayResult result = attack("delete_file");
    CHECK(result.returned == 0);
    CHECK(std::filesystem::file_size(file) == 8);
    std::filesystem::remove(file);
}

TEST_CASE("the referee's memory can't be opened for writing") {
    CHECK(attack("write_parent_memory").returned == 0);
}
TEST_CASE("there is no network") {
    CHECK(attack("open_socket").returned == 0);
}
TEST_CASE("a player can't leave its session") {
    CHECK(attack("unset_death_signal").returned == 0);
}

TEST_CASE("a missing function is told by its name") {
    const PlayResult result = attack("no_such_function");
    CHECK(result.ending == Ending::not_loaded);
    CHECK(says(result, "no_such_function"));
}

TEST_CASE("a missing program is told") {
    const PlayResult result = attack("behave", 5, "/nowhere/program.so");
    CHECK(result.ending == Ending::not_loaded);
    CHECK(says(result, "/nowhere/program.so"));
}

TEST_SUITE_END();
