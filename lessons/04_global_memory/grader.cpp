// What exercise 04 must do. The particles' fields all have values of their own, so that each wrong place shows.
#include "lessons/04_global_memory/interface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <type_traits>

#include "workbench/grading/lab.h"

// An element of the strided reads: 1 to 16 bytes that hold the element's number.
template <size_t size>
struct alignas(size) Numbered {
    std::array<unsigned char, size> bytes;
    bool operator==(const Numbered&) const = default;
};

template <size_t size>
Numbered<size> numbered(size_t number) {
    Numbered<size> element;
    for (size_t b = 0; b < size; ++b)
        element.bytes[b] = b < 3 ? static_cast<unsigned char>(number >> (8 * b)) : 0x40;
    return element;
}

template <size_t size>
std::string describe(const Numbered<size>& element) {
    size_t number = 0;
    for (size_t b = 0; b < std::min<size_t>(size, 3); ++b) number |= size_t{element.bytes[b]} << (8 * b);
    return element == numbered<size>(number) ? "element " + std::to_string(number) + " of in"
                                             : "no element of in";
}

constexpr const char* field_names[] = {"x", "y", "z", "mass", "vx", "vy", "vz", "charge"};
using Fields = std::array<float, fields>;
static_assert(sizeof(Fields) == sizeof(Particle));

bool operator==(const Particle& a, const Particle& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

std::string describe(const Particle& particle) {
    Fields values;
    std::memcpy(&values, &particle, sizeof particle);
    std::string text = "{";
    for (size_t f = 0; f < fields; ++f) text += (f == 0 ? "" : ", ") + lab::describe(double{values[f]});
    return text + "}";
}

TEST_SUITE_BEGIN("04_global_memory");

namespace {

constexpr float factor = 0.5f, limit = 8;
constexpr float padding = -777;  // would be clipped, and counted

std::string number(size_t value) {
    return std::to_string(value);
}

// The velocity runs through -15.5 ... 15.5, so that half of it stays within the limit after scaling. No two fields of
// near particles are alike.
float field_of(size_t particle, size_t field) {
    if (field >= field_vx && field <= field_vz)
        return static_cast<float>((particle * 7 + field * 13) % 63) - 31.0f;
    return static_cast<float>(particle * fields + field) + 100.0f;
}

bool is_velocity(size_t field) {
    return field >= field_vx && field <= field_vz;
}

float scaled(float value, float by) {
    return std::clamp(by * value, -limit, limit);
}

float expected_field(size_t particle, size_t field, float by) {
    const float value = field_of(particle, field);
    return is_velocity(field) ? scaled(value, by) : value;
}

std::vector<Particle> particles_of(int n) {
    std::vector<Particle> particles(static_cast<size_t>(n));
    for (size_t i = 0; i < particles.size(); ++i) {
        Fields values;
        for (size_t f = 0; f < fields; ++f) values[f] = field_of(i, f);
        std::memcpy(&particles[i], &values, sizeof values);
    }
    return particles;
}

std::vector<float> soa_of(int n, int pitch) {
    std::vector<float> soa(size_t{fields} * static_cast<size_t>(pitch), padding);
    for (size_t f = 0; f < fields; ++f)
        for (size_t i = 0; i < static_cast<size_t>(n); ++i)
            soa[f * static_cast<size_t>(pitch) + i] = field_of(i, f);
    return soa;
}

unsigned clipped_of(int n, float by) {
    unsigned count = 0;
    for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        for (size_t f = field_vx; f <= field_vz; ++f) count += std::fabs(by * field_of(i, f)) > limit;
    return count;
}

size_t metric_of(const lab::Kernel& kernel, const char* name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? size_t{0} : static_cast<size_t>(found->second);
}

bool ran_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

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

std::vector<Formula> formulas(const Distance& at) {
    const auto stride = static_cast<size_t>(at.stride), offset = static_cast<size_t>(at.offset);
    return {
        {[=](size_t i) { return i; }, "Thread i took element i.", "TODO 1: element offset + i * stride."},
        {[=](size_t i) { return i * stride; }, "The offset is missing.",
         "The first thread takes element `offset`, and all others lie behind it."},
        {[=](size_t i) { return i + offset; }, "The stride is missing.",
         "From one thread to the next, it is `stride` elements."},
        {[=](size_t i) { return (i + offset) * stride; }, "The offset was multiplied by the stride.",
         "offset counts elements, not strides: add it behind the product."},
    };
}

template <size_t size>
bool told_about_the_formula(lab::Trial& trial, std::span<const Numbered<size>> got, const Distance& at) {
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

template <size_t size>
void expect_strided(const Distance& at) {
    CAPTURE(size);
    CAPTURE(at.stride);
    CAPTURE(at.offset);
    std::vector<Numbered<size>> values;
    const size_t count = at.source(static_cast<size_t>(at.n) - 1) + 1;
    for (size_t i = 0; i < count; ++i) values.push_back(numbered<size>(i));
    lab::Trial trial;
    auto in = trial.input("in", values);
    auto out = trial.output<Numbered<size>>("out", static_cast<size_t>(at.n));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(read_strided)>("read_strided", player.device(in), player.device(out),
                                                   at.n, at.stride, at.offset, int{size});
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial) && told_about_the_formula<size>(trial, trial.values(out), at)) return;
    LAB_EXPECT_EACH(trial, out, [&](size_t i) { return numbered<size>(at.source(i)); });
    LAB_EXPECT_CLEAN(trial);
}

void expect_strided(size_t element_bytes, const Distance& at) {
    if (element_bytes == 1) expect_strided<1>(at);
    if (element_bytes == 2) expect_strided<2>(at);
    if (element_bytes == 4) expect_strided<4>(at);
    if (element_bytes == 8) expect_strided<8>(at);
    if (element_bytes == 16) expect_strided<16>(at);
}

// ---- the counter

// True if it said what is wrong. `before`: what an earlier call of the same trial has counted.
bool told_about_the_counter(lab::Trial& trial, unsigned got, unsigned expected, unsigned before) {
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
    } else if (got == 3 * expected || got > 3 * expected) {
        cause = "More was counted than there is to count.";
        next = "Count only what the limit changes, and zero the counter before each launch.";
    }
    lab::fail(trial, "*h_clipped is " + number(got) + ", expected " + number(expected) + ". " + cause, next,
              LAB_HERE);
    return true;
}

