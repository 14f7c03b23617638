// What common slips are told in plain words: through the compiler, as its messages differ from version to
// version.
#include <doctest/doctest.h>

#include <string>

#include "simt/toolchain/compile.h"
#include "tests/unit/scratch.h"

using namespace simt::toolchain;

namespace {

struct Slip {
    const char* name;
    const char* text;
    int line;
    const char* words;  // part of the plain words, or of the message where it is ours
};

const Slip slips[] = {
    {"no ; after a launch",
     "__global__ void k(float* p) {}\nvoid f(float* d) {\n    k<<<1, 32>>>(d)\n    "
     "cudaDeviceSynchronize();\n}\n",
     3, "; is missing after this launch"},
    {"threadldx", "__global__ void k(float* p) { p[threadldx.x] = 1; }\n", 1, "CUDA's name is threadIdx"},
    {"blockdim", "__global__ void k(float* p) { p[blockdim.x] = 1; }\n", 1, "CUDA's name is blockDim"},
    {"_syncthreads", "__global__ void k(float* p) { _syncthreads(); }\n", 1, "CUDA's name is __syncthreads"},
    {"cudaMemcpyHostToDevise", "void f() { cudaMemcpy(0, 0, 0, cudaMemcpyHostToDevise); }\n", 1,
     "CUDA's name is cudaMemcpyHostToDevice"},
    {"a texture reference", "texture<float, 2, cudaReadModeElementType> image;\n", 1,
     "were removed in CUDA 12"},
    {"cudaBindTexture", "void f(int t, float* d) { cudaBindTexture(0, t, d); }\n", 1,
     "cudaBindTexture was removed in CUDA 12"},
    {"tex2D without a type",
     "__global__ void k(cudaTextureObject_t t, float* p) { p[0] = tex2D(t, 0.5f, 0.5f); }\n", 1,
     "tex2D<float>(...)"},
    {"tex2D of double",
     "__global__ void k(cudaTextureObject_t t, double* p) { p[0] = tex2D<double>(t, 0, 0); }\n", 1,
     "no double"},
    {"a kernel called as a function", "__global__ void k(float* p) {}\nvoid f(float* d) { k(d); }\n", 2,
     "k<<<blocks, threads>>>(d);"},
    {"no __global__", "void k(float* p) {}\nvoid f(float* d) { k<<<1, 2>>>(d); }\n", 2,
     "write __global__ before its definition on line 1"},
    {"_global_", "_global_ void k(float* p) {}\n", 1, "two underscores on each side"},
    {"a kernel with a result", "__global__ float k(float* p) { return 1; }\n", 1, "can't return a value"},
    {"a kernel without a type", "__global__ k(float* p) {}\n", 1, "__global__ void k(...)"},
    {"too few arguments", "__global__ void k(float* p, int n) {}\nvoid f(float* d) { k<<<1, 2>>>(d); }\n", 2,
     "has 2 parameters (float*, int) and this launch passes 1 argument."},
    {"a number for a pointer",
     "__global__ void k(float* p, int n) {}\nvoid f(int n) { k<<<1, 2>>>(n, n); }\n", 2,
     "Argument 1 of this launch is of type int and the kernel's parameter is float*"},
    {"a pointer of the wrong type", "__global__ void k(float* p) {}\nvoid f(double* d) { k<<<1, 2>>>(d); }\n",
     2, "of type double*"},
    {"a dim3 as a number", "void f() { dim3 g(2, 2); int n = g; }\n", 1, "write .x"},
    {"an index without .x", "__global__ void k(float* p) { int i = blockIdx * blockDim + threadIdx; }\n", 1,
     "write .x (or .y, .z) after each"},
    {"a pointer as the grid", "__global__ void k(float* p) {}\nvoid f(float* d) { k<<<d, 1>>>(d); }\n", 2,
     "must each be a whole number or a dim3; this is of type float*"},
    {"a number as the stream", "__global__ void k(float* p) {}\nvoid f(float* d) { k<<<1, 1, 0, 5>>>(d); }\n",
     2, "is a stream"},
    {"cudaMalloc without &", "void f() { float* d; cudaMalloc(d, 4); }\n", 1,
     "needs the address of your pointer"},
    {"cudaMemcpy without a direction", "void f(float* d) { cudaMemcpy(d, d, 4); }\n", 1,
     "cudaMemcpy takes four values"},
    {"a kernel defined too late", "void f(float* d) { k<<<1, 2>>>(d); }\n__global__ void k(float* p) {}\n", 1,
     "k is defined further down, on line 2"},
    {"a kernel that does not exist", "void f(float* d) { nothing<<<1, 2>>>(d); }\n", 1,
     "There is no kernel named nothing"},
    {"shared memory of a variable size",
     "__global__ void k(float* p, int n) { __shared__ float t[n]; p[0] = t[0]; }\n", 1,
     "must be known when the file is compiled"},
    {"an index that is assigned", "__global__ void k(float* p) { threadIdx.x = 1; }\n", 1,
     "can't be assigned to"},
    {"an array that is none", "__global__ void k(float p) { p[0] = 1; }\n", 1,
     "This is a single float, no array"},
    {"a write to const data", "__global__ void k(const float* p) { p[0] = 1; }\n", 1, "points to const data"},
    {"parts of a float4 by number", "__global__ void k(float4 v, float* p) { p[0] = v[0]; }\n", 1,
     "named, not numbered"},
    {"an atomic on a value", "__global__ void k(float* p) { atomicAdd(p[0], 1.0f); }\n", 1,
     "put & before the first argument"},
    {"an old shuffle", "__global__ void k(float* p) { p[0] = __shfl_down(p[0], 2); }\n", 1,
     "use __shfl_down_sync"},
    {"a reduction without its header",
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) { p[0] "
     "= cg::reduce(cg::coalesced_threads(), 1, 2); }\n",
     3, "cooperative_groups/reduce.h"},
    {"a scan without its header",
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) { p[0] "
     "= cg::inclusive_scan(cg::coalesced_threads(), 1); }\n",
     3, "cooperative_groups/scan.h"},
    {"a cluster",
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) { "
     "cg::this_cluster().sync(); }\n",
     3, "no clusters"},
    {"a grid of several devices",
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) { "
     "cg::this_multi_grid().sync(); }\n",
     3, "CUDA 13 has no groups over several devices"},
    {"a group that is made",
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) { "
     "cg::thread_block block; block.sync(); }\n",
     3, "it is asked for"},
    {"a block that shuffles",
     "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) { p[0] "
     "= cg::this_thread_block().shfl_down(1, 2); }\n",
     3, "Only a group within a warp"},
    {"a launch's value",
     "__global__ void k(float* p) {}\nvoid f(float* d) { cudaError_t e = k<<<1, 1>>>(d); }\n", 2,
     "A launch has no value"},
    {"a template that can't be deduced",
     "template <class T> __global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n", 2,
     "can't tell T from the launch's arguments"},
    {"a missing }", "__global__ void k(float* p) {\n    if (p) { p[0] = 1;\n}\nvoid f() {}\n", 4,
     "a } is missing above"},
    {"a missing header", "void f() { std::vector<int> v; }\n", 1, "#include <vector>"},
};

}  // namespace

TEST_SUITE("toolchain: plain words") {
    TEST_CASE("each common slip is placed on its line and told in plain words") {
        const lab::Scratch scratch;
        CompileOptions options;
        options.cache_dir = (scratch / "cache").string();
        options.simt_include = SIMT_INCLUDE_FOLDER;
        options.sources = {(scratch / "slip.cu").string()};
        for (const Slip& slip : slips) {
            CAPTURE(slip.name);
            scratch.write("slip.cu", slip.text);
            const CompileResult result = compile(options);
            INFO(to_text(result.diagnostics));
            CHECK_FALSE(result.ok);
            bool told = false;
            for (const Diagnostic& d : result.diagnostics)
                told = told || (d.level == "error" && d.line == slip.line &&
                                (d.plain + d.message).find(slip.words) != std::string::npos);
            CHECK(told);
        }
    }
}
