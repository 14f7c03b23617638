#include "workbench/grading/arrays.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "workbench/grading/collector.h"

namespace lab {

namespace {

constexpr unsigned char kCanary = 0xc5;

size_t page_bytes() {
    static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

bool untouched(const char* from, const char* to) {
    return std::all_of(from, to, [](char c) { return static_cast<unsigned char>(c) == kCanary; });
}

constexpr size_t array_space_bytes = size_t{16} << 30;  // of addresses; memory where it is touched

char* map_shared(size_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) return static_cast<char*>(p);
    throw std::runtime_error(
        fmt::format("No {} MiB of shared memory for an array: {}. Close other programs and try again.",
                    bytes >> 20, strerror(errno)));
}

}  // namespace

ArraySpace::ArraySpace() {
    for (Half& half : halves_) half.data = map_shared(array_space_bytes);
}

ArraySpace::~ArraySpace() {
    for (Half& half : halves_) munmap(half.data, array_space_bytes);
}

char* ArraySpace::take(size_t bytes) {
    Half& half = halves_[current_];
    if (arrays_ == 0) {
        // Old arrays, which nobody looks at any more. Only the parent may throw away what is in them.
        if (!referee().long_player.is_player() && half.used != 0) madvise(half.data, half.used, MADV_REMOVE);
        half.used = 0;
    }
    if (bytes > array_space_bytes - half.used)
        throw std::runtime_error("The arrays of one trial need more than 16 GiB.");
    char* place = half.data + half.used;
    half.used += bytes;
    ++arrays_;
    return place;
}

void ArraySpace::give_back(char* place, size_t bytes) {
    mprotect(place, bytes, PROT_READ | PROT_WRITE);
    if (--arrays_ == 0) current_ = 1 - current_;
}

GuardedArray::GuardedArray(size_t bytes) : bytes_(bytes) {
    const size_t page = page_bytes(), inner = round_up(std::max<size_t>(bytes, 1), page);
    mapped_ = inner + 2 * page;
    mapping_ = referee().arrays ? referee().arrays->take(mapped_) : map_shared(mapped_);
    mprotect(mapping_, page, PROT_NONE);
    mprotect(mapping_ + page + inner, page, PROT_NONE);
    data_ = mapping_ + page + inner - round_up(bytes, 16);
    if (referee().long_player.is_player()) return;  // the parent has filled it, or will
    std::memset(mapping_ + page, kCanary, static_cast<size_t>(data_ - (mapping_ + page)));
    std::memset(data_ + bytes, kCanary, round_up(bytes, 16) - bytes);
}

GuardedArray::GuardedArray(GuardedArray&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(other.mapped_),
      data_(other.data_),
      bytes_(other.bytes_) {}

GuardedArray::~GuardedArray() {
    if (!mapping_) return;
    if (referee().arrays)
        referee().arrays->give_back(mapping_, mapped_);
    else
        munmap(mapping_, mapped_);
}

const char* GuardedArray::damaged_side() const {
    if (!untouched(mapping_ + page_bytes(), data_)) return "before";
    if (!untouched(data_ + bytes_, mapping_ + mapped_ - page_bytes())) return "behind";
    return nullptr;
}

}  // namespace lab
