// `kernel<<<grid, block, bytes, stream>>>(arguments)`  ->  a call of ::simt::launch.
#include <algorithm>
#include <cctype>

#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

bool is_control(std::string_view s) {
    return s == "if" || s == "while" || s == "for" || s == "switch" || s == "constexpr";
}
bool is_keyword(std::string_view s) {
    return is_control(s) || s == "return" || s == "else" || s == "do" || s == "case" || s == "throw";
}

class Launches {
  public:
    Launches(Rewriter& rewriter, const Stream& stream)
        : rewriter_(rewriter), stream_(stream), t_(stream.tokens) {}

    void run() {
        for (size_t i = stream_.first; i < t_.size(); i++) {
            if (t_.opens_launch(i) && !t_.is(i - 1, "operator"))
                i = launch(i);
            else if (t_.is(i, "<") && t_.is(i + 1, "<") && t_.touches_next(i) && i > 0)
                check_short_opening(i);
        }
    }

  private:
    // At `<<<`. Returns the index of the last token that was dealt with.
    size_t launch(size_t open) {
        if (t_.opens_launch(open + 1)) return merge_mark(open);
        const size_t kernel = open > stream_.first ? expression_start(open - 1) : none;
        if (kernel == none) {
            rewriter_.problem(
                t_[open], "There is no kernel's name before <<<. Write kernel<<<grid, block>>>(arguments);");
            return open + 2;
        }
        const size_t close = closing(open + 3);
        if (close == none) return open + 2;  // closing() said why
        if (!check_configuration(open, close)) return close + 2;
        const size_t arguments_end = t_.partner(close + 3);
        if (arguments_end == none && stream_.macro == nullptr) {
            rewriter_.problem(t_[close + 3], "The launch's arguments have no closing ).");
            return close + 2;
        }
        if (launches_plain_function(kernel, open)) return close + 2;
        emit(kernel, open, close, needs_generic(kernel, open, close + 3, arguments_end));
        return close + 2;
    }

    size_t merge_mark(size_t open) {
        size_t last = open;
        while (t_.is(last + 1, "<") && t_.touches_next(last)) last++;
        rewriter_.problem(
            t_[open],
            "A row of < begins here: it looks like the mark of an unfinished merge. A launch has three.");
        return last;
    }

    // The first token of the expression that ends at `i`: k, ns::k, k<int, 3>, object.k, table[2],
    // (*pointer).
    size_t expression_start(size_t i) const {
        for (size_t steps = 0; steps < 1000; steps++) {
            const std::string_view s = t_.spelling(i);
            if (s == ")" || s == "]") {
                const size_t open = t_.partner(i);
                if (open == none || open < stream_.first) return none;
                const std::string_view before = t_.spelling(open - 1);
                const bool called =
                    open > stream_.first && ((t_.is_identifier(open - 1) && !is_keyword(before)) ||
                                             before == "]" || (before == ")" && !closes_condition(open - 1)));
                if (s == ")" && !called) return open;
                if (open == stream_.first) return none;
                i = open - 1;
                continue;
            }
            if (s == ">") {
                const size_t open = t_.angle_partner_back(i);
                if (open == none || open <= stream_.first || !t_.is_identifier(open - 1)) return none;
                i = open - 1;
                continue;
            }
            if (!t_.is_identifier(i) || is_keyword(s)) return none;
            if (i <= stream_.first) return i;
            const std::string_view before = t_.spelling(i - 1);
            if (before == "template" && i >= 2) {
                i--;
                continue;
            }
            if (before == "#" && i >= stream_.first + 3 && t_.is(i - 2, "#")) {
                i -= 3;
                continue;
            }
            if (before != "::" && before != "." && before != "->") return i;
            const bool qualified =
                i >= stream_.first + 2 && !is_keyword(t_.spelling(i - 2)) &&
                (t_.is_identifier(i - 2) || t_.is(i - 2, ">") || t_.is(i - 2, ")") || t_.is(i - 2, "]"));
            if (!qualified) return before == "::" ? i - 1 : none;
            i -= 2;
        }
        return none;
    }

    bool closes_condition(size_t i) const {
        const size_t open = t_.partner(i);
        return open != none && open > stream_.first && is_control(t_.spelling(open - 1));
    }

    // The first `>` of the `>>>` that closes a configuration which begins at `i`; none after a problem.
    size_t closing(size_t i) {
        const size_t begin = i;
        size_t pair = none;
        for (; i < t_.size(); i++) {
            const std::string_view s = t_.spelling(i);
            if (s == ";" || s == "}" || s == ")" || s == "]" || t_.opens_launch(i)) break;
            if (s == "(" || s == "[" || s == "{") {
                const size_t close = t_.partner(i);
                if (close == none) break;
                i = close;
                continue;
            }
            if (s != ">") continue;
            size_t last = i;
            while (t_.is(last + 1, ">") && t_.touches_next(last)) last++;
            if (last - i >= 2 && t_.is(last + 1, "(")) return last - 2;
            if (last - i >= 2 && (t_.is(last + 1, ";") || t_.is(last + 1, "}"))) return no_arguments(i);
            if (last - i == 1 && t_.is(last + 1, "(")) pair = i;
            i = last;
        }
        const Token& open = t_[begin - 3];
        if (pair != none)
            rewriter_.problem(
                t_[pair],
                "This launch is closed by >> where >>> belongs: kernel<<<grid, block>>>(arguments);");
        else
            rewriter_.problem(
                open, "This <<< has no >>> after it: a launch is kernel<<<grid, block>>>(arguments);");
        return none;
    }

