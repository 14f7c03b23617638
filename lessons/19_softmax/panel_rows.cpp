#include "lessons/19_softmax/panel_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

namespace lab::lesson_19_softmax {
namespace {

using simt::trace::Access;
using simt::trace::Op;
using simt::trace::Space;
using simt::trace::WarpOperation;

struct Event {
    Access access;
    uint32_t number = 0;  // among the warp's exchanges
    bool is_exchange() const { return access.header.space == Space::warp; }
};

// As the warp went: exchanges come before the access of the same step.
bool comes_before(const Event& a, const Event& b) {
    const auto &x = a.access.header, &y = b.access.header;
    if (x.step != y.step) return x.step < y.step;
    if (a.is_exchange() != b.is_exchange()) return a.is_exchange();
    return a.number < b.number;
}

// Where the case's rows lie.
struct Layout {
    std::vector<float> values;
    size_t columns = 0;
    uint64_t in = 0, out = 0;

    // The element of one of the two arrays; -1: none.
    int64_t element(uint64_t array, uint64_t address) const {
        if (array == 0 || address < array || address >= array + values.size() * sizeof(float)) return -1;
        return static_cast<int64_t>((address - array) / sizeof(float));
    }
};

Layout layout_of(const Run& run, int case_index) {
    Layout layout;
    for (const ArrayValues& array : run.arrays) {
        if (array.case_index != case_index || array.name != "in" || array.columns == 0) continue;
        layout.columns = array.columns;
        layout.values.resize(array.got.size() / sizeof(float));
        std::memcpy(layout.values.data(), array.got.data(), layout.values.size() * sizeof(float));
    }
    for (const Buffer& buffer : run.buffers) {
        if (buffer.case_index != case_index) continue;
        if (buffer.name == "in") layout.in = buffer.address;
        if (buffer.name == "out") layout.out = buffer.address;
    }
    return layout;
}

bool alike(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(a - b) <= 1e-3 * std::max(std::fabs(a), std::fabs(b));
}

// Follows one warp along one row.
class Follower {
  public:
    Follower(const std::vector<float>& row, WarpRun& into) : row_(row), into_(into), seen_(row.size()) {
        for (const float x : row) of_row_ = with(of_row_, x);
    }

    void go(Kind kind, const Event& event, const std::array<int, lanes>& columns) {
        const auto& header = event.access.header;
        Step step;
        step.kind = kind;
        step.line = int(header.line);
        step.at = int(header.step);
        step.mask = header.mask;
        step.column = columns;
        if (kind == Kind::read) read(columns);
        if (kind == Kind::take) is_followed_ = false;
        if (kind == Kind::shuffle) exchange(event.access.exchange(), step);
        step.pass = pass_;
        step.known = own_;
        for (const Known& known : own_) step.all = merged(step.all, known);
        step.bare_sum = bare_;
        into_.steps.push_back(step);
    }

  private:
    void read(const std::array<int, lanes>& columns) {
        const bool again = std::any_of(columns.begin(), columns.end(),
                                       [&](int column) { return column >= 0 && seen_[size_t(column)]; });
        if (again || pass_ == 0) begin_pass();
        for (int lane = 0; lane < lanes; ++lane) {
            if (columns[size_t(lane)] < 0) continue;
            const size_t column = size_t(columns[size_t(lane)]);
            seen_[column] = true;
            own_[size_t(lane)] = with(own_[size_t(lane)], row_[column]);
            bare_ += std::exp(row_[column]);
        }
        restart();
    }

    void begin_pass() {
        ++pass_;
        seen_.assign(row_.size(), false);
        own_.fill({});
        bare_ = 0;
        is_followed_ = true;
        restart();
    }

    // Nobody has heard of another lane yet.
    void restart() {
        for (int lane = 0; lane < lanes; ++lane) max_of_[size_t(lane)] = sum_of_[size_t(lane)] = 1u << lane;
    }

