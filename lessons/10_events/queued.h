// What the grader asks of a run's record: which operations were queued, and who waits for whom.
#pragma once

#include <string>
#include <vector>

#include "workbench/record/wait_graph.h"

namespace lab::lesson_10_events {

inline std::string line(int number) {
    return "line " + std::to_string(number);
}
inline std::string line(const TimelineTask& task) {
    return line(task.line);
}

// The run's operations, and who waits for whom.
class Queued {
  public:
    explicit Queued(const Timeline& timeline) : timeline_(timeline), graph_(timeline) {}

    const TimelineTask* kernel(const std::string& name) const {
        for (const TimelineTask& task : timeline_.tasks)
            if (task.kind == "kernel" && task.name.starts_with(name)) return &task;
        return nullptr;
    }
    std::vector<const TimelineTask*> all(const std::string& kind) const {
        std::vector<const TimelineTask*> found;
        for (const TimelineTask& task : timeline_.tasks)
            if (task.kind == kind) found.push_back(&task);
        return found;
    }
    const TimelineTask& task(int id) const { return timeline_.tasks[static_cast<size_t>(id)]; }
    std::string stream(const TimelineTask& task) const {
        for (const TimelineStream& stream : timeline_.streams)
            if (stream.index == task.stream) return stream.name;
        return "another stream";
    }
    const WaitGraph& graph() const { return graph_; }

    // The call in which the host waits first after it has queued `after`; nullptr: it never does.
    const HostStep* first_wait(const TimelineTask* after = nullptr) const {
        bool counts = after == nullptr;
        for (const HostStep& step : timeline_.host) {
            if (counts && step.what == "waits" && step.line > 0) return &step;
            counts = counts || (step.what == "queues" && step.task == after->id);
        }
        return nullptr;
    }
    // A call that found an event that nobody had recorded, or one that was not done yet.
    const HostStep* call_in_vain(const std::string& call) const {
        for (const HostStep& step : timeline_.host)
            if (step.what == "works" && step.call == call) return &step;
        return nullptr;
    }
    int node_of(const HostStep& step) const {
        return graph_.of_step(static_cast<size_t>(&step - timeline_.host.data()));
    }
    // Had the host gone on from that wait before it queued the task?
    bool was_before(const HostStep& wait, const TimelineTask& task) const {
        return graph_.is_before(node_of(wait), task.id);
    }

  private:
    const Timeline& timeline_;
    WaitGraph graph_;
};

}  // namespace lab::lesson_10_events
