#include <doctest/doctest.h>
#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "simt/include/simt/trace.h"

using namespace simt::trace;

namespace {

void put(std::vector<char>& bytes, const void* data, size_t size) {
    bytes.insert(bytes.end(), static_cast<const char*>(data), static_cast<const char*>(data) + size);
}

void put_record(std::vector<char>& bytes, uint32_t launch, uint32_t mask, bool affine) {
    RecordHeader header{};
    header.launch = launch;
    header.mask = mask;
    header.bytes = 4;
    header.affine = affine;
    put(bytes, &header, sizeof(header));
    if (affine) {
        const int64_t base_and_stride[2] = {1000, -4};
        return put(bytes, base_and_stride, sizeof(base_and_stride));
    }
    for (int k = 0; k < std::popcount(mask); ++k) {
        const uint64_t address = 2000 + 100 * static_cast<uint64_t>(k);
        put(bytes, &address, sizeof(address));
    }
}

std::vector<char> good_file() {
    std::vector<char> records;
    put_record(records, 0, 0xffffffff, true);
    put_record(records, 1, 0x00000015, false);
    put_record(records, 0, 0x80000000, true);
    FileHeader header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, records.size(), 3, 5};
    std::vector<char> file;
    put(file, &header, sizeof(header));
    put(file, records.data(), records.size());
    return file;
}

class TemporaryFile {
  public:
    explicit TemporaryFile(const std::vector<char>& bytes)
        : path_((std::filesystem::temp_directory_path() / ("cudalab-trace-" + std::to_string(getpid())))
                    .string()) {
        std::ofstream(path_, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

Reader read(const std::vector<char>& bytes) {
    return Reader::open(TemporaryFile(bytes).path());
}

}  // namespace

TEST_SUITE_BEGIN("trace");

TEST_CASE("records come back with the address of each lane") {
    const Reader reader = read(good_file());
    CHECK(reader.error().empty());
    REQUIRE(reader.size() == 3);
    CHECK(reader.dropped() == 5);
    CHECK(reader.at(0).address(0) == 1000);
    CHECK(reader.at(0).address(31) == 1000 - 4 * 31);
    CHECK(reader.at(1).address(0) == 2000);
    CHECK(reader.at(1).address(1) == 0);
    CHECK(reader.at(1).address(4) == 2200);
    CHECK(reader.at(2).address(31) == 1000);
    CHECK(reader.at(1).address(-1) == 0);
    CHECK(reader.at(1).address(32) == 0);
    CHECK(reader.at(3).address(0) == 0);
    CHECK(reader.of_launch(0) == std::vector<size_t>{0, 2});
}

TEST_CASE("records are found by launch, block, warp, line and step, in file order") {
    std::vector<char> records;
    for (uint32_t i = 0; i < 12; ++i) {
        RecordHeader header{};
        header.launch = i / 6;
        header.block = i / 3 % 2;
        header.warp = static_cast<uint16_t>(i % 3);
        header.line = 10 + i % 2;
        header.step = i;
        header.mask = 1;
        header.bytes = 4;
        put(records, &header, sizeof(header));
        const uint64_t address = i;
        put(records, &address, sizeof(address));
    }
    FileHeader header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, records.size(), 12, 0};
    std::vector<char> file;
    put(file, &header, sizeof(header));
    put(file, records.data(), records.size());
    const Reader reader = read(file);
    REQUIRE(reader.error().empty());
    CHECK(reader.find({}).size() == 12);
    CHECK(reader.find({.launch = 1}) == std::vector<size_t>{6, 7, 8, 9, 10, 11});
    CHECK(reader.find({.launch = 1, .block = 1}) == std::vector<size_t>{9, 10, 11});
    CHECK(reader.find({.warp = 2, .line = 11}) == std::vector<size_t>{5, 11});
    CHECK(reader.find({.step = 4}) == std::vector<size_t>{4});
    CHECK(reader.find({.launch = 2}).empty());
}

TEST_CASE("a file cut off at any byte gives an error and no records") {
    const std::vector<char> file = good_file();
    for (size_t length = 0; length < file.size(); ++length) {
        const Reader reader = read({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length)});
        CHECK(!reader.error().empty());
        CHECK(reader.size() == 0);
    }
}

TEST_CASE("a missing file gives an error") {
    CHECK(!Reader::open("/nowhere/x.trace").error().empty());
}

TEST_CASE("a header that lies about sizes gives an error") {
    for (const size_t field : {size_t{8}, size_t{16}}) {
        for (const uint64_t lie : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 40, ~uint64_t{0}}) {
            std::vector<char> file = good_file();
            std::memcpy(file.data() + field, &lie, sizeof(lie));
            CHECK(!read(file).error().empty());
        }
    }
}

