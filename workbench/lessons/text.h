// Small helpers on text that the lesson readers share.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

std::string_view trimmed(std::string_view text);                   // without white space at both ends
std::vector<std::string_view> split_lines(std::string_view text);  // without line ends; a BOM is dropped
bool is_plain_name(std::string_view text);                         // letters, digits, - and _; not empty
std::optional<int> first_bad_line(
    std::string_view text);  // 1-based line of the first byte that is no UTF-8 text
std::string without_backticks(std::string_view text);

// The whole file; nullopt when it can't be read or is larger than `limit` bytes.
std::optional<std::string> read_file(const std::filesystem::path& path, size_t limit = 16u << 20);

// Writes beside the file and renames, so that a reader never sees a half; throws std::runtime_error with a
// sentence.
void write_file(const std::filesystem::path& path, std::string_view text);

// The one of `known` that somebody who typed `typed` most likely meant; empty: none is near.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

std::string fingerprint(
    std::string_view text);  // 16 hex digits (FNV-1a, 64 bits); tells texts apart, is no signature

}  // namespace lab
