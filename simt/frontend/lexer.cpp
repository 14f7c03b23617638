#include "simt/frontend/lexer.h"

#include <algorithm>
#include <cctype>

namespace simt::frontend {
namespace {

bool starts_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool in_word(char c) {
    return starts_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

// The state of one #if ... #endif.
struct Conditional {
    bool outer_dead = false;
    bool dead = false;
    size_t first_code = 0;     // index of the branch's first token
    bool drop_braces = false;  // an earlier branch opened or closed a brace: this one does it again
};

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) { result_.text = text; }

    Lexed run() {
        note_line_starts();
        while (at_ < text_.size()) step();
        return std::move(result_);
    }

  private:
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void note_line_starts() {
        result_.line_starts.push_back(0);
        for (size_t i = 0; i < text_.size(); i++)
            if (text_[i] == '\n') result_.line_starts.push_back(i + 1);
    }

    void step() {
        if (skip_blank()) return;
        if (peek() == '\n') {
            at_++;
            line_++;
            fresh_line_ = true;
            return;
        }
        if (peek() == '#' && fresh_line_) return directive();
        fresh_line_ = false;
        const Token token = next_token();
        if (dead_) return;
        const char c = text_[token.begin];
        if (!open_.empty() && open_.back().drop_braces && (c == '{' || c == '}')) return;
        result_.code.push_back(token);
    }

    // Spaces, comments and line continuations; not a newline that ends a line.
    bool skip_blank() {
        const char c = peek();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') return at_++, true;
        if (c == '\\' && peek(1) == '\n') return at_ += 2, line_++, true;
        if (c == '\\' && peek(1) == '\r' && peek(2) == '\n') return at_ += 3, line_++, true;
        if (c == '/' && peek(1) == '/') return skip_line_comment(), true;
        if (c == '/' && peek(1) == '*') return skip_block_comment(), true;
        return false;
    }

    void skip_line_comment() {
        while (at_ < text_.size() && peek() != '\n') {
            if (peek() == '\\' && peek(1) == '\n') line_++, at_++;
            at_++;
        }
    }

    void skip_block_comment() {
        at_ += 2;
        while (at_ < text_.size() && !(peek() == '*' && peek(1) == '/')) {
            if (peek() == '\n') line_++;
            at_++;
        }
        at_ = std::min(at_ + 2, text_.size());
    }

    Token next_token() {
        Token token;
        token.begin = at_;
        token.line = line_;
        token.kind = consume();
        token.end = at_;
        return token;
    }

    TokenKind consume() {
        const char c = peek();
        if (starts_word(c)) return word();
        if (std::isdigit(static_cast<unsigned char>(c)) ||
            (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1)))))
            return number();
        if (c == '"' || c == '\'') return quoted(c);
        if (c == ':' && peek(1) == ':') return at_ += 2, TokenKind::punctuation;
        if (c == '-' && peek(1) == '>') return at_ += 2, TokenKind::punctuation;
        if (c == '.' && peek(1) == '.' && peek(2) == '.') return at_ += 3, TokenKind::punctuation;
        at_++;
        return TokenKind::punctuation;
    }

    TokenKind word() {
        const size_t begin = at_;
        while (at_ < text_.size() && in_word(peek())) at_++;
        const std::string_view spelling = text_.substr(begin, at_ - begin);
        if (peek() != '"') return TokenKind::identifier;
        if (spelling == "R" || spelling == "LR" || spelling == "uR" || spelling == "UR" || spelling == "u8R")
            return raw_string();
        return TokenKind::identifier;
    }

    TokenKind number() {
        while (at_ < text_.size()) {
            const char c = peek();
            const bool exponent = (c == '+' || c == '-') && at_ > 0 &&
                                  std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos;
            const bool separator = c == '\'' && in_word(peek(1));
            if (!in_word(c) && c != '.' && !exponent && !separator) break;
            at_++;
        }
        return TokenKind::number;
    }

    TokenKind quoted(char quote) {
        at_++;
        while (at_ < text_.size() && peek() != quote && peek() != '\n') {
            if (peek() == '\\' && at_ + 1 < text_.size()) {
                at_++;
                if (peek() == '\n') line_++;
            }
            at_++;
        }
        if (peek() == quote) at_++;
        return quote == '"' ? TokenKind::string : TokenKind::character;
    }

    TokenKind raw_string() {
        const size_t open = text_.find('(', at_);
        if (open == std::string_view::npos || open - at_ > 17) return quoted('"');
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const size_t found = text_.find(close, open);
        const size_t end = found == std::string_view::npos ? text_.size() : found + close.size();
        for (; at_ < end; at_++)
            if (text_[at_] == '\n') line_++;
        return TokenKind::string;
    }

    void directive() {
        Directive d;
        d.begin = at_++;
        d.line = line_;
        while (at_ < text_.size() && peek() != '\n') {
            if (skip_blank()) continue;
            if (d.name.empty() && starts_word(peek())) {
                const Token name = next_token();
                d.name = std::string(text_.substr(name.begin, name.end - name.begin));
                continue;
            }
            if (d.name == "include" && d.tokens.empty() && peek() == '<') {
                d.tokens.push_back(header_name());
                continue;
            }
            d.tokens.push_back(next_token());
        }
        d.end = at_;
        conditional(d);
        d.dead = dead_;
        fresh_line_ = true;
        result_.directives.push_back(std::move(d));
    }

    Token header_name() {
        Token token{TokenKind::string, at_, at_, line_};
        while (at_ < text_.size() && peek() != '\n' && peek() != '>') at_++;
        if (peek() == '>') at_++;
        token.end = at_;
        return token;
    }

    void conditional(const Directive& d) {
        if (d.name == "if" || d.name == "ifdef" || d.name == "ifndef") {
            Conditional c{dead_, dead_, result_.code.size(), false};
            if (d.name == "if" && d.tokens.size() == 1 && result_.spelling(d.tokens[0]) == "0") c.dead = true;
            if (!open_.empty()) c.drop_braces = open_.back().drop_braces;
            open_.push_back(c);
        } else if (open_.empty()) {
            return;
        } else if (d.name == "else" || d.name == "elif" || d.name == "elifdef" || d.name == "elifndef") {
            Conditional& c = open_.back();
            c.drop_braces = c.drop_braces || braces_since(c.first_code) != 0;
            c.dead = c.outer_dead;
        } else if (d.name == "endif") {
            dead_ = open_.back().outer_dead;
            open_.pop_back();
            return;
        } else {
            return;
        }
        dead_ = open_.back().dead;
    }

    int braces_since(size_t first) const {
        int depth = 0;
        for (size_t i = first; i < result_.code.size(); i++) {
            const char c = text_[result_.code[i].begin];
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
        return depth;
    }

    std::string_view text_;
    Lexed result_;
    size_t at_ = 0;
    int line_ = 1;
    bool fresh_line_ = true;
    bool dead_ = false;
    std::vector<Conditional> open_;
};

}  // namespace

int Lexed::line_of(size_t offset) const {
    return static_cast<int>(std::upper_bound(line_starts.begin(), line_starts.end(), offset) -
                            line_starts.begin());
}

int Lexed::column_of(size_t offset) const {
    return static_cast<int>(offset - line_starts[static_cast<size_t>(line_of(offset) - 1)]) + 1;
}

Lexed lex(std::string_view text) {
    return Lexer(text).run();
}

}  // namespace simt::frontend
