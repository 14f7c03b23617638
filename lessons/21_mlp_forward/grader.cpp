// What exercise 21 must do: each layer by itself, then the whole network, each layer judged by what it was given.
#include "lessons/21_mlp_forward/interface.h"

#include "lessons/21_mlp_forward/grader_words.h"
#include "workbench/data/network.h"

TEST_SUITE_BEGIN("21_mlp_forward");

namespace {

using namespace lab::lesson_21_mlp_forward;

struct Layer {
    Floats x, w, b;
    Shape shape;
};

Layer layer_of(const Shape& s) {
    const uint32_t seed = static_cast<uint32_t>(s.batch * 131 + s.in * 17 + s.out);
    return {numbers(static_cast<size_t>(s.batch) * static_cast<size_t>(s.in), seed),
            numbers(static_cast<size_t>(s.in) * static_cast<size_t>(s.out), seed + 1),
            numbers(static_cast<size_t>(s.out), seed + 2), s};
}

// Costs that a warp with neighbours side by side need not exceed, whatever else it does.
void expect_coalesced(lab::Trial& trial, const lab::Kernel& kernel, const Shape& s) {
    struct Access {
        const char* op;
        const char* advice;
    };
    constexpr Access accesses[] = {
        {"load",
         "Let threadIdx.x run along the columns: then 32 lanes read 32 neighbours of a row of w, and "
         "all of them the same element of x."},
        {"store", "Let threadIdx.x run along the columns of y: then 32 lanes write 32 neighbours of a row."}};
    for (const auto& [op, advice] : accesses) {
        const std::string prefix = std::string("global_") + op;
        const auto requests = counted(kernel, prefix + "_requests");
        const auto sectors = counted(kernel, prefix + "_sectors");
        if (!requests || !sectors || *sectors <= 4 * *requests) continue;
        return lab::fail(trial,
                         kernel.name + " moves " + number(std::round(10 * *sectors / *requests) / 10) +
                             " sectors a " + op + "; 4 are enough for a warp of neighbours.",
                         advice, LAB_HERE);
    }
    const double warps = double(s.size()) / 32;  // with whole blocks
    const double loads = counted(kernel, "global_load_requests").value_or(0);
    const double stores = counted(kernel, "global_store_requests").value_or(0);
    if (stores > warps)
        return lab::fail(trial,
                         kernel.name + " stores " + number(stores) + " times; " + number(warps) +
                             " are enough, once for each 32 elements of y.",
                         "Add up in a variable of the thread, and store it once, behind the loop.", LAB_HERE);
    if (loads > warps * (2 * s.in + 1))
        lab::fail(trial,
                  kernel.name + " loads " + number(loads) + " times; " + number(warps * (2 * s.in + 1)) +
                      " are enough: an x and a w for each k, and a bias.",
                  "Read x, w and b once each; what is added up stays in a variable of the thread.", LAB_HERE);
}

void expect_linear(const Layer& layer, bool costs = false) {
    const Shape& s = layer.shape;
    CAPTURE(s.text());
    lab::Trial trial;
    auto x = trial.input("x", layer.x), w = trial.input("w", layer.w), b = trial.input("b", layer.b);
    auto y = trial.output<float>("y", s.size());
    trial.rows(x, size_t(s.in)).rows(w, size_t(s.out)).rows(b, size_t(s.out)).rows(y, size_t(s.out));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(linear)>("linear", player.device(x), player.device(w), player.device(b),
                                             player.device(y), s.batch, s.in, s.out);
    });
    if (told_about_linear_fault(trial, s)) return;
    LAB_EXPECT_OK(trial);
    const Sums right = linear_of(layer.x, layer.w, layer.b, s);
    trial.reference(y, Floats(right.values.begin(), right.values.end()));
    if (went_well(trial) && trial.findings().empty() &&
        told_about_linear(trial, trial.values(y), layer.x, layer.w, layer.b, s, "y"))
        return;
    if (tell(trial, words_for_grid(trial, {"y", s.batch, s.out, "batch", "out"}))) return;
    LAB_EXPECT_NEAR(trial, y, tolerance_of(right, s), [&](size_t i) { return right.values[i]; });
    LAB_EXPECT_CLEAN(trial);
    if (!costs) return;
    for (const lab::Kernel& kernel : trial.launches()) expect_coalesced(trial, kernel, s);
}

