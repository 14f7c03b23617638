// The data sets that cudalab knows by name: their files, where those can be fetched, and what they must be.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lab {

struct KnownFile {
    const char* name;           // one of idx_names
    uint64_t bytes;             // unpacked
    uint64_t packed;            // of the .gz that the mirrors have
    const char* sha256;         // of the unpacked content, in hexadecimal; empty: not known
    const char* packed_sha256;  // of the mirrors' .gz; empty: not known
};

struct KnownSet {
    const char* name;                  // what is typed, and the folder in the store
    const char* title;                 // for a reader
    std::array<KnownFile, 4> files;    // in the order of idx_names
    std::vector<const char*> mirrors;  // folders by URL, tried in this order; each has the files as NAME.gz
    const char* checked_by;            // what is known of its files, as a sentence
};

std::span<const KnownSet> known_sets();
const KnownSet* find_set(const std::string& name);  // null: no such set

}  // namespace lab
