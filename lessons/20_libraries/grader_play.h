// How exercise 20 is played, and what is said of what came out.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "lessons/20_libraries/grader_habits.h"
#include "lessons/20_libraries/grader_words.h"
#include "lessons/20_libraries/interface.h"
#include "workbench/grading/lab.h"

namespace lab::lesson_20_libraries {

constexpr unsigned long long seed = 20;

inline bool has_errors(const lab::Trial& trial) {
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse})
        for (const lab::Finding& finding : trial.findings(order))
            if (finding.severity == lab::Severity::error) return true;
    return false;
}

// Opens the tools, plays, and closes them, which waits.
template <class Body>
inline int with_tools(lab::Player& player, unsigned long long of, Body body) {
    Tools* tools = nullptr;
    if (const int error = player.call<decltype(open_tools)>("open_tools", of, &tools)) return error;
    const int error = body(tools);
    const int closed = player.call<decltype(close_tools)>("close_tools", tools);
    return error != 0 ? error : closed;
}

template <class Body>
inline void play(lab::Trial& trial, Body body) {
    trial.kernels_optional();  // a library's are not the learner's
    trial.play([&](lab::Player& player) {
        return with_tools(player, seed, [&](Tools* tools) { return body(player, tools); });
    });
}

// False: the machine knows what is wrong, or it did not return 0, and that has been said.
inline bool went_well(lab::Trial& trial) {
    if (trial.ended_well() && has_errors(trial)) {
        LAB_EXPECT_CLEAN(trial);
        return false;
    }
    LAB_EXPECT_OK(trial);
    return trial.ended_well() && trial.returned() == 0;
}

// The habits that no result shows.
inline void expect_habits(lab::Trial& trial, const char* function, double opened = 1) {
    const Complaint complaint = complaint_about(trial, function, opened);
    if (!complaint.what.empty()) lab::fail(trial, complaint.what, complaint.next, LAB_HERE);
}

inline std::string place(size_t i, size_t columns, const char* name) {
    if (columns == 1) return fmt::format("{}[{}]", name, i);
    return fmt::format("{}[{}], row {}, column {},", name, i, i / columns, i % columns);
}

inline bool told_why(lab::Trial& trial, const lab::Array<float>& array, const char* name, const Floats& right,
                     size_t columns, const std::vector<Guess>& guesses) {
    const std::span<const float> got = trial.values(array);
    if (std::equal(got.begin(), got.end(), right.begin())) return false;
    const size_t first = size_t(std::mismatch(got.begin(), got.end(), right.begin()).first - got.begin());
    for (const Guess& guess : guesses) {
        if (guess.values == right || !std::equal(got.begin(), got.end(), guess.values.begin())) continue;
        lab::fail(trial,
                  fmt::format("{} is {:g}, expected {:g}. {}", place(first, columns, name), got[first],
                              right[first], guess.what),
                  guess.next, LAB_HERE);
        return true;
    }
    return false;
}

inline lab::Tolerance fit_tolerance() {
    return lab::tolerance(2e-3, 2e-3,
                          "a float's 24 bits in sums of m products, and a condition of up to a few hundred");
}

// What a fit that went wrong tells.
inline std::string words_for_fit(std::span<const float> got, const Floats& rows, const Floats& measured,
                                 size_t m, size_t n) {
    const std::vector<double> right = transposed_times(rows, measured, m, n, 1);
    const auto same = [&](size_t i) {
        return std::fabs(got[i] - right[i]) <= 1e-3 * (1 + std::fabs(right[i]));
    };
    for (size_t i = 0; i < n; ++i)
        if (!same(i)) return "";
    return "That is still the right side of the equations: nobody has solved them.";
}

}  // namespace lab::lesson_20_libraries
