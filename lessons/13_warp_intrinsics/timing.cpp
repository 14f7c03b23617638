// What a GPU is timed with. Half of the numbers are kept.
#include "lessons/13_warp_intrinsics/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("13_warp_intrinsics");

LAB_TIMING("33,554,432 numbers") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 25, 1000));
    const size_t count = static_cast<size_t>(n);
    std::vector<int> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = (i * 2654435761u >> 16) % 2 == 0 ? 1 : -1;
    lab::Trial trial;
    const auto in = trial.input("in", values);
    const auto raw = trial.input("raw", std::vector<float>(count, 0.5f));
    const auto curve = trial.input("curve", std::vector<float>(curve_terms, 1));
    const auto knots = trial.input("knots", std::vector<float>(knot_count, 1));
    const auto sums = trial.output<int>("sums", (count + 31) / 32);
    const auto kept = trial.output<int>("out", count, lab::Unwritten::is_allowed);
    const auto how_many = trial.output<int>("count", 1);
    const auto right = trial.output<float>("calibrated", count);
    trial.play([&](lab::Player& player) {
        const int* d_in = player.device(in);
        const float *d_raw = player.device(raw), *d_curve = player.device(curve),
                    *d_knots = player.device(knots);
        int *d_sums = player.device(sums), *d_out = player.device(kept), *d_count = player.device(how_many);
        float* d_right = player.device(right);
        int error = player.time("sum_warps", {.bytes = 4.0 * n + 4.0 * n / 32}, [&] {
            return player.call<decltype(sum_warps)>("sum_warps", d_in, n, d_sums);
        });
        if (error != 0) return error;
        error = player.time("keep_positive", {.bytes = 6.0 * n}, [&] {
            return player.call<decltype(keep_positive)>("keep_positive", d_in, n, d_out, d_count);
        });
        if (error != 0) return error;
        return player.time("calibrate", {.bytes = 8.0 * n}, [&] {
            return player.call<decltype(calibrate)>("calibrate", d_raw, n, d_curve, d_knots, d_right);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
