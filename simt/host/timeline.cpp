#include "simt/host/timeline.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "simt/host/timeline_metrics.h"
#include "simt/host/timeline_model.h"
#include "simt/machine/session_state.h"

namespace simt::timeline {

thread_local uint64_t host_blocks __attribute__((tls_model("initial-exec"))) = 0;

namespace {

constexpr size_t most_tasks = 400'000;  // that are logged; those queued after them are only counted
constexpr size_t most_shown = 4'000;    // that stand in the record, and as many steps of the host

struct State {
    Log log;
    Placement settled;
    std::vector<About> tasks;  // what the log's tasks are
    std::vector<AboutStep> steps;
    std::vector<TaskId> last;  // by stream
    uint64_t first_id = 0;     // of the operations that are logged
    uint64_t left_out = 0;
    uint64_t instantiations = 0;                      // of graphs
    uint64_t handles = 0;                             // of libraries
    uint64_t calls = 0, calls_in_default_stream = 0;  // of libraries that queue kernels
    // The last look at what is not settled yet.
    Placement look;
    size_t look_ran = 0, look_steps = 0;
    size_t ran = 0;
    bool ended = false, several_threads = false;
};

// The call in which this thread waits; line 0: one that says so by its operation, such as cudaMemcpy.
thread_local AboutStep waiting_in{{"", 0}, ""};

State& state() {
    static State& s = *new State;
    return s;
}

uint32_t thread_number() {
    static std::atomic<uint32_t> threads{0};
    thread_local const uint32_t mine = threads++;
    return mine;
}

// no_task: it was left out.
TaskId task_of(uint64_t id) {
    const State& s = state();
    return id - s.first_id < s.log.tasks.size() ? static_cast<TaskId>(id - s.first_id) : no_task;
}

void add_step(const Step& step, Where where, const char* call) {
    State& s = state();
    if (s.ended) return;
    s.several_threads = s.several_threads || step.thread != 0;
    s.log.steps.push_back(step);
    s.steps.push_back({where, call});
}

// What the thread's own code took since its last call.
void add_own_work() {
    const double ns = static_cast<double>(host_blocks) * HostCost::basic_block;
    host_blocks = 0;
    if (ns >= 1) add_step({Step::What::works, thread_number(), no_task, ns}, {"", 0}, "");
}

bool is_empty() {
    return state().log.tasks.empty();
}

// Whose engines an operation uses: a copy those of the device whose memory it reads or writes.
int device_of(const queue::Stream& stream, const queue::Operation& o) {
    switch (engine_of(o.kind)) {
        case Engine::copies_in:
            return o.to_device >= 0 ? o.to_device : stream.device;
        case Engine::copies_out:
        case Engine::copies_inside:
            return o.from_device >= 0 ? o.from_device : stream.device;
        default:
            return stream.device;
    }
}

// Everything that is known so far, settled or not.
const Placement& look() {
    State& s = state();
    if (s.look_steps == s.log.steps.size() && s.look_ran == s.ran && s.look_steps != 0) return s.look;
    s.look = s.settled;
    place(s.log, s.look);
    s.look_steps = s.log.steps.size();
    s.look_ran = s.ran;
    return s.look;
}

}  // namespace

void queued(const queue::Stream& stream, const queue::Operation& operation, std::vector<uint64_t> after) {
    if (!queue::is_lazy()) return;
    State& s = state();
    if (s.log.tasks.size() >= most_tasks) {
        ++s.left_out;
        return;
    }
    if (is_empty()) {  // the clock starts here
        s.first_id = operation.id;
        host_blocks = 0;
    }
    add_own_work();
    const auto id = static_cast<TaskId>(s.log.tasks.size());
    if (stream.index >= s.last.size()) s.last.resize(stream.index + 1, no_task);
    Task task;
    task.engine = engine_of(operation.kind);
    task.priority = stream.priority;
    task.previous = std::exchange(s.last[stream.index], id);
    for (const uint64_t other : after)
        if (const TaskId known = task_of(other); known != no_task) task.after.push_back(known);
    task.device = device_of(stream, operation);
    const bool between = operation.kind == queue::Kind::copy_between_devices;
    if (between) task.to_device = operation.to_device;
    task.duration = between ? between_devices(operation.bytes, operation.is_staged)
                            : of_operation(operation.kind, operation.bytes, operation.is_pageable);
    task.graph = operation.graph.number;
    s.log.tasks.push_back(std::move(task));
    s.tasks.push_back({operation.kind, operation.where, operation.name, stream.index, operation.bytes,
                       operation.is_pageable, operation.graph.where});
    const double call_ns =
        operation.call_ns.value_or(of_call(operation.kind, operation.bytes, operation.is_pageable));
    // A graph's launch is one call: of its nodes only those have a step that take the host's time.
    const bool is_in_graph = operation.graph.number != 0;
    add_step({Step::What::queues, thread_number(), id, call_ns},
             is_in_graph ? operation.graph.where : operation.where, "");
    // The driver takes it piece by piece, and the host waits meanwhile.
    const bool is_long = operation.is_pageable && operation.bytes > HostCost::staged_bytes &&
                         operation.kind == queue::Kind::copy_to_device;
    if (is_long) add_step({Step::What::waits, thread_number(), id, HostCost::look}, operation.where, "");
}

void kernel_ran(const queue::Operation& operation, uint32_t launch, const KernelWork& work) {
    const TaskId t = task_of(operation.id);
    if (is_empty() || t == no_task) return;
    Task& task = state().log.tasks[t];
    task.duration = of_kernel(work);
    // The device knows what comes next.
    const bool follows = task.previous != no_task && operation.graph.number != 0 &&
                         state().log.tasks[task.previous].graph == operation.graph.number;
    if (follows) task.duration.ns = std::max(task.duration.ns - graph_saves_ns, least_kernel_ns);
    state().tasks[t].launch = static_cast<int>(launch);
}

void library_ran(const queue::Operation& operation, const LibraryWork& work) {
    const TaskId t = task_of(operation.id);
    if (is_empty() || t == no_task) return;
    state().log.tasks[t].duration = of_library(work);
}

void graph_instantiated(const char* call, size_t nodes, Where where) {
    ++state().instantiations;
    host_worked(call, HostCost::instantiate + HostCost::instantiate_node * static_cast<double>(nodes), where);
}

void graph_destroyed(const char* call, size_t nodes, Where where) {
    host_worked(call, HostCost::destroy + HostCost::destroy_node * static_cast<double>(nodes), where);
}

void note_handle() {
    ++state().handles;
}

void note_library_call(bool in_default_stream) {
    ++state().calls;
    state().calls_in_default_stream += in_default_stream;
}

void moved(const queue::Operation& operation, size_t bytes) {
    const TaskId t = task_of(operation.id);
    if (is_empty() || t == no_task) return;
    State& s = state();
    s.tasks[t].bytes = bytes;
    s.log.tasks[t].duration = of_operation(operation.kind, bytes, false);
}

void ran(const queue::Operation& operation) {
    const TaskId t = task_of(operation.id);
    if (is_empty() || t == no_task) return;
    State& s = state();
    s.log.tasks[t].ran = true;
    ++s.ran;
}

void host_waited(const queue::Operation& operation, bool known) {
    const TaskId t = task_of(operation.id);
    if (is_empty() || t == no_task || (known && thread_number() == 0)) return;
    add_own_work();
    const bool is_copy = operation.bytes != 0 && waiting_in.where.line == 0;
    add_step({Step::What::waits, thread_number(), t, HostCost::look},
             is_copy ? operation.where : waiting_in.where, waiting_in.call);
}

Waiting::Waiting(const char* call, Where where) {
    waiting_in = {where, call};
}
Waiting::~Waiting() {
    waiting_in = {{"", 0}, ""};
}

void settle() {
    State& s = state();
    // What another thread does next may lie before the end of what this one waited for.
    if (is_empty() || s.several_threads) return;
    place(s.log, s.settled);
}

void host_worked(const char* call, double ns, Where where) {
    if (is_empty()) return;
    add_own_work();
    add_step({Step::What::works, thread_number(), no_task, ns}, where, call);
}

double ns_between(const queue::Operation& begin, const queue::Operation& end) {
    const TaskId a = task_of(begin.id), b = task_of(end.id);
    if (is_empty() || a == no_task || b == no_task) return 0;
    const Placement& placed = look();
    return placed.tasks[b].end - placed.tasks[a].end;
}

void program_ended() {
    if (!is_empty()) add_own_work();
    state().ended = true;
}

void write_timeline() {
    State& s = state();
    if (is_empty()) return;
    write_report(record_of({s.log, look(), s.tasks, s.steps, s.left_out, most_shown, s.instantiations,
                            s.handles, s.calls, s.calls_in_default_stream}));
}

}  // namespace simt::timeline
