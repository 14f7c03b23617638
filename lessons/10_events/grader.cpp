// What exercise 10 must do. Values come first and hold on every backend; who waited for whom is read off the machine's
// record of what was queued, and skipped where a backend has none.
#include "lessons/10_events/interface.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "lessons/10_events/queued.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("10_events");

namespace {

using lab::lesson_10_events::line;
using lab::lesson_10_events::Queued;

using Values = std::vector<unsigned>;

unsigned stirred(unsigned x, int rounds) {
    for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    return x;
}

Values values_of(int n, unsigned seed) {
    Values values(static_cast<size_t>(n));
    for (size_t i = 0; i < values.size(); ++i) values[i] = stirred(seed + static_cast<unsigned>(i), 2);
    return values;
}
Values all_stirred(const Values& in, int rounds) {
    Values out(in.size());
    for (size_t i = 0; i < in.size(); ++i) out[i] = stirred(in[i], rounds);
    return out;
}

// Said what is wrong, in words of this exercise: then what follows from it need not be said as well.
bool tell(lab::Trial& trial, const std::string& message, const std::string& next) {
    lab::fail(trial, message, next, LAB_HERE);
    return true;
}

const lab::Finding* found(const lab::Trial& trial, const std::string& kind) {
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == kind) return &finding;
    return nullptr;
}

// What the machine says, as a sentence; the name of a function keeps its small letter.
std::string sentence(std::string text) {
    if (text.starts_with("line ")) text[0] = 'L';
    return text + (text.ends_with('.') ? "" : ".");
}

bool told_about_launches(lab::Trial& trial, const std::vector<std::string>& kernels) {
    for (const std::string& name : kernels) {
        int times = 0;
        for (const lab::Kernel& kernel : trial.launches())
            times += kernel.name == name && kernel.status != "refused";
        if (times != 1)
            return tell(trial, name + " ran " + std::to_string(times) + " times; expected once.",
                        times == 0 ? "Keep its launch." : "Launch it once.");
    }
    return false;
}

// An event that was used wrongly: the call says so itself.
bool told_about_misuse(lab::Trial& trial) {
    const lab::Finding* misuse = found(trial, "api-misuse");
    return misuse != nullptr && tell(trial, sentence(misuse->message), misuse->fix);
}

// ---- time_brew ----

std::string milliseconds_text(double ms) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g ms", ms);
    return text;
}

bool told_about_records(lab::Trial& trial, const Queued& queued, const lab::TimelineTask& grind,
                        const lab::TimelineTask& brew) {
    const auto records = queued.all("record");
    if (records.empty())
        return tell(trial, "No event was recorded: milliseconds[0] says nothing of the device.",
                    "A clock of the host times the launch, which returns before the kernel begins. Record "
                    "one event in "
                    "front of brew_kernel and one behind it: cudaEventRecord(start, stream).");
    for (const lab::TimelineTask* record : records)
        if (record->stream != brew.stream)
            return tell(
                trial,
                "The event of " + line(*record) + " is recorded in " + queued.stream(*record) +
                    ", and brew_kernel runs in " + queued.stream(brew) + ".",
                "An event is done when the work in front of it in its own stream is. Name the stream: "
                "cudaEventRecord(start, stream).");
    const lab::TimelineTask *before = nullptr, *behind = nullptr;
    for (const lab::TimelineTask* record : records) {
        if (record->id < brew.id) before = record;
        if (record->id > brew.id && behind == nullptr) behind = record;
    }
    if (before == nullptr)
        return tell(
            trial,
            "The first event, of " + line(*behind) + ", is recorded behind brew_kernel (" + line(brew) + ").",
            "Record start in front of the launch: it then takes the time at which brew_kernel may begin.");
    if (behind == nullptr)
        return tell(trial, "No event is recorded behind brew_kernel (" + line(brew) + ").",
                    "Record stop behind the launch, in the same stream.");
    if (before->id < grind.id)
        return tell(
            trial,
            "Between the events of " + line(*before) + " and " + line(*behind) +
                " lie both kernels: grind_kernel is timed, too.",
            "Record start between the launches of grind_kernel and brew_kernel. It waits for its turn in the "
            "stream, as a kernel does.");
    return false;
}

