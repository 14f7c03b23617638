// Which local arrays a GPU's compiler can keep in registers. Registers have no addresses, so every index must be a number
// by the time the loops are unrolled. nvcc decides it; this reads it off the text as its programmers do.
#include <algorithm>
#include <array>
#include <set>

#include "simt/frontend/rewriter.h"

namespace simt::frontend {
namespace {

constexpr int deepest_call = 3;  // functions that hand an array on

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

class Indices {
  public:
    Indices(const Rewriter& rewriter, const Function& function, std::set<std::string>& asked)
        : scan_(rewriter.scan), t_(rewriter.scan.code), function_(function), asked_(asked) {}

    // Is each use of the array that tokens [first, last) may make one with a constant index?
    bool all_constant(std::string_view array, size_t first, size_t last, int depth) {
        for (size_t i = first; i < last; i++) {
            if (!t_.is_identifier(i) || !t_.is(i, array) || is_member(i)) continue;
            if (t_.is(i + 1, "[")) {
                for (size_t open = i + 1; t_.is(open, "["); open = t_.partner(open) + 1)
                    if (t_.partner(open) == none || !is_constant(open + 1, t_.partner(open))) return false;
                if (t_.is(i - 1, "&")) return false;
            } else if (t_.is(i - 1, ":") && t_.is(i + 1, ")")) {
                continue;  // for (int value : array)
            } else if (!t_.is(i - 1, "sizeof") && !is_handed_on(i, depth)) {
                return false;
            }
        }
        return true;
    }

  private:
    bool is_member(size_t i) const { return t_.is(i - 1, ".") || t_.is(i - 1, "->") || t_.is(i - 1, "::"); }

    // f(array): what does f do with it? It must be one function of this file, with a body.
    bool is_handed_on(size_t i, int depth) {
        if (depth >= deepest_call || !is_any_of(t_.spelling(i - 1), {"(", ","})) return false;
        if (!is_any_of(t_.spelling(i + 1), {")", ","})) return false;
        size_t open = i - 1;
        while (open > 0 && !t_.is(open, "(")) open = t_.is(open, ")") ? t_.partner(open) - 1 : open - 1;
        const Function* callee = nullptr;
        for (const Function& f : scan_.functions)
            if (f.body_open != none && !f.in_class && open > 0 && t_.is(open - 1, f.name)) {
                if (callee != nullptr) return false;
                callee = &f;
            }
        if (callee == nullptr || callee == &function_) return false;
        const auto given = t_.split_commas(open + 1, t_.partner(open), true);
        const auto taken = t_.split_commas(callee->params_open + 1, callee->params_close, true);
        for (size_t k = 0; k < std::min(given.size(), taken.size()); k++) {
            if (given[k].first != i) continue;
            size_t name = none;
            for (size_t j = taken[k].first; j < taken[k].last && !t_.is(j, "["); j++)
                if (t_.is_identifier(j)) name = j;
            if (name == none) return false;
            std::set<std::string> asked;  // names of another scope: only what is a number as it stands
            Indices inside(scan_, *callee, asked);
            return inside.all_constant(t_.spelling(name), callee->body_open, callee->body_close, depth + 1) &&
                   (asked_.insert(asked.begin(), asked.end()), true);
        }
        return false;
    }

    Indices(const Scan& scan, const Function& function, std::set<std::string>& asked)
        : scan_(scan), t_(scan.code), function_(function), asked_(asked) {}

    // Made of numbers, names of constants and the variables of loops that can be unrolled.
    bool is_constant(size_t first, size_t last) {
        for (size_t i = first; i < last; i++) {
            const std::string_view s = t_.spelling(i);
            if (t_[i].kind == TokenKind::number || t_[i].kind == TokenKind::character) continue;
            if (t_[i].kind == TokenKind::string) return false;
            if (t_[i].kind == TokenKind::punctuation) {
                if (!is_any_of(
                        s, {"+", "-", "*", "/", "%", "(", ")", "<", ">", "&", "|", "^", "?", ":", "=", "!"}))
                    return false;
                continue;
            }
            if (t_.is(i - 1, "(") && t_.is(i + 1, ")")) return false;  // it may be a cast
            if (is_any_of(t_.spelling(i + 1), {"(", "[", ".", "->", "::"}) || is_member(i)) return false;
            if (!is_unrolled(s, i) && !is_constant_name(s)) return false;
        }
        return first < last;
    }

    bool is_constant_name(std::string_view name) {
        if (is_any_of(name, {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "this", "sizeof"}))
            return false;
        for (size_t i = function_.head; i < function_.body_close; i++) {
            if (!t_.is(i, name) || is_member(i)) continue;
            const bool declares =
                t_.is_identifier(i - 1) || is_any_of(t_.spelling(i - 1), {"*", "&", ">", ","});
            const bool ends = is_any_of(t_.spelling(i + 1), {"=", ",", ")", ";", "{", "[", "("});
            if (!declares || !ends || is_any_of(t_.spelling(i - 1), {"return", "else"})) continue;
            if (i > function_.params_open && i < function_.params_close) return false;
            if (t_.is(i + 1, "=") && t_.is(i + 2, "=")) continue;
            if (!t_.is_identifier(i - 1) && !t_.is(i + 1, "=")) continue;  // k * name, f(a, name)
            size_t begin = i;
            while (begin > function_.body_open && !is_any_of(t_.spelling(begin - 1), {";", "{", "}", "("}))
                begin--;
            for (; begin < i; begin++)
                if (t_.is(begin, "constexpr")) return true;
            return false;
        }
        if (function_.in_class) return false;
        asked_.insert(std::string(name));
        return true;
    }

