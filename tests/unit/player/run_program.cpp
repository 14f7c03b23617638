// `cudalab run` from the inside: whole programs on the real machine, each status once.
#include "workbench/play/run_program.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "workbench/lessons/text.h"

using namespace lab;

namespace {

ProgramRun run_text(const std::string& text, const std::vector<std::string>& arguments = {},
                    double seconds = 20, bool fast = false) {
    const auto file =
        std::filesystem::temp_directory_path() / ("cudalab-run-" + std::to_string(getpid()) + ".cu");
    write_file(file, text);
    ProgramRequest request;
    request.files = {file.string()};
    request.arguments = arguments;
    request.streams = Streams::captured;
    request.seconds = seconds;
    request.fast = fast;
    ProgramRun done = run_program(find_home(), request);
    std::filesystem::remove(file);
    return done;
}

const char* const kFill =
    "#include <cstdio>\n#include <cstdlib>\n"
    "__global__ void fill(int* d_out, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    GUARD d_out[i] = i;\n"
    "}\n"
    "int main(int argc, char** argv) {\n"
    "    int n = argc > 1 ? atoi(argv[1]) : 40, last = -1;\n"
    "    int* d_out;\n"
    "    cudaMalloc(&d_out, n * sizeof(int));\n"
    "    fill<<<(n + 31) / 32, 32>>>(d_out, n);\n"
    "    cudaMemcpy(&last, d_out + n - 1, sizeof(int), cudaMemcpyDeviceToHost);\n"
    "    printf(\"last %d\\n\", last);\n"
    "    cudaFree(d_out);\n"
    "    END\n"
    "}\n";

std::string fill(const std::string& guard, const std::string& end = "return 0;") {
    std::string text = kFill;
    text.replace(text.find("GUARD"), 5, guard);
    text.replace(text.find("END"), 3, end);
    return text;
}

}  // namespace

TEST_SUITE_BEGIN("run_program");

TEST_CASE(
    "a kernel that launches a kernel is stopped by a sentence with its line, checked and in fast mode") {
    const std::string text =
        "__global__ void child(int* x) { x[threadIdx.x] += 1; }\n"
        "__global__ void parent(int* x) {\n"
        "    if (threadIdx.x == 0) child<<<1, 32>>>(x);\n"
        "}\n"
        "int main() {\n"
        "    int* x;\n"
        "    cudaMalloc(&x, 32 * sizeof(int));\n"
        "    cudaMemset(x, 0, 32 * sizeof(int));\n"
        "    parent<<<1, 32>>>(x);\n"
        "    const int error = cudaDeviceSynchronize();\n"
        "    cudaFree(x);\n"
        "    return error == cudaErrorLaunchFailure ? 0 : 1;\n"
        "}\n";
    for (const bool fast : {false, true}) {
        const Run run = run_text(text, {}, 20, fast).run;
        const auto errors = std::count_if(run.findings.begin(), run.findings.end(),
                                          [](const Finding& f) { return f.severity == Severity::error; });
        REQUIRE(errors == 1);
        const Finding& f = run.findings.front();
        CHECK(f.kind == "api-misuse");
        CHECK(f.at.line == 3);
        CHECK(f.message.find("launches child") != std::string::npos);
        CHECK(f.fix.find("no dynamic parallelism") != std::string::npos);
    }
}

TEST_CASE("a right program is ok, with its arguments, its output and one record a launch") {
    const Run run = run_text(fill("if (i < n)"), {"100"}).run;
    CHECK(run.status == Status::ok);
    CHECK(run.exit_code == 0);
    CHECK(run.output == "last 99\n");
    CHECK(run.findings.empty());
    REQUIRE(run.kernels.size() == 1);
    CHECK(run.kernels[0].name == "fill");
    CHECK(run.kernels[0].grid == Dim3{4, 1, 1});
    CHECK(run.kernels[0].block == Dim3{32, 1, 1});
    CHECK(run.kernels[0].metrics.at("global_store_sectors") == 13);  // 400 bytes
}

TEST_CASE("a launch says which card it ran on, and how many memory instructions its busiest warp made") {
    std::string text = fill("if (i < n)");
    const Metrics shared_out = run_text(text, {"100"}).run.kernels.at(0).metrics;
    CHECK(shared_out.at("sm_count") == 132);  // of an H200
    CHECK(shared_out.at("busiest_warp_accesses") == 1);
    const std::string one = "d_out[i] = i;";
    text.replace(text.find(one), one.size(), "if (i == 40) for (int k = 0; k < n; ++k) d_out[k] = k;");
    CHECK(run_text(text, {"100"}).run.kernels.at(0).metrics.at("busiest_warp_accesses") == 100);
}

