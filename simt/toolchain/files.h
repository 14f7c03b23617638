// Small helpers for files, and the hash that names what is in the cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace simt::toolchain {

// nullopt: there is no such regular file, it cannot be read, or it is larger than 64 MB.
std::optional<std::string> read_file(const std::string& path);
// Writes beside `path` and renames, so that readers see the old text or the new one.
bool write_file(const std::string& path, std::string_view text);
// A new empty folder in `parent` (created if need be); "" when that fails.
std::string make_temporary_folder(const std::string& parent);

// 128 bits, not for secrets.
class Hash {
  public:
    Hash& add(std::string_view text);
    Hash& add_stamp(
        const std::string& path);  // path, size and time of change; names the file even if it is absent
    std::string hex() const;

  private:
    uint64_t a_ = 0x9e3779b97f4a7c15u, b_ = 0xc2b2ae3d27d4eb4fu;
};

// The full path of a program; "" when it is not on PATH.
std::string find_program(const std::string& name);

}  // namespace simt::toolchain
