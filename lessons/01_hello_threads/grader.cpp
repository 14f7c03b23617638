// What exercise 01 must do. The smallest cases come first: their messages are the ones a learner can check by
// hand.
#include "lessons/01_hello_threads/interface.h"

#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("01_hello_threads");

namespace {

// The result does not show a block size or a grid of the learner's own, so look at the launches.
void expect_grid(lab::Trial& trial, int n, int threads_per_block) {
    const unsigned fewest = (n + threads_per_block - 1) / threads_per_block;
    for (const lab::Kernel& kernel : trial.launches()) {
        const unsigned threads = kernel.block.x * kernel.block.y * kernel.block.z;
        const lab::Dim3 grid = kernel.asked_grid.value_or(kernel.grid);  // a grid of the reader's is no fault
        const unsigned blocks = grid.x * grid.y * grid.z;
        if (threads != static_cast<unsigned>(threads_per_block)) {
            lab::fail(trial,
                      "The launch used blocks of " + std::to_string(threads) +
                          " threads, and was asked for blocks of " + std::to_string(threads_per_block) + ".",
                      "The second number between <<< and >>> is threads_per_block.", LAB_HERE);
            return;
        }
        if (blocks > fewest + 1) {  // one more is n / t + 1: wasteful at times, and right
            lab::fail(trial,
                      "The grid has " + std::to_string(blocks) + " blocks of " + std::to_string(threads) +
                          " threads for " + std::to_string(n) + " elements; " + std::to_string(fewest) +
                          " are enough.",
                      "Divide n by threads_per_block, rounding up.", LAB_HERE);
            return;
        }
    }
}

void expect_squares(int n, int threads_per_block) {
    CAPTURE(n);
    CAPTURE(threads_per_block);
    lab::Trial trial;
    auto out = trial.output<int>("out", n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(fill_squares)>("fill_squares", player.device(out), n, threads_per_block);
    });
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_EACH(trial, out, [](size_t i) { return static_cast<int>(i * i); });
    LAB_EXPECT_CLEAN(trial);
    expect_grid(trial, n, threads_per_block);
}

}  // namespace

TEST_CASE("Eight elements, two blocks of four: each thread writes its own square") {
    expect_squares(8, 4);
}

TEST_CASE("Ten elements, blocks of four: the two spare threads write nothing") {
    expect_squares(10, 4);
}

TEST_CASE("A thousand elements, blocks of 256: the last block is only partly needed") {
    expect_squares(1000, 256);
}

TEST_CASE("Fewer elements than a block has threads (n = 1 and n = 31, blocks of 256)") {
    expect_squares(1, 256);
    expect_squares(31, 256);
}

TEST_CASE("A whole number of blocks, and one element more (n = 512, 257 and 4097, blocks of 256)") {
    expect_squares(512, 256);
    expect_squares(257, 256);
    expect_squares(4097, 256);
}

TEST_CASE("Any block size will do (n = 1000, blocks of 1, 100, 128 and 1024)") {
    for (int threads_per_block : {1, 100, 128, 1024}) expect_squares(1000, threads_per_block);
}

TEST_CASE("A grid of 1250 blocks (n = 40000, blocks of 32)") {
    expect_squares(40000, 32);
}

TEST_CASE("A launch that CUDA refuses (2048 threads a block) comes back as an error") {
    lab::Trial trial;
    auto out = trial.output<int>("out", 1000, lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(fill_squares)>("fill_squares", player.device(out), 1000, 2048);
    });
    LAB_EXPECT_ERROR(trial, 0);
    LAB_EXPECT_CLEAN(trial);
}

LAB_EXPERIMENT("Squares at the sizes that you chose")(const lab::Settings& at) {
    expect_squares(at["n"], at["block"]);
}

TEST_SUITE_END();
