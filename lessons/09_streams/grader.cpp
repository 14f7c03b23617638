// What exercise 09 must do. Right values come first, with chunks that do not divide n; then what ran behind what, on
// the simulated timeline: a share of what could overlap, never a time.
#include "lessons/09_streams/interface.h"

#include <algorithm>
#include <set>

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("09_streams");

namespace {

using Words = std::vector<unsigned>;

unsigned seal_of(unsigned x) {
    x = (x ^ x >> 16) * 2654435769u;
    x = (x ^ x >> 15) * 2246822519u;
    return x ^ x >> 16;
}

// Distinct, and none is its own seal.
unsigned record(size_t i) {
    return 1000u + static_cast<unsigned>(i);
}

Words records(size_t n) {
    Words values(n);
    for (size_t i = 0; i < n; ++i) values[i] = record(i);
    return values;
}

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}
std::string counted(size_t count, const std::string& one) {
    return number(static_cast<double>(count)) + " " + one + (count == 1 ? "" : "s");
}
std::string range_of(const std::string& name, size_t first, size_t last) {
    const std::string from = name + "[" + std::to_string(first);
    return first == last ? from + "]" : from + ".." + std::to_string(last) + "]";
}
std::string line_of(int line) {
    return "line " + std::to_string(line);
}

struct Shape {
    int n = 0, chunk = 1, streams = 1;
    size_t chunks() const { return static_cast<size_t>((n + chunk - 1) / chunk); }
    int last_chunk() const { return n - static_cast<int>(chunks() - 1) * chunk; }
};

struct Arrays {
    lab::Array<unsigned> in, out;
    lab::Array<unsigned> seen;  // h_out, as the caller found it
};

Arrays arrays_of(lab::Trial& trial, int n) {
    const auto count = static_cast<size_t>(n);
    return {trial.input("h_in", records(count)), trial.output<unsigned>("h_out", count),
            trial.output<unsigned>("seen", count, lab::Unwritten::is_allowed)};
}

// ---- wrong values

void tell(lab::Trial& trial, const std::string& message, const std::string& next) {
    lab::fail(trial, message, next, LAB_HERE);
}

// Set where values are wrong. What is wrong in small need not be wrong a million times.
bool pipeline_is_wrong = false;

bool told_about_findings(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "stream-race" && finding.other) {
            tell(trial, finding.message,
                 "Only one stream's own order is certain. Let the three steps of a chunk, and all chunks "
                 "that use "
                 "one buffer, go to one stream: chunk c to stream c % streams and to buffer c % streams.");
            return true;
        }
    for (const lab::Finding& finding : trial.findings())
        if (finding.severity == lab::Severity::error) {
            LAB_EXPECT_CLEAN(trial);
            return true;
        }
    return false;
}

// The function returned before h_out was complete. True: said.
bool told_about_the_wait(lab::Trial& trial, const Arrays& arrays) {
    const auto seen = trial.values(arrays.seen), out = trial.values(arrays.out);
    size_t first = 0;
    while (first < seen.size() && seen[first] == out[first]) ++first;
    if (first == seen.size()) return false;
    const std::string what = "h_out[" + std::to_string(first) + "]";
    tell(trial,
         "When the function returned, " + what +
             " was not there yet: the copy that brings it was queued, and nobody had waited for it.",
         "A call that ends in Async only queues. Wait for the stream before you return: "
         "cudaStreamSynchronize.");
    return true;
}

