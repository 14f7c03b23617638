// SHA-256, by OpenSSL's libcrypto where cudalab was built with it.
#pragma once

#include <optional>
#include <string>

namespace lab {

// In hexadecimal, 64 digits; nullopt: this cudalab was built without libcrypto.
std::optional<std::string> sha256(const std::string& content);

}  // namespace lab
