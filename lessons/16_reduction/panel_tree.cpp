#include "lessons/16_reduction/panel_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_map>

namespace lab::lesson_16_reduction {
namespace {

using simt::trace::Access;
using simt::trace::Op;
using simt::trace::Space;
using simt::trace::WarpOperation;

constexpr int64_t number_bytes = 4;  // all numbers of this lesson

struct Event {
    Access access;
    uint32_t number = 0;  // among the warp's exchanges
    bool is_exchange() const { return access.header.space == Space::warp; }
    bool is_shared() const { return access.header.space == Space::shared; }
};

// As the warp went: exchanges come before the access of the same step.
bool comes_before(const Event& a, const Event& b) {
    const auto &x = a.access.header, &y = b.access.header;
    if (x.step != y.step) return x.step < y.step;
    if (a.is_exchange() != b.is_exchange()) return a.is_exchange();
    return a.number < b.number;
}

bool is_shuffle(const Event& event) {
    const auto operation = WarpOperation(event.access.header.operation);
    return event.is_exchange() && operation >= WarpOperation::shuffle_index &&
           operation <= WarpOperation::shuffle_xor;
}

// Which round of its phase each event of a warp belongs to.
class Rounds {
  public:
    struct Place {
        uint32_t phase = 0;
        int round = 0;
        Round kind{};
    };

    Place place(const Event& event) {
        const auto& header = event.access.header;
        if (header.phase != at_.phase) begin(header.phase);
        const Round kind = kind_of(event);
        if (event.is_shared() && header.op == Op::store) {
            stored_ = true;  // it ends the round that it is in
            if (empty_) turn(Round::shared);
        } else if (kind == Round::shuffle || (!empty_ && ends(kind))) {
            next(kind);
        } else {
            turn(kind);
        }
        return at_;
    }

  private:
    static Round kind_of(const Event& event) {
        if (event.is_exchange()) return Round::shuffle;
        if (event.is_shared()) return Round::shared;
        return event.access.header.op == Op::load ? Round::loads : Round::result;
    }
    // Whether something of this kind begins a new round.
    bool ends(Round kind) const {
        if (kind == Round::result)
            return stored_ || at_.kind != Round::shared;  // a last look at shared memory is part of it
        return stored_ || kind != at_.kind;
    }
    void begin(uint32_t phase) {
        at_ = {phase, 0, Round::shared};
        stored_ = false;
        empty_ = true;
    }
    void next(Round kind) {
        if (!empty_) ++at_.round;
        stored_ = false;
        turn(kind);
    }
    void turn(Round kind) {
        at_.kind = kind;
        empty_ = false;
    }

    Place at_{~0u, 0, Round::shared};
    bool stored_ = false, empty_ = true;
};

// Follows the numbers through registers and shared memory, row by row.
class Follower {
  public:
    explicit Follower(int threads) : hands_(size_t(threads)) {}

    void begin(Row& row, int index) {
        row_ = &row;
        index_ = index;
        row.parts.assign(hands_.size(), Part::idle);
        for (Hand& hand : hands_) hand.looks = 0;
    }

    void take(const Event& event) {
        const auto& header = event.access.header;
        if (row_->line == 0) row_->line = int(header.line);
        if (row_->step < 0) row_->step = int(header.step);
        if (event.is_exchange()) return exchange(event);
        for (int lane = 0; lane < lanes; ++lane) {
            const size_t thread = size_t(header.warp) * lanes + size_t(lane);
            if ((header.mask >> lane & 1) == 0 || thread >= hands_.size()) continue;
            row_->parts[thread] = Part::works;
            touch(event, int(thread), event.access.address(lane));
        }
    }

    void end() {
        for (size_t t = 0; t < hands_.size(); ++t) carry(hands_[t], int(t));
        row_->holds.resize(hands_.size());
        for (size_t t = 0; t < hands_.size(); ++t) row_->holds[t] = hands_[t].holds;
    }

