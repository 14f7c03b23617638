#include "workbench/data/sums.h"

#ifdef CUDALAB_HAVE_CRYPTO
#include <fmt/format.h>
#include <openssl/evp.h>
#endif

namespace lab {

#ifdef CUDALAB_HAVE_CRYPTO

std::optional<std::string> sha256(const std::string& content) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (EVP_Digest(content.data(), content.size(), digest, &size, EVP_sha256(), nullptr) != 1)
        return std::nullopt;
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

#else

std::optional<std::string> sha256(const std::string&) {
    return std::nullopt;
}

#endif

}  // namespace lab
