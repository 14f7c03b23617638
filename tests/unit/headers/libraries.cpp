// What the calls of cuBLAS and cuSOLVER find: memory past a matrix, memory that nothing wrote, a missing wait, arguments that are
// refused; and what of them is counted.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/headers/programs.h"

namespace {

// `body` is main()'s, with a handle h and three matrices of 4 x 4 floats on the device, of which d_c is not written; its
// first line is line 1.
lab::Run run_main(const std::string& body) {
    const std::string before =
        "#include <cublas_v2.h>\n"
        "#include <cstdio>\n"
        "static float h_data[64] = {1, 2, 3}, one = 1, zero = 0;\n"
        "int main() {\n"
        "float *d_a, *d_b, *d_c; cublasHandle_t h; cudaStream_t s;\n"
        "cudaMalloc(&d_a, 64);\ncudaMalloc(&d_b, 64);\ncudaMalloc(&d_c, 64);\n"
        "cudaMemcpy(d_a, h_data, 64, cudaMemcpyHostToDevice); cudaMemcpy(d_b, h_data, 64, "
        "cudaMemcpyHostToDevice);\n"
        "cublasCreate(&h); cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
        "#line 1\n";
    return lab::headers::run_text(before + body + "\n}\n");
}

const lab::Finding* find(const lab::Run& run, const std::string& kind) {
    const auto it = std::find_if(run.findings.begin(), run.findings.end(),
                                 [&](const lab::Finding& f) { return f.kind == kind; });
    return it == run.findings.end() ? nullptr : &*it;
}

lab::Finding found(const lab::Run& run, const std::string& kind, int line) {
    const lab::Finding* f = find(run, kind);
    REQUIRE_MESSAGE(f != nullptr, kind);
    CHECK(f->at.line == line);
    return *f;
}

std::string gemm(int m, int n, int k, int lda, const std::string& a = "d_a",
                 const std::string& beta = "&zero") {
    const std::string sizes = std::to_string(m) + "," + std::to_string(n) + "," + std::to_string(k);
    return "cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, " + sizes + ", &one, " + a + ", " + std::to_string(lda) +
           ", d_b, 4, " + beta + ", d_c, 4)";
}

}  // namespace

TEST_CASE("a product that reads past a matrix is named with its line, the matrix and the buffer") {
    const lab::Run run =
        run_main("\nint first = " + gemm(4, 4, 4, 5) + ";\nint then = cudaDeviceSynchronize();\n" +
                 "printf(\"%d %d\", first, then);");
    const lab::Finding f = found(run, "oob-global", 2);
    CHECK(f.buffer == "d_a");
    CHECK(f.message.find("A of 4 rows and 4 columns") != std::string::npos);
    CHECK(f.fix.find("leading dimension") != std::string::npos);
    CHECK(f.message.find("d_a[18], but the buffer holds 16 elements") != std::string::npos);
    CHECK(run.output == "0 700");
}

TEST_CASE("a product of what nothing wrote is named, but not a C that beta takes out") {
    const lab::Finding f = found(
        run_main("\n" + gemm(4, 4, 4, 4, "d_a", "&one") + ";\ncudaDeviceSynchronize();"), "uninit-global", 2);
    CHECK(f.buffer == "d_c");
    CHECK(f.message.find("row 0, column 0 of C") != std::string::npos);
    const lab::Run clean = run_main(gemm(4, 4, 4, 4) + ";\ncudaDeviceSynchronize();");
    for (const lab::Finding& other : clean.findings)
        CHECK_MESSAGE(other.severity != lab::Severity::error, other.message);
}

TEST_CASE("a result that the host copies in another stream without a wait is a race with the call") {
    const lab::Run run = run_main("cublasSetStream(h, s);\n" + gemm(4, 4, 4, 4) +
                                  ";\ncudaMemcpy(h_data, d_c, 64, cudaMemcpyDeviceToHost);");
    const lab::Finding f = found(run, "stream-race", 3);
    CHECK(f.message.find("cublasSgemm") != std::string::npos);
    const lab::Run right = run_main("cublasSetStream(h, s);\n" + gemm(4, 4, 4, 4) +
                                    ";\ncudaStreamSynchronize(s);\ncudaMemcpy(h_data, d_c, 64, "
                                    "cudaMemcpyDeviceToHost);");
    CHECK(find(right, "stream-race") == nullptr);
}