TEST_CASE("random damage never crashes the reader, and what it accepts can be walked (seed 1)") {
    std::mt19937 random(1);
    const std::vector<char> original = good_file();
    for (int round = 0; round < 2000; ++round) {
        std::vector<char> file = original;
        for (int i = 0; i < 3; ++i) file[random() % file.size()] = static_cast<char>(random());
        const Reader reader = read(file);
        uint64_t sum = 0;
        for (size_t i = 0; i < reader.size(); ++i) {
            for (int lane = 0; lane < 32; ++lane) sum += reader.at(i).address(lane);
        }
        CHECK((reader.error().empty() ? reader.size() + reader.orders().size() == 3 : sum == 0));
    }
}

TEST_CASE("fences and what they hand over stand apart from the accesses") {
    std::vector<char> records;
    put_record(records, 7, 0x3, false);
    for (const OrderOperation operation : {OrderOperation::fence, OrderOperation::release}) {
        RecordHeader header{};
        header.launch = 7;
        header.mask = 0x10;
        header.op = Op::exchange;
        header.space = Space::order;
        header.operation = uint32_t(operation);
        const OrderEvent event{4096, 2, 0, 1, 1};
        put(records, &header, sizeof header);
        put(records, &event, sizeof event);
    }
    put_record(records, 7, 0x1, false);
    FileHeader file_header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, records.size(), 4, 0};
    std::vector<char> file;
    put(file, &file_header, sizeof file_header);
    put(file, records.data(), records.size());

    const Reader reader = read(file);
    REQUIRE(reader.error().empty());
    CHECK(reader.size() == 2);
    CHECK(reader.of_launch(7) == std::vector<size_t>{0, 1});
    REQUIRE(reader.orders().size() == 2);
    CHECK(reader.orders()[0].header.operation == uint32_t(OrderOperation::fence));
    CHECK(reader.orders()[1].header.operation == uint32_t(OrderOperation::release));
    CHECK(reader.orders()[1].event.address == 4096);
    CHECK(reader.orders()[1].event.number == 2);
    CHECK(reader.orders()[1].event.last == 1);
    file.pop_back();
    CHECK(!read(file).error().empty());
}

TEST_CASE("what a warp exchanged comes back lane by lane, and has no addresses") {
    RecordHeader header{};
    header.mask = 0x7;
    header.op = Op::exchange;
    header.space = Space::warp;
    header.operation = uint32_t(WarpOperation::shuffle_down);
    WarpExchange exchange{};
    exchange.asked = 0xf;
    for (int lane = 0; lane < 3; ++lane) {
        exchange.source[lane] = int8_t(lane + 1);
        exchange.value[lane] = 100 + uint64_t(lane);
        exchange.result[lane] = 101 + uint64_t(lane);
    }
    std::vector<char> records;
    put(records, &header, sizeof header);
    put(records, &exchange, sizeof exchange);
    put_record(records, 0, 0x3, false);
    FileHeader file_header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, records.size(), 2, 0};
    std::vector<char> file;
    put(file, &file_header, sizeof file_header);
    put(file, records.data(), records.size());

    const Reader reader = read(file);
    REQUIRE(reader.size() == 2);
    CHECK(reader.at(0).address(0) == 0);
    const WarpExchange got = reader.at(0).exchange();
    CHECK(got.asked == 0xf);
    CHECK(got.source[2] == 3);
    CHECK(got.value[1] == 101);
    CHECK(got.result[1] == 102);
    CHECK(reader.at(1).address(1) == 2100);
    CHECK(reader.at(1).exchange().asked == 0);

    // A record that is neither an access nor an exchange is damaged.
    file[sizeof(FileHeader) + offsetof(RecordHeader, op)] = char(Op::load);
    CHECK(read(file).error().find("damaged") != std::string::npos);
}

TEST_CASE("a fetch from a texture comes back as the places that its lanes sampled, and how") {
    const TextureSampling how{{3, 1}, true, true};
    const TexturePlace places[] = {{-384, 128}, {-129, 300}, {2147483647, -2147483647}};
    RecordHeader header{};
    header.mask = 0x7;
    header.op = Op::load;
    header.space = Space::texture;
    header.operation = how.packed();
    std::vector<char> records;
    put(records, &header, sizeof header);
    for (const TexturePlace& place : places) {
        const uint64_t packed = TexturePlace::packed(place);
        put(records, &packed, sizeof packed);
    }
    FileHeader file_header{{'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'}, records.size(), 1, 0};
    std::vector<char> file;
    put(file, &file_header, sizeof file_header);
    put(file, records.data(), records.size());

    const Reader reader = read(file);
    REQUIRE(reader.size() == 1);
    for (int lane = 0; lane < 3; ++lane) {
        const TexturePlace got = TexturePlace::unpacked(reader.at(0).address(lane));
        CHECK(got.x == places[lane].x);
        CHECK(got.y == places[lane].y);
    }
    const TextureSampling got = TextureSampling::unpacked(reader.at(0).header.operation);
    CHECK(got.mode[0] == 3);
    CHECK(got.mode[1] == 1);
    CHECK(got.filters);
    CHECK(got.normalized);

    // Surfaces are not in the trace.
    file[sizeof(FileHeader) + offsetof(RecordHeader, op)] = char(Op::store);
    CHECK(read(file).error().find("damaged") != std::string::npos);
}

TEST_SUITE_END();
