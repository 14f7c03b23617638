// Warp operations in fast mode. Almost always the whole warp meets: each lane leaves its value in a row that
// all then read. Any other mask goes the long way.
#include <algorithm>

#include "simt/machine/fast_worker.h"
#include "simt/machine/warp_operations.h"

namespace simt::fast {
namespace {

void complete_whole(Block& b, Warp& warp) {
    warp.row->active = warp.arrived;
    warp.arrived = 0;
    warp.row = warp.row == &warp.rows[0] ? &warp.rows[1] : &warp.rows[0];
    b.ready.append(warp.list);
}

// Lanes that meet under masks that are not the whole warp: each group when all that its mask names are there.
void complete_own_masks(Block& b, Warp& warp) {
    for (unsigned i = 0; i < 32; ++i) {
        if ((warp.waiting >> i & 1) == 0) continue;
        const Fiber& lead = *warp.fibers[i];
        WarpValues values{};
        for (unsigned j = 0; j < 32; ++j) {
            if ((warp.waiting >> j & 1) == 0) continue;
            const Fiber& f = *warp.fibers[j];
            if (f.kind != lead.kind || f.mask != lead.mask) continue;
            values.active |= 1u << j;
            values.value[j] = f.value;
            values.source[j] = f.source;
            values.width[j] = f.width;
        }
        if ((lead.mask & warp.alive & ~values.active) != 0) continue;
        const int which = lead.kind % 16;
        if (lead.kind - which == warp_shuffles) shuffle_values(values, static_cast<Shuffle>(which));
        if (lead.kind - which == warp_votes) vote_values(values, static_cast<Vote>(which));
        if (lead.kind - which == warp_reductions) reduce_values(values, static_cast<Reduce>(which));
        for (unsigned j = 0; j < 32; ++j) {
            if ((values.active >> j & 1) == 0) continue;
            Fiber& f = *warp.fibers[j];
            warp.waiting &= ~(1u << j);
            f.at_own_mask = false;
            f.result = values.result[j];
            f.predicate = values.predicate[j];
            if (&f != state.running) b.ready.push(&f);
        }
    }
}

__attribute__((noinline)) Switch arrive_under_mask(Warp& warp, unsigned mask, int operation, uint64_t value,
                                                   int source, int width) {
    Fiber& self = running_fiber();
    Block& b = *state.running_block;
    const unsigned lane = self.linear % 32;
    self.mask = mask | 1u << lane;
    self.kind = operation;
    self.value = value;
    self.source = source;
    self.width = width;
    self.at_own_mask = true;
    self.row = nullptr;
    warp.waiting |= 1u << lane;
    warp.fibers[lane] = &self;
    complete_own_masks(b, warp);
    return self.at_own_mask ? leave_to_others(self, b) : Switch{&self, nullptr};
}

WarpValues values_of(const WarpRow& row) {
    WarpValues values{};
    values.active = row.active;
    for (unsigned i = 0; i < 32; ++i) values.value[i] = row.values[i];
    return values;
}

}  // namespace

void start_warps(Block& b, unsigned threads, unsigned first) {
    b.warps.resize((threads + 31) / 32);
    for (unsigned w = 0; w < b.warps.size(); ++w) {
        Warp& warp = b.warps[w];
        const unsigned lanes = std::min(32u, threads - w * 32);
        warp.alive = lanes == 32 ? ~0u : (1u << lanes) - 1;
        if (w * 32 + 32 <= first)
            warp.alive = 0;
        else if (w * 32 < first)
            warp.alive &= ~0u << first % 32;
        warp.waiting = warp.arrived = 0;
        warp.row = &warp.rows[0];
        warp.list = {};
    }
    b.has_warps = true;
}

void look_at_warp(Block& b, Warp& warp) {
    if (warp.arrived != 0 && warp.arrived == warp.alive) complete_whole(b, warp);
    if (warp.waiting != 0) complete_own_masks(b, warp);
}

__attribute__((noinline)) static Switch leave_loop_in_warp(unsigned mask, int operation, uint64_t value,
                                                           int source, int width) {
    leave_its_loop(running_fiber());
    return arrive_in_warp(mask, operation, value, source, width);
}

Switch arrive_in_warp(unsigned mask, int operation, uint64_t value, int source, int width) {
    Fiber& self = running_fiber();
    if (__builtin_expect(self.loops, 0)) return leave_loop_in_warp(mask, operation, value, source, width);
    Block& b = *state.running_block;
    Warp& warp = b.warps[self.linear / 32];
    if (warp.arrived == 0) warp.kind = operation;
    if (((warp.alive & ~mask) | warp.waiting) != 0 || warp.kind != operation)
        return arrive_under_mask(warp, mask, operation, value, source, width);
    const unsigned lane = self.linear % 32;
    WarpRow& row = *warp.row;
    self.row = &row;
    row.values[lane] = value;
    if (operation >= warp_votes) {
        if (warp.arrived == 0) row.ballot = 0;
        row.ballot |= static_cast<unsigned>(value != 0) << lane;
    }
    warp.arrived |= 1u << lane;
    if (warp.arrived == warp.alive) {
        complete_whole(b, warp);
        return {&self, nullptr};
    }
    warp.list.push(&self);
    return leave_to_others(self, b);
}

uint64_t shuffle_result() {
    return running_fiber().result;
}

unsigned vote_result(int operation, int* predicate) {
    const Fiber& self = running_fiber();
    if (self.row == nullptr) {
        if (predicate != nullptr) *predicate = self.predicate;
        return static_cast<unsigned>(self.result);
    }
    WarpValues values = values_of(*self.row);
    vote_values(values, static_cast<Vote>(operation - warp_votes));
    if (predicate != nullptr) *predicate = values.predicate[self.linear % 32];
    return static_cast<unsigned>(values.result[self.linear % 32]);
}

unsigned reduce_result(int operation) {
    const Fiber& self = running_fiber();
    if (self.row == nullptr) return static_cast<unsigned>(self.result);
    WarpValues values = values_of(*self.row);
    reduce_values(values, static_cast<Reduce>(operation - warp_reductions));
    return static_cast<unsigned>(values.result[self.linear % 32]);
}

}  // namespace simt::fast
