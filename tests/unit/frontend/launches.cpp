// Launches, as the front end rewrites them.
#include <doctest/doctest.h>

#include <algorithm>

#include "simt/frontend/rewrite.h"

using simt::frontend::Options;
using simt::frontend::rewrite;
using simt::frontend::Rewritten;

namespace {

long lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

std::string text_of(const std::string& source) {
    return rewrite(source).text;
}

std::string only_problem(const std::string& source) {
    const Rewritten r = rewrite(source);
    REQUIRE(r.problems.size() == 1);
    return r.problems[0].message;
}

}  // namespace

TEST_SUITE("frontend launches") {
    TEST_CASE("a launch becomes a call that keeps the arguments' text") {
        CHECK(text_of("void f() { k<<<g, b>>>(a, 0); }") ==
              "void f() { ::simt::launch({__FILE__, __LINE__}, ::simt::config(g, b), \"k\", k)(a, 0); }");
    }

    TEST_CASE("shared bytes and a stream stay where they are") {
        CHECK(text_of("k<<<g, b, 4 * n, s>>>(a);").find("::simt::config(g, b, 4 * n, s)") !=
              std::string::npos);
    }

    TEST_CASE("a kernel in a namespace is named without it in messages and with it in the call") {
        CHECK(text_of("::a::b::k<<<1, 2>>>();") ==
              "::simt::launch({__FILE__, __LINE__}, ::simt::config(1, 2), \"k\", ::a::b::k)();");
    }

    TEST_CASE("explicit template arguments belong to the kernel") {
        const std::string out = text_of("k<float, 256><<<1, 2>>>(p);");
        CHECK(out ==
              "::simt::launch({__FILE__, __LINE__}, ::simt::config(1, 2), \"k<float, 256>\", k<float, "
              "256>)(p);");
    }

    TEST_CASE("the >> of nested template arguments does not close a launch") {
        CHECK(text_of("k<<<dim3(f<A<B<int>>>()), 32>>>(p);")
                  .find("::simt::config(dim3(f<A<B<int>>>()), 32), \"k\", k)(p);") != std::string::npos);
        CHECK(text_of("k<<<1, v<3>>>>();").find("::simt::config(1, v<3>), \"k\", k)();") !=
              std::string::npos);
        CHECK(text_of("k<<<1, v<w<3>>>>>();").find("::simt::config(1, v<w<3>>), \"k\", k)();") !=
              std::string::npos);
    }

    TEST_CASE("text without a launch is returned as it is") {
        const std::string source =
            "std::vector<A<B<int>>> v(3); int a = b << 3 >> 1; // k<<<1, 2>>>()\nconst char* s = "
            "\"k<<<1,2>>>()\"; "
            "auto r = R\"x(k<<<1, 2>>>(\n)x\"; char c = '\\''; int n = 1'000'000; /* k<<<\n1>>> */ std::cout "
            "<< \"a\";\n";
        const Rewritten r = rewrite(source);
        CHECK(r.text == source);
        CHECK_FALSE(r.changed);
        CHECK(r.problems.empty());
    }

    TEST_CASE("a function pointer, a table's element, a member and a call's result can be launched") {
        CHECK(text_of("(*fp)<<<1, 2>>>(x);").find("\"(*fp)\", (*fp))(x);") != std::string::npos);
        CHECK(text_of("table[3]<<<1, 2>>>(x);").find("table[3])(x);") != std::string::npos);
        CHECK(text_of("this->k<<<1, 2>>>(x);").find("\"k\", this->k)(x);") != std::string::npos);
        CHECK(text_of("o.k<<<1, 2>>>(x);").find("o.k)(x);") != std::string::npos);
        CHECK(text_of("pick(n)<<<1, 2>>>(x);").find("pick(n))(x);") != std::string::npos);
        CHECK(text_of("if (n) k<<<1, 2>>>(x);").find("if (n) ::simt::launch(") == 0);
        CHECK(text_of("if (n) (*k)<<<1, 2>>>(x);").find("if (n) ::simt::launch(") == 0);
        CHECK(text_of("else k<<<1, 2>>>(x);").find("else ::simt::launch(") == 0);
        CHECK(text_of("Foo<T>::template k<U><<<1, 2>>>(x);").find("Foo<T>::template k<U>)(x);") !=
              std::string::npos);
    }

    TEST_CASE("a launch over several lines keeps its lines, comments included") {
        const std::string source =
            "void f() {\n    k<float> // which\n        <<<\n            1, /* blocks */\n            32\n   "
            "     >>>(p,\n            3);\n}\nint z;\n";
        const Rewritten r = rewrite(source);
        CHECK(lines(r.text) == lines(source));
        CHECK(r.problems.empty());
        CHECK(r.text.find("int z;") == r.text.rfind("\n", r.text.size() - 2) + 1);
        CHECK(r.text.find("/* blocks */") != std::string::npos);
    }

    TEST_CASE("launches in macro bodies are rewritten, with a parameter's own text as the kernel's name") {
        CHECK(text_of("#define RUN(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\n") ==
              "#define RUN(k, g, b, ...) ::simt::launch({__FILE__, __LINE__}, ::simt::config(g, b), #k, "
              "k)(__VA_ARGS__)\n");
        CHECK(text_of("#define RUN(k, T) k<T, 3><<<1, 2>>>()\n").find("#k \"<\" #T \", 3>\", k<T, 3>)()") !=
              std::string::npos);
        CHECK(text_of("#define RUN(name) launch_##name<<<1, 2>>>()\n")
                  .find("\"launch_\" #name, launch_##name)()") != std::string::npos);
        const std::string continued = "#define RUN(k) \\\n    k \\\n    <<<1, \\\n    2>>>()\nint z;\n";
        CHECK(lines(text_of(continued)) == lines(continued));
        CHECK(text_of(continued).find("\nint z;\n") != std::string::npos);
    }

    TEST_CASE("a launch as a macro's argument is one argument") {
        CHECK(text_of("CHECK(k<<<1, 2>>>(x));")
                  .find("CHECK(::simt::launch({__FILE__, __LINE__}, ::simt::config(1, 2), \"k\", k)(x));") ==
              0);
    }

    TEST_CASE("a template whose arguments are left to deduction is launched through a lambda") {
        const std::string kernel = "template <class T, int N> __global__ void k(T* p);\n";
        CHECK(text_of(kernel + "void f() { k<<<1, 2>>>(p); }").find("launch_generic") != std::string::npos);
        CHECK(text_of(kernel + "void f() { k<float><<<1, 2>>>(p); }")
                  .find("[](auto... simt_a) { k<float>(simt_a...); })(p)") != std::string::npos);
        CHECK(text_of(kernel + "void f() { k<float, 3><<<1, 2>>>(p); }").find("launch_generic") ==
              std::string::npos);
    }

    TEST_CASE("default template arguments need not be written") {
        const std::string kernel = "template <class T, int N = 4> __global__ void k(T* p);\n";
        CHECK(text_of(kernel + "void f() { k<float><<<1, 2>>>(p); }").find("launch_generic") ==
              std::string::npos);
        CHECK(text_of("template <class... T> __global__ void k(T... p);\nvoid f() { k<float><<<1, 2>>>(p); }")
                  .find("launch_generic") != std::string::npos);
    }

    TEST_CASE("overloaded kernels are launched through a lambda, a repeated declaration is no overload") {
        CHECK(text_of("__global__ void k(int*);\n__global__ void k(float*);\nvoid f() { k<<<1, 2>>>(p); }")
                  .find("launch_generic") != std::string::npos);
        CHECK(text_of("__global__ void k(int* a, const int n);\n__global__ void k(int* p, const int m) "
                      "{}\nvoid f() { k<<<1, 2>>>(p, 3); }")
                  .find("launch_generic") == std::string::npos);
        CHECK(text_of("namespace a { __global__ void k(int*); }\nnamespace b { __global__ void k(float*); "
                      "}\nvoid f() { a::k<<<1, 2>>>(p); }")
                  .find("launch_generic") == std::string::npos);
    }

    TEST_CASE("default arguments are filled in through a lambda, and only where they are left out") {
        const std::string kernel = "__global__ void k(int* p, int n = 4);\n";
        CHECK(text_of(kernel + "void f() { k<<<1, 2>>>(p); }").find("launch_generic") != std::string::npos);
        CHECK(text_of(kernel + "void f() { k<<<1, 2>>>(p, 0); }").find("launch_generic") ==
              std::string::npos);
    }

    TEST_CASE("kernels of an included file count as well") {
        Options options;
        simt::frontend::Scan header("template <class T> __global__ void k(T* p) {}\n");
        options.known.add(header);
        CHECK(rewrite("void f() { k<<<1, 2>>>(p); }", options).text.find("launch_generic") !=
              std::string::npos);
    }

    TEST_CASE("a column of the rewritten text leads back to the learner's column") {
        const std::string source = "void f() {\n  kernel<<<grid, block>>>(first, second);\n}\n";
        const Rewritten r = rewrite(source);
        const auto column_of = [](const std::string& text, const std::string& word, int line) {
            size_t begin = 0;
            for (int i = 1; i < line; i++) begin = text.find('\n', begin) + 1;
            return static_cast<int>(text.find(word, begin) - begin) + 1;
        };
        for (const char* word : {"grid", "block", "first", "second"}) {
            CAPTURE(word);
            CHECK(r.positions.original(2, column_of(r.text, word, 2)).column == column_of(source, word, 2));
        }
        CHECK(r.positions.original(2, column_of(r.text, "kernel)", 2)).column == 3);
        CHECK(r.positions.original(3, 1).column == 1);
    }

    TEST_CASE("<<< without >>> is a problem on its line") {
        const Rewritten r = rewrite("int a;\nvoid f() { k<<<1, 2; }\n");
        REQUIRE(r.problems.size() == 1);
        CHECK(r.problems[0].line == 2);
        CHECK(r.problems[0].column == 13);
        CHECK(r.problems[0].message.find("no >>>") != std::string::npos);
    }

    TEST_CASE("launches with the wrong number of values are problems") {
        CHECK(only_problem("k<<<1>>>(x);").find("at least two values") != std::string::npos);
        CHECK(only_problem("k<<<1, 2, 3, 4, 5>>>(x);").find("at most four values") != std::string::npos);
        CHECK(only_problem("k<<<>>>(x);").find("Nothing stands between") != std::string::npos);
        CHECK(rewrite("#define DIMS 1, 2\nvoid f() { k<<<DIMS>>>(x); }").problems.empty());
        CHECK(rewrite("k<<<pair<1, 2>::v, 32>>>(x);").problems.empty());
    }

    TEST_CASE("half-written launches are named for what they are") {
        CHECK(only_problem("void f() { k<<<1, 2>>(x); }").find("closed by >>") != std::string::npos);
        CHECK(only_problem("__global__ void k(int);\nvoid f() { k<<1, 2>>>(x); }").find("opened by <<") !=
              std::string::npos);
        CHECK(only_problem("void f() { k<<<1, 2>>>; }").find("arguments in parentheses") !=
              std::string::npos);
        CHECK(only_problem("void f() { <<<1, 2>>>(x); }").find("no kernel's name") != std::string::npos);
        CHECK(only_problem("<<<<<<< HEAD\n").find("unfinished merge") != std::string::npos);
    }

    TEST_CASE("a kernel that is called like a function is a problem") {
        const std::string kernel = "__global__ void k(int* p) {}\n";
        CHECK(only_problem(kernel + "void f() { k(p); }").find("k<<<blocks, threads>>>(p);") !=
              std::string::npos);
        CHECK(rewrite(kernel + "void k(int* p, int n) { k<<<1, 2>>>(p); }\nvoid f() { k(p, 3); }")
                  .problems.empty());
        CHECK(rewrite(kernel + "void f() { auto k = [](int* p) {}; k(p); }").problems.empty());
        CHECK(rewrite(kernel + "void f() { object.k(p); int x = 3; }").problems.empty());
        CHECK(rewrite(kernel + "template __global__ void k2<int>(int* p);\n").problems.empty());
    }

    TEST_CASE("launching a function that is no kernel is a problem") {
        CHECK(only_problem("void h(int* p) {}\nvoid f() { h<<<1, 2>>>(p); }")
                  .find("write __global__ before its definition on line 1") != std::string::npos);
        CHECK(rewrite("#define KERNEL __global__ void\nKERNEL h(int* p) {}\nvoid f() { h<<<1, 2>>>(p); }")
                  .problems.empty());
        CHECK(rewrite("void h(int* p) {}\nvoid f(void (*h)(int*)) { h<<<1, 2>>>(p); }").problems.empty());
    }

    TEST_CASE("kernels that return a value or take a reference are problems") {
        CHECK(only_problem("__global__ int k(int* p) {}").find("can't return a value") != std::string::npos);
        CHECK(only_problem("__global__ void k(int& n) {}").find("can't be a reference") != std::string::npos);
        CHECK(rewrite("__global__ void __launch_bounds__(256, 2) k(int* p, int n = A & B) {}")
                  .problems.empty());
        CHECK(
            rewrite("template <int N = 3> static __global__ void k(const Foo<int&> p) {}").problems.empty());
    }

    TEST_CASE("what #if 0 hides is neither rewritten nor judged") {
        const std::string source = "#if 0\nk<<<1>>>(x);\n<<<<<<<\n#else\nint a;\n#endif\n";
        CHECK(rewrite(source).text == source);
        CHECK(rewrite(source).problems.empty());
    }

    TEST_CASE("text that ends anywhere does no harm") {
        const std::string source =
            "#define K(x) k<<<1, 2>>>(x)\n__global__ void k(float* p) { extern __shared__ float s[]; if (p) "
            "return; }\n"
            "void f() { k<float, R\"(a)\"><<<dim3(1, 2), 32>>>(p); cudaMalloc((void**)&p, 3); }\n";
        for (size_t n = 0; n <= source.size(); n++) {
            const std::string part = source.substr(0, n);
            const Rewritten r = rewrite(part);
            CHECK(lines(r.text) >= lines(part));
        }
    }

    TEST_CASE("the kernel of a launch by function call is noted, whatever is cast around it") {
        CHECK(text_of("cudaLaunchCooperativeKernel((void*)k, g, b, args);") ==
              "cudaLaunchCooperativeKernel((void*)::simt::kernel_pointer(\"k\", k), g, b, args);");
        CHECK(text_of("cudaLaunchKernel(reinterpret_cast<const void*>(&a::k<float, 2>), g, b, args);") ==
              "cudaLaunchKernel(reinterpret_cast<const void*>(::simt::kernel_pointer(\"a::k<float, 2>\", "
              "&a::k<float, 2>)), g, b, args);");
        CHECK(text_of("cudaLaunchKernelExC(&config, (void*)k<int>, args);") ==
              "cudaLaunchKernelExC(&config, (void*)::simt::kernel_pointer(\"k<int>\", k<int>), args);");
        CHECK(text_of("cudaLaunchKernelEx(&config, k<int>, x, y);") ==
              "cudaLaunchKernelEx(&config, k<int>, x, y);");
    }

    TEST_CASE("a kernel that becomes a void pointer elsewhere is noted, too") {
        const std::string kernel = "__global__ void k(int* x);\n";
        CHECK(text_of(kernel + "void* p = (void*)k;") ==
              kernel + "void* p = (void*)::simt::kernel_pointer(\"k\", k);");
        CHECK(text_of(kernel + "auto p = (const void*)&k;") ==
              kernel + "auto p = (const void*)::simt::kernel_pointer(\"k\", &k);");
        CHECK(text_of(kernel + "void* p = (void*)other;") == kernel + "void* p = (void*)other;");
        CHECK(text_of("template <class T> __global__ void t(T* x);\nvoid* p = (void*)t;")
                  .find("kernel_pointer") == std::string::npos);
    }

    TEST_CASE("in a macro the text of what is launched is that of the argument") {
        CHECK(
            text_of("#define GO(k) cudaLaunchCooperativeKernel((void*)k, 1, 1, args)\n") ==
            "#define GO(k) cudaLaunchCooperativeKernel((void*)::simt::kernel_pointer(#k, k), 1, 1, args)\n");
    }
}
