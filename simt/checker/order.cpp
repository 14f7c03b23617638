#include "simt/checker/order.h"

#include <algorithm>
#include <unordered_set>

#include "simt/checker/metrics.h"
#include "simt/checker/race.h"
#include "simt/machine/arena.h"
#include "simt/machine/launch_run.h"

namespace simt::order {
namespace {

constexpr unsigned search_limit = 1u << 14;           // steps of one search
constexpr uint64_t launch_limit = uint64_t{1} << 28;  // of all searches of a launch
constexpr size_t most_moments = size_t{1}
                                << 25;  // that fences of blocks keep; then they count for whole intervals
constexpr unsigned merge_depth = 8;  // how far down its list a thread looks for what it has acquired before

uint32_t block_number(const BlockRun& block) {
    return static_cast<uint32_t>(block.linear & epoch::block_mask);
}

uint32_t interval_of(const Lane& lane) {
    return lane.barriers_passed & static_cast<uint32_t>(epoch::barrier_mask);
}

Fence fence_now(const Lane& lane) {
    const Knowledge& k = lane.knowledge;
    return {true, {interval_of(lane), k.segment}, k.warp, k.acquired};
}

void next_segment(Lane& lane) {
    if (lane.knowledge.segment < last_segment) ++lane.knowledge.segment;
    lane.epoch = lane_epoch(lane);
}

AcquiredList make(History& history, const Acquired& node) {
    return &history.acquired.emplace_back(node);
}

// ---- searching ----

struct Past {
    uint32_t block, thread;
    Moment moment;
};

bool upto(const Past& past, const Moment& moment) {
    return past.moment.interval < moment.interval ||
           (past.moment.interval == moment.interval && past.moment.segment <= moment.segment);
}

bool covers(const Fence& fence, const Release& release, const Past& past) {
    if (!fence.valid) return false;
    if (past.moment.interval < fence.moment.interval) return true;  // of the same block, an interval before
    if (past.moment.interval != fence.moment.interval) return false;
    if (past.thread == release.thread) return past.moment.segment <= fence.moment.segment;
    return past.thread / 32 == release.thread / 32 && (past.moment.segment < fence.warp[past.thread % 32] ||
                                                       fence.warp[past.thread % 32] == last_segment);
}

bool covers(const BlockFences& fences, const Past& past) {
    if (past.moment.interval < fences.whole_before) return true;
    return past.thread < fences.upto.size() && fences.fenced[past.thread] &&
           upto(past, fences.upto[past.thread]);
}

struct Item {
    AcquiredList list;
    uint32_t reader;   // the block that acquired it
    bool own = false;  // the lane did, not one whose release it saw
};

class Search {
  public:
    // `but_updates`: what the lane itself has acquired by an atomic read-modify-write does not count.
    Search(const Past& past, History& history, bool but_updates = false)
        : past_(past), history_(history), but_updates_(but_updates) {}

    bool found_from(AcquiredList list, uint32_t reader) {
        // Mostly the thread that did it released it, and a node near by says so.
        unsigned near = 0;
        for (AcquiredList n = list; n != nullptr && n->location != nullptr && ++near < 64; n = n->next)
            if (!is_left_out({n, reader, true}) && handed_over({n, reader})) return true;
        push({list, reader, true});
        for (size_t i = 0; i < items_.size(); ++i) {
            const Item item = items_[i];
            push({item.list->next, item.reader, item.own});
            push({item.list->other, item.reader, item.own});
            if (item.list->location == nullptr || is_left_out(item)) continue;
            if (handed_over(item) || tired()) return true;
            push_what_releasers_knew(item);
        }
        return tired();
    }

  private:
    bool tired() const { return steps_ > search_limit || history_.steps > launch_limit; }
    void step() {
        ++steps_;
        ++history_.steps;
    }

    bool is_left_out(const Item& item) const { return but_updates_ && item.own && item.list->by_update; }

    void push(const Item& item) {
        if (item.list == nullptr) return;
        step();
        const uint64_t own = but_updates_ && item.own ? 1 : 0;  // the pointer's lowest bit is free
        const uint64_t name = (reinterpret_cast<uintptr_t>(item.list) | own) << 18 ^ item.reader;
        if (seen_.insert(name).second) items_.push_back(item);
    }

