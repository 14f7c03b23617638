// What exercise 23 must do: its four small functions and its step by themselves, then whole trainings, each judged by the same training
// in double with the order that the learner's own shuffle made.
#include "lessons/23_mlp_train/interface.h"

#include "lessons/23_mlp_train/grader_pieces.h"
#include "workbench/data/digits.h"
#include "workbench/data/store.h"

TEST_SUITE_BEGIN("23_mlp_train");

namespace {

using namespace lab::lesson_23_mlp_train;

// ---- train ----

Task made_up(const Sizes& sizes, int count, const Plan& plan) {
    Task task{sizes, fresh_weights(sizes, 21), pixels_of(count, sizes.in, 22), {}, plan};
    for (int i = 0; i < count; ++i) task.labels.push_back((i * 7 + 3) % sizes.out);
    return task;
}

struct Arrays {
    lab::Array<uint8_t> pixels;
    lab::Array<int> labels;
    lab::Array<float> w1, b1, w2, b2;
};

Arrays arrays_of(lab::Trial& trial, const Task& task) {
    Arrays arrays{trial.input("pixels", task.pixels), trial.input("labels", task.labels),
                  trial.inout("w1", task.start.w1),   trial.inout("b1", task.start.b1),
                  trial.inout("w2", task.start.w2),   trial.inout("b2", task.start.b2)};
    trial.rows(arrays.pixels, size_t(task.sizes.in)).rows(arrays.w1, size_t(task.sizes.hidden));
    trial.rows(arrays.w2, size_t(task.sizes.out));
    return arrays;
}

Network network_of(lab::Player& player, const Task& task, const Arrays& a) {
    return {task.sizes.in,       task.sizes.hidden,   task.sizes.out,     player.device(a.w1),
            player.device(a.b1), player.device(a.w2), player.device(a.b2)};
}

Samples samples_of(lab::Player& player, const Task& task, const Arrays& a) {
    return {task.count(), player.device(a.pixels), player.device(a.labels)};
}

int call_train(lab::Player& player, const Task& task, const Arrays& a, const Plan& plan, int* order,
               float* losses) {
    const Network network = network_of(player, task, a);
    const Samples samples = samples_of(player, task, a);
    return player.call<decltype(train)>("train", &network, &samples, &plan, order, losses);
}

bool told_about_orders(lab::Trial& trial, std::span<const int> orders, const Task& task) {
    const auto count = static_cast<size_t>(task.count());
    for (int epoch = 0; epoch < task.plan.epochs; ++epoch) {
        const auto order = orders.subspan(size_t(epoch) * count, count);
        if (const auto fault = fault_of_order(order))
            return tell(trial, "In epoch " + std::to_string(epoch) + ", " + *fault + ".", shuffle_next);
        if (epoch > 0 && count > 4 && std::equal(order.begin(), order.end(), orders.begin()))
            return tell(trial, "Epoch " + std::to_string(epoch) + " has the order of epoch 0.",
                        "Another seed for each epoch: plan->seed + epoch.");
    }
    return false;
}

// The share of these samples that a network gets right.
double accuracy(const Weights<float>& w, const Sizes& s, std::span<const uint8_t> pixels,
                const Ints& labels) {
    int right = 0;
    Floats hidden, logits;
    for (size_t i = 0; i < labels.size(); ++i) {
        hidden = w.b1;
        for (int k = 0; k < s.in; ++k) {
            const uint8_t pixel = pixels[i * size_t(s.in) + size_t(k)];
            for (int h = 0; h < s.hidden && pixel != 0; ++h)
                hidden[size_t(h)] += float(pixel) / 255 * w.w1[at(k, s.hidden, h)];
        }
        logits = w.b2;
        for (int h = 0; h < s.hidden; ++h)
            for (int c = 0; c < s.out && hidden[size_t(h)] > 0; ++c)
                logits[size_t(c)] += hidden[size_t(h)] * w.w2[at(h, s.out, c)];
        right += int(std::max_element(logits.begin(), logits.end()) - logits.begin()) == labels[i];
    }
    return labels.empty() ? 0 : double(right) / double(labels.size());
}

struct Aim {
    double loss = 0;  // that the last epoch's mean may have at most; 0: any
    double accuracy = 0;
    Bytes pixels;  // of a test
    Ints labels;
};

void expect_aim(lab::Trial& trial, const Task& task, const Came& came, const Aim& aim) {
    const auto copy = [](std::span<const float> v) { return Floats(v.begin(), v.end()); };
    const Weights<float> weights{copy(came.w1), copy(came.b1), copy(came.w2), copy(came.b2)};
    double mean = 0;
    for (const float loss : came.losses.last(size_t(task.steps()))) mean += loss / task.steps();
    if (!(mean <= aim.loss)) {
        tell(trial,
             "The mean loss of the last epoch is " + number(mean) + ", and should be " + number(aim.loss) +
                 " at most: it does not learn.",
             "Look at the smaller cases first: they say which step is wrong.");
        return;
    }
    const double right = accuracy(weights, task.sizes, aim.pixels, aim.labels);
    if (right < aim.accuracy)
        tell(trial,
             "It gets " + number(100 * right) + " % of digits right that it has not seen; " +
                 number(100 * aim.accuracy) + " % should be there.",
             "Look at the smaller cases first: they say which step is wrong.");
}

// The weights and losses that a training by `order` left, against the same in double. True: it said what is wrong.
bool told_about_numbers(lab::Trial& trial, const Task& task, const Came& came, const Arrays& a,
                        const lab::Array<float>& losses, const Ints& order) {
    if (told_about_slip(trial, came, task, order)) return true;
    if (told_about_fetching(trial, task.steps() * task.plan.epochs)) return true;
    const Trained right = train_in_double(task, order);
    const lab::Tolerance near = tolerance_of(task);
    LAB_EXPECT_NEAR(trial, a.w1, near, [&](size_t i) { return right.weights.w1[i]; });
    LAB_EXPECT_NEAR(trial, a.b1, near, [&](size_t i) { return right.weights.b1[i]; });
    LAB_EXPECT_NEAR(trial, a.w2, near, [&](size_t i) { return right.weights.w2[i]; });
    LAB_EXPECT_NEAR(trial, a.b2, near, [&](size_t i) { return right.weights.b2[i]; });
    if (trial.findings().empty() && told_about_losses(trial, came, task, right)) return true;
    LAB_EXPECT_NEAR(trial, losses, near, [&](size_t i) { return right.losses[i]; });
    LAB_EXPECT_CLEAN(trial);
    return false;
}

Came came_of(const lab::Trial& trial, const Arrays& a, const lab::Array<float>& losses) {
    return {trial.values(a.w1), trial.values(a.b1), trial.values(a.w2), trial.values(a.b2),
            trial.values(losses)};
}

constexpr const char* finish_last =
    "The first step begins at place 0 of room.d_order. finish_kernel counts on, so it comes last.";
constexpr const char* smaller_step =
    "An epoch has count / batch whole steps. If count % batch is not 0, one more has so many rows: it needs "
    "a graph of "
    "its own, for a graph keeps its rows and its grid.";

// queue_step by itself, on the first batch of an order.
void expect_step(const Task& task, const Ints& order) {
    lab::Trial trial;
    trial.raise("leak");
    const Arrays a = arrays_of(trial, task);
    const auto h_order = trial.input("order", order);
    const auto loss = trial.output<float>("loss", 1);
    trial.play([&](lab::Player& player) {
        const Network network = network_of(player, task, a);
        const Samples samples = samples_of(player, task, a);
        return player.call<decltype(one_step)>("one_step", &network, &samples, &task.plan,
                                               player.host(h_order), player.host(loss));
    });
    if (told_about_sequence(trial) || told_about_overrun(trial, finish_last) || told_about_fault(trial))
        return;
    LAB_EXPECT_OK(trial);
    if (!went_well(trial)) return;
    if (told_about_idleness(trial, "queue_step",
                            "Gather, forward, backward, four updates, finish: each is queued in `stream`."))
        return;
    told_about_numbers(trial, task, came_of(trial, a, loss), a, loss, order);
}

void expect_training(const Task& task, const Aim& aim = {}) {
    const int steps = task.steps() * task.plan.epochs;
    CAPTURE(steps);
    lab::Trial trial;
    trial.raise("leak");
    const Arrays a = arrays_of(trial, task);
    auto order = trial.output<int>("order", at(task.plan.epochs, task.count(), 0));
    auto losses = trial.output<float>("losses", size_t(steps));
    trial.play([&](lab::Player& player) {
        return call_train(player, task, a, task.plan, player.host(order), player.host(losses));
    });
    if (trial.ended_well() && trial.returned() != 0)
        trial.tolerate("leak").tolerate("unchecked-error");  // they follow from the error
    if (told_about_overrun(trial, smaller_step) || told_about_fault(trial) || told_about_no_graph(trial))
        return;
    LAB_EXPECT_OK(trial);
    if (!went_well(trial)) return;
    const std::string times = std::to_string(steps) + (steps == 1 ? " time" : " times");
    if (told_about_idleness(trial, "train",
                            "Capture the step as a graph, then launch it, here " + times +
                                ": cudaGraphLaunch(step, stream).") ||
        told_about_empty_graph(trial) || told_about_orders(trial, trial.values(order), task))
        return;
    const auto used = trial.values(order);
    const Came came = came_of(trial, a, losses);
    if (told_about_numbers(trial, task, came, a, losses, Ints(used.begin(), used.end()))) return;
    if (told_about_time(trial, task)) return;
    if (aim.loss > 0) expect_aim(trial, task, came, aim);
}

// Generated digits, each pixel the mean of a square of `by` x `by`.
void take_digits(uint64_t seed, uint64_t first, int count, int by, Bytes& pixels, Ints& labels) {
    const int side = 28 / by;
    for (int i = 0; i < count; ++i) {
        const lab::Digit digit = lab::make_digit(seed, first + uint64_t(i));
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                int sum = 0;
                for (int dy = 0; dy < by; ++dy)
                    for (int dx = 0; dx < by; ++dx) sum += digit.pixels[at(y * by + dy, 28, x * by + dx)];
                pixels.push_back(uint8_t(sum / (by * by)));
            }
        labels.push_back(digit.label);
    }
}

