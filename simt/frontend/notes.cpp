// What the text says and the instructions do not: names of allocations and streams, what stands around a barrier, device
// variables.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "simt/frontend/body.h"
#include "simt/frontend/declaration.h"
#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

constexpr std::array<std::string_view, 13> allocators{"cudaMalloc",
                                                      "cudaMallocManaged",
                                                      "cudaMallocHost",
                                                      "cudaMallocAsync",
                                                      "cudaHostAlloc",
                                                      "cudaMallocPitch",
                                                      "cudaMallocFromPoolAsync",
                                                      "cudaHostRegister",
                                                      "cudaMalloc3D",
                                                      "cudaMallocArray",
                                                      "cudaMalloc3DArray",
                                                      "cudaCreateTextureObject",
                                                      "cudaCreateSurfaceObject"};
constexpr std::array<std::string_view, 3> stream_makers{"cudaStreamCreate", "cudaStreamCreateWithFlags",
                                                        "cudaStreamCreateWithPriority"};

bool is_one_of(const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// `(void**)&d_in`, `reinterpret_cast<void **>(&d_in)`, `&d_in`  ->  d_in
std::string allocated_name(const Tokens& t, size_t first, size_t last) {
    while (first < last) {
        if (t.is(first, "&")) {
            first++;
        } else if (t.is(first, "(") && t.partner(first) == last - 1) {
            first++;
            last--;
        } else if (t.is(first, "(") && t.is(t.partner(first) - 1, "*")) {  // a cast
            first = t.partner(first) + 1;
        } else if (t.spelling(first).ends_with("_cast") && t.is(first + 1, "<")) {
            const size_t close = t.angle_partner(first + 1);
            if (close == none || close >= last) return "";
            first = close + 1;
        } else {
            return t.flat(first, last);
        }
    }
    return "";
}

// The '(' of the call at `i`, which may have template arguments; none: it is no call.
size_t call_open(const Tokens& t, size_t i) {
    size_t next = i + 1;
    if (t.is(next, "<")) {
        const size_t close = t.angle_partner(next);
        if (close != none) next = close + 1;
    }
    return t.is(next, "(") && t.partner(next) != none ? next : none;
}

std::string allocation_notes(const Rewriter& rewriter) {
    const Tokens& t = rewriter.scan.code;
    std::map<int, std::set<std::string>> names;  // by line
    for (size_t i = 0; i + 1 < t.size(); i++) {
        const bool makes_stream = is_one_of(stream_makers, t.spelling(i));
        if (!makes_stream && !is_one_of(allocators, t.spelling(i))) continue;
        const size_t open = call_open(t, i);
        if (open == none) continue;
        const auto arguments = t.split_commas(open + 1, t.partner(open), true);
        if (arguments.size() < (makes_stream ? 1 : 2)) continue;
        const std::string name = allocated_name(t, arguments[0].first, arguments[0].last);
        if (name.empty()) continue;
        // The compiler may name either line as the call's.
        names[t[i].line].insert(name);
        names[t[t.partner(open)].line].insert(name);
    }
    std::string out;
    for (const auto& [line, on_line] : names)  // a wrong name is worse than none
        if (on_line.size() == 1)
            out += "{" + std::to_string(line) + ", \"" + escaped(*on_line.begin()) + "\"}, ";
    return out;
}

std::string barrier_notes(const Rewriter& rewriter) {
    std::string out;
    for (const Function& f : rewriter.scan.functions)
        for (const Barrier& b : read_body(rewriter.scan.code, f).barriers)
            out += "{" + std::to_string(b.line) + ", " + std::to_string(b.condition_line) + "}, ";
    return out;
}

void mark_return(Rewriter& rewriter, const Tokens& t, size_t i, bool in_macro) {
    Edit edit(t.file(), t[i].end, t[i].end, in_macro);
    rewriter.edits.push_back(edit.add(" ::simt::thread_returns()", t[i].begin));
}

// Does this macro define a kernel, or stand in kernels and nowhere else? Then its `return;` is a kernel's.
bool returns_from_kernels(const Scan& scan, const Macro& macro, const Tokens& body) {
    bool has_return = false;
    for (size_t i = macro.body_first; i < body.size(); i++) {
        if (scan.is_word(body, i, "__global__")) return true;
        has_return = has_return || body.is(i, "return");
    }
    if (!has_return) return false;
    bool in_kernel = false;
    for (size_t i = 0; i < scan.code.size(); i++) {
        if (!scan.code.is(i, macro.name)) continue;
        const Function* f = scan.function_around(i);
        if (f == nullptr || !f->kernel) return false;
        in_kernel = true;
    }
    return in_kernel;
}

}  // namespace

