// What the four small functions of exercise 23 must do, each by itself.
#pragma once

#include "lessons/23_mlp_train/grader_words.h"

namespace lab::lesson_23_mlp_train {

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

// ---- update ----

// False: there is nothing left to say about other sizes.
inline bool expect_update(int n, float rate) {
    CAPTURE(n);
    const Floats before = numbers(size_t(n), 11), gradient = numbers(size_t(n), 12);
    Trial trial;
    auto w = trial.inout("w", before);
    auto dw = trial.input("dw", gradient);
    trial.play([&](Player& player) {
        return player.call<decltype(update)>("update", player.device(w), player.device(dw), n, rate);
    });
    if (told_about_fault(trial)) return false;
    LAB_EXPECT_OK(trial);
    const auto got = trial.values(w);
    const auto right = [&](size_t i) { return before[i] - double(rate) * gradient[i]; };
    size_t uphill = 0, untouched = 0, alone = 0, whole = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        alone += std::fabs(got[i] + double(rate) * gradient[i]) < 1e-6;
        whole += std::fabs(got[i] - (before[i] - double(gradient[i]))) < 1e-6;
        uphill += std::fabs(got[i] - (before[i] + double(rate) * gradient[i])) < 1e-6;
        untouched += got[i] == before[i];
    }
    if (went_well(trial) && uphill == got.size()) {
        tell(trial,
             "w[0] is " + number(got[0]) + ", expected " + number(right(0)) + ": the gradient was added.",
             "The gradient points to where the loss grows. Go the other way: w -= rate * dw.");
        return false;
    }
    if (went_well(trial) && (alone == got.size() || whole == got.size())) {
        tell(trial,
             "w[0] is " + number(got[0]) + ", expected " + number(right(0)) +
                 (whole == got.size() ? ": the whole gradient was subtracted, without the rate."
                                      : ": that is the step, and the weight is lost."),
             "w -= rate * dw: a small step away from where the weight is.");
        return false;
    }
    if (went_well(trial) && untouched == got.size()) {
        tell(trial,
             "No weight changed: w[0] is still " + number(got[0]) + ", expected " + number(right(0)) + ".",
             "Each thread takes weights by a grid-stride loop: w -= rate * dw.");
        return false;
    }
    if (went_well(trial) && untouched > 0) {
        tell(trial, std::to_string(untouched) + " of " + std::to_string(n) + " weights are what they were.",
             "queue_update launches 8192 threads at most. Each goes on by the stride of the whole grid until "
             "n.");
        return false;
    }
    LAB_EXPECT_NEAR(trial, w, tolerance(1e-6, 0, "a product and a difference"), right);
    LAB_EXPECT_CLEAN(trial);
    return went_well(trial);
}

// ---- shuffle ----

// The place at which one sample stood most unlike by chance, in `times` orders of `count`.
struct Odd {
    double chi_squared = 0;  // over all, by degrees of freedom: 1 by chance
    double most = 0;
    int sample = 0, place = 0, seen = 0;
};

inline Odd oddity(std::span<const int> orders, int count, int times) {
    Ints seen(at(count, count, 0), 0);
    for (size_t i = 0; i < orders.size(); ++i) ++seen[at(orders[i], count, int(i) % count)];
    const double by_chance = double(times) / count;
    Odd odd;
    for (size_t i = 0; i < seen.size(); ++i) {
        const double square = (seen[i] - by_chance) * (seen[i] - by_chance) / by_chance;
        odd.chi_squared += square / ((count - 1) * (count - 1));
        if (square > odd.most)
            odd.most = square, odd.sample = int(i) / count, odd.place = int(i) % count, odd.seen = seen[i];
    }
    return odd;
}