  private:
    struct Hand {
        int64_t holds = 0;
        int row = 0;         // after which it held this
        int looks = 0;       // into shared memory in this row
        bool left = false;   // what it holds lies in shared memory, too
        int64_t before = 0;  // the row's looks
        int before_row = 0;
    };
    struct Word {
        int64_t holds = 0;
        int row = 0, thread = 0;
    };

    void touch(const Event& event, int thread, uint64_t address) {
        const auto& header = event.access.header;
        Hand& hand = hands_[size_t(thread)];
        if (!event.is_shared()) {
            if (header.space == Space::global && header.op == Op::load) {
                hand.holds += header.bytes / number_bytes;
                hand.row = index_;
            } else if (hand.looks == 0) {
                row_->edges.push_back({hand.row, thread, thread});
            }
        } else if (header.op == Op::store) {
            carry(hand, thread);
            words_[address] = {hand.holds, index_, thread};
            hand.left = true;
        } else {
            look(hand, thread, address);
        }
    }

    // A load of shared memory. The first of a row replaces what the thread had.
    void look(Hand& hand, int thread, uint64_t address) {
        const auto found = words_.find(address);
        if (hand.looks++ == 0) {
            hand.before = hand.left ? hand.holds : 0;
            hand.before_row = hand.row;
            hand.holds = 0;
        }
        hand.left = false;
        hand.row = index_;
        if (found == words_.end()) return;
        hand.left = found->second.thread == thread && hand.looks == 1;  // it has a copy of its own word
        const Word& word = found->second;
        hand.holds += word.holds;
        if (word.thread == thread) hand.before = 0;
        row_->edges.push_back({word.row, word.thread, thread});
    }

    // One word of somebody else, and its own number lies in shared memory: then it went on from its register.
    void carry(Hand& hand, int thread) {
        if (hand.looks == 1 && hand.before > 0) {
            hand.holds += hand.before;
            row_->edges.push_back({hand.before_row, thread, thread});
        }
        hand.before = 0;
    }

    void exchange(const Event& event) {
        const auto& header = event.access.header;
        const simt::trace::WarpExchange told = event.access.exchange();
        const std::vector<Hand> before = hands_;
        for (int lane = 0; lane < lanes; ++lane) {
            const size_t thread = size_t(header.warp) * lanes + size_t(lane);
            if ((header.mask >> lane & 1) == 0 || thread >= hands_.size()) continue;
            row_->parts[thread] = Part::works;
            Hand& hand = hands_[thread];
            if (told.value[lane] == 0) hand.holds = 0;  // numbers are above zero: it brings none
            const int source = told.source[lane];
            if (row_->asked == 0 && source >= 0) row_->asked = std::abs(source - lane);
            const size_t from = size_t(header.warp) * lanes + size_t(std::max(0, source));
            if (source < 0 || source >= lanes || from >= hands_.size()) continue;
            hand.holds += told.value[source] == 0 ? 0 : before[from].holds;
            hand.row = index_;
            if (told.value[lane] != 0) row_->edges.push_back({before[thread].row, int(thread), int(thread)});
            if (source != lane && told.value[source] != 0)
                row_->edges.push_back({before[from].row, int(from), int(thread)});
        }
    }

