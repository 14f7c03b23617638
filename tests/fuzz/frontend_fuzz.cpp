// The front end must stand any text: no crash, no line lost, and text without CUDA comes back as it was.
//
// With -fsanitize=fuzzer (clang) this is a libFuzzer target. Without, it is a program of its own that mutates
// a few seeds in a fixed order:
//     frontend-fuzz [SECONDS [FILE...]]      the files are further seeds
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "simt/frontend/asm_tables.h"
#include "simt/frontend/rewrite.h"
#include "simt/toolchain/files.h"

namespace {

long lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

void fail(const char* what, const std::string& input) {
    std::fprintf(stderr, "frontend-fuzz: %s. The input (%zu bytes):\n%s\n", what, input.size(),
                 input.c_str());
    std::abort();
}

void check(const std::string& input) {
    const simt::frontend::Rewritten once = simt::frontend::rewrite(input);
    if (lines(once.text) < lines(input)) fail("the rewrite lost a line", input);
    const bool notes = once.text.find("#ifndef simt_source_") != std::string::npos;
    if (!notes && lines(once.text) != lines(input)) fail("the rewrite added a line", input);
    if (!once.changed && once.text != input) fail("unchanged text is not the input", input);
    // Every place of the rewritten text leads to a place of the input.
    for (int line = 1; line <= lines(input) + 1; line++)
        for (const int column : {1, 7, 60, 200}) {
            const simt::frontend::Position at = once.positions.original(line, column);
            if (at.line < 1 || at.line > lines(input) + 1 || at.column < 1)
                fail("a place leads out of the input", input);
        }
    // Without anything of CUDA's there is nothing to do; a second rewrite of such text changes nothing
    // either.
    const bool cuda = input.find("<<<") != std::string::npos || input.find("__") != std::string::npos ||
                      input.find("cuda") != std::string::npos || input.find("sync") != std::string::npos;
    if (!cuda && once.changed) fail("text without CUDA was changed", input);
    for (const simt::frontend::Problem& p : once.problems)
        if (p.message.empty() || p.line < 1) fail("a problem without words or place", input);
}

void check_assembler(const std::string& input) {
    simt::frontend::FileTable files;
    simt::frontend::TableOptions options;
    options.drop_debug = false;
    if (simt::frontend::add_tables(input, files, options).text.empty()) fail("the tables are empty", input);
}

}  // namespace

#if defined(SIMT_LIBFUZZER)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    check(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}

#else

