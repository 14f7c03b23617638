// Findings about where threads wait and how they end: barriers, warp operations, loops, traps, launches.
#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <exception>

#include "simt/checker/draft.h"
#include "simt/checker/findings.h"
#include "simt/machine/arena.h"
#include "simt/machine/errors.h"
#include "simt/machine/occupancy.h"
#include "simt/machine/program.h"

namespace simt {

using namespace finding;

namespace {

Site waits_at(const Lane& lane) {
    Site site = site_in(lane, lane.wait_pc);
    if (lane.wait_where.line != 0) {
        if (site.line != lane.wait_where.line) site.column = 0;
        site.file = lane.wait_where.file;
        site.line = lane.wait_where.line;
    }
    return site;
}

void add_other(Draft& draft, const Lane& other, const char* action, const Site& at) {
    draft.has_other = true;
    draft.other_action = action;
    draft.other = at;
    draft.other_has_thread = true;
    draft.other_thread = other.thread;
    draft.other_block = other.block->index;
}

std::string lanes_text(unsigned mask) {
    const int count = std::popcount(mask);
    if (count == 1) return fmt::format("lane {}", std::countr_zero(mask));
    const int first = std::countr_zero(mask), last = 31 - std::countl_zero(mask);
    if (last - first + 1 == count) return fmt::format("lanes {} to {}", first, last);
    return fmt::format("{} lanes (the first is lane {})", count, first);
}

}  // namespace

void report_two_barriers(const Lane& a, const Lane& b) {
    // The one that stands in a condition is the guilty one; of two such, the one higher up.
    const Site at_a = waits_at(a), at_b = waits_at(b);
    const bool a_conditional = barrier_condition(at_a.file, at_a.line) != 0;
    const bool b_conditional = barrier_condition(at_b.file, at_b.line) != 0;
    const bool a_first = a_conditional == b_conditional ? at_a.line <= at_b.line : a_conditional;
    const Lane &guilty = a_first ? a : b, &other = a_first ? b : a;
    const Site &at = a_first ? at_a : at_b, &other_at = a_first ? at_b : at_a;
    const bool same = std::strcmp(a.barrier_name, b.barrier_name) == 0;
    fault(guilty, error_launch_failure);
    Draft d{
        .kind = "barrier-divergence",
        .message = fmt::format("{} waits at the {} at line {} while {} waits at the {} at line {}",
                               name_lane(guilty), guilty.barrier_name, at.line, name_lane(other),
                               same ? "one" : other.barrier_name, other_at.line),
        .fix = fmt::format("All threads of a block must meet at the same {}: move it out of the condition.",
                           same ? guilty.barrier_name : "barrier"),
        .at = at,
        .lane = &guilty};
    add_other(d, other, "waits", other_at);
    finding::write(d);
}

void report_missing_at_barrier(const Lane& waiting, const Lane& gone, uint64_t missing) {
    const Site at = waits_at(waiting);
    const int condition = barrier_condition(at.file, at.line);
    fault(waiting, error_launch_failure);
    const std::string who = missing == 1 ? name_lane(gone)
                                         : fmt::format("{} and {} other thread{}", name_lane(gone),
                                                       missing - 1, missing == 2 ? "" : "s");
    Draft d{
        .kind = "barrier-divergence",
        .message = fmt::format(
            "{} waits at the {} at line {}, which {} never reached{}", name_lane(waiting),
            waiting.barrier_name, at.line, who,
            condition != 0 ? fmt::format(": the barrier stands inside the condition at line {}", condition)
                           : ""),
        .fix = fmt::format(
            "Every thread of the {} must reach the barrier: close the condition before it and open it "
            "again after it.",
            waiting.state == LaneState::at_grid ? "grid" : "block"),
        .at = at,
        .lane = &waiting};
    if (condition != 0) {
        d.has_other = true;
        d.other_action = "decides";
        d.other = {at.file, condition, 0};
    } else {
        const bool returned = gone.left == Left::returned;
        const Site left = program.site(returned ? gone.return_pc : gone.last_pc);
        if (!left.foreign) add_other(d, gone, returned ? "returned" : "left", left);
    }
    finding::write(d);
}

void report_early_exit(const Lane& waiting, const Lane& returned) {
    const Site at = waits_at(waiting), left = program.site(returned.return_pc);
    Draft d{
        .kind = "barrier-early-exit",
        .message = fmt::format("{} returned at line {} before the {} at line {} that others wait at",
                               name_lane(returned), left.line, waiting.barrier_name, at.line),
        .fix = waiting.state == LaneState::at_grid
                   ? "It goes on all the same, since the first thread of each block comes; a guard around "
                     "the work, not the barrier, is what CUDA asks for."
                   : "Since compute capability 7.0 the barrier waits for the remaining threads only; a guard "
                     "around the work, not the barrier, is clearer.",
        .advice = true,
        .at = at,
        .lane = &waiting};
    add_other(d, returned, "returned", left);
    finding::write(d);
}

void report_not_cooperative(const Lane& lane) {
    const LaunchCall& call = lane.block->launch->call;
    const Site at = waits_at(lane);
    fault(lane, error_launch_failure);
    Draft d{.kind = "trap",
            .message = fmt::format("{} came to the {} at line {}, but the launch of {} at line {} is not "
                                   "cooperative, so that its blocks cannot wait for each other",
                                   name_lane(lane), lane.barrier_name, at.line, call.kernel, call.where.line),
            .fix =
                "Launch it with cudaLaunchCooperativeKernel, and with no more blocks than the GPU holds at "
                "once; a GPU may end the kernel here, or go on as if all were well.",
            .at = at,
            .lane = &lane};
    d.has_other = true;
    d.other_action = "launched";
    d.other = site_of(call.where);
    finding::write(d);
}

void report_own_bit_missing(const Lane& lane, unsigned mask) {
    const Site at = waits_at(lane);
    fault(lane, error_illegal_instruction);
    finding::write({.kind = "shfl-mask",
                    .message = fmt::format("{} (lane {}) called a warp function at line {} with the mask "
                                           "0x{:08x}, which does not name its own lane",
                                           name_lane(lane), static_cast<int>(lane.lane), at.line, mask),
                    .fix = "The mask must name every lane that makes the call: 0xffffffff where all 32 do, "
                           "else __ballot_sync before the branch.",
                    .at = at,
                    .lane = &lane});
}

void report_absent_lane(const Lane& waiting, const Lane& absent, unsigned absent_mask) {
    const Site at = waits_at(waiting), other = waits_at(absent);
    fault(waiting, error_illegal_instruction);
    Draft d{
        .kind = "shfl-mask",
        .message = fmt::format("{} waits in a warp function at line {} for {} of its mask 0x{:08x}, but {} "
                               "is elsewhere: at line {}",
                               name_lane(waiting), at.line, lanes_text(absent_mask), waiting.warp_wait.mask,
                               std::popcount(absent_mask) == 1 ? "it" : "the first of them", other.line),
        .fix =
            "All lanes that a mask names must make the same call: name only those that do, or move the call "
            "out of the branch.",
        .at = at,
        .lane = &waiting};
    add_other(d, absent, "waits", other);
    finding::write(d);
}

void report_bad_source(const Lane& lane, int source, bool named) {
    const Site at = waits_at(lane);
    fault(lane, error_illegal_instruction);
    finding::write({.kind = "shfl-mask",
                    .message = fmt::format(
                        "{} (lane {}) reads the value of lane {} in the shuffle at line {}, but that lane {}",
                        name_lane(lane), static_cast<int>(lane.lane), source, at.line,
                        named ? "has left the kernel or does not exist" : "is not in the mask"),
                    .fix = "Read only from lanes that take part in the same shuffle.",
                    .at = at,
                    .lane = &lane});
}

namespace {

// The line that the innermost loop around the lane begins on: the first line of the code in the loop's
// extent.
Site loop_around(const Lane& lane, const Site& at) {
    if (lane.loops.empty()) return at;
    Site first = at;
    const void* begin = program.address(lane.loops.back().first);
    const void* end = program.address(lane.loops.back().past_last);
    for (const SiteEntry& entry : program.sites) {
        if (entry.return_address <= begin || entry.return_address > end) continue;
        const Site site = program.site(entry.return_address);
        if (std::strcmp(site.file, at.file) == 0 && site.line != 0 && site.line < first.line) first = site;
    }
    return first;
}

}  // namespace

void report_endless(const Lane& lane) {
    LaunchRun& launch = *lane.block->launch;
    launch.error = error_launch_timeout;
    launch.status = "stopped";
    const Site at = loop_around(lane, site_in(lane, lane.last_pc));
    finding::write({.kind = "infinite-loop",
                    .message = fmt::format(
                        "{} is still going round the loop at line {} after {} million steps of the kernel",
                        name_lane(lane), at.line, launch.steps / 1'000'000),
                    .fix = "Check that the loop's condition can become false, and who should make it so.",
                    .at = at,
                    .lane = &lane});
}

void report_deadlock(const Lane& lane) {
    LaunchRun& launch = *lane.block->launch;
    launch.error = error_launch_timeout;
    launch.status = "stopped";
    const Site at = site_in(lane, lane.polled_pc);
    const Element e = element_at(lane, lane.polled);
    finding::write(
        {.kind = "deadlock",
         .message =
             fmt::format("{} waits at line {} for {}, and in {} million steps no thread has given it what "
                         "it waits for",
                         name_lane(lane), at.line, e.buffer.empty() ? "a value in memory" : e.text(),
                         launch.steps / 1'000'000),
         .fix = "Look at who should write there: a lock must be released, and no thread may wait for one "
                "that waits for it.",
         .at = at,
         .lane = &lane,
         .element = e});
}

namespace {

// The threads of a launch that are left, when none of them will ever get further.
struct ThoseLeft {
    const Lane* first = nullptr;   // looks at memory, or goes round a loop
    const Lane* second = nullptr;  // waits for something else
    uint64_t threads = 0;
};

bool looks(const Lane& lane) {
    return lane.state == LaneState::runnable && lane.polled != nullptr;
}

ThoseLeft those_left(const Blocks& running) {
    ThoseLeft left;
    const auto each = [&](auto&& act) {
        for (const auto& block : running)
            for (const Lane& lane : block->lanes)
                if (lane.state != LaneState::done) act(lane);
    };
    each([&](const Lane& lane) {
        ++left.threads;
        if (looks(lane) && (left.first == nullptr || !looks(*left.first))) left.first = &lane;
        if (lane.state == LaneState::runnable && left.first == nullptr) left.first = &lane;
    });
    each([&](const Lane& lane) {
        const bool waits = lane.state != LaneState::runnable && lane.state != LaneState::at_window;
        const bool differs = looks(lane) ? lane.polled != left.first->polled : waits;
        if (differs && (left.second == nullptr || (looks(lane) && !looks(*left.second)))) left.second = &lane;
    });
    return left;
}

std::string what_it_looks_at(const Lane& lane) {
    const Element e = element_at(lane, lane.polled);
    return e.buffer.empty() ? "a value in memory" : e.text();
}

std::string room_of_an_sm(const Residency& resident) {
    const DeviceProfile& p = device_profile();
    const int least = resident.each.least();
    if (least == resident.each.warps) return fmt::format("each has room for {} threads", p.threads_per_sm);
    if (least == resident.each.blocks) return fmt::format("each holds {} blocks at most", p.blocks_per_sm);
    if (least == resident.each.registers) return fmt::format("each has {} registers", p.registers_per_sm);
    return fmt::format("each has {} bytes of shared memory", p.shared_per_sm);
}

std::string who_else_waits(const ThoseLeft& left) {
    if (left.second == nullptr)
        return left.threads == 1 ? ", and no other thread is left"
               : left.threads == 2
                   ? ", and so does the only other thread that is left"
                   : fmt::format(", and so do the {} other threads that are left", left.threads - 1);
    const Lane& lane = *left.second;
    if (!looks(lane))
        return fmt::format(", while {} waits {}{}", name_lane(lane),
                           lane.state == LaneState::at_barrier || lane.state == LaneState::at_grid
                               ? fmt::format("at the {}", lane.barrier_name)
                               : "in a warp function",
                           at_line(waits_at(lane)));
    return fmt::format(", while {} waits{} for {}", name_lane(lane), at_line(site_in(lane, lane.polled_pc)),
                       what_it_looks_at(lane));
}

// Why the blocks that have not started cannot help.
std::string why_none_starts(const LaunchRun& launch, size_t running, uint64_t unstarted) {
    const Residency resident = residency_of(launch.call, launch.static_shared);
    return fmt::format(
        ". {} cannot start: the {} that wait are all that {} holds at once, {} on each of its {} "
        "multiprocessors ({})",
        unstarted == 1 ? "1 more block" : fmt::format("{} more blocks", unstarted), running,
        device_profile().name, resident.each.least(), resident.sms, room_of_an_sm(resident));
}

}  // namespace

void report_standstill(const LaunchRun& launch, const Blocks& running, uint64_t unstarted) {
    const ThoseLeft left = those_left(running);
    const Lane& lane = *left.first;
    fault(lane, error_launch_timeout);
    lane.block->launch->status = "stopped";
    Draft d{.kind = "infinite-loop", .message = "", .at = site_in(lane, lane.last_pc), .lane = &lane};
    if (looks(lane)) {
        d.kind = "deadlock";
        d.at = site_in(lane, lane.polled_pc);
        d.element = element_at(lane, lane.polled);
        d.message = fmt::format("{} waits at line {} for {}, which nobody will write any more{}",
                                name_lane(lane), d.at.line, what_it_looks_at(lane), who_else_waits(left));
        d.fix =
            "Look at who should write there: a lock must be released, and no thread may wait for one "
            "that waits for it.";
    } else {
        d.at = loop_around(lane, d.at);
        d.message = fmt::format("{} goes round the loop at line {} for ever: nothing in it changes any more",
                                name_lane(lane), d.at.line);
        d.fix = "Check that the loop's condition can become false, and who should make it so.";
    }
    if (left.second != nullptr)
        add_other(
            d, *left.second, "waits",
            looks(*left.second) ? site_in(*left.second, left.second->polled_pc) : waits_at(*left.second));
    if (unstarted != 0) {
        d.message += why_none_starts(launch, running.size(), unstarted);
        d.fix = fmt::format(
            "A block may wait only for blocks that have started: launch at most {} and let each "
            "do several pieces of the work, or let each take its number from a counter "
            "(atomicAdd) when it starts, and wait for smaller numbers alone.",
            running.size());
    }
    finding::write(d);
}

void report_uncaught_exception(const Lane& lane) {
    fault(lane, error_launch_failure);
    const Site at = site_in(lane, lane.last_pc);
    finding::write(
        {.kind = "trap",
         .message = fmt::format("{} threw a C++ exception out of the kernel{}", name_lane(lane), at_line(at)),
         .fix = "Kernels cannot throw: write an error code to memory instead.",
         .at = at,
         .lane = &lane});
}

void report_refused_block(const Lane& lane, const char* function, Index3 says, Where where) {
    fault(lane, error_launch_failure);
    const Index3 is = lane.block->launch->call.config.block;
    const auto text = [](const Index3& e) { return fmt::format("{} x {} x {}", e.x, e.y, e.z); };
    finding::write(
        {.kind = "api-misuse",
         .message = fmt::format("{} at line {} is made for a block of {} threads, and this one has {}",
                                function, where.line, text(says), text(is)),
         .fix = "Launch the kernel with the extents that the type's template arguments name.",
         .at = site_of(where),
         .lane = &lane});
}

void report_assert(const Lane& lane, const char* expression, const char* file, unsigned line) {
    fault(lane, error_assert);
    const Index3 b = lane.block->index, t = lane.thread;
    std::fprintf(stderr, "%s:%u: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
                 b.x, b.y, b.z, t.x, t.y, t.z, expression);
    finding::write(
        {.kind = "assert",
         .message = fmt::format("{} failed the assertion {} at line {}", name_lane(lane), expression, line),
         .fix = "The kernel ends there; look at what made the expression false.",
         .at = {file, static_cast<int>(line), 0},
         .lane = &lane});
}

void report_trap(const Lane& lane, Where where) {
    fault(lane, error_illegal_instruction);
    finding::write({.kind = "trap",
                    .message = fmt::format("{} executed __trap() at line {}", name_lane(lane), where.line),
                    .fix = "The kernel ends there; look at what led to it.",
                    .at = site_of(where),
                    .lane = &lane});
}

void report_launch_in_kernel(const Lane& lane, const char* kernel, Where where) {
    fault(lane, error_launch_failure);
    finding::write({.kind = "api-misuse",
                    .message = fmt::format("{} launches {} at line {}, in a kernel", name_lane(lane), kernel,
                                           where.line),
                    .fix = only_the_host_launches,
                    .at = site_of(where),
                    .lane = &lane});
}

void report_stack_overflow(const Lane& lane, const void* pc) {
    fault(lane, error_illegal_address);
    const Site at = site_in(lane, pc);
    const size_t depth = lane.frames.size();
    const bool recursion = depth > 8;
    const std::string what =
        recursion ? fmt::format("{} ran out of stack{} ({} calls deep)", name_lane(lane), at_line(at), depth)
                  : fmt::format("{} needs more local memory than a thread has, in the function at line {}",
                                name_lane(lane), at.line);
    finding::write({.kind = "stack-overflow",
                    .message = what,
                    .fix = recursion
                               ? "A thread has at most 512 KiB of local memory: end the recursion earlier."
                               : "A thread has at most 512 KiB: keep big arrays in global memory.",
                    .at = at,
                    .lane = &lane});
}

void report_host_only(const Lane& lane, const char* what, const char* fix, const void* pc) {
    fault(lane, error_launch_failure);
    const Site at = site_in(lane, pc);
    finding::write(
        {.kind = "trap",
         .message = fmt::format("{} {}{}, which no kernel can do", name_lane(lane), what, at_line(at)),
         .fix = fix,
         .at = at,
         .lane = &lane});
}

void report_arithmetic(const Lane& lane, const char* what) {
    fault(lane, error_launch_failure);
    const Site at = site_in(lane, lane.last_pc);
    finding::write({.kind = "trap",
                    .message = fmt::format("{} {}{}", name_lane(lane), what, at_line(at)),
                    .fix = "A GPU goes on with a meaningless value here: check the divisor.",
                    .at = at,
                    .lane = &lane});
}

void report_refused_launch(const LaunchCall& call, int, const std::string& message, const std::string& fix,
                           const char* kind) {
    finding::write({.kind = kind, .message = message, .fix = fix, .at = site_of(call.where)});
}

void report_never_written(const Allocation& buffer, size_t first, size_t last, size_t missing) {
    const std::string what = first == last ? fmt::format("{}[{}] was never written", buffer.name, first)
                             : missing == last - first + 1
                                 ? fmt::format("{}[{}..{}] were never written", buffer.name, first, last)
                                 : fmt::format("{} elements of {} between {} and {} were never written",
                                               missing, buffer.name, first, last);
    Draft d{.kind = "never-written",
            .message = what,
            .fix = "Check that the grid has a thread for every element, and that each writes its own.",
            .at = site_of(buffer.allocated)};
    d.element = {buffer.name, static_cast<int64_t>(first), buffer.bytes / buffer.element_bytes};
    d.last_element = static_cast<int64_t>(last);
    finding::write(d);
}

}  // namespace simt
