// What a GPU is timed with. A moving sum reads each sample and writes each sum once; the counts are small beside the
// samples.
#include "lessons/07_registers_local/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("07_registers_local");

LAB_TIMING("65,536 channels of 512 steps") {
    const int channels = static_cast<int>(lab::timing_size(65536, 96)),
              steps = static_cast<int>(lab::timing_size(512, 20));
    const size_t n = static_cast<size_t>(channels) * static_cast<size_t>(steps);
    std::vector<int> samples(n), class_of(levels);
    for (size_t i = 0; i < n; ++i) samples[i] = static_cast<int>((i * 2654435761u >> 16) % levels);
    for (size_t i = 0; i < levels; ++i) class_of[i] = static_cast<int>(i) % classes;
    lab::Trial trial;
    const auto in = trial.input("in", samples);
    const auto table = trial.input("class_of", class_of);
    const auto out = trial.output<int>("out", n);
    const auto counts =
        trial.output<int>("counts", static_cast<size_t>(classes) * static_cast<size_t>(channels));
    const double bytes = 4.0 * static_cast<double>(n);
    trial.play([&](lab::Player& player) {
        const int *d_in = player.device(in), *d_class_of = player.device(table);
        int *d_out = player.device(out), *d_counts = player.device(counts);
        const int error = player.time("moving_sums", {.bytes = 2 * bytes}, [&] {
            return player.call<decltype(moving_sums)>("moving_sums", d_in, channels, steps, d_out);
        });
        if (error != 0) return error;
        return player.time("count_classes", {.bytes = bytes}, [&] {
            return player.call<decltype(count_classes)>("count_classes", d_in, channels, steps, d_class_of,
                                                        d_counts);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
