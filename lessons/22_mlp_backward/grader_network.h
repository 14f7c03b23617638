// The whole way back of a network, judged by nudging weights and step by step.
#pragma once

#include <iomanip>
#include <sstream>

#include "lessons/22_mlp_backward/grader_words.h"
#include "lessons/22_mlp_backward/interface.h"

namespace lab::lesson_22_mlp_backward {

struct Played {
    lab::Array<float> dlogits, dw2, db2, dhidden, dw1, db1;
};

// The first matrix on the way back that is not what it should be; empty: none.
inline std::string first_wrong(const lab::Trial& trial, const Played& played, const Question& q,
                               const Passed& passed) {
    const Gradient dlogits = dlogits_of(passed.probabilities, q.labels, q.network.out);
    Gradient dhidden = dx_of(dlogits.values, q.network.w2, q.second());
    mask(dhidden, floats_of(passed.hidden));
    const struct {
        const char* name;
        const lab::Array<float>& array;
        Gradient right;
    } steps[] = {{"dlogits", played.dlogits, dlogits},
                 {"dw2", played.dw2, dw_of(passed.hidden, dlogits.values, q.second())},
                 {"db2", played.db2, db_of(dlogits.values, q.second())},
                 {"dhidden", played.dhidden, dhidden},
                 {"dw1", played.dw1, dw_of(q.x, dhidden.values, q.first())},
                 {"db1", played.db1, db_of(dhidden.values, q.first())}};
    for (const auto& step : steps) {
        const auto got = trial.values(step.array);
        for (size_t i = 0; i < got.size(); ++i)
            if (!(std::fabs(got[i] - step.right.values[i]) <= 1e-4 * step.right.largest)) return step.name;
    }
    return "";
}

// Of a slope the first digits say enough.
inline std::string rounded(double value) {
    if (!std::isfinite(value)) return number(value);
    std::ostringstream text;
    text << std::setprecision(4) << value;
    return text.str();
}

// Moves a few weights of each layer and compares the loss with what the gradient says.
inline bool told_about_nudges(lab::Trial& trial, const Played& played, const Question& q,
                              const Passed& passed) {
    const struct {
        const char* name;
        Floats lab::LearnedNetwork::*weights;
        const lab::Array<float>& gradient;
    } layers[] = {{"w2", &lab::LearnedNetwork::w2, played.dw2},
                  {"b2", &lab::LearnedNetwork::b2, played.db2},
                  {"w1", &lab::LearnedNetwork::w1, played.dw1},
                  {"b1", &lab::LearnedNetwork::b1, played.db1}};
    uint32_t random = 22;
    for (const auto& layer : layers) {
        const auto got = trial.values(layer.gradient);
        for (int tries = 0, found = 0; tries < 40 && found < 3; ++tries) {
            random = random * 1664525u + 1013904223u;
            const size_t i = (random >> 8) % got.size();
            const Nudge nudge = nudged(q, layer.weights, i);
            if (nudge.corner || std::fabs(nudge.slope) < 1e-3) continue;
            ++found;
            if (std::fabs(got[i] - nudge.slope) <= 1e-5 + 1e-3 * std::fabs(nudge.slope)) continue;
            const std::string where = std::string(layer.name) + "[" + std::to_string(i) + "]";
            const std::string wrong = first_wrong(trial, played, q, passed);
            lab::fail(
                trial,
                "Nudge " + where + ", and the loss changes by " + rounded(nudge.slope) +
                    " for each unit of the nudge; your d" + where + " says " + rounded(double(got[i])) + "." +
                    (wrong.empty() ? "" : " On the way back, " + wrong + " is the first that is wrong."),
                wrong == "dhidden"
                    ? "dhidden is dlogits w2^T, and then the ReLU's mask by hidden: linear_backward_input, "
                      "relu_backward."
                    : "Look at what is handed to the call that writes it: which matrices, which sizes, and "
                      "whether "
                      "they are still what they were.",
                LAB_HERE);
            return true;
        }
    }
    return false;
}

// Each matrix is compared with what should have been made of those that were really there.
inline void check_steps(lab::Trial& trial, const Played& played, const Question& q, const Passed& passed) {
    const Floats probabilities = floats_of(passed.probabilities), hidden = floats_of(passed.hidden);
    const auto expect = [&](const char* name, const lab::Array<float>& array, const Gradient& right,
                            const std::vector<Slip>& slips) {
        trial.reference(array, floats_of(right.values));
        if (went_well(trial) && trial.findings().empty() &&
            told_about(trial, name, trial.values(array), right, slips))
            return;
        LAB_EXPECT_NEAR(trial, array, right.tolerance(), [&](size_t i) { return right.values[i]; });
    };
    const auto floats = [&](const lab::Array<float>& array) {
        const auto got = trial.values(array);
        return Floats(got.begin(), got.end());
    };
    const Gradient right_dlogits = dlogits_of(probabilities, q.labels, q.network.out);
    expect("dlogits", played.dlogits, right_dlogits, dlogits_slips(probabilities, q.labels, right_dlogits));
    if (!went_well(trial)) return;
    const Floats dlogits = floats(played.dlogits), dhidden = floats(played.dhidden);
    const Gradient dw2 = dw_of(hidden, dlogits, q.second()), db2 = db_of(dlogits, q.second());
    expect("dw2", played.dw2, dw2, dw_slips(hidden, dlogits, q.second(), dw2));
    expect("db2", played.db2, db2, db_slips(dlogits, q.second(), db2));
    Gradient before = dx_of(dlogits, q.network.w2, q.second()), after = before;
    mask(after, hidden);
    std::vector<Slip> slips = mask_slips(hidden, floats_of(before.values));
    slips.front().cause = "No ReLU has cut anything off on the way back.";
    slips.front().next =
        "Behind linear_backward_input, call relu_backward with hidden, on all batch * hidden numbers.";
    expect("dhidden", played.dhidden, after, slips);
    const Gradient dw1 = dw_of(q.x, dhidden, q.first()), db1 = db_of(dhidden, q.first());
    expect("dw1", played.dw1, dw1, dw_slips(q.x, dhidden, q.first(), dw1));
    expect("db1", played.db1, db1, db_slips(dhidden, q.first(), db1));
}

enum class Judge { by_nudges, by_steps };

inline void expect_backward(const Question& q, Judge judge) {
    const lab::LearnedNetwork& net = q.network;
    const size_t batch = q.labels.size(), in = size_t(net.in), mid = size_t(net.hidden),
                 out = size_t(net.out);
    CAPTURE(batch);
    const Passed passed = forward_of(q);
    lab::Trial trial;
    auto x = trial.input("x", q.x), w1 = trial.input("w1", net.w1), b1 = trial.input("b1", net.b1);
    auto hidden = trial.input("hidden", floats_of(passed.hidden));
    auto w2 = trial.input("w2", net.w2), b2 = trial.input("b2", net.b2);
    auto logits = trial.input("logits", floats_of(passed.logits));
    auto probabilities = trial.input("probabilities", floats_of(passed.probabilities));
    auto losses = trial.input("losses", floats_of(passed.losses));
    auto mean = trial.input("mean", Floats{float(passed.mean)});
    auto labels = trial.input("labels", q.labels);
    const Played played{trial.output<float>("dlogits", batch * out),
                        trial.output<float>("dw2", mid * out),
                        trial.output<float>("db2", out),
                        trial.output<float>("dhidden", batch * mid),
                        trial.output<float>("dw1", in * mid),
                        trial.output<float>("db1", mid)};
    trial.rows(x, in).rows(w1, mid).rows(b1, mid).rows(hidden, mid).rows(w2, out).rows(b2, out);
    trial.rows(logits, out).rows(probabilities, out).rows(played.dlogits, out).rows(played.dw2, out);
    trial.rows(played.db2, out).rows(played.dhidden, mid).rows(played.dw1, mid).rows(played.db1, mid);
    trial.keep(played.dw1, size_t{256} << 10);
    trial.play([&](lab::Player& player) {
        const Network network{
            net.in,           net.hidden, net.out, player.device(w1), player.device(b1), player.device(w2),
            player.device(b2)};
        const Layers layers{player.device(hidden), player.device(logits), player.device(probabilities),
                            player.device(losses), player.device(mean)};
        const Gradients gradients{player.device(played.dw1),     player.device(played.db1),
                                  player.device(played.dw2),     player.device(played.db2),
                                  player.device(played.dlogits), player.device(played.dhidden)};
        return player.call<decltype(backward)>("backward", &network, player.device(x), player.device(labels),
                                               int(batch), &layers, &gradients);
    });
    if (told_about_fault(trial, words_for_chain)) return;
    LAB_EXPECT_OK(trial);
    if (judge == Judge::by_nudges && went_well(trial) && trial.findings().empty() &&
        told_about_nudges(trial, played, q, passed))
        return;
    check_steps(trial, played, q, passed);
    LAB_EXPECT_CLEAN(trial);
}

}  // namespace lab::lesson_22_mlp_backward