TEST_CASE("freed addresses come back when there are no fresh ones, and are not written then") {
    const std::string loop =
        "#include <cstdio>\n__global__ void look(int* d, int i) { if (i < 54) *d = i; else *d += 1; }\n"
        "int main() {\n    for (int i = 0; i < 55; i++) {\n        int *d, h;\n"
        "        if (cudaMalloc(&d, 1u << 30) != cudaSuccess) return 1;\n        look<<<1, 1>>>(d, i);\n"
        "        cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n        cudaFree(d);\n"
        "        if (h != i && i < 54) return 2;\n    }\n}\n";
    const Run run = run_text(loop).run;
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings[0].kind == "uninit-global");
    CHECK(run.kernels.size() == 55);
    CHECK(run.exit_code == 0);
}

TEST_CASE("an exit code other than 0 is the program's own, by return and by exit") {
    for (const char* end : {"return 7;", "exit(7);"}) {
        const Run run = run_text(fill("if (i < n)", end)).run;
        CHECK(run.status == Status::failed);
        CHECK(run.exit_code == 7);
    }
}

TEST_CASE("an index below 0 in shared memory is told as one, in the first block and in later ones") {
    const Run run =
        run_text(
            "__device__ float at(const float* part, int i) { return part[i]; }\n"
            "__global__ void k(float* out) {\n    __shared__ float part[128];\n    int t = threadIdx.x;\n    "
            "part[t] = 1;\n"
            "    __syncthreads();\n    out[t] = at(part, t - 64);\n}\n"
            "int main() {\n    float* out;\n    cudaMalloc(&out, 512);\n    k<<<2, 32>>>(out);\n    "
            "cudaFree(out);\n}\n")
            .run;
    REQUIRE(!run.findings.empty());
    CHECK(run.findings[0].kind == "oob-shared");
    CHECK(run.findings[0].message.find("read part[-64] at line 1, but part has 128 elements") !=
          std::string::npos);
    CHECK(run.findings[0].element == -64);
    CHECK(run.findings[0].count == 64);
}

TEST_CASE("an index far past the end is told of the array that the same instruction went to before") {
    const Run run =
        run_text(
            "__global__ void k(const float* in, float* out) {\n    float sum = 0;\n"
            "    for (int i = 0; i < 8; ++i) sum += in[140 * i];\n    *out = sum;\n}\n"
            "int main() {\n    float *in, *out;\n    cudaMalloc(&in, 400);\n    cudaMalloc(&out, 4);\n"
            "    cudaMemset(in, 0, 400);\n    k<<<1, 1>>>(in, out);\n    cudaFree(in);\n    "
            "cudaFree(out);\n}\n")
            .run;
    REQUIRE(!run.findings.empty());
    CHECK(run.findings[0].kind == "oob-global");
    CHECK(run.findings[0].buffer == "in");
    CHECK(run.findings[0].element == 140);
}

TEST_CASE("an access out of bounds is a finding with kernel, line, column, block and thread") {
    const Run run = run_text(fill("")).run;
    CHECK(run.status == Status::findings);
    const auto found = std::find_if(run.findings.begin(), run.findings.end(),
                                    [](auto& f) { return f.kind == "oob-global"; });
    REQUIRE(found != run.findings.end());
    CHECK(found->severity == Severity::error);
    CHECK(found->at.line == 5);
    CHECK(found->block == Dim3{1, 0, 0});
    CHECK(found->thread == Dim3{8, 0, 0});
    CHECK(found->buffer == "d_out");
    CHECK(found->element == 40);
}

// All blocks of the grid meet by a counter. MORE stands at the beginning of the kernel.
std::string meeting(const std::string& launch, const std::string& more = "") {
    return "#include <cstdio>\n"
           "__global__ void meet(int* count) {\n"
           "    " +
           more +
           "\n"
           "    if (threadIdx.x != 0) return;\n"
           "    atomicAdd(count, 1);\n"
           "    while (atomicAdd(count, 0) < gridDim.x) {}\n"
           "}\n"
           "int main() {\n"
           "    int* count;\n"
           "    cudaMalloc(&count, sizeof(int));\n"
           "    cudaMemset(count, 0, sizeof(int));\n"
           "    cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);\n"
           "    " +
           launch +
           "\n"
           "    std::printf(\"%s\\n\", cudaGetErrorString(cudaDeviceSynchronize()));\n"
           "    cudaFree(count);\n"
           "}\n";
}

