// Without checks nothing interrupts a thread but what it calls: a loop that waits for a volatile variable would wait for
// ever for a thread that never gets its turn. So every loop that may look at volatile memory counts its trips and now and
// then lets the others run. Other loops stay as they are: counting costs a nanosecond a trip and keeps a loop from being
// vectorised.
//
// Types are not known here, so the rule goes by names: a loop may look at volatile memory when it holds the word itself, a
// name that was declared with it, or the name of a function or macro that does.
#include <algorithm>
#include <array>

#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

constexpr const char* hook = "::simt::fast::count_poll(), ";
constexpr int deepest = 200;  // statements nested deeper than that are passed over

template <size_t count>
bool is_one_of(const std::array<std::string_view, count>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 17> builtin_types{
    "int",  "unsigned", "signed", "char",     "short",    "long",         "float",      "double", "bool",
    "void", "auto",     "const",  "volatile", "restrict", "__restrict__", "__restrict", "struct"};
constexpr std::array<std::string_view, 15> specifiers{
    "const",   "static",     "extern",     "inline",       "constexpr",   "mutable",  "typename",  "struct",
    "typedef", "__shared__", "__device__", "__constant__", "__managed__", "__host__", "__global__"};

bool may_be_name(const Tokens& t, size_t i) {
    return t.is_identifier(i) && !is_one_of(builtin_types, t.spelling(i));
}

// The word, where it is a type's: `asm volatile` is none.
bool is_volatile(const Tokens& t, size_t i) {
    return t.is(i, "volatile") && !t.is(i - 1, "asm") && !t.is(i - 1, "__asm__") && !t.is(i - 1, "__asm");
}

bool is_assignment(const Tokens& t, size_t i) {
    if (!t.is(i, "=") || (t.is(i + 1, "=") && t.touches_next(i))) return false;
    constexpr std::string_view others = "=!<>+-*/%&|^";
    return i == 0 || !t.touches_next(i - 1) || others.find(t.spelling(i - 1)) == std::string_view::npos;
}

bool mentions(const Tokens& t, size_t first, size_t last, const VolatileNames& names) {
    for (size_t i = first; i < std::min(last, t.size()); i++)
        if (is_volatile(t, i) || (t.is_identifier(i) && names.contains(t.spelling(i)))) return true;
    return false;
}

// From an initialiser to the ',' or ';' behind it, or to the bracket that closes around it.
size_t initialiser_end(const Tokens& t, size_t i) {
    while (i < t.size()) {
        if (t.is(i, ",") || t.is(i, ";") || t.is(i, ")") || t.is(i, "]") || t.is(i, "}")) return i;
        const size_t close = t.is(i, "(") || t.is(i, "[") || t.is(i, "{") ? t.partner(i) : none;
        i = close != none && close > i ? close + 1 : i + 1;
    }
    return i;
}

// What the declaration declares that has `volatile` at token `at`. (A cast declares nothing.)
void add_declared(const Tokens& t, size_t at, VolatileNames& names) {
    const bool type_came_before = at > 0 && (t.is_identifier(at - 1) || t.is(at - 1, "*")) &&
                                  !is_one_of(specifiers, t.spelling(at - 1));
    bool has_type = type_came_before, parameter = false;
    std::vector<std::string_view> found;
    for (size_t i = at + 1; i < t.size();) {
        const bool ends_name = t.is(i, ",") || t.is(i, ";") || t.is(i, ")") || t.is(i, "[") || t.is(i, "{") ||
                               t.is(i, "(") || t.is(i, ":") || t.is(i, "=");
        const bool is_name = i > at + 1 && may_be_name(t, i - 1);
        const bool follows_type = has_type || i > at + 2;
        if (ends_name && is_name && follows_type) found.push_back(t.spelling(i - 1));
        if (t.is_identifier(i) && is_one_of(builtin_types, t.spelling(i))) has_type = true;
        if (t.is(i, ")")) parameter = true;
        if (t.is(i, ";") || t.is(i, ")") || t.is(i, "]") || t.is(i, "}") || t.is(i, ">")) break;
        if (t.is(i, "=")) {
            i = initialiser_end(t, i);
            continue;
        }
        size_t close = none;
        if (t.is(i, "<")) close = t.angle_partner(i);
        if (t.is(i, "(") || t.is(i, "[") || t.is(i, "{")) close = t.partner(i);
        i = close != none && close > i ? close + 1 : i + 1;
    }
    // What follows the comma of a parameter is another one's.
    if (parameter && found.size() > 1) found.resize(1);
    names.insert(found.begin(), found.end());
}

// `auto& flag = flags[i]`, `int* p = ...`, `using Flag = volatile int`: the name before the '=' at `i`; none: it is no such
// declaration.
size_t name_before(const Tokens& t, size_t i) {
    if (i < 2 || !may_be_name(t, i - 1)) return none;
    size_t before = i - 2;
    if (t.is(before, "using") || t.is(before, "auto")) return i - 1;
    if (!t.is(before, "*") && !t.is(before, "&")) return none;
    while (before > 0 && (t.is(before, "*") || t.is(before, "&") || t.is(before, "const"))) before--;
    return t.is_identifier(before) || t.is(before, ">") ? i - 1 : none;
}

void add_derived(const Tokens& t, VolatileNames& names, std::set<std::string, std::less<>>& types) {
    for (size_t i = 1; i < t.size(); i++) {
        if (is_assignment(t, i)) {
            const size_t name = name_before(t, i);
            if (name == none || !mentions(t, i + 1, initialiser_end(t, i + 1), names)) continue;
            names.emplace(t.spelling(name));
            if (t.is(name - 1, "using")) types.emplace(t.spelling(name));
        } else if (t.is_identifier(i) && types.contains(t.spelling(i))) {
            size_t name = i + 1;
            while (t.is(name, "*") || t.is(name, "&") || t.is(name, "const")) name++;
            if (may_be_name(t, name)) names.emplace(t.spelling(name));
        }
    }
}

size_t statement_end(const Tokens& t, size_t i, int depth);

size_t after_header(const Tokens& t, size_t open) {
    const size_t close = t.is(open, "(") ? t.partner(open) : none;
    return close == none ? t.size() : close + 1;
}

// The index after the statement at `i`.
size_t statement_end(const Tokens& t, size_t i, int depth) {
    if (depth > deepest) return t.size();
    const std::string_view word = t.spelling(i);
    if (word == "{") return t.partner(i) == none ? t.size() : t.partner(i) + 1;
    if (word == "for" || word == "while" || word == "switch")
        return statement_end(t, after_header(t, i + 1), depth + 1);
    if (word == "if") {
        const size_t end =
            statement_end(t, after_header(t, t.is(i + 1, "constexpr") ? i + 2 : i + 1), depth + 1);
        return t.is(end, "else") ? statement_end(t, end + 1, depth + 1) : end;
    }
    if (word == "do") {
        const size_t tail = statement_end(t, i + 1, depth + 1);
        return t.is(tail, "while") ? after_header(t, tail + 1) + 1 : tail;
    }
    while (i < t.size() && !t.is(i, ";")) {
        if (t.is(i, ")") || t.is(i, "]") || t.is(i, "}")) return i;
        const size_t close = t.is(i, "(") || t.is(i, "[") || t.is(i, "{") ? t.partner(i) : none;
        i = close != none && close > i ? close + 1 : i + 1;
    }
    return i + 1;
}

class Loops {
  public:
    Loops(Rewriter& rewriter, const Stream& stream, const VolatileNames& names)
        : rewriter_(rewriter), stream_(stream), t_(stream.tokens), names_(names) {}

    void run() {
        std::set<size_t> tails;  // `while`s that end a do
        for (size_t i = stream_.first; i < t_.size(); i++) {
            if (t_.is(i, "do")) {
                const size_t tail = statement_end(t_, i + 1, 0);
                if (!t_.is(tail, "while")) continue;
                tails.insert(tail);
                condition(i, tail + 1, after_header(t_, tail + 1));
            } else if (t_.is(i, "while") && !tails.contains(i)) {
                condition(i, i + 1, statement_end(t_, i, 0));
            } else if (t_.is(i, "for")) {
                for_loop(i);
            }
        }
    }

  private:
    // A loop of tokens [first, last), whose condition's '(' is at `open`.
    void condition(size_t first, size_t open, size_t last) {
        const size_t close = t_.is(open, "(") ? t_.partner(open) : none;
        if (close == none || !mentions(t_, first, last, names_)) return;
        if (declares(open + 1, close)) return in_body(close + 1);
        insert(open, hook);
    }

    void for_loop(size_t i) {
        const size_t open = i + 1, close = t_.is(open, "(") ? t_.partner(open) : none;
        if (close == none) return;
        const size_t first = semicolon(open + 1, close), second = semicolon(first + 1, close);
        if (first >= close || second >= close) return;  // over a range
        if (!mentions(t_, i, statement_end(t_, i, 0), names_)) return;
        if (declares(first + 1, second)) return in_body(close + 1);
        insert(first, second == first + 1 ? std::string(hook) + "true" : hook);
    }

    size_t semicolon(size_t i, size_t end) const {
        while (i < end && !t_.is(i, ";")) {
            const size_t close = t_.is(i, "(") || t_.is(i, "{") ? t_.partner(i) : none;
            i = close != none && close > i ? close + 1 : i + 1;
        }
        return i;
    }

    // while (int value = look()): a declaration can have nothing before it.
    bool declares(size_t first, size_t last) const {
        for (size_t i = first + 2; i < last; i++)
            if (is_assignment(t_, i) && t_.is_identifier(i - 1) &&
                (t_.is_identifier(i - 2) || t_.is(i - 2, "*") || t_.is(i - 2, "&")) && first + 2 <= i &&
                t_.is_identifier(first))
                return true;
        return false;
    }

    void in_body(size_t i) {
        if (t_.is(i, "{")) insert(i, "::simt::fast::count_poll();");
    }

    void insert(size_t after, std::string_view text) {
        Edit edit(rewriter_.scan.lexed, t_[after].end, t_[after].end, stream_.macro != nullptr);
        rewriter_.edits.push_back(edit.add(std::string(" ") + std::string(text)));
    }

    Rewriter& rewriter_;
    const Stream& stream_;
    const Tokens& t_;
    const VolatileNames& names_;
};

Tokens body_of(const Scan& scan, const Macro& macro) {
    return Tokens(scan.lexed, scan.lexed.directives[macro.directive].tokens);
}

}  // namespace

