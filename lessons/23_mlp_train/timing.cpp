// What a GPU is timed with: an epoch of as many samples as MNIST has. What is in them does not matter to the time.
#include "lessons/23_mlp_train/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("23_mlp_train");

LAB_TIMING("an epoch of 60,000 samples of 784 in batches of 128, 256 hidden, 10 classes") {
    const int count = static_cast<int>(lab::timing_size(60000, 20)),
              in = static_cast<int>(lab::timing_size(784, 30));
    const int hidden = static_cast<int>(lab::timing_size(256, 12)), out = 10;
    const Plan plan{static_cast<int>(lab::timing_size(128, 8)), 1, 0.01f, 1};
    const auto cells = [](int rows, int columns) {
        return static_cast<size_t>(rows) * static_cast<size_t>(columns);
    };
    std::vector<unsigned char> ink(cells(count, in));
    for (size_t i = 0; i < ink.size(); ++i) ink[i] = static_cast<unsigned char>(i * 37 % 251);
    std::vector<int> digits(cells(count, 1));
    for (size_t i = 0; i < digits.size(); ++i) digits[i] = static_cast<int>(i % 10);
    std::vector<float> first(cells(in, hidden)), second(cells(hidden, out));
    for (size_t i = 0; i < first.size(); ++i) first[i] = 0.001f * static_cast<float>(i % 11) - 0.005f;
    for (size_t i = 0; i < second.size(); ++i) second[i] = 0.01f * static_cast<float>(i % 13) - 0.06f;
    lab::Trial trial;
    trial.seconds(60);
    const auto pixels = trial.input("pixels", ink);
    const auto labels = trial.input("labels", digits);
    const auto w1 = trial.inout("w1", first), b1 = trial.inout("b1", std::vector<float>(cells(1, hidden), 0));
    const auto w2 = trial.inout("w2", second), b2 = trial.inout("b2", std::vector<float>(cells(1, out), 0));
    const auto order = trial.output<int>("order", cells(count, 1));
    const auto losses = trial.output<float>("losses", cells(steps_of(count, plan.batch), 1));
    // A step's products: forward, the gradients of both layers' weights, and that of the hidden layer.
    const lab::Work work{.flops = 2.0 * count * hidden * (2 * in + 3 * out)};
    trial.play([&](lab::Player& player) {
        const Network network{
            in, hidden, out, player.device(w1), player.device(b1), player.device(w2), player.device(b2)};
        const Samples samples{count, player.device(pixels), player.device(labels)};
        int* h_order = player.host(order);
        float* h_losses = player.host(losses);
        return player.time("train", work, [&] {
            return player.call<decltype(train)>("train", &network, &samples, &plan, h_order, h_losses);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
