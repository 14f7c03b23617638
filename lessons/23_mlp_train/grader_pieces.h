// What the four small functions of exercise 23 must do, each by itself.
#pragma once

#include "lessons/23_mlp_train/grader_words.h"

namespace lab::lesson_23_mlp_train {

inline bool went_well(const Trial& trial) {
    return trial.ended_well() && trial.returned() == 0;
}

// True if the run stopped at an access that it was not allowed: what it left behind says nothing then.
inline bool told_about_fault(Trial& trial) {
    const std::set<std::string> faults = {"oob-global",    "misaligned",     "device-pointer-on-host",
                                          "host-pointer",  "async-race",     "stream-race",
                                          "uninit-global", "use-after-free", "double-free",
                                          "invalid-free",  "api-misuse"};
    for (const Finding& finding : trial.findings())
        if (faults.contains(finding.kind) && finding.severity == Severity::error) {
            LAB_EXPECT_CLEAN(trial);
            return true;
        }
    return false;
}

// ---- shuffle ----

inline void expect_shuffles(int count, int times) {
    CAPTURE(count);
    Trial trial;
    trial.kernels_optional();
    const size_t places = at(times, count, 0);
    auto orders = trial.output<int>("order", places), again = trial.output<int>("again", places);
    trial.play([&](Player& player) {
        for (int seed = 0; seed < times; ++seed)
            for (const auto& array : {orders, again})
                player.call<decltype(shuffle)>("shuffle", player.host(array) + at(seed, count, 0), count,
                                               static_cast<unsigned>(seed) + 1);
    });
    if (!trial.ended_well()) return;
    const auto all = trial.values(orders), twice = trial.values(again);
    int stayed = 0, changed = 0;
    for (int seed = 0; seed < times; ++seed) {
        const auto order = all.subspan(at(seed, count, 0), size_t(count));
        if (const auto fault = fault_of_order(order)) {
            tell(trial, "In the order of seed " + std::to_string(seed + 1) + ", " + *fault + ".",
                 shuffle_next);
            return;
        }
        for (int i = 0; i < count; ++i) {
            stayed += order[size_t(i)] == i;
            changed += order[size_t(i)] != all[size_t(i)];
        }
    }
    if (!std::equal(all.begin(), all.end(), twice.begin())) {
        tell(trial, "The same seed gave another order when it was asked for again.",
             "Take random numbers from next_random(&state) alone, with state = seed at the beginning.");
        return;
    }
    if (count < 2) return;
    if (stayed == times * count) {
        tell(trial, "The samples are in the order in which they lie: nothing was shuffled.", shuffle_next);
    } else if (times > 1 && changed == 0) {
        tell(trial, "Every seed gives the same order.", "Begin with state = seed.");
    } else if (times * count >= 512 && stayed == 0) {
        tell(trial,
             "In " + std::to_string(times) +
                 " shuffles no sample ever stayed at its place; by chance, one a shuffle does.",
             "The random place may be i itself: random % (i + 1), not random % i.");
    } else if (times >= 32 && stayed > times * 3) {
        tell(trial,
             std::to_string(stayed) + " samples stayed at their places in " + std::to_string(times) +
                 " shuffles; by chance, one a shuffle does.",
             "Every place but the first has to be swapped once: i from count - 1 down to 1.");
    }
}

// ---- gather, update, finish ----

inline Bytes pixels_of(int count, int in, uint32_t seed) {
    Bytes pixels;
    for (const float value : numbers(at(count, in, 0), seed))
        pixels.push_back(uint8_t(127.5f + 127.5f * value));
    return pixels;
}

inline Ints some_order(int length, int count) {
    Ints order;
    for (int i = 0; i < length; ++i) order.push_back((i * 7 + 3) % count);
    return order;
}

inline void expect_gather(int count, int in, int next, int rows) {
    CAPTURE(rows);
    const Bytes pixels = pixels_of(count, in, 5);
    Ints labels;
    for (int i = 0; i < count; ++i) labels.push_back((i * 3 + 1) % 10);
    const Ints order = some_order(next + rows + 2, count);
    Trial trial;
    auto all = trial.input("pixels", pixels);
    auto all_labels = trial.input("labels", labels);
    auto d_order = trial.input("order", order);
    auto progress = trial.input("progress", Ints{next, 9});
    auto x = trial.output<float>("x", at(rows, in, 0));
    auto batch_labels = trial.output<int>("batch_labels", size_t(rows));
    trial.rows(all, size_t(in)).rows(x, size_t(in));
    trial.play([&](Player& player) {
        const Samples samples{count, player.device(all), player.device(all_labels)};
        return player.call<decltype(gather)>("gather", &samples, in, player.device(d_order),
                                             reinterpret_cast<const Progress*>(player.device(progress)), rows,
                                             player.device(x), player.device(batch_labels));
    });
    if (told_about_fault(trial)) return;
    LAB_EXPECT_OK(trial);
    const auto sample = [&](size_t row) { return order[size_t(next) + row]; };
    const auto pixel = [&](size_t i) {
        return double(pixels[at(sample(i / size_t(in)), in, int(i % size_t(in)))]);
    };
    if (went_well(trial) && trial.findings().empty()) {
        const auto got = trial.values(x);
        const auto explains = [&](auto value) {
            bool all_right = true, all_good = true;
            for (size_t i = 0; i < got.size(); ++i) {
                all_right = all_right && std::fabs(got[i] - value(i)) < 1e-4;
                all_good = all_good && std::fabs(got[i] - pixel(i) / 255) < 1e-4;
            }
            return all_right && !all_good;
        };
        const auto of_order = [&](size_t from) {
            return [&, from](size_t i) {
                return double(pixels[at(order[from + i / size_t(in)], in, int(i % size_t(in)))]) / 255;
            };
        };
        if (explains(of_order(0))) {
            tell(trial,
                 "x has the samples at the beginning of the order, and the step begins at place " +
                     std::to_string(next) + ".",
                 "Row r is sample d_order[d_progress->next + r].");
            return;
        }
        if (explains([&](size_t i) {
                return double(pixels[at((next + int(i / size_t(in))) % count, in, int(i % size_t(in)))]) /
                       255;
            })) {
            tell(trial, "x has the samples as they lie: the place in the order was taken for the sample.",
                 "The order says which sample stands at a place: d_order[d_progress->next + row].");
            return;
        }
        if (explains(pixel)) {
            tell(trial,
                 "x[0] is " + number(got[0]) + ", expected " + number(pixel(0) / 255) +
                     ": the bytes came through as they are.",
                 "The network learns from 0 (paper) to 1 (ink): pixels[k] / 255.0f.");
            return;
        }
    }
    LAB_EXPECT_NEAR(trial, x, tolerance(1e-6, 0, "one division"), [&](size_t i) { return pixel(i) / 255; });
    LAB_EXPECT_EACH(trial, batch_labels, [&](size_t row) { return labels[size_t(sample(row))]; });
    LAB_EXPECT_CLEAN(trial);
}

inline void expect_update(int n, float rate) {
    CAPTURE(n);
    const Floats before = numbers(size_t(n), 11), gradient = numbers(size_t(n), 12);
    Trial trial;
    auto w = trial.inout("w", before);
    auto dw = trial.input("dw", gradient);
    trial.play([&](Player& player) {
        return player.call<decltype(update)>("update", player.device(w), player.device(dw), n, rate);
    });
    if (told_about_fault(trial)) return;
    LAB_EXPECT_OK(trial);
    const auto got = trial.values(w);
    const auto right = [&](size_t i) { return before[i] - double(rate) * gradient[i]; };
    size_t uphill = 0, untouched = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        uphill += std::fabs(got[i] - (before[i] + double(rate) * gradient[i])) < 1e-6;
        untouched += got[i] == before[i];
    }
    if (went_well(trial) && uphill == got.size()) {
        tell(trial,
             "w[0] is " + number(got[0]) + ", expected " + number(right(0)) + ": the gradient was added.",
             "The gradient points to where the loss grows. Go the other way: w -= rate * dw.");
        return;
    }
    if (went_well(trial) && untouched > 0 && untouched < got.size()) {
        tell(trial, std::to_string(untouched) + " of " + std::to_string(n) + " weights are what they were.",
             "There are 8192 threads at most. Each goes on by the stride of the whole grid until n.");
        return;
    }
    LAB_EXPECT_NEAR(trial, w, tolerance(1e-6, 0, "a product and a difference"), right);
    LAB_EXPECT_CLEAN(trial);
}

