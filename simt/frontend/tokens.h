// A walk over one token stream: the code of a file, or the body of one #define.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simt/frontend/lexer.h"

namespace simt::frontend {

inline constexpr size_t none = static_cast<size_t>(-1);

class Tokens {
  public:
    Tokens(const Lexed& file, const std::vector<Token>& tokens);

    size_t size() const { return tokens_->size(); }
    const Token& operator[](size_t i) const { return (*tokens_)[i]; }
    const Lexed& file() const { return *file_; }

    // "" beyond either end, so that looking around needs no guard.
    std::string_view spelling(size_t i) const {
        return i < size() ? file_->spelling((*tokens_)[i]) : std::string_view{};
    }
    bool is(size_t i, std::string_view text) const { return spelling(i) == text; }
    bool is_identifier(size_t i) const { return i < size() && (*tokens_)[i].kind == TokenKind::identifier; }
    // The tokens at i and i + 1 touch each other.
    bool touches_next(size_t i) const {
        return i + 1 < size() && (*tokens_)[i].end == (*tokens_)[i + 1].begin;
    }

    // `i` is at a bracket ( [ { ) ] }: the index of its partner; none when it has none, or is no bracket.
    size_t partner(size_t i) const { return i < size() ? partners_[i] : none; }
    // `i` is at a '<' that opens template arguments: the index of the matching '>'; none when it does not
    // look like some.
    size_t angle_partner(size_t i) const;
    // `i` is at '>' : the index of the matching '<'.
    size_t angle_partner_back(size_t i) const;
    // Three touching '<' from i on.
    bool opens_launch(size_t i) const;

    // [first, last) as one line of text, comments dropped.
    std::string flat(size_t first, size_t last) const;
    // Splits [first, last) at commas outside of any brackets.
    struct Range {
        size_t first, last;
    };
    std::vector<Range> split_commas(size_t first, size_t last, bool angles) const;

  private:
    const Lexed* file_;
    const std::vector<Token>* tokens_;
    std::vector<size_t> partners_;
};

}  // namespace simt::frontend
