// IDX, the file format of MNIST: four bytes (0, 0, the type of an element, the number of dimensions), each dimension
// as a big-endian 32-bit number, then the elements. Ours are all of type 8: unsigned bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "workbench/data/dataset.h"

namespace lab {

struct IdxArray {
    std::vector<uint32_t> shape;  // e.g. {60000, 28, 28}
    std::vector<uint8_t> values;  // as many as the shape says
};

// Whole content of a file, unpacked where it is gzip's. Throws DataFault: it can't be read, is damaged, or holds more
// than `most` bytes.
std::string read_unpacked(const std::filesystem::path& file, uint64_t most = uint64_t{1} << 30);

// The array in an IDX file's (unpacked) content; `name` is what the sentences call it. Throws DataFault: no IDX, not
// of bytes, cut short, or with bytes behind its end.
IdxArray parse_idx(const std::string& content, const std::string& name);

// The content of an IDX file with this array.
std::string idx_content(const IdxArray& array);

// The file of that name in the folder, plain or else with .gz; empty: neither is there.
std::filesystem::path find_idx(const std::filesystem::path& folder, const std::string& name);

// Writes by a temporary name beside it, then renames: whoever reads sees all of it or nothing. Throws DataFault.
void write_whole(const std::filesystem::path& file, const std::string& content);

}  // namespace lab