void add_volatile_names(const Scan& scan, VolatileNames& names) {
    const Tokens& t = scan.code;
    std::set<std::string, std::less<>> types;
    for (size_t i = 0; i < t.size(); i++) {
        if (t.is(i, "__ldcv")) names.emplace("__ldcv");
        if (!is_volatile(t, i)) continue;
        add_declared(t, i, names);
        for (size_t back = i; back-- > 0 && i - back < 8 && !t.is(back, ";") && !t.is(back, "}");)
            if (t.is(back, "typedef")) {
                const size_t end = initialiser_end(t, i);
                if (may_be_name(t, end - 1)) types.emplace(t.spelling(end - 1));
            }
    }
    // A name may follow from one that is found later in the text.
    for (size_t before = none; before != names.size();) {
        before = names.size();
        for (const Macro& macro : scan.macros) {
            const Tokens body = body_of(scan, macro);
            if (mentions(body, macro.body_first, body.size(), names)) names.emplace(macro.name);
        }
        for (const Function& f : scan.functions)
            if (!f.kernel && f.body_open != none && mentions(t, f.head, f.body_close, names))
                names.emplace(f.name);
        add_derived(t, names, types);
    }
}

void add_turns(Rewriter& rewriter) {
    const Scan& scan = rewriter.scan;
    VolatileNames names = rewriter.options.known.volatile_names;
    add_volatile_names(scan, names);
    if (names.empty() && scan.lexed.text.find("volatile") == std::string_view::npos) return;
    Loops(rewriter, {scan.code, nullptr, 0}, names).run();
    for (const Macro& macro : scan.macros) {
        const Tokens body = body_of(scan, macro);
        const Stream stream{body, &macro, macro.body_first};
        Loops(rewriter, stream, names).run();
    }
}

}  // namespace simt::frontend