// True if the orders are not as chance would make them, and said so.
inline bool told_about_chance(Trial& trial, std::span<const int> orders, int count, int times) {
    int stayed = 0, changed = 0;
    for (size_t i = 0; i < orders.size(); ++i) {
        stayed += orders[i] == int(i) % count;
        changed += orders[i] != orders[i % size_t(count)];
    }
    const std::string shuffles = std::to_string(times) + " shuffles";
    if (stayed == times * count)
        return tell(trial, "The samples are in the order in which they lie: nothing was shuffled.",
                    shuffle_next);
    if (times > 1 && changed == 0)
        return tell(trial, "Every seed gives the same order.", "Begin with state = seed.");
    if (times < 1000) return false;  // too few to say more
    if (stayed == 0)
        return tell(trial,
                    "In " + shuffles + " no sample ever stayed at its place; by chance, one a shuffle does.",
                    "The random place may be i itself: random % (i + 1), not random % i.");
    // Measured with 2000 shuffles of 10: 0.6 where each place is drawn from those not settled, 3.8 and more otherwise.
    const Odd odd = oddity(orders, count, times);
    if (odd.chi_squared < 2) return false;
    return tell(
        trial,
        "In " + shuffles + " sample " + std::to_string(odd.sample) + " came to place " +
            std::to_string(odd.place) + " " + std::to_string(odd.seen) +
            " times; by chance it would be about " + std::to_string(times / count) + ".",
        "For i from count - 1 down to 1, the random place is one of 0 .. i, the places that are not settled: "
        "random % (i + 1).");
}

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
    for (int seed = 0; seed < times; ++seed)
        if (const auto fault = fault_of_order(all.subspan(at(seed, count, 0), size_t(count)))) {
            tell(trial, "In the order of seed " + std::to_string(seed + 1) + ", " + *fault + ".",
                 shuffle_next);
            return;
        }
    if (!std::equal(all.begin(), all.end(), twice.begin())) {
        tell(trial, "The same seed gave another order when it was asked for again.",
             "Take random numbers from next_random(&state) alone, with state = seed at the beginning.");
        return;
    }
    if (count > 1) told_about_chance(trial, all, count, times);
}

// ---- gather, finish ----

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
        if (explains([&](size_t i) { return double(pixels[i]) / 255; })) {
            tell(trial, "x has samples 0, 1, 2 and so on: the row was taken for the sample.",
                 "Row r is sample d_order[d_progress->next + r].");
            return;
        }
        if (explains([&](size_t i) { return pixel(i) < 255 ? 0.0 : 1.0; })) {
            tell(trial,
                 "x[0] is 0, expected " + number(pixel(0) / 255) +
                     ": a whole number by a whole number is rounded down, and only full ink is left.",
                 "Divide by a float: pixels[k] / 255.0f.");
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
    if (went_well(trial) && trial.findings().empty()) {
        const auto got = trial.values(batch_labels);
        const auto are = [&](auto place) {
            for (size_t row = 0; row < got.size(); ++row)
                if (got[row] != labels[size_t(place(int(row)))]) return false;
            return true;
        };
        if (!are(sample) && (are([](int row) { return row; }) || are([&](int row) { return next + row; }))) {
            tell(trial,
                 "batch_labels[0] is " + std::to_string(got[0]) + ", expected " +
                     std::to_string(labels[size_t(sample(0))]) +
                     ": that is the label of a place, and not of the sample that stands there.",
                 "A label goes with its pixels: d_all_labels[sample].");
            return;
        }
    }
    LAB_EXPECT_EACH(trial, batch_labels, [&](size_t row) { return labels[size_t(sample(row))]; });
    LAB_EXPECT_CLEAN(trial);
}

