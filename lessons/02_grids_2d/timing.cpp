// What a GPU is timed with. A picture of three bytes a pixel in, one out; the blur reads each pixel once at best.
#include "lessons/02_grids_2d/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("02_grids_2d");

LAB_TIMING("a picture of 7680 x 4320, blocks of 32 x 8") {
    const int width = static_cast<int>(lab::timing_size(7680, 70));
    const int height = static_cast<int>(lab::timing_size(4320, 43));
    const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
    lab::Trial trial;
    const auto rgb = trial.input("rgb", std::vector<unsigned char>(3 * pixels, 90));
    const auto grey = trial.output<unsigned char>("grey", pixels);
    const auto out = trial.output<unsigned char>("out", pixels);
    const double bytes = static_cast<double>(pixels);
    trial.play([&](lab::Player& player) {
        const auto* d_rgb = player.device(rgb);
        auto *d_grey = player.device(grey), *d_out = player.device(out);
        const int error = player.time("to_grey", {.bytes = 4 * bytes}, [&] {
            return player.call<decltype(to_grey)>("to_grey", d_rgb, d_grey, width, height, 32, 8);
        });
        if (error != 0) return error;
        return player.time("blur", {.bytes = 2 * bytes}, [&] {
            return player.call<decltype(blur)>("blur", d_grey, d_out, width, height, 32, 8);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