// A training for the pad: MNIST where it is stored, else drawn digits, an epoch at a time, with its numbers on their way to the window.
struct Training {
    int hidden, batch, epochs, samples;
    float rate;
};

// As long as TODO 7 is open, nothing trains.
bool told_about_no_training(lab::Trial& trial, const Task& task, const Came& came) {
    const auto same = [](std::span<const float> now, const Floats& before) {
        return std::equal(now.begin(), now.end(), before.begin());
    };
    if (!same(came.w1, task.start.w1) || !same(came.w2, task.start.w2)) return false;
    return tell(trial, "No weight changed: your train launches no steps yet.",
                "They come with TODO 6 and TODO 7. Until then, `cudalab try 23 --solution` trains.");
}

void train_for_the_pad(const Training& wanted) {
    const Sizes sizes{784, wanted.hidden, 10};
    const lab::Dataset data = lab::best_dataset(wanted.samples, 500).dataset;
    const Ints labels(data.train.labels.begin(), data.train.labels.end());
    const Ints test_labels(data.test.labels.begin(), data.test.labels.end());
    const Task task{sizes,
                    fresh_weights(sizes, seed_of_the_pad),
                    data.train.pixels,
                    labels,
                    {wanted.batch, wanted.epochs, wanted.rate, 1}};
    lab::Trial trial;
    trial.seconds(110);
    const Arrays a = arrays_of(trial, task);
    trial.keep(a.w1, size_t{256} << 10);
    auto order = trial.output<int>("order", at(task.plan.epochs, task.count(), 0));
    auto losses = trial.output<float>("losses", size_t(task.steps() * task.plan.epochs));
    trial.play([&](lab::Player& player) {
        const auto measure = [&](int epochs) {
            const Weights<float> now{player.now(a.w1), player.now(a.b1), player.now(a.w2), player.now(a.b2)};
            player.point("accuracy", float(epochs * task.steps()),
                         float(accuracy(now, sizes, data.test.pixels, test_labels)));
        };
        player.point("steps", 0, float(task.steps() * task.plan.epochs));  // that it will have
        measure(0);
        for (int epoch = 0; epoch < task.plan.epochs; ++epoch) {
            Plan plan = task.plan;
            plan.epochs = 1;
            plan.seed += unsigned(epoch);
            float* mine = player.host(losses) + epoch * task.steps();
            const int status =
                call_train(player, task, a, plan, player.host(order) + epoch * task.count(), mine);
            if (status != 0) return status;
            for (int s = 0; s < task.steps(); ++s)
                player.point("loss", float(epoch * task.steps() + s), mine[s]);
            measure(epoch + 1);
        }
        return 0;
    });
    if (told_about_no_graph(trial)) return;
    LAB_EXPECT_OK(trial);
    if (!went_well(trial) || told_about_no_training(trial, task, came_of(trial, a, losses)) ||
        told_about_orders(trial, trial.values(order), task))
        return;
    // The first steps show whether it is a training at all; all of it in double would take as long again.
    const auto used = trial.values(order);
    const Trained right = train_in_double(task, Ints(used.begin(), used.end()), {}, 3);
    for (size_t i = 0; i < right.losses.size() && i < trial.values(losses).size(); ++i) {
        const double came = trial.values(losses)[i];
        if (std::fabs(came - right.losses[i]) <= 1e-3 * (1 + right.losses[i])) continue;
        tell(trial,
             "losses[" + std::to_string(i) + "] is " + number(came) + ", expected " +
                 number(right.losses[i]) + ".",
             "Grade your file: the small cases say what is wrong.");
        return;
    }
    LAB_EXPECT_CLEAN(trial);
}

}  // namespace