    Known known_of(uint32_t set) const {
        Known known;
        for (int lane = 0; lane < lanes; ++lane)
            if (set >> lane & 1) known = merged(known, own_[size_t(lane)]);
        return known;
    }

    // What a lane may rightly bring as its sum: against the maximum that its sum was last merged with, against the
    // one that it has heard of since, against the row's, or against none at all.
    double sum_due(size_t lane, int against) const {
        const Known known = known_of(sum_of_[lane]);
        const double max = against == 0   ? known.max
                           : against == 1 ? known_of(max_of_[lane]).max
                           : against == 2 ? of_row_.max
                                          : 0;
        return known.any && known.sum > 0 ? known.sum * std::exp(known.max - max) : 0;
    }

    // How many lanes bring what `due` says.
    template <class Due>
    int agreeing(const Step& step, Due due) const {
        int count = 0;
        for (size_t lane = 0; lane < lanes; ++lane)
            if (step.mask >> lane & 1) count += alike(double(step.brought[lane]), double(float(due(lane))));
        return count;
    }

    void exchange(const simt::trace::WarpExchange& told, Step& step) {
        for (size_t lane = 0; lane < lanes; ++lane) {
            step.source[lane] = told.source[lane];
            step.brought[lane] = std::bit_cast<float>(uint32_t(told.value[lane]));
            step.got[lane] = std::bit_cast<float>(uint32_t(told.result[lane]));
            if (step.distance == 0 && told.source[lane] >= 0)
                step.distance = std::abs(told.source[lane] - int(lane));
        }
        step.brings = Brings::unknown;
        if (is_followed_) recognise(step);
    }

    void recognise(Step& step) {
        const auto max_due = [&](size_t lane) {
            const Known known = known_of(max_of_[lane]);
            return known.any ? known.max : double(step.brought[lane]);  // whatever an empty lane starts with
        };
        int best = agreeing(step, max_due), best_sum = -1;
        for (int against = 0; against < 4; ++against) {
            const int count = agreeing(step, [&](size_t lane) { return sum_due(lane, against); });
            if (count > best) {
                best = count;
                best_sum = against;
            }
        }
        if (2 * best < std::popcount(step.mask)) {
            is_followed_ = false;  // it goes some way of its own
            return;
        }
        step.brings = best_sum < 0 ? Brings::max : best_sum == 3 ? Brings::bare_sum : Brings::sum;
        for (size_t lane = 0; lane < lanes; ++lane) {
            step.due[lane] = best_sum < 0 ? max_due(lane) : sum_due(lane, best_sum);
            if ((step.mask >> lane & 1) && !alike(double(step.brought[lane]), double(float(step.due[lane]))))
                step.wrong |= 1u << lane;
        }
        std::array<uint32_t, lanes>& sets = best_sum < 0 ? max_of_ : sum_of_;
        const std::array<uint32_t, lanes> before = sets;
        for (size_t lane = 0; lane < lanes; ++lane)
            if (step.source[lane] >= 0 && step.source[lane] < lanes)
                sets[lane] |= before[size_t(step.source[lane])];
    }

