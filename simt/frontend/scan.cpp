#include "simt/frontend/scan.h"

#include <algorithm>
#include <array>

namespace simt::frontend {
namespace {

template <size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 4> class_keys{"class", "struct", "union", "enum"};
constexpr std::array<std::string_view, 16> after_parameters{
    "",         "{",     ";",   ":",        "=", "->",       "const",         "noexcept",
    "override", "final", "try", "volatile", "&", "requires", "__attribute__", "throw"};

// Walks the declarations of namespaces and classes; function bodies are skipped.
class Declarations {
  public:
    explicit Declarations(Scan& scan) : scan_(scan), code_(scan.code) {}

    void walk() {
        while (at_ < code_.size()) statement();
        std::sort(scan_.functions.begin(), scan_.functions.end(),
                  [](const Function& a, const Function& b) { return a.head < b.head; });
    }

  private:
    struct Scope {
        std::string name;  // of a namespace
        bool is_class = false;
    };

    bool in_class() const { return !scopes_.empty() && scopes_.back().is_class; }

    std::string scope_name() const {
        std::string name;
        for (const Scope& s : scopes_)
            if (!s.name.empty()) name += (name.empty() ? "" : "::") + s.name;
        return name;
    }

    // One declaration, or one step into or out of a scope.
    void statement() {
        first_ = at_;
        skip_template_heads();
        bool assigned = false;
        while (at_ < code_.size()) {
            const std::string_view s = code_.spelling(at_);
            if (s == ";") return finish_declaration();
            if (s == "}") return leave_scope();
            if (s == ":" && at_ == first_ + 1 && is_access(code_.spelling(first_))) return advance_past(at_);
            if (s == "=") assigned = true;
            if (s == "{") {
                if (open_brace(assigned)) return;
                continue;
            }
            if (s == "(" || s == "[") {
                at_ = skip_group(at_);
                continue;
            }
            at_++;
        }
    }

    static bool is_access(std::string_view s) { return s == "public" || s == "private" || s == "protected"; }

    void advance_past(size_t i) { at_ = i + 1; }

    size_t skip_group(size_t i) const {
        const size_t close = code_.partner(i);
        return close == none ? i + 1 : close + 1;
    }

    void skip_template_heads() {
        templates_.clear();
        while (code_.is(at_, "template") && code_.is(at_ + 1, "<")) {
            const size_t close = code_.angle_partner(at_ + 1);
            if (close == none) break;
            templates_.push_back({at_ + 2, close});
            at_ = close + 1;
        }
    }

    // At a '{'. True: the statement is over.
    bool open_brace(bool assigned) {
        const size_t open = at_;
        if (code_.is(first_, "namespace") ||
            (code_.is(first_, "inline") && code_.is(first_ + 1, "namespace")))
            return enter_namespace(open);
        if (code_.is(first_, "extern") && open == first_ + 2) return enter({}, open);
        Function f;
        if (!assigned && find_function(open, f)) {
            f.body_open = open;
            f.body_close = code_.partner(open);
            if (f.body_close == none) f.body_close = code_.size();
            add_function(f);
            at_ = f.body_close + 1;
            return true;
        }
        if (!assigned && class_key_before(open) != none && !code_.is(class_key_before(open), "enum")) {
            return enter({"", true}, open);
        }
        at_ = skip_group(open);
        return false;
    }

    bool enter_namespace(size_t open) {
        std::string name;
        for (size_t i = first_; i < open; i++) {
            const std::string_view s = code_.spelling(i);
            if (s != "namespace" && s != "inline" && (code_.is_identifier(i) || s == "::")) name += s;
        }
        return enter({name, false}, open);
    }

    bool enter(Scope scope, size_t open) {
        scopes_.push_back(std::move(scope));
        advance_past(open);
        return true;
    }

    void leave_scope() {
        if (!scopes_.empty()) scopes_.pop_back();
        advance_past(at_);
    }

    size_t class_key_before(size_t open) const {
        for (size_t i = first_; i < open; i++) {
            if (one_of(code_.spelling(i), class_keys)) return i;
            if (code_.is(i, "<")) {
                const size_t close = code_.angle_partner(i);
                if (close != none && close < open) i = close;
            }
        }
        return none;
    }

    void finish_declaration() {
        const size_t end = at_;
        at_++;
        Function f;
        if (find_function(end, f)) return add_function(f);
        if (!in_class() && templates_.empty()) device_variable(end);
    }

