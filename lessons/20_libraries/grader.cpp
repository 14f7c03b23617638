// What exercise 20 must do, a job after the other: what comes out, by whom, in which stream, and what the host had to do.
#include <fmt/format.h>

#include <algorithm>

#include "lessons/20_libraries/grader_compare.h"
#include "lessons/20_libraries/grader_noise.h"
#include "lessons/20_libraries/grader_spread.h"

TEST_SUITE_BEGIN("20_libraries");

namespace {

using namespace lab::lesson_20_libraries;

// ---- 1: a product ----

void expect_product(const char* function, size_t m, size_t n, size_t k) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const Floats left = whole_numbers(m * k, 1), right = whole_numbers(k * n, 2);
    lab::Trial trial;
    const auto a = trial.input("a", left), b = trial.input("b", right);
    const auto c = trial.output<float>("c", m * n);
    trial.rows(a, k).rows(b, n).rows(c, n);
    play(trial, [&](lab::Player& player, Tools* tools) {
        return player.call<decltype(multiply)>(function, tools, player.device(a), player.device(b),
                                               player.device(c), int(m), int(n), int(k));
    });
    const Floats wanted = product(left, right, m, n, k);
    trial.reference(c, wanted);
    if (!went_well(trial)) return;
    if (told_why(trial, c, "c", wanted, n, guesses_of(left, right, m, n, k))) return;
    LAB_EXPECT_EACH(trial, c, [&](size_t i) { return wanted[i]; });
    expect_habits(trial, function);
}

// ---- 2: a fit ----

void expect_equations(size_t m, size_t n) {
    CAPTURE(m);
    CAPTURE(n);
    const Floats rows = whole_numbers(m * n, 3), measured = whole_numbers(m, 4);
    lab::Trial trial;
    const auto a = trial.input("a", rows), y = trial.input("y", measured);
    const auto gram = trial.output<float>("gram", n * n), right = trial.output<float>("right", n);
    trial.rows(a, n).rows(gram, n);
    play(trial, [&](lab::Player& player, Tools* tools) {
        return player.call<decltype(normal_equations)>("normal_equations", tools, player.device(a),
                                                       player.device(y), int(m), int(n), player.device(gram),
                                                       player.device(right));
    });
    const std::vector<double> g = transposed_times(rows, rows, m, n, n),
                              r = transposed_times(rows, measured, m, n, 1);
    const Floats wanted(g.begin(), g.end()), wanted_right(r.begin(), r.end());
    trial.reference(gram, wanted);
    trial.reference(right, wanted_right);
    if (!went_well(trial)) return;
    if (told_why(trial, gram, "gram", wanted, n, gram_guesses(rows, m, n))) return;
    LAB_EXPECT_EACH(trial, gram, [&](size_t i) { return wanted[i]; });
    const std::vector<Guess> guesses = {{product(rows, measured, n, 1, m, {m, 1}, {1, 1}, {1, 1}),
                                         "cuBLAS took d_a for column-major, with m floats to a column.",
                                         "cuBLAS sees n rows and m columns, with leading dimension n: "
                                         "already the transpose, so CUBLAS_OP_N."}};
    if (told_why(trial, right, "right", wanted_right, 1, guesses)) return;
    LAB_EXPECT_EACH(trial, right, [&](size_t i) { return wanted_right[i]; });
    expect_habits(trial, "normal_equations");
}

