// `__shared__ float tile[16][17];`  ->  `auto& tile = ::simt::shared<float [16][17]>("tile", {__FILE__,
// __LINE__}, []{});`
#include <algorithm>
#include <cctype>

#include "simt/frontend/declaration.h"
#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

class SharedDeclarations {
  public:
    SharedDeclarations(Rewriter& rewriter, const Stream& stream)
        : rewriter_(rewriter), stream_(stream), t_(stream.tokens) {}

    void run() {
        for (size_t i = stream_.first; i < t_.size(); i++)
            if (rewriter_.scan.is_word(t_, i, "__shared__")) i = statement(i);
    }

  private:
    // At `__shared__`. Returns the index of the last token that was dealt with.
    size_t statement(size_t word) {
        const size_t first = first_token(word);
        const size_t end = semicolon(word);
        if (end == none || (stream_.macro != nullptr && first + 1 >= end)) return word;
        const Declaration d = parse_declaration(rewriter_.scan, t_, first, end);
        if (!d.understood) {
            if (stream_.macro != nullptr)
                return end;  // only a part of a declaration: the place that uses it will tell
            rewriter_.problem(
                t_[word],
                "This __shared__ declaration can't be read: write it as  __shared__ TYPE name[SIZE];");
            return end;
        }
        if (!check(d, word, first)) return end;
        const bool at_namespace_scope =
            stream_.macro == nullptr && rewriter_.scan.function_around(word) == nullptr;
        Edit edit(t_.file(), t_[first].begin, end < t_.size() ? t_[end].end : t_[end - 1].end,
                  stream_.macro != nullptr);
        const std::string type_name = define_type(edit, d, first);
        for (size_t k = 0; k < d.declarators.size(); k++) {
            if (k > 0) edit.add(" ");
            edit.catch_up(t_[d.declarators[k].name].begin);
            variable(edit, d, d.declarators[k], type_name, at_namespace_scope);
            if (k + 1 < d.declarators.size() || end < t_.size()) edit.add(";");
        }
        rewriter_.edits.push_back(std::move(edit));
        return end;
    }

    size_t first_token(size_t word) const {
        size_t first = word;
        while (first > stream_.first) {
            const std::string_view before = t_.spelling(first - 1);
            if (before == ";" || before == "{" || before == "}" || before == ":" || before == "," ||
                before == "(")
                break;
            if (before == ")" || before == "]") {
                const size_t open = t_.partner(first - 1);
                const bool attribute =
                    open != none && open > stream_.first &&
                    (before == "]" ? t_.is(open + 1, "[") : is_attribute_word(t_.spelling(open - 1)));
                if (!attribute) break;
                first = before == "]" ? open : open - 1;
                continue;
            }
            first--;
        }
        return first;
    }

    size_t semicolon(size_t i) {
        const size_t word = i;
        for (; i < t_.size(); i++) {
            const std::string_view s = t_.spelling(i);
            if (s == ";") return i;
            if (s == "}" || s == ")") break;
            const size_t close = s == "{" || s == "(" || s == "[" ? t_.partner(i) : none;
            if (close != none) i = close;
        }
        if (stream_.macro != nullptr) return t_.size();
        if (t_.is(i, ")"))
            rewriter_.problem(
                t_[word], "A function's parameter can't be __shared__: declare the array inside the kernel.");
        else
            rewriter_.problem(t_[word], "This __shared__ declaration has no ; at its end.");
        return none;
    }

    bool check(const Declaration& d, size_t word, size_t first) {
        for (const Declarator& v : d.declarators) {
            if (v.initialiser == none) continue;
            rewriter_.problem(t_[v.initialiser],
                              "A __shared__ variable can't have an initial value, because all threads of the "
                              "block share it: let one "
                              "thread store it, then call __syncthreads().");
            return false;
        }
        if (stream_.macro != nullptr) return true;
        const Function* f = rewriter_.scan.function_around(word);
        if (f == nullptr && !d.is_extern) {
            rewriter_.problem(t_[first],
                              "A __shared__ variable of fixed size belongs inside a kernel (or a __device__ "
                              "function): each block has its own.");
            return false;
        }
        if (f != nullptr && !f->kernel && !f->device && is_host_only(*f)) {
            rewriter_.problem(t_[first],
                              "__shared__ memory belongs to a block of threads: declare it in a kernel or a "
                              "__device__ function; " +
                                  f->name + " runs on the host.");
            return false;
        }
        return true;
    }

    bool is_host_only(const Function& f) const {
        if (f.in_class || hides_words(rewriter_.scan, f.head, f.name_token)) return false;
        for (size_t i = f.body_open; i < f.body_close; i++)
            if (t_.is(i, "__device__")) return false;
        return true;
    }

