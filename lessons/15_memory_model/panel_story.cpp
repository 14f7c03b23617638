#include "lessons/15_memory_model/panel_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "app/panels/access_index.h"

namespace lab::lesson_15_memory_model {
namespace {

using simt::trace::Access;
using simt::trace::AtomicOperation;
using simt::trace::Op;
using simt::trace::Order;
using simt::trace::OrderOperation;
using simt::trace::Space;

constexpr uint64_t word = 4;

// Addresses that neighbour each other in one buffer, as "letter[0..99]".
class Names {
  public:
    Names(const Run& run, int case_index) {
        for (const Buffer& buffer : run.buffers)
            if (buffer.case_index == case_index && buffer.space == "global") buffers_.push_back(&buffer);
    }
    const Buffer* find(uint64_t address) const {
        for (const Buffer* buffer : buffers_)
            if (address >= buffer->address && address < buffer->address + buffer->bytes) return buffer;
        return nullptr;
    }
    std::string text(const std::set<uint64_t>& addresses) const {
        const Buffer* buffer = addresses.empty() ? nullptr : find(*addresses.begin());
        if (buffer == nullptr) return "memory";
        const uint64_t each = std::max(1u, buffer->element_bytes);
        const uint64_t first = (*addresses.begin() - buffer->address) / each,
                       last = (*addresses.rbegin() - buffer->address) / each;
        if (buffer->bytes / each == 1) return buffer->name;
        if (first == last) return fmt::format("{}[{}]", buffer->name, first);
        const bool whole = last - first + 1 == addresses.size() * word / each;
        return fmt::format("{}[{}{}{}]", buffer->name, first, whole ? ".." : " to ", last);
    }

  private:
    std::vector<const Buffer*> buffers_;
};

struct Draft {
    Event event;
    std::set<uint64_t> addresses;
};

struct BlockDraft {
    std::vector<Draft> events;
    std::set<uint64_t> written, read;  // by plain accesses
};

// What happened at one warp's step, before it is sorted into the block's story.
struct Moment {
    uint32_t phase, step;
    int place;  // at one step: fences first, then the access
    int warp;
    const Access* access;
    const Order* order;
};

using OrdersAt = std::map<std::tuple<int, uint32_t>, std::vector<const Order*>>;  // by warp and step

Deed deed_of(const simt::trace::RecordHeader& header) {
    const auto operation = AtomicOperation(header.operation);
    if (header.op == Op::atomic) return header.changed != 0 ? Deed::signs : Deed::looks;
    if (header.op == Op::load) return operation == AtomicOperation::load ? Deed::looks : Deed::reads;
    return operation == AtomicOperation::store ? Deed::raises : Deed::writes;
}

bool is_plain(Deed deed) {
    return deed == Deed::writes || deed == Deed::reads;
}

class Teller {
  public:
    Teller(const Names& names, const OrdersAt& orders) : names_(names), orders_(orders) {}

    void take(const Moment& moment) {
        meet(moment.phase);
        if (moment.order != nullptr) return fence(*moment.order, moment.warp);
        const auto& header = moment.access->header;
        if (header.space != Space::global) return;
        Event event;
        event.deed = deed_of(header);
        event.line = int(header.line);
        event.warp = moment.warp;
        event.lane = std::countr_zero(header.mask);
        event.step = header.step;
        event.phase = header.phase;
        event.address = moment.access->address(event.lane);
        learn(event, moment.warp, header.step);
        std::set<uint64_t> addresses;
        for (int lane = 0; lane < 32; ++lane)
            if ((header.mask >> lane & 1) != 0)
                for (uint64_t at = 0; at < std::max<uint64_t>(header.bytes, 1); at += word)
                    addresses.insert(moment.access->address(lane) + at);
        if (is_plain(event.deed))
            (event.deed == Deed::writes ? told_.written : told_.read)
                .insert(addresses.begin(), addresses.end());
        add(event, addresses);
    }

    BlockDraft end() {
        for (Draft& draft : told_.events)
            if (!draft.addresses.empty()) draft.event.what = names_.text(draft.addresses);
        return std::move(told_);
    }

  private:
    void meet(uint32_t phase) {
        if (phase == phase_) return;
        Event event;
        event.deed = Deed::meets;
        event.phase = phase;
        event.times = int(phase - phase_);
        if (!told_.events.empty()) told_.events.push_back({event, {}});
        phase_ = phase;
    }

    void fence(const Order& order, int warp) {
        Event event;
        event.deed = Deed::fence;
        event.line = int(order.header.line);
        event.warp = warp;
        event.lane = std::countr_zero(order.header.mask);
        event.step = order.header.step;
        event.phase = order.header.phase;
        event.scope = int(order.event.scope);
        event.number = order.event.number;
        if (!told_.events.empty()) {
            Event& before = told_.events.back().event;
            if (before.deed == Deed::fence && before.line == event.line) {
                ++before.times;
                return;
            }
        }
        told_.events.push_back({event, {}});
    }

