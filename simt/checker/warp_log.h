// What a warp did since its log was last flushed: one entry a warp instruction, with the address of each
// lane.
//
// The lanes of a warp run one after the other here. An access joins an entry when its position (call path,
// loop trips) and site agree; that is ideal SIMT. When a lane has touched `window` entries it waits until the
// others have caught up; then the log is flushed into the metrics and the trace.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/include/simt/trace.h"

namespace simt {

struct LogEntry {
    uint64_t key = 0;
    uint32_t site = 0;  // offset in the program's text
    uint32_t mask = 0;
    uint32_t phase = 0;
    trace::Op op{};
    trace::Space space{};
    uint8_t bytes = 0;
    uint8_t scalar = 0;  // atomics: simt::Atomic
    uint64_t address[32];
};

class WarpLog {
  public:
    static constexpr uint32_t window = 1024;

    // The entry for `key`, made if it is new. `cursor` is where the lane is in the log.
    LogEntry& find(uint64_t key, uint32_t& cursor) {
        if (cursor < size_ && entries_[cursor].key == key) return entries_[cursor++];
        return find_slow(key, cursor);
    }
    uint32_t size() const { return size_; }
    LogEntry* begin() { return entries_.data(); }
    LogEntry* end() { return entries_.data() + size_; }
    void clear();
    uint32_t step = 0;  // of the first entry

  private:
    LogEntry& find_slow(uint64_t key, uint32_t& cursor);
    std::vector<LogEntry> entries_;
    uint32_t size_ = 0;
    std::unordered_map<uint64_t, uint32_t> index_;
    uint32_t indexed_ = 0;
};

}  // namespace simt