TEST_CASE("memory of the host, of nobody and freed memory are told apart") {
    CHECK(found(run_main(gemm(4, 4, 4, 4, "h_data") + ";"), "host-pointer", 1).message.find("for A") !=
          std::string::npos);
    found(run_main(gemm(4, 4, 4, 4, "nullptr") + ";"), "api-misuse", 1);
    found(run_main("cudaFree(d_a);\n" + gemm(4, 4, 4, 4) + ";"), "use-after-free", 2);
    const std::string scale = "cublasSscal(h, 4, d_b, d_a, 1);";
    CHECK(found(run_main(scale), "device-pointer-on-host", 1).message.find("alpha") != std::string::npos);
}

TEST_CASE("arguments that cuBLAS refuses give its status and a sentence") {
    const auto status = [](const std::string& call) {
        const lab::Run run = run_main("printf(\"%d\", int(" + call + "));");
        CHECK(found(run, "api-misuse", 1).message.find("is refused") != std::string::npos);
        return run.output;
    };
    CHECK(status(gemm(4, 4, 4, 3)) == "7");
    CHECK(status(gemm(-1, 4, 4, 4)) == "7");
    CHECK(status("cublasSaxpy(nullptr, 4, &one, d_a, 1, d_b, 1)") == "1");
    CHECK(status("cublasSaxpy(h, 4, nullptr, d_a, 1, d_b, 1)") == "7");
    CHECK(status("cublasSgemv(h, CUBLAS_OP_N, 4, 4, &one, d_a, 4, d_b, 0, &zero, d_c, 1)") == "7");
    CHECK(
        status(
            "cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, d_a, CUDA_R_8I, 4, d_b, CUDA_R_8I, 4, "
            "&zero, d_c, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT)") == "15");
}

TEST_CASE("handles, calls and their streams are counted and stand in the timeline") {
    const std::string call = gemm(4, 4, 4, 4) + ";";
    const lab::Run run =
        run_main("for (int i = 0; i < 5; ++i) {\ncublasDestroy(h);\ncublasCreate(&h);\n" + call +
                 "\n}\ncublasSetStream(h, s);\n" + call + "\ncudaDeviceSynchronize();");
    REQUIRE(run.timelines.size() == 1);
    const lab::Timeline& timeline = run.timelines.front();
    CHECK(timeline.metric("library_handles") == 6);
    CHECK(timeline.metric("library_calls") == 6);
    CHECK(timeline.metric("library_calls_in_default_stream") == 5);
    const auto& last = *std::find_if(timeline.tasks.rbegin(), timeline.tasks.rend(),
                                     [](const lab::TimelineTask& t) { return t.kind == "library"; });
    CHECK(last.name == "cublasSgemm");
    CHECK(last.line == 7);
    CHECK(last.engine == "kernels");
    CHECK(last.takes_time());
    const lab::Finding f = found(run, "api-misuse", 3);
    CHECK(f.severity == lab::Severity::advice);
    CHECK(f.message.find("4 handles") != std::string::npos);
}

