#include "simt/frontend/body.h"

namespace simt::frontend {
namespace {

// Where a statement stands.
struct Place {
    int condition_line = 0;
    bool own = true;  // in the function itself, not in a lambda or a local class
    int depth = 0;
};

constexpr int deepest = 400;  // statements nested deeper than that are passed over

class Reader {
  public:
    Reader(const Tokens& code, size_t end) : code_(code), end_(end) {}

    Body run(size_t open) {
        block(open, {});
        return std::move(body_);
    }

  private:
    // At '{'. Returns the index after its '}'.
    size_t block(size_t open, Place place) {
        const size_t close = std::min(code_.partner(open), end_);
        if (++place.depth > deepest) return close + 1;
        for (size_t i = open + 1; i < close;) i = statement(i, place);
        return close + 1;
    }

    Place inside(size_t keyword, Place place) const {
        place.condition_line = code_[keyword].line;
        place.depth++;
        return place;
    }

    size_t statement(size_t i, const Place& place) {
        if (place.depth > deepest || i >= end_) return i + 1;
        const std::string_view s = code_.spelling(i);
        if (s == "{") return block(i, place);
        if (s == "if") return conditional(i, place);
        if (s == "for" || s == "while" || s == "switch") return loop(i, place);
        if (s == "do")
            return statement(i + 1, inside(i, place));  // its `while (...);` reads as an empty loop
        if (s == "else" || s == "try") return statement(i + 1, inside(i, place));
        if (s == "catch") return statement(header(i + 1, place), place);
        if (s == "case") return label(i);
        if (code_.is_identifier(i) && code_.is(i + 1, ":")) return i + 2;
        if (s == "return" && code_.is(i + 1, ";") && place.own) body_.returns.push_back(i);
        return expression(i, place);
    }

    size_t conditional(size_t keyword, const Place& place) {
        while (true) {
            size_t i = keyword + 1;
            if (code_.is(i, "constexpr")) i++;
            const Place within = inside(keyword, place);
            i = statement(header(i, place), within);
            if (!code_.is(i, "else") || i >= end_) return i;
            if (!code_.is(i + 1, "if")) return statement(i + 1, within);
            keyword = i + 1;
        }
    }

    size_t loop(size_t keyword, const Place& place) {
        const Place within = inside(keyword, place);
        const size_t i = header(keyword + 1, within);
        return code_.is(i, ";") ? i + 1 : statement(i, within);
    }

    // At the '(' of a condition. Returns the index after its ')'.
    size_t header(size_t open, const Place& place) {
        const size_t close = code_.is(open, "(") ? code_.partner(open) : none;
        if (close == none || close >= end_) return open;
        for (size_t i = open + 1; i < close;) i = piece(i, open, place, close);
        return close + 1;
    }

    size_t label(size_t i) const {
        while (i < end_ && !code_.is(i, ":") && !code_.is(i, ";") && !code_.is(i, "{") && !code_.is(i, "}"))
            i++;
        return code_.is(i, ":") ? i + 1 : i;
    }

    size_t expression(size_t first, const Place& place) {
        int parentheses = 0;
        for (size_t i = first; i < end_;) {
            const std::string_view s = code_.spelling(i);
            if (parentheses <= 0 && s == ";") {
                if (place.own && i > first) body_.statements.push_back({first, i});
                return i + 1;
            }
            if (s == "}") return i + (i == first);
            if (s == "(") parentheses++;
            if (s == ")") parentheses--;
            const bool loop_macro = s == "{" && parentheses == 0 && !lambda_ && is_loop_macro(i, first);
            if (loop_macro) return block(i, inside(first, place));
            i = piece(i, first, place, end_);
        }
        return end_;
    }

    // FOR_EACH(i, n) { ... }
    bool is_loop_macro(size_t open, size_t first) const {
        return code_.is_identifier(first) && code_.is(first + 1, "(") && code_.partner(first + 1) + 1 == open;
    }

    // One token of an expression, or a lambda's or an initialiser's braces as a whole.
    size_t piece(size_t i, size_t first, const Place& place, size_t end) {
        const std::string_view s = code_.spelling(i);
        if (s == "[") {
            const size_t close = code_.partner(i);
            if (!introduces_lambda(i, first) || close == none || close >= end) return i + 1;
            lambda_ = true;
            return close + 1;
        }
        if (s == "{") {
            const bool statement_expression = i > first && code_.is(i - 1, "(");
            Place within = place;
            if (!statement_expression) within = {0, false, place.depth};
            lambda_ = false;
            return block(i, within);
        }
        if (s == ";" || s == ",") lambda_ = false;
        if (is_barrier(i)) body_.barriers.push_back({code_[i].line, place.condition_line});
        return i + 1;
    }

    bool introduces_lambda(size_t i, size_t first) const {
        if (i == first) return !code_.is(i + 1, "[");
        const std::string_view before = code_.spelling(i - 1);
        if (before == "return") return true;
        return !code_.is_identifier(i - 1) && before != "]" && before != ")" && before != "[";
    }

    bool is_barrier(size_t i) const {
        if (!code_.is(i + 1, "(")) return false;
        const std::string_view s = code_.spelling(i);
        if (s.substr(0, 13) == "__syncthreads" || s == "__syncwarp" || s == "__barrier_sync") return true;
        return s == "sync" && (code_.is(i - 1, ".") || code_.is(i - 1, "->") || code_.is(i - 1, "::"));
    }

    const Tokens& code_;
    size_t end_;
    bool lambda_ = false;  // a lambda's [..] was seen, its body comes
    Body body_;
};

}  // namespace

Body read_body(const Tokens& code, const Function& function) {
    if (function.body_open == none) return {};
    return Reader(code, std::min(function.body_close, code.size())).run(function.body_open);
}

}  // namespace simt::frontend
