// What a GPU is timed with: the same three fields of as many particles, in both layouts. The work is that of the three
// fields alone, read and written: what else a layout moves shows in the rate. And a copy, next to one with a stride.
#include "lessons/04_global_memory/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("04_global_memory");

LAB_TIMING("8,388,608 particles") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 23, 640));
    const size_t numbers = fields * static_cast<size_t>(n);
    lab::Trial trial;
    const auto aos = trial.inout("particles", std::vector<Particle>(static_cast<size_t>(n), Particle{}));
    const auto soa = trial.inout("soa", std::vector<float>(numbers, 0));
    const lab::Work work{.bytes = 24.0 * n};
    trial.play([&](lab::Player& player) {
        Particle* d_particles = player.device(aos);
        float* d_soa = player.device(soa);
        unsigned clipped = 0;
        const int error = player.time("scale_aos", work, [&] {
            return player.call<decltype(scale_aos)>("scale_aos", d_particles, n, 0.5f, 1.0f, &clipped);
        });
        if (error != 0) return error;
        return player.time("scale_soa", work, [&] {
            return player.call<decltype(scale_soa)>("scale_soa", d_soa, n, n, 0.5f, 1.0f, &clipped);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
