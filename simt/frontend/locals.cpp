// `float window[8];` in a kernel or a __device__ function gets a call behind it that keeps the array in memory.
#include <algorithm>
#include <array>

#include "simt/frontend/body.h"
#include "simt/frontend/declaration.h"
#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

// What begins a statement that declares no local array, or one that needs no watching: a constant array's
// values are the compiler's.
constexpr std::array<std::string_view, 14> others{"return", "goto",   "throw",   "delete",      "using",
                                                  "new",    "extern", "static",  "constexpr",   "const",
                                                  "break",  "case",   "typedef", "thread_local"};

bool declares_others(const Rewriter& rewriter, const Tokens& t, const Tokens::Range& statement) {
    for (size_t i = statement.first; i < statement.last; i++)
        if (rewriter.scan.is_word(t, i, "__shared__")) return true;
    for (size_t i = statement.first; i < statement.last; i++) {
        const std::string_view s = t.spelling(i);
        if (s == "[" || s == "=" || s == "(" || s == "{") return false;
        if (std::find(others.begin(), others.end(), s) != others.end()) return true;
    }
    return true;
}

void watch_arrays(Rewriter& rewriter, const Tokens& t, const Function& function,
                  const Tokens::Range& statement) {
    if (declares_others(rewriter, t, statement)) return;
    const Declaration d = parse_declaration(rewriter.scan, t, statement.first, statement.last);
    if (!d.understood || d.base.empty()) return;
    std::string calls;
    for (const Declarator& v : d.declarators) {
        const auto name = std::find(v.tokens.begin(), v.tokens.end(), v.name);
        if (name == v.tokens.end() || name + 1 == v.tokens.end() || !t.is(*(name + 1), "[")) continue;
        // tile.first[i] = 0; and sum += a[i]; are no declarations.
        if (!std::all_of(v.tokens.begin(), name, [&](size_t i) { return t.is(i, "*"); })) return;
        size_t after = v.name + 1;
        while (t.is(after, "[") && t.partner(after) != none) after = t.partner(after) + 1;
        if (after <= v.tokens.back()) return;
        const std::string text(t.spelling(v.name));
        calls += " ::simt::local_array(" + text + ", \"" + text + "\", {__FILE__, __LINE__}, " +
                 (v.initialiser == none ? "false" : "true");
        const std::string registers = fits_registers(rewriter, function, statement.last + 1, v.name);
        calls += (registers.empty() ? "" : ", " + registers) + ");";
    }
    if (calls.empty()) return;
    const size_t at = t[statement.last].end;
    Edit edit(t.file(), at, at, false);
    rewriter.edits.push_back(edit.add(calls, t[statement.first].begin));
}

}  // namespace

void rewrite_locals(Rewriter& rewriter) {
    const Tokens& t = rewriter.scan.code;
    for (const Function& f : rewriter.scan.functions) {
        if (!f.kernel && !f.device) continue;
        for (const Tokens::Range& statement : read_body(t, f).statements)
            watch_arrays(rewriter, t, f, statement);
    }
}

}  // namespace simt::frontend
