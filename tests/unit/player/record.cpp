#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "workbench/play/registers.h"
#include "workbench/record/costs.h"
#include "workbench/record/run.h"
#include "workbench/record/text.h"

using namespace lab;

namespace {

Run failing_run() {
    Run run;
    run.lesson = "01_hello_threads";
    run.source = "exercises/01_hello_threads.cu";
    run.status = Status::failed;
    run.headline = "out[200..255] were never written. Expected out[200] = 40000.";
    run.next_action = "Round up: (n + block - 1) / block.";
    run.cases.push_back(
        {"n = 256, blocks of 100", false,
         run.headline + "\nYour grid covers 200 of 256 elements: 256 / 100 rounds down to 2 blocks.", 0.01,
         ""});
    run.cases.push_back({"n = 8", true, "", 0.01, ""});
    Finding finding;
    finding.kind = "never-written";
    finding.message = "out[200..255] were never written by any thread.";
    finding.fix = "Launch more threads.";
    finding.at = {"exercises/01_hello_threads.cu", 19, 5};
    finding.buffer = "out";
    finding.element = 200;
    finding.last_element = 255;
    finding.case_index = 0;
    finding.other =
        OtherParty{"wrote", {"exercises/01_hello_threads.cu", 12, 9}, Dim3{1, 0, 0}, Dim3{3, 0, 0}};
    run.findings.push_back(finding);
    Kernel kernel;
    kernel.name = "square_kernel";
    kernel.grid = {2, 1, 1};
    kernel.block = {100, 1, 1};
    kernel.metrics["global_store_sectors"] = 26;
    kernel.lines.push_back(
        {{"a.cu", 12, 9}, {{"global_store_sectors", 26}}, "32 sectors a store, 4 would do"});
    kernel.case_index = 0;
    run.kernels.push_back(kernel);
    run.buffers.push_back({"out", "global", 0x7f0012345678, 1024, 4, {"", 0, 0}, 0});
    run.output = "hi\n";
    return run;
}

size_t lines_of(const std::string& text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_SUITE_BEGIN("record");

TEST_CASE("goals beyond a pass are judged by the numbers of their case, and said in one line") {
    Run run = failing_run();
    run.kernels.push_back(run.kernels.front());
    const Goal sectors = {"blocks of 100", "square_kernel", "global_store_sectors", 52, false};
    CHECK_FALSE(judge({sectors}, run).front().value);  // it has not passed
    run.passed = true;
    CHECK(judge({sectors}, run).front().value == 52);  // both launches of the case
    CHECK(judge({sectors}, run).front().reached());
    CHECK(judge({{"", "square_kernel", "warp_shuffles", 0, false}}, run).front().value ==
          0);  // never counted
    CHECK_FALSE(judge({{"no such case", "", "warps", 9, false}}, run).front().value);
    CHECK_FALSE(judge({{"", "other_kernel", "warps", 9, false}}, run).front().reached());
    Timeline timeline;
    timeline.case_index = 0;
    timeline.metrics["total_us"] = 39.93;
    run.timelines.push_back(timeline);
    const Goal sooner = {"blocks", "", "timeline.total_us", 12, false};
    run.further = judge({sectors, sooner}, run);
    CHECK_FALSE(all_reached(run.further));
    CHECK(render_text(run).find("Further: total_us of the timeline: at most 12. It is 39.93 now.") !=
          std::string::npos);
    const Run again = from_json(to_json(run));
    REQUIRE(again.further.size() == 2);
    CHECK(again.further[1].value == doctest::Approx(39.93));
    CHECK(describe(again.further[0].goal) == describe(sectors));
    run.further = judge({sectors}, run);
    CHECK(render_text(run).find("Further: reached. global_store_sectors of square_kernel: at most 52.") !=
          std::string::npos);
}

TEST_CASE("What a case's arrays held survives the JSON form, whatever the bytes") {
    Run before = failing_run();
    for (size_t length : {0, 1, 2, 3, 4, 255, 256}) {
        ArrayValues array{"grey", "output", 1, 16, "", "", "", 0};
        for (size_t i = 0; i < length; ++i) array.got += static_cast<char>(255 - i);
        array.expected = length % 2 == 0 ? array.got : std::string(length, '\0');
        if (length > 0) array.wrong = std::string((length + 7) / 8, '\x81');
        before.arrays.push_back(array);
    }
    const Run after = from_json(to_json(before));
    REQUIRE(after.arrays.size() == before.arrays.size());
    for (size_t i = 0; i < before.arrays.size(); ++i) {
        CHECK(after.arrays[i].got == before.arrays[i].got);
        CHECK(after.arrays[i].expected == before.arrays[i].expected);
        CHECK(after.arrays[i].wrong == before.arrays[i].wrong);
        CHECK(after.arrays[i].columns == 16);
        CHECK(after.arrays[i].role == "output");
        CHECK(after.arrays[i].case_index == 0);
    }
    CHECK(after.arrays[6].elements() == 256);
    CHECK(after.arrays[6].is_wrong(7));
    CHECK_FALSE(after.arrays[6].is_wrong(1));
    CHECK_FALSE(after.arrays[6].is_wrong(1000));
}

TEST_CASE("Array values that are no base64, or of a wrong type, are read as far as they go") {
    const Run run = from_json(
        R"({"status": "ok", "closed": true, "arrays": [{"name": "a", "got": "QUJD*garbage", "columns": -4},
            {"got": 7, "element_bytes": 0}, 3]})");
    REQUIRE(run.arrays.size() == 2);
    CHECK(run.arrays[0].got == "ABC");
    CHECK(run.arrays[0].columns == 0);
    CHECK(run.arrays[1].elements() == 0);
}

