// What a GPU is timed with: the whole way back, whose work is that of its three products.
#include "lessons/22_mlp_backward/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("22_mlp_backward");

LAB_TIMING("8192 pictures of 784, 256 hidden, 10 classes") {
    const int batch = static_cast<int>(lab::timing_size(8192, 9)),
              in = static_cast<int>(lab::timing_size(784, 20));
    const int hidden = static_cast<int>(lab::timing_size(256, 12)), out = 10;
    const auto cells = [](int rows, int columns) {
        return static_cast<size_t>(rows) * static_cast<size_t>(columns);
    };
    const auto floats = [&](int rows, int columns, float value) {
        return std::vector<float>(cells(rows, columns), value);
    };
    lab::Trial trial;
    const auto x = trial.input("x", floats(batch, in, 0.5f));
    const auto labels = trial.input("labels", std::vector<int>(cells(batch, 1), 3));
    const auto w1 = trial.input("w1", floats(in, hidden, 0.01f)),
               b1 = trial.input("b1", floats(1, hidden, 0));
    const auto w2 = trial.input("w2", floats(hidden, out, 0.01f)), b2 = trial.input("b2", floats(1, out, 0));
    const auto middle = trial.input("hidden", floats(batch, hidden, 1)),
               logits = trial.input("logits", floats(batch, out, 0)),
               probabilities = trial.input("probabilities", floats(batch, out, 0.1f)),
               losses = trial.input("losses", floats(batch, 1, 2)),
               mean = trial.input("mean", floats(1, 1, 2));
    const auto dw1 = trial.output<float>("dw1", cells(in, hidden)),
               db1 = trial.output<float>("db1", cells(1, hidden)),
               dw2 = trial.output<float>("dw2", cells(hidden, out)),
               db2 = trial.output<float>("db2", cells(1, out)),
               dlogits = trial.output<float>("dlogits", cells(batch, out)),
               dhidden = trial.output<float>("dhidden", cells(batch, hidden));
    const lab::Work work{.flops = 2.0 * batch * hidden * (in + 2 * out)};
    trial.play([&](lab::Player& player) {
        const Network network{
            in, hidden, out, player.device(w1), player.device(b1), player.device(w2), player.device(b2)};
        const Layers layers{player.device(middle), player.device(logits), player.device(probabilities),
                            player.device(losses), player.device(mean)};
        const Gradients gradients{player.device(dw1), player.device(db1),     player.device(dw2),
                                  player.device(db2), player.device(dlogits), player.device(dhidden)};
        const float* d_x = player.device(x);
        const int* d_labels = player.device(labels);
        return player.time("backward", work, [&] {
            return player.call<decltype(backward)>("backward", &network, d_x, d_labels, batch, &layers,
                                                   &gradients);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