    // Is [first_, end) the head of a function? `end` is at '{' or ';'.
    bool find_function(size_t end, Function& f) const {
        const size_t start = templates_.empty() ? first_ : templates_.back().second + 1;
        size_t from = start;
        for (size_t i = start; i < end; i++)
            if (is_space_word(i)) from = i + 1;
        for (size_t i = from; i < end; i++) {
            const std::string_view s = code_.spelling(i);
            if (s == "=") return false;
            if (s == "[" || s == "{") {
                i = skip_group(i) - 1;
                continue;
            }
            if (s == "<" && i > from && code_.is_identifier(i - 1) && !code_.is(i - 1, "operator")) {
                const size_t close = code_.angle_partner(i);
                if (close != none && close < end) i = close;
                continue;
            }
            if (s != "(") continue;
            const size_t close = code_.partner(i);
            if (close == none || close >= end) return false;
            if (names_function(i, close, from)) {
                fill(f, i, close);
                return true;
            }
            i = close;
        }
        return false;
    }

    bool is_space_word(size_t i) const {
        return scan_.is_word(code_, i, "__global__") || scan_.is_word(code_, i, "__device__") ||
               scan_.is_word(code_, i, "__host__");
    }

    bool names_function(size_t open, size_t close, size_t from) const {
        if (open == from || code_.is(open + 1, "*")) return false;  // a pointer to a function
        const std::string_view name = code_.spelling(open - 1);
        if (code_.is(open - 1, ">")) return false;
        if (!code_.is_identifier(open - 1)) return operator_before(open, from);
        if (is_attribute_word(name)) return false;
        if (name == "operator" && close == open + 1 && code_.is(close + 1, "("))
            return false;  // operator()(...)
        const std::string_view next = code_.spelling(close + 1);
        return one_of(next, after_parameters) || next == "[";
    }

    bool operator_before(size_t open, size_t from) const {
        for (size_t i = open; i-- > from && open - i < 4;)
            if (code_.is(i, "operator")) return true;
        return false;
    }

    void fill(Function& f, size_t open, size_t close) const {
        f.head = first_;
        f.name_token = open - 1;
        f.name = std::string(code_.spelling(open - 1));
        f.scope = scope_name();
        f.params_open = open;
        f.params_close = close;
        f.in_class = in_class();
        f.is_template = !templates_.empty();
        for (size_t i = first_; i < open; i++) {
            if (scan_.is_word(code_, i, "__global__")) f.kernel = true;
            if (scan_.is_word(code_, i, "__device__")) f.device = true;
        }
    }

    void add_function(const Function& f) {
        scan_.functions.push_back(f);
        if (f.kernel) scan_.kernels.push_back(kernel_of(f));
    }

    Kernel kernel_of(const Function& f) const {
        Kernel k;
        k.name = f.name;
        k.scope = f.scope;
        k.line = code_[f.name_token].line;
        k.is_template = f.is_template;
        if (f.is_template) count_template_parameters(k);
        for (const Tokens::Range& p : code_.split_commas(f.params_open + 1, f.params_close, true)) {
            size_t equals = p.first;
            while (equals < p.last && !code_.is(equals, "=")) equals++;
            if (equals < p.last) k.defaults++;
            k.parameters++;
            k.signature += parameter_type(p.first, equals) + ",";
        }
        if (k.signature == "void,") k.parameters = 0, k.signature.clear();
        return k;
    }

    void count_template_parameters(Kernel& k) const {
        const auto [first, last] = templates_.back();
        for (const Tokens::Range& p : code_.split_commas(first, last, true)) {
            bool has_default = false;
            for (size_t i = p.first; i < p.last; i++) {
                if (code_.is(i, "=")) has_default = true;
                if (code_.is(i, "...")) k.template_parameters = -1;
            }
            if (!has_default && k.template_parameters >= 0) k.template_parameters++;
        }
    }

    // The parameter without its name.
    std::string parameter_type(size_t first, size_t last) const {
        if (last > first + 1 && code_.is_identifier(last - 1)) {
            const std::string_view before = code_.spelling(last - 2);
            const bool named =
                before == "*" || before == "&" || before == ">" || code_.is_identifier(last - 2);
            if (named && before != "unsigned" && before != "const" && before != "struct") last--;
        }
        std::string out;
        for (size_t i = first; i < last; i++)
            if (!code_.is(i, "__restrict__") && !code_.is(i, "const"))
                out += std::string(code_.spelling(i)) + " ";
        return out.empty() ? "" : out.substr(0, out.size() - 1);
    }

