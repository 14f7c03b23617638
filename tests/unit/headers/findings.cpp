// What the runtime API finds: errors that nobody looked at (and never one in a program that looks), copies
// that are too long, the wrong way round, or counted in elements.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/headers/programs.h"

using lab::headers::run_text;

namespace {

// `body` is main()'s, with a device array d_data of 100 floats and a host array h_data; its first line is
// line 1.
lab::Run run_main(const std::string& body) {
    const std::string before =
        "#include <memory>\n"
        "__global__ void store(float* p) { p[threadIdx.x] = 1; }\n"
        "__constant__ float table[8];\n"
        "static float h_data[1000];\n"
        "int main() {\n"
        "float* d_data; if (cudaMalloc(&d_data, 100 * sizeof(float)) != cudaSuccess) return 9;\n"
        "#line 1\n";
    return run_text(before + body + "\n}\n");
}

const lab::Finding* find(const lab::Run& run, const std::string& kind) {
    const auto it = std::find_if(run.findings.begin(), run.findings.end(),
                                 [&](const lab::Finding& f) { return f.kind == kind; });
    return it == run.findings.end() ? nullptr : &*it;
}

constexpr const char* check_macro =
    "#include <cstdio>\n"
    "#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf(\"%s\\n\", "
    "cudaGetErrorString(e)); return 1; } } "
    "while (0)\n"
    "#line 1\n";

void accused(const std::string& body, int line) {
    const lab::Run run = run_main(body);
    const lab::Finding* f = find(run, "unchecked-error");
    REQUIRE(f != nullptr);
    CHECK(f->at.line == line);
    CHECK(f->severity == lab::Severity::error);
}

void not_accused(const std::string& body, int exit_code) {
    const lab::Run run = run_main(body);
    const lab::Finding* f = find(run, "unchecked-error");
    CHECK_MESSAGE(f == nullptr, (f != nullptr ? f->message : ""));
    CHECK(run.exit_code == exit_code);
}

}  // namespace

TEST_CASE("a launch that is refused is unchecked when nothing asks for the last error") {
    accused("store<<<1, 2000>>>(d_data);\nreturn cudaDeviceSynchronize();", 1);
}

TEST_CASE("a kernel that faults is unchecked when the program goes on with the code in hand") {
    accused(
        "\nstore<<<1, 1>>>(nullptr);\ncudaDeviceSynchronize();\nfloat* more; cudaMalloc(&more, 4);\nreturn "
        "0;",
        2);
}

TEST_CASE("a later question at the very end does not excuse the calls between") {
    accused(
        "store<<<1, 1>>>(nullptr);\ncudaDeviceSynchronize();\ncudaMemcpy(h_data, d_data, 4, "
        "cudaMemcpyDeviceToHost);\n"
        "cudaMemset(d_data, 0, 4);\nreturn cudaGetLastError() == 0;",
        1);
}

TEST_CASE("a kernel that faults is unchecked when no call follows at all") {
    accused("store<<<1, 1>>>(nullptr);\nreturn 0;", 1);
}

TEST_CASE("a program that checks every call is not accused of an unchecked launch") {
    not_accused(
        std::string(check_macro) + "store<<<1, 2000>>>(d_data);\nCHECK(cudaGetLastError());\nreturn 0;", 1);
    not_accused(std::string(check_macro) +
                    "store<<<1, "
                    "1>>>(nullptr);\nCHECK(cudaGetLastError());\nCHECK(cudaDeviceSynchronize());\nreturn 0;",
                1);
    not_accused(std::string(check_macro) +
                    "store<<<1, 1>>>(nullptr);\nCHECK(cudaMemcpy(h_data, d_data, 4, "
                    "cudaMemcpyDeviceToHost));\nreturn 0;",
                1);
}

TEST_CASE("a program that cleans up after the error, or puts it into words and goes on, is not accused") {
    not_accused(
        "store<<<1, 1>>>(nullptr);\nif (cudaDeviceSynchronize() != cudaSuccess) { cudaFree(d_data); return "
        "3; }\nreturn 0;",
        3);
    not_accused(
        "store<<<1, 1>>>(nullptr);\ncudaError_t e = "
        "cudaDeviceSynchronize();\n(void)cudaGetErrorString(e);\ncudaMemset(d_data, 0, 4);\nreturn 4;",
        4);
    not_accused(
        "store<<<1, 1>>>(nullptr);\nreturn cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 5 : 0;", 5);
}

