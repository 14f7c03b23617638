// `cudalab run` against programs that do what no kernel may, or end at a bad moment: each run ends with one
// clear sentence, and never takes us along.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "workbench/lessons/text.h"
#include "workbench/play/run_program.h"

using namespace lab;

namespace {

Run run_text(const std::string& text, double seconds = 30) {
    const auto file =
        std::filesystem::temp_directory_path() / ("cudalab-hostile-" + std::to_string(getpid()) + ".cu");
    write_file(file, text);
    ProgramRequest request;
    request.files = {file.string()};
    request.streams = Streams::captured;
    request.seconds = seconds;
    Run run = run_program(find_home(), request).run;
    std::filesystem::remove(file);
    INFO(run.headline);
    CHECK(run.headline.find("fault of cudalab") == std::string::npos);
    CHECK(run.headline.find("machine's own memory") == std::string::npos);
    return run;
}

// One launch of `kernel` (whose body may use d, an int array of 32, and n) with `n`.
std::string launch_of(const std::string& kernel, const std::string& n = "0", const std::string& before = "") {
    return before + "__global__ void k(int* d, int n) {\n    " + kernel +
           "\n}\nint main() {\n    int* d;\n    cudaMalloc(&d, 32 * sizeof(int));\n    k<<<1, 32>>>(d, " + n +
           ");\n    cudaDeviceSynchronize();\n    cudaFree(d);\n    return 0;\n}\n";
}

void check_finding(const Run& run, const std::string& kind, int line, const std::string& words) {
    REQUIRE(run.status == Status::findings);
    REQUIRE(!run.findings.empty());
    const Finding& cause = run.findings.front();
    CHECK(cause.kind == kind);
    CHECK(cause.severity == Severity::error);
    CHECK(cause.at.line == line);
    INFO(cause.message);
    CHECK(cause.message.find(words) != std::string::npos);
}

}  // namespace

TEST_SUITE_BEGIN("hostile");

TEST_CASE("recursion without end in a kernel is a stack overflow at the function") {
    const std::string deep =
        "__device__ int deep(int n) {\n    volatile int a[16];\n    a[n % 16] = n;\n"
        "    return n < 0 ? 0 : deep(n + 1) + a[3];\n}\n";
    check_finding(run_text(launch_of("d[threadIdx.x] = deep(0);", "0", deep)), "stack-overflow", 1,
                  "calls deep");
}

TEST_CASE("a local array of megabytes is a stack overflow, whichever end is touched first") {
    for (const char* body :
         {"volatile char a[4 << 20]; a[0] = 1; d[threadIdx.x] = a[0];",
          "volatile char a[4 << 20]; a[(4 << 20) - 1] = 1; d[threadIdx.x] = a[(4 << 20) - 1];",
          "volatile char a[600 << 10]; a[5] = 1; d[threadIdx.x] = a[5];"})
        check_finding(run_text(launch_of(body)), "stack-overflow", 1, "more local memory than a thread has");
}

TEST_CASE("alloca works in a kernel, and more than a thread has is a stack overflow") {
    const std::string body =
        "int* a = static_cast<int*>(alloca(n * sizeof(int))); a[0] = 1; a[n - 1] = 2; d[threadIdx.x] = a[0];";
    CHECK(run_text(launch_of(body, "100", "#include <alloca.h>\n")).status == Status::ok);
    check_finding(run_text(launch_of(body, "50000000", "#include <alloca.h>\n")), "stack-overflow", 3,
                  "more local memory");
}

TEST_CASE("exit, abort, longjmp and throw in a kernel end the thread with a finding at their line") {
    check_finding(run_text(launch_of("if (threadIdx.x == 3) exit(0);", "0", "#include <cstdlib>\n")), "trap",
                  3, "thread (3,0,0) of block (0,0,0) called exit at line 3");
    check_finding(run_text(launch_of("if (threadIdx.x == 3) abort();", "0", "#include <cstdlib>\n")), "trap",
                  3, "called abort");
    check_finding(run_text(launch_of("if (threadIdx.x == 3) longjmp(back, 1);", "0",
                                     "#include <csetjmp>\njmp_buf back;\n")),
                  "trap", 4, "called longjmp");
    check_finding(run_text(launch_of("if (threadIdx.x == 3) throw 1;")), "trap", 2, "threw an exception");
}