namespace {

const char* const words[] = {"<<<",
                             ">>>",
                             "<",
                             ">",
                             ">>",
                             "(",
                             ")",
                             "{",
                             "}",
                             "[",
                             "]",
                             ";",
                             ",",
                             "\n",
                             "\\\n",
                             "#define K(x) ",
                             "#if 0\n",
                             "#else\n",
                             "#endif\n",
                             "\"",
                             "'",
                             "R\"(",
                             ")\"",
                             "/*",
                             "*/",
                             "//",
                             "__shared__ ",
                             "extern ",
                             "__global__ void k",
                             "__device__ int x",
                             "template <class T> ",
                             "return;",
                             "if (a) ",
                             "else ",
                             "for (;;) ",
                             "[&] ",
                             "struct S ",
                             "namespace n ",
                             "cudaMalloc(&p, 3)",
                             "__syncthreads();",
                             "::",
                             "operator",
                             "=",
                             "k",
                             "alignas(16) ",
                             "\xef\xbb\xbf",
                             "\r\n",
                             "\t"};

const char* const seeds[] = {
    "#include <cuda_runtime.h>\n__global__ void k(float* p, int n) {\n    __shared__ float t[32], u;\n    "
    "extern __shared__ int s[];\n    if (n) return;\n    __syncthreads();\n}\n"
    "int main() {\n    float* d;\n    cudaMalloc(&d, 4);\n    k<<<1, 2>>>(d, 3);\n}\n",
    "#define RUN(k, ...) k<T><<<1, \\\n 2>>>(__VA_ARGS__)\ntemplate <class T, int N = (3 > 2)> __global__ "
    "void q(T* p = nullptr);\nvoid f() { a::q<int, 3><<<dim3(x<y<z>>()), b>>>(p); }\n",
    "namespace n { __constant__ int c[3]; struct S { int m() const { return 3; } }; }\nauto l = [](int a) -> "
    "int { for (;;) { switch (a) { case 1: break; default: return a; } } };\n",
    "int plain(int a) { return a < 3 ? a << 2 : a >> 1; } // nothing to do\nconst char* s = R\"x(text)x\" "
    "\"more\"; char c = '\\n';\n"};

const char* const assembler_seed =
    "\t.file 1 \"a.cu\"\nf:\n\t.cfi_startproc\n.LBB1:\n\t.loc 1 3 "
    "4\n.L2:\n\tcall\tx\n\tjne\t.L2\n\tjmp\t*%rax\n.LBE1:\n\t.cfi_endproc\n"
    "\t.section\t.debug_info,\"\",@progbits\n\t.long\t0x15f\n\t.value\t0x5\n\t.byte\t0x1\n\t.byte\t0x8\n\t."
    "long\t0\n\t.uleb128 0x1\n\t.quad\t.LBB1\n\t.byte\t0x7\n"
    "\t.section\t.debug_abbrev,\"\",@progbits\n\t.uleb128 0x1\n\t.uleb128 0x1d\n\t.byte\t0\n\t.uleb128 "
    "0x11\n\t.uleb128 0x1\n\t.uleb128 0x59\n\t.uleb128 0xb\n\t.byte\t0\n\t.byte\t0\n\t.byte\t0\n";

std::string mutate(std::string text, const std::string& other, std::mt19937& random) {
    const auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
    for (size_t edits = 1 + below(6); edits > 0; edits--) {
        const size_t at = below(text.size() + 1);
        switch (below(7)) {
            case 0:
                text.erase(at, 1 + below(8));
                break;
            case 1:
                text.insert(at, words[below(std::size(words))]);
                break;
            case 2:
                text.insert(at, 1, static_cast<char>(random()));
                break;
            case 3:
                text.resize(at);
                break;
            case 4:
                text.insert(at, text.substr(below(text.size() + 1), below(40)));
                break;
            case 5:
                text.insert(at, other.substr(below(other.size() + 1), below(60)));
                break;
            default:
                text.insert(at, std::string(1 + below(50), "(<{["[below(4)]));
                break;
        }
    }
    return text.substr(0, 20000);
}

}  // namespace

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
    std::vector<std::string> pool(std::begin(seeds), std::end(seeds));
    for (int i = 2; i < count; i++)
        if (auto text = simt::toolchain::read_file(arguments[i])) pool.push_back(std::move(*text));
    for (const std::string& seed : pool) check(seed);
    check_assembler(assembler_seed);
    // A deep nest and a long row, which recursion and quadratic loops would feel.
    for (const char* piece : {"{", "(", "[", "<", "k<<<", "if (a) ", "else if (a) {", "#if A\n{\n#else\n",
                              "__shared__ ", "template <", "[&] {", "case 1: "}) {
        std::string text = "__global__ void k() {";
        while (text.size() < 60000) text += piece;
        check(text);
    }
    std::mt19937 random(20240607);  // the same inputs in every run, as far as the time goes
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    size_t runs = 0;
    while (std::chrono::steady_clock::now() < end) {
        for (int i = 0; i < 50; i++, runs++) {
            const std::string& seed = pool[random() % pool.size()];
            check(mutate(seed, pool[random() % pool.size()], random));
            if (i % 10 == 0) check_assembler(mutate(assembler_seed, assembler_seed, random));
        }
    }
    std::printf("frontend-fuzz: %zu inputs, no crash, no line lost\n", runs);
    return 0;
}

#endif
