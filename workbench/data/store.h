// Where data sets are kept on this computer, how they come there, and which one lessons train on. Folders are below the
// data folder (progress.h): data/mnist/, data/fashion-mnist/, each with the four files of idx_names, unpacked, and
// SHA256SUMS, so that `sha256sum -c SHA256SUMS` works there. A file appears whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "workbench/data/catalogue.h"
#include "workbench/data/dataset.h"

namespace lab {

std::filesystem::path store_folder(const std::string& name);  // may not exist yet

// How sure it is that a file is what its name says.
enum class Checked { no, form, sum };  // not looked at; form, size and labels; its SHA-256, too
const char* name_of(Checked checked);

struct StoredFile {
    std::string name;
    bool there = false;
    Checked checked = Checked::no;
    std::string problem;  // a sentence; empty: none, or it is not there
};

struct StoredSet {
    const KnownSet* set = nullptr;
    std::filesystem::path folder;
    std::vector<StoredFile> files;  // in the order of idx_names
    uint32_t train = 0, test = 0;   // pictures; 0: not there
    bool complete() const;          // all four are there without a problem
    bool any() const;               // some file is there
    Checked checked() const;        // the least of them; Checked::no: it is not complete
};

// Looks at every byte of what is there, a quarter of a second for MNIST.
StoredSet examine(const KnownSet& set);

struct Steps {
    std::function<void(const std::string& sentence)> say;
    std::function<void(const std::string& file, uint64_t here, uint64_t all)>
        on_bytes;  // while one is fetched
};

// Takes files that are on this computer, packed or not; a folder stands for those of idx_names that it has. A file is
// known by its name, else by its content. All are checked before the first is stored. Throws DataFault: one can't be
// read, is damaged, cut short, none of this set, or another one of it than its name says.
StoredSet install_files(const KnownSet& set, const std::vector<std::filesystem::path>& files,
                        const Steps& steps);

// Fetches what is missing, from the set's mirrors or from `mirror` (a folder by URL) alone. What a killed run has fetched
// is the beginning of the next one's. Throws DataFault with what each mirror said, and what to do without a network.
StoredSet install_from_mirrors(const KnownSet& set, const std::string& mirror, const Steps& steps);

struct TrainingData {
    Dataset dataset;
    bool real = false;     // MNIST's, not the generated digits
    std::string sentence;  // which data this is and why, for a reader
};

// What lessons train on: MNIST where it is stored, else generated digits (seed 1); the first `train` and `test` pictures.
// Never throws for want of files: where those of the store are faulty, the sentence says so.
TrainingData best_dataset(int train = 60000, int test = 10000);

// The sentence of best_dataset, without reading or making a picture.
std::string best_dataset_in_words();

}  // namespace lab