    std::vector<Hand> hands_;
    std::unordered_map<uint64_t, Word> words_;
    Row* row_ = nullptr;
    int index_ = 0;
};

// From the result upwards: whose numbers come to it.
void mark_what_counts(std::vector<Row>& rows) {
    for (size_t r = rows.size(); r-- > 0;) {
        Row& row = rows[r];
        if (row.round == Round::result)
            for (Part& part : row.parts)
                if (part == Part::works) part = Part::counts;
        for (const Edge& edge : row.edges)
            if (row.parts[size_t(edge.to)] == Part::counts && size_t(edge.from_row) < r) {
                Part& from = rows[size_t(edge.from_row)].parts[size_t(edge.from)];
                if (from == Part::works) from = Part::counts;
            }
    }
}

BlockTree tree_of(uint32_t block, int threads, std::map<int, std::vector<Event>>& warps) {
    struct Placed {
        Round kind{};
        std::vector<const Event*> events;
    };
    std::map<std::pair<uint32_t, int>, Placed> placed;
    for (auto& [warp, events] : warps) {
        std::stable_sort(events.begin(), events.end(), comes_before);
        Rounds rounds;
        for (const Event& event : events) {
            if (event.is_exchange() && !is_shuffle(event)) continue;
            const Rounds::Place at = rounds.place(event);
            Placed& row = placed[{at.phase, at.round}];
            row.kind = std::max(row.kind, at.kind);
            row.events.push_back(&event);
        }
    }
    BlockTree tree;
    tree.block = block;
    tree.threads = threads;
    Follower follower(threads);
    for (const auto& [at, from] : placed) {
        Row& row = tree.rows.emplace_back();
        row.round = from.kind;
        follower.begin(row, int(tree.rows.size()) - 1);
        // What is read was left in an earlier round: loads first, so that a store of this one is not taken for it.
        for (const bool stores : {false, true})
            for (const Event* event : from.events)
                if ((event->is_shared() && event->access.header.op == Op::store) == stores)
                    follower.take(*event);
        follower.end();
    }
    mark_what_counts(tree.rows);
    return tree;
}

}  // namespace

int Row::at_work() const {
    return int(std::count_if(parts.begin(), parts.end(), [](Part part) { return part != Part::idle; }));
}

int Row::warps_at_work() const {
    int warps = 0;
    for (size_t first = 0; first < parts.size(); first += lanes) {
        const auto begin = parts.begin() + ptrdiff_t(first),
                   end = parts.begin() + ptrdiff_t(std::min(first + lanes, parts.size()));
        warps += std::any_of(begin, end, [](Part part) { return part != Part::idle; });
    }
    return warps;
}

int Row::distance() const {
    if (round == Round::shuffle) return asked;
    std::map<int, int> counts;
    int all = 0;
    for (const Edge& edge : edges)
        if (edge.from != edge.to) {
            ++counts[std::abs(edge.from - edge.to)];
            ++all;
        }
    for (const auto& [apart, count] : counts)
        if (2 * count > all) return apart;
    return 0;
}

bool Row::adds() const {
    std::vector<int> taken(parts.size());
    for (const Edge& edge : edges)
        if (++taken[size_t(edge.to)] == 2) return true;
    return false;
}

int64_t BlockTree::in_result() const {
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (row->round == Round::result)
            for (size_t t = 0; t < row->parts.size(); ++t)
                if (row->parts[t] != Part::idle) return row->holds[t];
    return -1;
}

std::vector<BlockTree> trees_of(const RunBundle& bundle, int case_index, const Kernel& kernel, size_t most) {
    std::vector<BlockTree> trees;
    if (size_t(case_index) >= bundle.traces.size() || !bundle.traces[size_t(case_index)]) return trees;
    const simt::trace::Reader& trace = *bundle.traces[size_t(case_index)];
    const int threads =
        int(std::min<int64_t>(int64_t(kernel.block.x) * kernel.block.y * kernel.block.z, 1024));
    std::map<uint32_t, std::map<int, std::vector<Event>>> blocks;
    for (const size_t index : trace.of_launch(uint32_t(kernel.launch))) {
        Event event{trace.at(index)};
        const auto& header = event.access.header;
        if (blocks.size() >= most && !blocks.contains(header.block)) continue;
        if (event.is_exchange()) event.number = event.access.exchange().number;
        blocks[header.block][header.warp].push_back(event);
    }
    for (auto& [block, warps] : blocks) trees.push_back(tree_of(block, threads, warps));
    return trees;
}

std::string name_of(const Row& row) {
    const int distance = row.distance();
    switch (row.round) {
        case Round::loads:
            return "load";
        case Round::shuffle:
            return distance == 0 ? "shuffle" : fmt::format("shuffle, {} apart", distance);
        case Round::result:
            return "to the sum";
        case Round::shared:
            break;
    }
    if (!row.adds()) return "shared memory";
    return distance == 0 ? "add" : fmt::format("add, {} apart", distance);
}

}  // namespace lab::lesson_16_reduction
