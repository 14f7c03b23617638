// The trace: one record a warp instruction, as the machine wrote it during a checked run.
//
// The file is the memory region of session.h with a header in front. Records are 8-byte aligned and of
// variable length. `open` maps and indexes a file; it checks every length, so a damaged file gives an error,
// not a crash.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace simt::trace {

enum class Op : uint8_t { load = 0, store = 1, atomic = 2, exchange = 3 };  // exchange: space warp alone
enum class Space : uint8_t {
    global = 0,
    shared = 1,
    local = 2,
    constant = 3,
    other = 4,
    barrier = 5,
    texture = 6,  // a fetch from a 2D texture; surfaces and other textures are counted, and not in the trace
    warp = 7,     // no memory: a shuffle, a vote, a reduction or a __syncwarp; WarpExchange has its payload
    order = 8,    // no access of its own: a fence, or what a thread handed over or learnt; OrderEvent
};

enum class AtomicOperation : uint32_t {
    unknown = 0,
    add,
    sub,
    exchange,
    minimum,
    maximum,
    increment,
    decrement,
    compare_exchange,
    bit_and,
    bit_or,
    bit_xor,
    load,
    store,
};

enum class WarpOperation : uint32_t {
    unknown = 0,
    barrier,
    shuffle_index,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    vote_all,
    vote_any,
    vote_ballot,
    vote_uniform,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
};

enum class OrderOperation : uint32_t {
    unknown = 0,
    fence,
    release,  // an atomic or volatile write hands over what a fence before it covered
    acquire,  // an atomic or volatile read sees such writes
};

struct FileHeader {
    char magic[8];   // "SIMTTRC1"
    uint64_t bytes;  // of records that follow
    uint64_t records;
    uint64_t dropped;  // records that did not fit
};

// On disk and in memory. `lanes` addresses (uint64_t) follow, in ascending lane order, unless `affine` is
// set: then two follow, base and stride (as int64_t): lane number k (counting set bits of `mask`) is at base
// + k * stride. In space `warp` a WarpExchange follows instead; `step` is that of the warp's next
// access, and the order among exchanges is in their `number`.
struct RecordHeader {
    uint32_t launch;  // index of the launch in the session
    uint32_t block;   // linear: x + y * grid.x + z * grid.x * grid.y
    uint32_t step;    // 0, 1, 2 ... within the warp, in the order that the lanes share instructions
    uint32_t mask;    // active lanes; in space `warp`: those that met
    uint32_t line;    // in the learner's file; 0: unknown
    uint16_t column;  // in the rewritten text; 0: unknown
    uint16_t warp;    // within the block
    uint8_t bytes;    // per lane
    Op op;
    Space space;
    uint8_t affine;
    uint32_t phase;  // barriers of the block passed before this access
    // AtomicOperation, in space `warp` WarpOperation, in `order` OrderOperation, in `texture` TextureSampling; 0: none,
    // or not known. Of a load or store that is no atomic: AtomicOperation::load or ::store where it is volatile, else 0.
    uint32_t operation;
    uint32_t changed;  // of an atomic: lanes that changed what was there; not those of a swap that failed
};
static_assert(sizeof(RecordHeader) == 40);

