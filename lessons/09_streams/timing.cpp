// What a GPU is timed with: the same numbers there and back, as one chunk and as many. The time of the streams is that
// of the host's clock as well: seal_chunks returns when all is done.
#include "lessons/09_streams/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("09_streams");

LAB_TIMING("16,777,216 numbers, pinned; as one chunk, and as chunks of 1,048,576 in 4 streams") {
    const int n = static_cast<int>(lab::timing_size(size_t{1} << 24, 4000));
    const int chunk = static_cast<int>(lab::timing_size(size_t{1} << 20, 1000));
    lab::Trial trial;
    const auto in = trial.input("h_in", std::vector<unsigned>(static_cast<size_t>(n), 1));
    const auto out = trial.output<unsigned>("h_out", static_cast<size_t>(n));
    const auto work = trial.output<unsigned>("x", static_cast<size_t>(n), lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        const unsigned* h_in = player.pinned(in);
        unsigned *h_out = player.pinned(out), *d_x = player.device(work);
        const int error = player.time("seal_whole", {}, [&] {
            return player.call<decltype(seal_whole)>("seal_whole", h_in, h_out, d_x, n);
        });
        if (error != 0) return error;
        return player.time("seal_chunks", {}, [&] {
            return player.call<decltype(seal_chunks)>("seal_chunks", h_in, h_out, n, chunk, 4);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