    size_t no_arguments(size_t i) {
        rewriter_.problem(t_[i],
                          "A launch needs its arguments in parentheses after >>>, even if there are none: "
                          "kernel<<<grid, block>>>();");
        return none;
    }

    bool check_configuration(size_t open, size_t close) {
        const size_t first = open + 3;
        if (first == close) {
            rewriter_.problem(t_[open],
                              "Nothing stands between <<< and >>>: give the number of blocks and the threads "
                              "a block, <<<blocks, threads>>>.");
            return false;
        }
        const size_t loose = t_.split_commas(first, close, true).size(),
                     strict = t_.split_commas(first, close, false).size();
        if ((loose >= 2 && loose <= 4) || (strict >= 2 && strict <= 4)) return true;
        if (loose == 1 && may_be_several(first, close)) return true;
        if (loose == 1)
            rewriter_.problem(t_[open],
                              "A launch needs at least two values between <<< and >>>: the number of blocks, "
                              "then the threads a block.");
        else
            rewriter_.problem(t_[open],
                              "A launch takes at most four values between <<< and >>> (grid, block, shared "
                              "bytes, stream); here are " +
                                  std::to_string(loose) + ".");
        return false;
    }

    // One macro may stand for several values.
    bool may_be_several(size_t first, size_t close) const {
        const std::string_view s = t_.spelling(first);
        if (!t_.is_identifier(first)) return false;
        if (stream_.is_parameter(s) || s == "__VA_ARGS__") return true;
        const auto& macros = rewriter_.scan.macros;
        if (std::any_of(macros.begin(), macros.end(), [&](const Macro& m) { return m.name == s; }))
            return true;
        const bool loud = std::none_of(s.begin(), s.end(),
                                       [](char c) { return std::islower(static_cast<unsigned char>(c)); });
        return loud && (first + 1 == close || t_.is(first + 1, "("));
    }

    // `kernel<<grid, block>>>(...)`
    void check_short_opening(size_t i) {
        if (!t_.is_identifier(i - 1) || t_.is(i - 1, "operator")) return;
        if (t_.is(i + 2, "<") || kernels_named(rewriter_, t_.spelling(i - 1), "").empty()) return;
        rewriter_.problem(t_[i], "This launch is opened by << where <<< belongs: " +
                                     std::string(t_.spelling(i - 1)) + "<<<grid, block>>>(arguments);");
    }

    // "a::k" of tokens [kernel, open), and where its explicit template arguments are.
    struct Name {
        std::string qualified;
        size_t last = none;  // the token of the plain name
        size_t angle_open = none, angle_close = none;
    };

    Name name_of(size_t kernel, size_t open) const {
        Name name;
        name.last = open - 1;
        if (t_.is(open - 1, ">")) {
            name.angle_close = open - 1;
            name.angle_open = t_.angle_partner_back(open - 1);
            name.last = name.angle_open - 1;
        }
        for (size_t i = kernel; i <= name.last; i++) {
            if (t_.is(i, "#")) name.last = kernel;  // a ## b: named as a whole
            if (!t_.is_identifier(i) && !t_.is(i, "::")) return {"", name.last, none, none};  // an expression
            if (!t_.is(i, "template")) name.qualified += t_.spelling(i);
        }
        return name;
    }

    std::string scope_at(size_t token) const {
        const Function* f = stream_.macro == nullptr ? rewriter_.scan.function_around(token) : nullptr;
        return f != nullptr ? f->scope : "";
    }

    bool launches_plain_function(size_t kernel, size_t open) {
        const Name name = name_of(kernel, open);
        if (stream_.macro != nullptr || name.qualified.empty() || name.last != kernel) return false;
        if (!kernels_named(rewriter_, name.qualified, "").empty()) return false;
        if (is_local(name.qualified, kernel)) return false;
        const Scan& scan = rewriter_.scan;
        int line = 0;
        for (const Function& f : scan.functions) {
            if (f.name != name.qualified || f.in_class) continue;
            if (hides_words(scan, f.head, f.name_token)) return false;
            if (line == 0 || f.body_open != none) line = scan.code[f.name_token].line;
        }
        if (line == 0) return false;
        rewriter_.problem(t_[kernel], name.qualified +
                                          " is launched with <<<...>>> but is no kernel: write __global__ "
                                          "before its definition on line " +
                                          std::to_string(line) + ".");
        return true;
    }