TEST_CASE("host code may exit, jump and throw as ever") {
    CHECK(run_text("#include <cstdlib>\nint main() { exit(3); }").exit_code == 3);
    const Run jumped = run_text(
        "#include <csetjmp>\njmp_buf b;\nint main() {\n    if (setjmp(b)) return 5;\n"
        "    longjmp(b, 1);\n}");
    CHECK(jumped.exit_code == 5);
    const Run caught = run_text(
        "#include <stdexcept>\nint main() {\n    try {\n        throw std::runtime_error(\"x\");\n"
        "    } catch (const std::exception&) {\n        return 6;\n    }\n}");
    CHECK(caught.exit_code == 6);
    const Run thrown = run_text("#include <stdexcept>\nint main() { throw std::runtime_error(\"oops\"); }");
    CHECK(thrown.status == Status::crashed);
    CHECK(thrown.headline.find("oops") != std::string::npos);
    CHECK(run_text("#include <cstdlib>\nint main() { abort(); }").status == Status::crashed);
}

TEST_CASE("a division by zero and a call through a null pointer in a kernel are at their own line") {
    check_finding(run_text(launch_of("d[threadIdx.x] = 7 / n;")), "trap", 2, "divided by zero at line 2");
    check_finding(run_text(launch_of("int (*f)(int) = n == 0 ? nullptr : reinterpret_cast<int (*)(int)>(d);\n"
                                     "    d[threadIdx.x] = f(1);")),
                  "oob-global", 3, "null pointer at line 3");
}

TEST_CASE("a launch still to run when the program exits is ended, and the exit code is the program's") {
    const std::string text = launch_of("d[threadIdx.x] = 1;");
    std::string leaves = text;
    leaves.replace(leaves.find("cudaDeviceSynchronize();"), 24, "exit(3);");
    const Run run = run_text("#include <cstdlib>\n" + leaves);
    CHECK(run.exit_code == 3);
    CHECK(run.status == Status::failed);
}

TEST_CASE("exit in a host callback and in a second host thread ends the program with its code") {
    const std::string kernel =
        "__global__ void k(int* d) {\n    for (int i = 0; i < 10000; i++) d[threadIdx.x] = i;\n}\n";
    const Run callback =
        run_text("#include <cstdlib>\n" + kernel +
                 "void CUDART_CB done(void*) { exit(4); }\nint main() {\n    int* d;\n"
                 "    cudaMalloc(&d, 128);\n    k<<<1, 32>>>(d);\n    cudaLaunchHostFunc(0, done, "
                 "nullptr);\n    cudaDeviceSynchronize();\n}\n");
    CHECK(callback.status == Status::failed);
    CHECK(callback.exit_code == 4);
    const Run thread =
        run_text("#include <cstdlib>\n#include <thread>\n" + kernel +
                 "int main() {\n    int* d;\n    cudaMalloc(&d, 128);\n    std::thread t([] { exit(6); "
                 "});\n    k<<<1, 32>>>(d);\n    cudaDeviceSynchronize();\n    t.join();\n}\n");
    CHECK(thread.status == Status::failed);
    CHECK(thread.exit_code == 6);
}