    // Is `name` at token `at` the variable of a loop around it that the compiler can lay out trip by trip?
    bool is_unrolled(std::string_view name, size_t at) {
        for (size_t i = at; i > function_.body_open; i--) {
            if (!t_.is(i, "for") || !t_.is(i + 1, "(")) continue;
            const size_t close = t_.partner(i + 1);
            if (close == none) continue;
            const auto [first, last] = body_of_loop(close);
            if (at >= last) continue;
            if (at > i && counts(name, i + 1, close, first, last)) return true;
        }
        return false;
    }

    Tokens::Range body_of_loop(size_t close) const {
        if (t_.is(close + 1, "{") && t_.partner(close + 1) != none) return {close + 2, t_.partner(close + 1)};
        size_t end = close + 1;
        for (; end < function_.body_close && !t_.is(end, ";"); end++) {
            if (is_any_of(t_.spelling(end), {"(", "{", "["}) && t_.partner(end) != none) {
                const bool block = t_.is(end, "{");
                end = t_.partner(end);
                if (block && !t_.is(end + 1, "else")) break;
            }
        }
        return {close + 1, end + 1};
    }

    // for (int NAME = constant; NAME < constant; ++NAME), with nothing in the body that sets NAME.
    bool counts(std::string_view name, size_t open, size_t close, size_t first, size_t last) {
        std::vector<size_t> ends;
        for (size_t i = open + 1; i < close; i++) {
            if (t_.is(i, ";")) ends.push_back(i);
            if (is_any_of(t_.spelling(i), {"(", "["}) && t_.partner(i) != none) i = t_.partner(i);
        }
        if (ends.size() != 2 || stays_a_loop(open - 1)) return false;
        size_t is = open + 1;
        while (is < ends[0] && !t_.is(is, "=")) is++;
        if (is >= ends[0] || !t_.is(is - 1, name) || is - 1 == open + 1) return false;
        if (!is_constant(is + 1, ends[0])) return false;
        // The condition with the variable itself taken as known.
        for (size_t i = ends[0] + 1; i < ends[1]; i++)
            if (t_.is_identifier(i) && !t_.is(i, name) && !is_constant(i, i + 1)) return false;
        for (size_t i = ends[1] + 1; i < close; i++)
            if (t_.is_identifier(i) && !t_.is(i, name) && !is_constant(i, i + 1)) return false;
        for (size_t i = first; i < last; i++)
            if (t_.is(i, name) && !is_member(i) && is_set(i)) return false;
        return true;
    }

    bool is_set(size_t i) const {
        const std::string_view next = t_.spelling(i + 1);
        if (next == "=" && !t_.is(i + 2, "=")) return true;
        if (is_any_of(next, {"+", "-", "*", "/", "%"}) &&
            (t_.is(i + 2, "=") ||
             (next == t_.spelling(i + 2) && t_.touches_next(i + 1) && !t_.is_identifier(i + 3))))
            return true;
        const std::string_view before = t_.spelling(i - 1);
        return (before == "+" || before == "-") && t_.is(i - 2, before) && t_.touches_next(i - 2);
    }

    // #pragma unroll 1 in front of the loop.
    bool stays_a_loop(size_t word) const {
        const size_t begin = t_[word].begin;
        const size_t before = word > 0 ? t_[word - 1].end : 0;
        for (const Directive& d : scan_.lexed.directives) {
            if (d.begin < before || d.end > begin || d.name != "pragma" || d.tokens.empty()) continue;
            const auto word_at = [&](size_t k) {
                return k < d.tokens.size() ? scan_.lexed.spelling(d.tokens[k]) : std::string_view{};
            };
            if (word_at(0) == "nounroll") return true;
            if (word_at(0) == "unroll" && (word_at(1) == "1" || word_at(2) == "1")) return true;
        }
        return false;
    }

    const Scan& scan_;
    const Tokens& t_;
    const Function& function_;
    std::set<std::string>& asked_;
};

}  // namespace

std::string fits_registers(const Rewriter& rewriter, const Function& function, size_t declared, size_t name) {
    const Tokens& t = rewriter.scan.code;
    // The array lives to the end of the block that it is declared in.
    size_t end = declared;
    for (; end < function.body_close && !t.is(end, "}"); end++)
        if (is_any_of(t.spelling(end), {"{", "(", "["}) && t.partner(end) != none) end = t.partner(end);
    std::set<std::string> asked;
    Indices indices(rewriter, function, asked);
    if (!indices.all_constant(t.spelling(name), declared, end, 0)) return "";
    std::string text = "true";
    for (const std::string& constant : asked) text += " && __builtin_constant_p(" + constant + ")";
    return text;
}

}  // namespace simt::frontend
