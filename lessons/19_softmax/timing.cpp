// What a GPU is timed with: each form on many short rows, and the one for long rows on few long ones.
#include <algorithm>

#include "lessons/19_softmax/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("19_softmax");

LAB_TIMING("65,536 rows of 1024, and 256 rows of 262,144") {
    const int rows = static_cast<int>(lab::timing_size(65536, 6)), columns = 1024;
    const int long_rows = static_cast<int>(lab::timing_size(256, 1)),
              long_columns = static_cast<int>(lab::timing_size(262144, 5000));
    const size_t n = std::max(static_cast<size_t>(rows) * columns,
                              static_cast<size_t>(long_rows) * static_cast<size_t>(long_columns));
    lab::Trial trial;
    trial.seconds(30);
    const auto in = trial.input("in", std::vector<float>(n, 0.5f));
    const auto out = trial.output<float>("out", n);
    trial.play([&](lab::Player& player) {
        const float* d_in = player.device(in);
        float* d_out = player.device(out);
        const lab::Work work{.bytes = 8.0 * rows * columns};
        for (const char* form : {"softmax_naive", "softmax_safe", "softmax_online"}) {
            const int error = player.time(form, work, [&] {
                return player.call<decltype(softmax_safe)>(form, d_in, rows, columns, d_out);
            });
            if (error != 0) return error;
        }
        return player.time("softmax_long", {.bytes = 8.0 * long_rows * long_columns}, [&] {
            return player.call<decltype(softmax_long)>("softmax_long", d_in, long_rows, long_columns, d_out);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