// Elements that were left as they were. True: said.
bool told_about_holes(lab::Trial& trial, const Arrays& arrays, const Shape& shape, unsigned poison) {
    const auto out = trial.values(arrays.out);
    size_t first = out.size(), last = 0, count = 0;
    for (size_t i = 0; i < out.size(); ++i) {
        if (out[i] != poison || seal_of(record(i)) == poison) continue;
        if (count++ == 0) first = i;
        last = i;
    }
    if (count == 0) return false;
    const auto chunk = static_cast<size_t>(shape.chunk);
    std::string message =
        range_of("h_out", first, last) + (first == last ? " was" : " were") + " never written.";
    std::string next = "Chunk c begins at element c * chunk and has chunk elements, or what is left.";
    if (last - first + 1 != count)
        message = counted(count, "element") + " of h_out were never written, the first is h_out[" +
                  std::to_string(first) + "].";
    if (count == out.size()) {
        message = "Nothing was written to h_out.";
        next = "A chunk needs three operations: copy in, kernel, copy out.";
    } else if (last + 1 == out.size() && first % chunk == 0 && first + chunk > last) {
        message += " It is the last chunk: " + counted(count, "element") + ", where the others have " +
                   std::to_string(chunk) + ".";
        next =
            shape.n < shape.chunk
                ? "Fewer elements than a chunk has are one chunk all the same. Go on while first < n."
                : "n / chunk rounds down. Go on while first < n, and let the last chunk have what is left.";
    } else if (last - first + 1 == count && first % chunk == count && count < chunk) {
        next = "A size in bytes is needed where bytes are asked for: count * sizeof(unsigned).";
    }
    tell(trial, message, next);
    return true;
}

// Seals of other elements, or records without a seal. True: said.
bool told_about_wrong_seals(lab::Trial& trial, const Arrays& arrays) {
    const auto out = trial.values(arrays.out);
    for (size_t i = 0; i < out.size(); ++i) {
        if (out[i] == seal_of(record(i))) continue;
        const std::string what = "h_out[" + std::to_string(i) + "]";
        if (out[i] == record(i)) {
            tell(trial, what + " is the record itself, without a seal.",
                 "A stream keeps the order in which you queue: copy in, kernel, copy out.");
            return true;
        }
        for (size_t j = 0; j < out.size(); ++j) {
            if (out[i] != seal_of(record(j))) continue;
            tell(trial, what + " is the seal of h_in[" + std::to_string(j) + "].",
                 "A chunk begins at h_in + first, and its seals go to h_out + first.");
            return true;
        }
        return false;
    }
    return false;
}

void check_values(lab::Trial& trial, const Arrays& arrays, const Shape& shape) {
    constexpr unsigned poison = 0xa5a5a5a5u;
    LAB_EXPECT_OK(trial);
    const bool came_back = trial.ended_well() && trial.returned() == 0;
    if (!came_back || told_about_findings(trial) || told_about_the_wait(trial, arrays) ||
        told_about_holes(trial, arrays, shape, poison) || told_about_wrong_seals(trial, arrays)) {
        pipeline_is_wrong = true;
        return;
    }
    LAB_EXPECT_EACH(trial, arrays.out, [](size_t i) { return seal_of(record(i)); });
    LAB_EXPECT_CLEAN(trial);
}

enum class Memory { pinned, pageable };

template <class Call>
void play(lab::Trial& trial, const Arrays& arrays, Memory memory, int n, Call call) {
    if (n == 0) trial.kernels_optional();
    trial.play([&](lab::Player& player) {
        const bool pin = memory == Memory::pinned;
        const unsigned* in = pin ? player.pinned(arrays.in) : player.host(arrays.in);
        unsigned* out = pin ? player.pinned(arrays.out) : player.host(arrays.out);
        const int status = call(player, in, out);
        std::copy_n(out, n, player.host(arrays.seen));
        return status;
    });
}

void expect_whole(int n) {
    CAPTURE(n);
    lab::Trial trial;
    const Arrays arrays = arrays_of(trial, n);
    auto work = trial.output<unsigned>("x", static_cast<size_t>(n), lab::Unwritten::is_allowed);
    play(trial, arrays, Memory::pinned, n, [&](lab::Player& player, const unsigned* in, unsigned* out) {
        return player.call<decltype(seal_whole)>("seal_whole", in, out, player.device(work), n);
    });
    check_values(trial, arrays, {n, std::max(1, n), 1});
}

// ---- how it was shared out

