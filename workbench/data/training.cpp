// Which data lessons train on: the end of store.h.
#include <fmt/format.h>

#include <algorithm>

#include "workbench/data/digits.h"
#include "workbench/data/idx.h"
#include "workbench/data/store.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

constexpr uint64_t seed = 1;

void keep_first(Pictures& pictures, int count) {
    const auto n = static_cast<size_t>(std::min(count, pictures.count()));
    pictures.labels.resize(n);
    pictures.pixels.resize(n * static_cast<size_t>(pictures.rows) * static_cast<size_t>(pictures.columns));
}

// As long as MNIST's, without reading them.
bool seems_stored(const KnownSet& set) {
    std::error_code failed;
    return std::all_of(set.files.begin(), set.files.end(), [&](const KnownFile& file) {
        return fs::file_size(store_folder(set.name) / file.name, failed) == file.bytes && !failed;
    });
}

std::string real_in_words() {
    return "The data is MNIST: digits that people wrote.";
}

std::string generated_in_words() {
    return "The data is generated digits, drawn by a program as if by hand. `cudalab data mnist` fetches the "
           "real ones.";
}

TrainingData generated(int train, int test, const std::string& sentence) {
    return {make_digits(seed, train, test), false, sentence};
}

}  // namespace

std::string best_dataset_in_words() {
    return seems_stored(*find_set("mnist")) ? real_in_words() : generated_in_words();
}

TrainingData best_dataset(int train, int test) {
    const fs::path folder = store_folder("mnist");
    std::error_code none;
    if (!seems_stored(*find_set("mnist"))) {
        if (find_idx(folder, idx_names[0]).empty()) return generated(train, test, generated_in_words());
        return generated(
            train, test,
            fmt::format("The data is generated digits: what is in {} is not whole. `cudalab data "
                        "mnist` mends it.",
                        folder.string()));
    }
    try {
        TrainingData data{read_dataset(folder), true, real_in_words()};
        keep_first(data.dataset.train, train);
        keep_first(data.dataset.test, test);
        return data;
    } catch (const DataFault& fault) {
        return generated(
            train, test,
            fmt::format("The data is generated digits, since MNIST can't be used: {}", fault.what()));
    }
}

}  // namespace lab
