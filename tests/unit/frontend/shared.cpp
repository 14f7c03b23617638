// __shared__ declarations, returns, and the notes.
#include <doctest/doctest.h>

#include <algorithm>

#include "simt/frontend/rewrite.h"

using simt::frontend::rewrite;
using simt::frontend::Rewritten;

namespace {

// The text of a kernel's body after the rewrite.
std::string body(const std::string& statements) {
    const std::string out = rewrite("__global__ void k() {" + statements + "}").text;
    const std::string head = "__global__ void k() {";
    const size_t end = out.find("}\n#ifndef");
    return out.substr(head.size(), (end == std::string::npos ? out.size() - 1 : end) - head.size());
}

std::string only_problem(const std::string& source) {
    const Rewritten r = rewrite(source);
    REQUIRE(r.problems.size() == 1);
    return r.problems[0].message;
}

const std::string where = "{__FILE__, __LINE__}";
std::string variable(const std::string& name, const std::string& type) {
    return "auto& " + name + " = ::simt::shared<" + type + ">(\"" + name + "\", " + where + ", []{});";
}

}  // namespace

TEST_SUITE("frontend shared memory") {
    TEST_CASE("an array in shared memory becomes a reference to the block's storage") {
        CHECK(body("__shared__ float t[16][17];") == variable("t", "float [16][17]"));
    }

    TEST_CASE("the words around __shared__ may come in any order") {
        CHECK(body("static __shared__ int t[4];") == variable("t", "int [4]"));
        CHECK(body("__shared__ volatile int t[4];") == variable("t", "volatile int [4]"));
        CHECK(body("volatile __shared__ unsigned long long t;") ==
              variable("t", "volatile unsigned long long"));
        CHECK(body("const __shared__ float* t;") == variable("t", "const float *"));
        CHECK(body("float __shared__ t[4];") == variable("t", "float [4]"));
    }

    TEST_CASE("a local array gets a call behind it that keeps it in memory") {
        const auto watched = [](const std::string& name, const char* set) {
            return " ::simt::local_array(" + name + ", \"" + name + "\", " + where + ", " + set + ", true);";
        };
        CHECK(body("float a[4];") == "float a[4];" + watched("a", "false"));
        CHECK(body("int a[2][3] = {}, n, *b[3];") ==
              "int a[2][3] = {}, n, *b[3];" + watched("a", "true") + watched("b", "false"));
        CHECK(body("if (x) { Part<int, 3> p[N]{}; }") ==
              "if (x) { Part<int, 3> p[N]{};" + watched("p", "true") + " }");
        for (const char* other :
             {"tile.first[t] = in[i];", "r->v[1] = 2;", "sum += a[i];", "return a[2];", "a[0] = b[1];",
              "const float w[3] = {1, 2, 3};", "static int s[3];", "int (*p)[4] = q;", "int (&r)[4] = a;",
              "struct L { int m[3]; } l;", "for (int w[2] = {}; w[0] < 3; w[0]++) f(w);", "delete[] p;",
              "x * y[3] + z;", "auto [u, v] = f();", "auto g = [&] { int in[3]; return in[0]; };",
              "f(a)[3];"})
            CHECK(body(other) == other);
        CHECK(rewrite("void host() { int a[3]; }").text == "void host() { int a[3]; }");
    }

    TEST_CASE("alignment is handed on, however it is written") {
        CHECK(body("__shared__ __align__(16) char t[4];") == variable("t", "char [4], 16"));
        CHECK(body("alignas(32) __shared__ char t[4];") == variable("t", "char [4], 32"));
        CHECK(body("__shared__ alignas(8) char t[4];") == variable("t", "char [4], 8"));
        CHECK(body("__shared__ char t[4] __attribute__((aligned(64)));") == variable("t", "char [4], 64"));
        CHECK(body("__shared__ alignas(float4) char t[4];")
                  .find("struct alignas(float4) Aligned {}; return alignof(Aligned);") != std::string::npos);
    }

    TEST_CASE("several variables in one declaration each get their own storage and stay on their lines") {
        CHECK(body("__shared__ float a[4], *b, (*c)[3];") == variable("a", "float [4]") + " " +
                                                                 variable("b", "float *") + " " +
                                                                 variable("c", "float (* )[3]"));
        const std::string out = body("__shared__ float a[4],\n b[8];\nint z;");
        CHECK(std::count(out.begin(), out.end(), '\n') == 2);
        CHECK(out.find("\n" + variable("b", "float [8]")) != std::string::npos);
    }

    TEST_CASE("types from templates and sizes with a > in them survive") {
        CHECK(body("__shared__ typename Foo<T, 3>::type t[N > 4 ? N : 4];") ==
              variable("t", "typename Foo<T, 3>::type [(N > 4 ? N : 4)]"));
        CHECK(body("__shared__ cub::BlockReduce<float, 256>::TempStorage t;") ==
              variable("t", "cub::BlockReduce<float, 256>::TempStorage"));
    }

    TEST_CASE("a type that is defined in the declaration is defined first") {
        CHECK(body("__shared__ struct P { float x; } t[2];") ==
              "struct P { float x; }; " + variable("t", "P [2]"));
        const std::string out = body("__shared__ union { float x; int n; } t;");
        CHECK(out.find("union simt_type_1 { float x; int n; }; ") == 0);
        CHECK(out.find("::simt::shared<simt_type_1>") != std::string::npos);
    }

    TEST_CASE("dynamic shared memory is a pointer in a function and an object outside") {
        CHECK(body("extern __shared__ float s[];") ==
              "auto* s = ::simt::dynamic_shared<float>(\"s\", " + where + ");");
        CHECK(body("extern volatile __shared__ float s[][16];") ==
              "auto* s = ::simt::dynamic_shared<volatile float [16]>(\"s\", " + where + ");");
        CHECK(body("extern __shared__ __align__(16) char s[];") ==
              "auto* s = ::simt::dynamic_shared<char, 16>(\"s\", " + where + ");");
        CHECK(rewrite("extern __shared__ float s[];\n").text ==
              "static const ::simt::DynamicShared<float> s{\"s\", " + where + "};\n");
        CHECK(rewrite("extern __shared__ float s[];\nextern __shared__ float s[];\n")
                  .text.rfind("DynamicShared") < 40);
    }

    TEST_CASE("a macro's body and a macro that stands for __shared__ are understood") {
        CHECK(rewrite("#define DECL(T, name, n) __shared__ T name[n]\n").text ==
              "#define DECL(T, name, n) auto& name = ::simt::shared<T [n]>(#name, " + where + ", []{})\n");
        const std::string out = rewrite("#define SH __shared__\n__global__ void k() { SH int t[3]; }\n").text;
        CHECK(out.find("#define SH __shared__\n") == 0);
        CHECK(out.find(variable("t", "int [3]")) != std::string::npos);
    }

    TEST_CASE("declarations that CUDA refuses are problems") {
        CHECK(only_problem("__global__ void k() { __shared__ int t = 3; }")
                  .find("can't have an initial value") != std::string::npos);
        CHECK(only_problem("__global__ void k() { __shared__ int t[2] = {1, 2}; }")
                  .find("can't have an initial value") != std::string::npos);
        CHECK(only_problem("__global__ void k() { __shared__ int t(3); }")
                  .find("can't have an initial value") != std::string::npos);
        CHECK(only_problem("__shared__ int t[3];\n").find("belongs inside a kernel") != std::string::npos);
        CHECK(only_problem("void f() { __shared__ int t[3]; }\n").find("f runs on the host") !=
              std::string::npos);
        CHECK(
            only_problem("__global__ void k(__shared__ int* p) {}\n").find("parameter can't be __shared__") !=
            std::string::npos);
        CHECK(only_problem("__global__ void k() { __shared__ t[3]; }").find("can't be read") !=
              std::string::npos);
        CHECK(only_problem("__global__ void k() { __shared__ int t[3] }").find("no ;") != std::string::npos);
    }

    TEST_CASE("columns inside a declaration lead back to it") {
        const std::string source = "__global__ void k() {\n    __shared__ flaot tile[16];\n}\n";
        const Rewritten r = rewrite(source);
        const size_t line = r.text.find('\n') + 1;
        CHECK(r.positions.original(2, static_cast<int>(r.text.find("flaot") - line) + 1).column == 16);
        CHECK(r.positions.original(2, static_cast<int>(r.text.find("tile") - line) + 1).column == 22);
        CHECK(r.positions.original(2, static_cast<int>(r.text.find("16]") - line) + 1).column == 27);
    }
}

