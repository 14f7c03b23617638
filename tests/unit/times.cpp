// Times on a GPU: from the machine's record to the words.
#include "workbench/record/times.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "workbench/play/gpu_times.h"
#include "workbench/play/report.h"
#include "workbench/record/text.h"

namespace lab {

namespace {

Times two_calls() {
    Times times;
    times.device = "NVIDIA H200";
    times.driver = "580.159";
    times.title = "4096 x 4096";
    times.ceilings = {4e12, 5e13};
    times.calls.push_back({"copy", 250, 20, 5e8, 0, 200, {{"copy_kernel", 249, 1}}});
    times.calls.push_back({"multiply", 3200, 9, 0, 1.28e11, 0, {{"first", 1000, 2}, {"second", 2100, 1}}});
    return times;
}

}  // namespace

TEST_CASE(
    "the words name rates, the card's ceilings, the solution's time and the kernels of a call that has "
    "several") {
    const auto lines = lines_of(two_calls());
    REQUIRE(lines.size() == 5);
    CHECK(lines[0] == "Times on the GPU (NVIDIA H200): 4096 x 4096.");
    CHECK(lines[1] == "  copy      250 us, 2 TB/s (50 % of this card's copy); the solution takes 200 us");
    CHECK(lines[2] == "  multiply  3.2 ms, 40 TFLOP/s (80 % of cuBLAS here)");
    CHECK(lines[3] == "    first 1 ms in 2 launches");
    CHECK(lines[4] == "    second 2.1 ms");
}

TEST_CASE("what is not known is left out") {
    Times times = two_calls();
    times.ceilings = {};
    times.calls[1].flops = 0;
    const auto lines = lines_of(times);
    CHECK(lines[1] == "  copy      250 us, 2 TB/s; the solution takes 200 us");
    CHECK(lines[2] == "  multiply  3.2 ms");
    times.problem = "the card is busy.";
    CHECK(lines_of(times) ==
          std::vector<std::string>{"No times on the GPU (NVIDIA H200): the card is busy."});
}

TEST_CASE("times come back from JSON, and stand below the verdict") {
    Run run;
    run.passed = true;
    run.times = two_calls();
    const Run again = from_json(to_json(run));
    REQUIRE(again.times);
    CHECK(lines_of(*again.times) == lines_of(two_calls()));
    CHECK(again.times->driver == "580.159");
    CHECK(render_text(again, {}).find("multiply  3.2 ms, 40 TFLOP/s") != std::string::npos);
    CHECK(to_times(nlohmann::ordered_json::parse(R"({"calls": [1, {"us": "x", "calls": -5, "kernels": 7}]})"))
              .calls.size() == 1);
}

TEST_CASE("the machine's record of a timing is read, kernels by their plain names") {
    const std::string name = "void (anonymous namespace)::scale<256>(float*)";
    const std::string before =
        R"({"type":"timing","name":"scale","us":12.5,"calls":40,"bytes":1e6,"kernels":[{"name":")";
    const Report report = read_report(before + name + "\",\"us\":12,\"launches\":1},3]}\n");
    CHECK(report.damage.empty());
    REQUIRE(report.times.size() == 1);
    CHECK(report.times[0].us == 12.5);
    CHECK(report.times[0].calls == 40);
    REQUIRE(report.times[0].kernels.size() == 1);
    CHECK(report.times[0].kernels[0].name == "scale");
}

TEST_CASE("the solution's times go to the calls of the same name") {
    Times mine = two_calls(), solution = two_calls();
    solution.calls[1].us = 3000;
    solution.calls.erase(solution.calls.begin());
    mine.calls[0].solution_us = 0;
    add_solution(mine, solution);
    CHECK(mine.calls[0].solution_us == 0);
    CHECK(mine.calls[1].solution_us == 3000);
}

TEST_CASE("ceilings are read from what the program prints, and nothing else is") {
    const Ceilings both = read_ceilings("copy 4.21e+12\nwarning: x\nproduct 5.09e+13\n");
    CHECK(both.copy == 4.21e12);
    CHECK(both.product == 5.09e13);
    CHECK(read_ceilings("copy nan\nproduct -1\ncopy").copy == 0);
    CHECK(read_ceilings("").product == 0);
}

}  // namespace lab