    static const Fence& seen_by(const Release& release, uint32_t reader) {
        return release.block == reader ? release.local : release.device;
    }

    // Did a thread of the past access's own block release it there?
    bool handed_over(const Item& item) {
        const Location& location = *item.list->location;
        const auto found = location.by_block.find(past_.block);
        if (found == location.by_block.end()) return false;
        const std::vector<uint32_t>& indices = found->second;
        auto end = std::lower_bound(indices.begin(), indices.end(), item.list->past_last);
        while (end != indices.begin()) {
            const uint32_t index = *--end;
            if (index < item.list->first || tired()) return false;
            step();
            const Release& release = location.releases[index];
            if (release.block_scope && release.block != item.reader) continue;
            if (covers(seen_by(release, item.reader), release, past_)) return true;
            if (release.of_block != nullptr && covers(*release.of_block, past_)) return true;
        }
        return false;
    }

    void push_what_releasers_knew(const Item& item) {
        const Location& location = *item.list->location;
        for (uint32_t index = item.list->past_last; index-- > item.list->first && !tired();) {
            step();
            const Release& release = location.releases[index];
            if (release.block_scope && release.block != item.reader) continue;
            push({seen_by(release, item.reader).acquired, release.block});
            if (release.of_block != nullptr) push({release.of_block->acquired, release.block});
        }
    }

