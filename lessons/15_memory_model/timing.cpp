// What a GPU is timed with: the sum in one pass, and the numbers kept in order. The letter is passed once, for its flag
// stays up: it is not timed.
#include "lessons/15_memory_model/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("15_memory_model");

LAB_TIMING("67,108,864 numbers to sum, 16,777,216 to keep half of") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 26, 3000));
    const int kept_of = static_cast<int>(lab::timing_size(size_t{1} << 24, 1000));
    const int blocks = static_cast<int>(lab::timing_size(1056, 3));
    std::vector<int> mixed(static_cast<size_t>(kept_of), 1);
    for (size_t i = 0; i < mixed.size(); i += 2) mixed[i] = -1;
    const size_t parts = (mixed.size() + 31) / 32;
    lab::Trial trial;
    trial.seconds(30);
    const auto in = trial.input("in", std::vector<float>(static_cast<size_t>(n), 0.5f));
    const auto partials = trial.output<float>("partials", static_cast<size_t>(blocks));
    const auto done = trial.inout("done", std::vector<unsigned>(1, 0));
    const auto sum = trial.output<float>("sum", 1);
    const auto numbers = trial.input("numbers", mixed);
    const auto out = trial.inout("out", std::vector<int>(mixed.size(), -1));
    const auto count = trial.output<int>("count", 1);
    const auto next = trial.inout("next", std::vector<unsigned>(1, 0));
    const auto ends = trial.inout("ends", std::vector<int>(parts, 0));
    const auto flags = trial.inout("flags", std::vector<int>(parts, 0));
    trial.play([&](lab::Player& player) {
        const float* d_in = player.device(in);
        float *d_partials = player.device(partials), *d_sum = player.device(sum);
        unsigned *d_done = player.device(done), *d_next = player.device(next);
        const int* d_numbers = player.device(numbers);
        int *d_out = player.device(out), *d_count = player.device(count);
        int *d_ends = player.device(ends), *d_flags = player.device(flags);
        const int error = player.time("sum_once", {.bytes = 4.0 * n}, [&] {
            return player.call<decltype(sum_once)>("sum_once", d_in, n, d_partials, d_done, d_sum, blocks);
        });
        if (error != 0) return error;
        return player.time("keep_in_order", {.bytes = 6.0 * kept_of}, [&] {
            return player.call<decltype(keep_in_order)>("keep_in_order", d_numbers, kept_of, d_out, d_count,
                                                        d_next, d_ends, d_flags);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
