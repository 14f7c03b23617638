#include "workbench/record/series.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <new>
#include <stdexcept>

namespace lab {

namespace {

struct Row {
    char name[32];
    std::atomic<uint32_t> count;  // of points that are whole
    SeriesPoint points[most_series_points];
};

int open_page(const std::filesystem::path& file, size_t bytes) {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(bytes)) == 0) return descriptor;
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    throw std::runtime_error(fmt::format("{} can't be made: {}.", file.string(), strerror(error)));
}

}  // namespace

struct SeriesPage::Layout {
    static constexpr uint64_t mark = 0x7365697265736c61;
    uint64_t magic;
    Row rows[most_series];

    std::vector<Series> read() const {
        std::vector<Series> all;
        for (const Row& row : rows) {
            if (row.count == 0) break;
            Series series;
            series.name.assign(row.name, strnlen(row.name, sizeof row.name));
            const size_t count = std::min<size_t>(row.count, most_series_points);
            series.points.assign(row.points, row.points + count);
            all.push_back(std::move(series));
        }
        return all;
    }
};

SeriesPage::SeriesPage(int descriptor) {
    const int flags = MAP_SHARED | (descriptor < 0 ? MAP_ANONYMOUS : 0);
    void* memory = mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, flags, descriptor, 0);
    const int error = errno;
    if (descriptor >= 0) close(descriptor);
    if (memory == MAP_FAILED)
        throw std::runtime_error(
            fmt::format("No shared memory for what a run reports: {}.", strerror(error)));
    page_ = new (memory) Layout;  // zero already
    page_->magic = Layout::mark;
}

SeriesPage::SeriesPage() : SeriesPage(-1) {}
SeriesPage::SeriesPage(const std::filesystem::path& file) : SeriesPage(open_page(file, sizeof(Layout))) {}

SeriesPage::~SeriesPage() {
    if (page_) munmap(page_, sizeof(Layout));
}

void SeriesPage::clear() {
    for (Row& row : page_->rows) row.count = 0;
}

void SeriesPage::add(const char* name, float x, float y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    for (Row& row : page_->rows) {
        const uint32_t count = row.count.load(std::memory_order_relaxed);
        if (count == 0) {
            std::memset(row.name, 0, sizeof row.name);
            strncpy(row.name, name, sizeof row.name - 1);
        }
        if (strncmp(row.name, name, sizeof row.name - 1) != 0) continue;
        if (count >= most_series_points) return;
        row.points[count] = {x, y};
        row.count.store(count + 1, std::memory_order_release);
        return;
    }
}

std::vector<Series> SeriesPage::read() const {
    return page_->read();
}

std::vector<Series> read_series(const std::filesystem::path& file) {
    using Layout = SeriesPage::Layout;
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    struct stat about {};
    const bool whole = fstat(descriptor, &about) == 0 && about.st_size >= static_cast<off_t>(sizeof(Layout));
    void* memory = whole ? mmap(nullptr, sizeof(Layout), PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (memory == MAP_FAILED) return {};
    const auto* page = static_cast<const Layout*>(memory);
    std::vector<Series> all;
    if (page->magic == Layout::mark) all = page->read();
    munmap(memory, sizeof(Layout));
    return all;
}

const Series* find_series(const std::vector<Series>& all, const std::string& name) {
    for (const Series& series : all)
        if (series.name == name) return &series;
    return nullptr;
}

}  // namespace lab
