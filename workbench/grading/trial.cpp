#include "workbench/grading/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace lab {

namespace {

constexpr size_t most_fast_launches = 64;  // that a Run holds

const char* words_of(Order order) {
    return order == Order::forward ? "ascending" : "descending";
}

}  // namespace

// ---- the player's side
// -----------------------------------------------------------------------------------------

void* Player::device_slot(int index) {
    Slot& slot = trial_.state().slots.at(static_cast<size_t>(index));
    if (slot.device) return slot.device;
    const Machine& machine = referee().machine;
    slot.device = machine.create(slot.name.c_str(), slot.bytes(), slot.element_bytes);
    // Out of the shared array: a long player's own copy need not be the parent's.
    const GuardedArray& array = slot.arrays.at(trial_.state().index_of(order_));
    if (slot.is_input && slot.bytes() != 0) machine.upload(slot.device, array.data(), slot.bytes());
    return slot.device;
}

void* Player::host_slot(int index) {
    Slot& slot = trial_.state().slots.at(static_cast<size_t>(index));
    slot.host_used = true;
    return slot.arrays.at(trial_.state().index_of(order_)).data();
}

void* Player::pinned_slot(int index) {
    void* memory = host_slot(index);
    Slot& slot = trial_.state().slots.at(static_cast<size_t>(index));
    if (!slot.pinned && slot.bytes() != 0)
        referee().machine.pin(slot.name.c_str(), memory, slot.bytes(), slot.element_bytes);
    slot.pinned = true;
    return memory;
}

void Player::download_slot(int index, void* to) {
    const Slot& slot = trial_.state().slots.at(static_cast<size_t>(index));
    if (slot.bytes() != 0) referee().machine.download(device_slot(index), to, slot.bytes(), 0);
}

void Player::point(const char* series, float x, float y) {
    if (trial_.state().index_of(order_) == 0) referee().series->add(series, x, y);
}

void* Player::resolve(const char* name) {
    const Machine& machine = referee().machine;
    return resolve_or_end({program_, machine}, name);
}

int Player::time_calls(const std::string& name, const Work& work, int (*body)(void*), void* context) {
    const Machine& machine = referee().machine;
    return machine.time ? machine.time(name.c_str(), work.bytes, work.flops, body, context) : body(context);
}

size_t timing_size(size_t large, size_t small) {
    return referee().machine.time ? large : small;
}

// ---- the referee's side
// ----------------------------------------------------------------------------------------

Trial::Trial() : state_(std::make_unique<State>()) {
    if (!referee().machine.watches() || referee().fast) state_->orders = {Order::forward};
    referee().series->clear();
}

Trial& Trial::seconds(double limit) {
    state_->seconds = limit;
    return *this;
}
Trial& Trial::steps(uint64_t basic_blocks) {
    state_->steps = basic_blocks;
    return *this;
}
Trial& Trial::device_memory(uint64_t bytes) {
    state_->device_memory = bytes;
    return *this;
}
Trial& Trial::card(const std::string& profile) {
    state_->card = profile;
    return *this;
}
Trial& Trial::devices(int count) {
    if (count < 1 || count > 16) throw std::logic_error("Trial::devices takes 1 to 16.");
    state_->devices = count;
    return *this;
}
Trial& Trial::orders(std::vector<Order> orders) {
    if (!state_->slots.empty() || orders.empty())
        throw std::logic_error("Trial::orders comes before the arrays, and names at least one.");
    if (referee().machine.watches() && !referee().fast) state_->orders = std::move(orders);
    return *this;
}
Trial& Trial::raise(const std::string& kind) {
    state_->raised.insert(kind);
    return *this;
}
Trial& Trial::tolerate(const std::string& kind) {
    state_->tolerated.insert(kind);
    return *this;
}

Trial& Trial::kernels_optional() {
    state_->needs_kernel = false;
    return *this;
}

