#include "workbench/play/player.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

using namespace lab;

namespace {

const Machine& machine() {
    static const Machine one = load_machine(FAKE_MACHINE);
    return one;
}

PlayRequest request(std::function<int(const LoadedProgram&)> body) {
    PlayRequest one;
    one.program = ATTACKS;
    one.limits.trace_bytes = 1 << 20;
    one.body = std::move(body);
    return one;
}

void report_line(const LoadedProgram&, const char* line) {
    void* library = dlopen(FAKE_MACHINE, RTLD_NOW | RTLD_NOLOAD);
    reinterpret_cast<void (*)(const char*)>(dlsym(library, "fake_report"))(line);
}

}  // namespace

TEST_SUITE_BEGIN("play");

TEST_CASE("findings, launches and buffers come through the shared report") {
    const PlayResult result = play(
        machine(), request([](const LoadedProgram& program) {
            report_line(
                program,
                R"({"type":"buffer","id":1,"name":"d_out","space":"global","address":4096,"bytes":64,"element_bytes":4,"file":"a.cu","line":3})");
            report_line(
                program,
                R"({"type":"launch","index":0,"kernel":"fill","file":"a.cu","line":9,"grid":[2,1,1],"block":[8,1,1],"shared_bytes":0,"status":"ok","error":"cudaSuccess","metrics":{"global_store_sectors":2},"lines":[{"file":"a.cu","line":5,"metrics":{"global_store_sectors":2}}]})");
            report_line(
                program,
                R"({"type":"finding","id":7,"kind":"oob-global","severity":"error","message":"m","fix":"f","file":"a.cu","line":5,"column":9,"launch":0,"block":[1,0,0],"thread":[7,0,0],"buffer":"d_out","element":16,"count":1})");
            report_line(
                program,
                R"({"type":"finding","id":7,"kind":"oob-global","severity":"error","message":"m","fix":"f","file":"a.cu","line":5,"column":9,"launch":0,"block":[1,0,0],"thread":[7,0,0],"buffer":"d_out","element":16,"count":3})");
            return 0;
        }));
    CHECK(result.ended_well());
    REQUIRE(result.report.findings.size() == 1);
    CHECK(result.report.findings[0].count == 3);
    CHECK(result.report.findings[0].thread == Dim3{7, 0, 0});
    CHECK(result.report.findings[0].element == 16);
    REQUIRE(result.report.kernels.size() == 1);
    CHECK(result.report.kernels[0].metrics.at("global_store_sectors") == 2);
    CHECK(result.report.kernels[0].lines.size() == 1);
    REQUIRE(result.report.buffers.size() == 1);
    CHECK(result.report.buffers[0].element_bytes == 4);
}

TEST_CASE("what was reported before a crash is still there after it") {
    const PlayResult result = play(machine(), request([](const LoadedProgram& program) -> int {
                                       report_line(program, R"({"type":"note","message":"so far so good"})");
                                       abort();
                                   }));
    CHECK(result.ending == Ending::signal);
    REQUIRE(result.report.notes.size() == 1);
    CHECK(result.report.notes[0] == "so far so good");
}

TEST_CASE("two players run at the same time") {
    const auto wait = [](const LoadedProgram&) {
        usleep(300'000);
        return 0;
    };
    const auto start = std::chrono::steady_clock::now();
    const auto results = play_all(machine(), {request(wait), request(wait)});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK(results[0].ended_well());
    CHECK(results[1].ended_well());
    CHECK(seconds < 0.55);
}

TEST_CASE("a report that is no JSON is damage, not a crash") {
    for (const char* text : {"x\n", "{\"type\":\"verdict\"}\n", "{\"type\":\"end\"}\n{\"type\":\"note\"}\n",
                             "[1]\n", "{\"type\":\"end\"}", "\n", "{\"type\":\"end\"}\n\xff\xfe\n"}) {
        CAPTURE(text);
        CHECK(!read_report(text).damage.empty());
    }
    CHECK(read_report("{\"type\":\"end\",\"exit\":\"returned\"}\n").damage.empty());
    CHECK(read_report("{\"type\":\"finding\",\"block\":\"x\",\"element\":\"y\",\"other\":3}\n")
              .findings.size() == 1);
}

TEST_CASE("a program that may exit keeps its own exit code") {
    PlayRequest one = request([](const LoadedProgram&) -> int { exit(3); });
    one.limits.may_exit = true;
    const PlayResult result = play(machine(), one);
    CHECK(result.ended_well());
    CHECK(result.exit_code == 3);
}

TEST_CASE("playing costs a few milliseconds") {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20; ++i)
        CHECK(play(machine(), request([](const LoadedProgram&) { return 0; })).ended_well());
    const double each =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / 20;
    MESSAGE("milliseconds a player: " << each);
    CHECK(each < 100);  // on a busy machine; see tests/bench for the number
}

TEST_SUITE_END();
