// What a CUDA file declares: namespaces, functions, kernels, __device__ variables. A sketch of the grammar
// that is good enough to tell a function's body from a class or an initialiser; the compiler does the rest.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "simt/frontend/tokens.h"

namespace simt::frontend {

// A function's declaration or definition, at namespace or class scope. Indices are into the code tokens.
struct Function {
    std::string name, scope;  // scope: "a::b" of the namespaces around it
    size_t name_token = none;
    size_t head = none;  // first token of the declaration
    size_t params_open = none, params_close = none;
    size_t body_open = none, body_close = none;  // none: only declared
    bool kernel = false, device = false, in_class = false;
    bool is_template = false;
};

// A kernel, seen from its launches.
struct Kernel {
    std::string name, scope;
    std::string signature;  // parameter types, to tell an overload from a second declaration
    int line = 0;
    int template_parameters = 0;       // those without a default; -1: a pack
    int parameters = 0, defaults = 0;  // how many parameters; how many of them have a default argument
    bool is_template = false;
};

// A __device__, __constant__ or __managed__ variable at namespace scope.
struct DeviceVariable {
    std::string name;
    const char* space;  // "device", "constant", "managed"
    size_t first, end;  // its declaration's tokens; `end` is the ';'
    int line;
};

struct Include {
    int line = 0;
    std::string name;
    bool quoted = false;
    size_t begin = 0, end = 0;  // of the name with its quotes, in the text
};

struct Macro {
    std::string name;
    std::vector<std::string> parameters;
    bool function_like = false;
    size_t directive = 0;   // index into Lexed::directives
    size_t body_first = 0;  // index of the body's first token there
};

struct Scan {
    Lexed lexed;
    Tokens code{lexed, lexed.code};
    std::vector<Function> functions;
    std::vector<Kernel> kernels;
    std::vector<DeviceVariable> variables;
    std::vector<Include> includes;
    std::vector<Macro> macros;
    // Macros that stand for nothing but a CUDA word: #define SHARED __shared__
    std::map<std::string, std::string, std::less<>> aliases;

    explicit Scan(std::string_view text);  // `text` must outlive it
    Scan(const Scan&) = delete;

    // Is token `i` of `tokens` the CUDA word `word`, or a macro for it?
    bool is_word(const Tokens& tokens, size_t i, std::string_view word) const;
    // The innermost function whose body holds token `i`; nullptr at namespace scope.
    const Function* function_around(size_t i) const;
};

// Does `name` open a group of parentheses that belongs to an attribute, not to a declarator?
bool is_attribute_word(std::string_view name);

}  // namespace simt::frontend
