#include "simt/frontend/rewrite.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>

#include "simt/frontend/declaration.h"
#include "simt/frontend/rewriter.h"

namespace simt::frontend {

bool Stream::is_parameter(std::string_view name) const {
    return macro != nullptr &&
           std::find(macro->parameters.begin(), macro->parameters.end(), name) != macro->parameters.end();
}

std::string Stream::literal(size_t first, size_t last) const {
    std::string out, text;
    const auto flush = [&] {
        if (!text.empty()) out += (out.empty() ? "\"" : " \"") + escaped(text) + "\"";
        text.clear();
    };
    for (size_t i = first; i < last; i++) {
        if (tokens.is(i, "#") && macro != nullptr) continue;  // of a ##
        if (is_parameter(tokens.spelling(i))) {
            flush();
            out += (out.empty() ? "#" : " #") + std::string(tokens.spelling(i));
            continue;
        }
        if (i > first && tokens[i - 1].end != tokens[i].begin && !text.empty()) text += ' ';
        text += tokens.spelling(i);
    }
    flush();
    return out.empty() ? "\"\"" : out;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n' || c == '\r') {
            out += ' ';
            continue;
        }
        out += c;
    }
    return out;
}

std::string file_tag(const std::string& path) {
    uint64_t hash = 1469598103934665603u;
    for (const char c : path) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    char text[17];
    std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(hash ^ (hash >> 32)));
    return text;
}

bool hides_words(const Scan& scan, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        if (!scan.code.is_identifier(i)) continue;
        const std::string_view s = scan.code.spelling(i);
        if (std::any_of(scan.macros.begin(), scan.macros.end(), [&](const Macro& m) { return m.name == s; }))
            return true;
        const bool loud = s.size() > 1 && std::all_of(s.begin(), s.end(), [](char c) {
                              return std::isupper(static_cast<unsigned char>(c)) ||
                                     std::isdigit(static_cast<unsigned char>(c)) || c == '_';
                          });
        if (loud) return true;
    }
    return false;
}

std::vector<Kernel> kernels_named(const Rewriter& rewriter, std::string_view qualified,
                                  std::string_view scope) {
    if (qualified.substr(0, 2) == "::") qualified.remove_prefix(2);
    const size_t colons = qualified.rfind("::");
    const std::string_view name = colons == std::string_view::npos ? qualified : qualified.substr(colons + 2);
    std::vector<Kernel> found;
    const auto consider = [&](const Kernel& k) {
        if (k.name != name) return;
        for (Kernel& f : found)
            if (f.scope == k.scope && f.signature == k.signature &&
                f.template_parameters == k.template_parameters) {
                f.defaults = std::max(f.defaults, k.defaults);
                return;
            }
        found.push_back(k);
    };
    for (const Kernel& k : rewriter.scan.kernels) consider(k);
    for (const Kernel& k : rewriter.options.known.kernels) consider(k);
    const auto keep = [&](auto&& fits) {
        std::vector<Kernel> kept;
        std::copy_if(found.begin(), found.end(), std::back_inserter(kept), fits);
        if (!kept.empty()) found = kept;
    };
    if (colons != std::string_view::npos) {
        const std::string_view wanted = qualified.substr(0, colons);
        keep([&](const Kernel& k) { return std::string_view(k.scope).ends_with(wanted); });
    } else {
        keep([&](const Kernel& k) { return k.scope == scope; });
    }
    return found;
}

void Known::add(const Scan& scan) {
    add_volatile_names(scan, volatile_names);
    kernels.insert(kernels.end(), scan.kernels.begin(), scan.kernels.end());
    for (const Function& f : scan.functions)
        if (!f.kernel && !hides_words(scan, f.head, f.name_token))
            functions.emplace(f.name, scan.code[f.name_token].line);
    for (size_t i = 0; i < scan.code.size(); i++) {
        if (!scan.is_word(scan.code, i, "__shared__") || scan.function_around(i) != nullptr) continue;
        for (size_t j = i; j < scan.code.size() && !scan.code.is(j, ";"); j++)
            if (scan.code.is_identifier(j) && scan.code.is(j + 1, "["))
                dynamic_shared.emplace(scan.code.spelling(j));
    }
}

Rewritten rewrite(const Scan& scan, const Options& options) {
    Rewriter rewriter{scan, options, {}, {}};
    const Stream code{scan.code, nullptr, 0};
    rewrite_launches(rewriter, code);
    rewrite_shared(rewriter, code);
    rewrite_kernel_pointers(rewriter, code);
    for (const Macro& macro : scan.macros) {
        const Tokens body(scan.lexed, scan.lexed.directives[macro.directive].tokens);
        const Stream stream{body, &macro, macro.body_first};
        rewrite_launches(rewriter, stream);
        rewrite_shared(rewriter, stream);
        rewrite_kernel_pointers(rewriter, stream);
    }
    rewrite_returns(rewriter);
    rewrite_locals(rewriter);
    add_symbols(rewriter);
    add_bounds(rewriter);
    if (options.fast) add_turns(rewriter);
    check_kernels(rewriter);
    for (const Include& include : scan.includes) {
        const std::string_view written = scan.lexed.text.substr(include.begin, include.end - include.begin);
        const auto replacement = options.includes.find(std::string(written));
        if (replacement == options.includes.end()) continue;
        Edit edit(scan.lexed, include.begin, include.end, true);
        rewriter.edits.push_back(edit.add(replacement->second));
    }

    Rewritten result;
    result.includes = scan.includes;
    const std::string notes = source_notes(rewriter);
    result.changed = !rewriter.edits.empty() || !notes.empty();
    std::stable_sort(rewriter.problems.begin(), rewriter.problems.end(),
                     [](const Problem& a, const Problem& b) {
                         return a.line != b.line ? a.line < b.line : a.column < b.column;
                     });
    result.problems = std::move(rewriter.problems);
    if (!result.changed) {
        result.text = scan.lexed.text;
        return result;
    }
    Applied applied = Applied::apply(scan.lexed, std::move(rewriter.edits));
    result.text = std::move(applied.text) + notes;
    result.positions = std::move(applied.positions);
    return result;
}

Rewritten rewrite(std::string_view text, const Options& options) {
    return rewrite(Scan(text), options);
}

}  // namespace simt::frontend