// What a wrong number may be.
std::string guess_at(double ms, double right) {
    const auto near = [&](double value) { return std::fabs(ms - value) <= 0.1 * std::fabs(value); };
    if (ms < 0) return "A time below zero: start goes in front of stop in the call. ";
    if (ms == 0) return "Zero: nothing lies between the two events, or nothing was stored. ";
    if (near(right * 1e3)) return "That is the number of microseconds. ";
    if (near(right / 1e3)) return "That is the number of seconds; cudaEventElapsedTime gives milliseconds. ";
    return "";
}

void expect_time(lab::Trial& trial, double ms) {
    if (trial.timeline() == nullptr) {
        if (!(ms > 0 && ms < 60e3))
            tell(trial, "milliseconds[0] is " + milliseconds_text(ms) + ": no time that a kernel takes.",
                 guess_at(ms, 1) + "Record an event in front of brew_kernel and one behind it.");
        return;
    }
    const Queued queued(*trial.timeline());
    const lab::TimelineTask *grind = queued.kernel("grind_kernel"), *brew = queued.kernel("brew_kernel");
    if (grind == nullptr || brew == nullptr || told_about_records(trial, queued, *grind, *brew)) return;
    // Where the host comes late with the launch, the device waits between start and the kernel.
    constexpr double late_ms = 0.012;
    const double right = static_cast<double>(brew->end - brew->begin) * 1e-6;
    if (ms >= 0.98 * right && ms <= 1.02 * right + late_ms) return;
    tell(trial,
         "milliseconds[0] is " + milliseconds_text(ms) + ", and brew_kernel took " +
             milliseconds_text(right) + ".",
         guess_at(ms, right) +
             "Record start in front of brew_kernel and stop behind it, wait for stop, and ask for the time "
             "from start to stop.");
}

void expect_brewed(int n, int grind_rounds, int brew_rounds) {
    CAPTURE(n);
    const Values beans = values_of(n, 7);
    lab::Trial trial;
    auto in = trial.input("beans", beans);
    auto ground = trial.output<unsigned>("ground", beans.size());
    auto coffee = trial.output<unsigned>("coffee", beans.size());
    auto milliseconds = trial.output<float>("milliseconds", 1, lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        player.host(milliseconds)[0] = -1e9f;
        return player.call<decltype(time_brew)>("time_brew", player.device(in), player.device(ground),
                                                player.device(coffee), n, grind_rounds, brew_rounds,
                                                player.host(milliseconds));
    });
    if (trial.ended_well() && told_about_misuse(trial)) return;
    LAB_EXPECT_OK(trial);
    if (told_about_launches(trial, {"grind_kernel", "brew_kernel"})) return;
    const Values right_ground = all_stirred(beans, grind_rounds);
    const Values right_coffee = all_stirred(right_ground, brew_rounds);
    LAB_EXPECT_EACH(trial, ground, [&](size_t i) { return right_ground[i]; });
    LAB_EXPECT_EACH(trial, coffee, [&](size_t i) { return right_coffee[i]; });
    LAB_EXPECT_CLEAN(trial);
    expect_time(trial, static_cast<double>(trial.values(milliseconds)[0]));
}

// ---- breakfast ----

constexpr const char* wait_next =
    "In the order of the calls: launch brew_kernel, cudaEventRecord(event, first), "
    "cudaStreamWaitEvent(second, event), "
    "launch pour_kernel.";

