// What a GPU is timed with: the whole network, whose work is that of its two products.
#include "lessons/21_mlp_forward/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("21_mlp_forward");

LAB_TIMING("8192 pictures of 784, 256 hidden, 10 classes") {
    const int batch = static_cast<int>(lab::timing_size(8192, 9)),
              in = static_cast<int>(lab::timing_size(784, 20));
    const int hidden = static_cast<int>(lab::timing_size(256, 12)), out = 10;
    const auto cells = [](int rows, int columns) {
        return static_cast<size_t>(rows) * static_cast<size_t>(columns);
    };
    lab::Trial trial;
    const auto x = trial.input("x", std::vector<float>(cells(batch, in), 0.5f));
    const auto labels = trial.input("labels", std::vector<int>(cells(batch, 1), 3));
    const auto w1 = trial.input("w1", std::vector<float>(cells(in, hidden), 0.01f));
    const auto b1 = trial.input("b1", std::vector<float>(cells(1, hidden), 0));
    const auto w2 = trial.input("w2", std::vector<float>(cells(hidden, out), 0.01f));
    const auto b2 = trial.input("b2", std::vector<float>(cells(1, out), 0));
    const auto middle = trial.output<float>("hidden", cells(batch, hidden));
    const auto logits = trial.output<float>("logits", cells(batch, out));
    const auto probabilities = trial.output<float>("probabilities", cells(batch, out));
    const auto losses = trial.output<float>("losses", cells(batch, 1));
    const auto mean = trial.output<float>("mean", 1);
    const lab::Work work{.flops = 2.0 * batch * hidden * (in + out)};
    trial.play([&](lab::Player& player) {
        const Network network{
            in, hidden, out, player.device(w1), player.device(b1), player.device(w2), player.device(b2)};
        const Layers layers{player.device(middle), player.device(logits), player.device(probabilities),
                            player.device(losses), player.device(mean)};
        const float* d_x = player.device(x);
        const int* d_labels = player.device(labels);
        float h_mean = 0;
        return player.time("forward", work, [&] {
            return player.call<decltype(forward)>("forward", &network, d_x, d_labels, batch, &layers,
                                                  &h_mean);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
