#include "lessons/17_scan/panel_steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "app/panels/access_index.h"

namespace lab::lesson_17_scan {
namespace {

using simt::trace::Access;
using simt::trace::Op;
using simt::trace::Space;
using simt::trace::WarpOperation;

constexpr size_t most_columns = 4096;

// The bits that a lane brought or got, as the whole number that they are in this lesson.
int64_t number_of(uint64_t bits) {
    return bits >> 32 == 0 ? int64_t(int32_t(uint32_t(bits))) : int64_t(bits);
}

bool is_shared(const Access& access) {
    return access.header.space == Space::shared;
}

bool is_shuffle(const Access& access) {
    const auto operation = WarpOperation(access.header.operation);
    return access.header.space == Space::warp && operation >= WarpOperation::shuffle_index &&
           operation <= WarpOperation::shuffle_xor;
}

// Passes through the banks: the most words of one bank.
int turns_of(const Access& access) {
    std::map<uint64_t, std::set<uint64_t>> words;
    size_t most = 0;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        if ((access.header.mask >> lane & 1) == 0) continue;
        const uint64_t word = access.address(lane) / 4;
        auto& of_bank = words[word % 32];
        of_bank.insert(word);
        most = std::max(most, of_bank.size());
    }
    return int(most);
}

// In the order that they happened, as far as barriers and warps tell: a shuffle's `step` is that of the warp's next access.
struct Place {
    uint32_t phase = 0, step = 0;
    int is_access = 0;
    uint32_t number = 0;
    auto operator<=>(const Place&) const = default;
};

struct Placed {
    Place at;
    Step step;
};

// The records of one block of one launch.
class BlockSteps {
  public:
    BlockSteps(const simt::trace::Reader& trace, uint32_t launch) {
        for (const size_t index : trace.of_launch(launch)) {
            const Access access = trace.at(index);
            if (!is_shared(access) && !is_shuffle(access)) continue;
            if (records_.empty()) block_ = access.header.block;
            if (access.header.block == block_) records_.push_back(access);
        }
        std::stable_sort(records_.begin(), records_.end(),
                         [](const Access& a, const Access& b) { return place_of(a) < place_of(b); });
        for (const Access& access : records_)
            for (int lane = 0; is_shared(access) && lane < warp_lanes; ++lane)
                if ((access.header.mask >> lane & 1) != 0) base_ = std::min(base_, access.address(lane));
        derive();
    }
    uint32_t block() const { return block_; }
    std::vector<Step> steps() {
        std::stable_sort(placed_.begin(), placed_.end(),
                         [](const Placed& a, const Placed& b) { return a.at < b.at; });
        std::vector<Step> steps;
        for (Placed& one : placed_) {
            Step& step = one.step;
            const bool first = step.is_shuffle && (steps.empty() || !steps.back().is_shuffle);
            if (first) steps.push_back({true, 0, step.line, 0, 0, step.cells, {}});
            if (step.is_shuffle) hand_values(step, steps.back());
            steps.push_back(std::move(step));
        }
        return steps;
    }

  private:
    // What the lanes bring to a shuffle is what they hold after the step before.
    static void hand_values(const Step& shuffle, Step& before) {
        for (size_t i = 0; i < std::min(shuffle.cells.size(), before.cells.size()); ++i) {
            before.cells[i].has_value = shuffle.cells[i].worked;
            before.cells[i].value = shuffle.cells[i].brought;
        }
    }
    static Place place_of(const Access& access) {
        const bool exchange = access.header.space == Space::warp;
        return {access.header.phase, access.header.step, !exchange, exchange ? access.exchange().number : 0};
    }
    static int thread_of(const Access& access, int lane) {
        return int(access.header.warp) * warp_lanes + lane;
    }
    int column_of(uint64_t address) const { return int((address - base_) / 4); }
    static Cell& cell_at(Step& step, int column) {
        if (size_t(column) >= step.cells.size()) step.cells.resize(size_t(column) + 1);
        return step.cells[size_t(column)];
    }

    void derive() {
        for (const Access& access : records_) {
            if (is_shuffle(access))
                add_shuffle(access);
            else if (access.header.op == Op::load)
                add_load(access);
            else
                add_store(access);
        }
    }

    Step& step_of_phase(const Access& access) {
        const auto found = of_phase_.find(access.header.phase);
        if (found != of_phase_.end()) return placed_[found->second].step;
        of_phase_[access.header.phase] = placed_.size();
        placed_.push_back({place_of(access), {}});
        Step& step = placed_.back().step;
        step.line = int(access.header.line);
        step.requests = std::exchange(requests_, 0);
        step.turns = std::exchange(turns_, 0);
        return step;
    }

    void add_load(const Access& access) {
        if (const auto found = of_phase_.find(access.header.phase); found != of_phase_.end()) {
            ++placed_[found->second].step.requests;
            placed_[found->second].step.turns += turns_of(access);
        } else {
            ++requests_;
            turns_ += turns_of(access);
        }
        for (int lane = 0; lane < warp_lanes; ++lane) {
            if ((access.header.mask >> lane & 1) == 0) continue;
            Read& read = read_[thread_of(access, lane)];
            if (read.used_in != no_phase && read.used_in != access.header.phase) read = {};
            read.columns.insert(column_of(access.address(lane)));
        }
    }

