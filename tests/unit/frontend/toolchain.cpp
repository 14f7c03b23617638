// From a .cu file to a shared object, through the real compiler.
#include "simt/toolchain/compile.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "simt/toolchain/files.h"
#include "simt/toolchain/process.h"
#include "tests/unit/scratch.h"

using namespace simt::toolchain;
namespace fs = std::filesystem;

namespace {

// One cache for all cases: the precompiled header takes a second.
const lab::Scratch& shared_scratch() {
    static lab::Scratch scratch;
    return scratch;
}

CompileOptions options_for(const std::vector<std::string>& sources) {
    CompileOptions options;
    options.sources = sources;
    options.cache_dir = (shared_scratch() / "cache").string();
    options.simt_include = SIMT_INCLUDE_FOLDER;
    options.simt_library = SIMT_RECORDER;
    return options;
}

CompileResult compile_text(const std::string& text, Mode mode = Mode::checked) {
    shared_scratch().write("kernel.cu", text);
    CompileOptions options = options_for({(shared_scratch() / "kernel.cu").string()});
    options.mode = mode;
    return compile(options);
}

// Looks up a function of a compiled program, with the recorder loaded before it.
template <class F>
F function_of(const CompileResult& result, const char* name) {
    dlopen(SIMT_RECORDER, RTLD_NOW | RTLD_GLOBAL);
    void* program = dlopen(result.shared_object.c_str(), RTLD_NOW);
    INFO(std::string(program == nullptr ? dlerror() : ""));
    REQUIRE(program != nullptr);
    return reinterpret_cast<F>(dlsym(program, name));
}

const Diagnostic& first_error(const CompileResult& result) {
    REQUIRE_FALSE(result.diagnostics.empty());
    REQUIRE(result.diagnostics[0].level == "error");
    return result.diagnostics[0];
}

const std::string good =
    "#include <cuda_runtime.h>\n__global__ void fill(int* out, int n) {\n    int i = threadIdx.x;\n    if (i "
    "< n) out[i] = i;\n}\n"
    "extern \"C\" int answer(int* out) {\n    fill<<<1, 8>>>(out, 5);\n    return 42;\n}\n";

}  // namespace