// pour_kernel does not wait for brew_kernel. Why not?
bool told_about_the_race(lab::Trial& trial, const Queued& queued, const lab::TimelineTask& brew,
                         const lab::TimelineTask& pour) {
    const std::string what = "pour_kernel does not wait for brew_kernel. ";
    const auto records = queued.all("record"), waits = queued.all("wait");
    for (const lab::TimelineTask* wait : waits)
        if (wait->after.empty())
            return tell(trial,
                        what + "The wait of " + line(*wait) +
                            " is for an event that nobody has recorded yet: it waits for nothing.",
                        wait_next);
    if (pour.id < brew.id)
        return tell(trial,
                    what + "It is launched at " + line(pour) + ", before brew_kernel at " + line(brew) + ".",
                    wait_next);
    if (records.empty()) return tell(trial, what + "No event was recorded.", wait_next);
    if (waits.empty())
        return tell(
            trial,
            what + "The event of " + line(*records.front()) + " is recorded, and no stream waits for it.",
            wait_next);
    const lab::TimelineTask& wait = *waits.front();
    if (wait.stream != pour.stream)
        return tell(trial,
                    what + "The wait of " + line(wait) + " stands in " + queued.stream(wait) +
                        ", and pour_kernel runs in " + queued.stream(pour) + ".",
                    wait_next);
    if (wait.id > pour.id)
        return tell(trial,
                    what + "The wait of " + line(wait) + " comes behind pour_kernel (" + line(pour) +
                        "), and holds up only what follows it.",
                    wait_next);
    const lab::TimelineTask& record = wait.after.empty() ? *records.front() : queued.task(wait.after.front());
    if (record.stream != brew.stream)
        return tell(trial,
                    what + "The event of " + line(record) + " is recorded in " + queued.stream(record) +
                        ", and brew_kernel runs in " + queued.stream(brew) + ".",
                    wait_next);
    if (record.id < brew.id)
        return tell(trial,
                    what + "The event is recorded at " + line(record) + ", in front of brew_kernel (" +
                        line(brew) + "): it is done before brew_kernel begins.",
                    wait_next);
    return false;
}

// In words, why b comes after a.
std::string reason(const Queued& queued, int a, int b) {
    const std::vector<lab::WaitEdge> path = queued.graph().path(a, b);
    bool by_host = false;
    for (const lab::WaitEdge& edge : path) {
        by_host = by_host || edge.why == lab::WaitEdge::Why::host_waits;
        if (edge.why == lab::WaitEdge::Why::event)
            return "it stands behind the wait of " + line(queued.task(edge.to)) +
                   ", and a stream goes on in its order";
        if (edge.why == lab::WaitEdge::Why::default_stream) return "the default stream waits for the others";
    }
    return by_host ? "the host waited before it queued it"
                   : "both are in " + queued.stream(queued.task(b)) + ", one behind the other";
}

void expect_free(lab::Trial& trial, const Queued& queued, const lab::TimelineTask& brew,
                 const lab::TimelineTask& pour, const lab::TimelineTask& toast) {
    const lab::TimelineTask* last = &brew;
    for (const lab::TimelineTask* task : {&pour, &toast})
        if (task->id > last->id) last = task;
    const lab::HostStep* wait = queued.first_wait();
    if (wait != nullptr && queued.was_before(*wait, *last)) {
        tell(trial,
             "The host waits at " + line(wait->line) + " (" + wait->call + "), and " +
                 last->name.substr(0, last->name.find('(')) + " is not queued yet.",
             "Let a stream wait, not the host: cudaStreamWaitEvent returns at once, and the host goes on "
             "queueing.");
        return;
    }
    const auto order = [&](const lab::TimelineTask& a, const lab::TimelineTask& b,
                           const std::string& message) {
        return queued.graph().is_before(a.id, b.id) &&
               tell(trial, message + ": " + reason(queued, a.id, b.id) + ".",
                    "A stream is a queue: what you put into it waits for all that is in front. Put "
                    "toast_kernel into the "
                    "second stream, before the wait.");
    };
    if (order(brew, toast, "toast_kernel waits for brew_kernel, which it does not need")) return;
    if (order(pour, toast, "toast_kernel waits for pour_kernel, which it does not need")) return;
    order(toast, brew, "brew_kernel waits for toast_kernel, which it does not need");
}

struct Rounds {
    int brew, pour, toast;
};

