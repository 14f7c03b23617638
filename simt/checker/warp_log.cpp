#include "simt/checker/warp_log.h"

namespace simt {

void WarpLog::clear() {
    step += size_;
    size_ = 0;
    index_.clear();
    indexed_ = 0;
}

LogEntry& WarpLog::find_slow(uint64_t key, uint32_t& cursor) {
    // The first lane only appends: the index is built when a lane first leaves the order of those before it.
    if (cursor < size_) {
        for (; indexed_ < size_; ++indexed_) index_.emplace(entries_[indexed_].key, indexed_);
        const auto found = index_.find(key);
        if (found != index_.end()) {
            cursor = found->second + 1;
            return entries_[found->second];
        }
    } else if (size_ != 0 && indexed_ != 0) {
        for (; indexed_ < size_; ++indexed_) index_.emplace(entries_[indexed_].key, indexed_);
        const auto found = index_.find(key);
        if (found != index_.end()) {
            cursor = found->second + 1;
            return entries_[found->second];
        }
    }
    if (size_ == entries_.size()) entries_.resize(entries_.empty() ? 64 : entries_.size() * 2);
    LogEntry& entry = entries_[size_];
    entry.key = key;
    entry.mask = 0;
    cursor = ++size_;
    return entry;
}

}  // namespace simt