TEST_CASE("a Run survives its JSON form") {
    const Run before = failing_run();
    const Run after = from_json(to_json(before));
    CHECK(to_json(after) == to_json(before));
    CHECK(after.findings[0].other->thread == Dim3{3, 0, 0});
    CHECK(after.findings[0].last_element == 255);
    CHECK(after.buffers[0].address == 0x7f0012345678);
    CHECK(after.kernels[0].lines[0].metrics.at("global_store_sectors") == 26);
    CHECK(after.kernels[0].lines[0].cost == "32 sectors a store, 4 would do");
}

TEST_CASE("a line that costs more than it needs is named in a sentence") {
    CHECK(cost_of_line({{"global_load_requests", 64},
                        {"global_load_sectors", 2048},
                        {"global_load_ideal_sectors", 256}}) == "32 sectors a load, 4 would do");
    CHECK(
        cost_of_line(
            {{"global_load_requests", 64}, {"global_load_sectors", 320}, {"global_load_ideal_sectors", 256}})
            .empty());
    CHECK(cost_of_line(
              {{"global_load_requests", 4}, {"global_load_sectors", 128}, {"global_load_ideal_sectors", 16}})
              .empty());
    CHECK(cost_of_line({{"shared_store_requests", 10},
                        {"shared_store_wavefronts", 25},
                        {"shared_store_conflicts", 15}}) ==
          "2.5 passes through the banks a shared store, 1 would do");
    CHECK(cost_of_line({{"branches", 10}, {"divergent_branches", 9}}) ==
          "the lanes of a warp part in 9 of 10 branches");
    CHECK(cost_of_line({{"branches", 10}, {"divergent_branches", 4}}).empty());
    CHECK(cost_of_line({}).empty());
}

TEST_CASE("what nvcc -Xptxas -v prints is read by kernel") {
    const auto kernels = read_resources(
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function '_ZN3lab4tileIfLi16EEEvPT_i' for 'sm_90'\n"
        "ptxas info    : Function properties for _ZN3lab4tileIfLi16EEEvPT_i\n"
        "    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 23 registers, used 1 barriers, 2112 bytes smem\n"
        "ptxas info    : Compiling entry function 'plain' for 'sm_90'\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 8 registers, used 0 barriers\n");
    REQUIRE(kernels.size() == 2);
    CHECK(kernels.at("tile").registers == 23);
    CHECK(kernels.at("tile").stack_bytes == 64);
    CHECK(kernels.at("plain").registers == 8);
    CHECK(kernels.at("plain").stack_bytes == 0);
    for (const char* name : {"void lab::tile<float, (Kind)2>(float*, int)", "lab::tile<16>", "tile"})
        CHECK(kernel_base_name(name) == "tile");
    CHECK(read_resources("nvcc fatal: no such file").empty());
}

