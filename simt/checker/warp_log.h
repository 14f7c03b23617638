// What a warp did since its logs were last flushed: one entry a warp instruction.
//
// The lanes of a warp run one after the other here. What a lane does joins an entry when its position (call
// path, loop trips) and site agree; that is ideal SIMT. When a lane has touched `window` entries of a log it
// waits until the others have caught up; then the logs are flushed into the metrics and the trace.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/include/simt/trace.h"

namespace simt {

struct LogEntry {  // a load, a store or an atomic
    static constexpr uint32_t window = 1024;
    uint64_t key = 0;
    uint32_t site = 0;  // offset in the program's text
    uint32_t mask = 0;
    uint32_t phase = 0;
    trace::Op op{};
    trace::Space space{};
    uint8_t bytes = 0;
    static constexpr uint8_t is_volatile = 1;
    uint8_t scalar = 0;    // atomics: simt::Atomic; loads and stores: is_volatile or 0
    uint32_t changed = 0;  // atomics: lanes whose operation changed what was there
    uint32_t texture = 0;  // a fetch from a 2D texture: its handle, and `address` holds TexturePlaces; else 0
    uint64_t address[32];
    void start(uint64_t new_key) {
        key = new_key;
        mask = changed = texture = 0;
    }
};

struct BranchEntry {  // a basic block that can go on in several ways
    static constexpr uint32_t window = 4096;
    uint64_t key = 0;
    uint32_t site = 0;    // offset in the program's text
    uint32_t mask = 0;    // lanes that went on at `target`
    uint32_t others = 0;  // lanes that went on elsewhere
    uint32_t target = 0;
    void start(uint64_t new_key) {
        key = new_key;
        mask = others = 0;
    }
};

template <class Entry>
class StepLog {
  public:
    // The entry for `key`, made if it is new. `cursor` is where the lane is in the log.
    Entry& find(uint64_t key, uint32_t& cursor) {
        if (cursor < size_ && entries_[cursor].key == key) return entries_[cursor++];
        return find_slow(key, cursor);
    }
    uint32_t size() const { return size_; }
    Entry* begin() { return entries_.data(); }
    Entry* end() { return entries_.data() + size_; }
    void clear() {
        step += size_;
        size_ = 0;
        index_.clear();
        indexed_ = 0;
    }
    uint32_t step = 0;  // of the first entry

  private:
    __attribute__((noinline)) Entry& find_slow(uint64_t key, uint32_t& cursor) {
        // The first lane only appends: the index is built when a lane first leaves the order of those before.
        if (cursor < size_ || indexed_ != 0) {
            for (; indexed_ < size_; ++indexed_) index_.emplace(entries_[indexed_].key, indexed_);
            const auto found = index_.find(key);
            if (found != index_.end()) {
                cursor = found->second + 1;
                return entries_[found->second];
            }
        }
        if (size_ == entries_.size()) entries_.resize(entries_.empty() ? 64 : entries_.size() * 2);
        Entry& entry = entries_[size_];
        entry.start(key);
        cursor = ++size_;
        return entry;
    }

    std::vector<Entry> entries_;
    uint32_t size_ = 0;
    std::unordered_map<uint64_t, uint32_t> index_;
    uint32_t indexed_ = 0;
};

using AccessLog = StepLog<LogEntry>;
using BranchLog = StepLog<BranchEntry>;

struct WarpLog {
    AccessLog accesses;
    BranchLog branches;
    double cycles = 0;       // of waiting, for the timeline's model (kernel_work.h)
    uint32_t exchanges = 0;  // shuffles, votes and the like so far
    uint64_t block = 0;
};

// Where a lane is in its warp's log, and how many entries it has touched since the last flush.
struct LogCursor {
    uint32_t next = 0, used = 0;
};

}  // namespace simt
