#include "simt/frontend/elision.h"

#include <string_view>

namespace simt::frontend {
namespace {

// `name(name&`, `name(const name&&`, `name(name<T> const&`: a constructor from another object begins at `i`.
bool is_copying_constructor(const Tokens& code, size_t i, std::string_view name) {
    if (!code.is(i, name) || !code.is(i + 1, "(")) return false;
    size_t at = i + 2;
    if (code.is(at, "const")) ++at;
    if (!code.is(at, name)) return false;
    ++at;
    if (code.is(at, "<")) {
        at = code.angle_partner(at);
        if (at == none) return false;
        ++at;
    }
    if (code.is(at, "const")) ++at;
    return code.is(at, "&");
}

bool is_class(const Tokens& code, std::string_view name) {
    for (size_t i = 0; i + 1 < code.size(); ++i)
        if ((code.is(i, "struct") || code.is(i, "class")) && code.is(i + 1, name)) return true;
    return false;
}

bool can_copy(const Tokens& code, std::string_view name) {
    for (size_t i = 0; i < code.size(); ++i)
        if (is_copying_constructor(code, i, name)) return true;
    return false;
}

}  // namespace

bool relies_on_elision(const Scan& scan) {
    const Tokens& code = scan.code;
    for (size_t i = 0; i + 2 < code.size(); ++i) {
        if (!code.is(i, "~") || !code.is_identifier(i + 1) || !code.is(i + 2, "(")) continue;
        const std::string_view name = code.spelling(i + 1);
        if (is_class(code, name) && !can_copy(code, name)) return true;
    }
    return false;
}

}  // namespace simt::frontend
