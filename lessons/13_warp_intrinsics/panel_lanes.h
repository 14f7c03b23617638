// What the panel shows, derived from a run: what the lanes of each warp told each other, and which lanes were at work in each
// instruction that went to memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/model/run_bundle.h"

namespace lab::lesson_13_warp_intrinsics {

constexpr int lanes = 32;

// One shuffle, vote, reduction or __syncwarp of a warp.
struct Exchange {
    simt::trace::WarpOperation operation{};
    uint32_t step = 0;   // of the warp's next access to memory
    uint32_t came = 0;   // lanes that met
    uint32_t asked = 0;  // lanes that the mask named
    int line = 0;
    std::array<int, lanes> source{};  // shuffles: whom each lane asked; -1: nobody
    std::array<uint64_t, lanes> value{}, result{};

    bool is_shuffle() const;
    bool is_ballot() const { return operation == simt::trace::WarpOperation::vote_ballot; }
    bool is_barrier() const { return operation == simt::trace::WarpOperation::barrier; }
    bool has(int lane) const { return came >> lane & 1; }
    bool is_missed(int lane) const { return (asked & ~came) >> lane & 1; }
    uint32_t ballot() const;           // the bits that all lanes got
    int rank(int lane) const;          // of a ballot: yes votes in the lanes before it
    int distance() const;              // of a shuffle up, down or xor: to the lane asked; 0: none
    bool asks_absent(int lane) const;  // it asked a lane that did not come
};

// One instruction of a warp that went to memory.
struct Instruction {
    uint32_t step = 0, mask = 0;
    int line = 0;
    simt::trace::Op op{};
};

struct WarpTalk {
    uint32_t block = 0;
    int warp = 0;
    std::vector<Exchange> exchanges;        // in the order that they happened
    std::vector<Instruction> instructions;  // by step
};

// One launch of a case.
struct Scene {
    const Kernel* kernel = nullptr;
    std::vector<WarpTalk> warps;            // by block and warp
    bool talks() const;                     // any exchange at all
    double metric(const char* name) const;  // 0: not counted
};

// By launch, in order. The bundle must outlive what comes back.
std::vector<Scene> scenes_of(const RunBundle& bundle, int case_index);

// "__shfl_down_sync by 16", "__ballot_sync"
std::string name_of(const Exchange& exchange);

// The bits that a lane brought or got, as the whole number that they are in this lesson.
int64_t number_of(uint64_t bits);

}  // namespace lab::lesson_13_warp_intrinsics