TEST_CASE("blocks for which the device has no room are why those that wait for them wait for ever") {
    struct Case {
        const char *launch, *more, *says;
    };
    const Case cases[] = {
        {"meet<<<300, 1024>>>(count);", "",
         "36 more blocks cannot start: the 264 that wait are all that NVIDIA H200 holds at once, 2 on each "
         "of "
         "its 132 multiprocessors (each has room for 2048 threads)"},
        {"meet<<<133, 32, 200 << 10>>>(count);", "",
         "1 more block cannot start: the 132 that wait are all that NVIDIA H200 holds at once, 1 on each of "
         "its "
         "132 multiprocessors (each has 233472 bytes of shared memory)"},
        {"meet<<<530, 32>>>(count);", "__shared__ int tile[12288]; tile[threadIdx.x] = 1;",
         "4 on each of its 132"},
    };
    for (const Case& c : cases) {
        const ProgramRun done = run_text(meeting(c.launch, c.more));
        REQUIRE(done.run.findings.size() >= 1);
        const Finding& f = done.run.findings.front();
        CHECK(f.kind == "deadlock");
        CHECK(f.at.line == 6);
        CHECK_MESSAGE(f.message.find(c.says) != std::string::npos, f.message);
        CHECK(f.fix.find("launch at most") != std::string::npos);
    }
    for (const char* fits : {"meet<<<264, 1024>>>(count);", "meet<<<132, 32, 200 << 10>>>(count);"}) {
        const ProgramRun done = run_text(meeting(fits));
        CHECK(done.run.findings.empty());
        CHECK(done.run.output == "no error\n");
    }
}

TEST_CASE("a deadlock is said when it is certain, with who else waits") {
    const ProgramRun done = run_text(meeting("meet<<<2, 1>>>(count + 0);", "if (blockIdx.x == 1) return;"));
    REQUIRE(done.run.findings.size() >= 1);
    CHECK(
        done.run.findings.front().message ==
        "thread (0,0,0) of block (0,0,0) waits at line 6 for count[0], which nobody will write any more, and "
        "no other thread is left");
}

TEST_CASE("a crash of the host, a host loop without end and a file that does not compile have their status") {
    CHECK(run_text("int main() { volatile int* p = nullptr; return *p; }").run.status == Status::crashed);
    const Run endless =
        run_text("int main() {\n volatile int i = 0;\n while (true) i = i + 1;\n}", {}, 2).run;
    CHECK(endless.status == Status::timeout);
    CHECK(endless.headline.find("line 3") != std::string::npos);
    const Run wrong = run_text("int main() { return undeclared; }").run;
    CHECK(wrong.status == Status::compile_error);
    REQUIRE(!wrong.diagnostics.empty());
    CHECK(wrong.diagnostics[0].at.line == 1);
}

TEST_CASE("a file without main is not run") {
    CHECK(!run_text("__global__ void k() {}").has_main);
}

TEST_CASE("fast mode gives the same output without findings") {
    const Run run = run_text(fill("if (i < n)"), {"100"}, 20, true).run;
    CHECK(run.status == Status::ok);
    CHECK(run.output == "last 99\n");
}

TEST_CASE("an allocation that is never freed is advice and no failure") {
    const Run run = run_text("int main() { int* d; cudaMalloc(&d, 4); return 0; }").run;
    CHECK(run.status == Status::ok);
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings[0].kind == "leak");
    CHECK(run.findings[0].severity == Severity::advice);
    CHECK(run.findings[0].fix.find("cudaFree ") != std::string::npos);
    const Run pinned = run_text("int main() { int* h; cudaMallocHost(&h, 4); return 0; }").run;
    REQUIRE(pinned.findings.size() == 1);
    CHECK(pinned.findings[0].fix.find("cudaFreeHost ") != std::string::npos);
}

TEST_CASE("pinned memory is not zero before somebody writes it") {
    const Run run =
        run_text(
            "#include <cstdio>\nint main() { unsigned* h; cudaHostAlloc(&h, 4, cudaHostAllocMapped); "
            "printf(\"%d\\n\", *h == 0); cudaFreeHost(h); return 0; }")
            .run;
    CHECK(run.output == "0\n");
}

TEST_SUITE_END();
