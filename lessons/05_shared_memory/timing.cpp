// What a GPU is timed with: each element is read once and written once.
#include "lessons/05_shared_memory/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("05_shared_memory");

LAB_TIMING("a matrix of 8192 x 4096") {
    const int rows = static_cast<int>(lab::timing_size(8192, 65)),
              cols = static_cast<int>(lab::timing_size(4096, 33));
    const size_t n = static_cast<size_t>(rows) * static_cast<size_t>(cols);
    lab::Trial trial;
    const auto in = trial.input("in", std::vector<float>(n, 1));
    const auto out = trial.output<float>("out", n);
    const lab::Work work{.bytes = 8.0 * static_cast<double>(n)};
    trial.play([&](lab::Player& player) {
        const float* d_in = player.device(in);
        float* d_out = player.device(out);
        const int error = player.time("transpose_static", work, [&] {
            return player.call<decltype(transpose_static)>("transpose_static", d_in, d_out, rows, cols);
        });
        if (error != 0) return error;
        return player.time("transpose_dynamic, side 32, padding 1", work, [&] {
            return player.call<decltype(transpose_dynamic)>("transpose_dynamic", d_in, d_out, rows, cols, 32,
                                                            1);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
