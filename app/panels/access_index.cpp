#include "app/panels/access_index.h"

#include <algorithm>
#include <bit>

namespace lab {
namespace {

constexpr int64_t most_threads = int64_t{1} << 22;  // indexed one by one
constexpr int64_t most_elements = int64_t{1} << 24;
constexpr int64_t most_beyond = 64;                  // elements past the end that are shown
constexpr uint64_t slack_bytes = uint64_t{1} << 20;  // past the end, and still counted to the buffer before

int64_t volume(const Dim3& d) {
    return int64_t(d.x) * d.y * d.z;
}

struct Span64 {
    uint64_t address, bytes;
    int buffer;
};

// Finds the buffer of an address; one a little past the end belongs to the buffer before it.
class AddressMap {
  public:
    AddressMap(const Run& run, int case_index, AccessIndex& index) {
        for (const Buffer& buffer : run.buffers) {
            if (buffer.case_index != case_index || buffer.bytes == 0) continue;
            IndexedBuffer indexed;
            indexed.name =
                buffer.name.empty() ? "buffer " + std::to_string(index.buffers.size()) : buffer.name;
            indexed.space = buffer.space;
            indexed.element_bytes = std::max(1u, buffer.element_bytes);
            indexed.elements = int64_t(buffer.bytes / indexed.element_bytes);
            for (const ArrayValues& array : run.arrays)
                if (array.case_index == case_index && array.name == buffer.name && array.columns > 1)
                    indexed.row = int64_t(array.columns);
            spans_.push_back({buffer.address, buffer.bytes, int(index.buffers.size())});
            index.buffers.push_back(std::move(indexed));
        }
        std::sort(spans_.begin(), spans_.end(),
                  [](const Span64& a, const Span64& b) { return a.address < b.address; });
    }

    const Span64* find(uint64_t address) const {
        auto after = std::upper_bound(spans_.begin(), spans_.end(), address,
                                      [](uint64_t a, const Span64& span) { return a < span.address; });
        if (after == spans_.begin()) return nullptr;
        const Span64& span = *--after;
        return address < span.address + span.bytes + slack_bytes ? &span : nullptr;
    }