TEST_SUITE("frontend notes") {
    TEST_CASE("a kernel's own early return says so, a lambda's or a local class's does not") {
        CHECK(body("if (i) return; g();") == "if (i) return ::simt::thread_returns(); g();");
        const std::string lambda = "auto f = [&](int a) -> void { if (a) return; }; f(3);";
        CHECK(body(lambda) == lambda);
        const std::string local = "struct S { void m() { return; } }; g();";
        CHECK(body(local) == local);
        CHECK(body("for (;;) { while (x) { if (y) return; } }").find("thread_returns") != std::string::npos);
        const std::string device = "__device__ void d() { return; }";
        CHECK(rewrite(device).text == device);
    }

    TEST_CASE("a return in a macro is a kernel's where the macro stands in kernels alone, or defines one") {
        const std::string guard = "#define GUARD(i, n) if ((i) >= (n)) return\n";
        const std::string kernel = "__global__ void k(int n) { GUARD(3, n); }\n";
        CHECK(rewrite(guard + kernel).text.find("return ::simt::thread_returns()\n") != std::string::npos);
        CHECK(rewrite(guard + kernel + "void h(int n) { GUARD(3, n); }\n").text.find("thread_returns") ==
              std::string::npos);
        CHECK(rewrite(guard + "void h(int n) { GUARD(3, n); }\n").text.find("thread_returns") ==
              std::string::npos);
        CHECK(rewrite("#define KERNEL(name) __global__ void name(int n) { if (n) return; }\n")
                  .text.find("return ::simt::thread_returns();") != std::string::npos);
    }

    TEST_CASE("the text of an allocation call names its buffer") {
        const auto notes = [](const std::string& call) {
            const std::string text = rewrite("void f() {\n" + call + "\n}\n").text;
            const size_t begin = text.find("register_source(\"kernel.cu\", {");
            return begin == std::string::npos
                       ? ""
                       : text.substr(begin + 30, text.find("}, {}, {});", begin) - begin - 30);
        };
        CHECK(notes("cudaMalloc(&d_in, n);") == "{2, \"d_in\"}, ");
        CHECK(notes("CHECK(cudaMalloc(&d_in, n));") == "{2, \"d_in\"}, ");
        CHECK(notes("cudaMalloc((void **)&d_in, n);") == "{2, \"d_in\"}, ");
        CHECK(notes("cudaMalloc(reinterpret_cast<void**>(&p.data[i]), n);") == "{2, \"p.data[i]\"}, ");
        CHECK(notes("cudaMallocManaged<float>(&x, n);") == "{2, \"x\"}, ");
        CHECK(notes("cudaMalloc(&a, n); cudaMalloc(&b, n);") == "");  // a line with two names gives neither
        CHECK(notes("cudaMallocAsync(&(d_a), n, stream);") == "{2, \"d_a\"}, ");
        CHECK(notes("cudaMalloc(\n    &d_in,\n    n);") == "{2, \"d_in\"}, {4, \"d_in\"}, ");
    }

    TEST_CASE("each barrier knows the first line of what stands around it") {
        const std::string source =
            "__global__ void k(int n) {\n    __syncthreads();\n    if (n) {\n        n++;\n        "
            "__syncthreads();\n    } else if (n > 2)\n"
            "        __syncthreads();\n    for (int i = 0;\n         i < n; i++) { while (n) "
            "__syncthreads_count(n); block.sync(); }\n    switch (n) {\n"
            "        case 1: __syncthreads();\n    }\n    do { __syncwarp(); } while (n);\n    auto f = [&] "
            "{ __syncthreads(); };\n}\n";
        const std::string text = rewrite(source).text;
        CHECK(text.find("{{2, 0}, {5, 3}, {7, 6}, {9, 9}, {9, 8}, {11, 10}, {13, 13}, {14, 0}, }") !=
              std::string::npos);
    }

    TEST_CASE("device variables are registered beside their declaration, in whatever namespace") {
        const std::string text =
            rewrite(
                "namespace {\n__device__ int counter = 0, *p, table[3][4];\n}\n__constant__ float "
                "c[4];\n__managed__ Foo<int, 3> m;\n")
                .text;
        CHECK(text.find("::simt::symbol(\"counter\", counter, ::simt::SymbolSpace::device, 2)") !=
              std::string::npos);
        CHECK(text.find("::simt::symbol(\"p\", p, ::simt::SymbolSpace::device, 2)") != std::string::npos);
        CHECK(text.find("::simt::symbol(\"table\", table, ::simt::SymbolSpace::device, 2)") !=
              std::string::npos);
        CHECK(text.find("::simt::symbol(\"c\", c, ::simt::SymbolSpace::constant, 4)") != std::string::npos);
        CHECK(text.find("::simt::symbol(\"m\", m, ::simt::SymbolSpace::managed, 5)") != std::string::npos);
        CHECK(std::count(text.begin(), text.end(), '\n') == 5);
    }

    TEST_CASE("functions, declarations elsewhere and members are no device variables") {
        const std::string source =
            "__device__ int f(int a);\nextern __device__ int x;\nstruct S { __device__ int m() const { "
            "return 3; } };\n"
            "template <class T> __device__ T zero = 0;\n__device__ __forceinline__ float g(float a) { return "
            "a; }\n";
        CHECK(rewrite(source).text == source);
    }

    TEST_CASE("the notes of a file that ends without a newline begin on a line of their own") {
        const std::string text = rewrite("void f() { cudaMalloc(&p, 3); } // end").text;
        CHECK(text.find("// end\n#ifndef simt_source_") != std::string::npos);
    }
}
