#include "workbench/data/catalogue.h"

namespace lab {

namespace {

constexpr uint64_t train_pixels = 47040016, train_labels = 60008, test_pixels = 7840016, test_labels = 10008;

// MNIST: the sums are of the unpacked files, since gzip packs the same bytes in many ways.
// Fashion-MNIST: sums of the unpacked files are published nowhere that we know of; those of the packed ones are in the
// table of checksums of TensorFlow Datasets (url_checksums/fashion_mnist.txt).
const std::array<KnownSet, 2> table{{
    {"mnist",
     "MNIST: handwritten digits",
     {{{"train-images-idx3-ubyte", train_pixels, 9912422,
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", ""},
       {"train-labels-idx1-ubyte", train_labels, 28881,
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", ""},
       {"t10k-images-idx3-ubyte", test_pixels, 1648877,
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", ""},
       {"t10k-labels-idx1-ubyte", test_labels, 4542,
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", ""}}},
     {"https://ossci-datasets.s3.amazonaws.com/mnist/",
      "https://storage.googleapis.com/cvdf-datasets/mnist/"},
     "The SHA-256 of each unpacked file is known."},
    {"fashion-mnist",
     "Fashion-MNIST: pieces of clothing, in MNIST's form",
     {{{"train-images-idx3-ubyte", train_pixels, 26421880, "",
        "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
       {"train-labels-idx1-ubyte", train_labels, 29515, "",
        "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
       {"t10k-images-idx3-ubyte", test_pixels, 4422102, "",
        "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
       {"t10k-labels-idx1-ubyte", test_labels, 5148, "",
        "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}}},
     {"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
      "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/"},
     "The SHA-256 of each file as its authors packed it is known; of a file that comes unpacked only form, "
     "size and "
     "labels are looked at."},
}};

}  // namespace

std::span<const KnownSet> known_sets() {
    return table;
}

const KnownSet* find_set(const std::string& name) {
    for (const KnownSet& set : table)
        if (name == set.name) return &set;
    return nullptr;
}

}  // namespace lab