  private:
    std::vector<Span64> spans_;
};

void collect_touches(const simt::trace::Reader& trace, const AddressMap& map, AccessIndex& index) {
    using simt::trace::Op;
    for (const size_t record : trace.of_launch(uint32_t(index.kernel.launch))) {
        const simt::trace::Access access = trace.at(record);
        const simt::trace::RecordHeader& head = access.header;
        using simt::trace::Space;
        const bool in_memory =
            head.space != Space::barrier && head.space != Space::warp && head.space != Space::texture;
        if (!in_memory || int64_t(head.block) >= index.blocks) continue;
        for (uint32_t mask = head.mask; mask; mask &= mask - 1) {
            const int lane = std::countr_zero(mask);
            const int64_t in_block = int64_t(head.warp) * 32 + lane;
            const uint64_t address = access.address(lane);
            const Span64* span = map.find(address);
            if (!span || in_block >= index.threads_per_block) continue;
            const unsigned size = index.buffers[size_t(span->buffer)].element_bytes;
            const int64_t first = int64_t((address - span->address) / size);
            const int64_t last =
                int64_t((address - span->address + std::max<unsigned>(1, head.bytes) - 1) / size);
            for (int64_t e = first; e <= last; ++e)
                index.touches.push_back({int64_t(head.block) * index.threads_per_block + in_block,
                                         span->buffer, e, int(head.line), int(head.step), head.op != Op::load,
                                         head.op != Op::store});
        }
    }
    std::stable_sort(index.touches.begin(), index.touches.end(), [](const Touch& a, const Touch& b) {
        return a.thread != b.thread ? a.thread < b.thread : a.step < b.step;
    });
}

void index_threads(AccessIndex& index) {
    const size_t threads = size_t(index.threads());
    index.first_touch.assign(threads + 1, 0);
    index.thread_flags.assign(threads, 0);
    index.block_flags.assign(size_t(index.blocks), 0);
    index.active.assign(size_t(index.blocks), 0);
    for (const Touch& touch : index.touches) {
        ++index.first_touch[size_t(touch.thread) + 1];
        index.thread_flags[size_t(touch.thread)] |=
            (touch.wrote ? was_written : 0) | (touch.read ? was_read : 0);
    }
    for (size_t t = 0; t < threads; ++t) {
        index.first_touch[t + 1] += index.first_touch[t];
        const size_t block = t / size_t(index.threads_per_block);
        index.block_flags[block] |= index.thread_flags[t];
        index.active[block] += index.thread_flags[t] != 0;
    }
}

void index_elements(AccessIndex& index) {
    for (IndexedBuffer& buffer : index.buffers) buffer.shown = std::min(buffer.elements, most_elements);
    for (const Touch& touch : index.touches) {
        IndexedBuffer& buffer = index.buffers[size_t(touch.buffer)];
        if (touch.element < buffer.elements + most_beyond && touch.element < most_elements)
            buffer.shown = std::max(buffer.shown, touch.element + 1);
    }
    for (const Finding& finding : index.findings)
        for (IndexedBuffer& buffer : index.buffers)
            if (finding.buffer == buffer.name && finding.element >= buffer.elements)
                buffer.shown =
                    std::max(buffer.shown, std::min(finding.element + 1, buffer.elements + most_beyond));
    for (IndexedBuffer& buffer : index.buffers) {
        buffer.flags.assign(size_t(buffer.shown), 0);
        buffer.first.assign(size_t(buffer.shown) + 1, 0);
    }
    for (const Touch& touch : index.touches) {
        IndexedBuffer& buffer = index.buffers[size_t(touch.buffer)];
        if (touch.element >= buffer.shown) continue;
        buffer.flags[size_t(touch.element)] |= (touch.wrote ? was_written : 0) | (touch.read ? was_read : 0);
        ++buffer.first[size_t(touch.element) + 1];
    }
    for (size_t b = 0; b < index.buffers.size(); ++b) {
        IndexedBuffer& buffer = index.buffers[b];
        for (size_t e = 0; e < size_t(buffer.shown); ++e) buffer.first[e + 1] += buffer.first[e];
        buffer.order.resize(buffer.first.back());
    }
    std::vector<std::vector<uint32_t>> next;
    for (const IndexedBuffer& buffer : index.buffers)
        next.emplace_back(buffer.first.begin(), buffer.first.end());
    for (size_t i = 0; i < index.touches.size(); ++i) {
        const Touch& touch = index.touches[i];
        IndexedBuffer& buffer = index.buffers[size_t(touch.buffer)];
        if (touch.element < buffer.shown)
            buffer.order[next[size_t(touch.buffer)][size_t(touch.element)]++] = uint32_t(i);
    }
}

// Two-dimensional blocks tell how long a row of their data is: thread (x, y + 1) works one row below thread
// (x, y).
void guess_rows(AccessIndex& index) {
    const int64_t x = index.kernel.block.x;
    if (index.kernel.block.y < 2 || index.kernel.block.z > 1) return;
    for (int64_t t = 0; t + x < index.threads(); ++t) {
        const int64_t in_block = t % index.threads_per_block;
        if (in_block + x >= index.threads_per_block) continue;
        for (uint32_t i = index.first_touch[size_t(t)]; i < index.first_touch[size_t(t) + 1]; ++i)
            for (uint32_t k = index.first_touch[size_t(t + x)]; k < index.first_touch[size_t(t + x) + 1];
                 ++k) {
                const Touch &above = index.touches[i], &below = index.touches[k];
                IndexedBuffer& buffer = index.buffers[size_t(above.buffer)];
                const int64_t apart = below.element - above.element;
                if (above.buffer == below.buffer && above.line == below.line && above.step == below.step &&
                    buffer.row == 0 && apart > 1 && apart <= 512)
                    buffer.row = apart;
            }
        if (std::all_of(index.buffers.begin(), index.buffers.end(),
                        [](const IndexedBuffer& b) { return b.row > 0; }))
            return;
        if (t > 4096) return;
    }
}

// With several launches in a case, which arrays are this one's. What a finding names stays in sight.
void mark_touched(AccessIndex& index, size_t launches) {
    if (launches < 2 || index.touches.empty()) return;
    for (IndexedBuffer& buffer : index.buffers) {
        buffer.touched = std::any_of(buffer.flags.begin(), buffer.flags.end(),
                                     [](uint8_t flags) { return (flags & (was_read | was_written)) != 0; });
        for (const Finding& finding : index.findings)
            buffer.touched |= finding.buffer == buffer.name && finding.launch == index.kernel.launch;
    }
}

void mark_thread(AccessIndex& index, const std::optional<Dim3>& block, const std::optional<Dim3>& thread) {
    if (!block || !thread) return;
    const int64_t b = linear_in(*block, index.kernel.grid), t = linear_in(*thread, index.kernel.block);
    if (b >= index.blocks || t >= index.threads_per_block) return;
    index.thread_flags[size_t(b * index.threads_per_block + t)] |= is_guilty;
    index.block_flags[size_t(b)] |= is_guilty;
}

void mark_findings(AccessIndex& index) {
    for (const Finding& finding : index.findings) {
        if (finding.severity != Severity::error) continue;
        mark_thread(index, finding.block, finding.thread);
        if (finding.other) mark_thread(index, finding.other->block, finding.other->thread);
        for (IndexedBuffer& buffer : index.buffers) {
            if (finding.buffer != buffer.name || finding.element < 0) continue;
            const int64_t last = std::min(std::max(finding.element, finding.last_element), buffer.shown - 1);
            const uint8_t flag = finding.kind == "never-written" ? never_written : is_guilty;
            for (int64_t e = finding.element; e <= last; ++e) buffer.flags[size_t(e)] |= flag;
        }
    }
}

}  // namespace

int64_t linear_in(const Dim3& at, const Dim3& extent) {
    return at.x + int64_t(extent.x) * (at.y + int64_t(extent.y) * at.z);
}

Dim3 place_in(int64_t linear, const Dim3& extent) {
    const int64_t x = std::max(1u, extent.x), y = std::max(1u, extent.y);
    return {unsigned(linear % x), unsigned(linear / x % y), unsigned(linear / (x * y))};
}

std::vector<const Kernel*> kernels_of(const Run& run, int case_index) {
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : run.kernels)
        if (kernel.case_index == case_index) kernels.push_back(&kernel);
    return kernels;
}