int Trial::add_slot(const std::string& name, Role role, const void* values, size_t count,
                    size_t element_bytes, size_t) {
    if (state_->played) throw std::logic_error("Make the arrays of a trial before it is played.");
    Slot slot;
    slot.name = name;
    slot.is_input = role == Role::input || role == Role::inout;
    slot.is_output = role != Role::input;
    slot.must_be_written = role == Role::output;
    slot.count = count;
    slot.element_bytes = element_bytes;
    if (slot.is_input)
        slot.original.assign(static_cast<const char*>(values),
                             static_cast<const char*>(values) + slot.bytes());
    for (size_t i = 0; i < state_->orders.size(); ++i) {
        GuardedArray array(slot.bytes());
        if (slot.bytes() == 0 || referee().long_player.is_player()) {
        } else if (slot.is_input) {
            std::memcpy(array.data(), slot.original.data(), slot.bytes());
        } else {
            std::memset(array.data(), kPoison, slot.bytes());
        }
        slot.arrays.push_back(std::move(array));
    }
    state_->slots.push_back(std::move(slot));
    return static_cast<int>(state_->slots.size() - 1);
}

void Trial::set_columns(int slot, size_t columns) {
    state_->slots.at(static_cast<size_t>(slot)).columns = columns;
}

void Trial::set_most_bytes(int slot, size_t bytes) {
    state_->slots.at(static_cast<size_t>(slot)).most_bytes = bytes;
}

void Trial::set_expected(int index, const void* values) {
    Slot& slot = state_->slots.at(static_cast<size_t>(index));
    if (slot.bytes() > slot.most_bytes) return;
    slot.expected.assign(static_cast<const char*>(values), slot.bytes());
    slot.wrong.clear();
    for (const GuardedArray& array : slot.arrays) {
        std::string& wrong = slot.wrong.emplace_back((slot.count + 7) / 8, '\0');
        for (size_t i = 0; i < slot.count; ++i) {
            const size_t at = i * slot.element_bytes;
            if (std::memcmp(array.data() + at, slot.expected.data() + at, slot.element_bytes) != 0)
                wrong[i / 8] = static_cast<char>(wrong[i / 8] | 1 << i % 8);
        }
    }
}

void Trial::play_all(const std::function<int(Player&)>& body) {
    State& state = *state_;
    if (state.played) throw std::logic_error("A trial is played once; make another one.");
    state.played = true;
    state.failed.assign(state.orders.size(), false);
    if (referee().collector.given_up()) {
        state.skipped = true;
        state.results.resize(state.orders.size());
        for (auto& result : state.results) {
            result.ending = Ending::timeout;
            result.reason = "Not tried, because an earlier case did not end in time.";
        }
        return;
    }
    std::vector<PlayRequest> requests;
    for (size_t i = 0; i < state.orders.size(); ++i) {
        PlayRequest request;
        request.program = referee().program;
        request.session.order = static_cast<int32_t>(state.orders[i]);
        request.session.step_budget = state.steps;
        request.session.memory_budget = state.device_memory;
        request.session.device_profile = state.card.empty() ? nullptr : state.card.c_str();
        request.session.devices = state.devices;
        request.session.advice_leaks = state.raised.count("leak") != 0;  // else nobody looks for them
        std::copy_n(referee().grid, 3, request.session.grid);
        request.limits.seconds = state.seconds;
        if (i != 0 || referee().fast) request.limits.trace_bytes = 0;
        if (referee().machine.lives_long()) {
            request.limits.sandboxed = false;
            request.limits.open_files = 4096;  // a driver opens many
            request.limits.trace_bytes = 0;
        }
        request.body = [this, &body, i](const LoadedProgram& program) {
            Player player(*this, program.handle, state_->orders[i]);
            const int returned = body(player);
            for (Slot& slot : state_->slots) {
                if (!slot.device || slot.host_used || slot.bytes() == 0) continue;
                program.machine.download(slot.device, slot.arrays[i].data(), slot.bytes(),
                                         slot.must_be_written && returned == 0);
            }
            return returned;
        };
        requests.push_back(std::move(request));
    }
    state.results =
        referee().machine.lives_long()
            ? std::vector{referee().long_player.play(referee().machine, requests.front(), state.place())}
            : lab::play_all(referee().machine, requests);
    for (const auto& result : state.results) {
        const auto& findings = result.report.findings;
        const bool endless = std::any_of(findings.begin(), findings.end(),
                                         [](const Finding& f) { return f.kind == "infinite-loop"; });
        if (endless || result.ending == Ending::timeout) referee().collector.give_up();
    }
}

