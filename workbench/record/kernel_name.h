// A kernel's name as it stands in the source.
#pragma once

#include <string>

namespace lab {

// `void a::k<float>(int)`, `(anonymous namespace)::k(int)`, `a::k<float>` and `k` -> k
std::string kernel_base_name(const std::string& full_name);

}  // namespace lab