// ---- an array of structures

bool told_about_a_particle(lab::Trial& trial, std::span<const Particle> got, float by) {
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

// Two calls in one trial: the second must count for itself.
void expect_aos(int n) {
    CAPTURE(n);
    lab::Trial trial;
    auto particles = trial.inout("particles", particles_of(n));
    auto counts = trial.output<unsigned>("clipped", 2);
    trial.play([&](lab::Player& player) {
        unsigned* h_counts = player.host(counts);
        const int failed = player.call<decltype(scale_aos)>("scale_aos", player.device(particles), n, factor,
                                                            limit, h_counts);
        if (failed != 0) return failed;
        return player.call<decltype(scale_aos)>("scale_aos", player.device(particles), n, 2 * factor, limit,
                                                h_counts + 1);
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial)) {
        // The second call scales by 1: nothing is beyond the limit any more.
        if (told_about_a_particle(trial, trial.values(particles), factor)) return;
        const auto got = trial.values(counts);
        const unsigned first = clipped_of(n, factor);
        if (told_about_the_counter(trial, got[0], first, 0)) return;
        if (told_about_the_counter(trial, got[1], 0, first)) return;
    }
    LAB_EXPECT_EACH(trial, particles, [&](size_t i) {
        Fields values;
        for (size_t f = 0; f < fields; ++f) values[f] = expected_field(i, f, factor);
        Particle particle;
        std::memcpy(&particle, &values, sizeof values);
        return particle;
    });
    LAB_EXPECT_EACH(trial, counts, [&](size_t i) { return i == 0 ? clipped_of(n, factor) : 0u; });
    LAB_EXPECT_CLEAN(trial);
}

// ---- an array for each field

std::string place_in_soa(size_t element, int n, int pitch) {
    const size_t field = element / static_cast<size_t>(pitch), i = element % static_cast<size_t>(pitch);
    const std::string name = "soa[" + number(element) + "], ";
    if (i >= static_cast<size_t>(n))
        return name + "in the padding " + number(i - static_cast<size_t>(n) + 1) + " behind the last " +
               field_names[field] + ",";
    return name + field_names[field] + " of particle " + number(i) + ",";
}

// What stands in an soa of n particles if all is right; `by` 1: nothing was scaled, nor clipped.
float expected_in_soa(size_t element, int n, int pitch, float by) {
    const size_t field = element / static_cast<size_t>(pitch), i = element % static_cast<size_t>(pitch);
    if (i >= static_cast<size_t>(n)) return padding;
    return by == 1 ? field_of(i, field) : expected_field(i, field, by);
}

// Why another value than the expected one may stand there.
std::string advice_for_soa(size_t element, float got, int n, int pitch, float by) {
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

bool told_about_soa(lab::Trial& trial, std::span<const float> got, int n, int pitch, float by) {
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

// ---- what it costs

// Sectors that three fields of n floats lie in, if each begins with a sector; and an eighth for other ways to share
// them out.
size_t enough_for_velocities(int n) {
    return 3 * ((static_cast<size_t>(n) + 7) / 8) * 9 / 8;
}

// False if it failed the case. A backend that does not count has no such metric.
bool expect_side_by_side(lab::Trial& trial, const lab::Kernel& kernel, int n) {
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
size_t thread_in_grid(const lab::Kernel& kernel, const lab::Dim3& block, const lab::Dim3& thread) {
    return size_t{block.x} * kernel.block.x + thread.x;
}

// A thread beyond the last particle that meets another thread's field, or leaves the array. The machine knows the
// two threads, this knows that one of them has nothing to do there.
bool told_about_a_thread_too_many(lab::Trial& trial, int n) {
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

void expect_soa(int n, int pitch) {
    CAPTURE(n);
    CAPTURE(pitch);
    lab::Trial trial;
    auto soa = trial.inout("soa", soa_of(n, pitch));
    trial.rows(soa, static_cast<size_t>(pitch));
    auto counts = trial.output<unsigned>("clipped", 1);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(scale_soa)>("scale_soa", player.device(soa), n, pitch, factor, limit,
                                                player.host(counts));
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial)) {
        if (told_about_a_thread_too_many(trial, n)) return;
        if (told_about_soa(trial, trial.values(soa), n, pitch, factor)) return;
        if (told_about_the_counter(trial, trial.values(counts)[0], clipped_of(n, factor), 0)) return;
    }
    LAB_EXPECT_EACH(trial, soa, [&](size_t e) { return expected_in_soa(e, n, pitch, factor); });
    LAB_EXPECT_EACH(trial, counts, [&](size_t) { return clipped_of(n, factor); });
    LAB_EXPECT_CLEAN(trial);
    for (const lab::Kernel& kernel : trial.launches())
        if (pitch % 8 == 0 && !expect_side_by_side(trial, kernel, n)) return;
}

// The same particles both ways, so that the costs can be compared.
void expect_both(int n, int pitch) {
    lab::Trial trial;
    auto particles = trial.inout("particles", particles_of(n));
    auto soa = trial.inout("soa", soa_of(n, pitch));
    trial.rows(soa, static_cast<size_t>(pitch));
    auto counts = trial.output<unsigned>("clipped", 2);
    trial.play([&](lab::Player& player) {
        const int failed = player.call<decltype(scale_aos)>("scale_aos", player.device(particles), n, factor,
                                                            limit, player.host(counts));
        if (failed != 0) return failed;
        return player.call<decltype(scale_soa)>("scale_soa", player.device(soa), n, pitch, factor, limit,
                                                player.host(counts) + 1);
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial)) {
        if (told_about_a_particle(trial, trial.values(particles), factor)) return;
        if (told_about_soa(trial, trial.values(soa), n, pitch, factor)) return;
        for (const unsigned count : trial.values(counts))
            if (told_about_the_counter(trial, count, clipped_of(n, factor), clipped_of(n, factor))) return;
    }
    LAB_EXPECT_CLEAN(trial);
    if (trial.launches().size() == 2) expect_side_by_side(trial, trial.launches()[1], n);
}

// ---- memory of one's own

// n particles from one layout to the other, through memory that make_soa got.
void expect_own_memory(int n) {
    CAPTURE(n);
    const int pitch = (n + 31) / 32 * 32;
    lab::Trial trial;
    trial.raise("leak");
    auto particles = trial.input("particles", particles_of(n));
    auto counts = trial.output<unsigned>("clipped", 1);
    auto got_pitch = trial.output<int>("pitch", 1);
    auto behind_a_line = trial.output<int>("behind_a_line", 1);  // bytes; -1: no memory came
    trial.play([&](lab::Player& player) {
        float* d_soa = nullptr;
        int& its_pitch = *player.host(got_pitch);
        int failed = player.call<decltype(make_soa)>("make_soa", n, &d_soa, &its_pitch);
        if (failed != 0) return failed;
        *player.host(behind_a_line) =
            d_soa == nullptr ? -1 : static_cast<int>(reinterpret_cast<uintptr_t>(d_soa) % 128);
        if (d_soa == nullptr || its_pitch != pitch) return 0;  // told below
        failed = player.call<decltype(to_soa)>("to_soa", player.device(particles), d_soa, n, pitch);
        if (failed != 0) return failed;
        failed = player.call<decltype(scale_soa)>("scale_soa", d_soa, n, pitch, factor, limit,
                                                  player.host(counts));
        if (failed != 0) return failed;
        return player.call<decltype(free_soa)>("free_soa", d_soa);
    });
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "oob-global" && finding.buffer != "particles")
            return lab::fail(trial,
                             finding.message + " Eight fields of " + std::to_string(pitch) + " floats are " +
                                 std::to_string(fields * pitch * 4) + " bytes.",
                             "cudaMalloc takes bytes: fields * pitch * sizeof(float), in size_t.", LAB_HERE);
    LAB_EXPECT_OK(trial);
    if (!ran_well(trial)) return LAB_EXPECT_CLEAN(trial);
    const int its_pitch = trial.values(got_pitch)[0];
    if (its_pitch != pitch)
        return lab::fail(
            trial,
            "For " + number(static_cast<size_t>(n)) + " particles the pitch is " + std::to_string(its_pitch) +
                ", expected " + number(static_cast<size_t>(pitch)) + ".",
            its_pitch == n ? "A line has room for 32 floats: round n up to a multiple of 32."
                           : "The smallest multiple of 32 that is not below n: (n + 31) / 32 * 32.",
            LAB_HERE);
    const int behind = trial.values(behind_a_line)[0];
    if (behind < 0)
        return lab::fail(trial, "make_soa gave no memory: *d_soa is still null.",
                         "cudaMalloc takes the address of the pointer, and bytes.", LAB_HERE);
    if (behind > 0)
        return lab::fail(
            trial,
            "*d_soa lies " + std::to_string(behind) +
                " bytes behind the beginning of a line, and so does each field: a warp's 128 bytes "
                "need a fifth sector.",
            "What cudaMalloc gives begins with a line. Hand it over as it is.", LAB_HERE);
    for (const lab::Finding& finding : trial.findings())
        if (finding.kind == "leak")
            return lab::fail(trial, "The memory that make_soa got was never given back.",
                             "What cudaMalloc gives lives until cudaFree: free_soa is the place for it.",
                             LAB_HERE);
    LAB_EXPECT_CLEAN(trial);
    if (told_about_the_counter(trial, trial.values(counts)[0], clipped_of(n, factor), 0)) return;
    LAB_EXPECT_EACH(trial, counts, [&](size_t) { return clipped_of(n, factor); });
    if (!trial.launches().empty()) expect_side_by_side(trial, trial.launches().back(), n);
}

// A warp's 32 particles are 1024 bytes, 32 sectors. Two halves of each cost 64 for the loads, eight fields 32 for the
// stores; a float for each thread costs 32 and 64.
void expect_wide_loads(lab::Trial& trial, int n) {
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

void expect_converted(int n, int pitch) {
    CAPTURE(n);
    CAPTURE(pitch);
    lab::Trial trial;
    auto particles = trial.input("particles", particles_of(n));
    auto soa = trial.inout("soa", std::vector<float>(size_t{fields} * static_cast<size_t>(pitch), padding));
    trial.rows(soa, static_cast<size_t>(pitch));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(to_soa)>("to_soa", player.device(particles), player.device(soa), n,
                                             pitch);
    });
    LAB_EXPECT_OK(trial);
    if (ran_well(trial) &&
        (told_about_a_thread_too_many(trial, n) || told_about_soa(trial, trial.values(soa), n, pitch, 1)))
        return;
    LAB_EXPECT_EACH(trial, soa, [&](size_t e) { return expected_in_soa(e, n, pitch, 1); });
    LAB_EXPECT_CLEAN(trial);
    if (pitch % 8 == 0) expect_wide_loads(trial, n);
}

}  // namespace

