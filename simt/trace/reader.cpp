#include "simt/include/simt/trace.h"

#include <bit>
#include <cstring>
#include <fstream>

namespace simt::trace {

namespace {

constexpr char kMagic[8] = {'S', 'I', 'M', 'T', 'T', 'R', 'C', '1'};
constexpr const char* kAdvice = " Grade or run the file again to write a new one.";

RecordHeader header_at(const std::vector<char>& bytes, uint64_t offset) {
    RecordHeader header;
    std::memcpy(&header, bytes.data() + offset, sizeof(header));
    return header;
}

bool is_sound(const RecordHeader& header) {
    if (header.affine > 1) return false;
    if (header.space == Space::warp || header.space == Space::order) return header.op == Op::exchange;
    if (header.space == Space::texture) return header.op == Op::load;
    return header.op <= Op::atomic && header.space <= Space::barrier;
}

// Reads the whole file; an empty error means that it worked.
std::string read_file(const std::string& path, std::vector<char>& bytes) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return "The trace file " + path + " can't be opened." + kAdvice;
    const std::streamoff size = file.tellg();
    if (size < 0) return "The trace file " + path + " can't be read." + kAdvice;
    bytes.resize(static_cast<size_t>(size));
    file.seekg(0);
    file.read(bytes.data(), size);
    if (file.gcount() != size) return "The trace file " + path + " can't be read to its end." + kAdvice;
    return "";
}

Order order_at(const std::vector<char>& bytes, uint64_t offset) {
    Order order{header_at(bytes, offset), {}};
    std::memcpy(&order.event, bytes.data() + offset + sizeof(RecordHeader), sizeof order.event);
    return order;
}

// Offsets of all accesses, and the records of order; an empty error means that all lengths add up.
std::string index_records(const std::string& path, const std::vector<char>& bytes,
                          std::vector<uint64_t>& offsets, std::vector<Order>& orders, uint64_t& dropped) {
    FileHeader header;
    if (bytes.size() < sizeof(header))
        return "The trace file " + path + " is cut off: it has no header." + kAdvice;
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
        return "The file " + path + " is no trace of this version of cudalab." + kAdvice;
    }
    if (header.bytes != bytes.size() - sizeof(header)) {
        return "The trace file " + path + " is cut off or has bytes too many." + kAdvice;
    }
    if (header.records > header.bytes / sizeof(RecordHeader)) {
        return "The trace file " + path + " is damaged: it claims more records than it can hold." + kAdvice;
    }
    dropped = header.dropped;
    offsets.reserve(header.records);
    uint64_t at = sizeof(header);
    while (at < bytes.size()) {
        const std::string place = "The trace file " + path + " is damaged at record " +
                                  std::to_string(offsets.size() + orders.size()) + ".";
        if (bytes.size() - at < sizeof(RecordHeader)) return place + kAdvice;
        const RecordHeader record = header_at(bytes, at);
        if (!is_sound(record) || record_bytes(record) > bytes.size() - at) return place + kAdvice;
        if (record.space == Space::order) {
            orders.push_back(order_at(bytes, at));
        } else {
            offsets.push_back(at);
        }
        at += record_bytes(record);
    }
    if (const size_t records = offsets.size() + orders.size(); records != header.records) {
        return "The trace file " + path + " is damaged: it holds " + std::to_string(records) +
               " records and claims " + std::to_string(header.records) + "." + kAdvice;
    }
    return "";
}

}  // namespace

uint64_t Access::address(int lane) const {
    if (header.space == Space::warp) return 0;
    if (lane < 0 || lane > 31 || !(header.mask >> lane & 1u) || !payload) return 0;
    const auto rank = static_cast<uint64_t>(std::popcount(header.mask & ((uint32_t{1} << lane) - 1)));
    return header.affine ? payload[0] + rank * payload[1] : payload[rank];  // the stride wraps like int64_t
}

WarpExchange Access::exchange() const {
    WarpExchange exchange{};
    if (header.space == Space::warp && payload) std::memcpy(&exchange, payload, sizeof exchange);
    return exchange;
}

Reader Reader::open(const std::string& path) {
    Reader reader;
    reader.error_ = read_file(path, reader.bytes_);
    if (reader.error_.empty())
        reader.error_ = index_records(path, reader.bytes_, reader.offsets_, reader.orders_, reader.dropped_);
    if (!reader.error_.empty()) {
        reader.bytes_.clear();
        reader.offsets_.clear();
        reader.orders_.clear();
        reader.dropped_ = 0;
    }
    return reader;
}

Access Reader::at(size_t index) const {
    if (index >= offsets_.size()) return {};
    const uint64_t offset = offsets_[index];
    // Records are 8-byte aligned in the file, and a vector's storage is aligned for any scalar.
    return {header_at(bytes_, offset),
            reinterpret_cast<const uint64_t*>(bytes_.data() + offset + sizeof(RecordHeader))};
}

std::vector<size_t> Reader::of_launch(uint32_t launch) const {
    std::vector<size_t> indices;
    for (size_t i = 0; i < offsets_.size(); ++i) {
        if (header_at(bytes_, offsets_[i]).launch == launch) indices.push_back(i);
    }
    return indices;
}

std::vector<size_t> Reader::find(const Filter& filter) const {
    const auto fits = [](int64_t wanted, uint32_t value) { return wanted < 0 || wanted == value; };
    std::vector<size_t> indices;
    for (size_t i = 0; i < offsets_.size(); ++i) {
        const RecordHeader h = header_at(bytes_, offsets_[i]);
        if (fits(filter.launch, h.launch) && fits(filter.block, h.block) && fits(filter.warp, h.warp) &&
            fits(filter.line, h.line) && fits(filter.step, h.step))
            indices.push_back(i);
    }
    return indices;
}

}  // namespace simt::trace
