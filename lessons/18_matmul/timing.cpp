// What a GPU is timed with: the four kernels on the same matrices, beside a product by cuBLAS of the same size.
#include "lessons/18_matmul/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("18_matmul");

LAB_TIMING("4096 x 4096 times 4096 x 4096") {
    const int side = static_cast<int>(lab::timing_size(4096, 64));
    const size_t n = static_cast<size_t>(side) * static_cast<size_t>(side);
    lab::Trial trial;
    trial.seconds(30);
    const auto a = trial.input("a", std::vector<float>(n, 0.5f));
    const auto b = trial.input("b", std::vector<float>(n, 0.25f));
    const auto c = trial.output<float>("c", n);
    const lab::Work work{.flops = 2.0 * side * side * side};
    trial.play([&](lab::Player& player) {
        const float *d_a = player.device(a), *d_b = player.device(b);
        float* d_c = player.device(c);
        for (const char* one :
             {"multiply_naive", "multiply_coalesced", "multiply_tiled", "multiply_blocked"}) {
            const int error = player.time(
                one, work, [&] { return player.call<Multiply>(one, d_a, d_b, d_c, side, side, side); });
            if (error != 0) return error;
        }
        return 0;
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
