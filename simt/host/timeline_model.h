// What would run when on the simulated device: a discrete-event simulation of one log of calls. It knows streams
// only as orders between tasks.
//
// Each device has a copy engine for each direction, one for copies inside the device, the SMs, and a thread that
// runs host functions. A copy from one device to another takes the source's engine for copies out and the destination's for
// copies in, both for as long as it lasts. Each copy engine takes one task at a time. Kernels share the SMs: those that began first
// get the room that they fill, the next ones what is left, and a kernel that gets less runs slower in
// proportion. What uses the device's memory shares its bandwidth. Of tasks that wait for the same engine, the one of
// the higher priority goes first, then the one that was ready first.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "simt/host/durations.h"

namespace simt::timeline {

enum class Engine : uint8_t { none, copies_in, copies_out, copies_inside, sms, host_functions };
constexpr unsigned engines = 6;
Engine engine_of(queue::Kind kind);

using TaskId = uint32_t;  // index into the log's tasks
constexpr TaskId no_task = ~0u;

struct Task {
    Engine engine = Engine::none;  // none: a mark in its stream that takes no time
    int device = 0;                // whose engine
    int to_device = -1;            // of a copy between devices: takes this one's copies_in, too
    int priority = 0;              // as CUDA counts it: less goes first
    TaskId previous = no_task;     // in its stream
    std::vector<TaskId> after{};   // of other streams
    Duration duration{};
    uint64_t graph = 0;  // of which launch of a graph it is a node; 0: none
    bool ran = false;    // else it is as if it had not been queued
};

// Something that a host thread did. The steps of a thread follow each other.
struct Step {
    enum class What : uint8_t { queues, waits, works };
    What what{};
    uint32_t thread = 0;
    TaskId task = no_task;  // queues, waits
    double ns = 0;          // of the host's own time
};

struct Log {
    std::vector<Task> tasks;
    std::vector<Step> steps;
};

// One engine of one device.
constexpr unsigned slot_of(Engine engine, int device) {
    return static_cast<unsigned>(device) * engines + static_cast<unsigned>(engine);
}
constexpr unsigned no_slot = ~0u;
inline unsigned slot_of(const Task& task) {
    return slot_of(task.engine, task.device);
}
inline unsigned second_slot_of(const Task& task) {
    return task.to_device < 0 ? no_slot : slot_of(Engine::copies_in, task.to_device);
}
constexpr Engine engine_of_slot(unsigned slot) {
    return static_cast<Engine>(slot % engines);
}
unsigned slots_of(const Log& log);  // one more than the last that its tasks use

// What kept a task from beginning earlier.
enum class Cause : uint8_t { nothing, host, task };

struct PlacedTask {
    static constexpr double never = std::numeric_limits<double>::infinity();
    double queued = never, begin = never, end = never;  // ns from the first call
    Cause cause = Cause::nothing;
    TaskId by = no_task;  // Cause::task: whose end it waited for
    uint32_t step = ~0u;  // that queued it
};
struct PlacedStep {
    double begin = 0, end = 0;
    bool blocked = false;  // waits: its task was not done yet
    TaskId by = no_task;   // then: which it was
};

struct Placement {
    std::vector<PlacedTask> tasks;
    std::vector<PlacedStep> steps;
    std::vector<double> clocks;  // by thread
};

// Places what the log has beyond what `done` places already. Of that, everything must have ended before the host's
// first new step.
void place(const Log& log, Placement& done);

}  // namespace simt::timeline