void rewrite_returns(Rewriter& rewriter) {
    const Tokens& t = rewriter.scan.code;
    for (const Function& f : rewriter.scan.functions) {
        if (!f.kernel) continue;
        for (const size_t i : read_body(t, f).returns) mark_return(rewriter, t, i, false);
    }
    for (const Macro& macro : rewriter.scan.macros) {
        const Tokens body(rewriter.scan.lexed, rewriter.scan.lexed.directives[macro.directive].tokens);
        if (!returns_from_kernels(rewriter.scan, macro, body)) continue;
        for (size_t i = macro.body_first; i < body.size(); i++)
            if (body.is(i, "return") && (body.is(i + 1, ";") || i + 1 == body.size()))
                mark_return(rewriter, body, i, true);
    }
}

void add_symbols(Rewriter& rewriter) {
    const Tokens& t = rewriter.scan.code;
    const std::string tag = file_tag(rewriter.options.path);
    for (const DeviceVariable& variable : rewriter.scan.variables) {
        const Declaration d = parse_declaration(rewriter.scan, t, variable.first, variable.end);
        std::string symbols;
        for (const Declarator& v : d.declarators) {
            if (v.name == none) continue;
            const std::string name(t.spelling(v.name));
            symbols += "::simt::symbol(\"" + name + "\", " + name +
                       ", ::simt::SymbolSpace::" + variable.space + ", " + std::to_string(t[v.name].line) +
                       "), ";
        }
        if (symbols.empty()) continue;
        const size_t at = t[variable.end].end;
        const std::string id =
            tag + "_" + std::to_string(t.file().line_of(at)) + "_" + std::to_string(t.file().column_of(at));
        Edit edit(t.file(), at, at, false);
        edit.add(" [[maybe_unused]] static const bool simt_symbol_" + id +
                 " = ::simt::register_source(__FILE__, {}, {}, {" + symbols + "});");
        rewriter.edits.push_back(std::move(edit));
    }
}

namespace {

// A macro that the CUDA headers read, and that comes too late in a .cu file: nvcc has included them before line 1.
std::string late_macro_note(const Rewriter& rewriter) {
    constexpr std::string_view macro = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
    const auto& macros = rewriter.scan.macros;
    const auto found =
        std::find_if(macros.begin(), macros.end(), [&](const Macro& m) { return m.name == macro; });
    if (found == macros.end()) return "";
    const std::string line = std::to_string(rewriter.scan.lexed.directives[found->directive].line);
    const std::string name = "simt_late_macro_" + file_tag(rewriter.options.path);
    return "#if defined(" + std::string(macro) + ") && !defined(" + name + "_once)\n#define " + name +
           "_once\n[[maybe_unused]] static const bool " + name +
           " = ::simt::cuda::note_late_default_stream({\"" + escaped(rewriter.options.path) + "\", " + line +
           "});\n#endif\n";
}

}  // namespace

std::string source_notes(const Rewriter& rewriter) {
    const std::string allocations = allocation_notes(rewriter), barriers = barrier_notes(rewriter);
    const std::string late_macro = late_macro_note(rewriter);
    if (allocations.empty() && barriers.empty() && late_macro.empty()) return "";
    const std::string name = "simt_source_" + file_tag(rewriter.options.path);
    const std::string_view text = rewriter.scan.lexed.text;
    std::string out = (text.empty() || text.back() == '\n' ? "" : "\n") + late_macro;
    if (allocations.empty() && barriers.empty()) return out;
    // A header without a guard may come twice.
    out += "#ifndef " + name + "_once\n#define " + name + "_once\n[[maybe_unused]] static const bool " +
           name + " = ::simt::register_source(\"" + escaped(rewriter.options.path) + "\", {" + allocations +
           "}, {" + barriers + "}, {});\n#endif\n";
    return out;
}

}  // namespace simt::frontend
