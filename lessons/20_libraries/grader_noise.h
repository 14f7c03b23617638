// What random numbers must be: of the distribution that was asked for, others with each call, and the seed's.
#pragma once

#include <array>

#include "lessons/20_libraries/grader_play.h"

namespace lab::lesson_20_libraries {

// Whether numbers of a distribution have the right mean, deviation and share near the middle; where not, that has been said.
inline bool told_about_distribution(lab::Trial& trial, const char* name, const Floats& values, float sigma) {
    const Moments m = moments_of(values);
    const double most = 5 / std::sqrt(double(values.size()));  // five times what chance does
    const auto tell = [&](const std::string& what, const char* next) {
        lab::fail(trial, what, next, LAB_HERE);
        return true;
    };
    if (std::fabs(m.mean) > most * sigma || std::fabs(m.deviation - sigma) > most * sigma)
        return tell(fmt::format("{} numbers of {} have the mean {:.3g} and the standard deviation {:.3g}; "
                                "expected 0 and {:g}.",
                                values.size(), name, m.mean, m.deviation, sigma),
                    "curandGenerateNormal takes the mean first, and then the standard deviation.");
    const auto near =
        std::count_if(values.begin(), values.end(), [&](float v) { return std::fabs(v) < sigma; });
    const double share = double(near) / double(values.size()), wanted = 0.6827;  // of a normal distribution
    if (std::fabs(share - wanted) > most / 2)
        return tell(
            fmt::format(
                "{:.0f} % of the numbers of {} lie within {:g} of 0; of a normal distribution {:.0f} % do.",
                100 * share, name, sigma, 100 * wanted),
            "curandGenerateNormal, not curandGenerateUniform: a bell, not a box.");
    return false;
}

inline void expect_noise(const char* function) {
    const size_t n = 4000;
    const float sigma = 3;
    lab::Trial trial;
    const auto first = trial.output<float>("first", n), second = trial.output<float>("second", n);
    play(trial, [&](lab::Player& player, Tools* tools) {
        const auto make = [&](const lab::Array<float>& to) {
            return player.call<decltype(noise)>(function, tools, player.device(to), int(n), sigma);
        };
        const int error = make(first);
        return error != 0 ? error : make(second);
    });
    if (!went_well(trial)) return;
    const std::span<const float> a = trial.values(first), b = trial.values(second);
    if (std::equal(a.begin(), a.end(), b.begin())) {
        lab::fail(
            trial, "Two calls gave the same numbers.",
            is_by_hand(function)
                ? "Each call scrambles its own number."
                : "A generator goes on from call to call, if nobody seeds it or makes it anew in between.",
            LAB_HERE);
        return;
    }
    if (told_about_distribution(trial, "the first call", Floats(a.begin(), a.end()), sigma) ||
        told_about_distribution(trial, "the second call", Floats(b.begin(), b.end()), sigma))
        return;
    expect_habits(trial, function);
}

// Tools of three seeds, of which two are the same.
inline void expect_seeds(const char* function) {
    const size_t n = 1000;
    constexpr std::array<unsigned long long, 3> seeds = {seed, seed, seed + 1};
    lab::Trial trial;
    trial.kernels_optional();
    const std::array<lab::Array<float>, 3> out = {
        trial.output<float>("first", n), trial.output<float>("again", n), trial.output<float>("other", n)};
    trial.play([&](lab::Player& player) {
        for (size_t i = 0; i < seeds.size(); ++i) {
            const int error = with_tools(player, seeds[i], [&](Tools* tools) {
                return player.call<decltype(noise)>(function, tools, player.device(out[i]), int(n), 1.0f);
            });
            if (error != 0) return error;
        }
        return 0;
    });
    if (!went_well(trial)) return;
    const auto same = [&](size_t i) {
        const std::span<const float> a = trial.values(out[0]), b = trial.values(out[i]);
        return std::equal(a.begin(), a.end(), b.begin());
    };
    if (!same(1)) {
        lab::fail(
            trial, fmt::format("Seed {} gave other numbers the second time.", seed),
            "A run that cannot be repeated cannot be searched for its fault: the seed of open_tools decides, "
            "and nothing else.",
            LAB_HERE);
        return;
    }
    if (same(2)) {
        lab::fail(trial, fmt::format("Seed {} and seed {} gave the same numbers.", seeds[0], seeds[2]),
                  "A generator that nobody seeds has a seed of its own, always the same: "
                  "curandSetPseudoRandomGeneratorSeed, in open_tools.",
                  LAB_HERE);
        return;
    }
    expect_habits(trial, function, double(seeds.size()));
}

}  // namespace lab::lesson_20_libraries