void expect_breakfast(int n, const Rounds& rounds) {
    CAPTURE(n);
    const Values ground_values = values_of(n, 100), bread_values = values_of(n, 5000);
    lab::Trial trial;
    auto ground = trial.input("ground", ground_values);
    auto bread = trial.input("bread", bread_values);
    auto coffee = trial.output<unsigned>("coffee", ground_values.size());
    auto cups = trial.output<unsigned>("cups", ground_values.size());
    auto toast = trial.output<unsigned>("toast", bread_values.size());
    trial.play([&](lab::Player& player) {
        return player.call<decltype(breakfast)>(
            "breakfast", player.device(ground), player.device(coffee), player.device(cups),
            player.device(bread), player.device(toast), n, rounds.brew, rounds.pour, rounds.toast);
    });
    if (trial.ended_well() && told_about_misuse(trial)) return;
    LAB_EXPECT_OK(trial);
    if (told_about_launches(trial, {"brew_kernel", "pour_kernel", "toast_kernel"})) return;
    if (trial.timeline() != nullptr && found(trial, "stream-race") != nullptr) {
        const Queued queued(*trial.timeline());
        const lab::TimelineTask *brew = queued.kernel("brew_kernel"), *pour = queued.kernel("pour_kernel");
        if (brew != nullptr && pour != nullptr && told_about_the_race(trial, queued, *brew, *pour)) return;
    }
    const Values right_coffee = all_stirred(ground_values, rounds.brew),
                 right_toast = all_stirred(bread_values, rounds.toast);
    Values right_cups = all_stirred(right_coffee, rounds.pour);
    std::reverse(right_cups.begin(), right_cups.end());
    LAB_EXPECT_EACH(trial, coffee, [&](size_t i) { return right_coffee[i]; });
    LAB_EXPECT_EACH(trial, cups, [&](size_t i) { return right_cups[i]; });
    LAB_EXPECT_EACH(trial, toast, [&](size_t i) { return right_toast[i]; });
    LAB_EXPECT_CLEAN(trial);
    if (trial.timeline() == nullptr || found(trial, "stream-race") != nullptr) return;
    const Queued queued(*trial.timeline());
    const lab::TimelineTask *brew = queued.kernel("brew_kernel"), *pour = queued.kernel("pour_kernel"),
                            *toasted = queued.kernel("toast_kernel");
    if (brew != nullptr && pour != nullptr && toasted != nullptr)
        expect_free(trial, queued, *brew, *pour, *toasted);
}

// ---- first_sip ----

constexpr const char* sip_next =
    "Record an event between the copy and wash_kernel, queue wash_kernel, and wait for the event in the "
    "host: "
    "cudaEventSynchronize(event).";

bool told_about_the_early_host(lab::Trial& trial, const Queued& queued, const lab::TimelineTask& copy) {
    const std::string what = "The host adds up sips that may not have arrived. ";
    if (const lab::HostStep* call = queued.call_in_vain("cudaEventSynchronize"))
        return tell(trial,
                    what + "The event of " + line(call->line) +
                        " was never recorded, and waiting for it is no wait at all.",
                    sip_next);
    if (const lab::HostStep* call = queued.call_in_vain("cudaEventQuery"))
        return tell(trial,
                    what + "cudaEventQuery at " + line(call->line) +
                        " answered cudaErrorNotReady, and the host went on.",
                    "cudaEventQuery asks and does not wait: ask again until it says cudaSuccess, or call "
                    "cudaEventSynchronize.");
    const auto records = queued.all("record");
    if (!records.empty() && records.back()->stream != copy.stream)
        return tell(trial,
                    what + "The event of " + line(*records.back()) + " is recorded in " +
                        queued.stream(*records.back()) + ", and the copy is in " + queued.stream(copy) + ".",
                    sip_next);
    if (!records.empty() && records.back()->id < copy.id)
        return tell(trial,
                    what + "The event of " + line(*records.back()) + " stands in front of the copy of " +
                        line(copy) + ": it is done before the copy is.",
                    sip_next);
    return tell(trial, what + "It does not wait for the copy of " + line(copy) + ".", sip_next);
}