TEST_CASE("a refused launch that is asked about later is checked") {
    not_accused(
        "store<<<1, 2000>>>(d_data);\ncudaMemset(d_data, 0, 400);\ncudaDeviceSynchronize();\nreturn "
        "cudaPeekAtLastError() != 0 ? 6 : 0;",
        6);
}

TEST_CASE("a copy that is longer than its buffer names the buffer and both counts") {
    const lab::Run run =
        run_main("\nreturn cudaMemcpy(d_data, h_data, 1000 * sizeof(float), cudaMemcpyHostToDevice);");
    CHECK(run.exit_code == 1);
    const lab::Finding* f = find(run, "oob-global");
    REQUIRE(f != nullptr);
    CHECK(f->message == "cudaMemcpy at line 2 copies 1000 elements to d_data, which holds 100 elements");
    CHECK(f->at.line == 2);
    CHECK(f->buffer == "d_data");
    CHECK(f->element == 100);
    CHECK(f->last_element == 999);
}

TEST_CASE("an allocation of n bytes for n elements is explained where the copy fails") {
    const lab::Run run = run_main(
        "float* d_x; cudaMalloc(&d_x, 100);\nreturn cudaMemcpy(d_x, h_data, 100 * sizeof(float), "
        "cudaMemcpyHostToDevice);");
    const lab::Finding* f = find(run, "oob-global");
    REQUIRE(f != nullptr);
    CHECK(
        f->fix ==
        "Line 1 allocates 100 bytes where 100 elements of 4 bytes are meant: multiply the count by sizeof.");
}

TEST_CASE("a count of elements where bytes are meant is advice") {
    const lab::Run run = run_main("return cudaMemcpy(d_data, h_data, 100, cudaMemcpyHostToDevice);");
    CHECK(run.exit_code == 0);
    const lab::Finding* f = find(run, "api-misuse");
    REQUIRE(f != nullptr);
    CHECK(f->severity == lab::Severity::advice);
    CHECK(f->message == "cudaMemcpy at line 1 copies 100 bytes, which are 25 of the 100 elements of d_data");
}

TEST_CASE("swapped pointers and a wrong direction are told apart") {
    const lab::Run swapped = run_main("return cudaMemcpy(h_data, d_data, 4, cudaMemcpyHostToDevice);");
    REQUIRE(find(swapped, "api-misuse") != nullptr);
    CHECK(find(swapped, "api-misuse")->fix ==
          "The destination comes first, then the source: swap the two pointers, or say the other direction.");
    const lab::Run host = run_main("return cudaMemcpy(h_data, h_data + 8, 4, cudaMemcpyHostToDevice);");
    CHECK(find(host, "host-pointer") != nullptr);
    CHECK(host.exit_code == 1);
}

TEST_CASE("memory that was freed is not copied") {
    const lab::Run run =
        run_main("cudaFree(d_data);\nreturn cudaMemcpy(h_data, d_data, 4, cudaMemcpyDeviceToHost);");
    const lab::Finding* f = find(run, "use-after-free");
    REQUIRE(f != nullptr);
    CHECK(f->at.line == 2);
    REQUIRE(f->other.has_value());
    CHECK(f->other->at.line == 1);
}

TEST_CASE("copying what nothing wrote is advice that names the elements") {
    const lab::Run run = run_main(
        "store<<<1, 60>>>(d_data);\nreturn cudaMemcpy(h_data, d_data, 400, cudaMemcpyDeviceToHost);");
    const lab::Finding* f = find(run, "never-written");
    REQUIRE(f != nullptr);
    CHECK(f->severity == lab::Severity::advice);
    CHECK(f->element == 60);
    CHECK(f->last_element == 99);
}

