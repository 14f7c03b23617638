// mma.h: a program that checks itself, and what is found in wrong ones.
#include <doctest/doctest.h>

#include "tests/unit/headers/programs.h"

using lab::headers::check_library;
using lab::headers::is_found;
using lab::headers::run_text;

namespace {

// `body` is a kernel's, over fragments a (by rows), b (by columns) and c (float) of 16x16x16 halves, half* p of 1024 ones and
// float* q of 1024 zeros; its first line is line 1.
lab::Run run_kernel(const std::string& body, const std::string& block = "32") {
    return run_text(
        "#include <mma.h>\n#include <cstdio>\nusing namespace nvcuda::wmma;\n"
        "__global__ void k(const half* p, float* q) {\n"
        "fragment<matrix_a, 16, 16, 16, half, row_major> a; fragment<matrix_b, 16, 16, 16, half, col_major> "
        "b;\n"
        "fragment<accumulator, 16, 16, 16, float> c;\n#line 1\n" +
        body +
        "\n}\nint main() {\nhalf *d_p, h[1024]; float *d_q, r[1024];\nfor (half& x : h) x = 1;\n"
        "cudaMalloc(&d_p, sizeof h); cudaMalloc(&d_q, sizeof r); cudaMemset(d_q, 0, sizeof r);\n"
        "cudaMemcpy(d_p, h, sizeof h, cudaMemcpyHostToDevice);\nk<<<1, " +
        block +
        ">>>(d_p, d_q);\ncudaMemcpy(r, d_q, sizeof r, cudaMemcpyDeviceToHost);\nprintf(\"%g\", r[17]);\n"
        "cudaFree(d_p); cudaFree(d_q);\n}\n");
}

const char* const loads = "fill_fragment(c, 0.0f); load_matrix_sync(a, p, 16); load_matrix_sync(b, p, 16);\n";
const char* const product = "mma_sync(c, a, b, c);\n";
const char* const store = "store_matrix_sync(q, c, 16, mem_row_major);\n";

std::string message(const lab::Run& run, const std::string& kind) {
    for (const lab::Finding& f : run.findings)
        if (f.kind == kind) return f.message;
    return "";
}

}  // namespace

TEST_CASE("warps multiply matrices of every shape and type as loops do, checked and in fast mode") {
    check_library("mma.cu");
}

TEST_CASE("a right product has no findings, and its loads are counted as a GPU's") {
    const lab::Run result = run_kernel(std::string(loads) + product + store);
    CHECK(result.output == "16");
    for (const lab::Finding& f : result.findings) FAIL_CHECK(f.message);
    REQUIRE(result.kernels.size() == 1);
    // Two matrices of four tiles of 8 x 8 halves, and one of four tiles of 8 x 8 floats, two a lane.
    CHECK(result.kernels[0].metrics.at("global_load_requests") == 8);
    CHECK(result.kernels[0].metrics.at("global_store_requests") == 4);
}

TEST_CASE("fragments without values are found where they are multiplied or stored") {
    const lab::Run sum = run_kernel(std::string("load_matrix_sync(a, p, 16); load_matrix_sync(b, p, 16);\n") +
                                    product + store);
    CHECK(is_found(sum, "uninit-local", 2));
    CHECK(message(sum, "uninit-local").find("fragment.x[0]") != std::string::npos);
    CHECK(is_found(run_kernel(std::string("fill_fragment(c, 0.0f); load_matrix_sync(a, p, 16);\n") + product),
                   "uninit-local", 2));
    CHECK(is_found(run_kernel(store), "uninit-local", 1));
    CHECK(is_found(
        run_kernel("fragment<accumulator, 16, 16, 16, float> many[2];\nfill_fragment(many[0], 1.0f);\n"
                   "store_matrix_sync(q, many[1], 16, mem_row_major);"),
        "uninit-local", 3));
}

TEST_CASE("addresses and leading dimensions that a GPU cannot do are named") {
    const lab::Run aside = run_kernel("\nload_matrix_sync(a, p + 8, 16);");
    CHECK(is_found(aside, "misaligned", 2));
    CHECK(message(aside, "misaligned").find("16 bytes past a multiple of 32") != std::string::npos);
    const lab::Run odd = run_kernel("\nload_matrix_sync(a, p, 20);");
    CHECK(is_found(odd, "api-misuse", 2));
    CHECK(message(odd, "api-misuse").find("leading dimension 20, which is no multiple of 8") !=
          std::string::npos);
    const lab::Run small = run_kernel("fill_fragment(c, 0.0f);\nstore_matrix_sync(q, c, 8, mem_row_major);");
    CHECK(is_found(small, "api-misuse", 2));
    CHECK(message(small, "api-misuse").find("rows overlap") != std::string::npos);
    CHECK(is_found(run_kernel("\nload_matrix_sync(a, p, 72);\nq[threadIdx.x] = a.x[7];"), "oob-global", 2));
    // One row for all is a way to load a bias.
    for (const lab::Finding& f : run_kernel("load_matrix_sync(c, q, 0, mem_row_major);").findings)
        FAIL_CHECK(f.message);
}

TEST_CASE("lanes that are missing, or that pass different matrices, are named") {
    const lab::Run half_a_warp = run_kernel("\nfill_fragment(c, 1.0f);\n" + std::string(store), "16");
    CHECK(is_found(half_a_warp, "shfl-mask", 3));
    CHECK(message(half_a_warp, "shfl-mask").find("16 of the 32 lanes") != std::string::npos);
    CHECK(is_found(run_kernel("if (threadIdx.x == 5) return;\nload_matrix_sync(a, p, 16);"), "shfl-mask", 2));
    CHECK(is_found(run_kernel("if (threadIdx.x < 20)\nload_matrix_sync(a, p, 16);\n__syncthreads();"),
                   "shfl-mask", 2));
    const lab::Run each = run_kernel("\nload_matrix_sync(a, p + threadIdx.x * 16, 16);");
    CHECK(is_found(each, "api-misuse", 2));
    CHECK(message(each, "api-misuse").find("different matrices: lane 1 passes a pointer 32 bytes after it") !=
          std::string::npos);
}

TEST_CASE("shared memory that other lanes wrote needs a __syncwarp before it is loaded") {
    const std::string writes =
        "__shared__ __align__(32) half s[256];\nfor (int i = threadIdx.x; i < 256; i += 32) s[i] = 1;\n";
    const std::string use = "\nq[threadIdx.x] = a.x[7];";
    CHECK(is_found(run_kernel(writes + "load_matrix_sync(a, s, 16);" + use), "warp-race", 3));
    for (const lab::Finding& f :
         run_kernel(writes + "__syncwarp();\nload_matrix_sync(a, s, 16);" + use).findings)
        FAIL_CHECK(f.message);
}
