// Arrays that a thread keeps for itself, and branches, as `cudalab run` sees them.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "workbench/lessons/text.h"
#include "workbench/play/run_program.h"

using namespace lab;

namespace {

// One launch of 64 threads of `kernel`, which may use int* d of 64, and what it needs before it.
Run run_kernel(const std::string& kernel, const std::string& before = "") {
    const auto file =
        std::filesystem::temp_directory_path() / ("cudalab-local-" + std::to_string(getpid()) + ".cu");
    write_file(file, before + "__global__ void k(int* d, int n) {\n" + kernel +
                         "\n}\nint main() {\n    int* d;\n    cudaMalloc(&d, 256);\n"
                         "    cudaMemset(d, 0, 256);\n    k<<<1, 64>>>(d, 7);\n"
                         "    cudaDeviceSynchronize();\n    cudaFree(d);\n}\n");
    ProgramRequest request;
    request.files = {file.string()};
    request.streams = Streams::captured;
    request.orders = Orders::forward;
    Run run = run_program(find_home(), request).run;
    std::filesystem::remove(file);
    return run;
}

double metric(const Run& run, const std::string& name) {
    REQUIRE(run.kernels.size() == 1);
    const auto found = run.kernels[0].metrics.find(name);
    return found == run.kernels[0].metrics.end() ? 0 : found->second;
}

void check_finding(const Run& run, const std::string& kind, int line, const std::string& words) {
    REQUIRE_MESSAGE(run.status == Status::findings, run.headline);
    CHECK(run.findings.front().kind == kind);
    CHECK(run.findings.front().at.line == line);
    CHECK_MESSAGE(run.findings.front().message.find(words) != std::string::npos,
                  run.findings.front().message);
}

}  // namespace

TEST_SUITE_BEGIN("local_arrays");

TEST_CASE("an index out of a local array is a finding that names it, through a pointer too") {
    check_finding(run_kernel("int a[4] = {};\nint b[5] = {};\na[n] = b[0];"), "oob-local", 4,
                  "index 7 at line 4 in a");
    check_finding(run_kernel("int a[2][3] = {};\nd[threadIdx.x] = a[1][n - 4];"), "oob-local", 3,
                  "index 3 at line 3 in a");
    check_finding(run_kernel("char a[6] = {};\nd[threadIdx.x] = *reinterpret_cast<int*>(a + n - 3);"),
                  "oob-local", 3, "past the end of a");
}

TEST_CASE("an element of a local array that is read before it is written is a finding") {
    check_finding(
        run_kernel("int sum[4];\nfor (int i = 0; i < 4; i++) sum[i] += i;\nd[threadIdx.x] = sum[n % 4];"),
        "uninit-local", 3, "read sum[0] at line 3, which it has not written");
    // In the second trip the array is a new one.
    check_finding(
        run_kernel(
            "for (int i = 0; i < 2; i++) {\nint a[2];\nif (i == 0) a[1] = 3;\nd[threadIdx.x] = a[1];\n}"),
        "uninit-local", 5, "read a[1]");
}

TEST_CASE(
    "what is written is not uninitialised: initialisers, copies, constructors, pointers, other scopes") {
    const std::string types =
        "struct Part { char c; int v; };\nstruct Made { int v = 3; };\n"
        "__device__ void fill(int* p, int n) { for (int i = 0; i < n; i++) p[i] = i; }\n"
        "__device__ int first(const int* p) { int mine[2]; mine[0] = p[0]; return mine[0]; }\n";
    for (const char* kernel :
         {"int a[4] = {1};\nd[threadIdx.x] = a[3];", "int a[4]{};\nd[threadIdx.x] = a[n % 4];",
          "int a[4];\nfill(a, 4);\nd[threadIdx.x] = a[n % 4];",
          "int a[4];\nmemset(a, 0, sizeof a);\nd[threadIdx.x] = a[n % 4];",
          "Part a[2];\na[0].c = 1;\na[0].v = 2;\na[1] = a[0];\nd[threadIdx.x] = a[1].v;",
          "Made a[3];\nd[threadIdx.x] = a[n % 3].v;",
          "int a[4];\na[0] = 1;\nfor (int i = 0; i < 9; i++) d[threadIdx.x] += first(a);",
          "float4 a[2];\na[1] = make_float4(1, 2, 3, 4);\nfloat4 b = a[1];\nd[threadIdx.x] = b.z;",
          "{\nint a[8];\na[n] = 1;\nd[threadIdx.x] = a[n];\n}\n{\nint x;\nfill(&x, 1);\nd[threadIdx.x] = "
          "x;\n}",
          "int a[4], *p[2] = {a, a + 2};\nfill(p[1], 2);\nd[threadIdx.x] = *p[1] + a[3];"}) {
        const Run run = run_kernel(kernel, types);
        CHECK_MESSAGE(run.status == Status::ok, kernel << "\n" << run.headline);
    }
}

