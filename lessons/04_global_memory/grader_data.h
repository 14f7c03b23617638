// What the grader of lesson 04 gives to the exercise, and what it expects back. The particles' fields all have values
// of their own, so that each wrong place shows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "lessons/04_global_memory/interface.h"
#include "workbench/grading/lab.h"

// In the namespace of Particle, so that lab.h finds them.
inline bool operator==(const Particle& a, const Particle& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}
std::string describe(const Particle& particle);

namespace lab::lesson_04_global_memory {

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
inline std::string describe(const Numbered<size>& element) {
    size_t number = 0;
    for (size_t b = 0; b < std::min<size_t>(size, 3); ++b) number |= size_t{element.bytes[b]} << (8 * b);
    return element == numbered<size>(number) ? "element " + std::to_string(number) + " of in"
                                             : "no element of in";
}

constexpr const char* field_names[] = {"x", "y", "z", "mass", "vx", "vy", "vz", "charge"};
using Fields = std::array<float, fields>;
static_assert(sizeof(Fields) == sizeof(Particle));

constexpr float factor = 0.5f, limit = 8;
constexpr float padding = -777;  // would be clipped, and counted

inline std::string number(size_t value) {
    return std::to_string(value);
}

// The velocity runs through -15.5 ... 15.5, so that half of it stays within the limit after scaling. No two fields of
// near particles are alike.
inline float field_of(size_t particle, size_t field) {
    if (field >= field_vx && field <= field_vz)
        return static_cast<float>((particle * 7 + field * 13) % 63) - 31.0f;
    return static_cast<float>(particle * fields + field) + 100.0f;
}

inline bool is_velocity(size_t field) {
    return field >= field_vx && field <= field_vz;
}

inline float scaled(float value, float by) {
    return std::clamp(by * value, -limit, limit);
}

inline float expected_field(size_t particle, size_t field, float by) {
    const float value = field_of(particle, field);
    return is_velocity(field) ? scaled(value, by) : value;
}

inline std::vector<Particle> particles_of(int n) {
    std::vector<Particle> particles(static_cast<size_t>(n));
    for (size_t i = 0; i < particles.size(); ++i) {
        Fields values;
        for (size_t f = 0; f < fields; ++f) values[f] = field_of(i, f);
        std::memcpy(&particles[i], &values, sizeof values);
    }
    return particles;
}

inline std::vector<float> soa_of(int n, int pitch) {
    std::vector<float> soa(size_t{fields} * static_cast<size_t>(pitch), padding);
    for (size_t f = 0; f < fields; ++f)
        for (size_t i = 0; i < static_cast<size_t>(n); ++i)
            soa[f * static_cast<size_t>(pitch) + i] = field_of(i, f);
    return soa;
}

inline unsigned clipped_of(int n, float by) {
    unsigned count = 0;
    for (size_t i = 0; i < static_cast<size_t>(n); ++i)
        for (size_t f = field_vx; f <= field_vz; ++f) count += std::fabs(by * field_of(i, f)) > limit;
    return count;
}

inline size_t metric_of(const lab::Kernel& kernel, const char* name) {
    const auto found = kernel.metrics.find(name);
    return found == kernel.metrics.end() ? size_t{0} : static_cast<size_t>(found->second);
}

inline bool ran_well(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

// That of make_soa: whole lines of 32 floats.
inline int pitch_of(int n) {
    return (n + 31) / 32 * 32;
}

}  // namespace lab::lesson_04_global_memory

inline std::string describe(const Particle& particle) {
    lab::lesson_04_global_memory::Fields values;
    std::memcpy(&values, &particle, sizeof particle);
    std::string text = "{";
    for (size_t f = 0; f < fields; ++f) text += (f == 0 ? "" : ", ") + lab::describe(double{values[f]});
    return text + "}";
}