TEST_SUITE("toolchain") {
    TEST_CASE("a kernel file becomes a shared object that runs") {
        for (const Mode mode : {Mode::checked, Mode::fast}) {
            const CompileResult result = compile_text(good, mode);
            INFO(to_text(result.diagnostics));
            REQUIRE(result.ok);
            int out[8] = {};
            CHECK(function_of<int (*)(int*)>(result, "answer")(out) == 42);
            CHECK(out[4] == 4);
            CHECK(out[5] == 0);
            CHECK(result.kernels == std::vector<std::string>{"fill"});
            CHECK_FALSE(result.has_main);
        }
    }

    TEST_CASE("the same text comes from the cache, a changed header does not") {
        const lab::Scratch scratch;
        scratch.write("main.cu",
                      "#include \"part.cuh\"\nextern \"C\" int answer() { return part(); }\nint main() {}\n");
        scratch.write("part.cuh", "inline int part() { return 1; }\n");
        const CompileOptions options = options_for({(scratch / "main.cu").string()});
        const CompileResult first = compile(options);
        REQUIRE(first.ok);
        CHECK_FALSE(first.cache_hit);
        CHECK(first.has_main);
        const CompileResult second = compile(options);
        CHECK(second.cache_hit);
        CHECK(second.shared_object == first.shared_object);
        scratch.write("part.cuh", "inline int part() { return 2; }\n");
        const CompileResult third = compile(options);
        CHECK_FALSE(third.cache_hit);
        CHECK(function_of<int (*)()>(third, "answer")() == 2);
    }

    TEST_CASE("a quoted header with kernels and launches is rewritten as well") {
        const lab::Scratch scratch;
        scratch.write(
            "main.cu",
            "#include \"sub/wrap.cuh\"\nextern \"C\" int answer(int* out) { run(out); return constant; }\n");
        scratch.write("sub/wrap.cuh",
                      "#pragma once\n#include \"kernel.cuh\"\n#include \"plain.h\"\ninline void run(int* "
                      "out) { twice<<<1, 2>>>(out); }\n");
        scratch.write("sub/kernel.cuh",
                      "#pragma once\ntemplate <class T>\n__global__ void twice(T* out) {\n    __shared__ T "
                      "tile[2];\n    tile[threadIdx.x] = 2;\n    out[threadIdx.x] = tile[threadIdx.x];\n}\n");
        scratch.write("sub/plain.h", "#pragma once\nconstexpr int constant = 7;\n");
        const CompileResult result = compile(options_for({(scratch / "main.cu").string()}));
        INFO(to_text(result.diagnostics));
        REQUIRE(result.ok);
        int out[2] = {};
        CHECK(function_of<int (*)(int*)>(result, "answer")(out) == 7);
        CHECK(out[1] == 2);
    }

    TEST_CASE("an error in an included header is placed in that header") {
        const lab::Scratch scratch;
        scratch.write("main.cu", "#include \"kernel.cuh\"\n");
        scratch.write("kernel.cuh",
                      "__global__ void k(int* out) {\n    __shared__ int a[2]; out[0] = wrong;\n}\n");
        const CompileResult result = compile(options_for({(scratch / "main.cu").string()}));
        CHECK_FALSE(result.ok);
        const Diagnostic& d = first_error(result);
        CHECK(d.file == (scratch / "kernel.cuh").string());
        CHECK(d.line == 2);
        CHECK(d.column == 35);
        CHECK(d.source_line == "    __shared__ int a[2]; out[0] = wrong;");
    }

    TEST_CASE("several sources are one program") {
        const lab::Scratch scratch;
        scratch.write(
            "a.cu",
            "int other();\ntemplate <class T> __global__ void shared_kernel(T* p) { for (int i = 0; i < 3; "
            "i++) p[i] = i; }\n"
            "extern \"C\" int answer(int* p) { shared_kernel<<<1, 1>>>(p); return other() + 1; }\n");
        scratch.write("b.cpp",
                      "template <class T> __global__ void shared_kernel(T* p) { for (int i = 0; i < 3; i++) "
                      "p[i] = i; }\n"
                      "int x[3]; int other() { shared_kernel<<<1, 1>>>(x); return 4; }\n");
        const CompileResult result =
            compile(options_for({(scratch / "a.cu").string(), (scratch / "b.cpp").string()}));
        INFO(to_text(result.diagnostics));
        REQUIRE(result.ok);
        int p[3];
        CHECK(function_of<int (*)(int*)>(result, "answer")(p) == 5);
    }

    TEST_CASE("two definitions of one function are told without the linker's file names") {
        const lab::Scratch scratch;
        scratch.write("a.cu", "int twice(int) { return 1; }\n");
        scratch.write("b.cu", "int twice(int) { return 2; }\n");
        const CompileResult result =
            compile(options_for({(scratch / "a.cu").string(), (scratch / "b.cu").string()}));
        CHECK_FALSE(result.ok);
        CHECK(first_error(result).message.find("twice(int)") != std::string::npos);
        CHECK(first_error(result).message.find("two of the source files") != std::string::npos);
    }

    TEST_CASE("a function without a body is named") {
        const CompileResult result =
            compile_text("int missing(int a);\nextern \"C\" int answer() { return missing(3); }\n");
        CHECK_FALSE(result.ok);
        CHECK(first_error(result).message.find("missing(int) is declared and used") == 0);
    }

    TEST_CASE("defines, include folders and an output path are honoured") {
        const lab::Scratch scratch;
        scratch.write("main.cu", "#include <far.h>\nextern \"C\" int answer() { return FAR + NEAR; }\n");
        scratch.write("inc/far.h", "#define FAR 3\n");
        CompileOptions options = options_for({(scratch / "main.cu").string()});
        options.include_dirs = {(scratch / "inc").string()};
        options.defines = {"NEAR=4"};
        options.output = (scratch / "out.so").string();
        const CompileResult result = compile(options);
        INFO(to_text(result.diagnostics));
        REQUIRE(result.ok);
        CHECK(result.shared_object == options.output);
        CHECK(function_of<int (*)()>(result, "answer")() == 7);
        options.defines = {"NEAR=5"};
        CHECK_FALSE(compile(options).cache_hit);
    }

    TEST_CASE("warnings are told again when the program comes from the cache") {
        const std::string text = "extern \"C\" int answer() { }\n";
        const CompileResult first = compile_text(text);
        REQUIRE(first.ok);
        REQUIRE(first.diagnostics.size() == 1);
        CHECK(first.diagnostics[0].level == "warning");
        const CompileResult second = compile_text(text);
        CHECK(second.cache_hit);
        REQUIRE(second.diagnostics.size() == 1);
        CHECK(second.diagnostics[0].message == first.diagnostics[0].message);
        CHECK(second.diagnostics[0].source_line == "extern \"C\" int answer() { }");
    }

    TEST_CASE("the special functions of C++17 are there for files that name one") {
        const CompileResult result =
            compile_text("#include <cmath>\nextern \"C\" double answer() { return std::beta(2.0, 3.0); }\n");
        INFO(to_text(result.diagnostics));
        CHECK(result.ok);
    }

    TEST_CASE("unreadable and strange sources are sentences, not crashes") {
        CHECK(first_error(compile(options_for({"/nowhere/at_all.cu"}))).message.find("can't be read") !=
              std::string::npos);
        CHECK(first_error(compile(options_for({"/tmp"}))).message.find("can't be read") != std::string::npos);
        CHECK(first_error(compile(options_for({"/dev/zero"}))).message.find("can't be read") !=
              std::string::npos);
        CHECK(first_error(compile(options_for({}))).message.find("no source file") != std::string::npos);
        CHECK(compile_text("").ok);
        CHECK(compile_text("\xef\xbb\xbfint x;\n").ok);
        CHECK(compile_text("int x;\r\n__global__ void k(int* p) { p[0] = 1; }\r\n").ok);
    }

    TEST_CASE("a missing compiler is a sentence that says what to install") {
        CompileOptions options = options_for({(shared_scratch() / "kernel.cu").string()});
        shared_scratch().write("kernel.cu", good);
        options.compiler = "no-such-compiler";
        const CompileResult result = compile(options);
        CHECK_FALSE(result.ok);
        CHECK(first_error(result).message.find("apt install g++") != std::string::npos);
    }

    TEST_CASE("a cache folder that can't be written to is a sentence") {
        CompileOptions options = options_for({(shared_scratch() / "kernel.cu").string()});
        shared_scratch().write("kernel.cu", good);
        options.cache_dir = "/proc/nowhere";
        CHECK(first_error(compile(options)).message.find("can't be written to") != std::string::npos);
    }

    TEST_CASE("processes that compile at once all get a whole program") {
        const lab::Scratch scratch;
        scratch.write("main.cu", good);
        CompileOptions options = options_for({(scratch / "main.cu").string()});
        options.cache_dir = (scratch / "cache").string();  // none has the precompiled header yet
        std::vector<pid_t> children;
        for (int i = 0; i < 3; i++) {
            const pid_t pid = fork();
            if (pid == 0) _exit(compile(options).ok ? 0 : 1);
            children.push_back(pid);
        }
        for (const pid_t pid : children) {
            int status = -1;
            waitpid(pid, &status, 0);
            CHECK(status == 0);
        }
        CHECK(compile(options).cache_hit);
        CHECK(fs::is_empty(scratch / "cache/work"));
    }

    TEST_CASE("a column of the machine's leads back to the learner's") {
        const CompileResult result = compile_text(good);
        const std::string file = (shared_scratch() / "kernel.cu").string();
        REQUIRE(result.positions.count(file) == 1);
        CHECK(learner_column(result, file, 4, 9) == 9);  // nothing was rewritten there
        CHECK(learner_column(result, file, 7, 5) == 5);  // the launch itself
        CHECK(learner_column(result, "elsewhere.cu", 7, 99) == 99);
    }

    TEST_CASE("messages print in gcc's style with the learner's own line") {
        const CompileResult result = compile_text(
            "__global__ void k(int* p) {\n\tk2<<<1, 2>>>(p, wrong);\n}\n__global__ void k2(int*, int);\n");
        const std::string file = (shared_scratch() / "kernel.cu").string();
        const std::string text = to_text(result.diagnostics);
        CHECK(text.find(file +
                        ":2:2: error: 'k2' was not declared in this scope; did you mean 'k'?\n    2 | "
                        "\tk2<<<1, 2>>>(p, "
                        "wrong);\n      | \t^\n" +
                        file + ":2:2: note: k2 is defined further down, on line 4: ") != std::string::npos);
        CHECK(text.find(file + ":2:18: error: 'wrong' was not declared in this scope") != std::string::npos);
    }

    TEST_CASE("a program that hangs is stopped") {
        const Outcome outcome = run({"sleep", "30"}, "", 0.2);
        CHECK(outcome.started);
        CHECK(outcome.timed_out);
        CHECK_FALSE(run({"no-such-program-anywhere"}).started);
    }
}