// True if finish left a wrong loss, or counted wrongly, in a way that has a name.
inline bool told_about_finish(Trial& trial, const Floats& row_losses, std::span<const float> losses,
                              std::span<const int> counted, const Progress& before) {
    const int rows = static_cast<int>(row_losses.size());
    double sum = 0, first_lane = 0, first_rows = 0;
    for (int row = 0; row < rows; ++row) {
        sum += row_losses[size_t(row)];
        first_lane += row % 32 == 0 ? row_losses[size_t(row)] : 0;
        first_rows += row < 32 ? row_losses[size_t(row)] : 0;
    }
    const std::string place = "losses[" + std::to_string(before.step) + "]";
    const auto is = [&](size_t i, double value) { return std::fabs(losses[i] - value) < 1e-4; };
    const auto step = static_cast<size_t>(before.step);
    const bool counts = counted[0] == before.next + rows && counted[1] == before.step + 1;
    if (is(step, sum / rows)) {
        if (counts) return false;
        return tell(
            trial,
            "The loss is right. After " + std::to_string(rows) + " rows progress is {next " +
                std::to_string(counted[0]) + ", step " + std::to_string(counted[1]) + "}; expected {" +
                std::to_string(before.next + rows) + ", " + std::to_string(before.step + 1) +
                "}, for it was {" + std::to_string(before.next) + ", " + std::to_string(before.step) + "}.",
            "The next step begins where this one ended: next by rows, step by one, and one lane does it.");
    }
    if (is(step, -1) && counted[0] == before.next && counted[1] == before.step)
        return tell(trial,
                    "finish_kernel kept no loss and counted nothing: progress is still {next " +
                        std::to_string(before.next) + ", step " + std::to_string(before.step) + "}.",
                    "Add the row losses up across the warp; then lane 0 stores the mean, and counts next and "
                    "step on.");
    if (is(step, -1))
        for (size_t i = 0; i < losses.size(); ++i)
            if (is(i, sum / rows))
                return tell(trial,
                            "The loss of step " + std::to_string(before.step) + " is in losses[" +
                                std::to_string(i) + "].",
                            "Store it first, in d_losses[d_progress->step]; then count step on.");
    struct Slip {
        double value;
        const char *cause, *next;
    };
    for (const Slip& slip :
         {Slip{sum, "the sum, not the mean.", "Divide by the rows."},
          Slip{first_lane / rows, "that is what lane 0 added up alone.",
               "Add up across the warp before lane 0 stores: __shfl_down_sync by 16, 8, 4, 2 and 1."},
          Slip{first_rows / rows, "the rows behind the 32nd are missing.",
               "A lane takes row threadIdx.x, and goes on by warpSize."},
          Slip{sum / 32, "that is the sum by the 32 lanes.", "Divide by the rows."}})
        if (is(step, slip.value))
            return tell(trial,
                        place + " is " + number(losses[step]) + ", expected " + number(sum / rows) + ": " +
                            slip.cause,
                        slip.next);
    return false;
}

// False: there is nothing left to say about other sizes.
inline bool expect_finish(const Floats& row_losses, int next, int step) {
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
    for (const Finding& finding : trial.findings())
        if (finding.kind == "warp-race" && finding.buffer == "progress") {
            tell(trial,
                 "Line " + std::to_string(finding.at.line) + ": more than one lane counts progress on.",
                 "One lane is enough: if (threadIdx.x == 0).");
            return false;
        }
    if (told_about_fault(trial)) return false;
    LAB_EXPECT_OK(trial);
    double sum = 0;
    for (const float loss : row_losses) sum += loss;
    const auto got = trial.values(losses);
    if (went_well(trial) && told_about_finish(trial, row_losses, got, trial.values(progress), {next, step}))
        return false;
    LAB_EXPECT_NEAR(trial, losses, tolerance(1e-5, 1e-5, "a sum of rounded losses"),
                    [&](size_t i) { return i == size_t(step) ? sum / rows : -1.0; });
    LAB_EXPECT_EACH(trial, progress, [&](size_t i) { return i == 0 ? next + rows : step + 1; });
    LAB_EXPECT_CLEAN(trial);
    return went_well(trial);
}

}  // namespace lab::lesson_23_mlp_train