TEST_CASE("Update: 5 weights, and 10000, more than there are threads") {
    if (expect_update(5, 0.25f)) expect_update(10000, 0.25f);
}

TEST_CASE("Shuffle: 10 samples, 2000 seeds, each sample once and everywhere alike") {
    expect_shuffles(10, 2000);
}

TEST_CASE("Shuffle: 1, 2 and 1000 samples") {
    for (const int count : {1, 2, 1000}) expect_shuffles(count, 3);
}

TEST_CASE("Gather: 3 rows of 4 pixels, from place 2 of the order") {
    expect_gather(5, 4, 2, 3);
}

TEST_CASE("Gather: 9 rows of 300 pixels, more than a block has threads") {
    expect_gather(12, 300, 4, 9);
}

TEST_CASE("Finish: the mean of 3 and of 50 losses, and the count") {
    if (expect_finish({1, 2, 6}, 8, 2) && expect_finish(Floats(50, 0.5f), 0, 0))
        expect_finish({0.75f}, 15, 5);
}

TEST_CASE("Step, without a graph: 4 samples of 6 pixels, 5 hidden units, 3 classes") {
    expect_step(made_up({6, 5, 3}, 4, {4, 1, 0.5f, 1}), {2, 0, 3, 1});
}

TEST_CASE("Train, one step: 4 samples of 6 pixels, 5 hidden units, 3 classes") {
    expect_training(made_up({6, 5, 3}, 4, {4, 1, 0.5f, 1}));
}