TEST_CASE("static destructors may free and launch: no leak, no damage") {
    const std::string kernel = "__global__ void k(int* d) { d[threadIdx.x] = 1; }\n";
    for (const char* end : {"cudaFree(d);", "k<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d);"}) {
        const Run run = run_text(kernel + "struct Owner {\n    int* d = nullptr;\n    ~Owner() { " + end +
                                 " }\n} owner;\nint main() { cudaMalloc(&owner.d, 128); }\n");
        CHECK(run.status == Status::ok);
        CHECK(run.findings.empty());
    }
    const Run wrong =
        run_text(kernel +
                 "struct Owner {\n    int* d = nullptr;\n    ~Owner() { k<<<2, 32>>>(d + 1); }\n} "
                 "owner;\nint main() { cudaMalloc(&owner.d, 128); }\n");
    check_finding(wrong, "oob-global", 1, "d[32]");
}

TEST_CASE("a static constructor may launch") {
    const Run run = run_text(
        "#include <cstdio>\n__global__ void k(int* d) { d[threadIdx.x] = threadIdx.x; }\nstruct Early {\n    "
        "int* d;\n"
        "    Early() {\n        cudaMalloc(&d, 128);\n        k<<<1, 32>>>(d);\n        "
        "cudaDeviceSynchronize();\n    }\n"
        "} early;\nint main() {\n    int h = 0;\n    cudaMemcpy(&h, early.d + 5, 4, "
        "cudaMemcpyDeviceToHost);\n"
        "    printf(\"%d\\n\", h);\n    cudaFree(early.d);\n}\n");
    CHECK(run.status == Status::ok);
    CHECK(run.output == "5\n");
}

TEST_CASE("launches of no blocks and of no threads are refused with a sentence each") {
    const Run run = run_text(
        "__global__ void k() {}\nint main() {\n    k<<<0, 32>>>();\n    cudaGetLastError();\n"
        "    k<<<1, 0>>>();\n    cudaGetLastError();\n}\n");
    REQUIRE(run.findings.size() == 2);
    CHECK(run.findings[0].kind == "launch-config");
    CHECK(run.findings[0].at.line == 3);
    CHECK(run.findings[1].at.line == 5);
}

TEST_CASE("a million blocks run") {
    const Run run = run_text(
        "#include <cstdio>\n__global__ void k(int* d) { atomicAdd(d, 1); }\nint main() {\n    int* d;\n    "
        "int n = 0;\n"
        "    cudaMalloc(&d, 4);\n    cudaMemset(d, 0, 4);\n    k<<<1000000, 1>>>(d);\n"
        "    cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", n);\n    "
        "cudaFree(d);\n}\n");
    CHECK(run.status == Status::ok);
    CHECK(run.output == "1000000\n");
}

TEST_CASE("a million lines from a kernel are cut, and the program is ok") {
    const Run run = run_text(
        "#include <cstdio>\n__global__ void k() {\n    for (int i = 0; i < 1000; i++) printf(\"%d %d\\n\", "
        "threadIdx.x, "
        "i);\n}\nint main() {\n    k<<<4, 256>>>();\n    cudaDeviceSynchronize();\n}\n");
    CHECK(run.status == Status::ok);
    CHECK(run.output_cut);
    CHECK(run.output.rfind("0 0\n", 0) == 0);
}

TEST_CASE("threads that return from inside nested loops leave the others alone") {
    const Run run = run_text(
        "#include <cstdio>\n__global__ void k(int* d) {\n    for (int i = 0; i < 4; i++)\n        for (int j "
        "= 0; j < 4; "
        "j++)\n            if (i + j == static_cast<int>(threadIdx.x % 7)) {\n                d[threadIdx.x] "
        "= 4 * i + j;\n"
        "                return;\n            }\n}\nint main() {\n    int* d;\n    int h[32], sum = 0;\n    "
        "cudaMalloc(&d, "
        "128);\n    k<<<1, 32>>>(d);\n    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n    for (int v : "
        "h) sum += v;\n"
        "    printf(\"%d\\n\", sum);\n    cudaFree(d);\n}\n");
    CHECK(run.status == Status::ok);
    // Thread t finds 0, 1, 2, 3, 7, 11, 15 for t % 7 = 0 .. 6: four rounds of 39, then 0 1 2 3.
    CHECK(run.output == "162\n");
}

TEST_SUITE_END();