TEST_CASE("local traffic: one index for all lanes is 4 sectors a word, an index a lane up to 32") {
    const Run one = run_kernel("int a[32];\nfor (int i = 0; i < 32; i++) a[i] = i;\nd[threadIdx.x] = a[n];");
    CHECK(metric(one, "local_store_requests") == 64);
    CHECK(metric(one, "local_store_sectors") == 256);
    CHECK(metric(one, "local_load_sectors") == 8);
    const Run each = run_kernel("int a[32] = {};\nd[threadIdx.x] = a[threadIdx.x % 32];");
    CHECK(metric(each, "local_load_requests") == 2);
    CHECK(metric(each, "local_load_sectors") == 64);
}

TEST_CASE("an array whose every index is known once loops are unrolled makes no local traffic") {
    const std::string sum = "\nfor (int k = 0; k < 8; ++k) d[threadIdx.x] += a[k];";
    CHECK(metric(run_kernel("int a[8] = {1, 2};" + sum), "local_load_sectors") == 0);
    CHECK(metric(run_kernel("int a[8] = {1, 2};\n#pragma unroll 1" + sum), "local_load_sectors") == 64);
    CHECK(metric(run_kernel("int a[8] = {1, 2};\na[n] = 3;" + sum), "local_load_sectors") == 64);
}

TEST_CASE("a block larger than __launch_bounds__ promises is refused; asking gives no larger one") {
    const auto run_promised = [](const std::string& host) {
        const auto file =
            std::filesystem::temp_directory_path() / ("cudalab-bounds-" + std::to_string(getpid()) + ".cu");
        write_file(file,
                   "#include <cstdio>\n__global__ void __launch_bounds__(128, 2) k(int* d) { "
                   "d[threadIdx.x] = 1; }\nint main() {\n    int* d;\n    cudaMalloc(&d, 1024);\n" +
                       host + "\n    cudaFree(d);\n}\n");
        ProgramRequest request;
        request.files = {file.string()};
        request.streams = Streams::captured;
        request.orders = Orders::forward;
        Run run = run_program(find_home(), request).run;
        std::filesystem::remove(file);
        return run;
    };
    const Run large = run_promised("k<<<1, 129>>>(d);\nprintf(\"%d\\n\", int(cudaGetLastError()));");
    check_finding(large, "launch-config", 6, "its __launch_bounds__ promises at most 128");
    CHECK(large.output.find("1\n") != std::string::npos);  // cudaErrorInvalidValue, as on an H200
    check_finding(run_promised("k<<<1, dim3(16, 16)>>>(d);\ncudaGetLastError();"), "launch-config", 6,
                  "256 threads in a block");
    const Run kept = run_promised(
        "k<<<1, 128>>>(d);\nint grid, block;\ncudaOccupancyMaxPotentialBlockSize(&grid, &block, k);\n"
        "cudaFuncAttributes a;\ncudaFuncGetAttributes(&a, k);\n"
        "printf(\"%d %d %d\\n\", int(cudaGetLastError()), block, a.maxThreadsPerBlock);");
    CHECK_MESSAGE(kept.status == Status::ok, kept.headline);
    CHECK(kept.output.find("0 128 128\n") != std::string::npos);
}

TEST_CASE("a branch that splits the lanes is counted at its line; a short one is none on a GPU") {
    const std::string work =
        "__device__ int work(int x, int n) {\n    for (int i = 0; i < n; i++) x = x * 5 + 1;\n    return "
        "x;\n}\n";
    const Run split = run_kernel(
        "int x = threadIdx.x;\nif (x % 2 == 0) x = work(x, n);\nelse x = work(x + 3, n);\nd[threadIdx.x] = "
        "x;",
        work);
    CHECK(metric(split, "divergent_branches") == 2);
    const auto& lines = split.kernels[0].lines;
    const auto line = std::find_if(lines.begin(), lines.end(), [](const auto& l) { return l.at.line == 7; });
    REQUIRE(line != lines.end());
    CHECK(line->metrics.at("divergent_branches") == 2);
    const Run by_warp = run_kernel(
        "int x = threadIdx.x;\nif (x / 32 == 0) x = work(x, n);\nelse x = work(x + 3, n);\nd[threadIdx.x] = "
        "x;",
        work);
    CHECK(metric(by_warp, "divergent_branches") == 0);
    CHECK(metric(by_warp, "active_lanes_per_step") == 32);
    CHECK(metric(run_kernel("int x = threadIdx.x;\nif (x % 2) x += 5;\nd[threadIdx.x] = x;"),
                 "divergent_branches") == 0);
    CHECK(
        metric(run_kernel("if (threadIdx.x >= 40) return;\nd[threadIdx.x] = work(d[threadIdx.x], n);", work),
               "divergent_branches") == 0);
    // Lanes leave at 8 different trips, the last of them together.
    CHECK(
        metric(
            run_kernel(
                "int x = 0;\nfor (int i = 0; i < threadIdx.x % 8; i++) x = x * 3 + i;\nd[threadIdx.x] = x;"),
            "divergent_branches") == 14);
}

TEST_SUITE_END();
