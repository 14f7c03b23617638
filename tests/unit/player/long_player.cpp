// One player for many trials. The tests' machine takes the place of a GPU.
#include "workbench/play/long_player.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace lab;

namespace {

const Machine& machine() {
    static const Machine one = load_machine(FAKE_MACHINE, "cuda");
    return one;
}

using Body = std::function<int(const LoadedProgram&)>;

int count_calls(const LoadedProgram& program) {
    return reinterpret_cast<int (*)()>(resolve_or_end(program, "count_calls"))();
}

void spoil() {
    void* library = dlopen(FAKE_MACHINE, RTLD_NOW | RTLD_NOLOAD);
    reinterpret_cast<void (*)()>(dlsym(library, "fake_spoil"))();
}

struct Trial {
    std::string place;
    Body body;
};

// Plays them as a grader's cases would, in the parent and in the player alike.
struct Played {
    std::vector<PlayResult> results;
    int started = 0;
};
Played play_trials(const std::vector<Trial>& trials, double seconds = 5) {
    LongPlayer player;
    Played played;
    for (const Trial& trial : trials) {
        PlayRequest request;
        request.program = COUNTER;
        request.limits.sandboxed = false;
        request.limits.trace_bytes = 0;
        request.limits.seconds = seconds;
        request.body = trial.body;
        played.results.push_back(player.play(machine(), request, trial.place));
    }
    if (player.is_player()) _exit(0);
    played.started = player.started();
    return played;
}

}  // namespace

TEST_SUITE_BEGIN("long_player");

TEST_CASE("One player plays all trials, and the program's variables start anew in each") {
    const Played played = play_trials({{"a", count_calls}, {"b", count_calls}, {"c", count_calls}});
    CHECK(played.started == 1);
    REQUIRE(played.results.size() == 3);
    for (const PlayResult& result : played.results) {
        CHECK(result.ended_well());
        CHECK(result.returned == 1);
        CHECK(result.output == "call 1\n");
        CHECK(result.report.closed);
    }
}

TEST_CASE("What a trial writes to shared memory is its parent's to read") {
    auto* shared =
        static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    int sum = 0;
    LongPlayer player;
    for (int i = 1; i <= 5; ++i) {
        PlayRequest request;
        request.program = COUNTER;
        request.limits.sandboxed = false;
        request.body = [&](const LoadedProgram&) { return shared[0] = i * i; };
        const bool well = player.play(machine(), request, std::to_string(i)).ended_well();
        if (!player.is_player() && well) sum += shared[0];
    }
    if (player.is_player()) _exit(0);
    munmap(shared, 4096);
    CHECK(sum == 1 + 4 + 9 + 16 + 25);
    CHECK(player.started() == 1);
}

TEST_CASE("After a crash, an exit, an exception or a machine that gave up, a new player goes on") {
    const std::vector<Body> ends = {
        [](const LoadedProgram&) { return raise(SIGSEGV); },
        [](const LoadedProgram&) -> int { exit(0); },
        [](const LoadedProgram&) -> int { throw std::runtime_error("no"); },
        [](const LoadedProgram&) {
            spoil();
            return 7;
        },
    };
    const std::vector<Ending> wanted = {Ending::signal, Ending::exited, Ending::threw, Ending::returned};
    for (size_t i = 0; i < ends.size(); ++i) {
        CAPTURE(i);
        const Played played =
            play_trials({{"a", count_calls}, {"b", ends[i]}, {"c", count_calls}, {"d", count_calls}});
        CHECK(played.started == 2);
        REQUIRE(played.results.size() == 4);
        CHECK(played.results[1].ending == wanted[i]);
        CHECK(played.results[2].returned == 1);
        CHECK(played.results[3].ended_well());
    }
}

TEST_CASE("A trial without end is stopped, and the next one plays") {
    const Played played = play_trials({{"a", count_calls},
                                       {"b",
                                        [](const LoadedProgram&) -> int {
                                            while (true) usleep(1000);
                                        }},
                                       {"c", count_calls}},
                                      0.3);
    REQUIRE(played.results.size() == 3);
    CHECK(played.results[1].ending == Ending::timeout);
    CHECK(played.results[2].ended_well());
}

TEST_CASE("What came of a trial is known in the player, too, so that both go the same way after it") {
    LongPlayer player;
    int trials = 0;
    bool goes_on = true;
    for (int i = 0; i < 10 && goes_on; ++i, ++trials) {
        PlayRequest request;
        request.program = COUNTER;
        request.limits.sandboxed = false;
        request.body = [=](const LoadedProgram&) { return i * 11; };
        const PlayResult result = player.play(machine(), request, std::to_string(i));
        goes_on = result.ended_well() && result.returned < 33;
    }
    if (player.is_player()) _exit(trials == 4 ? 0 : 1);
    CHECK(trials == 4);
    CHECK(player.started() == 1);
}

TEST_CASE("A player that comes to another trial than its parent is replaced") {
    LongPlayer player;
    std::vector<int> returned;
    for (int i = 0; i < 6; ++i) {
        if (i % 3 == 2 && player.is_player()) continue;  // it goes astray
        PlayRequest request;
        request.program = COUNTER;
        request.limits.sandboxed = false;
        request.body = [=](const LoadedProgram&) { return i; };
        returned.push_back(player.play(machine(), request, std::to_string(i)).returned);
    }
    if (player.is_player()) _exit(0);
    CHECK(returned == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(player.started() == 3);
}

TEST_SUITE_END();
