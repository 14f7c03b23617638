#include "simt/host/timeline_model.h"

#include <algorithm>
#include <queue>

namespace simt::timeline {

Engine engine_of(queue::Kind kind) {
    switch (kind) {
        case queue::Kind::kernel:
        case queue::Kind::library:
            return Engine::sms;
        case queue::Kind::copy_to_device:
        case queue::Kind::prefetch:
            return Engine::copies_in;
        case queue::Kind::prefetch_to_host:
        case queue::Kind::copy_to_host:
        case queue::Kind::copy_between_devices:
            return Engine::copies_out;
        case queue::Kind::copy_on_device:
        case queue::Kind::set:
            return Engine::copies_inside;
        case queue::Kind::copy_on_host:
        case queue::Kind::host_function:
            return Engine::host_functions;
        default:
            return Engine::none;
    }
}

unsigned slots_of(const Log& log) {
    int last = 0;
    for (const Task& task : log.tasks) last = std::max({last, task.device, task.to_device});
    return static_cast<unsigned>(last + 1) * engines;
}

namespace {

constexpr double both_ways =
    0.84;  // of its rate has a copy while another goes the other way (H200, 16 MiB each)
constexpr unsigned most_kernels_at_once = 128;  // programming guide, compute capability 7.5 and later
constexpr double enough_room = 1e-6;

class Simulation {
  public:
    Simulation(const Log& log, Placement& placed)
        : log_(log),
          placed_(placed),
          first_task_(static_cast<TaskId>(placed.tasks.size())),
          first_step_(placed.steps.size()) {
        placed_.tasks.resize(log.tasks.size());
        placed_.steps.resize(log.steps.size());
        waiting_.resize(slots_of(log));
        ended_.resize(waiting_.size());
        missing_.resize(log.tasks.size() - first_task_);
        dependents_.resize(missing_.size());
        for (TaskId t = first_task_; t < log.tasks.size(); ++t) count_missing(t);
        for (size_t s = first_step_; s < log.steps.size(); ++s) {
            const uint32_t thread = log.steps[s].thread;
            if (thread >= steps_.size()) steps_.resize(thread + 1);
            steps_[thread].push_back(static_cast<uint32_t>(s));
        }
        next_.resize(steps_.size());
        // A thread that is new begins when the first thread has come this far.
        const double now = placed_.clocks.empty() ? 0 : placed_.clocks[0];
        if (placed_.clocks.size() < steps_.size()) placed_.clocks.resize(steps_.size(), now);
    }

    void run() {
        for (;;) {
            const size_t thread = next_thread();
            const double host = thread == steps_.size() ? PlacedTask::never : placed_.clocks[thread];
            const double device = next_on_device();
            if (host == PlacedTask::never && device == PlacedTask::never) return;
            if (host <= device)
                host_step(thread);
            else
                device_step(device);
        }
    }

  private:
    struct Ready {
        double at;
        TaskId task;
        bool operator<(const Ready& other) const {
            return at != other.at ? at > other.at : task > other.task;  // for a queue that gives the least
        }
    };
    struct Running {
        TaskId task;
        double left;  // ns of its duration
        double rate = 1;
    };

    const Task& task(TaskId t) const { return log_.tasks[t]; }
    PlacedTask& placed(TaskId t) { return placed_.tasks[t]; }
    bool is_over(TaskId t) const { return t < first_task_ || placed_.tasks[t].end <= now_; }

    void count_missing(TaskId t) {
        uint32_t& missing = missing_[t - first_task_];
        missing = 1;  // its call
        const auto wait_for = [&](TaskId other) {
            if (other == no_task || other < first_task_) return;
            dependents_[other - first_task_].push_back(t);
            ++missing;
        };
        wait_for(task(t).previous);
        for (const TaskId other : task(t).after) wait_for(other);
    }