inline void expect_finish(const Floats& row_losses, int next, int step) {
    const int rows = static_cast<int>(row_losses.size());
    CAPTURE(rows);
    Trial trial;
    auto in = trial.input("row_losses", row_losses);
    auto losses = trial.inout("losses", Floats(6, -1));
    auto progress = trial.inout("progress", Ints{next, step});
    trial.play([&](Player& player) {
        return player.call<decltype(finish)>("finish", player.device(in), rows, player.device(losses),
                                             reinterpret_cast<Progress*>(player.device(progress)));
    });
    if (told_about_fault(trial)) return;
    LAB_EXPECT_OK(trial);
    double sum = 0;
    for (const float loss : row_losses) sum += loss;
    const auto got = trial.values(losses);
    const auto is = [&](double value) { return std::fabs(got[size_t(step)] - value) < 1e-4; };
    if (went_well(trial) && rows > 1 && is(sum) && !is(sum / rows)) {
        tell(trial,
             "losses[" + std::to_string(step) + "] is " + number(got[size_t(step)]) + ", expected " +
                 number(sum / rows) + ": the sum, not the mean.",
             "Divide by the rows.");
        return;
    }
    LAB_EXPECT_NEAR(trial, losses, tolerance(1e-5, 1e-5, "a sum of rounded losses"),
                    [&](size_t i) { return i == size_t(step) ? sum / rows : -1.0; });
    LAB_EXPECT_EACH(trial, progress, [&](size_t i) { return i == 0 ? next + rows : step + 1; });
    LAB_EXPECT_CLEAN(trial);
}

}  // namespace lab::lesson_23_mlp_train