bool is_copy_in(const lab::TimelineTask& task) {
    return task.engine == "copies_to_device";
}

const lab::TimelineStream* stream_of(const lab::Timeline& timeline, const lab::TimelineTask& task) {
    for (const lab::TimelineStream& stream : timeline.streams)
        if (stream.index == task.stream) return &stream;
    return nullptr;
}

// Nobody created it.
const lab::TimelineTask* in_default_stream(const lab::Timeline& timeline) {
    for (const lab::TimelineTask& task : timeline.tasks) {
        const lab::TimelineStream* stream = stream_of(timeline, task);
        if (task.takes_time() && stream != nullptr && stream->line == 0) return &task;
    }
    return nullptr;
}

// The host waited, or was busy in a call such as cudaMalloc, while there was more to queue.
const lab::HostStep* held_up(const lab::Timeline& timeline) {
    constexpr int64_t long_call = 20'000;  // ns
    int64_t last_queued = 0;
    for (const lab::HostStep& step : timeline.host)
        if (step.what == "queues") last_queued = std::max(last_queued, step.begin);
    for (const lab::HostStep& step : timeline.host) {
        const bool is_call = step.what == "works" && !step.call.empty() && step.end - step.begin > long_call;
        if ((step.what == "waits" || is_call) && step.begin < last_queued) return &step;
    }
    return nullptr;
}

std::set<int> busy_streams(const lab::Timeline& timeline) {  // that somebody created
    std::set<int> streams;
    for (const lab::TimelineTask& task : timeline.tasks) {
        const lab::TimelineStream* stream = stream_of(timeline, task);
        if (task.takes_time() && stream != nullptr && stream->line != 0) streams.insert(task.stream);
    }
    return streams;
}

std::string name_of(const lab::TimelineTask& task) {
    return task.kind == "kernel" ? "The kernel of " + line_of(task.line)
                                 : "The " + task.name + " of " + line_of(task.line);
}

struct Advice {
    std::string message, next;
};

// What keeps the engines from working at the same time; the first that is found.
Advice why_in_turn(const lab::Timeline& timeline, const Shape& shape) {
    if (const lab::TimelineTask* task = in_default_stream(timeline)) {
        const bool waits = task->name == "cudaMemcpy" || task->name == "cudaMemset";
        return {name_of(*task) +
                    " is in the default stream: it begins when all streams have come so far, and they "
                    "go on when it is done.",
                waits ? "Take " + task->name + "Async, with the stream as its last argument."
                      : "Name the stream in every call: the fourth number between <<< and >>>, and the last "
                        "argument of each Async."};
    }
    for (const lab::TimelineTask& task : timeline.tasks)
        if (task.is_pageable)
            return {name_of(task) + " is from or to pageable memory, and the host waits for it.",
                    "Copy from h_in and to h_out themselves: they are pinned."};
    if (const lab::HostStep* step = held_up(timeline)) {
        if (step->what == "works")
            return {"The host was busy with " + step->call + " in " + line_of(step->line) +
                        " while there was more to queue.",
                    "Allocate before the first chunk and free after the last one."};
        const std::string what =
            step->task < 0 ? ""
                           : " for the " + name_of(timeline.tasks[static_cast<size_t>(step->task)]).substr(4);
        return {"The host waited" + what + " before it had queued the last chunk, and the engines ran empty.",
                "Queue all chunks first. Wait for the streams, and free, when the loop is over."};
    }
    if (busy_streams(timeline).size() == 1)
        return {"All operations are in one stream, which does one thing after the other.",
                "Deal the chunks out: chunk c goes to stream c % streams."};
    if (shape.streams > 1 && std::count_if(timeline.tasks.begin(), timeline.tasks.end(), is_copy_in) < 2)
        return {"All elements went in with one copy.", "Queue a copy for each chunk."};
    return {"Copies and kernels take turns more than they need.",
            "Let the three steps of a chunk follow each other in one stream, and the next chunk be in the "
            "next stream."};
}

