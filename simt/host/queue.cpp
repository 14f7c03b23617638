#include "simt/host/queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "simt/checker/page_log.h"
#include "simt/checker/stream_race.h"
#include "simt/host/blocked.h"
#include "simt/host/lock.h"
#include "simt/host/timeline.h"
#include "simt/machine/arena.h"
#include "simt/machine/devices.h"
#include "simt/machine/launch_run.h"
#include "simt/machine/program.h"
#include "simt/machine/session_state.h"

namespace simt::queue {

bool anything_is_pending = false;
thread_local const Operation* host_function = nullptr;
bool host_must_be_watched = false;

namespace {

// Of one stream; a real device's queue has about as many places, and then the host waits, too.
constexpr size_t most_pending = 1024;

struct State {
    std::vector<std::unique_ptr<Stream>> streams;
    std::vector<uint32_t> retired;
    std::map<int, Stream*> legacy;  // by device
    uint64_t operations = 0;
    size_t pending = 0;
    Clock host;
    uint32_t host_tick = 0;
    OperationPtr running;
    unsigned named = 0;    // streams that were numbered
    unsigned threads = 0;  // with a default stream of their own
};

State& state() {
    static State& s = *new State;  // never destroyed: exit handlers still run what is queued
    return s;
}

Stream& add_stream(int device, const std::string& name, const std::string& argument) {
    State& s = state();
    s.streams.push_back(std::make_unique<Stream>());
    Stream& stream = *s.streams.back();
    stream.index = static_cast<uint32_t>(s.streams.size() - 1);
    stream.device = device;
    stream.name = name;
    stream.argument = argument;
    return stream;
}

// A stream whose handle is gone may be used again once the host knows that all of it is done. Its operations
// go on counting.
bool is_forgotten(const Stream& stream) {
    return stream.pending.empty() && !stream.is_running && state().host.at(stream.index) >= stream.ticks;
}

void count_pending(ptrdiff_t change) {
    State& s = state();
    s.pending += static_cast<size_t>(change);
    anything_is_pending = s.pending != 0;
}

void execute(Stream& stream) {
    State& s = state();
    const OperationPtr operation = stream.pending.front();
    stream.pending.pop_front();
    count_pending(-1);
    const bool program_code = operation->kind == Kind::host_function;
    if (operation->run && current_error() == 0) {
        const OperationPtr outer = s.running;
        s.running = operation;
        stream.is_running = true;
        pages::log::operation_begins(*operation);
        if (program_code) {
            const ApiUnlock others;
            host_function = operation.get();
            operation->run();
            host_function = nullptr;
        } else {
            operation->run();
        }
        pages::log::operation_ends();
        stream.is_running = false;
        s.running = outer;
    }
    timeline::ran(*operation);
    operation->run = {};
    operation->after.clear();
    operation->done = true;
    operation->finished = std::chrono::steady_clock::now();
    wake_others();
}

// Runs one operation that stands in the way of `target`, or that one itself. False: another thread is at it.
bool step(std::vector<OperationPtr>& way) {
    while (!way.empty()) {
        const OperationPtr top = way.back();
        if (top->done) {
            way.pop_back();
            continue;
        }
        Stream& stream = stream_at(top->stream);
        if (stream.is_running) return false;
        const Operation& front = *stream.pending.front();
        const auto needed = std::find_if(front.after.begin(), front.after.end(),
                                         [](const OperationPtr& o) { return !o->done; });
        if (needed == front.after.end()) {
            execute(stream);
            return true;
        }
        way.push_back(*needed);
    }
    return true;
}

// The stream whose next operation was queued first, or last in the reverse order; nullptr: nothing is queued.
Stream* next_stream(int device) {
    const bool forward = session().order == SIMT_ORDER_FORWARD;
    Stream* best = nullptr;
    for (const auto& stream : state().streams) {
        if (stream->pending.empty() || (device >= 0 && stream->device != device)) continue;
        if (best == nullptr || (stream->pending.front()->id < best->pending.front()->id) == forward)
            best = stream.get();
    }
    return best;
}

// Names the stream by what the text calls it, and by its number where that may be one of several.
void give_name(Stream& stream) {
    const char* note = allocation_note(stream.created.file, stream.created.line);
    const std::string number = fmt::format("stream {}", ++state().named);
    stream.argument = note != nullptr ? note : "stream";
    const bool is_plain =
        stream.argument.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos &&
        std::none_of(state().streams.begin(), state().streams.end(), [&](const auto& other) {
            return other.get() != &stream && other->name == stream.argument;
        });
    stream.name = note == nullptr ? number
                  : is_plain      ? stream.argument
                                  : fmt::format("{} ({})", number, stream.argument);
}

}  // namespace

Stream& legacy_stream(int device) {
    Stream*& stream = state().legacy[device];
    if (stream == nullptr) {
        stream = &add_stream(
            device,
            devices::several ? fmt::format("device {}'s default stream", device) : "the default stream", "0");
        stream->is_legacy = true;
    }
    return *stream;
}

Stream& thread_stream(int device) {
    thread_local std::map<int, Stream*> mine;
    thread_local const unsigned number = ++state().threads;
    Stream*& stream = mine[device];
    if (stream == nullptr)
        stream = &add_stream(device,
                             fmt::format("thread {}'s default stream{}", number, devices::on_device(device)),
                             "cudaStreamPerThread");
    return *stream;
}

// A retired one that is done, or a new one.
static Stream& fresh_stream(int device) {
    State& s = state();
    const auto free = std::find_if(s.retired.begin(), s.retired.end(), [&](uint32_t index) {
        return s.streams[index]->device == device && is_forgotten(*s.streams[index]);
    });
    if (free == s.retired.end()) return add_stream(device, "", "");
    Stream& stream = *s.streams[*free];
    s.retired.erase(free);
    stream.last = nullptr;
    return stream;
}

Stream& make_stream(int device, unsigned flags, int priority, Where where) {
    Stream& stream = fresh_stream(device);
    stream.flags = flags;
    stream.priority = priority;
    stream.is_blocking = (flags & 1) == 0;
    stream.created = where;
    give_name(stream);
    return stream;
}

Stream& make_branch(int device, const std::string& name) {
    Stream& stream = fresh_stream(device);
    stream.flags = 1;
    stream.is_blocking = false;
    stream.created = {};
    stream.name = name;
    stream.argument = "stream";
    return stream;
}

void retire_stream(Stream& stream) {
    state().retired.push_back(stream.index);
}

Stream& stream_at(uint32_t index) {
    return *state().streams[index];
}

void for_each_stream(const std::function<void(const Stream&)>& visit) {
    for (const auto& stream : state().streams) visit(*stream);
}

bool is_lazy() {
    return program.hooked;
}

OperationPtr enqueue(Stream& stream, NewOperation made) {
    State& s = state();
    auto operation = std::make_shared<Operation>();
    Operation& o = *operation;
    o.id = ++s.operations;
    o.kind = made.kind;
    o.where = made.where;
    o.name = std::move(made.name);
    o.stream = stream.index;
    o.bytes = made.bytes;
    o.is_pageable = made.is_pageable;
    if (o.kind == Kind::kernel) o.launch = next_launch_index();
    o.graph = made.graph;
    o.call_ns = made.call_ns;
    o.from_device = made.from_device;
    o.to_device = made.to_device;
    o.is_staged = made.is_staged;
    o.spans = std::move(made.spans);
    o.run = std::move(made.run);
    o.before = stream.clock;
    o.before.join(s.host);
    std::vector<uint64_t> after;
    const auto wait_for = [&](const OperationPtr& other) {
        if (other == nullptr) return;
        o.before.join(other->before);
        after.push_back(other->id);
        if (!other->done) o.after.push_back(other);
    };
    for (const OperationPtr& other : made.after) wait_for(other);
    if (stream.is_legacy) {
        for (const auto& other : s.streams)
            if (other->is_blocking && other->device == stream.device && other->index != stream.index)
                wait_for(other->last);
    } else if (stream.is_blocking) {
        wait_for(legacy_stream(stream.device).last);
    }
    o.tick = ++stream.ticks;
    o.before.set(stream.index, o.tick);
    o.host_tick = ++s.host_tick;
    stream.clock = o.before;
    stream.last = operation;
    stream.pending.push_back(operation);
    count_pending(1);
    host_must_be_watched = true;
    stream_race::add(operation);
    timeline::queued(stream, o, std::move(after));
    // An event's record with nothing in front of it is done at once.
    const bool is_mark = o.kind == Kind::record || o.kind == Kind::wait;
    const bool is_free = stream.pending.size() == 1 && o.after.empty() && !stream.is_running;
    if (is_lazy() && o.kind == Kind::host_function) watch_for_blocked_host();
    if (!is_lazy() || (is_mark && is_free)) {
        run_until(operation);
    } else if (stream.pending.size() > most_pending) {
        run_until(stream.pending.front());
    }
    return operation;
}

void run_until(OperationPtr operation) {
    std::vector<OperationPtr> way{operation};
    while (!operation->done)
        if (!step(way)) wait_for_others();
}

void run_all(int device) {
    while (Stream* stream = next_stream(device)) run_until(stream->pending.front());
    for (const auto& stream : state().streams)
        while (stream->is_running && host_function == nullptr && (device < 0 || stream->device == device))
            wait_for_others();
}

void run_one_step(OperationPtr operation) {
    std::vector<OperationPtr> way{operation};
    if (!operation->done) step(way);
}

namespace {

void note_idling(uint64_t weight) {
    constexpr uint64_t patience = uint64_t{1} << 26;  // basic blocks
    static thread_local uint64_t idled = 0, at_operation = 0;
    if (host_function != nullptr) return;
    const uint64_t operations = state().operations;
    if (at_operation != operations) idled = 0;
    at_operation = operations;
    idled += weight;
    if (idled < patience) return;
    idled = 0;
    const ApiLock lock;
    run_oldest();
}

}  // namespace

bool run_oldest() {
    const Stream* oldest = nullptr;
    for (const auto& stream : state().streams)
        if (!stream->pending.empty() && !stream->is_running &&
            (oldest == nullptr || stream->pending.front()->id < oldest->pending.front()->id))
            oldest = stream.get();
    if (oldest == nullptr) return false;
    std::vector<OperationPtr> way{oldest->pending.front()};
    return step(way);
}

bool host_function_is_pending() {
    for (const auto& stream : state().streams)
        for (const auto& operation : stream->pending)
            if (operation->kind == Kind::host_function) return true;
    return false;
}

uint64_t operations() {
    return state().operations;
}

void note_host_block() {
    note_idling(1);
}

void note_host_poll() {
    constexpr uint64_t polls = 1 << 16;  // are enough
    note_idling((uint64_t{1} << 26) / polls);
}

std::vector<OperationPtr> pending() {
    std::vector<OperationPtr> all;
    for (const auto& stream : state().streams)
        all.insert(all.end(), stream->pending.begin(), stream->pending.end());
    std::sort(all.begin(), all.end(),
              [](const OperationPtr& a, const OperationPtr& b) { return a->id < b->id; });
    return all;
}

OperationPtr running() {
    return state().running;
}

void host_learns(const Operation& operation) {
    State& s = state();
    timeline::host_waited(operation, host_knows(operation));
    s.host.join(operation.before);
    if (s.pending != 0) return;
    for (const auto& stream : s.streams)
        if (s.host.at(stream->index) < stream->ticks) return;
    host_must_be_watched = false;
    stream_race::forget();
    timeline::settle();
}

void host_learns_all(int device) {
    for (const auto& stream : state().streams)
        if ((device < 0 || stream->device == device) && stream->last != nullptr && stream->last->done)
            host_learns(*stream->last);
}

bool host_knows(const Operation& operation) {
    const Clock& known = host_function != nullptr ? host_function->before : state().host;
    return known.at(operation.stream) >= operation.tick;
}

uint32_t host_tick() {
    return state().host_tick;
}

uint32_t pass_host_tick() {
    return state().host_tick++;
}

}  // namespace simt::queue
