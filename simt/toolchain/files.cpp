#include "simt/toolchain/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace simt::toolchain {
namespace fs = std::filesystem;

std::optional<std::string> read_file(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return std::nullopt;
    struct stat status;
    std::optional<std::string> text;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= (64 << 20)) {
        text.emplace(static_cast<size_t>(status.st_size), '\0');
        size_t filled = 0;
        while (filled < text->size()) {
            const ssize_t n = read(fd, text->data() + filled, text->size() - filled);
            if (n <= 0) break;
            filled += static_cast<size_t>(n);
        }
        text->resize(filled);
    }
    close(fd);
    return text;
}

bool write_file(const std::string& path, std::string_view text) {
    static std::atomic<unsigned> count{0};
    const std::string beside = path + ".tmp" + std::to_string(getpid()) + "_" + std::to_string(count++);
    std::FILE* file = std::fopen(beside.c_str(), "wbe");
    if (file == nullptr) return false;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = std::fclose(file) == 0;
    if (written && closed && std::rename(beside.c_str(), path.c_str()) == 0) return true;
    std::remove(beside.c_str());
    return false;
}

std::string make_temporary_folder(const std::string& parent) {
    std::error_code ignored;
    fs::create_directories(parent, ignored);
    std::string name = parent + "/tmp.XXXXXX";
    return mkdtemp(name.data()) == nullptr ? "" : name;
}

Hash& Hash::add(std::string_view text) {
    const auto mix = [this](uint64_t word) {
        a_ = (a_ ^ word) * 0xff51afd7ed558ccdu;
        a_ ^= a_ >> 32;
        b_ = (b_ + word) * 0xc4ceb9fe1a85ec53u;
        b_ ^= b_ >> 29;
    };
    mix(text.size());  // so that "ab" + "c" is not "a" + "bc"
    size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        uint64_t word;
        std::memcpy(&word, text.data() + i, 8);
        mix(word);
    }
    uint64_t rest = 0;
    if (i < text.size()) std::memcpy(&rest, text.data() + i, text.size() - i);
    mix(rest);
    return *this;
}

Hash& Hash::add_stamp(const std::string& path) {
    struct stat status {};
    add(path);
    if (stat(path.c_str(), &status) != 0) return add("absent");
    return add(std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + " " +
               std::to_string(status.st_mtim.tv_nsec));
}

std::string Hash::hex() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(a_),
                  static_cast<unsigned long long>(b_));
    return text;
}

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
    while (true) {
        const size_t colon = rest.find(':');
        const std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        if (colon == std::string_view::npos) return "";
        rest.remove_prefix(colon + 1);
    }
}

}  // namespace simt::toolchain
