// What went wrong, in words: which slip explains the numbers, and who waited for whom.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "lessons/23_mlp_train/grader_data.h"

namespace lab::lesson_23_mlp_train {

using lesson_21_mlp_forward::number;
using lesson_21_mlp_forward::went_well;

inline std::string line(int number) {
    return "line " + std::to_string(number);
}

inline bool tell(Trial& trial, const std::string& message, const std::string& next) {
    fail(trial, message, next, LAB_HERE);
    return true;
}

// The first place that is no part of a permutation of 0 .. count - 1; nothing: it is one.
inline std::optional<std::string> fault_of_order(std::span<const int> order) {
    const int count = static_cast<int>(order.size());
    Ints where(order.size(), -1);
    for (int i = 0; i < count; ++i) {
        const int sample = order[static_cast<size_t>(i)];
        if (sample < 0 || sample >= count)
            return "place " + std::to_string(i) + " has " + std::to_string(sample) +
                   ", and there are samples 0 to " + std::to_string(count - 1);
        int& before = where[static_cast<size_t>(sample)];
        if (before >= 0)
            return "sample " + std::to_string(sample) + " is at places " + std::to_string(before) + " and " +
                   std::to_string(i) + ", so another one is lost";
        before = i;
    }
    return std::nullopt;
}

constexpr const char* shuffle_next =
    "Swap two places, never copy one: for i from the last down to 1, swap order[i] with order[random % (i + "
    "1)].";

// What people get wrong, each as a training of its own.
inline std::vector<Slip> all_slips() {
    std::vector<Slip> slips;
    const auto add = [&](const char* cause, const char* next) -> Slip& {
        slips.push_back({cause, next});
        return slips.back();
    };
    add("The weights go uphill: the gradient was added.",
        "The gradient points to where the loss grows: w -= rate * dw.")
        .rate = -1;
    add("Each step is as long as the gradients of its samples added up.",
        "The loss is a mean, so its gradient is one: divide by the rows of the step.")
        .sum = true;
    add("The last, smaller step of an epoch divides by the whole batch.",
        "It has fewer rows: hand `rows` on to every kernel of the step, not the plan's batch.")
        .full = true;
    add("Every step used the first step's samples.",
        "A graph keeps the arguments that it was captured with. What changes from step to step has to be "
        "read from "
        "device memory: d_order[d_progress->next + row], and finish_kernel counts next on.")
        .same_batch = true;
    add("Every epoch used the first epoch's order.",
        "next goes on across epochs: the orders lie one behind the other.")
        .first_order = true;
    add("The samples were used as they lie, not in the order of h_order.",
        "Row r of the batch is sample d_order[d_progress->next + r].")
        .no_order = true;
    add("The last, smaller step of each epoch is missing.",
        "count need not be a multiple of the batch: capture a second graph for what is left.")
        .no_rest = true;
    add("The smaller step came once, behind the last epoch.",
        "Each epoch ends with it: its launch stands in the loop over the epochs.")
        .rest_once = true;
    add("w2 was changed before the hidden gradient was made from it.",
        "All gradients belong to the weights of the forward pass: make all four, then update all four.")
        .w2_first = true;
    add("Each update was made twice.", "One update a step for each of the four.").rate = 2;
    add("That is a training of one step.",
        "Launch the graph once for every step: steps times an epoch, in every epoch.")
        .one_step = true;
    add("That is a training of one epoch.",
        "Two loops, one in the other: over plan->epochs, and over the steps of an epoch.")
        .one_epoch = true;
    return slips;
}

// The weights as they came back.
struct Came {
    std::span<const float> w1, b1, w2, b2, losses;
};

inline bool fits(const Came& came, const Trained& trained, const Tolerance& tolerance) {
    const auto same = [&](std::span<const float> got, const Doubles& right) {
        for (size_t i = 0; i < got.size(); ++i)
            if (!detail::near(double(got[i]), right[i], tolerance)) return false;
        return true;
    };
    return same(came.w1, trained.weights.w1) && same(came.b1, trained.weights.b1) &&
           same(came.w2, trained.weights.w2) && same(came.b2, trained.weights.b2);
}

// One of the four arrays that a training changes.
struct Part {
    const char* name;
    std::span<const float> got, start;
    const Doubles& right;
    const char* size;

