// Numbers that a run gives while it is under way: the loss after each step of a training, say. The player writes them
// into a page of shared memory that others may look at meanwhile, and they end up in the Run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lab {

struct SeriesPoint {
    float x = 0, y = 0;
    bool operator==(const SeriesPoint&) const = default;
};

struct Series {
    std::string name;  // "loss"
    std::vector<SeriesPoint> points;
    int case_index = -1;
};

const Series* find_series(const std::vector<Series>& all, const std::string& name);  // null: there is none

constexpr size_t most_series = 8, most_series_points = 4096;  // of a run, and of one series

// The page. Its writer is one thread; whoever reads takes nothing in it for granted.
class SeriesPage {
  public:
    // In memory that a fork shares.
    SeriesPage();
    // In a file that another process reads; an existing one is emptied. Throws std::runtime_error with a sentence.
    explicit SeriesPage(const std::filesystem::path& file);
    ~SeriesPage();
    SeriesPage(const SeriesPage&) = delete;
    SeriesPage& operator=(const SeriesPage&) = delete;

    void clear();
    // A point more; beyond most_series or most_series_points, or where x or y is no number, it is dropped.
    void add(const char* name, float x, float y);
    std::vector<Series> read() const;

    struct Layout;

  private:
    explicit SeriesPage(int descriptor);
    Layout* page_ = nullptr;
};

// What a page in a file holds at this moment; empty: there is none, or it is no page.
std::vector<Series> read_series(const std::filesystem::path& file);

}  // namespace lab
