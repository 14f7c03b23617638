// Both forms of each job in one run.
#pragma once

#include "lessons/20_libraries/grader_play.h"

namespace lab::lesson_20_libraries {

// Both forms of a job in one run, for the eyes: the cases above check each.
template <class Body>
inline void side_by_side(lab::Trial& trial, Body body) {
    play(trial, body);
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_CLEAN(trial);
}

inline void compare_products(size_t side) {
    CAPTURE(side);
    const Floats left = whole_numbers(side * side, 1), right = whole_numbers(side * side, 2);
    lab::Trial trial;
    trial.orders({lab::Order::forward});
    const auto a = trial.input("a", left), b = trial.input("b", right);
    const auto mine = trial.output<float>("mine", side * side),
               theirs = trial.output<float>("theirs", side * side);
    side_by_side(trial, [&](lab::Player& player, Tools* tools) {
        const auto call = [&](const char* function, const lab::Array<float>& c) {
            return player.call<decltype(multiply)>(function, tools, player.device(a), player.device(b),
                                                   player.device(c), int(side), int(side), int(side));
        };
        const int error = call("multiply_by_hand", mine);
        return error != 0 ? error : call("multiply", theirs);
    });
    const Floats wanted = product(left, right, side, side, side);
    for (const auto& one : {mine, theirs}) LAB_EXPECT_EACH(trial, one, [&](size_t i) { return wanted[i]; });
}

inline void compare_fits(size_t m, size_t n) {
    const Floats rows = measured_at(int(m), int(n)), y = measured(rows, int(m), int(n));
    lab::Trial trial;
    trial.orders({lab::Order::forward});
    const auto a = trial.input("a", rows), d_y = trial.input("y", y);
    const auto gram = trial.output<float>("gram", n * n, lab::Unwritten::is_allowed);
    const auto mine = trial.output<float>("mine", n), theirs = trial.output<float>("theirs", n);
    const auto info = trial.output<int>("info", 1);
    side_by_side(trial, [&](lab::Player& player, Tools* tools) {
        const auto call = [&](const char* function, const lab::Array<float>& x) {
            return player.call<decltype(fit)>(function, tools, player.device(a), player.device(d_y), int(m),
                                              int(n), player.device(gram), player.device(x),
                                              player.device(info));
        };
        const int error = call("fit_by_hand", mine);
        return error != 0 ? error : call("fit", theirs);
    });
    const std::vector<double> wanted = fit_of(rows, y, m, n);
    for (const auto& one : {mine, theirs})
        LAB_EXPECT_NEAR(trial, one, fit_tolerance(), [&](size_t i) { return wanted[i]; });
}

inline void compare_noise(size_t n) {
    lab::Trial trial;
    trial.orders({lab::Order::forward});
    const auto mine = trial.output<float>("mine", n), theirs = trial.output<float>("theirs", n);
    side_by_side(trial, [&](lab::Player& player, Tools* tools) {
        const auto call = [&](const char* function, const lab::Array<float>& to) {
            return player.call<decltype(noise)>(function, tools, player.device(to), int(n), 1.0f);
        };
        const int error = call("noise_by_hand", mine);
        return error != 0 ? error : call("noise", theirs);
    });
}

inline void compare_moments(size_t n) {
    const Floats numbers = whole_numbers(n, 7);
    lab::Trial trial;
    trial.orders({lab::Order::forward});
    const auto x = trial.input("x", numbers);
    const auto mine = trial.output<float>("mine", 2), theirs = trial.output<float>("theirs", 2);
    side_by_side(trial, [&](lab::Player& player, Tools* tools) {
        const auto call = [&](const char* function, const lab::Array<float>& to) {
            return player.call<decltype(moments)>(function, tools, player.device(x), int(n), 1,
                                                  player.device(to));
        };
        const int error = call("moments_by_hand", mine);
        return error != 0 ? error : call("moments", theirs);
    });
    const Moments wanted = moments_of(numbers);
    const lab::Tolerance tolerance = lab::tolerance(1e-4, 1e-5, "a float's 24 bits in sums of 4096 numbers");
    for (const auto& one : {mine, theirs})
        LAB_EXPECT_NEAR(trial, one, tolerance,
                        [&](size_t i) { return i == 0 ? wanted.mean : wanted.deviation; });
}

}  // namespace lab::lesson_20_libraries