bool told_about_relu(lab::Trial& trial, std::span<const float> got, const Floats& values,
                     const Floats& right) {
    size_t wrong = 0;
    while (wrong < got.size() && got[wrong] == right[wrong]) ++wrong;
    if (wrong == got.size()) return false;
    const auto all = [&](auto slip) {
        for (size_t i = 0; i < got.size(); ++i)
            if (got[i] != slip(i)) return false;
        return true;
    };
    std::string cause;
    const char* next = "Zero where it is below zero, itself where it is not: fmaxf(y, 0.0f).";
    if (wrong >= 1024 && all([&](size_t i) { return i < 1024 ? right[i] : values[i]; })) {
        cause = " Everything from y[1024] on was left as it was.";
        next =
            "There are 1024 threads for all sizes: each goes on by blockDim.x * gridDim.x until it is past "
            "n.";
    } else if (all([&](size_t i) { return i + 1 < got.size() ? right[i] : values[i]; })) {
        cause = " The last number was left as it was.";
        next = "The last one is number n - 1: i < n.";
    } else if (all([&](size_t i) { return values[i] > 0 ? 1.0f : 0.0f; })) {
        cause = " That is the ReLU's slope, 1 or 0: what is above zero stays as it is.";
    } else if (all([&](size_t i) { return std::fabs(right[i]) < 1e9f ? std::trunc(right[i]) : got[i]; })) {
        cause = " The numbers have lost their fractions, in an int on the way.";
    }
    lab::fail(trial,
              "y[" + std::to_string(wrong) + "] was " + number(values[wrong]) + " and is " +
                  number(got[wrong]) + ", expected " + number(right[wrong]) + "." + cause,
              next, LAB_HERE);
    return true;
}

void expect_relu(const Floats& values) {
    CAPTURE(values.size());
    lab::Trial trial;
    auto y = trial.inout("y", values);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(relu)>("relu", player.device(y), static_cast<int>(values.size()));
    });
    if (told_about_fault(trial) || told_about_relu_race(trial)) return;
    LAB_EXPECT_OK(trial);
    Floats right = values;
    for (float& value : right) value = std::max(value, 0.0f);
    trial.reference(y, right);
    if (went_well(trial) && trial.findings().empty() &&
        told_about_relu(trial, trial.values(y), values, right))
        return;
    LAB_EXPECT_EACH(trial, y, [&](size_t i) { return right[i]; });
    LAB_EXPECT_CLEAN(trial);
}

// The last layer's outputs, whoever made the logits.
struct Outputs {
    lab::Array<float> probabilities, losses, mean;
};

void check_outputs(lab::Trial& trial, const Outputs& outputs, std::span<const float> logits,
                   const Answers& right, const Labels& labels, int classes, double mean_before) {
    const int batch = static_cast<int>(labels.size());
    trial.reference(outputs.probabilities, Floats(right.probabilities.begin(), right.probabilities.end()));
    trial.reference(outputs.losses, Floats(right.losses.begin(), right.losses.end()));
    if (went_well(trial) && trial.findings().empty()) {
        const auto p = trial.values(outputs.probabilities), losses = trial.values(outputs.losses);
        if (told_about_overflow(trial, p, "probabilities", classes) ||
            told_about_probabilities(trial, p, logits, right, classes) ||
            told_about_overflow(trial, losses, "losses", 1) ||
            told_about_losses(trial, losses, logits, right, labels, classes))
            return;
    }
    LAB_EXPECT_NEAR(trial, outputs.probabilities, tolerance_of_probabilities(right, classes),
                    [&](size_t i) { return right.probabilities[i]; });
    LAB_EXPECT_NEAR(trial, outputs.losses, tolerance_of_losses(right, classes),
                    [&](size_t i) { return right.losses[i]; });
    if (!went_well(trial)) return;
    const auto losses = trial.values(outputs.losses);
    for (size_t row = 0; row < losses.size(); ++row)  // of wrong losses no mean can be right
        if (!lab::detail::near(double(losses[row]), right.losses[row], tolerance_of_losses(right, classes)))
            return;
    if (trial.findings().empty() &&
        told_about_mean(trial, trial.values(outputs.mean)[0], right, classes, mean_before))
        return;
    LAB_EXPECT_NEAR(trial, outputs.mean, tolerance_of_mean(right, classes, batch),
                    [&](size_t) { return right.mean; });
}

