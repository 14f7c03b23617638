// Labelled pictures in memory, whichever file or program they came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lab {

// What is wrong with a file of data, as a sentence that says what to do.
struct DataFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `count()` pictures of rows x columns bytes, one after the other, row by row; labels[i] belongs to picture i.
struct Pictures {
    int rows = 28, columns = 28;
    std::vector<uint8_t> pixels;
    std::vector<uint8_t> labels;

    int count() const { return static_cast<int>(labels.size()); }
    std::span<const uint8_t> picture(int i) const {
        const size_t size = static_cast<size_t>(rows) * static_cast<size_t>(columns);
        return std::span(pixels).subspan(static_cast<size_t>(i) * size, size);
    }
};

struct Dataset {
    std::string name;  // "mnist", "fashion-mnist", "digits" (made by make_digits), or what a folder is called
    std::string source;  // for a reader: "generated digits, seed 1", or the folder that it was read from
    Pictures train, test;
};

// The four files that a data set consists of, by the names that MNIST's authors gave them; each may end in .gz.
inline constexpr const char* idx_names[4] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                             "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

// Reads the four files of a folder. Throws DataFault: a file is missing, is no IDX file, has another number of
// pictures than of labels, or a label above 9.
Dataset read_dataset(const std::filesystem::path& folder);

// Writes a data set as four IDX files, each by a temporary name and a rename; makes the folder. Throws DataFault.
void write_dataset(const Dataset& dataset, const std::filesystem::path& folder);

}  // namespace lab