TEST_CASE("Read at a distance: 64 floats, stride 8, and the same from element 3") {
    expect_strided(4, {64, 8, 0});
    expect_strided(4, {64, 8, 3});
}

TEST_CASE("Read at a distance: elements of 1, 2, 8 and 16 bytes, strides 0, 1 and 5") {
    expect_strided(1, {100, 1, 7});
    expect_strided(2, {33, 0, 5});
    expect_strided(8, {64, 5, 2});
    expect_strided(16, {40, 1, 1});
}

TEST_CASE("An array of structures: three particles") {
    expect_aos(3);
}

TEST_CASE("An array of structures: 300 particles, and each call counts for itself") {
    expect_aos(300);
}

TEST_CASE("An array for each field: 32 particles, a pitch of 32") {
    expect_soa(32, 32);
}

TEST_CASE(
    "An array for each field: other pitches, and what lies behind the last particle stays (n = 100, 1)") {
    expect_soa(100, 131);
    expect_soa(1, 3);
}

TEST_CASE("An array for each field: 777 particles, side by side, and no further than the last") {
    expect_soa(777, 1024);
}

TEST_CASE("The same 256 particles both ways: 32 sectors a request, and 4") {
    expect_both(256, 256);
}

TEST_CASE("Into fields: five particles, then 300 with other pitches") {
    expect_converted(5, 32);
    expect_converted(300, 301);
}