TEST_CASE("the costliest line of all launches comes first") {
    Run run;
    for (int launch = 0; launch < 2; ++launch) {
        Kernel kernel;
        kernel.name = "k";
        kernel.lines.push_back({{"a.cu", 3, 1}, {{"branches", 30}, {"divergent_branches", 30}}, ""});
        kernel.lines.push_back({{"a.cu", 5, 1},
                                {{"global_store_requests", 8},
                                 {"global_store_sectors", 256},
                                 {"global_store_ideal_sectors", 32}},
                                ""});
        run.kernels.push_back(kernel);
    }
    const auto lines = costly_lines(run, 3);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].at.line == 5);
    CHECK(lines[0].excess == 448);
    CHECK(lines[1].sentence == "the lanes of a warp part in 60 of 60 branches");
    CHECK(costly_lines(run, 1).size() == 1);
}

TEST_CASE("a Run that was cut off anywhere is refused with a sentence") {
    const std::string whole = to_json(failing_run());
    for (size_t length = 0; length + 1 < whole.size(); length += 37)
        CHECK_THROWS_AS(from_json(whole.substr(0, length)), std::runtime_error);
    CHECK_THROWS_AS(from_json("{}"), std::runtime_error);
    CHECK_THROWS_AS(from_json("[1,2]"), std::runtime_error);
    CHECK_THROWS_AS(from_json(R"({"closed":true,"status":"perfect"})"), std::runtime_error);
}

TEST_CASE("values of a wrong type are left out, not believed") {
    const Run run = from_json(
        R"({"closed":true,"status":"ok","findings":[{"line":"x","block":[1],"element":1e300},7],"kernels":{"a":1},"cases":[null]})");
    CHECK(run.findings.size() == 1);
    CHECK(run.findings[0].at.line == 0);
    CHECK(!run.findings[0].block);
    CHECK(run.kernels.empty());
}

TEST_CASE("output that is no UTF-8 does not stop the record") {
    Run run;
    run.output = "\xff\xfe caf\xc3\xa9";
    CHECK(from_json(to_json(run)).output.find("caf\xc3\xa9") != std::string::npos);
}

TEST_CASE("a failing grade says case, values, cause, line and one next action in ten lines") {
    const std::string text = render_text(failing_run());
    const std::string verdict = text.substr(0, text.find("Your program printed"));
    CHECK(lines_of(verdict) <= 10);
    CHECK(text.find("1 of 2 cases fail") != std::string::npos);
    CHECK(text.find("n = 256, blocks of 100") != std::string::npos);
    CHECK(text.find("out[200..255] were never written") != std::string::npos);
    CHECK(text.find("rounds down to 2 blocks") != std::string::npos);
    CHECK(text.find("exercises/01_hello_threads.cu:19:5: error:") != std::string::npos);
    CHECK(text.find("Next: Round up") != std::string::npos);
    CHECK(text.find("  | hi") != std::string::npos);
}

TEST_CASE("however much there is to say, a failing grade stays within its lines and keeps its next action") {
    Run run = failing_run();
    for (int i = 0; i < 40; ++i) run.findings.push_back(run.findings[0]);
    run.cases[0].message += "\na third line\na fourth line";
    const std::string text = render_text(run);
    CHECK(lines_of(text.substr(0, text.find("Your program printed"))) <= 10);
    CHECK(text.find("Next: Round up") != std::string::npos);
    CHECK(text.find("out[200..255]") != std::string::npos);
}

TEST_CASE("without colours there is no escape sequence, and the program's own do not pass") {
    Run run = failing_run();
    run.output = "\x1b[2Jgone\n";
    CHECK(render_text(run).find('\x1b') == std::string::npos);
    CHECK(render_text(run, {.color = true}).find("\x1b[2J") == std::string::npos);
}

TEST_CASE("a compiler error stands in the learner's line with its plain words") {
    Run run;
    run.lesson = "01_hello_threads";
    run.status = Status::compile_error;
    run.diagnostics.push_back({"error",
                               {"a.cu", 3, 7},
                               "'threadldx' was not declared",
                               "Did you mean threadIdx?",
                               "  x = threadldx.x;"});
    const std::string text = render_text(run);
    CHECK(text.find("a.cu:3:7: error: 'threadldx' was not declared") != std::string::npos);
    CHECK(text.find("  x = threadldx.x;") != std::string::npos);
    CHECK(text.find("Did you mean threadIdx?") != std::string::npos);
}

TEST_SUITE_END();
