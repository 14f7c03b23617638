// The attacks once more, as a learner's exercise 01 graded from end to end with the real machine: each is a
// failed run that says why. (attacks.cpp has the player alone.)
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "workbench/lessons/text.h"
#include "workbench/play/grade.h"

using namespace lab;

namespace {

// Grades a file whose fill_squares is `body`.
Run grade_attack(const std::string& body, const std::string& before = "") {
    const auto folder =
        std::filesystem::temp_directory_path() / ("cudalab-attacks-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    GradeRequest request;
    request.slug = "01_hello_threads";
    request.file = folder / "attack.cu";
    write_file(request.file,
               "#include <cuda_runtime.h>\n#include \"lessons/01_hello_threads/interface.h\"\n" + before +
                   "\nextern \"C\" int fill_squares(int* d_out, int n, int threads_per_block) {\n" + body +
                   "\n    return 0;\n}\n");
    const Run run = grade(find_home(), request);
    std::filesystem::remove_all(folder);
    return run;
}

bool fails_and_says(const Run& run, const std::string& part) {
    CAPTURE(run.headline);
    CHECK(!run.passed);
    CHECK(run.status != Status::ok);
    CHECK(run.status != Status::compile_error);
    CHECK(run.headline.find(part) != std::string::npos);
    return !run.passed && run.headline.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("exercises");

TEST_CASE("an exercise that calls exit(0) fails, whatever it printed") {
    CHECK(fails_and_says(grade_attack("printf(\"PASS\\n{\\\"passed\\\":true}\\n\"); exit(0);",
                                      "#include <cstdio>\n#include <cstdlib>"),
                         "exit(0)"));
}

TEST_CASE("an exercise that calls _exit(0) fails") {
    CHECK(fails_and_says(grade_attack("_exit(0);", "#include <unistd.h>"), "_exit(0)"));
}

TEST_CASE("an exercise that only prints PASS fails because nothing was written") {
    const Run run = grade_attack("printf(\"PASS\\n\");", "#include <cstdio>");
    CHECK(fails_and_says(run, "never written"));
    CHECK(run.output == "PASS\n");
}

TEST_CASE("a null pointer in host code names its line") {
    const Run run = grade_attack("volatile int* p = nullptr; *p = n;");
    CHECK(fails_and_says(run, "null pointer on line 5"));
    CHECK(run.status == Status::crashed);
}

TEST_CASE("endless recursion in host code is told") {
    CHECK(fails_and_says(grade_attack("return deeper(n);",
                                      "int deeper(int n) { volatile char room[4096]; room[0] = char(n); "
                                      "return deeper(n + 1) + room[0]; }"),
                         "ran out of stack"));
}

TEST_CASE("an endless loop in host code names its line, and the other cases are not tried") {
    const Run run = grade_attack("volatile int i = 0;\nwhile (true) i = i + 1;");
    CHECK(fails_and_says(run, "on line 6"));
    CHECK(run.status == Status::timeout);
    CHECK(run.cases.size() > 1);
    CHECK(run.total_seconds < 30);
}

TEST_CASE("an endless loop that computes long before its first access is named, not the line before it") {
    const Run run = grade_attack(
        "volatile int i = n;\n"
        "unsigned x = 1;\n"
        "while (true) {\n"
        "for (int k = 0; k < 100; ++k) x = x * 1664525u + 1013904223u + (x >> 7);\n"
        "i = i + x;\n"
        "}");
    CAPTURE(run.headline);
    const bool in_the_loop = run.headline.find("on line 8") != std::string::npos ||
                             run.headline.find("on line 9") != std::string::npos;
    CHECK(in_the_loop);
    CHECK(run.status == Status::timeout);
}

TEST_CASE("an exercise that forks fails") {
    CHECK(
        fails_and_says(grade_attack("while (true) fork();", "#include <unistd.h>"), "start another process"));
}

TEST_CASE("an exercise that takes 100 GB fails and says so") {
    CHECK(fails_and_says(
        grade_attack("volatile char* p = static_cast<char*>(malloc(100ull << 30)); p[0] = 1; return p[0];",
                     "#include <cstdlib>"),
        "100 GB"));
}

TEST_CASE("a static constructor that writes passes to every descriptor fails") {
    const std::string attack =
        "#include <unistd.h>\n"
        "struct Attack { Attack() { const char pass[] = "
        "\"{\\\"passed\\\":true,\\\"status\\\":\\\"ok\\\",\\\"closed\\\":true}\";\n"
        "for (int i = 0; i < 1024; ++i) if (write(i, pass, sizeof pass - 1) < 0) continue; _exit(0); } } "
        "attack;";
    CHECK(fails_and_says(grade_attack("", attack), "static constructor"));
}

TEST_CASE("an exercise that kills its parent fails, and the parent lives") {
    CHECK(
        fails_and_says(grade_attack("kill(getppid(), SIGKILL);", "#include <signal.h>\n#include <unistd.h>"),
                       "send a signal"));
}

TEST_CASE("an exercise that throws fails with the exception's text") {
    CHECK(fails_and_says(grade_attack("throw std::runtime_error(\"no luck\");", "#include <stdexcept>"),
                         "no luck"));
}

TEST_CASE("an exercise without its function fails and names the function") {
    GradeRequest request;
    request.slug = "01_hello_threads";
    const auto file =
        std::filesystem::temp_directory_path() / ("cudalab-empty-" + std::to_string(getpid()) + ".cu");
    write_file(file, "#include <cuda_runtime.h>\n");
    request.file = file;
    const Run run = grade(find_home(), request);
    std::filesystem::remove(file);
    CHECK(fails_and_says(run, "fill_squares"));
}

TEST_CASE("a host pointer where a device pointer belongs, and the reverse, are told") {
    CHECK(fails_and_says(grade_attack("for (int i = 0; i < n; ++i) d_out[i] = i * i;"), "device memory"));
}

TEST_CASE("right values that the host computed and copied are no solution") {
    CHECK(fails_and_says(grade_attack("    int* all = new int[n];\n"
                                      "    for (int i = 0; i < n; ++i) all[i] = i * i;\n"
                                      "    cudaMemcpy(d_out, all, n * sizeof(int), cudaMemcpyHostToDevice);\n"
                                      "    delete[] all;"),
                         "launched no kernel"));
}

TEST_CASE("more device memory than there is comes back as an error, and using it all the same is told") {
    const Run run = grade_attack(
        "    int* d_more = nullptr;\n"
        "    const int failed = cudaMalloc(&d_more, 100ull << 30);\n"
        "    if (failed == 2) return failed;");
    CHECK(fails_and_says(run, "2 (cudaErrorMemoryAllocation)"));
}

TEST_CASE("a result that is right in one order of threads and wrong in the other is a finding of its own") {
    const Run run = grade_attack(
        "    kernel<<<(n + threads_per_block - 1) / threads_per_block, threads_per_block>>>(d_out, n);\n"
        "    return cudaGetLastError();",
        "__device__ int arrived;\n"
        "__global__ void kernel(int* d_out, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i >= n) return;\n"
        "    int place = atomicAdd(&arrived, 1);\n"
        "    d_out[i] = place * place;\n"
        "}");
    CHECK(fails_and_says(run, "Only when blocks and threads run in descending order"));
    REQUIRE(!run.findings.empty());
    CHECK(run.findings[0].kind == "order-dependent");
}

TEST_CASE("two gradings at the same time do not disturb each other's record") {
    const Run one = grade_attack("");
    const Run two = grade_attack("");
    CHECK(one.source_hash == two.source_hash);
    CHECK(one.headline == two.headline);
}

TEST_SUITE_END();