void expect_early(lab::Trial& trial, const Queued& queued, const lab::TimelineTask& copy,
                  const lab::TimelineTask& wash) {
    const lab::HostStep* wait = queued.first_wait(&copy);
    if (wait == nullptr) return;
    if (queued.was_before(*wait, wash)) {
        tell(trial,
             "The host waits at " + line(wait->line) +
                 ", and wash_kernel is not queued yet: the device runs dry.",
             "Queue everything first, then wait for the event.");
    } else if (queued.graph().is_before(wash.id, queued.node_of(*wait))) {
        const std::string why = wait->call == "cudaEventSynchronize" || wait->call == "cudaEventQuery"
                                    ? "the event is recorded behind it"
                                : wait->call == "cudaStreamSynchronize"
                                    ? "cudaStreamSynchronize waits for all that is in the stream"
                                    : wait->call + " waits for all that was queued";
        tell(trial,
             "The host has the sips only when wash_kernel is done: at " + line(wait->line) + " " + why + ".",
             sip_next);
    }
}

void expect_sip(int n, int sips, int wash_rounds) {
    CAPTURE(n);
    CAPTURE(sips);
    const Values cup_values = values_of(n, 900);
    lab::Trial trial;
    auto cups = trial.input("cups", cup_values);
    auto taken = trial.output<unsigned>("sips", static_cast<size_t>(sips));
    auto clean = trial.output<unsigned>("clean", cup_values.size());
    auto sum = trial.output<unsigned>("sum", 1);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(first_sip)>("first_sip", player.device(cups), player.device(taken),
                                                player.device(clean), n, sips, wash_rounds, player.host(sum));
    });
    if (trial.ended_well() && told_about_misuse(trial)) return;
    LAB_EXPECT_OK(trial);
    if (told_about_launches(trial, {"sip_kernel", "wash_kernel"})) return;
    const lab::TimelineTask *copy = nullptr, *wash = nullptr;
    std::optional<Queued> queued;
    if (trial.timeline() != nullptr) {
        queued.emplace(*trial.timeline());
        for (const lab::TimelineTask* task : queued->all("copy"))
            if (task->engine == "copies_to_host" && copy == nullptr) copy = task;
        wash = queued->kernel("wash_kernel");
    }
    if (copy != nullptr && found(trial, "async-race") != nullptr &&
        told_about_the_early_host(trial, *queued, *copy))
        return;
    Values cleaned(cup_values.size());
    for (size_t i = 0; i < cleaned.size(); ++i) cleaned[i] = stirred(~cup_values[i], wash_rounds);
    unsigned right = 0;
    for (size_t i = 0; i < static_cast<size_t>(sips); ++i) right += cup_values[i] / 2;
    LAB_EXPECT_EACH(trial, taken, [&](size_t i) { return cup_values[i] / 2; });
    LAB_EXPECT_EACH(trial, clean, [&](size_t i) { return cleaned[i]; });
    LAB_EXPECT_EACH(trial, sum, [&](size_t) { return right; });
    LAB_EXPECT_CLEAN(trial);
    if (copy != nullptr && wash != nullptr) expect_early(trial, *queued, *copy, *wash);
}

}  // namespace

TEST_CASE("time_brew: the time of brew_kernel, and not of grind_kernel") {
    expect_brewed(32, 20000, 10000);
}

TEST_CASE("time_brew: any number of elements, a short kernel behind a long one") {
    expect_brewed(300, 2000, 500);
}

TEST_CASE("breakfast: one element in each array") {
    expect_breakfast(1, {3, 2, 1});
}

TEST_CASE("breakfast: 1000 elements, several blocks") {
    expect_breakfast(1000, {4, 3, 5});
}

TEST_CASE("breakfast: time enough to see who waits") {
    expect_breakfast(32, {20000, 15000, 18000});
}

TEST_CASE("breakfast: a quick brew and a long toast") {
    expect_breakfast(32, {5000, 15000, 20000});
}

TEST_CASE("first_sip: 1000 cups, 16 sips") {
    expect_sip(1000, 16, 10);
}

TEST_CASE("first_sip: the host has its sum while the cups are washed") {
    expect_sip(32, 8, 12000);
}

LAB_EXPERIMENT("Breakfast, with kernels as long as you like")(const lab::Settings& at) {
    expect_breakfast(at["n"], {1000 * at["brew"], 1000 * at["pour"], 1000 * at["toast"]});
}

TEST_SUITE_END();