    void device_variable(size_t end) {
        const char* space = nullptr;
        bool is_extern = code_.is(first_, "extern");
        bool assigned = false;
        for (size_t i = first_; i < end; i++) {
            if (scan_.is_word(code_, i, "__shared__") || scan_.is_word(code_, i, "__global__")) return;
            if (code_.is(i, "typedef") || code_.is(i, "using")) return;
            if (scan_.is_word(code_, i, "__device__") && space == nullptr) space = "device";
            if (scan_.is_word(code_, i, "__constant__")) space = "constant";
            if (scan_.is_word(code_, i, "__managed__")) space = "managed";
            if (code_.is(i, "extern")) is_extern = true;
            if (code_.is(i, "=")) assigned = true;
        }
        if (space == nullptr || (is_extern && !assigned)) return;
        scan_.variables.push_back({"", space, first_, end, code_[first_].line});
    }

    Scan& scan_;
    const Tokens& code_;
    size_t at_ = 0, first_ = 0;
    std::vector<Scope> scopes_;
    std::vector<std::pair<size_t, size_t>> templates_;  // token ranges between < and >
};

void note_include(Scan& scan, const Directive& d) {
    if (d.tokens.empty() || d.tokens[0].kind != TokenKind::string) return;
    const Token& t = d.tokens[0];
    const std::string_view s = scan.lexed.spelling(t);
    if (s.size() < 3) return;
    scan.includes.push_back({d.line, std::string(s.substr(1, s.size() - 2)), s[0] == '"', t.begin, t.end});
}

void note_macro(Scan& scan, size_t index) {
    const Directive& d = scan.lexed.directives[index];
    if (d.tokens.empty() || d.tokens[0].kind != TokenKind::identifier) return;
    Macro m;
    m.name = std::string(scan.lexed.spelling(d.tokens[0]));
    m.directive = index;
    m.body_first = 1;
    const bool parameters = d.tokens.size() > 1 && scan.lexed.spelling(d.tokens[1]) == "(" &&
                            d.tokens[1].begin == d.tokens[0].end;
    if (parameters) {
        m.function_like = true;
        size_t i = 2;
        for (; i < d.tokens.size() && scan.lexed.spelling(d.tokens[i]) != ")"; i++) {
            const std::string_view s = scan.lexed.spelling(d.tokens[i]);
            if (d.tokens[i].kind == TokenKind::identifier) m.parameters.emplace_back(s);
            if (s == "...") m.parameters.emplace_back("__VA_ARGS__");
        }
        m.body_first = std::min(i + 1, d.tokens.size());
    } else if (d.tokens.size() == 2 && d.tokens[1].kind == TokenKind::identifier) {
        const std::string_view body = scan.lexed.spelling(d.tokens[1]);
        if (body.substr(0, 2) == "__") scan.aliases[m.name] = std::string(body);
    }
    scan.macros.push_back(std::move(m));
}

}  // namespace

bool is_attribute_word(std::string_view name) {
    static constexpr std::array<std::string_view, 13> words{
        "__launch_bounds__", "__align__", "alignas",  "__attribute__", "__cluster_dims__",
        "__maxnreg__",       "decltype",  "noexcept", "__declspec",    "__block_size__",
        "__attribute",       "throw",     "explicit"};
    return one_of(name, words);
}

Scan::Scan(std::string_view text) : lexed(lex(text)) {
    for (size_t i = 0; i < lexed.directives.size(); i++) {
        const Directive& d = lexed.directives[i];
        if (d.dead) continue;
        if (d.name == "include") note_include(*this, d);
        if (d.name == "define") note_macro(*this, i);
    }
    Declarations(*this).walk();
}

bool Scan::is_word(const Tokens& tokens, size_t i, std::string_view word) const {
    if (!tokens.is_identifier(i)) return false;
    const std::string_view s = tokens.spelling(i);
    if (s == word) return true;
    if (aliases.empty()) return false;
    const auto alias = aliases.find(s);
    return alias != aliases.end() && alias->second == word;
}

const Function* Scan::function_around(size_t i) const {
    const auto after = std::upper_bound(functions.begin(), functions.end(), i,
                                        [](size_t token, const Function& f) { return token < f.head; });
    for (auto f = after; f != functions.begin();) {
        --f;
        if (f->body_open != none && f->body_open < i && i < f->body_close) return &*f;
        if (f->body_open != none && f->body_close < i && !f->in_class) break;
    }
    return nullptr;
}

}  // namespace simt::frontend