    bool is_right(size_t i, const Tolerance& near) const {
        return detail::near(double(got[i]), right[i], near);
    }
    // Of the first wrong element; got.size(): there is none.
    size_t first_wrong(const Tolerance& near) const {
        size_t i = 0;
        while (i < got.size() && is_right(i, near)) ++i;
        return i;
    }
    bool is_all_right(const Tolerance& near) const { return first_wrong(near) == got.size(); }
    bool is_unchanged() const { return std::equal(got.begin(), got.end(), start.begin()); }
    // "w1[0] is 0.2, expected 0.3"
    std::string words(size_t i) const {
        return std::string(name) + "[" + std::to_string(i) + "] is " + number(got[i]) + ", expected " +
               number(right[i]);
    }
};

inline std::vector<Part> parts_of(const Came& came, const Task& task, const Trained& right) {
    const Weights<double>& w = right.weights;
    return {{"w1", came.w1, task.start.w1, w.w1, "in * hidden"},
            {"b1", came.b1, task.start.b1, w.b1, "hidden"},
            {"w2", came.w2, task.start.w2, w.w2, "hidden * out"},
            {"b2", came.b2, task.start.b2, w.b2, "out"}};
}

inline std::string first_wrong(const std::vector<Part>& parts, const Tolerance& near) {
    for (const Part& part : parts)
        if (!part.is_all_right(near)) return part.words(part.first_wrong(near));
    return "the weights are wrong";
}

inline std::string after_steps(const Task& task) {
    const int steps = task.steps() * task.plan.epochs;
    return "After " + std::to_string(steps) + (steps == 1 ? " step " : " steps ");
}

// True if some of the four arrays hold what they held in the beginning, and said so.
inline bool told_about_unchanged(Trial& trial, const std::vector<Part>& parts, const Task& task) {
    const Tolerance near = tolerance_of(task);
    std::vector<std::string> names;
    for (const Part& part : parts)
        if (part.is_unchanged() && !part.is_all_right(near)) names.push_back(part.name);
    if (names.empty()) return false;
    std::string list = names[0];
    for (size_t i = 1; i < names.size(); ++i) list += (i + 1 < names.size() ? ", " : " and ") + names[i];
    return tell(trial,
                after_steps(task) + first_wrong(parts, near) + ". " +
                    (names.size() == parts.size() ? "No weight" : list + " never") + " changed.",
                "Every step ends with four updates, of w1, b1, w2 and b2.");
}

// The same for one step, and one of the four arrays.
inline bool told_about_part(Trial& trial, const std::vector<Part>& parts, const Task& task) {
    const Tolerance near = tolerance_of(task);
    const Part* wrong = nullptr;
    for (const Part& part : parts) {
        if (part.is_all_right(near)) continue;
        if (wrong != nullptr) return false;
        wrong = &part;
    }
    if (wrong == nullptr || task.steps() * task.plan.epochs != 1) return false;
    const std::string name = wrong->name;
    const size_t first = wrong->first_wrong(near);
    bool is_short = first > 0;  // from there on nothing has changed
    for (size_t i = first; i < wrong->got.size(); ++i)
        is_short = is_short && wrong->got[i] == wrong->start[i];
    if (is_short)
        return tell(
            trial, "After 1 step " + wrong->words(first) + ": from there on " + name + " is what it was.",
            "Its queue_update has to be told how many elements it has: " + std::string(wrong->size) + ".");
    return tell(trial, "After 1 step " + wrong->words(first) + ". Only " + name + " is wrong.",
                "Look at its queue_update: its own gradient, d_d" + name + ", " + wrong->size +
                    " elements, the rate as it is, and once.");
}

inline bool told_about_slip(Trial& trial, const Came& came, const Task& task, const Ints& order) {
    const Trained right = train_in_double(task, order);
    Tolerance near = tolerance_of(task);
    if (fits(came, right, near)) return false;
    const std::vector<Part> parts = parts_of(came, task, right);
    if (told_about_unchanged(trial, parts, task)) return true;
    near.absolute *= 4;
    for (const Slip& slip : all_slips()) {
        const Trained wrong = train_in_double(task, order, slip);
        const auto narrow = [](const Doubles& v) { return Floats(v.begin(), v.end()); };
        const Floats w1 = narrow(wrong.weights.w1), b1 = narrow(wrong.weights.b1),
                     w2 = narrow(wrong.weights.w2), b2 = narrow(wrong.weights.b2);
        if (fits({w1, b1, w2, b2, {}}, right, near)) continue;  // it makes no difference in this task
        if (fits(came, wrong, near))
            return tell(trial, after_steps(task) + first_wrong(parts, tolerance_of(task)) + ". " + slip.cause,
                        slip.next);
    }
    return told_about_part(trial, parts, task);
}

inline bool told_about_losses(Trial& trial, const Came& came, const Task& task, const Trained& right) {
    const Tolerance near = tolerance_of(task);
    const auto is = [&](size_t i, double value) { return detail::near(double(came.losses[i]), value, near); };
    size_t wrong = right.losses.size();
    for (size_t i = right.losses.size(); i-- > 0;)
        if (!is(i, right.losses[i])) wrong = i;
    if (wrong == right.losses.size()) return false;
    const int step = static_cast<int>(wrong) % task.steps();
    const int rows = std::min(task.plan.batch, task.count() - step * task.plan.batch);
    std::string cause = " The weights are right, so it was added up or kept wrongly.",
                next =
                    "The mean of the rows' losses goes to d_losses[d_progress->step], before step counts on.";
    if (is(wrong, right.losses[wrong] * rows)) {
        cause = " That is the sum of the rows, not their mean.";
        next = "Divide the sum by the rows of this step.";
    } else if (is(wrong, right.losses[wrong] * rows / task.plan.batch)) {
        cause = " That is the sum of " + std::to_string(rows) + " rows divided by a whole batch.";
        next = "Divide by the rows of this step: the last one of an epoch has fewer.";
    } else if (came.losses[wrong] == 0) {
        cause = " The weights are right, and no step kept its loss.";
        next = "The last kernel of a step is finish_kernel<<<1, 32, 0, stream>>>.";
    } else if (wrong > 0 && is(wrong, right.losses[wrong - 1])) {
        cause = " That is the loss of the step before.";
    } else if (wrong + 1 < right.losses.size() && is(wrong, right.losses[wrong + 1])) {
        cause = " That is the loss of the step behind it.";
    }
    return tell(trial,
                "losses[" + std::to_string(wrong) + "] is " + number(came.losses[wrong]) + ", expected " +
                    number(right.losses[wrong]) + "." + cause,
                next);
}

// ---- the record of what was queued ----

// True if the losses never came to the host, not all of them, or too early, and said so.
inline bool told_about_fetching(Trial& trial, int steps) {
    for (const Finding& finding : trial.findings())
        if (finding.kind == "never-written" && finding.buffer.find("d_losses") != std::string::npos)
            return tell(
                trial,
                "The copy on " + line(finding.at.line) + " fetches losses that no step has written yet.",
                "Queue it behind the last launch, in the same stream: what was queued before is done first.");
    if (trial.timeline() == nullptr) return false;
    uint64_t bytes = 0;
    int where = 0;
    for (const TimelineTask& task : trial.timeline()->tasks)
        if (task.engine == "copies_to_host") bytes += task.bytes, where = task.line;
    const uint64_t all = static_cast<uint64_t>(steps) * sizeof(float);
    if (bytes >= all) return false;
    return tell(trial,
                where == 0 ? "No copy brings the losses to the host."
                           : "The copy on " + line(where) + " brings " + std::to_string(bytes) +
                                 " of the losses' " + std::to_string(all) + " bytes.",
                "One copy behind the last step fetches all: plan->epochs * steps * sizeof(float) bytes.");
}

// True if a step reads beyond the end of the order, and said so. The cause is where it went wrong before.
inline bool told_about_overrun(Trial& trial, const std::string& next) {
    for (const Finding& finding : trial.findings())
        if (finding.kind == "oob-global" && finding.buffer.find("d_order") != std::string::npos)
            return tell(
                trial,
                "A step takes samples from behind the end of the order, on " + line(finding.at.line) + ".",
                next);
    return false;
}

// True if a kernel of the step reads what the step has not made yet, and said so.
inline bool told_about_sequence(Trial& trial) {
    struct Maker {
        const char *call, *arrays;
    };
    for (const Maker& maker :
         {Maker{"queue_gather", " room->d_x room->d_labels "},
          Maker{"queue_forward", " room->d_hidden room->d_logits room->d_row_losses "},
          Maker{"queue_backward", " room->d_dhidden room->d_dw1 room->d_db1 room->d_dw2 room->d_db2 "}})
        for (const Finding& finding : trial.findings())
            if (finding.kind == "uninit-global" &&
                std::string(maker.arrays).find(" " + finding.buffer + " ") != std::string::npos)
                return tell(trial,
                            "A kernel reads " + finding.buffer + " on " + line(finding.at.line) + " before " +
                                maker.call + " has made it.",
                            "The order of a step: gather, forward, backward, four updates, finish.");
    return false;
}

// True if no kernel ran at all, and said so.
inline bool told_about_idleness(Trial& trial, const std::string& function, const std::string& next) {
    if (trial.timeline() == nullptr) return false;
    for (const TimelineTask& task : trial.timeline()->tasks)
        if (task.kind == "kernel") return false;
    return tell(trial, function + " launched no kernel, so no weight changed.", next);
}

// True if kernels ran, and none of them in a graph, and said so.
inline bool told_about_empty_graph(Trial& trial) {
    if (trial.timeline() == nullptr) return false;
    int kernels = 0, where = 0;
    for (const TimelineTask& task : trial.timeline()->tasks) {
        if (task.graph > 0) return false;
        if (task.kind == "kernel") ++kernels, where = task.line;
    }
    if (kernels == 0) return false;
    return tell(
        trial,
        "No kernel ran in a graph: all " + std::to_string(kernels) + " were launched one by one (" +
            line(where) + ").",
        "Call queue_step between cudaStreamBeginCapture and cudaStreamEndCapture: what is queued there goes "
        "into the graph. Then launch the graph.");
}

// What the stub of capture_step returns.
inline bool told_about_no_graph(Trial& trial) {
    constexpr int not_supported = 801;
    if (!trial.ended_well() || trial.returned() != not_supported) return false;
    return tell(
        trial,
        "train returned 801 (cudaErrorNotSupported): so does capture_step as long as it captures nothing.",
        "Write capture_step: begin the capture, queue_step, end it, instantiate the graph.");
}

// Events, and the line that most of them are on.
struct Lines {
    int count = 0;
    std::map<int, int> on;

