// What a GPU is timed with: the smoothing, its weights sent to constant memory by each call.
#include "lessons/06_constant_texture/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("06_constant_texture");

LAB_TIMING("16,777,216 numbers, 17 weights") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 24, 3000)), radius = 8;
    lab::Trial trial;
    const auto in = trial.input("in", std::vector<float>(static_cast<size_t>(n), 0.5f));
    const auto weights = trial.input("weights", std::vector<float>(2 * radius + 1, 1.f / (2 * radius + 1)));
    const auto out = trial.output<float>("out", static_cast<size_t>(n));
    const lab::Work work{.bytes = 8.0 * n, .flops = 2.0 * (2 * radius + 1) * n};
    trial.play([&](lab::Player& player) {
        const float* d_in = player.device(in);
        const float* h_weights = player.host(weights);
        float* d_out = player.device(out);
        return player.time("smooth", work, [&] {
            return player.call<decltype(smooth)>("smooth", d_in, d_out, n, h_weights, radius);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
