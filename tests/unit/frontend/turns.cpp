// Loops that may wait for another thread, as fast mode has them: each counts its trips.
#include <doctest/doctest.h>

#include <string>

#include "simt/frontend/rewrite.h"

using simt::frontend::Options;
using simt::frontend::rewrite;

namespace {

const std::string turn = " ::simt::fast::count_poll(), ";

std::string fast(const std::string& source, const Options& base = {}) {
    Options options = base;
    options.fast = true;
    return rewrite(source, options).text;
}

// `loop` in a device function with a volatile parameter `flag`.
std::string loop_with(const std::string& loop, const std::string& parameters = "volatile int* flag, int n") {
    const std::string before = "__device__ void f(" + parameters + ") { ", after = " }";
    const std::string text = fast(before + loop + after);
    return text.substr(before.size(), text.size() - before.size() - after.size());
}

}  // namespace

TEST_SUITE("frontend turns") {
    TEST_CASE("loops of every kind that look at a volatile name take turns") {
        CHECK(loop_with("while (*flag == 0) {}") == "while (" + turn + "*flag == 0) {}");
        CHECK(loop_with("while (n) n = *flag;") == "while (" + turn + "n) n = *flag;");
        CHECK(loop_with("do ; while (!*flag);") == "do ; while (" + turn + "!*flag);");
        CHECK(loop_with("do { n++; } while (!flag[n]);") == "do { n++; } while (" + turn + "!flag[n]);");
        CHECK(loop_with("for (; *flag == n;) {}") == "for (;" + turn + " *flag == n;) {}");
        CHECK(loop_with("for (;;) if (*flag) break;") == "for (;" + turn + "true;) if (*flag) break;");
    }

    TEST_CASE("a condition that declares leaves the turn to the loop's body") {
        CHECK(loop_with("while (int v = *flag) { g(v); }") ==
              "while (int v = *flag) { ::simt::fast::count_poll(); g(v); }");
        CHECK(loop_with("while ((n = *flag) == 0) {}") == "while (" + turn + "(n = *flag) == 0) {}");
    }

    TEST_CASE("other loops stay as they are") {
        for (const char* loop : {"for (int i = 0; i < n; i++) g(i);", "while (n > 0) n /= 2;",
                                 "do { g(n); } while (--n);", "for (int v : list) g(v);"})
            CHECK(loop_with(loop) == loop);
        CHECK(loop_with("asm volatile(\"\"); while (n) n--;", "int n") ==
              "asm volatile(\"\"); while (n) n--;");
        const std::string kernel =
            "__global__ void k(volatile int* done, int n) { while (n) n--; *done = 1; }\n";
        const std::string host = "void h() { for (int i = 0; i < 9; i++) k<<<1, 1>>>(p, i); }";
        CHECK(fast(kernel + host).find("count_poll") == std::string::npos);
    }

    TEST_CASE("an outer loop takes turns when an inner one looks") {
        const std::string text = loop_with("for (int i = 0; i < n; i++) while (flag[i] == 0) {}");
        CHECK(text == "for (int i = 0;" + turn + " i < n; i++) while (" + turn + "flag[i] == 0) {}");
    }

    TEST_CASE("names are found in members, types, casts, functions, lambdas, macros and references") {
        const auto waits = [](const std::string& source) {
            return fast(source).find("while (" + turn) != std::string::npos;
        };
        CHECK(waits("struct S { volatile int full; }; __device__ void f(S* s) { while (!s->full) {} }"));
        CHECK(waits("typedef volatile int F; __device__ void f(F* a) { while (!*a) {} }"));
        CHECK(waits("using F = volatile int; __device__ void f(F* const a) { while (!*a) {} }"));
        CHECK(waits("__device__ void f(int* a) { while (!*(volatile int*)a) {} }"));
        CHECK(
            waits("__device__ int g(int* a) { return *(volatile int*)a; } __device__ void f(int* a) { while "
                  "(!g(a)) {} }"));
        CHECK(
            waits("__device__ void f(int* a) { while (!late(a)) {} } __device__ int late(int* a) { return "
                  "*(volatile int*)a; }"));
        CHECK(waits("__device__ void f(int* a) { auto& r = *(volatile int*)a; while (!r) {} }"));
        CHECK(waits("__device__ void f(int* a) { volatile int* v = a, *w = a + 1; while (!*w) {} }"));
        CHECK(waits("__device__ void f(int volatile* a) { while (!*a) {} }"));
        CHECK(waits(
            "__device__ void f(int* a) { auto r = [=] { return *(volatile int*)a; }; while (!r()) {} }"));
        CHECK(waits(
            "#define LOOK(p) (*(volatile int*)(p))\n__device__ void f(int* a) { while (!LOOK(a)) {} }"));
        CHECK(waits("#define WAIT(p) while (*(volatile int*)(p) == 0) {}\n"));
        CHECK(waits("__device__ void f(int* a) { while (!__ldcv(a)) {} }"));
        CHECK_FALSE(waits("__device__ void f(int* a) { int x = 0; while (!*a) {} }"));
    }

    TEST_CASE(
        "names that a header declares count in the files that include it, and with checks nothing is added") {
        const simt::frontend::Scan header("struct Slot { volatile int ready; };");
        Options options;
        options.known.add(header);
        const std::string source = "__device__ void f(Slot* s) { while (!s->ready) {} }";
        CHECK(fast(source, options) == "__device__ void f(Slot* s) { while (" + turn + "!s->ready) {} }");
        CHECK(rewrite(source, options).text == source);
    }
}