    void add(int line_number) {
        ++count;
        ++on[line_number];
    }
    // " (line 285)"; empty: no line is known.
    std::string text() const {
        const auto most = std::max_element(on.begin(), on.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == on.end() || most->first <= 0 ? "" : " (" + line(most->first) + ")";
    }
};

// True if graphs were made all along the training, and said so. Two an epoch may be: one for whole batches, one for the rest.
inline bool told_about_instantiations(Trial& trial, const Task& task) {
    const Timeline& timeline = *trial.timeline();
    const int made = static_cast<int>(timeline.metric("graphs_instantiated"));
    const int steps = task.steps() * task.plan.epochs;
    if (made <= 2 * task.plan.epochs) return false;
    Lines lines;
    for (const HostStep& step : timeline.host)
        if (step.call.rfind("cudaGraphInstantiate", 0) == 0) lines.add(step.line);
    return tell(trial,
                std::to_string(made) + " executable graphs were made for " + std::to_string(steps) +
                    " steps" + lines.text() +
                    ": the host pays for each of them, and more than for its launch.",
                "Instantiate a step once, in front of the loops, and launch that executable graph again and "
                "again: cudaGraphLaunch(step, stream).");
}

// Waits of the host, kernels outside of a graph and graphs made anew, in the whole run.
inline bool told_about_time(Trial& trial, const Task& task) {
    if (trial.timeline() == nullptr) return false;
    const Timeline& timeline = *trial.timeline();
    const int steps = task.steps() * task.plan.epochs;
    int kernels = 0;
    Lines waits, copies, single;
    for (const HostStep& step : timeline.host)
        if (step.what == "waits") waits.add(step.line);
    for (const TimelineTask& task_ : timeline.tasks) {
        if (task_.kind == "copy" && task_.engine == "copies_to_host") copies.add(task_.line);
        if (task_.kind != "kernel") continue;
        ++kernels;
        if (task_.graph == 0) single.add(task_.line);
    }
    const int most_waits = task.plan.epochs + 4;
    if (waits.count > most_waits || copies.count > task.plan.epochs + 2)
        return tell(
            trial,
            waits.count > most_waits
                ? "The host waits " + std::to_string(waits.count) + " times in " + std::to_string(steps) +
                      " steps" + waits.text() + ": the device stands still each time."
                : std::to_string(copies.count) + " copies bring losses to the host in " +
                      std::to_string(steps) + " steps" + copies.text() + ".",
            "Leave each loss on the device, in d_losses, and fetch all of them once, behind the last step.");
    if (single.count > kernels / steps * task.plan.epochs + 4)
        return tell(trial,
                    std::to_string(single.count) + " of " + std::to_string(kernels) +
                        " kernels were launched one by one" + single.text() +
                        ": the host pays for each of them.",
                    "Capture the step once, and launch the graph: cudaGraphLaunch(step, stream).");
    return told_about_instantiations(trial, task);
}

}  // namespace lab::lesson_23_mlp_train