void expect_fit(const char* function, const Floats& rows, const Floats& measured, size_t n) {
    const size_t m = measured.size();
    CAPTURE(m);
    CAPTURE(n);
    lab::Trial trial;
    const auto a = trial.input("a", rows), y = trial.input("y", measured);
    const auto gram = trial.output<float>("gram", n * n, lab::Unwritten::is_allowed),
               x = trial.output<float>("x", n);
    const auto info = trial.output<int>("info", 1);
    trial.rows(a, n);
    play(trial, [&](lab::Player& player, Tools* tools) {
        return player.call<decltype(fit)>(function, tools, player.device(a), player.device(y), int(m), int(n),
                                          player.device(gram), player.device(x), player.device(info));
    });
    const std::vector<double> wanted = fit_of(rows, measured, m, n);
    trial.reference(x, Floats(wanted.begin(), wanted.end()));
    if (!went_well(trial)) return;
    const std::string words = words_for_fit(trial.values(x), rows, measured, m, n);
    if (!words.empty()) {
        lab::fail(trial, fmt::format("x[0] is {:g}, expected {:g}. {}", trial.values(x)[0], wanted[0], words),
                  "cusolverDnSpotrs takes the triangle that cusolverDnSpotrf made, and d_x as its B.",
                  LAB_HERE);
        return;
    }
    LAB_EXPECT_NEAR(trial, x, fit_tolerance(), [&](size_t i) { return wanted[i]; });
    LAB_EXPECT_EACH(trial, info, [](size_t) { return 0; });
    expect_habits(trial, function);
}

// A column of zeros: the equations have no single answer, and the caller must hear of it.
void expect_told(const char* function, size_t column) {
    const size_t m = 24, n = 4;
    Floats rows = measured_at(m, n);
    for (size_t r = 0; r < m; ++r) rows[r * n + column] = 0;
    const Floats measured = whole_numbers(m, 5);
    lab::Trial trial;
    const auto a = trial.input("a", rows), y = trial.input("y", measured);
    const auto gram = trial.output<float>("gram", n * n, lab::Unwritten::is_allowed),
               x = trial.output<float>("x", n, lab::Unwritten::is_allowed);
    const auto info = trial.output<int>("info", 1);
    play(trial, [&](lab::Player& player, Tools* tools) {
        return player.call<decltype(fit)>(function, tools, player.device(a), player.device(y), int(m), int(n),
                                          player.device(gram), player.device(x), player.device(info));
    });
    if (!went_well(trial)) return;
    const int got = trial.values(info)[0];
    if (got == 0) {
        lab::fail(
            trial,
            fmt::format(
                "Column {} is all zeros, so no single fit exists; but *d_info is 0, as after a success.",
                column),
            "cusolverDnSpotrf reports in devInfo, and cusolverDnSpotrs writes its own 0 there, too, if it is "
            "given "
            "the same place. Give it tools->d_info.",
            LAB_HERE);
        return;
    }
    LAB_EXPECT_EACH(trial, info, [&](size_t) { return int(column) + 1; });
}

// ---- 4: mean and deviation ----

// Every `stride`th number is one of them; the others would spoil it.
void expect_moments(const char* function, size_t n, size_t stride, float middle) {
    CAPTURE(n);
    CAPTURE(stride);
    Floats numbers(n * stride, 1e6f), taken;
    for (size_t i = 0; i < n; ++i) {
        numbers[i * stride] = middle + whole_numbers(1, unsigned(i))[0] / 4;
        taken.push_back(numbers[i * stride]);
    }
    lab::Trial trial;
    const auto x = trial.input("x", numbers);
    const auto out = trial.output<float>("moments", 2);
    play(trial, [&](lab::Player& player, Tools* tools) {
        return player.call<decltype(moments)>(function, tools, player.device(x), int(n), int(stride),
                                              player.device(out));
    });
    if (!went_well(trial)) return;
    const Moments wanted = moments_of(taken);
    const lab::Tolerance tolerance =
        lab::tolerance(1e-4, 1e-5, "a float's 24 bits in sums of up to 1000 numbers");
    const float got = trial.values(out)[0];
    if (!lab::detail::near(double(got), wanted.mean, tolerance)) {
        lab::fail(trial, fmt::format("The mean of {} numbers is {:g}, expected {:g}.", n, got, wanted.mean),
                  "Every thread comes with a sum of its own. BlockReduce(memory).Sum(sum) gives the sum of "
                  "all of them, to "
                  "thread 0.",
                  LAB_HERE);
        return;
    }
    if (!lab::detail::near(double(trial.values(out)[1]), wanted.deviation, tolerance)) {
        lab::fail(trial,
                  fmt::format("The mean is right. The deviation is {:g}, expected {:g}.",
                              trial.values(out)[1], wanted.deviation),
                  "It is the squares of all threads that count, each around the mean: Sum once more, and "
                  "thread 0 has it.",
                  LAB_HERE);
        return;
    }
    expect_habits(trial, function);
}

}  // namespace