const void* Trial::result_slot(int slot, Order order) const {
    return state_->slots.at(static_cast<size_t>(slot)).arrays.at(state_->index_of(order)).data();
}

size_t Trial::State::index_of(Order order) const {
    if (orders.size() == 1 && (!referee().machine.watches() || referee().fast)) return 0;
    const auto found = std::find(orders.begin(), orders.end(), order);
    if (found == orders.end()) throw std::logic_error("This trial is not played in that order.");
    return static_cast<size_t>(found - orders.begin());
}

std::string Trial::State::place() const {
    std::string words = fmt::format("case {}:", referee().collector.cases());
    for (const Slot& slot : slots)
        words += fmt::format(" {} {} at {}", slot.name, slot.bytes(),
                             static_cast<const void*>(slot.arrays.front().data()));
    return words;
}

std::vector<const Finding*> Trial::State::errors(size_t order) const {
    std::vector<const Finding*> list;
    for (const auto& finding : results.at(order).report.findings) {
        const bool counts = finding.severity == Severity::error || raised.count(finding.kind) != 0;
        if (counts && tolerated.count(finding.kind) == 0) list.push_back(&finding);
    }
    return list;
}

bool Trial::ended_well(Order order) const {
    return state_->result(order).ended_well();
}
int Trial::returned(Order order) const {
    return state_->result(order).returned;
}
const std::vector<Kernel>& Trial::launches(Order order) const {
    return state_->result(order).report.kernels;
}
const Timeline* Trial::timeline(Order order) const {
    const auto& timelines = state_->result(order).report.timelines;
    return timelines.empty() ? nullptr : &timelines.front();
}
const std::vector<Finding>& Trial::findings(Order order) const {
    return state_->result(order).report.findings;
}
// ---- the end of a trial
// ------------------------------------------------------------------------------------------

