// The inside of lab::Trial. Internal to workbench/grading.
#pragma once

#include <set>

#include "workbench/grading/arrays.h"
#include "workbench/grading/collector.h"
#include "workbench/grading/lab.h"

namespace lab {

constexpr unsigned char kPoison = 0xa5;  // what an output holds where nothing was written

struct Slot {
    std::string name;
    bool is_input = false, is_output = false;  // both: inout
    bool must_be_written = false;
    size_t count = 0, element_bytes = 1;
    std::vector<char> original;        // private to the referee; empty for an output
    std::vector<GuardedArray> arrays;  // one a thread order
    void* device = nullptr;            // in the player
    bool host_used = false;            // in the player
    bool pinned = false;               // in the player
    // For the Run, where the array is small enough to stand in it.
    size_t columns = 0;
    size_t most_bytes = most_array_bytes;
    std::string expected;
    std::vector<std::string> wrong;  // one a thread order, a bit an element
    size_t bytes() const { return count * element_bytes; }
};

struct Trial::State {
    std::vector<Slot> slots;
    std::vector<Order> orders{Order::forward, Order::reverse};  // of a machine that has them; else the first
    double seconds = 10;
    uint64_t steps = uint64_t{1} << 26;  // about a second and a half of one core
    uint64_t device_memory = uint64_t{2} << 30;
    std::string card;  // empty: the machine's own choice
    int devices = 1;
    std::set<std::string> raised, tolerated;
    bool played = false, skipped = false;
    std::vector<PlayResult> results;  // one an order
    std::vector<bool> failed;         // one an order
    bool needs_kernel = true;
    bool end_reported = false, findings_reported = false, holes_reported = false;

    size_t index_of(Order order) const;
    std::string place() const;  // this trial among those of the grader, with its arrays; for a long player
    const PlayResult& result(Order order) const { return results.at(index_of(order)); }
    // Findings that count against the learner.
    std::vector<const Finding*> errors(size_t order) const;
};

// A message of the machine, which ends without a full stop, as a sentence.
std::string sentence(const std::string& message);

// Fails the current case. `order`: index of the order that failed.
void report_failure(Trial::State& state, size_t order, Failure failure, CheckSite site);
// The same for a check that looks at every order: `told` says that one before has been reported.
void report_once(Trial::State& state, size_t order, bool& told, const Failure& failure, CheckSite site);
// Reports, once a trial, a player that ended badly. True: there is nothing more to check.
bool report_bad_end(Trial::State& state, CheckSite site);

// A guess at why elements are wrong, from the launches and from what stands where. Empty when there is none.
struct WrongElements {
    size_t count = 0;  // of the array
    size_t wrong = 0, first = 0, last = 0;
    size_t first_unwritten = 0, unwritten = 0, last_unwritten = 0;
};
Failure guess_cause(const std::vector<Kernel>& launches, const WrongElements& elements,
                    const std::string& array,
                    const std::function<bool(size_t index, size_t other)>& equals_expected_at,
                    const std::function<bool(size_t index)>& is_wrong);

}  // namespace lab
