// What is known of cards and toolkits, and two verdicts in one report.
#include "workbench/play/gpu.h"

#include <doctest/doctest.h>

#include "workbench/play/two_verdicts.h"
#include "workbench/record/kernel_name.h"
#include "workbench/record/text.h"

using namespace lab;

namespace {

const std::string of_cuda_13 = "compute_75\ncompute_80\ncompute_86\ncompute_90\ncompute_100\ncompute_120\n";

Run run_of(bool passed, const std::string& device) {
    Run run;
    run.lesson = "01_hello_threads";
    run.passed = passed;
    run.device = device;
    run.status = passed ? Status::ok : Status::failed;
    run.cases = {{"first", true, "", 0, ""},
                 {"second", passed, passed ? "" : "out[3] is 4, expected 9.", 0, ""}};
    run.headline = passed ? "" : "out[3] is 4, expected 9.";
    ArrayValues out{"out", "output", 4, 0, std::string(16, 'x'), std::string(16, 'y'), passed ? "" : "\x08",
                    1};
    run.arrays = {out};
    return run;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("gpu");

TEST_CASE("cards are read from nvidia-smi's table, and other lines are left out") {
    const auto cards =
        read_cards("NVIDIA H200, 580.159.04, 9.0\nTesla T4, 580.65.06, 7.5\n\nNo devices were found\n");
    REQUIRE(cards.size() == 2);
    CHECK(cards[0].name == "NVIDIA H200");
    CHECK(cards[0].driver == "580.159.04");
    CHECK(cards[1].major == 7);
    CHECK(cards[1].minor == 5);
    CHECK(read_cards("Failed to initialize NVML: Driver/library version mismatch\n").empty());
}

TEST_CASE("a kernel's full name, as a GPU has it, comes down to the name in the source") {
    for (const char* name :
         {"k", "k(int*)", "void a::b::k<float, 3>(float*, int)", "(anonymous namespace)::k(int*)",
          "void a::(anonymous namespace)::k<(int)4>(int*)"})
        CHECK(kernel_base_name(name) == "k");
}

TEST_CASE("every card gets code that it can run") {
    std::string problem;
    using Options = std::vector<std::string>;
    CHECK(code_options({{"H200", "580", 9, 0}}, of_cuda_13, problem) ==
          Options{"-gencode=arch=compute_90,code=sm_90"});
    CHECK(code_options({{"H200", "580", 9, 0}, {"T4", "580", 7, 5}, {"H200", "580", 9, 0}}, of_cuda_13,
                       problem) ==
          Options{"-gencode=arch=compute_75,code=sm_75", "-gencode=arch=compute_90,code=sm_90"});
    // Newer than nvcc, or between two that it names: the driver makes the code.
    CHECK(code_options({{"new", "700", 13, 0}}, of_cuda_13, problem) ==
          Options{"-gencode=arch=compute_120,code=compute_120"});
    CHECK(code_options({{"4090", "580", 8, 9}}, of_cuda_13, problem) ==
          Options{"-gencode=arch=compute_86,code=compute_86"});
    CHECK(problem.empty());
    CHECK(code_options({{"Tesla V100", "580", 7, 0}}, of_cuda_13, problem).empty());
    CHECK(problem ==
          "Tesla V100 has compute capability 7.0, and this CUDA Toolkit compiles for 7.5 and newer.");
}

TEST_CASE("nvcc's messages have a place, whoever of its three compilers wrote them") {
    const auto found = read_nvcc_messages(
        "a.cu(12): warning #177-D: variable \"x\" was declared but never referenced\n"
        "      int x;\n          ^\n\n"
        "a.cu(9): error: identifier \"blockIdy\" is undefined\n"
        "b.h:3:10: fatal error: nothing.h: No such file or directory\n"
        "nvcc fatal   : Unsupported gpu architecture 'compute_130'\n"
        "/usr/bin/ld: a.o: in function `f()': tmp.cpp:(.text+0x5): undefined reference to `g()'\n"
        "1 error detected in the compilation of \"a.cu\".\n");
    REQUIRE(found.size() == 5);
    CHECK(found[0].level == "error");
    CHECK(found[0].at.file == "a.cu");
    CHECK(found[0].at.line == 9);
    CHECK(found[0].message == "identifier \"blockIdy\" is undefined");
    CHECK(found[1].at.line == 3);
    CHECK(found[1].at.column == 10);
    CHECK(found[2].message == "Unsupported gpu architecture 'compute_130'");
    CHECK(found[3].message == "undefined reference to `g()'");
    CHECK(found[4].level == "warning");
}

TEST_CASE("the CPU machine explains what failed on the GPU") {
    Run gpu = run_of(false, "NVIDIA H200"), cpu = run_of(false, "");
    Finding race;
    race.kind = "global-race";
    race.message = "Two threads wrote out[3]";
    race.case_index = 1;
    cpu.findings = {race};
    cpu.next_action = "Let one thread write it.";
    explain(gpu, cpu);
    REQUIRE(gpu.findings.size() == 1);
    CHECK(gpu.findings[0].kind == "global-race");
    CHECK(gpu.next_action == "Let one thread write it.");
    CHECK(has(render_text(gpu), "1 of 2 cases fail on NVIDIA H200."));
}

TEST_CASE("where the two disagree, that is a finding with its place") {
    Run gpu = run_of(false, "NVIDIA H200");
    explain(gpu, run_of(true, ""));
    REQUIRE(gpu.findings.size() == 1);
    CHECK(gpu.findings[0].kind == "backends-differ");
    CHECK(has(gpu.findings[0].message, "The GPU (NVIDIA H200) and the CPU machine differ at out[3]"));
}

TEST_CASE("a second verdict stands beside the first, and both must pass") {
    Run both = run_of(true, "");
    add_second(both, run_of(true, "NVIDIA H200"));
    CHECK(both.passed);
    CHECK(has(render_text(both), "On the GPU (NVIDIA H200): 2 of 2 cases pass, too"));
    const Run again = from_json(to_json(both));
    REQUIRE(again.second);
    CHECK(again.second->device == "NVIDIA H200");
    CHECK(again.second->cases == 2);

    Run hidden = run_of(false, "");
    add_second(hidden, run_of(true, "NVIDIA H200"));
    CHECK_FALSE(hidden.passed);
    CHECK(has(render_text(hidden), "The hardware hides this fault"));

    Run only_gpu = run_of(true, "");
    add_second(only_gpu, run_of(false, "NVIDIA H200"));
    CHECK_FALSE(only_gpu.passed);
    CHECK(only_gpu.findings.front().kind == "backends-differ");
}

TEST_SUITE_END();
