// What the grader of lesson 04 says about the mistakes that it knows: the first wrong place, why, and what to try. Each
// function is true if it said something; then the plain comparison would only repeat it.
#pragma once

#include <functional>
#include <span>

#include "lessons/04_global_memory/grader_data.h"

namespace lab::lesson_04_global_memory {

// ---- reading at a distance

struct Distance {
    int n, stride, offset;
    size_t source(size_t i) const { return static_cast<size_t>(offset) + i * static_cast<size_t>(stride); }
};

// Another formula that a reader may have written, if it explains all that came.
struct Formula {
    std::function<size_t(size_t)> source;
    const char* cause;
    const char* next;
};

inline std::vector<Formula> formulas(const Distance& at) {
    const auto stride = static_cast<size_t>(at.stride), offset = static_cast<size_t>(at.offset);
    return {
        {[=](size_t i) { return i; }, "Thread i took element i.",
         "TODO 1: thread 0 takes element `offset`. Where is the element of thread 1, and that of thread i?"},
        {[=](size_t i) { return i * stride; }, "The offset is missing.",
         "The first thread takes element `offset`, and all others lie behind it."},
        {[=](size_t i) { return i + offset; }, "The stride is missing.",
         "From one thread to the next, it is `stride` elements."},
        {[=](size_t i) { return (i + offset) * stride; }, "The offset was multiplied by the stride.",
         "offset counts elements, not strides: add it behind the product."},
    };
}

template <size_t size>
inline bool told_about_the_formula(lab::Trial& trial, std::span<const Numbered<size>> got,
                                   const Distance& at) {
    for (const Formula& formula : formulas(at)) {
        size_t first = got.size();
        bool fits = true;
        for (size_t i = 0; i < got.size() && fits; ++i) {
            fits = got[i] == numbered<size>(formula.source(i));
            if (first == got.size() && !(got[i] == numbered<size>(at.source(i)))) first = i;
        }
        if (!fits || first == got.size()) continue;
        lab::fail(trial,
                  "out[" + number(first) + "] is " + describe(got[first]) + ", expected element " +
                      number(at.source(first)) + ". " + formula.cause,
                  formula.next, LAB_HERE);
        return true;
    }
    return false;
}

// ---- the counter

// True if it said what is wrong. `before`: what an earlier call of the same trial has counted.
inline bool told_about_the_counter(lab::Trial& trial, unsigned got, unsigned expected, unsigned before) {
    for (const lab::Finding& finding : trial.findings()) {
        const bool at_one_line = finding.other && finding.other->at.line == finding.at.line;
        const bool is_race = finding.kind == "global-race" || finding.kind == "warp-race";
        if (!is_race || !at_one_line || finding.buffer == "particles" || finding.buffer == "soa") continue;
        lab::fail(trial,
                  "Two threads change the counter at line " + std::to_string(finding.at.line) +
                      ", and nothing keeps them apart: one of the two additions can be lost.",
                  "atomicAdd(&clipped, 1u) reads, adds and writes in one step that nobody comes between.",
                  LAB_HERE);
        return true;
    }
    if (got == expected) return false;
    std::string cause =
        "It should count the components that the limit has changed: one that is exactly at "
        "the limit is not among them.";
    std::string next = "Count where clip returns something else than value, once for each value.";
    if (got == before + expected && before != 0) {
        cause =
            "The counter went on from what the call before had left: a __device__ variable lives as long "
            "as the program.";
        next = "Set it to 0 before the launch: cudaMemcpyToSymbol.";
    } else if (got == 0) {
        cause = "Nothing was counted, or nobody fetched the number.";
        next = "In clip, atomicAdd(&clipped, 1u); after the launch, cudaMemcpyFromSymbol.";
    } else if (got > 1000000) {
        cause =
            "That is no number that can come of counting: nobody has written it, or the counter began with "
            "something else.";
        next =
            "cudaMemcpyToSymbol puts a 0 in before the launch, cudaMemcpyFromSymbol fetches the count after "
            "it.";
    }
    lab::fail(trial, "*h_clipped is " + number(got) + ", expected " + number(expected) + ". " + cause, next,
              LAB_HERE);
    return true;
}

// ---- the layouts

inline bool told_about_a_particle(lab::Trial& trial, std::span<const Particle> got, float by) {
    for (size_t i = 0; i < got.size(); ++i) {
        Fields values;
        std::memcpy(&values, &got[i], sizeof values);
        for (size_t f = 0; f < fields; ++f) {
            const float expected = expected_field(i, f, by), plain = by * field_of(i, f);
            if (values[f] == expected) continue;
            std::string next;
            if (!is_velocity(f))
                next = "Only the three components of the velocity change.";
            else if (values[f] == plain)
                next = "clip takes what has passed the limit back to it: limit, or -limit below zero.";
            else if (values[f] == -expected)
                next = "Below zero the limit is -limit: the direction stays.";
            else if (values[f] == scaled(expected, by))
                next = "It was scaled twice. One thread takes one particle.";
            lab::fail(trial,
                      "particles[" + number(i) + "]." + field_names[f] + " is " +
                          lab::describe(double{values[f]}) + ", expected " + lab::describe(double{expected}) +
                          ".",
                      next, LAB_HERE);
            return true;
        }
    }
    return false;
}

inline std::string place_in_soa(size_t element, int n, int pitch) {
    const size_t field = element / static_cast<size_t>(pitch), i = element % static_cast<size_t>(pitch);
    const std::string name = "soa[" + number(element) + "], ";
    if (i >= static_cast<size_t>(n))
        return name + "in the padding " + number(i - static_cast<size_t>(n) + 1) + " behind the last " +
               field_names[field] + ",";
    return name + field_names[field] + " of particle " + number(i) + ",";
}

// What stands in an soa of n particles if all is right; `by` 1: nothing was scaled, nor clipped.
inline float expected_in_soa(size_t element, int n, int pitch, float by) {
    const size_t field = element / static_cast<size_t>(pitch), i = element % static_cast<size_t>(pitch);
    if (i >= static_cast<size_t>(n)) return padding;
    return by == 1 ? field_of(i, field) : expected_field(i, field, by);
}

// Why another value than the expected one may stand there.
inline std::string advice_for_soa(size_t element, float got, int n, int pitch, float by) {
    const auto length = static_cast<size_t>(pitch), particles = static_cast<size_t>(n);
    const size_t field = element / length, i = element % length;
    if (i >= particles) return "A thread whose i is not below n has no particle: if (i >= n) return;";
    const float before = field_of(i, field);
    if (by != 1 && is_velocity(field) && got == before)
        return "It was not touched. Field f of particle i is d_soa[f * pitch + i].";
    if (by != 1 && is_velocity(field) && got == scaled(scaled(before, by), by))
        return "It was scaled twice: two threads, or two rounds, took it.";
    if (by != 1 && !is_velocity(field) && got == scaled(before, by))
        return "This field is no velocity. From one field to the next, it is pitch floats, not n.";
    if (by == 1 && got == padding)
        return "Nothing was stored there. Field f of particle i goes to d_soa[f * pitch + i].";
    const size_t flat = element % (particles * fields);
    if (by == 1 && got == field_of(flat / fields, flat % fields))
        return "That is still the order of the particles, eight fields each. Field f of particle i goes to "
               "d_soa[f * pitch + i].";
    if (by == 1 && field * length + i < particles * fields &&
        got == field_of((field * length + i) % particles, (field * length + i) / particles))
        return "The fields follow each other after n floats. It should be pitch: field f begins at f * "
               "pitch.";
    return "Field f of particle i is d_soa[f * pitch + i].";
}

inline bool told_about_soa(lab::Trial& trial, std::span<const float> got, int n, int pitch, float by) {
    for (size_t e = 0; e < got.size(); ++e) {
        const float expected = expected_in_soa(e, n, pitch, by);
        if (got[e] == expected) continue;
        lab::fail(trial,
                  place_in_soa(e, n, pitch) + " is " + lab::describe(double{got[e]}) + ", expected " +
                      lab::describe(double{expected}) + ".",
                  advice_for_soa(e, got[e], n, pitch, by), LAB_HERE);
        return true;
    }
    return false;
}

// 16 bytes at once, from a place where no 16 bytes begin.
inline bool told_about_alignment(lab::Trial& trial) {
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.kind != "misaligned") continue;
        lab::fail(trial, finding.message,
                  "A float4 begins at a multiple of 16 bytes. A particle does, and so does its vx: "
                  "reinterpret_cast<const float4*>(d_particles + i)[0] and [1].",
                  LAB_HERE);
        return true;
    }
    return false;
}

