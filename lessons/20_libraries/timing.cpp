// What a GPU is timed with: each job by hand and by its library, and the loop over all of them.
#include <algorithm>

#include "lessons/20_libraries/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("20_libraries");

LAB_TIMING(
    "2048 x 2048, 262,144 rows of 32, 67,108,864 random numbers, moments of 65,536, 100 rounds of 4096 "
    "rows") {
    const int side = static_cast<int>(lab::timing_size(2048, 40)),
              m = static_cast<int>(lab::timing_size(262144, 50)), n = 32,
              randoms = static_cast<int>(lab::timing_size(67108864, 500)),
              few = static_cast<int>(lab::timing_size(65536, 100)),
              rounds = static_cast<int>(lab::timing_size(100, 3)),
              few_rows = static_cast<int>(lab::timing_size(4096, 50));
    const auto size = [](int a, int b) { return static_cast<size_t>(a) * static_cast<size_t>(b); };
    // Rows that no column explains, and numbers in no order.
    std::vector<float> values(std::max({size(side, side), size(m, n), size_t(few)}));
    unsigned x = 20;
    for (float& v : values) {
        x = x * 1664525u + 1013904223u;
        v = static_cast<float>(x >> 8) / 16777216.0f - 0.5f;
    }
    lab::Trial trial;
    trial.seconds(60).kernels_optional();
    const auto in = trial.input("in", values);
    const auto out =
        trial.output<float>("out", std::max({size(side, side), size_t(randoms), size(rounds, few_rows)}));
    const auto small =
        trial.output<float>("small", size_t(n) * n + size(rounds, n) + n, lab::Unwritten::is_allowed);
    const auto info = trial.output<int>("info", 1);
    trial.play([&](lab::Player& player) {
        const float* d_in = player.device(in);
        float *d_out = player.device(out), *d_gram = player.device(small), *d_fits = d_gram + n * n,
              *d_x = d_fits + size(rounds, n);
        int* d_info = player.device(info);
        Tools* tools = nullptr;
        if (const int error = player.call<decltype(open_tools)>("open_tools", 20ull, &tools)) return error;
        const auto timed = [&](const char* name, lab::Work work, auto call) {
            return player.time(name, work, [&] { return call(name); });
        };
        int error = 0;
        for (const char* name : {"multiply_by_hand", "multiply"})
            if (error == 0)
                error = timed(name, {.flops = 2.0 * side * side * side}, [&](const char* form) {
                    return player.call<decltype(multiply)>(form, tools, d_in, d_in, d_out, side, side, side);
                });
        for (const char* name : {"fit_by_hand", "fit"})
            if (error == 0)
                error = timed(name, {.bytes = 4.0 * m * (n + 1)}, [&](const char* form) {
                    return player.call<decltype(fit)>(form, tools, d_in, d_in, m, n, d_gram, d_x, d_info);
                });
        for (const char* name : {"noise_by_hand", "noise"})
            if (error == 0)
                error = timed(name, {.bytes = 4.0 * randoms}, [&](const char* form) {
                    return player.call<decltype(noise)>(form, tools, d_out, randoms, 1.0f);
                });
        for (const char* name : {"moments_by_hand", "moments"})
            if (error == 0)
                error = timed(name, {.bytes = 4.0 * few}, [&](const char* form) {
                    return player.call<decltype(moments)>(form, tools, d_in, few, 1, d_x);
                });
        const Spread job{d_in, d_in, few_rows, n, rounds, 0, 0.1f, d_gram, d_out, d_fits, d_x, d_info};
        if (error == 0)
            error = timed("spread", {},
                          [&](const char* name) { return player.call<decltype(spread)>(name, tools, &job); });
        const int closed = player.call<decltype(close_tools)>("close_tools", tools);
        return error != 0 ? error : closed;
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