    // The thread whose clock is behind the others' and that can go on.
    size_t next_thread() const {
        size_t best = steps_.size();
        for (size_t i = 0; i < steps_.size(); ++i) {
            if (next_[i] == steps_[i].size()) continue;
            const Step& step = log_.steps[steps_[i][next_[i]]];
            if (step.what == Step::What::waits && !is_over(step.task)) continue;
            if (best == steps_.size() || placed_.clocks[i] < placed_.clocks[best]) best = i;
        }
        return best;
    }

    void host_step(size_t thread) {
        const uint32_t index = steps_[thread][next_[thread]++];
        const Step& step = log_.steps[index];
        double& clock = placed_.clocks[thread];
        PlacedStep& at = placed_.steps[index];
        at.begin = clock;
        if (step.what == Step::What::waits) {
            const double end = placed_.tasks[step.task].end;
            at.blocked = end > clock;
            at.by = step.task;
            clock = at.blocked ? end + HostCost::to_host : clock + step.ns;
        } else {
            clock += step.ns;
        }
        at.end = clock;
        if (step.what != Step::What::queues) return;
        PlacedTask& t = placed(step.task);
        t.queued = clock;
        t.step = index;
        arrive(step.task, clock + HostCost::to_device, Cause::host, no_task);
    }

    // One of the things that a task waits for is there.
    void arrive(TaskId t, double at, Cause cause, TaskId by) {
        PlacedTask& p = placed(t);
        if (p.begin == PlacedTask::never || at > p.begin) {  // begin: so far, when it is ready
            p.begin = at;
            p.cause = cause;
            p.by = by;
        }
        if (--missing_[t - first_task_] != 0 || !task(t).ran) return;
        ready_.push({p.begin, t});
    }

    double next_on_device() const {
        double next = ready_.empty() ? PlacedTask::never : ready_.top().at;
        for (const Running& r : running_) next = std::min(next, end_of(r));
        return next;
    }
    double end_of(const Running& r) const {
        return r.rate > 0 ? now_ + std::max(0.0, r.left) / r.rate : PlacedTask::never;
    }

    void device_step(double at) {
        constexpr double no_time = 1e-6;
        for (Running& r : running_) r.left -= (at - now_) * r.rate;
        now_ = std::max(now_, at);
        std::fill(ended_.begin(), ended_.end(), no_task);
        for (size_t i = 0; i < running_.size();) {
            if (running_[i].left > no_time) {
                ++i;
                continue;
            }
            const TaskId t = running_[i].task;
            ended_[slot_of(task(t))] = t;
            if (second_slot_of(task(t)) != no_slot) ended_[second_slot_of(task(t))] = t;
            running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
            finish(t);
        }
        while (!ready_.empty() && ready_.top().at <= now_) {
            const TaskId t = ready_.top().task;
            ready_.pop();
            if (task(t).engine == Engine::none)
                finish(t);
            else
                waiting_[slot_of(task(t))].push_back(t);
        }
        for (unsigned slot = 0; slot < waiting_.size(); ++slot) start_waiting(slot);
        share_out();
    }

    void finish(TaskId t) {
        PlacedTask& p = placed(t);
        p.end = now_;
        for (const TaskId other : dependents_[t - first_task_]) {
            const bool same_stream = task(other).previous == t;
            const bool is_news = !same_stream && task(t).engine != Engine::none;
            // A mark of another stream has the news of what came before it.
            const bool is_mark = !same_stream && task(t).engine == Engine::none;
            const bool same_graph = task(t).graph != 0 && task(t).graph == task(other).graph;
            const double delay = same_graph ? HostCost::between_branches : HostCost::between_streams;
            arrive(other, now_ + (is_news || is_mark ? delay : 0), Cause::task, t);
        }
    }

    bool goes_first(TaskId a, TaskId b) const {
        if (task(a).priority != task(b).priority) return task(a).priority < task(b).priority;
        const double at = placed_.tasks[a].begin, bt = placed_.tasks[b].begin;
        return at != bt ? at < bt : a < b;
    }

