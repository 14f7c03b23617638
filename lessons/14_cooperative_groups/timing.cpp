// What a GPU is timed with: the sums of tiles and the list of peaks. The pile settles once and then lies still, so that
// a second call would have nothing to do: it is not timed.
#include "lessons/14_cooperative_groups/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("14_cooperative_groups");

LAB_TIMING("16,777,216 numbers, in tiles of 32; one cell in eight topples") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 24, 4000)), tile_size = 32;
    const size_t tiles = static_cast<size_t>((n + tile_size - 1) / tile_size);
    std::vector<int> pile(static_cast<size_t>(n), most_grains);
    for (size_t i = 0; i < pile.size(); i += 8) pile[i] = most_grains + 1;
    lab::Trial trial;
    const auto in = trial.input("in", pile);
    const auto sums = trial.output<int>("sums", tiles);
    const auto peaks = trial.inout("peaks", std::vector<int>(pile.size(), -1));
    const auto count = trial.output<int>("count", 1);
    trial.play([&](lab::Player& player) {
        const int* d_in = player.device(in);
        int *d_sums = player.device(sums), *d_peaks = player.device(peaks), *d_count = player.device(count);
        const int error = player.time(
            "sum_tiles", {.bytes = 4.0 * n + 4.0 * static_cast<double>(tiles)},
            [&] { return player.call<decltype(sum_tiles)>("sum_tiles", d_in, n, tile_size, d_sums); });
        if (error != 0) return error;
        return player.time("list_peaks", {.bytes = 4.0 * n + 4.0 * (n / 8)}, [&] {
            return player.call<decltype(list_peaks)>("list_peaks", d_in, n, d_peaks, d_count);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