TEST_CASE("a constant array is not overfilled") {
    const lab::Run run = run_main("return cudaMemcpyToSymbol(table, h_data, 36);");
    REQUIRE(find(run, "oob-constant") != nullptr);
    CHECK(find(run, "oob-constant")->message ==
          "cudaMemcpyToSymbol at line 1 copies 36 bytes from byte 0 on, but table has 32 bytes");
}

TEST_CASE("cudaFree is a deleter, and host variables may be called blockDim") {
    const lab::Run run = run_main(
        "struct Free { void operator()(float* p) const { cudaFree(p); } };\n"
        "{ std::unique_ptr<float, decltype(&cudaFree)> owner(d_data, cudaFree); }\n"
        "dim3 blockDim(32, 1), gridDim = 1;\n"
        "float* d_more; cudaMalloc(&d_more, 32 * sizeof(float));\n"
        "store<<<gridDim, blockDim>>>(d_more);\n"
        "::cudaFree(d_more);\n"
        "return cudaDeviceSynchronize() == 0 && blockDim.x == 32 && gridDim.x == 1 ? 7 : 8;");
    CHECK(run.exit_code == 7);
    for (const lab::Finding& f : run.findings) CHECK_MESSAGE(f.severity == lab::Severity::advice, f.message);
}

// nvcc refuses such files, so that they are texts here.
TEST_CASE("more constants than constant memory has are an error at the variable that no longer fits") {
    const std::string program =
        "__constant__ float first[16000];\n"
        "__constant__ float second[384];\n"
        "__global__ void k(float* p) { *p = first[5] + second[6]; }\n"
        "int main() {}\n";
    CHECK(run_text(program).findings.empty());
    const lab::Run run = run_text("__constant__ char one;\n" + program);
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings[0].kind == "oob-constant");
    CHECK(run.findings[0].at.line == 3);
    CHECK(run.findings[0].message.find(
              "second brings the __constant__ variables of this file to 65537 bytes") == 0);
}

TEST_CASE("a launch with too many bytes of parameters is refused, with nvcc's words") {
    const auto program = [](int bytes) {
        return "struct Big { char x[" + std::to_string(bytes) + "]; };\n" +
               "__global__ void k(Big big) { (void)big; }\n"
               "int main() { static Big big; k<<<1, 1>>>(big); return cudaGetLastError(); }\n";
    };
    CHECK(run_text(program(32764)).exit_code == 0);
    const lab::Run run = run_text(program(32765));
    CHECK(run.exit_code == 1);  // cudaErrorInvalidValue
    REQUIRE(find(run, "launch-config") != nullptr);
    CHECK(find(run, "launch-config")->message.find("32765 bytes of parameters; 32764 is the most") !=
          std::string::npos);
}

TEST_CASE("a kernel that leaves a constant array, or writes it, is told so by its name") {
    const std::string before =
        "__constant__ float table[8];\n"
        "__global__ void look(float* p, int i) { *p = table[i]; }\n"
        "__global__ void change(int i) { table[i] = 1; }\n"
        "int main() { float* d; cudaMalloc(&d, 4);\n";
    const lab::Run outside = run_text(before + "look<<<1, 1>>>(d, 8); cudaDeviceSynchronize(); }\n");
    REQUIRE(find(outside, "oob-constant") != nullptr);
    CHECK(find(outside, "oob-constant")
              ->message.find("used index 8 at line 2 in table, which has 8 elements") != std::string::npos);
    const lab::Run written = run_text(before + "change<<<1, 1>>>(3); cudaDeviceSynchronize(); }\n");
    REQUIRE(find(written, "oob-constant") != nullptr);
    CHECK(find(written, "oob-constant")->at.line == 3);
}