// What the caller asked for, as far as the result does not show it.
bool told_about_the_shape(lab::Trial& trial, const lab::Timeline& timeline, const Shape& shape) {
    const size_t wanted = std::min(shape.chunks(), static_cast<size_t>(shape.streams));
    const size_t used = busy_streams(timeline).size();
    uint64_t largest = 0;
    for (const lab::TimelineTask& task : timeline.tasks)
        if (is_copy_in(task)) largest = std::max(largest, task.bytes);
    const uint64_t most = static_cast<uint64_t>(shape.chunk) * sizeof(unsigned);
    if (largest > most) {
        tell(trial,
             "One copy brings " + number(static_cast<double>(largest / sizeof(unsigned))) +
                 " elements, and a chunk has " + std::to_string(shape.chunk) + ".",
             "Cut at multiples of chunk; only the last chunk may be smaller.");
        return true;
    }
    if (used == wanted) return false;
    const Advice advice = why_in_turn(timeline, shape);
    tell(trial,
         counted(used, "stream") + " had work, and " + std::to_string(wanted) +
             " should have: " + counted(shape.chunks(), "chunk") + " for " +
             counted(static_cast<size_t>(shape.streams), "stream") + ". " + advice.message,
         advice.next);
    return true;
}

struct Demands {
    int overlap_pct = 0;  // 0: none
    Memory memory = Memory::pinned;
};

void expect_overlap(lab::Trial& trial, const Shape& shape, int least_pct) {
    const lab::Timeline* timeline = trial.timeline();
    if (timeline == nullptr || told_about_the_shape(trial, *timeline, shape)) return;
    const double overlap = timeline->metric("overlap_pct");
    if (overlap >= least_pct) return;
    const Advice advice = why_in_turn(*timeline, shape);
    tell(trial,
         "Of what could run behind something else, " + number(overlap) +
             " % does, on the timeline of a model of an " + timeline->device + "; " +
             std::to_string(least_pct) + " % is asked for. " + advice.message,
         advice.next);
}

void expect_chunks(const Shape& shape, const Demands& demands = {}) {
    const int n = shape.n;
    CAPTURE(n);
    CAPTURE(shape.chunk);
    CAPTURE(shape.streams);
    lab::Trial trial;
    // The small cases have shown that no order matters.
    if (n > 100'000) trial.orders({lab::Order::forward});
    const Arrays arrays = arrays_of(trial, n);
    play(trial, arrays, demands.memory, n, [&](lab::Player& player, const unsigned* in, unsigned* out) {
        return player.call<decltype(seal_chunks)>("seal_chunks", in, out, n, shape.chunk, shape.streams);
    });
    check_values(trial, arrays, shape);
    if (demands.overlap_pct != 0 && trial.ended_well()) expect_overlap(trial, shape, demands.overlap_pct);
}

// The device holds the buffers and nothing else, and one call comes after the other.
void expect_little_room(const Shape& shape) {
    CAPTURE(shape.n);
    CAPTURE(shape.chunk);
    CAPTURE(shape.streams);
    lab::Trial trial;
    trial.device_memory(static_cast<uint64_t>(shape.streams) * static_cast<uint64_t>(shape.chunk) *
                        sizeof(unsigned));
    const Arrays arrays = arrays_of(trial, shape.n);
    auto done = trial.output<unsigned>("calls that came back", 1, lab::Unwritten::is_allowed);
    play(trial, arrays, Memory::pinned, shape.n, [&](lab::Player& player, const unsigned* in, unsigned* out) {
        int status = 0;
        unsigned& calls = *player.host(done);
        for (calls = 0; calls < 2 && status == 0; ++calls)
            status = player.call<decltype(seal_chunks)>("seal_chunks", in, out, shape.n, shape.chunk,
                                                        shape.streams);
        return status;
    });
    constexpr int no_room = 2;  // cudaErrorMemoryAllocation
    if (trial.ended_well() && trial.returned() == no_room)
        return trial.values(done)[0] == 2
                   ? tell(trial,
                          "The first call worked, and the second found no room on the device: the first "
                          "kept what it took.",
                          "Free at the end what you allocate: cudaFree.")
                   : tell(trial,
                          "The device has room for " + std::to_string(shape.streams) + " buffers of " +
                              counted(static_cast<size_t>(shape.chunk), "record") +
                              ", and that was not enough.",
                          "A buffer for each stream will do: chunk c finds the one of stream c % streams "
                          "free, for the same stream has copied the last chunk out.");
    check_values(trial, arrays, shape);
}

// The buffers find no room.
void expect_no_room(const Shape& shape) {
    CAPTURE(shape.chunk);
    CAPTURE(shape.streams);
    lab::Trial trial;
    trial.device_memory(uint64_t{8} << 10).kernels_optional();
    trial.tolerate("api-misuse");  // the refusal itself
    const Arrays arrays = arrays_of(trial, shape.n);
    play(trial, arrays, Memory::pinned, 0, [&](lab::Player& player, const unsigned* in, unsigned* out) {
        return player.call<decltype(seal_chunks)>("seal_chunks", in, out, shape.n, shape.chunk,
                                                  shape.streams);
    });
    if (!trial.ended_well()) return LAB_EXPECT_CLEAN(trial);
    if (trial.returned() == 0)
        tell(trial, "There was no room for the buffers on the device, and the function returned cudaSuccess.",
             "Look at what cudaMalloc returns, and return it before anything is queued.");
    LAB_EXPECT_CLEAN(trial);
}

constexpr int piece = 98'304;  // elements whose copy takes longer than the calls that queue a chunk

}  // namespace