    void add_store(const Access& access) {
        Step& step = step_of_phase(access);
        ++step.requests;
        step.turns += turns_of(access);
        for (int lane = 0; lane < warp_lanes; ++lane) {
            if ((access.header.mask >> lane & 1) == 0) continue;
            const int column = column_of(access.address(lane));
            if (column < 0 || size_t(column) >= most_columns) continue;
            Cell& cell = cell_at(step, column);
            cell.worked = true;
            cell.thread = thread_of(access, lane);
            cell.step = access.header.step;
            Read& read = read_[cell.thread];
            if (read.used_in != no_phase && read.used_in != access.header.phase) read = {};
            read.used_in = access.header.phase;
            for (const int from : read.columns) step.lines.push_back({from, column});
        }
    }

    // The k-th shuffle of each warp since its last barrier is one step.
    void add_shuffle(const Access& access) {
        const simt::trace::WarpExchange told = access.exchange();
        uint32_t& count = shuffles_[{access.header.phase, access.header.warp}];
        const std::pair<uint32_t, uint32_t> key{access.header.phase, count++};
        if (!of_shuffle_.contains(key)) {
            of_shuffle_[key] = placed_.size();
            placed_.push_back({place_of(access), {}});
            placed_.back().step.is_shuffle = true;
            placed_.back().step.line = int(access.header.line);
        }
        Step& step = placed_[of_shuffle_[key]].step;
        for (int lane = 0; lane < warp_lanes; ++lane) {
            if ((access.header.mask >> lane & 1) == 0) continue;
            const int thread = thread_of(access, lane), source = told.source[lane];
            Cell& cell = cell_at(step, thread);
            cell.worked = true;
            cell.thread = thread;
            cell.step = access.header.step;
            cell.brought = number_of(told.value[lane]);
            cell.got = number_of(told.result[lane]);
            if (source < 0 || source == lane) continue;
            step.distance = std::abs(source - lane);
            step.lines.push_back({thread - lane + source, thread});
        }
    }

    static constexpr uint32_t no_phase = ~0u;
    struct Read {
        std::set<int> columns;
        uint32_t used_in = no_phase;  // the phase whose store they were read for
    };

    uint32_t block_ = 0;
    uint64_t base_ = ~uint64_t{0};
    std::vector<Access> records_;
    std::vector<Placed> placed_;
    std::map<uint32_t, size_t> of_phase_;
    std::map<std::pair<uint32_t, uint32_t>, size_t> of_shuffle_;
    std::map<std::pair<uint32_t, int>, uint32_t> shuffles_;
    std::map<int, Read> read_;
    int requests_ = 0, turns_ = 0;  // of loads whose store has not come yet
};

}  // namespace

int Step::workers() const {
    return int(std::count_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.worked; }));
}

double Ladder::metric(const char* name) const {
    const auto found = kernel->metrics.find(name);
    return found == kernel->metrics.end() ? 0 : found->second;
}

std::vector<Ladder> ladders_of(const RunBundle& bundle, int case_index) {
    std::vector<Ladder> ladders;
    const TracePtr trace =
        size_t(case_index) < bundle.traces.size() ? bundle.traces[size_t(case_index)] : nullptr;
    for (const Kernel* kernel : kernels_of(bundle.run, case_index)) {
        Ladder ladder;
        ladder.kernel = kernel;
        if (trace) {
            BlockSteps block(*trace, uint32_t(kernel->launch));
            ladder.block = block.block();
            ladder.steps = block.steps();
        }
        for (const Step& step : ladder.steps) ladder.columns = std::max(ladder.columns, step.cells.size());
        ladders.push_back(std::move(ladder));
    }
    return ladders;
}

std::vector<std::vector<bool>> sources_of(const Ladder& ladder, size_t step, int column) {
    std::vector<std::vector<bool>> lit(ladder.steps.size() + 1, std::vector<bool>(ladder.columns, false));
    if (step >= ladder.steps.size() || column < 0 || size_t(column) >= ladder.columns) return lit;
    lit[step + 1][size_t(column)] = true;  // lit[s + 1]: after step s; lit[0]: before all
    for (size_t s = step + 1; s-- > 0;) {
        const Step& now = ladder.steps[s];
        if (s < step && now.is_shuffle != ladder.steps[s + 1].is_shuffle) break;  // other columns
        std::set<int> with_line;
        for (const Line& line : now.lines) {
            if (size_t(line.to) >= ladder.columns || !lit[s + 1][size_t(line.to)]) continue;
            with_line.insert(line.to);
            if (size_t(line.from) < ladder.columns) lit[s][size_t(line.from)] = true;
        }
        for (size_t c = 0; c < ladder.columns; ++c) {
            const bool written = !now.is_shuffle && c < now.cells.size() && now.cells[c].worked;
            if (lit[s + 1][c] && !written) lit[s][c] = true;  // it stays, or is added to
        }
    }
    return lit;
}

}  // namespace lab::lesson_17_scan