namespace {

constexpr CheckSite kUnasked{"workbench/grading/trial.cpp", 0};

void check_arrays(Trial::State& state) {
    for (size_t order = 0; order < state.orders.size(); ++order) {
        if (!state.results[order].ended_well()) continue;
        for (const Slot& slot : state.slots) {
            if (const char* side = slot.arrays[order].damaged_side()) {
                report_failure(state, order,
                               {fmt::format("Something wrote {} the host array {}.", side, slot.name), "",
                                fmt::format("{} has {} elements: indices 0 to {}.", slot.name, slot.count,
                                            slot.count - 1)},
                               kUnasked);
            }
            if (slot.is_output || slot.bytes() == 0) continue;
            const char* now = slot.arrays[order].data();
            const auto changed = std::mismatch(slot.original.begin(), slot.original.end(), now).first;
            if (changed == slot.original.end()) continue;
            const auto element = static_cast<size_t>(changed - slot.original.begin()) / slot.element_bytes;
            report_failure(
                state, order,
                {fmt::format("{}[{}] was changed, and {} is an input.", slot.name, element, slot.name), "",
                 fmt::format("Read {}, and write the results elsewhere.", slot.name)},
                kUnasked);
        }
    }
}

// Right values that no kernel made were computed on the host and copied.
void check_launches(Trial::State& state) {
    const bool has_output =
        std::any_of(state.slots.begin(), state.slots.end(), [](const Slot& s) { return s.is_output; });
    bool told = false;
    for (size_t order = 0; order < state.results.size() && state.needs_kernel && has_output; ++order) {
        const PlayResult& result = state.results[order];
        if (result.returned != 0 || result.report.buffers.empty() || !result.report.kernels.empty()) continue;
        if (state.failed[order]) continue;  // said already, and better
        report_once(state, order, told,
                    {"The function launched no kernel: what it left was made on the host.", "",
                     "Let a kernel compute it: kernel<<<blocks, threads_per_block>>>(arguments);"},
                    kUnasked);
    }
}

Finding order_finding(const Trial::State& state) {
    const size_t bad =
        static_cast<size_t>(std::find(state.failed.begin(), state.failed.end(), true) - state.failed.begin());
    const size_t good = static_cast<size_t>(std::find(state.failed.begin(), state.failed.end(), false) -
                                            state.failed.begin());
    Finding finding;
    finding.kind = "order-dependent";
    finding.message = fmt::format(
        "The result depends on which thread runs first: it is right when blocks and threads run in {} order, "
        "and wrong in {} order.",
        words_of(state.orders[good]), words_of(state.orders[bad]));
    finding.fix =
        "Look for a value that one thread writes and another one reads or overwrites, with no barrier "
        "between them.";
    const auto errors = state.errors(bad);
    if (!errors.empty()) {
        finding.at = errors.front()->at;
    } else if (!state.results[bad].report.kernels.empty()) {
        finding.at = state.results[bad].report.kernels.back().at;
    }
    return finding;
}

// A kernel stopped by a fault that is told has an error that nobody can have looked at before it returned: the launch is
// over by then. Of a refused launch, that nobody looked is the fault itself.
void leave_out_what_follows(std::vector<Finding>& findings) {
    const auto is = [](const char* kind) { return [kind](const Finding& f) { return f.kind == kind; }; };
    const bool has_cause = std::any_of(findings.begin(), findings.end(), [](const Finding& f) {
        return f.severity == Severity::error && f.launch >= 0 && f.kind != "unchecked-error" &&
               f.kind != "never-written" && f.kind != "sticky-error";
    });
    if (!has_cause || std::any_of(findings.begin(), findings.end(), is("launch-config"))) return;
    std::erase_if(findings, is("unchecked-error"));
}

bool same_finding(const Finding& a, const Finding& b) {
    return a.kind == b.kind && a.at.line == b.at.line && a.buffer == b.buffer;
}

// What the arrays held after the run in that order.
std::vector<ArrayValues> values_of(const Trial::State& state, size_t order) {
    std::vector<ArrayValues> list;
    for (const Slot& slot : state.slots) {
        if (slot.bytes() == 0 || slot.bytes() > slot.most_bytes) continue;
        ArrayValues values;
        values.name = slot.name;
        values.role = slot.is_input ? (slot.is_output ? "inout" : "input") : "output";
        values.element_bytes = static_cast<uint32_t>(slot.element_bytes);
        values.columns = slot.columns;
        values.expected = slot.expected;
        // An input is there whatever became of the program.
        if (state.results[order].ended_well())
            values.got.assign(slot.arrays[order].data(), slot.bytes());
        else if (slot.is_input)
            values.got.assign(slot.original.data(), slot.bytes());
        const bool any = order < slot.wrong.size() && !values.got.empty() &&
                         std::any_of(slot.wrong[order].begin(), slot.wrong[order].end(),
                                     [](char bits) { return bits != 0; });
        if (any) values.wrong = slot.wrong[order];
        list.push_back(std::move(values));
    }
    return list;
}

// The launch that should have written an array. With as many launches as outputs, they go in their order.
const Kernel& launch_for(const Trial::State& state, const std::string& array,
                         const std::vector<Kernel>& kernels) {
    std::vector<std::string> outputs;
    for (const Slot& slot : state.slots)
        if (slot.is_output) outputs.push_back(slot.name);
    const auto found = std::find(outputs.begin(), outputs.end(), array);
    if (outputs.size() != kernels.size() || found == outputs.end()) return kernels.back();
    return kernels[static_cast<size_t>(found - outputs.begin())];
}

TrialRecord record_of(Trial::State& state) {
    TrialRecord record;
    record.failed = std::find(state.failed.begin(), state.failed.end(), true) != state.failed.end();
    size_t shown = 0;  // the order whose kernels are shown: the first one that failed
    for (size_t i = state.failed.size(); i-- > 0;) shown = state.failed[i] ? i : shown;
    if (!record.failed) shown = 0;
    PlayResult& result = state.results[shown];
    record.ending = result.ending;
    record.kernels = result.report.kernels;
    // A run without checks may be long, and nobody counts its launches.
    if (referee().fast && record.kernels.size() > most_fast_launches)
        record.kernels.resize(most_fast_launches);
    record.buffers = result.report.buffers;
    record.devices = result.report.devices;
    record.timelines = result.report.timelines;
    record.times = result.report.times;
    record.series = referee().series->read();
    record.arrays = values_of(state, shown);
    record.output = result.output;
    record.output_cut = result.output_cut;
    record.trace = std::move(state.results[0].trace);
    for (size_t i = 0; i < state.results.size(); ++i) {
        for (Finding finding : state.results[i].report.findings) {
            if (state.tolerated.count(finding.kind) != 0) continue;
            if (state.raised.count(finding.kind) != 0) finding.severity = Severity::error;
            const auto known = std::find_if(record.findings.begin(), record.findings.end(),
                                            [&](const Finding& f) { return same_finding(f, finding); });
            if (known == record.findings.end()) record.findings.push_back(std::move(finding));
        }
    }
    leave_out_what_follows(record.findings);
    // What was never written has no line of its own; the launch that should have done it is the place to
    // look.
    for (Finding& finding : record.findings) {
        if (finding.kind == "never-written" && finding.at.line == 0 && !record.kernels.empty())
            finding.at = launch_for(state, finding.buffer, record.kernels).at;
    }
    const bool differ =
        record.failed && std::find(state.failed.begin(), state.failed.end(), false) != state.failed.end();
    if (differ) record.findings.push_back(order_finding(state));
    put_cause_first(record.findings);
    return record;
}

}  // namespace

