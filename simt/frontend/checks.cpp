// Slips that plain C++ would let pass, or would explain badly.
#include <algorithm>
#include <array>

#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

constexpr std::array<std::string_view, 11> value_types{
    "int", "float", "double", "bool", "char", "long", "short", "unsigned", "size_t", "dim3", "cudaError_t"};

// `__global__ int k()`
void check_return_type(Rewriter& rewriter, const Function& f) {
    const Tokens& t = rewriter.scan.code;
    size_t value = none;
    size_t first = f.head;
    while (t.is(first, "template") && t.angle_partner(first + 1) != none)
        first = t.angle_partner(first + 1) + 1;
    for (size_t i = first; i < f.name_token; i++) {
        if (t.is(i, "void") || t.is(i, "auto")) return;
        const size_t close = t.is(i, "(") ? t.partner(i) : none;
        if (close != none && close < f.name_token) i = close;
        if (std::find(value_types.begin(), value_types.end(), t.spelling(i)) != value_types.end() &&
            value == none)
            value = i;
    }
    if (value == none) return;
    rewriter.problem(t[value], "A kernel can't return a value: declare it as  __global__ void " + f.name +
                                   "(...)  and let it store its result through a pointer.");
}

// `__global__ void k(int& n)`
void check_references(Rewriter& rewriter, const Function& f) {
    const Tokens& t = rewriter.scan.code;
    for (const Tokens::Range& p : t.split_commas(f.params_open + 1, f.params_close, true)) {
        for (size_t i = p.first; i < p.last && !t.is(i, "="); i++) {
            size_t close = t.is(i, "(") || t.is(i, "[") || t.is(i, "{") ? t.partner(i) : none;
            if (t.is(i, "<")) close = t.angle_partner(i);
            if (close != none && close < p.last) {
                i = close;
                continue;
            }
            if (!t.is(i, "&")) continue;
            rewriter.problem(t[i],
                             "A kernel's parameter can't be a reference, because the GPU can't reach the "
                             "host's variable: pass it by value, or "
                             "pass a pointer to device memory.");
            break;
        }
    }
}

bool starts_statement(const Tokens& t, size_t i) {
    const std::string_view s = t.spelling(i - 1);
    return s == ";" || s == "{" || s == "}" || s == ")" || s == ":" || s == "else" || s == "do";
}

bool declared_before(const Tokens& t, size_t first, size_t use) {
    for (size_t i = first + 1; i < use; i++) {
        if (t.spelling(i) != t.spelling(use)) continue;
        const std::string_view s = t.spelling(i - 1);
        if (s == "*" || s == "&" || s == ">" ||
            (t.is_identifier(i - 1) && s != "else" && s != "do" && s != "return"))
            return true;
    }
    return false;
}

// `kernel(a, b);` : C++ would run it, once, on the host.
void check_calls(Rewriter& rewriter) {
    const Scan& scan = rewriter.scan;
    const Tokens& t = scan.code;
    std::set<std::string_view> kernels, others;
    for (const Kernel& k : scan.kernels) kernels.insert(k.name);
    for (const Kernel& k : rewriter.options.known.kernels) kernels.insert(k.name);
    for (const Function& f : scan.functions)
        if (!f.kernel) others.insert(f.name);
    for (const auto& [name, line] : rewriter.options.known.functions) others.insert(name);
    for (size_t i = 1; i + 1 < t.size(); i++) {
        if (!t.is_identifier(i) || !kernels.count(t.spelling(i)) || others.count(t.spelling(i))) continue;
        size_t next = i + 1;
        if (t.is(next, "<") && !t.opens_launch(next)) {
            const size_t close = t.angle_partner(next);
            if (close != none) next = close + 1;
        }
        const size_t close = t.is(next, "(") ? t.partner(next) : none;
        if (close == none || !t.is(close + 1, ";")) continue;
        size_t start = i;
        while (start >= 2 && t.is(start - 1, "::")) start -= t.is_identifier(start - 2) ? 2 : 1;
        const Function* f = scan.function_around(i);
        if (f == nullptr || !starts_statement(t, start) || declared_before(t, f->params_open, i)) continue;
        rewriter.problem(t[i], std::string(t.spelling(i)) +
                                   " is a kernel and needs a launch configuration: write " + t.flat(i, next) +
                                   "<<<blocks, threads>>>" + t.flat(next, close + 1) + ";");
    }
}

}  // namespace

void check_kernels(Rewriter& rewriter) {
    for (const Function& f : rewriter.scan.functions) {
        if (!f.kernel) continue;
        check_return_type(rewriter, f);
        check_references(rewriter, f);
    }
    check_calls(rewriter);
}

}  // namespace simt::frontend