// Space `texture`: in place of an address, each lane's payload is where it sampled (TexturePlace). `operation` says how
// (TextureSampling), `changed` has the texture's columns in the low half and its rows in the high one, 0 where they do
// not fit.
struct TexturePlace {
    // In 256ths of a texel, as the coordinates say before any addressing. Texel i lies from 256 i to 256 (i + 1), its
    // middle at 256 i + 128.
    int32_t x, y;
    static uint64_t packed(TexturePlace at) {
        return uint64_t{static_cast<uint32_t>(at.y)} << 32 | static_cast<uint32_t>(at.x);
    }
    static TexturePlace unpacked(uint64_t bits) {
        return {static_cast<int32_t>(static_cast<uint32_t>(bits)),
                static_cast<int32_t>(static_cast<uint32_t>(bits >> 32))};
    }
};
struct TextureSampling {
    uint8_t mode[2];  // of x and y, numbered as cudaTextureAddressMode: wrap, clamp, mirror, border
    bool filters;     // linearly
    bool normalized;  // the coordinates
    uint32_t packed() const {
        return mode[0] | mode[1] << 2u | uint32_t{filters} << 4 | uint32_t{normalized} << 5;
    }
    static TextureSampling unpacked(uint32_t bits) {
        return {{static_cast<uint8_t>(bits & 3), static_cast<uint8_t>(bits >> 2 & 3)},
                (bits >> 4 & 1) != 0,
                (bits >> 5 & 1) != 0};
    }
};

// What the lanes of a warp told each other. Values are the bits of the learner's type in the low bytes.
struct WarpExchange {
    uint32_t asked;     // the mask that the call named; lanes in it and not in the record's mask did not come
    uint32_t number;    // 0, 1, 2 ... within the warp
    int8_t source[32];  // shuffles: the lane that each read from; -1: no shuffle, or it was not there
    uint64_t value[32];  // that each lane brought; 0 if it was not there
    uint64_t result[32];
};
static_assert(sizeof(WarpExchange) == 552);

// What the race checker noted (checker/order.h). The record's mask has the one lane; `step` is that of its access, of a
// fence that of the warp's next one.
struct OrderEvent {
    uint64_t address = 0;  // of the flag; of a fence 0
    uint32_t number = 0;   // 0, 1, 2 ... within the launch, as it went
    uint32_t first =
        0;  // an acquire: the numbers of the first and the last release to `address` that it sees
    uint32_t last = 0;
    uint32_t scope =
        0;  // of a fence, as in abi.h: 0 device, 1 block, 2 system; a release's is 1 if its block alone sees it
};
static_assert(sizeof(OrderEvent) == 24);

// Bytes of the record with this header; the payload is 8-byte words, so every record stays 8-byte aligned.
inline size_t record_bytes(const RecordHeader& header) {
    if (header.space == Space::warp) return sizeof(RecordHeader) + sizeof(WarpExchange);
    if (header.space == Space::order) return sizeof(RecordHeader) + sizeof(OrderEvent);
    const int words = header.affine ? 2 : std::popcount(header.mask);
    return sizeof(RecordHeader) + static_cast<size_t>(words) * sizeof(uint64_t);
}

struct Access {
    RecordHeader header;
    // Byte address that `lane` (0 to 31) touches; 0 if the lane is not in the mask, or in space `warp`.
    uint64_t address(int lane) const;
    // In space `warp`; all zero elsewhere.
    WarpExchange exchange() const;
    const uint64_t* payload = nullptr;
};

struct Order {
    RecordHeader header;
    OrderEvent event;
};

// What to look for; -1: any.
struct Filter {
    int64_t launch = -1, block = -1, warp = -1, line = -1, step = -1;
};

class Reader {
  public:
    // Reads `path`. On failure `error()` says what is wrong with the file and what to do, and `size()` is 0.
    static Reader open(const std::string& path);
    const std::string& error() const { return error_; }
    size_t size() const { return offsets_.size(); }
    uint64_t dropped() const { return dropped_; }
    Access at(size_t index) const;
    // Indices of the records of one launch, in file order.
    std::vector<size_t> of_launch(uint32_t launch) const;
    // Indices of the records that fit the filter, in file order.
    std::vector<size_t> find(const Filter& filter) const;
    // The records of space `order`, which are not among the others, in file order.
    const std::vector<Order>& orders() const { return orders_; }

  private:
    std::vector<char> bytes_;
    std::vector<uint64_t> offsets_;
    std::vector<Order> orders_;
    uint64_t dropped_ = 0;
    std::string error_;
};

}  // namespace simt::trace
