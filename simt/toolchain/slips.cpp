#include "simt/toolchain/diagnostics.h"
namespace simt::toolchain {
std::string plain_words(const std::string&, const std::string&) {
    return "";
}
}  // namespace simt::toolchain