// A warp has a row; its lanes share the classes.
void expect_shared_out(lab::Trial& trial, const lab::Kernel& kernel, int batch, int classes) {
    const double most = batch * (3.0 * ((classes + 31) / 32) + 4);
    const double loads = counted(kernel, "global_load_requests").value_or(0);
    if (loads <= most) return;
    lab::fail(
        trial,
        kernel.name + " loads " + number(loads) + " times; " + number(most) + " are enough for " +
            std::to_string(batch) + " rows of " + std::to_string(classes) + ".",
        "The 32 lanes of a warp share its row: lane, lane + 32, ... up to classes. The maximum and the sum "
        "then go through the warp by shuffles.",
        LAB_HERE);
}

void expect_softmax(const Floats& logits, const Labels& labels, int classes, bool costs = false) {
    const int batch = static_cast<int>(labels.size());
    CAPTURE(batch);
    CAPTURE(classes);
    constexpr float before = 77;  // in the mean: nobody may count on a zero
    lab::Trial trial;
    auto in = trial.input("logits", logits);
    auto of = trial.input("labels", labels);
    const Outputs outputs{trial.output<float>("probabilities", logits.size()),
                          trial.output<float>("losses", labels.size()), trial.inout("mean", Floats{before})};
    trial.rows(in, size_t(classes)).rows(outputs.probabilities, size_t(classes));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(softmax_cross_entropy)>(
            "softmax_cross_entropy", player.device(in), player.device(of), batch, classes,
            player.device(outputs.probabilities), player.device(outputs.losses), player.device(outputs.mean));
    });
    if (told_about_fault(trial) || told_about_lanes(trial)) return;
    LAB_EXPECT_OK(trial);
    check_outputs(trial, outputs, logits, answers_of(logits, labels, classes), labels, classes, before);
    LAB_EXPECT_CLEAN(trial);
    if (!costs) return;
    for (const lab::Kernel& kernel : trial.launches()) expect_shared_out(trial, kernel, batch, classes);
}

// A network, its pictures, and what they show.
struct Question {
    Floats x;
    Labels labels;
    lab::LearnedNetwork network;
};

struct Played {
    lab::Array<float> hidden, logits;
    Outputs outputs;
    lab::Array<float> h_mean;
};

bool told_about_hidden(lab::Trial& trial, std::span<const float> hidden, std::span<const float> before) {
    for (size_t i = 0; i < hidden.size(); ++i) {
        if (hidden[i] >= 0 || !std::isfinite(hidden[i])) continue;
        lab::fail(
            trial,
            "hidden[" + std::to_string(i) + "] is " + number(hidden[i]) + ", expected " +
                number(std::max(before[i], 0.0f)) + ": there is no ReLU behind the first layer.",
            "Between the two linear layers, call relu on all batch * hidden numbers. Without it the two "
            "are no more than one.",
            LAB_HERE);
        return true;
    }
    return false;
}

