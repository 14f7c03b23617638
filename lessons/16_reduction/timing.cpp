// What a GPU is timed with: every step of the ladder on the same numbers, each of which is read once.
#include "lessons/16_reduction/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("16_reduction");

LAB_TIMING("67,108,864 numbers, each step of the ladder") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 26, 3000));
    const int blocks = static_cast<int>(lab::timing_size(1056, 3));
    lab::Trial trial;
    const auto whole = trial.input("in", std::vector<int>(static_cast<size_t>(n), 1));
    const auto fractions = trial.input("values", std::vector<float>(static_cast<size_t>(n), 0.5f));
    const auto sum = trial.output<int>("sum", 1);
    const auto float_sum = trial.output<float>("float_sum", 1);
    const lab::Work work{.bytes = 4.0 * n};
    trial.play([&](lab::Player& player) {
        const int* d_in = player.device(whole);
        const float* d_values = player.device(fractions);
        int* d_sum = player.device(sum);
        float* d_float_sum = player.device(float_sum);
        for (const char* step :
             {"sum_interleaved", "sum_packed", "sum_sequential", "sum_first_add", "sum_shuffled"}) {
            const int error = player.time(
                step, work, [&] { return player.call<decltype(sum_packed)>(step, d_in, n, d_sum); });
            if (error != 0) return error;
        }
        return player.time("sum_grid_stride", work, [&] {
            return player.call<decltype(sum_grid_stride)>("sum_grid_stride", d_values, size_t{0},
                                                          static_cast<size_t>(n), d_float_sum, blocks);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