namespace {

// `body` is main()'s, with a handle h, a symmetric matrix d_a of 4 x 4 floats, a right side d_b of 4, memory d_work and
// d_info that nothing wrote; its first line is line 1.
lab::Run run_solver(const std::string& body) {
    const std::string before =
        "#include <cusolverDn.h>\n"
        "#include <cstdio>\n"
        "static float h_a[16] = {4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4};\n"
        "constexpr auto lower = CUBLAS_FILL_MODE_LOWER;\n"
        "int main() {\n"
        "float *d_a, *d_b, *d_work; int *d_info, size = 0, info = -1; cusolverDnHandle_t h; cudaStream_t s;\n"
        "cudaMalloc(&d_a, 64);\ncudaMalloc(&d_b, 16);\ncudaMalloc(&d_work, 4096);\ncudaMalloc(&d_info, 4);\n"
        "cudaMemcpy(d_a, h_a, 64, cudaMemcpyHostToDevice);\ncudaMemcpy(d_b, h_a, 16, "
        "cudaMemcpyHostToDevice);\n"
        "cusolverDnCreate(&h); cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
        "cusolverDnSpotrf_bufferSize(h, lower, 4, d_a, 4, &size);\n"
        "#line 1\n";
    return lab::headers::run_text(before + body + "\n}\n");
}

std::string potrf(int n, const std::string& a = "d_a", const std::string& size = "size",
                  const std::string& info = "d_info") {
    return "cusolverDnSpotrf(h, lower, " + std::to_string(n) + ", " + a + ", 4, d_work, " + size + ", " +
           info + ")";
}
const std::string read_info = "cudaMemcpy(&info, d_info, 4, cudaMemcpyDeviceToHost);\n";

}  // namespace

TEST_CASE("a factorisation writes devInfo, and a matrix that is not positive definite is told there") {
    const lab::Run good = run_solver(potrf(4) + ";\n" + read_info + "printf(\"%d\", info);");
    CHECK(good.output == "0");
    for (const lab::Finding& f : good.findings) CHECK_MESSAGE(f.severity != lab::Severity::error, f.message);
    const lab::Run bad =
        run_solver("cudaMemset(d_a, 0, 64);\n" + potrf(4) + ";\n" + read_info + "printf(\"%d\", info);");
    CHECK(bad.output == "1");
}

TEST_CASE("cuSOLVER's matrices, workspace and devInfo are checked like a kernel's accesses") {
    const lab::Finding past =
        found(run_solver("\n" + potrf(5, "d_a + 4").replace(0, 0, "size *= 2; ") + ";"), "api-misuse", 2);
    CHECK(past.message.find("lda is 4, but A has 5 rows") != std::string::npos);
    CHECK(found(run_solver(potrf(4, "d_a + 4") + ";"), "oob-global", 1).buffer == "d_a");
    CHECK(found(run_solver("float* d_c; cudaMalloc(&d_c, 64);\n" + potrf(4, "d_c") + ";"), "uninit-global", 2)
              .message.find("row 0, column 0 of A") != std::string::npos);
    CHECK(found(run_solver(potrf(4, "d_a", "4") + ";"), "api-misuse", 1)
              .message.find("its workspace has 4 elements, and it needs 128") != std::string::npos);
    CHECK(found(run_solver(potrf(4, "d_a", "size", "&info") + ";"), "host-pointer", 1)
              .message.find("for devInfo") != std::string::npos);
    CHECK(found(run_solver("cudaMalloc(&d_work, 64);\n" + potrf(4) + ";"), "oob-global", 2)
              .message.find("Workspace of 128 elements") != std::string::npos);
}

TEST_CASE("a solution in a stream that nobody waits for is a race with the copy of devInfo") {
    const lab::Run run = run_solver("cusolverDnSetStream(h, s);\n" + potrf(4) + ";\n" + read_info);
    CHECK(found(run, "stream-race", 3).message.find("cusolverDnSpotrf") != std::string::npos);
}

TEST_CASE("cuSOLVER's handles and calls are counted with those of cuBLAS") {
    const lab::Run run = run_solver(
        "for (int i = 0; i < 5; ++i) {\ncusolverDnDestroy(h);\ncusolverDnCreate(&h);\n" + potrf(4) +
        ";\n}\ncusolverDnSetStream(h, s);\ncusolverDnSpotrs(h, lower, 4, 1, d_a, 4, d_b, 4, d_info);\n"
        "cudaDeviceSynchronize();");
    REQUIRE(run.timelines.size() == 1);
    CHECK(run.timelines.front().metric("library_handles") == 6);
    CHECK(run.timelines.front().metric("library_calls") == 6);
    CHECK(run.timelines.front().metric("library_calls_in_default_stream") == 5);
    CHECK(found(run, "api-misuse", 3).message.find("cusolverDnCreate at line 3") != std::string::npos);
}
