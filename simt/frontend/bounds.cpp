// `__global__ void __launch_bounds__(256) k(...) {}` gets a line behind it by which the machine knows what k promises.
#include <algorithm>

#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

// The arguments of __launch_bounds__ in the head of `f`; none: it promises nothing.
std::string promised(const Rewriter& rewriter, const Function& f) {
    const Tokens& t = rewriter.scan.code;
    for (size_t i = f.head; i < f.params_open; i++)
        if (rewriter.scan.is_word(t, i, "__launch_bounds__") && t.is(i + 1, "(") && t.partner(i + 1) != none)
            return t.flat(i + 2, t.partner(i + 1));
    return "";
}

}  // namespace

void add_bounds(Rewriter& rewriter) {
    const Tokens& t = rewriter.scan.code;
    for (const Function& f : rewriter.scan.functions) {
        // A template has no address of its own, and the name of an overload has several.
        if (!f.kernel || f.is_template || f.in_class || f.body_open == none || f.body_close == none) continue;
        const auto kernels = kernels_named(rewriter, f.name, f.scope);
        if (kernels.size() != 1) continue;
        const std::string numbers = promised(rewriter, f);
        if (numbers.empty()) continue;
        const size_t at = t[f.body_close].end;
        Edit edit(t.file(), at, at, false);
        edit.add(" [[maybe_unused]] static const bool simt_bounds_" + file_tag(rewriter.options.path) + "_" +
                     std::to_string(t.file().line_of(at)) + "_" + std::to_string(t.file().column_of(at)) +
                     " = ::simt::register_bounds(reinterpret_cast<const void*>(" + f.name + "), " + numbers +
                     ");",
                 t[f.name_token].begin);
        rewriter.edits.push_back(std::move(edit));
    }
}

}  // namespace simt::frontend