    bool has_room(unsigned slot) const {
        double used = 0;
        unsigned count = 0;
        for (const Running& r : running_) {
            const Task& t = task(r.task);
            if (slot_of(t) != slot && second_slot_of(t) != slot) continue;
            used += t.duration.share;
            ++count;
        }
        if (engine_of_slot(slot) != Engine::sms) return count == 0;
        return used < 1 - enough_room && count < most_kernels_at_once;
    }

    // Of those that wait for this engine, and have room on the other one that they need, the one that goes first.
    std::vector<TaskId>::iterator next_of(std::vector<TaskId>& waiting) const {
        auto best = waiting.end();
        for (auto i = waiting.begin(); i != waiting.end(); ++i) {
            const unsigned second = second_slot_of(task(*i));
            if (second != no_slot && !has_room(second)) continue;
            if (best == waiting.end() || goes_first(*i, *best)) best = i;
        }
        return best;
    }

    // What made room just now, if anything did.
    TaskId made_room(TaskId t) const {
        const TaskId first = ended_[slot_of(task(t))];
        const unsigned second = second_slot_of(task(t));
        return first != no_task || second == no_slot ? first : ended_[second];
    }

    void start_waiting(unsigned slot) {
        std::vector<TaskId>& waiting = waiting_[slot];
        while (!waiting.empty() && has_room(slot)) {
            const auto best = next_of(waiting);
            if (best == waiting.end()) return;
            const TaskId t = *best;
            waiting.erase(best);
            PlacedTask& p = placed(t);
            if (p.begin < now_ && made_room(t) != no_task) {
                p.cause = Cause::task;
                p.by = made_room(t);
            }
            p.begin = now_;
            running_.push_back({t, task(t).duration.ns});
        }
    }

    // What the tasks that run on a device share.
    struct Shares {
        double room = 1, memory = 0;
        bool in = false, out = false;
    };

    void share_out() {
        std::vector<Shares> devices(waiting_.size() / engines);
        for (Running& r : running_) {
            const Task& t = task(r.task);
            Shares& device = devices[static_cast<size_t>(t.device)];
            r.rate = 1;
            // The link between devices is not the one to the host.
            device.in = device.in || t.engine == Engine::copies_in;
            device.out = device.out || (t.engine == Engine::copies_out && t.to_device < 0);
            if (t.engine == Engine::sms && t.duration.share > 0) {
                const double given = std::min(device.room, t.duration.share);
                device.room -= given;
                r.rate = given / t.duration.share;
            }
            device.memory += t.duration.memory * r.rate;
        }
        for (Running& r : running_) {
            const Task& t = task(r.task);
            const Shares& device = devices[static_cast<size_t>(t.device)];
            if (device.memory > 1 && t.duration.memory > 0)
                r.rate *= 1 + t.duration.memory * (1 / device.memory - 1);
            const bool is_copy =
                (t.engine == Engine::copies_in || t.engine == Engine::copies_out) && t.to_device < 0;
            if (device.in && device.out && is_copy) r.rate *= both_ways;
        }
    }

    const Log& log_;
    Placement& placed_;
    TaskId first_task_;
    size_t first_step_;
    double now_ = 0;
    std::vector<uint32_t> missing_;                // by task: what it still waits for
    std::vector<std::vector<TaskId>> dependents_;  // by task
    std::vector<std::vector<uint32_t>> steps_;     // by thread
    std::vector<size_t> next_;                     // by thread, into steps_
    std::priority_queue<Ready> ready_;
    std::vector<std::vector<TaskId>> waiting_;  // by slot
    std::vector<TaskId> ended_;                 // by slot: in this step
    std::vector<Running> running_;
};

}  // namespace

void place(const Log& log, Placement& done) {
    Simulation(log, done).run();
}

}  // namespace simt::timeline
