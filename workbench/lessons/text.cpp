#include "workbench/lessons/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <numeric>
#include <stdexcept>

namespace lab {

std::string_view trimmed(std::string_view text) {
    const auto from = text.find_first_not_of(" \t\r\n\f\v");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\r\n\f\v") - from + 1);
}

std::vector<std::string_view> split_lines(std::string_view text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

bool is_plain_name(std::string_view text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_';
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), plain);
}

namespace {

// Length of the UTF-8 sequence at the start of text; 0: there is none, or it is a control character.
size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return lead >= 0x20 || lead == '\n' || lead == '\r' || lead == '\t' ? 1 : 0;
    const size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (lead >= 0xF5 || length == 0 || length > text.size()) return 0;
    unsigned point = lead & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0) != 0x80) return 0;
        point = point << 6 | (byte & 0x3F);
    }
    constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return 0;
    return length;
}

}  // namespace

std::optional<int> first_bad_line(std::string_view text) {
    int line = 1;
    while (!text.empty()) {
        const size_t length = utf8_length(text);
        if (length == 0) return line;
        if (text[0] == '\n') ++line;
        text.remove_prefix(length);
    }
    return {};
}

std::string without_backticks(std::string_view text) {
    std::string plain(text);
    plain.erase(std::remove(plain.begin(), plain.end(), '`'), plain.end());
    return plain;
}

std::optional<std::string> read_file(const std::filesystem::path& path, size_t limit) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return {};
    std::ifstream in(path, std::ios::binary);
    if (!in) return {};
    std::string text;
    char piece[16384];
    while (in.read(piece, sizeof piece) || in.gcount() > 0) {
        text.append(piece, size_t(in.gcount()));
        if (text.size() > limit) return {};
    }
    if (in.bad()) return {};
    return text;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    const std::filesystem::path beside = fmt::format("{}.new-{}", path.string(), getpid());
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out.write(text.data(), std::streamsize(text.size()));
    out.close();
    std::error_code failed;
    if (out) std::filesystem::rename(beside, path, failed);
    if (out && !failed) return;
    const std::string why = failed ? failed.message() : std::strerror(errno);
    std::filesystem::remove(beside, failed);
    throw std::runtime_error(fmt::format("{} can't be written: {}.", path.string(), why));
}

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
    std::string best;
    size_t best_distance = std::max<size_t>(2, typed.size() / 3) + 1;
    for (const std::string& word : known) {
        // Edit distance with swaps of neighbours, three rows at a time.
        std::vector<size_t> before, last(word.size() + 1), row(word.size() + 1);
        std::iota(last.begin(), last.end(), 0);
        for (size_t i = 1; i <= typed.size(); ++i) {
            row[0] = i;
            for (size_t j = 1; j <= word.size(); ++j) {
                row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (typed[i - 1] != word[j - 1])});
                if (i > 1 && j > 1 && typed[i - 1] == word[j - 2] && typed[i - 2] == word[j - 1])
                    row[j] = std::min(row[j], before[j - 2] + 1);
            }
            before = last;
            last = row;
        }
        if (last[word.size()] < best_distance) {
            best_distance = last[word.size()];
            best = word;
        }
    }
    return best;
}

std::string fingerprint(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fmt::format("{:016x}", hash);
}

}  // namespace lab
