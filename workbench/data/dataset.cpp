#include "workbench/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>

#include "workbench/data/idx.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

IdxArray read_array(const fs::path& folder, const char* name, size_t dimensions) {
    const fs::path file = find_idx(folder, name);
    if (file.empty())
        throw DataFault(fmt::format("{} has no {} and no {}.gz. `cudalab data` says what is there.",
                                    folder.string(), name, name));
    IdxArray array = parse_idx(read_unpacked(file), file.string());
    if (array.shape.size() == dimensions) return array;
    const char* wanted = dimensions == 3 ? "pictures (3 dimensions)" : "labels (1 dimension)";
    throw DataFault(fmt::format("{} should hold {}, and has {} dimension{}. Were two files swapped?",
                                file.string(), wanted, array.shape.size(),
                                array.shape.size() == 1 ? "" : "s"));
}

Pictures read_pictures(const fs::path& folder, const char* images, const char* labels) {
    IdxArray pixels = read_array(folder, images, 3), classes = read_array(folder, labels, 1);
    if (pixels.shape[0] != classes.shape[0])
        throw DataFault(fmt::format("{} has {} pictures in {} and {} labels in {}. Were files swapped?",
                                    folder.string(), pixels.shape[0], images, classes.shape[0], labels));
    const auto wrong =
        std::find_if(classes.values.begin(), classes.values.end(), [](uint8_t l) { return l > 9; });
    if (wrong != classes.values.end())
        throw DataFault(fmt::format("{} in {} gives picture {} the label {}; labels are 0 to 9.", labels,
                                    folder.string(), wrong - classes.values.begin(), *wrong));
    if (pixels.shape[1] == 0 || pixels.shape[2] == 0)
        throw DataFault(fmt::format("{} in {} holds pictures of no size.", images, folder.string()));
    return {static_cast<int>(pixels.shape[1]), static_cast<int>(pixels.shape[2]), std::move(pixels.values),
            std::move(classes.values)};
}

void write_pictures(const Pictures& pictures, const fs::path& folder, const char* images,
                    const char* labels) {
    const auto count = static_cast<uint32_t>(pictures.count());
    const auto rows = static_cast<uint32_t>(pictures.rows), columns = static_cast<uint32_t>(pictures.columns);
    write_whole(folder / images, idx_content({{count, rows, columns}, pictures.pixels}));
    write_whole(folder / labels, idx_content({{count}, pictures.labels}));
}

}  // namespace

Dataset read_dataset(const fs::path& folder) {
    Dataset dataset;
    const fs::path plain = folder.lexically_normal();
    dataset.name = plain.has_filename() ? plain.filename().string() : plain.parent_path().filename().string();
    dataset.source = folder.string();
    dataset.train = read_pictures(folder, idx_names[0], idx_names[1]);
    dataset.test = read_pictures(folder, idx_names[2], idx_names[3]);
    if (dataset.train.rows != dataset.test.rows || dataset.train.columns != dataset.test.columns)
        throw DataFault(fmt::format("{} has pictures of {} x {} to train and of {} x {} to test.",
                                    folder.string(), dataset.train.rows, dataset.train.columns,
                                    dataset.test.rows, dataset.test.columns));
    return dataset;
}

void write_dataset(const Dataset& dataset, const fs::path& folder) {
    write_pictures(dataset.train, folder, idx_names[0], idx_names[1]);
    write_pictures(dataset.test, folder, idx_names[2], idx_names[3]);
}

}  // namespace lab