TEST_CASE("One chunk in one stream: eight records, and they are there when the function returns") {
    expect_whole(8);
}

TEST_CASE("One chunk in one stream: a thousand records, one, and none") {
    for (const int n : {1000, 1, 0}) expect_whole(n);
}

TEST_CASE("Four chunks of two records, one stream") {
    expect_chunks({8, 2, 1});
}

TEST_CASE("Four chunks of 256 records, over two streams") {
    expect_chunks({1024, 256, 2});
}

TEST_CASE("The last chunk is smaller: 1000 records in chunks of 300, over two and three streams") {
    expect_chunks({1000, 300, 2});
    expect_chunks({1000, 300, 3});
}

TEST_CASE("One record too many, or one too few, for whole chunks (n = 601 and 599, chunks of 100)") {
    expect_chunks({601, 100, 3});
    expect_chunks({599, 100, 3});
}

TEST_CASE("Fewer records than a chunk has, more streams than chunks, and no record at all") {
    expect_chunks({5, 64, 3});
    expect_chunks({130, 64, 8});
    expect_chunks({0, 64, 4});
}

TEST_CASE("The device holds three buffers and no more: 2000 records in chunks of 128, twice") {
    expect_little_room({2000, 128, 3});
}

TEST_CASE("The device has no room for the buffers, and the error comes back") {
    expect_no_room({3000, 1000, 3});
}

TEST_CASE(
    "The same function with pageable memory: right, and nothing overlaps (three chunks, three streams)") {
    const int chunk = pipeline_is_wrong ? 1000 : piece / 2;
    expect_chunks({3 * chunk, chunk, 3}, {.memory = Memory::pageable});
}

TEST_CASE("Copies run behind kernels: six chunks over three streams, pinned memory") {
    if (pipeline_is_wrong) return expect_chunks({6000, 1000, 3});
    expect_chunks({6 * piece - 5, piece, 3}, {.overlap_pct = 65});
}

LAB_EXPERIMENT("Sealed in the chunks and streams that you chose")(const lab::Settings& at) {
    const int n = at["n"], chunks = at["chunks"];
    expect_chunks({n, std::max(1, (n + chunks - 1) / chunks), at["streams"]},
                  {.memory = at["pinned"] != 0 ? Memory::pinned : Memory::pageable});
}

TEST_SUITE_END();