    // Is `name` also a parameter or a local variable of the function around `token`?
    bool is_local(const std::string& name, size_t token) const {
        const Function* f = rewriter_.scan.function_around(token);
        if (f == nullptr) return false;
        for (size_t i = f->params_open; i < token; i++)
            if (t_.is(i, name) && i > 0 &&
                (t_.is(i - 1, "*") || t_.is(i - 1, "&") || t_.is(i - 1, ">") ||
                 (t_.is_identifier(i - 1) && !is_keyword(t_.spelling(i - 1)))))
                return true;
        return false;
    }

    bool needs_generic(size_t kernel, size_t open, size_t arguments, size_t arguments_end) const {
        const Name name = name_of(kernel, open);
        if (name.qualified.empty()) return false;
        if (stream_.is_parameter(name.qualified)) return parameter_needs_generic(name);
        const std::vector<Kernel> kernels = kernels_named(rewriter_, name.qualified, scope_at(kernel));
        if (kernels.empty()) return false;
        if (kernels.size() > 1) return true;
        return needs_generic(kernels[0], explicit_arguments(name), arguments, arguments_end);
    }

    // Is it the name of one kernel of this file, so that a lambda that captures nothing can call it?
    bool is_known(size_t kernel, size_t open) const {
        const Name name = name_of(kernel, open);
        return stream_.macro == nullptr && !name.qualified.empty() && !is_local(name.qualified, kernel) &&
               kernels_named(rewriter_, name.qualified, scope_at(kernel)).size() == 1;
    }

    int explicit_arguments(const Name& name) const {
        if (name.angle_open == none) return 0;
        return static_cast<int>(t_.split_commas(name.angle_open + 1, name.angle_close, true).size());
    }

    bool needs_generic(const Kernel& k, int explicit_arguments, size_t arguments,
                       size_t arguments_end) const {
        if (k.is_template && (k.template_parameters < 0 || explicit_arguments < k.template_parameters))
            return true;
        if (k.defaults == 0) return false;
        if (arguments_end == none) return true;
        const auto given = t_.split_commas(arguments + 1, arguments_end, true);
        for (size_t i = arguments; i < arguments_end; i++)
            if (t_.is(i, "...") || t_.is(i, "__VA_ARGS__")) return true;
        return static_cast<int>(given.size()) < k.parameters;
    }

    // The kernel is a macro's parameter: look at what the file passes there.
    bool parameter_needs_generic(const Name& name) const {
        const auto& parameters = stream_.macro->parameters;
        const size_t position = static_cast<size_t>(
            std::find(parameters.begin(), parameters.end(), name.qualified) - parameters.begin());
        const Tokens& code = rewriter_.scan.code;
        for (size_t i = 0; i + 1 < code.size(); i++) {
            if (!code.is(i, stream_.macro->name) || !code.is(i + 1, "(")) continue;
            const size_t close = code.partner(i + 1);
            if (close == none) continue;
            const auto given = code.split_commas(i + 2, close, false);
            if (position >= given.size()) continue;
            for (const Kernel& k : kernels_named(rewriter_, code.spelling(given[position].first), "")) {
                const bool bare =
                    given[position].last == given[position].first + 1 && name.angle_open == none;
                if (k.defaults > 0 || (k.is_template && bare)) return true;
            }
            if (kernels_named(rewriter_, code.spelling(given[position].first), "").size() > 1) return true;
        }
        return false;
    }

    // What messages call the kernel: without its namespaces, with its template arguments.
    std::string display(size_t kernel, size_t open) const {
        const Name name = name_of(kernel, open);
        return stream_.literal(t_.is_identifier(name.last) ? name.last : kernel, open);
    }

    void emit(size_t kernel, size_t open, size_t close, bool generic) {
        const bool in_macro = stream_.macro != nullptr;
        const Lexed& file = t_.file();
        Edit head(file, t_[kernel].begin, t_[open + 2].end, in_macro);
        head.add(generic ? "::simt::launch_generic({__FILE__, __LINE__}, ::simt::config("
                         : "::simt::launch({__FILE__, __LINE__}, ::simt::config(");
        rewriter_.edits.push_back(std::move(head));
        Edit tail(file, t_[close].begin, t_[close + 2].end, in_macro);
        tail.add("), " + display(kernel, open) + (generic ? ", [](auto... simt_a) { " : ", "),
                 t_[kernel].begin);
        tail.copy(t_, kernel, open);
        if (!generic && is_known(kernel, open)) {
            tail.add(", [](auto... simt_a) { ", t_[kernel].begin);
            tail.copy(t_, kernel, open);
            tail.add("(simt_a...); })", t_[kernel].begin);
        } else {
            tail.add(generic ? "(simt_a...); })" : ")", t_[kernel].begin);
        }
        rewriter_.edits.push_back(std::move(tail));
    }

    Rewriter& rewriter_;
    const Stream& stream_;
    const Tokens& t_;
};

}  // namespace

void rewrite_launches(Rewriter& rewriter, const Stream& stream) {
    Launches(rewriter, stream).run();
}

}  // namespace simt::frontend
