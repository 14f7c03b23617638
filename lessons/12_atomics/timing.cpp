// What a GPU is timed with: each byte and each float is read once; the counters are nothing beside them.
#include "lessons/12_atomics/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("12_atomics");

LAB_TIMING("67,108,864 letters, and 33,554,432 floats") {
    const int letters = static_cast<int>(lab::timing_size(size_t{1} << 26, 3000));
    const int floats = static_cast<int>(lab::timing_size(size_t{1} << 25, 700));
    const int blocks = static_cast<int>(lab::timing_size(1056, 3));
    std::vector<char> text(static_cast<size_t>(letters));
    for (size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>('a' + (i * 2654435761u >> 20) % alphabet);
    std::vector<float> values(static_cast<size_t>(floats));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761u % 1000003);
    lab::Trial trial;
    const auto in = trial.input("text", text);
    const auto numbers = trial.input("in", values);
    const auto bins = trial.output<unsigned>("bins", alphabet);
    const auto most = trial.output<float>("largest", 1);
    trial.play([&](lab::Player& player) {
        const char* d_text = player.device(in);
        const float* d_in = player.device(numbers);
        unsigned* d_bins = player.device(bins);
        float* d_largest = player.device(most);
        int error = player.time("count_letters", {.bytes = 1.0 * letters}, [&] {
            return player.call<decltype(count_letters)>("count_letters", d_text, letters, d_bins);
        });
        if (error != 0) return error;
        error = player.time("count_letters_shared", {.bytes = 1.0 * letters}, [&] {
            return player.call<decltype(count_letters_shared)>("count_letters_shared", d_text, letters,
                                                               d_bins, blocks);
        });
        if (error != 0) return error;
        return player.time("largest", {.bytes = 4.0 * floats}, [&] {
            return player.call<decltype(largest)>("largest", d_in, floats, d_largest);
        });
    });
    LAB_EXPECT_OK(trial);
}

TEST_SUITE_END();
