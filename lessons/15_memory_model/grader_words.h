// What the grader of lesson 15 says: what a finding means here, and what wrong sums have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workbench/grading/lab.h"

namespace lab::lesson_15_memory_model {

constexpr size_t threads = 128;
constexpr float sum_before = 1000003;

// For findings of `kind` at `buffer` (empty: any) whose message has `part` (empty: any).
struct Advice {
    std::string_view kind, buffer, part;
    std::string_view what;  // goes before the machine's own sentence
    std::string_view next;  // empty: the machine's own
};
inline const Advice advices[] = {
    {"global-race", "flag", "the write is a plain one", "The flag is raised by a plain store: ",
     "In raise_flag, store through a pointer to volatile, or by atomicExch: memory is then really written."},
    {"global-race", "flag", "the read is a plain one", "wait_for looks at the flag with plain loads: ",
     "Look through a pointer to volatile. A plain look may be made once, and its answer kept in a register "
     "for ever."},
    {"global-race", "letter", "has called no __threadfence()",
     "The flag may arrive before the letter, for no fence stands between them: ",
     "In raise_flag: __syncthreads(), then thread 0 calls __threadfence(), then it raises the flag."},
    {"global-race", "letter", "no flag was raised behind",
     "Nothing that block 1 can see comes after the fence: ",
     "A fence orders what stands above it before what stands below it, so the flag has to be below."},
    {"global-race", "letter", "does not cover that write",
     "The flag was raised for numbers that the fence does not cover: ", ""},
    {"global-race", "letter", "after its look at the flag",
     "Block 1 has seen the flag, and no fence of the reader's stands between the look and the letter: ",
     "In wait_for: thread 0 looks until the flag is raised, then calls __threadfence(); then "
     "__syncthreads()."},
    {"global-race", "letter", "the reader did not wait", "Block 1 reads the letter before the flag is up: ",
     "wait_for looks in a loop, `while`, until the flag is raised; a barrier behind it holds the others of "
     "the block back."},
    {"global-race", "letter", "another thread of the reader's block",
     "Thread 0 has waited, the others of its block have not: ",
     "End wait_for with __syncthreads(), outside the condition: all of the block wait for thread 0 there."},
    {"global-race", "letter", "", "The letter is not handed over: ", ""},
    {"global-race", "done", " read ",
     "A ticket is drawn in two parts, a read and a write, and another block came between: ",
     "unsigned int ticket = atomicAdd(d_done, 1u) adds one and gives what was there before, in one piece."},
    {"global-race", "done", "", "d_done is set by one block while others draw tickets from it: ",
     "Only the last block knows that nobody else comes to the counter: let that one set it back to 0, at the "
     "end."},
    {"global-race", "partials", "the reader did not wait",
     "A block took itself for the last one, and others had not left their sums yet: ",
     "One ticket a block, drawn by thread 0 when the block's sum is stored. The last block is the one whose "
     "ticket is gridDim.x - 1, whatever its blockIdx.x."},
    {"global-race", "partials", "__threadfence_block()", "", ""},
    {"global-race", "partials", "does not cover that write",
     "The ticket speaks of a sum that the fence does not cover: ",
     "Thread 0 does it in this order: store the sum, __threadfence(), take the ticket."},
    {"global-race", "partials", "",
     "Whoever sees the ticket need not see the sum, for no fence stands between them: ",
     "Thread 0 does it in this order: store the sum, __threadfence(), take the ticket. __syncthreads() is "
     "for its own block, and the last block is another one."},
    {"shared-race", "is_last", "", "is_last is set by thread 0 and read by all: ",
     "Put __syncthreads() between the ticket and the look at is_last."},
    {"shared-race", "", "", "block_sum is at work in shared memory: ",
     "All threads of the block call block_sum, and between two calls of it nobody may be left behind."},
    {"deadlock", "flag", "", "Block 1 waits for a flag that nobody raises: ",
     "raise_flag stores a 1 into *flag, when all of its block have written."},
    {"barrier-divergence", "", "", "Not all threads of the block come to the same barrier: ",
     "In raise_flag and wait_for, __syncthreads() stands outside the `if`. And in keep_kernel all 32 lanes "
     "need the same number: lane 0 draws a ticket, and __shfl_sync gives it to the others."},
};

inline const Advice* advice_for(const Finding& finding) {
    for (const Advice& advice : advices) {
        if (finding.kind != advice.kind) continue;
        if (!advice.buffer.empty() && finding.buffer != advice.buffer) continue;
        if (finding.message.find(advice.part) != std::string::npos) return &advice;
    }
    return nullptr;
}

struct Words {
    std::string what, next;  // empty: nothing to tell
};

// Of a block that waits in vain for the flag of another one. `room`: how many blocks the card holds at once; 0: all.
inline Words words_for_the_row(const Finding& finding, size_t blocks, size_t room) {
    const std::string said = finding.message + ".";
    if (room > 0 && blocks > room)
        return {"The card has room for " + std::to_string(room) + " of the " + std::to_string(blocks) +
                    " blocks at once, and those that have started wait for one that has not: " + said,
                "blockIdx.x says nothing about who starts first. Let the block's number be its ticket from "
                "d_next, as it is: all lower tickets are with blocks that have started."};
    return {"No block raises the flag that this one waits for: " + said,
            "The numbers are 0, 1, 2, ... and none is left out: the ticket is what d_next held before, and "
            "each block draws one."};
}

// Of the numbers that the blocks take of which `has(block)` is true.
template <class Has>
long long sum_of_blocks(const std::vector<int>& numbers, int blocks, Has has) {
    long long sum = 0;
    for (size_t i = 0; i < numbers.size(); ++i)
        if (has(i / threads % static_cast<size_t>(blocks))) sum += numbers[i];
    return sum;
}

inline Words words_for_sum(float got, const std::vector<int>& numbers, int blocks) {
    const auto all = [](size_t) { return true; };
    const long long right = sum_of_blocks(numbers, blocks, all);
    const auto last = static_cast<size_t>(blocks) - 1;
    if (got == sum_before)
        return {"That is what was there before: no block took itself for the last one.",
                "Tickets are what the counter held before: 0, 1, ... gridDim.x - 1. Who gets gridDim.x - 1, "
                "is last."};
    if (got == static_cast<float>(right) + sum_before)
        return {"What was in d_sum before the call is still in it.",
                "The last block stores the sum: nobody else adds to it."};
    if (blocks > 1)
        for (const size_t own : {size_t{0}, last})
            if (got == static_cast<float>(
                           sum_of_blocks(numbers, blocks, [&](size_t block) { return block == own; })))
                return {"That is the sum of block " + std::to_string(own) + " alone.",
                        "The last block adds up what all blocks have left in d_partials, not its own sum."};
    if (blocks > static_cast<int>(threads) &&
        got ==
            static_cast<float>(sum_of_blocks(numbers, blocks, [](size_t block) { return block < threads; })))
        return {"Only the first 128 of " + std::to_string(blocks) + " partial sums are in it.",
                "There may be more blocks than threads in a block: let each thread go on by blockDim.x."};
    return {};
}

// Of a later call, whose tickets did not begin at 0.
inline Words words_for_the_counter(unsigned left) {
    return {"The first call was right, and left " + std::to_string(left) +
                " in d_done: the tickets of this one did not begin at 0.",
            "The last block has seen every ticket. Let it set the counter back to 0."};
}

}  // namespace lab::lesson_15_memory_model