    const Past past_;
    History& history_;
    const bool but_updates_;
    std::vector<Item> items_;
    std::unordered_set<uint64_t> seen_;
    unsigned steps_ = 0;
};

// ---- meeting ----

// Does the list `a` hold what the first node of `b` says? Most threads of a block acquire the same.
bool holds_head(AcquiredList a, AcquiredList b) {
    unsigned depth = 0;
    for (AcquiredList n = a; n != nullptr && ++depth <= merge_depth; n = n->next) {
        if (n == b) return true;
        if (n->location == nullptr || b->location != n->location) continue;
        if (b->next == n->next && b->first >= n->first && b->past_last <= n->past_last &&
            (b->by_update || !n->by_update))
            return true;
    }
    return false;
}

AcquiredList joined(History& history, AcquiredList a, AcquiredList b) {
    if (b == nullptr || a == b) return a;
    if (a == nullptr) return b;
    if (holds_head(a, b)) return a;
    if (holds_head(b, a)) return b;
    return make(history, {nullptr, 0, 0, a, b});
}

// The fences of the interval that ends, on top of those of earlier ones.
BlockFences* fences_of(const BlockRun& block) {
    History& history = block.launch->history;
    BlockFences* before = block.knowledge.fences;
    const bool spare = before != nullptr && !before->released;  // nobody will miss the old state
    BlockFences& all = spare ? *before : history.fences.emplace_back();
    if (before != nullptr && !spare) all = *before;
    all.released = false;
    if (history.fences.size() * block.lanes.size() > most_moments) {
        all.upto.clear();
        all.whole_before = interval_of(block.lanes.front()) + 1;
        return &all;
    }
    all.upto.resize(block.lanes.size());
    all.fenced.resize(block.lanes.size());
    const auto raise = [&](unsigned thread, const Moment& moment) {
        Moment& known = all.upto[thread];
        const bool later = moment.interval > known.interval ||
                           (moment.interval == known.interval && moment.segment > known.segment);
        if (!all.fenced[thread] || later) known = moment;
        all.fenced[thread] = true;
    };
    for (const Lane& lane : block.lanes) {
        const Fence& fence = lane.knowledge.device;
        if (!lane.knowledge.fenced_since_barrier) continue;
        all.whole_before = std::max(all.whole_before, fence.moment.interval);
        all.acquired = joined(history, all.acquired, fence.acquired);
        raise(lane.linear, fence.moment);
        for (unsigned i = 0; i < 32; ++i) {
            const unsigned thread = lane.warp * 32u + i;
            if (fence.warp[i] != 0 && thread < block.lanes.size())
                raise(thread, {fence.moment.interval, static_cast<uint8_t>(fence.warp[i] - 1)});
        }
    }
    return &all;
}

Past past_of(uint64_t epoch) {
    return {epoch::block(epoch),
            epoch::thread(epoch),
            {epoch::barriers(epoch), static_cast<uint8_t>(epoch::segment(epoch))}};
}

}  // namespace

void fence(Lane& lane, int scope, int line) {
    Knowledge& k = lane.knowledge;
    write_order(lane, trace::OrderOperation::fence,
                {.number = lane.block->launch->history.events++, .scope = static_cast<uint32_t>(scope)},
                {.line = line});
    k.local = fence_now(lane);
    LastFence& last = lane.block->launch->history.fences_by_block[block_number(*lane.block)];
    if (scope != 1 || !last.reaches_device) last = {lane.linear, line, scope != 1};
    if (scope != 1) {
        k.device = k.local;
        k.settled = k.acquired;
        k.fenced_since_barrier = true;
    }
    next_segment(lane);
}

void acquire(Lane& lane, const void* address, bool by_update) {
    History& history = lane.block->launch->history;
    if (history.at.empty()) return;
    const auto place = history.at.find(reinterpret_cast<uintptr_t>(address));
    if (place == history.at.end()) return;
    const Location* location = place->second;
    const uint32_t first = location->first;
    const auto past_last = static_cast<uint32_t>(location->releases.size());
    if (first == past_last) return;
    const auto note = [&] {
        write_order(lane, trace::OrderOperation::acquire,
                    {.address = reinterpret_cast<uintptr_t>(address),
                     .number = history.events++,
                     .first = location->releases[first].number,
                     .last = location->releases.back().number},
                    {});
    };
    // A poll that sees more of a location takes the place of the one before.
    std::array<AcquiredList, merge_depth> kept;
    unsigned depth = 0;
    AcquiredList& mine = lane.knowledge.acquired;
    for (AcquiredList n = mine; n != nullptr && depth < merge_depth; n = n->next) {
        if (n->location == location && n->past_last >= first) {
            const bool nothing_new = n->past_last == past_last;
            if (nothing_new && (n->by_update || !by_update)) return;
            AcquiredList rest = n->next;
            while (depth != 0) {
                const Acquired& above = *kept[--depth];
                rest = make(history, {above.location, above.first, above.past_last, rest, above.other,
                                      above.by_update});
            }
            mine = make(history, {location, std::min(n->first, first), past_last, rest, nullptr, by_update});
            if (!nothing_new) note();
            return;
        }
        kept[depth++] = n;
    }
    mine = make(history, {location, first, past_last, mine, nullptr, by_update});
    note();
}

void release(Lane& lane, const void* address, bool continues, int scope, bool is_logged) {
    BlockRun& block = *lane.block;
    History& history = block.launch->history;
    const Knowledge& k = lane.knowledge;
    const bool hands_over = k.local.valid || block.knowledge.fences != nullptr;
    if (!hands_over && (continues || history.at.empty())) return;
    const auto key = reinterpret_cast<uintptr_t>(address);
    auto place = history.at.find(key);
    if (place == history.at.end()) {
        if (!hands_over) return;
        place = history.at.emplace(key, &history.locations.emplace_back()).first;
        if (arena.contains(address) && arena.offset_of(address) < Arena::shared_end)
            block.knowledge.shared_locations.push_back(key);
    }
    Location& location = *place->second;
    const auto index = static_cast<uint32_t>(location.releases.size());
    if (!continues) location.first = index;
    if (!hands_over) return;
    const uint32_t number = block_number(block);
    BlockFences* of_block = block.knowledge.fences;
    // A fence after the last __syncthreads covers all that those before it did.
    if (k.device.valid && k.device.moment.interval == interval_of(lane)) of_block = nullptr;
    if (of_block != nullptr) of_block->released = true;
    location.by_block[number].push_back(index);
    uint32_t& latest = history.last_release[number];
    latest = std::max(latest, interval_of(lane));
    const uint32_t event = history.events++;
    location.releases.push_back({number, lane.linear, event, scope == 1, k.device, k.local, of_block});
    write_order(lane, trace::OrderOperation::release,
                {.address = key, .number = event, .scope = static_cast<uint32_t>(scope)},
                {.is_logged = is_logged});
    let_others_go_first(lane);
}

void meet_in_warp(BlockRun& block, unsigned warp, unsigned lanes) {
    std::array<uint8_t, 32> known{};
    AcquiredList acquired = nullptr, settled = nullptr;
    History& history = block.launch->history;
    const auto each = [&](auto&& act) {
        for (unsigned i = 0; i < 32; ++i)
            if ((lanes >> i & 1) != 0) act(block.lanes[warp * 32 + i]);
    };
    each([&](Lane& lane) {
        for (unsigned i = 0; i < 32; ++i) known[i] = std::max(known[i], lane.knowledge.warp[i]);
        const unsigned whole = lane.knowledge.segment + 1u;
        known[lane.lane] = static_cast<uint8_t>(std::min<unsigned>(whole, last_segment));
        acquired = joined(history, acquired, lane.knowledge.acquired);
        if (lane.knowledge.settled != nullptr) settled = joined(history, settled, lane.knowledge.settled);
    });
    each([&](Lane& lane) {
        lane.knowledge.warp = known;
        lane.knowledge.acquired = acquired;
        lane.knowledge.settled = settled;
        lane.knowledge.met_warp = true;
        next_segment(lane);
    });
}

void meet_in_block(BlockRun& block) {
    AcquiredList acquired = block.knowledge.acquired, settled = block.knowledge.settled;
    bool fenced = false;
    const bool counts_wrap = ((interval_of(block.lanes.front()) + 1) & epoch::barrier_mask) == 0;
    for (const Lane& lane : block.lanes) {
        fenced = fenced || lane.knowledge.fenced_since_barrier;
        if (lane.knowledge.acquired != block.knowledge.acquired)
            acquired = joined(block.launch->history, acquired, lane.knowledge.acquired);
        if (lane.knowledge.settled != block.knowledge.settled)
            settled = joined(block.launch->history, settled, lane.knowledge.settled);
    }
    if (fenced) block.knowledge.fences = fences_of(block);
    block.knowledge.acquired = acquired;
    block.knowledge.settled = settled;
    for (Lane& lane : block.lanes) {
        Knowledge& k = lane.knowledge;
        k.acquired = acquired;
        k.settled = settled;
        k.segment = 0;
        k.fenced_since_barrier = false;
        if (k.met_warp) k.warp.fill(0);
        k.met_warp = false;
        // A new generation begins: what was fenced before it is ordered anyhow, and intervals start again.
        if (counts_wrap) k.device = k.local = {};
    }
    if (counts_wrap) block.knowledge.fences = nullptr;
}

void start(BlockRun& block) {
    block.knowledge = {};
    for (Lane& lane : block.lanes) lane.knowledge = {};
}

// The next block in this slot has the same addresses of shared memory.
void end(BlockRun& block) {
    for (const uintptr_t key : block.knowledge.shared_locations) block.launch->history.at.erase(key);
    block.knowledge = {};
}

bool knows(const Lane& lane, uint64_t past) {
    const Past p = past_of(past);
    const uint32_t mine = block_number(*lane.block);
    const Knowledge& k = lane.knowledge;
    if (p.block == mine) {
        if (p.thread == lane.linear || p.moment.interval != interval_of(lane)) return true;
        const uint8_t told = p.thread / 32 == lane.linear / 32 ? k.warp[p.thread % 32] : 0;
        if (p.moment.segment < told || told == last_segment) return true;
    }
    if (k.acquired == nullptr) return false;
    // A release hands over what its thread's block did up to its own interval, and nothing later.
    const History& history = lane.block->launch->history;
    const auto latest = history.last_release.find(p.block);
    if (latest == history.last_release.end() || latest->second < p.moment.interval) return false;
    return Search(p, lane.block->launch->history).found_from(k.acquired, mine);
}

Settled is_settled(const Lane& lane, uint64_t past) {
    const Knowledge& k = lane.knowledge;
    if (k.settled == k.acquired) return Settled::yes;
    const Past p = past_of(past);
    const uint32_t mine = block_number(*lane.block);
    History& history = lane.block->launch->history;
    if (k.settled != nullptr && Search(p, history).found_from(k.settled, mine)) return Settled::yes;
    return Search(p, history, true).found_from(k.acquired, mine) ? Settled::no : Settled::not_after_update;
}

}  // namespace simt::order