    void learn(Event& event, int warp, uint32_t step) const {
        const auto found = orders_.find({warp, step});
        if (found == orders_.end()) return;
        for (const Order* order : found->second) {
            if (OrderOperation(order->header.operation) == OrderOperation::acquire) {
                event.acquires = true;
                event.first = order->event.first;
                event.last = order->event.last;
                if (!event.releases) event.number = order->event.number;
            } else if (OrderOperation(order->header.operation) == OrderOperation::release) {
                event.releases = true;
                event.number = order->event.number;
            }
        }
    }

    // The same line again goes on with the event before.
    void add(const Event& event, const std::set<uint64_t>& addresses) {
        if (!told_.events.empty()) {
            Draft& before = told_.events.back();
            const bool quiet =
                !event.releases && !event.acquires && !before.event.releases && !before.event.acquires;
            const bool same = before.event.deed == event.deed && before.event.line == event.line && quiet &&
                              names_.find(event.address) == names_.find(before.event.address);
            if (same) {
                ++before.event.times;
                before.addresses.insert(addresses.begin(), addresses.end());
                return;
            }
        }
        told_.events.push_back({event, addresses});
    }

    const Names& names_;
    const OrdersAt& orders_;
    BlockDraft told_;
    uint32_t phase_ = 0;
};

// The blocks' stories, without what stands where.
std::map<uint32_t, BlockDraft> stories(const simt::trace::Reader& trace, uint32_t launch,
                                       const Names& names) {
    std::map<uint32_t, OrdersAt> orders;
    std::map<uint32_t, std::vector<Moment>> moments;
    std::vector<Access> accesses;
    for (const size_t index : trace.of_launch(launch)) accesses.push_back(trace.at(index));
    for (const Access& access : accesses)
        moments[access.header.block].push_back(
            {access.header.phase, access.header.step, 1, int(access.header.warp), &access, nullptr});
    for (const Order& order : trace.orders()) {
        if (order.header.launch != launch) continue;
        if (OrderOperation(order.header.operation) == OrderOperation::fence)
            moments[order.header.block].push_back(
                {order.header.phase, order.header.step, 0, int(order.header.warp), nullptr, &order});
        else
            orders[order.header.block][{int(order.header.warp), order.header.step}].push_back(&order);
    }
    std::map<uint32_t, BlockDraft> told;
    for (auto& [block, of_block] : moments) {
        std::stable_sort(of_block.begin(), of_block.end(), [](const Moment& a, const Moment& b) {
            return std::tie(a.phase, a.step, a.place, a.warp) < std::tie(b.phase, b.step, b.place, b.warp);
        });
        Teller teller(names, orders[block]);
        for (const Moment& moment : of_block) teller.take(moment);
        told.emplace(block, teller.end());
    }
    return told;
}

// The last (or first) event that touches one of the addresses in this way.
int event_with(const BlockDraft& block, Deed deed, const std::set<uint64_t>& addresses, bool last) {
    int found = -1;
    for (size_t i = 0; i < block.events.size(); ++i) {
        const Draft& draft = block.events[i];
        const bool touches = draft.event.deed == deed &&
                             std::any_of(draft.addresses.begin(), draft.addresses.end(),
                                         [&](uint64_t address) { return addresses.contains(address); });
        if (!touches) continue;
        found = int(i);
        if (!last) break;
    }
    return found;
}

Part part_of(uint32_t block, const BlockDraft& draft) {
    Part part;
    part.block = block;
    for (const Draft& one : draft.events) part.events.push_back(one.event);
    return part;
}

// The flag's way: the reader's last acquire before it read, and the writer's release that it sees.
void find_way(Handover& hand) {
    const auto& theirs = hand.writer.events;
    for (int a = hand.read; a >= 0 && hand.acquired < 0; --a) {
        const Event& acquire = hand.reader.events[size_t(a)];
        if (!acquire.acquires) continue;
        for (int r = 0; r < int(theirs.size()); ++r) {
            const Event& release = theirs[size_t(r)];
            if (!release.releases || release.address != acquire.address || r < hand.written) continue;
            if (release.number < acquire.first || release.number > acquire.last) continue;
            hand.released = r;
            hand.acquired = a;
        }
    }
}

// A flag that went from one to the other with nothing in it.
void find_empty_flag(Handover& hand) {
    if (hand.released >= 0) return;
    const auto is_flag = [](Deed deed) { return deed == Deed::raises || deed == Deed::signs; };
    for (int a = hand.read; a >= 0 && hand.looked < 0; --a) {
        const Event& look = hand.reader.events[size_t(a)];
        if (look.deed != Deed::looks && look.deed != Deed::signs) continue;
        for (int r = 0; r < int(hand.writer.events.size()); ++r) {
            const Event& flag = hand.writer.events[size_t(r)];
            if (!is_flag(flag.deed) || flag.address != look.address) continue;
            hand.raised = r;
            hand.looked = a;
        }
    }
}

// Where many pairs of blocks race in the same way, the machine names one of them: that finding counts for all that have no way.
const Finding* race_between(const Run& run, int case_index, const Kernel& kernel, const Handover& hand,
                            const std::string& buffer) {
    const Finding* similar = nullptr;
    for (const Finding& finding : run.findings) {
        if (finding.case_index != case_index || finding.launch != kernel.launch ||
            finding.kind != "global-race" || finding.buffer != buffer || !finding.block || !finding.other ||
            !finding.other->block)
            continue;
        const auto a = uint32_t(linear_in(*finding.block, kernel.grid)),
                   b = uint32_t(linear_in(*finding.other->block, kernel.grid));
        const uint32_t writer = hand.writer.block, reader = hand.reader.block;
        if ((a == writer && b == reader) || (a == reader && b == writer)) return &finding;
        similar = &finding;
    }
    return hand.released < 0 ? similar : nullptr;
}

// Downwards in time: each below the one before it in its block, and what learns below what it learns from.
void lay_out(Handover& hand) {
    int row = 0;
    for (Event& event : hand.writer.events) event.row = row++;
    row = 0;
    for (size_t i = 0; i < hand.reader.events.size(); ++i) {
        Event& event = hand.reader.events[i];
        if (int(i) == hand.looked) row = std::max(row, hand.writer.events[size_t(hand.raised)].row + 1);
        if (int(i) == hand.acquired) row = std::max(row, hand.writer.events[size_t(hand.released)].row + 1);
        if (hand.acquired < 0 && int(i) == hand.read)
            row = std::max(row, hand.writer.events[size_t(hand.written)].row + 1);
        event.row = row++;
    }
    hand.rows = std::max(hand.writer.events.back().row, hand.reader.events.back().row) + 1;
}

}  // namespace

int Handover::fence() const {
    const int end = released >= 0 ? released : int(writer.events.size());
    for (int i = end - 1; i > written; --i)
        if (writer.events[size_t(i)].deed == Deed::fence) return i;
    return -1;
}

std::vector<Handover> handovers_of(const RunBundle& bundle, int case_index, const Kernel& kernel,
                                   size_t most) {
    std::vector<Handover> hands;
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    if (trace == nullptr) return hands;
    const Names names(bundle.run, case_index);
    const std::map<uint32_t, BlockDraft> told = stories(*trace, uint32_t(kernel.launch), names);
    std::map<uint64_t, uint32_t>
        wrote;  // the block that wrote an address; several: none of them hands anything over
    for (const auto& [block, draft] : told)
        for (const uint64_t address : draft.written) wrote.try_emplace(address, block);
    for (const auto& [reader, draft] : told) {
        std::map<std::pair<uint32_t, const Buffer*>, std::set<uint64_t>> from;
        for (const uint64_t address : draft.read)
            if (const auto found = wrote.find(address); found != wrote.end() && found->second != reader)
                from[{found->second, names.find(address)}].insert(address);
        for (const auto& [source, addresses] : from) {
            const uint32_t writer = source.first;
            if (hands.size() == most) return hands;
            Handover hand;
            hand.writer = part_of(writer, told.at(writer));
            hand.reader = part_of(reader, draft);
            hand.what = names.text(addresses);
            hand.written = event_with(told.at(writer), Deed::writes, addresses, true);
            hand.read = event_with(draft, Deed::reads, addresses, false);
            find_way(hand);
            find_empty_flag(hand);
            const std::string buffer = source.second == nullptr ? "" : source.second->name;
            hand.finding = race_between(bundle.run, case_index, kernel, hand, buffer);
            lay_out(hand);
            hands.push_back(std::move(hand));
        }
    }
    return hands;
}

std::string text_of(const Event& event) {
    const char* fences[] = {"__threadfence()", "__threadfence_block()", "__threadfence_system()"};
    const std::string times = event.times > 1 ? fmt::format(", {} times", event.times) : "";
    switch (event.deed) {
        case Deed::writes:
            return "writes " + event.what;
        case Deed::reads:
            return "reads " + event.what;
        case Deed::meets:
            return "__syncthreads()" + times;
        case Deed::fence:
            return fences[size_t(std::clamp(event.scope, 0, 2))] + std::string();
        case Deed::raises:
            return "raises " + event.what;
        case Deed::looks:
            return event.acquires ? "sees " + event.what + " raised" : "looks at " + event.what + times;
        default:
            return "atomic on " + event.what + times;
    }
}

}  // namespace lab::lesson_15_memory_model