TEST_CASE("arrays are no pointers, and are freed once; objects are destroyed once") {
    const std::string before =
        "static float h_data[8]; int main() { cudaChannelFormatDesc "
        "format = cudaCreateChannelDesc<float>(); cudaArray_t a; cudaMallocArray(&a, "
        "&format, 8);";
    const auto message = [&](const std::string& body, const std::string& kind) {
        const lab::Run run = run_text(before + body + "}\n");
        const lab::Finding* f = find(run, kind);
        return f == nullptr ? std::string("no finding") : f->message;
    };
    CHECK(message("cudaMemcpy(a, h_data, 32, cudaMemcpyHostToDevice);", "api-misuse") ==
          "the destination of cudaMemcpy at line 1 is the CUDA array a, which is no pointer");
    CHECK(
        message("cudaFreeArray(a);\ncudaFreeArray(a);", "double-free").find("line 2 frees a a second time") ==
        0);
    CHECK(message("cudaFreeArray((cudaArray_t)h_data);", "invalid-free").find("something that is no array") !=
          std::string::npos);
    CHECK(
        message(
            "cudaResourceDesc r = {}; r.res.array.array = a; cudaTextureDesc d = {}; cudaTextureObject_t t;\n"
            "cudaCreateTextureObject(&t, &r, &d, nullptr);\ncudaDestroyTextureObject(t);\n"
            "cudaDestroyTextureObject(t);",
            "double-free") ==
        "cudaDestroyTextureObject at line 4 destroys t a second time; line 3 did already");
    CHECK(
        message(
            "cudaMipmappedArray_t m;\ncudaMallocMipmappedArray(&m, &format, make_cudaExtent(8, 8, 0), 3);",
            "api-misuse") ==
        "cudaMallocMipmappedArray at line 2 asks for a mipmapped array, which the CPU machine does not have");
}

TEST_CASE("a kernel that fetches through no texture at all is stopped") {
    const lab::Run run = run_text(
        "__global__ void k(cudaTextureObject_t t, float* p) {\n*p = tex2D<float>(t, 0, 0); }\n"
        "int main() { float* d; cudaMalloc(&d, 4); k<<<1, 1>>>(0, d); return cudaDeviceSynchronize() == 700; "
        "}\n");
    CHECK(run.exit_code == 1);
    REQUIRE(find(run, "api-misuse") != nullptr);
    CHECK(find(run, "api-misuse")->message ==
          "thread (0,0,0) of block (0,0,0) called tex2D at line 2 with a texture object that was never made "
          "(0)");
}

TEST_CASE("a launch by function call that cannot be says why") {
    const lab::Run unknown =
        run_main("void* p = h_data; return cudaLaunchCooperativeKernel(p, 1, 32, nullptr);");
    REQUIRE(find(unknown, "api-misuse") != nullptr);
    CHECK(find(unknown, "api-misuse")
              ->message.find("cudaLaunchCooperativeKernel at line 1 got a pointer of which") == 0);
    const lab::Run empty = run_main("return cudaLaunchKernel((void*)store, 1, 32, nullptr);");
    CHECK(empty.exit_code == 1);
    REQUIRE(find(empty, "api-misuse") != nullptr);
    CHECK(find(empty, "api-misuse")->message ==
          "the launch at line 1 gives no arguments, but the kernel takes some");
    const lab::Run cluster = run_main(
        "cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension;\n"
        "a.val.clusterDim.x = 2; a.val.clusterDim.y = a.val.clusterDim.z = 1;\n"
        "cudaLaunchConfig_t c = {}; c.gridDim = 2; c.blockDim = 32; c.attrs = &a; c.numAttrs = 1;\n"
        "return cudaLaunchKernelEx(&c, store, d_data);");
    REQUIRE(find(cluster, "api-misuse") != nullptr);
    CHECK(find(cluster, "api-misuse")->message ==
          "the launch at line 4 asks for clusters of several blocks, which the CPU machine does not have");
    CHECK(cluster.exit_code == 801 % 256);
}

TEST_CASE("a launch that is too large to be cooperative names the kernel and how many blocks there may be") {
    const lab::Run run = run_main(
        "void* arguments[] = {&d_data};\n"
        "return cudaLaunchCooperativeKernel(store, 2113, 512, arguments) == 720 ? 7 : 8;");
    CHECK(run.exit_code == 7);
    const lab::Finding* f = find(run, "launch-config");
    REQUIRE(f != nullptr);
    CHECK(f->at.line == 2);
    CHECK(f->message ==
          "line 2 launches store cooperatively with 2113 blocks, but only 528 such blocks are on NVIDIA H200 "
          "at once: "
          "4 on each of its 132 multiprocessors");
}
