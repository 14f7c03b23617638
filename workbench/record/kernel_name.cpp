#include "workbench/record/kernel_name.h"

namespace lab {

std::string kernel_base_name(const std::string& full_name) {
    std::string name = full_name;
    const std::string nameless = "(anonymous namespace)::";  // its parenthesis opens no parameters
    for (size_t at = name.find(nameless); at != std::string::npos; at = name.find(nameless))
        name.erase(at, nameless.size());
    int depth = 0;
    std::string out;
    for (const char c : name) {
        if (c == '(' && depth == 0) break;
        if (c == '<') ++depth;
        if (depth == 0) out += c;
        if (c == '>') --depth;
    }
    const size_t before = out.find_last_of(": ");
    return before == std::string::npos ? out : out.substr(before + 1);
}

}  // namespace lab