// The second layer with something of the first one's.
bool told_about_second(lab::Trial& trial, std::span<const float> got, const Floats& hidden,
                       const lab::LearnedNetwork& net, const Shape& second) {
    const auto is = [&](const Floats& b, int in) {
        if (in > second.in || b.size() < size_t(second.out)) return false;
        const Shape other{second.batch, in, second.out};
        const Sums sums = linear_of(hidden, net.w2, b, other);
        const double margin = 2 * tolerance_of(sums, other).absolute;
        for (size_t i = 0; i < got.size(); ++i)
            if (std::fabs(got[i] - sums.values[i]) > margin) return false;
        return true;
    };
    if (is(net.b2, second.in)) return false;
    if (is(net.b1, second.in))
        return tell(
            trial, {"The second layer was given the biases of the first.", "hidden goes through w2 and b2."});
    if (is(net.b2, net.in))
        return tell(trial, {"The second layer was told that hidden has rows of net.in numbers.",
                            "What was out is now in: a row of hidden has net.hidden numbers."});
    return false;
}

// Each layer is compared with what it should have made of the numbers that it really got.
void check_layers(lab::Trial& trial, const Played& played, const Question& q) {
    const lab::LearnedNetwork& net = q.network;
    const int batch = static_cast<int>(q.labels.size());
    const Shape first{batch, net.in, net.hidden}, second{batch, net.hidden, net.out};
    Sums hidden = linear_of(q.x, net.w1, net.b1, first);
    const Floats unclipped(hidden.values.begin(), hidden.values.end());
    for (double& value : hidden.values) value = std::max(value, 0.0);
    if (went_well(trial) && trial.findings().empty() &&
        told_about_hidden(trial, trial.values(played.hidden), unclipped))
        return;
    LAB_EXPECT_NEAR(trial, played.hidden, tolerance_of(hidden, first),
                    [&](size_t i) { return hidden.values[i]; });
    if (!went_well(trial)) return;
    const auto came = trial.values(played.hidden);
    const Floats given(came.begin(), came.end());
    const Sums logits = linear_of(given, net.w2, net.b2, second);
    if (trial.findings().empty() &&
        (told_about_second(trial, trial.values(played.logits), given, net, second) ||
         told_about_linear(trial, trial.values(played.logits), given, net.w2, net.b2, second, "logits")))
        return;
    LAB_EXPECT_NEAR(trial, played.logits, tolerance_of(logits, second),
                    [&](size_t i) { return logits.values[i]; });
    const auto scores = trial.values(played.logits);
    const Answers answers = answers_of(scores, q.labels, net.out);
    check_outputs(trial, played.outputs, scores, answers, q.labels, net.out, 0);
    LAB_EXPECT_NEAR(trial, played.h_mean, tolerance_of_mean(answers, net.out, batch),
                    [&](size_t) { return answers.mean; });
}

void expect_forward(const Question& q) {
    const lab::LearnedNetwork& net = q.network;
    const size_t batch = q.labels.size(), in = size_t(net.in), mid = size_t(net.hidden),
                 out = size_t(net.out);
    CAPTURE(batch);
    lab::Trial trial;
    auto x = trial.input("x", q.x);
    auto w1 = trial.input("w1", net.w1), b1 = trial.input("b1", net.b1);
    auto w2 = trial.input("w2", net.w2), b2 = trial.input("b2", net.b2);
    auto labels = trial.input("labels", q.labels);
    const Played played{trial.output<float>("hidden", batch * mid),
                        trial.output<float>("logits", batch * out),
                        {trial.output<float>("probabilities", batch * out),
                         trial.output<float>("losses", batch), trial.output<float>("mean", 1)},
                        trial.output<float>("h_mean", 1)};
    trial.rows(x, in).rows(w1, mid).rows(b1, mid).rows(w2, out).rows(b2, out);
    trial.rows(played.hidden, mid).rows(played.logits, out).rows(played.outputs.probabilities, out);
    trial.play([&](lab::Player& player) {
        const Network network{
            net.in,           net.hidden, net.out, player.device(w1), player.device(b1), player.device(w2),
            player.device(b2)};
        const Layers layers{player.device(played.hidden), player.device(played.logits),
                            player.device(played.outputs.probabilities), player.device(played.outputs.losses),
                            player.device(played.outputs.mean)};
        return player.call<decltype(forward)>("forward", &network, player.device(x), player.device(labels),
                                              static_cast<int>(batch), &layers, player.host(played.h_mean));
    });
    if (told_about_chain(trial) || told_about_fault(trial)) return;
    LAB_EXPECT_OK(trial);
    check_layers(trial, played, q);
    LAB_EXPECT_CLEAN(trial);
}

