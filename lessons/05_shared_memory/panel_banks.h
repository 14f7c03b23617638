// What lesson 05's panel shows, derived from a run: each visit of a warp to shared memory, dealt out to the 32 banks, turn by
// turn.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/panels/run_choice.h"
#include "app/panels/warp_accesses.h"

namespace lab::lesson_05_shared_memory {

constexpr int lanes = 32;

// One request of a warp. A bank hands out one word a turn; all lanes that want that word get it.
struct Visit {
    WarpAccess access;
    std::array<int64_t, lanes>
        word{};                     // of the block's shared memory, from 0; -1: the lane is not in the mask
    std::array<int, lanes> turn{};  // in which a lane is served, from 0; -1: not in the mask
    int turns = 1;

    static int bank_of(int64_t word) { return int(word % banks); }
    std::vector<int> served(int bank, int turn) const;  // lanes
};

// One launch.
struct Scene {
    std::vector<Visit> visits;  // by block, phase, step and warp
    int64_t pitch = 0;          // words from a row of the tile to the next; 0: rows could not be made out
    int side = 0;               // threads of a block in x
    int64_t padding() const { return pitch - side; }
};
Scene scene_of(const RunChoice& choice);

// "Warp 3 of block 0 reads at line 27. 32 words, all in bank 0: 32 turns."
std::string sentence_of(const Visit& visit, const std::string& block);
// "Lane k reads word 3 + 33 k, which is in bank (3 + 1 k) mod 32." Empty: the words follow no such rule.
std::string rule_of(const Visit& visit);

// Turns of the slowest read of a tile of side 32, by its padding, as the reader's own tries have shown them.
class PaddingTable {
  public:
    bool note(const Scene& scene);  // false: not such a tile
    const std::map<int64_t, int>& turns() const { return turns_; }
    int64_t last() const { return last_; }  // padding; -1: none yet

  private:
    std::map<int64_t, int> turns_;
    int64_t last_ = -1;
};

}  // namespace lab::lesson_05_shared_memory
