// How the blocks of a cooperative launch meet in fast mode.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace simt::fast {

// Blocks that wait for each other at a grid.sync(), on all cores.
class GridMeeting {
  public:
    explicit GridMeeting(uint64_t blocks) : blocks_(blocks) {}

    // How many meetings there were; the one that the block has come to is over when there are more.
    uint64_t arrive() {
        const std::lock_guard lock(mutex_);
        const uint64_t before = over_.load();
        ++arrived_;
        settle();
        return before;
    }
    void end_block() {
        const std::lock_guard lock(mutex_);
        ++ended_;
        settle();
    }
    bool is_over(uint64_t meeting) const { return over_.load(std::memory_order_acquire) > meeting; }
    bool never_ends() const { return stuck_.load(std::memory_order_relaxed); }

  private:
    void settle() {
        if (arrived_ == 0 || arrived_ + ended_ < blocks_) return;
        if (ended_ != 0) return stuck_.store(true);
        arrived_ = 0;
        over_.store(over_.load() + 1, std::memory_order_release);
    }

    std::mutex mutex_;
    const uint64_t blocks_;
    uint64_t arrived_ = 0, ended_ = 0;
    std::atomic<uint64_t> over_{0};
    std::atomic<bool> stuck_{false};
};

}  // namespace simt::fast