    // A type that is defined in the declaration gets its definition in front.
    std::string define_type(Edit& edit, const Declaration& d, size_t first) {
        if (d.body_open == none) return "";
        std::string name = d.type_name != none ? std::string(t_.spelling(d.type_name))
                                               : "simt_type_" + std::to_string(t_[first].line);
        for (const size_t i : d.base) {
            if (t_.is(i, "const") || t_.is(i, "volatile")) continue;
            edit.copy(t_, i, i + 1).add(" ", t_[i].begin);
        }
        if (d.type_name == none) edit.add(name + " ");
        edit.copy(t_, d.body_open, t_.partner(d.body_open) + 1).add("; ");
        return name;
    }

    void variable(Edit& edit, const Declaration& d, const Declarator& v, const std::string& type_name,
                  bool at_namespace_scope) {
        const std::string name(t_.spelling(v.name));
        const std::string where = "(" + stream_.literal(v.name, v.name + 1) + ", {__FILE__, __LINE__}";
        const bool unsized = v.tokens.size() > 1 && has_brackets(v);
        if (at_namespace_scope) {
            if (rewriter_.options.known.dynamic_shared.count(name) || !seen_.insert(name).second) return;
            edit.add("static const ::simt::DynamicShared<");
            type(edit, d, v, type_name, true);
            edit.add("> ").copy(t_, v.name, v.name + 1).add("{" + where.substr(1) + "}");
            return;
        }
        if (d.is_extern) {
            edit.add(unsized ? "auto* " : "auto& ")
                .copy(t_, v.name, v.name + 1)
                .add(unsized ? " = ::simt::dynamic_shared<" : " = *::simt::dynamic_shared<");
            type(edit, d, v, type_name, true);
            edit.add(">" + where + ")");
            return;
        }
        edit.add("auto& ").copy(t_, v.name, v.name + 1).add(" = ::simt::shared<");
        type(edit, d, v, type_name, false);
        edit.add(">" + where + ", []{})");
    }

    bool has_brackets(const Declarator& v) const {
        return std::any_of(v.tokens.begin(), v.tokens.end(), [&](size_t i) { return t_.is(i, "["); });
    }

    // The variable's type, and its alignment where it asks for one. `dynamic`: without the first dimension.
    void type(Edit& edit, const Declaration& d, const Declarator& v, const std::string& type_name,
              bool dynamic) {
        if (type_name.empty()) {
            copy(edit, d.base);
        } else {
            for (const size_t i : d.base)
                if (t_.is(i, "const") || t_.is(i, "volatile")) edit.add(std::string(t_.spelling(i)) + " ");
            edit.add(type_name);
        }
        std::vector<size_t> rest;
        for (size_t k = 0; k < v.tokens.size(); k++) {
            const size_t i = v.tokens[k];
            if (i == v.name) continue;
            const size_t close = dynamic && t_.is(i, "[") ? t_.partner(i) : none;
            if (close == none) {
                rest.push_back(i);
                continue;
            }
            while (k + 1 < v.tokens.size() && v.tokens[k] != close) k++;
            dynamic = false;
        }
        if (!rest.empty()) edit.add(" ");
        copy(edit, rest);
        if (!d.alignments.empty()) edit.add(", " + alignment(d));
    }

    // Array bounds with a '>' in them are put in parentheses, or it would close the template arguments.
    void copy(Edit& edit, const std::vector<size_t>& tokens) {
        size_t bound_end = none;
        for (size_t k = 0; k < tokens.size(); k++) {
            const size_t i = tokens[k];
            if (k > 0 && (i != tokens[k - 1] + 1 || t_[i - 1].end != t_[i].begin)) edit.add(" ", t_[i].begin);
            if (i == bound_end) edit.add(")");
            edit.copy(t_, i, i + 1);
            if (!t_.is(i, "[") || bound_end != none) continue;
            const size_t close = t_.partner(i);
            for (size_t j = i + 1; close != none && j < close; j++)
                if (t_.is(j, ">")) bound_end = close;
            if (bound_end != none) edit.add("(");
        }
    }

    static std::string alignment(const Declaration& d) {
        const std::string& text = d.alignments.back();
        const bool number = std::all_of(text.begin(), text.end(),
                                        [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
        // alignas takes a type as well as a number; a struct that has it knows which.
        return number ? text : "[] { struct alignas(" + text + ") Aligned {}; return alignof(Aligned); }()";
    }

    Rewriter& rewriter_;
    const Stream& stream_;
    const Tokens& t_;
    std::set<std::string> seen_;
};

}  // namespace

void rewrite_shared(Rewriter& rewriter, const Stream& stream) {
    SharedDeclarations(rewriter, stream).run();
}

}  // namespace simt::frontend