// ---- what it costs

// Sectors that three fields of n floats lie in, if each begins with a sector; and an eighth for other ways to share
// them out.
inline size_t enough_for_velocities(int n) {
    return 3 * ((static_cast<size_t>(n) + 7) / 8) * 9 / 8;
}

// False if it failed the case. A backend that does not count has no such metric.
inline bool expect_side_by_side(lab::Trial& trial, const lab::Kernel& kernel, int n) {
    for (const char* side : {"load", "store"}) {
        const size_t sectors = metric_of(kernel, ("global_" + std::string(side) + "_sectors").c_str());
        const size_t requests = metric_of(kernel, ("global_" + std::string(side) + "_requests").c_str());
        const size_t enough = enough_for_velocities(n);
        if (requests == 0 || sectors <= enough) continue;
        const size_t ideal = metric_of(kernel, ("global_" + std::string(side) + "_ideal_sectors").c_str());
        const size_t needed = ideal == 0 ? 4 * requests : ideal;  // by its lanes, if they lay side by side
        std::string cause, next;
        if (sectors >= 2 * needed) {
            cause = "The values are right, and the lanes of a warp lie far apart.";
            next =
                "Neighbouring threads, neighbouring particles: d_soa[f * pitch + i], with i from "
                "threadIdx.x.";
        } else if (sectors > needed) {
            cause = "A warp's 128 bytes begin in the middle of a sector, so that they need a fifth one.";
            next = "Each field has to begin at a multiple of 32 floats, counted from what cudaMalloc gave.";
        } else {
            cause = "More is touched than there are particles.";
            next = "A thread whose i is not below n leaves before it reads, not only before it writes.";
        }
        lab::fail(trial,
                  "The " + std::string(side) + "s of " + kernel.name + " touch " + number(sectors) +
                      " sectors for " + number(n) + " particles, and " +
                      number(3 * ((static_cast<size_t>(n) + 7) / 8)) + " are enough. " + cause,
                  next, LAB_HERE);
        return false;
    }
    return true;
}

