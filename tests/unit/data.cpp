// Data: the generated digits are the same everywhere, and a faulty file is named for its fault.
#include <doctest/doctest.h>
#include <zlib.h>

#include <set>

#include "tests/unit/scratch.h"
#include "workbench/data/digits.h"
#include "workbench/data/idx.h"
#include "workbench/data/skeletons.h"

namespace lab {

namespace {

std::string fault_of(const std::string& content) {
    try {
        parse_idx(content, "file");
    } catch (const DataFault& fault) {
        return fault.what();
    }
    return {};
}

std::string fault_in(const std::filesystem::path& folder) {
    try {
        read_dataset(folder);
    } catch (const DataFault& fault) {
        return fault.what();
    }
    return {};
}

std::string packed(const std::string& text) {
    const Scratch scratch;
    gzFile out = gzopen((scratch / "x.gz").c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    std::ifstream in(scratch / "x.gz", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

uint64_t fingerprint(uint64_t seed, int count) {  // FNV-1a
    uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3u; };
    for (int i = 0; i < count; ++i) {
        const Digit digit = make_digit(seed, static_cast<uint64_t>(i));
        add(digit.label);
        for (const uint8_t pixel : digit.pixels) add(pixel);
    }
    return hash;
}

bool says(const std::string& text, const std::string& words) {
    INFO(text);
    return text.find(words) != std::string::npos;
}

const std::string labels_of_three = idx_content({{3}, {7, 0, 9}});

}  // namespace

TEST_CASE("a seed gives the same digits on every machine, and another seed others") {
    CHECK(fingerprint(1, 200) == 0xbcc5f8e6c49d7deau);
    CHECK(fingerprint(1, 20) != fingerprint(2, 20));
    const Digit twelfth = make_digit(1, 12);
    CHECK(make_digit(1, 12).pixels == twelfth.pixels);
    CHECK(make_digit(1, 13).pixels != twelfth.pixels);
}

TEST_CASE("ten digits in a row have ten labels, and their order changes") {
    std::set<std::string> orders;
    for (uint64_t ten = 0; ten < 20; ++ten) {
        std::string order;
        for (uint64_t i = 0; i < 10; ++i) order += static_cast<char>('0' + make_digit(3, ten * 10 + i).label);
        CHECK(std::set<char>(order.begin(), order.end()).size() == 10);
        orders.insert(order);
    }
    CHECK(orders.size() == 20);
}

TEST_CASE("a digit has ink in the middle and none at the rim, as MNIST's have") {
    for (uint64_t i = 0; i < 500; ++i) {
        const Digit digit = make_digit(5, i);
        long ink = 0, x = 0, y = 0, rim = 0;
        for (int row = 0; row < 28; ++row)
            for (int column = 0; column < 28; ++column) {
                const int pixel = digit.pixels[static_cast<size_t>(row * 28 + column)];
                ink += pixel, x += pixel * column, y += pixel * row;
                if (row == 0 || row == 27 || column == 0 || column == 27) rim += pixel;
            }
        INFO("digit ", i, ", a ", int(digit.label));
        CHECK(ink > 20 * 255);
        CHECK(ink < 300 * 255);
        CHECK(rim == 0);
        CHECK(std::abs(double(x) / double(ink) - 13.5) < 1.5);
        CHECK(std::abs(double(y) / double(ink) - 13.5) < 1.5);
    }
}

TEST_CASE("every digit is written in at least three ways") {
    for (int digit = 0; digit < 10; ++digit) CHECK(skeletons_of(digit).size() >= 3);
}

TEST_CASE("a data set that was written is read back, plain or packed") {
    const Scratch scratch;
    const Dataset made = make_digits(1, 30, 20);
    write_dataset(made, scratch / "mine");
    const Dataset back = read_dataset(scratch / "mine");
    CHECK(back.name == "mine");
    CHECK(back.train.count() == 30);
    CHECK(back.test.count() == 20);
    CHECK(back.train.pixels == made.train.pixels);
    CHECK(back.test.labels == made.test.labels);
    CHECK(made.train.picture(0).size() == 784);
    CHECK(std::vector<uint8_t>(made.train.pixels.begin(), made.train.pixels.begin() + 784 * 20) !=
          made.test.pixels);

    const std::string name = std::string("mine/") + idx_names[0];
    scratch.write(name + ".gz", packed(read_unpacked(scratch / name)));
    std::filesystem::remove(scratch / name);
    CHECK(read_dataset(scratch / "mine").train.pixels == made.train.pixels);
    for (const auto& entry : std::filesystem::directory_iterator(scratch / "mine"))
        CHECK(entry.path().string().find(".part") == std::string::npos);
}

TEST_CASE("what is no IDX file is told from one that is cut short or too long") {
    CHECK(fault_of(labels_of_three).empty());
    CHECK(says(fault_of(""), "file is empty"));
    CHECK(says(fault_of("<!DOCTYPE html>"), "web page"));
    CHECK(says(fault_of("\x1f\x8b\x08 and so on"), "packed twice"));
    CHECK(says(fault_of("hello there"), "no IDX file"));
    CHECK(says(fault_of(labels_of_three.substr(0, 6)), "ends within its header"));
    CHECK(says(fault_of(labels_of_three.substr(0, 10)), "needs 3 bytes, and there are 2"));
    CHECK(says(fault_of(labels_of_three + "xy"), "2 bytes behind its end"));
    std::string floats = labels_of_three;
    floats[2] = 0x0d;
    CHECK(says(fault_of(floats), "IDX type 0x0d"));
    std::string flat = labels_of_three;
    flat[3] = 0;
    CHECK(says(fault_of(flat), "0 dimensions"));
    CHECK(says(fault_of(std::string("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16)),
               "damaged"));
}

TEST_CASE("a packed file that is cut or changed is said to be") {
    const Scratch scratch;
    const std::string whole =
        packed(idx_content({{2000}, std::vector<uint8_t>(2000, 7)}) + std::string(300, 'x'));
    scratch.write("cut.gz", whole.substr(0, whole.size() - 6));
    CHECK_THROWS_WITH_AS(read_unpacked(scratch / "cut.gz"), doctest::Contains("cut short"), DataFault);
    std::string changed = whole;
    changed[changed.size() - 7] ^= 1;  // in the sum at its end
    scratch.write("changed.gz", changed);
    CHECK_THROWS_WITH_AS(read_unpacked(scratch / "changed.gz"), doctest::Contains("damaged"), DataFault);
    scratch.write("big.gz", packed(std::string(5000, 'x')));
    CHECK_THROWS_WITH_AS(read_unpacked(scratch / "big.gz", 4999), doctest::Contains("more than 4999 bytes"),
                         DataFault);
    CHECK_THROWS_WITH_AS(read_unpacked(scratch / "none"), doctest::Contains("can't be opened"), DataFault);
    CHECK_THROWS_WITH_AS(read_unpacked(scratch.folder()), doctest::Contains("is a folder"), DataFault);
}

TEST_CASE("a data set whose files do not belong together is refused") {
    const Scratch scratch;
    write_dataset(make_digits(1, 30, 20), scratch.folder());
    const auto change = [&](const char* name, const std::string& content) { scratch.write(name, content); };
    const std::string labels = read_unpacked(scratch / idx_names[1]),
                      images = read_unpacked(scratch / idx_names[0]);
    CHECK(fault_in(scratch.folder()).empty());
    change(idx_names[1], images);
    CHECK(says(fault_in(scratch.folder()), "should hold labels (1 dimension), and has 3 dimensions"));
    change(idx_names[1], labels_of_three);
    CHECK(says(fault_in(scratch.folder()), "30 pictures"));
    std::string eleven = labels;
    eleven[8 + 4] = 11;
    change(idx_names[1], eleven);
    CHECK(says(fault_in(scratch.folder()), "gives picture 4 the label 11"));
    change(idx_names[1], labels);
    CHECK(fault_in(scratch.folder()).empty());
    std::filesystem::remove(scratch / idx_names[2]);
    CHECK(says(fault_in(scratch.folder()), std::string("has no ") + idx_names[2]));
}

}  // namespace lab