    const std::vector<float>& row_;
    WarpRun& into_;
    std::vector<bool> seen_;
    std::array<Known, lanes> own_{};
    std::array<uint32_t, lanes> max_of_{}, sum_of_{};  // whose numbers are in what a lane has
    Known of_row_;
    double bare_ = 0;
    int pass_ = 0;
    bool is_followed_ = true;
};

// The columns that a warp's lanes touch in one row; the row is that of the first lane. False: none of the array.
bool columns_at(const Layout& layout, uint64_t array, const Access& access, int& row,
                std::array<int, lanes>& columns) {
    bool found = false;
    for (int lane = 0; lane < lanes; ++lane) {
        columns[size_t(lane)] = -1;
        if ((access.header.mask >> lane & 1) == 0) continue;
        const int64_t element = layout.element(array, access.address(lane));
        if (element < 0) continue;
        const int of = int(element / int64_t(layout.columns));
        if (!found) row = of;
        found = true;
        if (of == row) columns[size_t(lane)] = int(element % int64_t(layout.columns));
    }
    return found;
}

// What kind of step an event is, and the row and columns that it touches. Nothing: none of this lesson's.
std::optional<Kind> kind_of(const Layout& layout, const Event& event, int& row,
                            std::array<int, lanes>& columns) {
    const auto& header = event.access.header;
    if (event.is_exchange()) return Kind::shuffle;
    if (header.space == Space::shared) return header.op == Op::store ? Kind::leave : Kind::take;
    if (header.space != Space::global) return std::nullopt;
    if (header.op == Op::load && columns_at(layout, layout.in, event.access, row, columns)) return Kind::read;
    if (header.op == Op::store && columns_at(layout, layout.out, event.access, row, columns))
        return Kind::write;
    return std::nullopt;
}

using Warps = std::map<std::pair<uint32_t, int>, std::vector<Event>>;  // by block and warp

Warps warps_of(const simt::trace::Reader& trace, const Kernel& kernel) {
    Warps warps;
    for (const size_t index : trace.of_launch(uint32_t(kernel.launch))) {
        Event event{trace.at(index)};
        if (event.is_exchange()) {
            const auto operation = WarpOperation(event.access.header.operation);
            if (operation < WarpOperation::shuffle_index || operation > WarpOperation::shuffle_xor) continue;
            event.number = event.access.exchange().number;
        }
        warps[{event.access.header.block, event.access.header.warp}].push_back(event);
    }
    for (auto& [at, events] : warps) std::stable_sort(events.begin(), events.end(), comes_before);
    return warps;
}

}  // namespace

Known merged(const Known& a, const Known& b) {
    if (!a.any) return b;
    if (!b.any) return a;
    const double max = std::max(a.max, b.max);
    if (std::isinf(max)) return {max, a.sum + b.sum, true};
    return {max, a.sum * std::exp(a.max - max) + b.sum * std::exp(b.max - max), true};
}

Known with(const Known& known, double x) {
    if (std::isnan(x)) return {known.any ? known.max : -std::numeric_limits<double>::infinity(), x, true};
    return merged(known, {x, std::isinf(x) && x < 0 ? 0.0 : 1.0, true});
}

int RowRun::passes() const {
    int most = 0;
    for (const WarpRun& warp : warps)
        if (!warp.steps.empty()) most = std::max(most, warp.steps.back().pass);
    return most;
}

std::vector<RowRun> rows_of(const RunBundle& bundle, int case_index, const Kernel& kernel, size_t most) {
    std::vector<RowRun> rows;
    if (size_t(case_index) >= bundle.traces.size() || !bundle.traces[size_t(case_index)]) return rows;
    const Layout layout = layout_of(bundle.run, case_index);
    if (layout.columns == 0 || layout.in == 0) return rows;

    std::map<int, RowRun> by_row;
    for (const auto& [at, events] : warps_of(*bundle.traces[size_t(case_index)], kernel)) {
        int row = -1, shown = -1;
        std::optional<Follower> follower;
        for (const Event& event : events) {
            std::array<int, lanes> columns;
            columns.fill(-1);
            const std::optional<Kind> kind = kind_of(layout, event, row, columns);
            if (!kind || row < 0) continue;
            if (row != shown) {
                if (by_row.size() >= most && !by_row.contains(row)) break;
                RowRun& run = by_row[row];
                run.row = row;
                const auto first = layout.values.begin() + ptrdiff_t(size_t(row) * layout.columns);
                run.values.assign(first, first + ptrdiff_t(layout.columns));
                follower.emplace(run.values, run.warps.emplace_back(WarpRun{at.first, at.second, {}}));
                shown = row;
            }
            follower->go(*kind, event, columns);
        }
    }
    for (auto& [row, run] : by_row) rows.push_back(std::move(run));
    return rows;
}

}  // namespace lab::lesson_19_softmax