TEST_CASE("Given, by hand: a product, a fit, noise, a mean and a deviation") {
    expect_product("multiply_by_hand", 5, 3, 40);
    expect_fit("fit_by_hand", {1, 0, 1, 1, 1, 2, 1, 3}, {1, 3, 5, 7}, 2);
    expect_told("fit_by_hand", 2);
    expect_noise("noise_by_hand");
    expect_seeds("noise_by_hand");
    expect_moments("moments_by_hand", 300, 2, 5);
}

TEST_CASE("Step 1, open: a handle of each library") {
    lab::Trial trial;
    const auto x = trial.input("x", Floats{2, 1});
    const auto out = trial.output<float>("moments", 2);
    play(trial, [&](lab::Player& player, Tools* tools) {
        return player.call<decltype(moments)>("moments_by_hand", tools, player.device(x), 2, 1,
                                              player.device(out));
    });
    if (!went_well(trial)) return;
    const Complaint complaint = complaint_about_handles(trial);
    if (!complaint.what.empty()) lab::fail(trial, complaint.what, complaint.next, LAB_HERE);
}

TEST_CASE("Step 2, multiply: 2 x 3 times 3 x 4") {
    expect_product("multiply", 2, 4, 3);
}

TEST_CASE("Step 2, multiply: rows, columns, and 40 x 20 times 20 x 33") {
    expect_product("multiply", 1, 1, 50);
    expect_product("multiply", 7, 1, 5);
    expect_product("multiply", 1, 6, 4);
    expect_product("multiply", 40, 33, 20);
    expect_product("multiply", 16, 16, 16);
}

TEST_CASE("Step 3, normal equations: 5 rows of 3, and 100 rows of 7") {
    expect_equations(5, 3);
    expect_equations(100, 7);
    expect_equations(4, 1);
}

TEST_CASE("Step 4, fit: a line through four points") {
    expect_fit("fit", {1, 0, 1, 1, 1, 2, 1, 3}, {1, 3, 5, 7}, 2);
}

TEST_CASE("Step 4, fit: 300 rows of 8") {
    const Floats rows = measured_at(300, 8);
    expect_fit("fit", rows, measured(rows, 300, 8), 8);
}

TEST_CASE("Step 4, fit: a column of zeros is told") {
    expect_told("fit", 2);
}

TEST_CASE("Step 5, noise: two calls, 4000 numbers each") {
    expect_noise("noise");
}

TEST_CASE("Step 5, noise: the same seed twice, and another one") {
    expect_seeds("noise");
}

TEST_CASE("Step 6, moments: a mean and a deviation") {
    expect_moments("moments", 1000, 1, 0);
    expect_moments("moments", 40, 3, 100);
    expect_moments("moments", 1, 1, 7);
}

TEST_CASE("Step 7, spread: 40 rounds of 64 rows and 3 numbers") {
    expect_spread(64, 3, 40, 1);
}

TEST_CASE("Step 7, spread: 5 rounds of 30 rows and 6 numbers") {
    expect_spread(30, 6, 5, 5);
}

TEST_CASE("Side by side: a product of 128 x 128") {
    compare_products(128);
}

TEST_CASE("Side by side: a fit of 16 numbers to 1024 rows") {
    compare_fits(1024, 16);
}

TEST_CASE("Side by side: 65,536 random numbers") {
    compare_noise(65536);
}

TEST_CASE("Side by side: mean and deviation of 4096 numbers") {
    compare_moments(4096);
}

LAB_EXPERIMENT("Side by side: a product of the size that you chose")(const lab::Settings& at) {
    compare_products(size_t(at["side"]));
}

TEST_SUITE_END();
