// CUB: programs that check themselves, and faults around it.
#include <doctest/doctest.h>

#include "tests/unit/headers/programs.h"

using lab::headers::check_library;
using lab::headers::fault_line;
using lab::headers::is_found;
using lab::headers::run;

TEST_CASE("CUB's reductions and scans of warps and blocks are those of a loop, checked and in fast mode") {
    check_library("cub_reduce_scan.cu");
}

TEST_CASE(
    "CUB's loads, exchanges, sorts, histograms and flags of blocks are those of a loop, in both modes") {
    check_library("cub_block.cu");
}

TEST_CASE("storage that is used again without a barrier is a race at the line of the second call") {
    const std::string name = "cub_faults.cu";
    const lab::Run result = run(name, false);
    CHECK(is_found(result, "shared-race", fault_line(name, "again")));
    CHECK(is_found(result, "shared-race", fault_line(name, "scan again")));
    CHECK(is_found(result, "shared-race", fault_line(name, "union")));
    CHECK(std::all_of(result.findings.begin(), result.findings.end(), [&](const lab::Finding& f) {
        return f.kind == "leak" || (f.kind == "shared-race" && (f.at.line == fault_line(name, "again") ||
                                                                f.at.line == fault_line(name, "scan again") ||
                                                                f.at.line == fault_line(name, "union")));
    }));
    // Only thread 0 has what a block's reduction gives.
    CHECK(result.output == "1 of 128 threads have the sum\n");
}

TEST_CASE("threads and lanes that are missing in a call of CUB, or too many, are named at its line") {
    const std::string name = "cub_faults.cu";
    const lab::Run some = run(name, false, 1, {"some"}), half = run(name, false, 1, {"warp"}),
                   large = run(name, false, 1, {"large"});
    CHECK(is_found(some, "barrier-divergence", fault_line(name, "some")));
    CHECK(is_found(half, "shfl-mask", fault_line(name, "half")));
    REQUIRE(is_found(large, "api-misuse", fault_line(name, "large")));
    for (const lab::Finding& f : large.findings)
        if (f.kind == "api-misuse")
            CHECK(f.message.find("a block of 128 x 1 x 1 threads, and this one has 256 x 1 x 1") !=
                  std::string::npos);
}

TEST_CASE("CUB's functions for whole ranges give what loops do, checked and in fast mode") {
    check_library("cub_device.cu");
}

namespace {

// `body` is main()'s, with 5000 floats d_in, room for one d_out, storage t of b bytes as DeviceReduce::Sum wants it and two
// streams s and u; its first line is line 1.
lab::Run run_main(const std::string& body) {
    const std::string before =
        "#include <cub/cub.cuh>\n"
        "#include <cstdio>\n"
        "static float h[5000];\n"
        "int main() {\n"
        "float *d_in, *d_out; void* t; size_t b; cudaStream_t s, u;\n"
        "cudaMalloc(&d_in, sizeof h);\ncudaMalloc(&d_out, 4);\ncudaMemcpy(d_in, h, sizeof h, "
        "cudaMemcpyHostToDevice);\n"
        "cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&u, "
        "cudaStreamNonBlocking);\n"
        "cub::DeviceReduce::Sum(nullptr, b, d_in, d_out, 5000);\ncudaMalloc(&t, b);\n"
        "#line 1\n";
    return lab::headers::run_text(before + body + "\n}\n");
}

const char* const sum = "cub::DeviceReduce::Sum(t, b, d_in, d_out, 5000, s);\n";
const char* const wait = "cudaDeviceSynchronize();\n";

}  // namespace

TEST_CASE("storage that is too small is refused, and found where it is smaller than said") {
    const lab::Run refused =
        run_main("b -= 1;\nprintf(\"%d\", cub::DeviceReduce::Sum(t, b, d_in, d_out, 5000));");
    CHECK(is_found(refused, "api-misuse", 2));
    CHECK(refused.output == "1");
    CHECK(is_found(
        run_main("void* small; cudaMalloc(&small, 4);\ncub::DeviceReduce::Sum(small, b, d_in, d_out, "
                 "5000);\ncudaDeviceSynchronize();"),
        "oob-global", 2));
}

TEST_CASE("memory of the host and memory that nothing wrote are found at the line of the call") {
    CHECK(is_found(run_main("\ncub::DeviceReduce::Sum(t, b, h, d_out, 5000);\ncudaDeviceSynchronize();"),
                   "host-pointer", 2));
    CHECK(is_found(run_main("cudaMalloc(&d_in, sizeof h);\n" + std::string(sum) + wait), "uninit-global", 2));
}

TEST_CASE("storage that two streams share is a race, and so is a result that nobody waited for") {
    CHECK(is_found(run_main(sum +
                            std::string("float* d_other; cudaMalloc(&d_other, 4);\n"
                                        "cub::DeviceReduce::Sum(t, b, d_in, d_other, 5000, u);\n") +
                            wait),
                   "stream-race", 3));
    CHECK(is_found(run_main(sum + std::string("cudaMemcpy(h, d_out, 4, cudaMemcpyDeviceToHost);\n")),
                   "stream-race", 2));
    const lab::Run right = run_main(
        sum + std::string("cudaStreamSynchronize(s);\ncudaMemcpy(h, d_out, 4, cudaMemcpyDeviceToHost);\n"));
    for (const lab::Finding& f : right.findings) CHECK_MESSAGE(f.severity != lab::Severity::error, f.message);
}

TEST_CASE("calls for whole ranges are counted like those of other libraries") {
    const lab::Run result =
        run_main(sum + std::string("cub::DeviceScan::InclusiveSum(t, b, d_in, 5000);\n") + wait);
    REQUIRE(result.timelines.size() == 1);
    CHECK(result.timelines.front().metric("library_calls") == 2);
    CHECK(result.timelines.front().metric("library_calls_in_default_stream") == 1);
    for (const lab::Kernel& kernel : result.kernels) CHECK(kernel.name.rfind("cub::Device", 0) == 0);
}
