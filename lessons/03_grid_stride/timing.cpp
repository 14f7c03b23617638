// What a GPU is timed with: two reads and a write of four bytes for each element.
#include "lessons/03_grid_stride/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("03_grid_stride");

LAB_TIMING("33,554,432 floats, blocks of 256") {
    const size_t n = lab::timing_size(size_t{1} << 25, 3000);
    lab::Trial trial;
    const auto x = trial.input("x", std::vector<float>(n, 1));
    const auto y = trial.inout("y", std::vector<float>(n, 2));
    const lab::Work work{.bytes = 12.0 * static_cast<double>(n), .flops = 2.0 * static_cast<double>(n)};
    trial.play([&](lab::Player& player) {
        const float* d_x = player.device(x);
        float* d_y = player.device(y);
        return player.time("saxpy_on_card", work, [&] {
            return player.call<decltype(saxpy_on_card)>("saxpy_on_card", 0.5f, d_x, d_y, n, 256);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