TEST_CASE("Into fields with wide loads: 256 particles, a pitch of 256") {
    expect_converted(256, 256);
}

TEST_CASE("Memory of one's own: 77 particles, taken apart, slowed down, given back") {
    expect_own_memory(77);
}

TEST_CASE("Memory of one's own: 640 particles need no padding") {
    expect_own_memory(640);
}

TEST_CASE("More particles than the device has room for (134217760): the error comes back") {
    const int n = 134217760;  // 32 bytes each are more than 2^32
    lab::Trial trial;
    trial.kernels_optional();
    trial.tolerate("api-misuse");  // what the machine says about the size
    trial.play([&](lab::Player& player) {
        float* d_soa = nullptr;
        int pitch = 0;
        return player.call<decltype(make_soa)>("make_soa", n, &d_soa, &pitch);
    });
    if (ran_well(trial))
        return lab::fail(
            trial,
            "make_soa returned 0 (cudaSuccess) for " + number(n) +
                " particles, which are 4294968320 bytes, and the device has half of that.",
            "Return what cudaMalloc returned, and keep the bytes in size_t: size_t(fields) * ...", LAB_HERE);
    LAB_EXPECT_ERROR(trial, 0);
}

LAB_EXPERIMENT("One warp and the sectors that it asks for, at the distance that you chose")
(const lab::Settings& at) {
    expect_strided(static_cast<size_t>(at["bytes"]), {64, at["stride"], at["offset"]});
}

TEST_SUITE_END();