// The number of a thread in a grid of one dimension.
inline size_t thread_in_grid(const lab::Kernel& kernel, const lab::Dim3& block, const lab::Dim3& thread) {
    return size_t{block.x} * kernel.block.x + thread.x;
}

// A thread beyond the last particle that meets another thread's field, or leaves the array. The machine knows the
// two threads, this knows that one of them has nothing to do there.
inline bool told_about_a_thread_too_many(lab::Trial& trial, int n) {
    if (trial.launches().empty()) return false;
    const lab::Kernel& kernel = trial.launches().back();
    const size_t threads = size_t{kernel.grid.x} * kernel.block.x;
    if (threads >= static_cast<size_t>(n) + kernel.block.x) return false;  // not a thread for each particle
    for (const lab::Finding& finding : trial.findings()) {
        if (finding.severity != lab::Severity::error || finding.buffer != "soa" || !finding.block ||
            !finding.thread)
            continue;
        size_t thread = thread_in_grid(kernel, *finding.block, *finding.thread);
        if (finding.other && finding.other->block && finding.other->thread)
            thread = std::max(thread, thread_in_grid(kernel, *finding.other->block, *finding.other->thread));
        if (thread < static_cast<size_t>(n)) continue;
        lab::fail(trial,
                  "Thread " + number(thread) + " of the grid has no particle, for there are " +
                      number(static_cast<size_t>(n)) + ", and it touches soa[" +
                      std::to_string(finding.element) + "].",
                  "A thread whose i is not below n leaves before it reads: if (i >= n) return;", LAB_HERE);
        return true;
    }
    return false;
}

// A warp's 32 particles are 1024 bytes, 32 sectors. Two halves of each cost 64 for the loads, eight fields 32 for the
// stores; a float for each thread costs 32 and 64.
inline void expect_wide_loads(lab::Trial& trial, int n) {
    for (const lab::Kernel& kernel : trial.launches()) {
        const size_t loads = metric_of(kernel, "global_load_sectors"),
                     stores = metric_of(kernel, "global_store_sectors");
        const size_t enough = 3 * static_cast<size_t>(n) + 16 * fields;
        if (loads + stores <= enough) continue;
        const bool scattered = stores > 2 * static_cast<size_t>(n) + 16 * fields;
        lab::fail(trial,
                  kernel.name + " touches " + number(loads) + " sectors to load " +
                      number(static_cast<size_t>(n)) + " particles and " + number(stores) +
                      " to store them. " + number(2 * static_cast<size_t>(n)) + " and " +
                      number(static_cast<size_t>(n)) + " are enough.",
                  scattered ? "Let neighbouring threads store neighbouring floats of a field: thread i takes "
                              "particle i."
                            : "Eight loads of 4 bytes visit each sector eight times. Take a particle in two: "
                              "reinterpret_cast<const float4*>(d_particles + i)[0] and [1].",
                  LAB_HERE);
        return;
    }
}

}  // namespace lab::lesson_04_global_memory
