#include "lessons/18_matmul/panel_walk.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "app/panels/access_index.h"

namespace lab::lesson_18_matmul {
namespace {

using simt::trace::Access;
using simt::trace::Op;
using simt::trace::Space;

struct Found {
    const Buffer* buffer = nullptr;
    int index = -1;  // among the case's buffers
    int64_t elements() const {
        return buffer ? int64_t(buffer->bytes / std::max(1u, buffer->element_bytes)) : 0;
    }
    // -1: not in it.
    int64_t element_at(uint64_t address) const {
        if (!buffer || address < buffer->address || address >= buffer->address + buffer->bytes) return -1;
        return int64_t((address - buffer->address) / std::max(1u, buffer->element_bytes));
    }
};

struct Buffers {
    Found a, b;
    std::vector<Found> c;
};

Buffers buffers_of(const Run& run, int case_index) {
    Buffers found;
    int index = 0;
    for (const Buffer& buffer : run.buffers) {
        if (buffer.case_index != case_index || buffer.bytes == 0) continue;
        const Found one{&buffer, index++};
        if (buffer.name == "a")
            found.a = one;
        else if (buffer.name == "b")
            found.b = one;
        else if (!buffer.name.empty() && buffer.name[0] == 'c')
            found.c.push_back(one);
    }
    return found;
}

// m k, k n and m n elements: what the three lengths are.
Sizes sizes_of(const Buffers& buffers) {
    if (buffers.c.empty() || buffers.a.elements() == 0 || buffers.b.elements() == 0) return {};
    const int64_t mk = buffers.a.elements(), kn = buffers.b.elements(), mn = buffers.c.front().elements();
    const auto k = int64_t(std::lround(std::sqrt(double(mk) * double(kn) / double(mn))));
    if (k == 0 || mk % k != 0 || kn % k != 0 || mk / k * (kn / k) != mn) return {};
    return {mk / k, kn / k, k};
}

bool meets_barriers(const simt::trace::Reader& trace, const std::vector<size_t>& records) {
    return std::any_of(records.begin(), records.end(),
                       [&](size_t index) { return trace.at(index).header.phase > 0; });
}

// Which step a load belongs to: by the barriers that the block has passed, else by how often the warp has come to this place.
class StepNumbers {
  public:
    explicit StepNumbers(bool by_barriers) : by_barriers_(by_barriers) {}
    uint32_t of(const simt::trace::RecordHeader& head) {
        if (by_barriers_) return head.phase;
        return came_[{head.block, head.warp, head.line, head.column}]++;
    }

  private:
    bool by_barriers_;
    std::map<std::tuple<uint32_t, uint16_t, uint32_t, uint16_t>, uint32_t> came_;
};

void sort_out(std::vector<uint32_t>& elements) {
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

// The elements of `found` that one request takes, each once.
std::vector<uint32_t> elements_of(const Access& access, const Found& found) {
    std::vector<uint32_t> elements;
    for (uint32_t mask = access.header.mask; mask; mask &= mask - 1) {
        const int64_t first = found.element_at(access.address(std::countr_zero(mask)));
        const int64_t count = std::max(1, access.header.bytes / 4);
        for (int64_t e = first; first >= 0 && e < std::min(first + count, found.elements()); ++e)
            elements.push_back(uint32_t(e));
    }
    sort_out(elements);
    return elements;
}

struct Collected {
    std::map<uint32_t, std::map<uint32_t, Step>> steps;  // by block, by number
    std::map<uint32_t, std::vector<uint32_t>> stored;
};

Collected collect(const simt::trace::Reader& trace, const std::vector<size_t>& records,
                  const Buffers& buffers, Walk& walk) {
    Collected all;
    StepNumbers numbers(meets_barriers(trace, records));
    for (const size_t index : records) {
        const Access access = trace.at(index);
        const auto& head = access.header;
        if (head.space != Space::global) continue;
        if (head.op == Op::store) {
            for (const Found& c : buffers.c)
                for (const uint32_t e : elements_of(access, c)) {
                    all.stored[head.block].push_back(e);
                    walk.c.buffer = c.index;
                }
            continue;
        }
        const uint32_t number = numbers.of(head);
        for (const Side side : {matrix_a, matrix_b}) {
            const auto elements = elements_of(access, side == matrix_a ? buffers.a : buffers.b);
            if (elements.empty()) continue;
            Step& step = all.steps[head.block][number];
            if (step.line == 0) step.line = int(head.line);
            auto& to = step.elements[side];
            to.insert(to.end(), elements.begin(), elements.end());
            for (const uint32_t e : elements) ++walk.in[side].fetched[e];
        }
    }
    return all;
}

Walk walk_of(const RunBundle& bundle, int case_index, const Kernel& kernel, const Buffers& buffers) {
    Walk walk;
    walk.kernel = &kernel;
    walk.sizes = sizes_of(buffers);
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    if (!walk.sizes.known() || !trace) return walk;
    const auto [m, n, k] = walk.sizes;
    walk.in[matrix_a] = {"a", buffers.a.index, m, k, std::vector<uint32_t>(size_t(m * k)), 0};
    walk.in[matrix_b] = {"b", buffers.b.index, k, n, std::vector<uint32_t>(size_t(k * n)), 0};
    walk.c = {"c", buffers.c.front().index, m, n, {}, 0};
    Collected all = collect(*trace, trace->of_launch(uint32_t(kernel.launch)), buffers, walk);
    for (auto& [block, steps] : all.steps) {
        BlockWalk one;
        one.block = block;
        for (auto& [number, step] : steps) {
            for (auto& elements : step.elements) sort_out(elements);
            one.steps.push_back(std::move(step));
        }
        one.stored = std::move(all.stored[block]);
        sort_out(one.stored);
        walk.blocks.push_back(std::move(one));
    }
    for (Matrix& matrix : walk.in)
        matrix.most = *std::max_element(matrix.fetched.begin(), matrix.fetched.end());
    walk.is_whole = walk.blocks.size() == uint64_t(kernel.grid.x) * kernel.grid.y * kernel.grid.z;
    return walk;
}

}  // namespace

double Matrix::average() const {
    if (fetched.empty()) return 0;
    return double(std::accumulate(fetched.begin(), fetched.end(), uint64_t{0})) / double(fetched.size());
}

int64_t Walk::owner_of(int64_t element) const {
    for (size_t i = 0; i < blocks.size(); ++i)
        if (std::binary_search(blocks[i].stored.begin(), blocks[i].stored.end(), uint32_t(element)))
            return int64_t(i);
    return -1;
}

std::vector<Walk> walks_of(const RunBundle& bundle, int case_index) {
    std::vector<Walk> walks;
    const Buffers buffers = buffers_of(bundle.run, case_index);
    for (const Kernel* kernel : kernels_of(bundle.run, case_index))
        walks.push_back(walk_of(bundle, case_index, *kernel, buffers));
    return walks;
}

}  // namespace lab::lesson_18_matmul