lab::LearnedNetwork made_up(int in, int hidden, int out) {
    const auto count = [](int rows, int columns) { return at(rows, columns, 0); };
    return {in,
            hidden,
            out,
            numbers(count(in, hidden), 1),
            numbers(size_t(hidden), 2),
            numbers(count(hidden, out), 3),
            numbers(size_t(out), 4)};
}

Question samples(uint64_t first, int count) {
    Question q{{}, {}, lab::load_network(lab::find_home(), lab::digit_network)};
    add_samples(first, count, q.x, q.labels);
    return q;
}

}  // namespace

TEST_CASE("Linear, by hand: two rows of three by three columns of four") {
    expect_linear({{1, 2, 3, 4, 5, 6}, {1, 0, -1, 2, 0, 1, -1, 3, 2, 1, -4, 0}, {10, 20, 30, 40}, {2, 3, 4}});
}

TEST_CASE("Linear, ragged: sizes that no block divides, and single ones") {
    for (const Shape& s :
         {Shape{5, 19, 37}, Shape{33, 8, 10}, Shape{1, 1, 1}, Shape{3, 40, 65}, Shape{7, 1, 3}})
        expect_linear(layer_of(s));
}

TEST_CASE("Linear, counted: 32 rows of 64 by 64 columns, neighbours side by side") {
    expect_linear(layer_of({32, 64, 64}), true);
}

TEST_CASE("ReLU: eight numbers") {
    expect_relu({-2, -0.5f, 0, 0.5f, 2, -1e30f, 1e30f, -1e-30f});
}

TEST_CASE("ReLU: 1, 1000 and 5000 numbers, by 1024 threads") {
    for (const size_t n : {1, 1000, 5000}) expect_relu(numbers(n, 5));
}

TEST_CASE("Softmax, by hand: logits 0, 0 and 0, and 1, 2, 3") {
    expect_softmax({0, 0, 0, 1, 2, 3}, {2, 1}, 3);
}

TEST_CASE("Softmax: 33 rows of 10, 5 rows of 40, and a single class") {
    for (const auto& [batch, classes] :
         {std::pair{33, 10}, std::pair{5, 40}, std::pair{3, 1}, std::pair{1, 33}}) {
        Floats logits = numbers(at(batch, classes, 0), 6);
        for (float& logit : logits) logit *= 4;
        expect_softmax(logits, labels_of(batch, classes), classes, true);
    }
}

TEST_CASE("Softmax with large logits: 1000 and 999, -1000 and -1001, and a label without a chance") {
    expect_softmax({1000, 999, 998, -1000, -1001, -1002, 200, 0, 50, 90, 89, 91}, {0, 1, 1, 2}, 3);
    Floats forty(40, 1);
    forty[37] = 150;  // in the second round of a lane
    expect_softmax(forty, {37}, 40);
}

TEST_CASE("Forward, small: 5 pictures of 6, 20 hidden, 10 classes") {
    expect_forward({numbers(5 * 6, 7), labels_of(5, 10), made_up(6, 20, 10)});
}

TEST_CASE("Forward: 37 pictures of 7, 33 hidden, 3 classes") {
    expect_forward({numbers(37 * 7, 8), labels_of(37, 3), made_up(7, 33, 3)});
}

TEST_CASE("Three digits, by a network that has learned them") {
    expect_forward(samples(0, 3));
}

LAB_EXPERIMENT("A digit on its way through the network")(const lab::Settings& at) {
    Question q = samples(index_of_sample(at["digit"], at["sample"]), 1);
    if (const auto& drawn = at.drawing("picture"); !drawn.empty()) q.x = scaled_pixels(drawn);
    expect_forward(q);
}

TEST_SUITE_END();
