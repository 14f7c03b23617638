// What a GPU is timed with. The least is one read and one write of each number; two passes read each twice.
#include "lessons/17_scan/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("17_scan");

LAB_TIMING("33,554,432 numbers by blocks of 256") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 25, 2000));
    lab::Trial trial;
    const auto in = trial.input("in", std::vector<int>(static_cast<size_t>(n), 1));
    const auto out = trial.output<int>("out", static_cast<size_t>(n));
    trial.play([&](lab::Player& player) {
        const int* d_in = player.device(in);
        int* d_out = player.device(out);
        return player.time("scan", {.bytes = 8.0 * n},
                           [&] { return player.call<decltype(scan)>("scan", d_in, n, 256, d_out); });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