std::string sentence(const std::string& message) {
    const bool ends =
        !message.empty() && std::string_view(".?!)").find(message.back()) != std::string_view::npos;
    return message.empty() || ends ? message : message + ".";
}

void report_failure(Trial::State& state, size_t order, Failure failure, CheckSite site) {
    const bool other_is_fine = state.orders.size() > 1 && !state.failed[0] && order > 0;
    state.failed[order] = true;
    if (other_is_fine) {
        failure.message +=
            fmt::format(" (Only when blocks and threads run in {} order.)", words_of(state.orders[order]));
    }
    referee().collector.add_failure(failure);
    ADD_FAIL_CHECK_AT(site.file, site.line, failure.message);
}

void report_once(Trial::State& state, size_t order, bool& told, const Failure& failure, CheckSite site) {
    if (!told) report_failure(state, order, failure, site);
    state.failed[order] = true;
    told = true;
}

// So many within the time of a case are no slow kernel, but launches without end.
constexpr size_t many_launches = 1000;

bool report_bad_end(Trial::State& state, CheckSite site) {
    if (!state.played) {
        ADD_FAIL_CHECK_AT(site.file, site.line, "The grader checks a trial that it has not played.");
        return true;
    }
    bool bad = false;
    for (size_t order = 0; order < state.results.size(); ++order) {
        const PlayResult& result = state.results[order];
        if (result.ended_well()) continue;
        const bool told = bad || state.end_reported;
        bad = true;
        if (told) {
            state.failed[order] = true;
            continue;
        }
        std::string cause;
        for (const Finding* finding : state.errors(order)) {
            if (sentence(finding->message) != result.reason) cause = sentence(finding->message);
            if (!cause.empty()) break;
        }
        std::string next;
        if (const size_t launches = result.report.kernels.size();
            cause.empty() && result.ending == Ending::timeout && launches > many_launches) {
            cause = fmt::format(
                "By then it had launched {} kernels: a loop of the host's, or a function that "
                "calls itself, does not end.",
                launches);
            next =
                "Which launch is meant to be the last? Write down what holds there, and let the function "
                "return on it.";
        }
        report_failure(state, order, {result.reason, cause, next}, site);
    }
    state.end_reported = state.end_reported || bad;
    return bad;
}

Trial::~Trial() {
    State& state = *state_;
    if (!state.played || referee().long_player.is_player()) return;
    if (!report_bad_end(state, kUnasked)) {
        check_arrays(state);
        check_launches(state);
        expect_clean(*this, kUnasked);
    }
    referee().collector.add_trial(record_of(state));
}

}  // namespace lab