TEST_CASE("Train, 3 epochs of 11 samples by fours: the last step has 3") {
    expect_training(made_up({6, 33, 10}, 11, {4, 3, 0.5f, 1}));
}

TEST_CASE("Train, 2 epochs of 5 samples in a batch of 8: one smaller step each") {
    expect_training(made_up({5, 7, 4}, 5, {8, 2, 0.25f, 7}));
}

TEST_CASE("Train, on the clock: 8 epochs of 12 samples by threes, 32 launches of a graph") {
    expect_training(made_up({8, 16, 10}, 12, {3, 8, 0.1f, 3}));
}

TEST_CASE("Train, digits: 200 drawn digits of 7 x 7, and 100 that it has not seen") {
    Task task{{49, 16, 10}, fresh_weights({49, 16, 10}, 39, 9), {}, {}, {16, 5, 0.6f, 5}};
    take_digits(1, 0, 200, 4, task.pixels, task.labels);
    Aim aim{1.4, 0.4, {}, {}};  // other shuffles: 0.91 at most, 0.57 at least
    take_digits(2, 0, 100, 4, aim.pixels, aim.labels);
    expect_training(task, aim);
}

LAB_EXPERIMENT("A training of your size")(const lab::Settings& at) {
    train_for_the_pad(
        {at["hidden"], at["batch"], at["epochs"], at["samples"], static_cast<float>(at["rate"]) / 100});
}

TEST_SUITE_END();
