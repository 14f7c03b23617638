// Whether anything can still happen in a block: a deadlock is said as soon as it is certain, not when a budget is spent.
//
// A thread that looks at memory in a loop comes round to a state (its registers and stack, as they are saved while others
// run) that it has been in before. If nobody wrote anything in between, it will come round for ever, until somebody
// writes. A block stands still when each of its threads either does so or waits for one that does; when all blocks do,
// nobody ever will write. A loop that counts its tries or asks the clock has a new state each time, so that it is left
// to end by itself.
#pragma once

#include <cstdint>
#include <vector>

namespace simt {

struct BlockRun;
struct Lane;

class Standstill {
  public:
    // After a sweep in which every thread of the block that can run had a turn, and none ended or got to a wait.
    void look(const BlockRun& block);
    // As of that sweep, if nothing has changed since.
    bool is_certain(const BlockRun& block) const;
    void forget() { changes_ = 0; }

  private:
    struct Seen {
        uint64_t state = 0;
        uint32_t turns = 0;
        bool is_set = false, comes_round = false;
    };
    static bool comes_round(const Lane& lane, Seen& seen);

    std::vector<Seen> seen_;  // of every thread
    uint64_t changes_ = 0;    // of the launch (LaunchRun::changes), when it last looked
    unsigned sweeps_ = 0;     // since they changed
    unsigned next_start_ = 0;
    bool certain_ = false;
};

// Another thread of the host may yet write what kernels look at.
bool host_may_write();

}  // namespace simt
