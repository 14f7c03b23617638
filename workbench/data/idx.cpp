#include "workbench/data/idx.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>
#ifdef CUDALAB_HAVE_ZLIB
#include <zlib.h>
#endif

#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

uint32_t big_endian(const std::string& content, size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(content[at + i]);
    return value;
}

std::string shape_words(const std::vector<uint32_t>& shape) {
    std::string words;
    for (const uint32_t size : shape) words += fmt::format("{}{}", words.empty() ? "" : " x ", size);
    return words;
}

// What a file that is no IDX seems to be; empty: no idea.
std::string guess(const std::string& content) {
    const auto starts = [&](const char* mark) { return content.rfind(mark, 0) == 0; };
    if (starts("\x1f\x8b")) return " It is gzip's, packed twice: unpack it once (gunzip).";
    if (starts("PK")) return " It is a ZIP archive: unpack it, and name the files in it.";
    if (starts("<")) return " It is a web page, most likely what a server sent in place of the file.";
    return {};
}

}  // namespace

std::string read_unpacked(const fs::path& file, uint64_t most) {
    const std::string name = file.string();
    std::error_code none;
    if (fs::is_directory(file, none))
        throw DataFault(fmt::format("{} is a folder; name the file in it.", name));
#ifndef CUDALAB_HAVE_ZLIB
    std::ifstream plain(file, std::ios::binary);
    if (!plain) throw DataFault(fmt::format("{} can't be opened: {}.", name, std::strerror(errno)));
    std::string whole(static_cast<size_t>(most) + 1, '\0');
    plain.read(whole.data(), static_cast<std::streamsize>(whole.size()));
    whole.resize(static_cast<size_t>(plain.gcount()));
    if (whole.size() > most)
        throw DataFault(fmt::format("{} holds more than {} bytes, so it is none of the files of a data set.",
                                    name, most));
    if (whole.rfind("\x1f\x8b", 0) == 0)
        throw DataFault(fmt::format(
            "{} is packed by gzip, and this cudalab was built without zlib: unpack it first (gunzip).",
            name));
    return whole;
#else
    errno = 0;
    // zlib passes a file through that is not gzip's.
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(name.c_str(), "rb"), gzclose);
    if (!in) throw DataFault(fmt::format("{} can't be opened: {}.", name, std::strerror(errno)));
    std::string content;
    std::vector<char> buffer(1 << 18);
    while (true) {
        const int count = gzread(in.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (count > 0) content.append(buffer.data(), static_cast<size_t>(count));
        if (content.size() > most)
            throw DataFault(fmt::format(
                "{} holds more than {} bytes, so it is none of the files of a data set.", name, most));
        int why = Z_OK;
        const char* words = gzerror(in.get(), &why);
        if (why == Z_BUF_ERROR)
            throw DataFault(
                fmt::format("{} is cut short: the packed file ends too early. Fetch it again.", name));
        if (count < 0 || why != Z_OK)
            throw DataFault(fmt::format("{} is damaged, and can't be unpacked ({}). Fetch it again.", name,
                                        why == Z_ERRNO ? std::strerror(errno) : words));
        if (count == 0) return content;
    }
#endif
}

IdxArray parse_idx(const std::string& content, const std::string& name) {
    if (content.empty()) throw DataFault(fmt::format("{} is empty. Fetch it again.", name));
    if (content.size() < 4 || content[0] != 0 || content[1] != 0)
        throw DataFault(
            fmt::format("{} is no IDX file: it does not begin with two zero bytes.{}", name, guess(content)));
    const int type = static_cast<uint8_t>(content[2]), dimensions = static_cast<uint8_t>(content[3]);
    if (type != 8)
        throw DataFault(fmt::format(
            "{} holds elements of IDX type {:#04x}; only unsigned bytes (0x08) are read.", name, type));
    if (dimensions < 1 || dimensions > 4)
        throw DataFault(
            fmt::format("{} says that it has {} dimensions; 1 to 4 make sense.", name, dimensions));
    const size_t header = 4 + 4 * static_cast<size_t>(dimensions);
    if (content.size() < header)
        throw DataFault(fmt::format("{} is cut short: it ends within its header. Fetch it again.", name));
    IdxArray array;
    uint64_t count = 1;
    for (size_t at = 4; at < header; at += 4) {
        array.shape.push_back(big_endian(content, at));
        count *= array.shape.back();
        if (count > uint64_t{1} << 30)  // before it can overflow
            throw DataFault(fmt::format(
                "{} says that its shape is {} and more, which no data set here has. It is damaged.", name,
                shape_words(array.shape)));
    }
    const uint64_t there = content.size() - header;
    if (there < count)
        throw DataFault(
            fmt::format("{} is cut short: its shape, {}, needs {} bytes, and there are {}. Fetch it again.",
                        name, shape_words(array.shape), count, there));
    if (there > count)
        throw DataFault(
            fmt::format("{} has {} bytes behind its end: its shape, {}, needs {}. Fetch it again.", name,
                        there - count, shape_words(array.shape), count));
    array.values.assign(content.begin() + static_cast<std::ptrdiff_t>(header), content.end());
    return array;
}

std::string idx_content(const IdxArray& array) {
    std::string content{0, 0, 8, static_cast<char>(array.shape.size())};
    for (const uint32_t size : array.shape)
        for (int shift = 24; shift >= 0; shift -= 8) content += static_cast<char>(size >> shift & 255);
    content.append(array.values.begin(), array.values.end());
    return content;
}

fs::path find_idx(const fs::path& folder, const std::string& name) {
    std::error_code none;
    for (const char* end : {"", ".gz"})
        if (fs::exists(folder / (name + end), none)) return folder / (name + end);
    return {};
}

void write_whole(const fs::path& file, const std::string& content) {
    std::error_code failed;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), failed);
    try {
        write_file(file, content);
    } catch (const std::runtime_error& error) {
        throw DataFault(fmt::format("{} Is there room, and is the folder yours?", error.what()));
    }
}

}  // namespace lab