const Finding* AccessIndex::finding_of_thread(int64_t thread) const {
    auto here = [&](const std::optional<Dim3>& b, const std::optional<Dim3>& t) {
        return b && t &&
               linear_in(*b, kernel.grid) * threads_per_block + linear_in(*t, kernel.block) == thread;
    };
    for (const Finding& finding : findings)
        if (here(finding.block, finding.thread) ||
            (finding.other && here(finding.other->block, finding.other->thread)))
            return &finding;
    return nullptr;
}

const Finding* AccessIndex::finding_of_element(int buffer, int64_t element) const {
    for (const Finding& finding : findings)
        if (finding.buffer == buffers[size_t(buffer)].name && element >= finding.element &&
            finding.element >= 0 && element <= std::max(finding.element, finding.last_element))
            return &finding;
    return nullptr;
}

AccessIndex index_accesses(const RunBundle& bundle, int case_index, int launch) {
    AccessIndex index;
    const std::vector<const Kernel*> kernels = kernels_of(bundle.run, case_index);
    if (launch < 0 || launch >= int(kernels.size())) return index;
    index.kernel = *kernels[size_t(launch)];
    index.blocks = volume(index.kernel.grid);
    index.threads_per_block = volume(index.kernel.block);
    const bool ran = index.kernel.status != "refused";
    if (!ran || index.threads_per_block <= 0 || index.threads_per_block > 1024)
        index.blocks = index.threads_per_block = 0;
    if (index.threads() > most_threads) {
        index.blocks = most_threads / index.threads_per_block;
        index.sampled = true;
    }
    for (const Finding& finding : bundle.run.findings)
        if (finding.case_index == case_index && (finding.launch < 0 || finding.launch == index.kernel.launch))
            index.findings.push_back(finding);
    const AddressMap map(bundle.run, case_index, index);
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    if (trace) {
        index.dropped = trace->dropped();
        collect_touches(*trace, map, index);
    }
    index_threads(index);
    index_elements(index);
    guess_rows(index);
    mark_findings(index);
    mark_touched(index, kernels.size());
    return index;
}

}  // namespace lab
