// What the loop over all libraries must do.
#pragma once

#include "lessons/20_libraries/grader_play.h"

namespace lab::lesson_20_libraries {

// ---- all of them ----

struct SpreadArrays {
    lab::Array<float> a, y, gram, noisy, fits, moments;
    lab::Array<int> info;
};

// The first fit that is not that of what the round was given.
inline bool told_about_a_fit(lab::Trial& trial, const SpreadArrays& at, const Floats& rows, size_t m,
                             size_t n) {
    const std::span<const float> noisy = trial.values(at.noisy), fits = trial.values(at.fits);
    const lab::Tolerance tolerance = fit_tolerance();
    for (size_t round = 0; round * n < fits.size(); ++round) {
        const Floats y(noisy.begin() + long(round * m), noisy.begin() + long((round + 1) * m));
        const std::vector<double> wanted = fit_of(rows, y, m, n);
        for (size_t i = 0; i < n; ++i) {
            if (lab::detail::near(double(fits[round * n + i]), wanted[i], tolerance)) continue;
            const std::string words = words_for_fit(fits.subspan(round * n, n), rows, y, m, n);
            lab::fail(
                trial,
                fmt::format(
                    "fits[{}], number {} of round {}, is {:g}; the fit of row {} of noisy has {:g} there. {}",
                    round * n + i, i, round, fits[round * n + i], round, wanted[i], words),
                words.empty()
                    ? "A round's right side is the transpose of d_a times its row of d_noisy, into its row "
                      "of d_fits; there substitute makes it the solution."
                    : "substitute() makes it the solution, in its place.",
                LAB_HERE);
            return true;
        }
    }
    return false;
}

// Whether each round had noise of its own, around what was measured.
inline bool told_about_noise(lab::Trial& trial, const SpreadArrays& at, const Floats& measured, float sigma) {
    const std::span<const float> noisy = trial.values(at.noisy);
    const size_t m = measured.size();
    Floats noise(noisy.begin(), noisy.end());
    const Moments bare = moments_of(noise);
    for (size_t i = 0; i < noise.size(); ++i) noise[i] -= measured[i % m];
    const Moments around = moments_of(noise);
    const auto tell = [&](const std::string& what, const char* next) {
        lab::fail(trial, what, next, LAB_HERE);
        return true;
    };
    if (around.deviation < 0.2 * sigma)
        return tell("The rounds were fitted to d_y as it is: there is no noise in it.",
                    "noise() first, then d_y added to it.");
    if (std::fabs(bare.deviation - sigma) < 0.2 * sigma && moments_of(measured).deviation > 2 * sigma)
        return tell("The rounds were fitted to noise alone: d_y is not in it.",
                    "cublasSaxpy adds: y += alpha * x. The noise is its y here, and d_y its x.");
    for (size_t round = 1; round * m < noisy.size(); ++round)
        if (std::equal(noisy.begin(), noisy.begin() + long(m), noisy.begin() + long(round * m)))
            return tell(
                fmt::format("Round {} has the same noise as round 0.", round),
                "The generator goes on from call to call, if nobody seeds it or makes it anew in between.");
    if (std::fabs(around.deviation - sigma) > 0.2 * sigma)
        return tell(fmt::format("The noise has a standard deviation of {:.3g}, expected {:g}.",
                                around.deviation, sigma),
                    "Hand sigma on to noise().");
    return false;
}

inline void expect_spread(size_t m, size_t n, size_t rounds, size_t which) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(rounds);
    const float sigma = 0.5f;
    const Floats rows = measured_at(int(m), int(n)), y = measured(rows, int(m), int(n));
    lab::Trial trial;
    const SpreadArrays at{trial.input("a", rows),
                          trial.input("y", y),
                          trial.output<float>("gram", n * n, lab::Unwritten::is_allowed),
                          trial.output<float>("noisy", rounds * m),
                          trial.output<float>("fits", rounds * n),
                          trial.output<float>("moments", 2),
                          trial.output<int>("info", 1)};
    trial.rows(at.a, n).rows(at.noisy, m).rows(at.fits, n);
    play(trial, [&](lab::Player& player, Tools* tools) {
        const Spread job{player.device(at.a),
                         player.device(at.y),
                         int(m),
                         int(n),
                         int(rounds),
                         int(which),
                         sigma,
                         player.device(at.gram),
                         player.device(at.noisy),
                         player.device(at.fits),
                         player.device(at.moments),
                         player.device(at.info)};
        return player.call<decltype(spread)>("spread", tools, &job);
    });
    if (!went_well(trial)) return;
    LAB_EXPECT_EACH(trial, at.info, [](size_t) { return 0; });
    if (told_about_noise(trial, at, y, sigma) || told_about_a_fit(trial, at, rows, m, n)) return;
    const std::span<const float> fits = trial.values(at.fits);
    Floats column;
    for (size_t round = 0; round < rounds; ++round) column.push_back(fits[round * n + which]);
    const Moments wanted = moments_of(column);
    LAB_EXPECT_NEAR(trial, at.moments, lab::tolerance(1e-4, 1e-4, "a float's 24 bits in sums of the rounds"),
                    [&](size_t i) { return i == 0 ? wanted.mean : wanted.deviation; });
    expect_habits(trial, "spread");
    const Complaint complaint = complaint_about_rounds(trial, rounds);
    if (!complaint.what.empty()) lab::fail(trial, complaint.what, complaint.next, LAB_HERE);
}

}  // namespace lab::lesson_20_libraries
