// What exercise 22 must do: each step back by itself, then the whole way, judged by what each step was given and by
// nudging weights.
#include "lessons/22_mlp_backward/interface.h"

#include "lessons/22_mlp_backward/grader_network.h"

TEST_SUITE_BEGIN("22_mlp_backward");

namespace {

using namespace lab::lesson_22_mlp_backward;

// Costs that a warp with neighbours side by side need not exceed, whatever else it does.
bool told_about_sectors(lab::Trial& trial, const char* load_advice, const char* store_advice) {
    for (const lab::Kernel& kernel : trial.launches())
        for (const std::string op : {"load", "store"}) {
            const double requests = counted(kernel, "global_" + op + "_requests").value_or(0);
            const double sectors = counted(kernel, "global_" + op + "_sectors").value_or(0);
            if (sectors <= 4 * requests) continue;
            lab::fail(trial,
                      kernel.name + " moves " + number(std::round(10 * sectors / requests) / 10) +
                          " sectors a " + op + "; 4 are enough for a warp of neighbours.",
                      op == "load" ? load_advice : store_advice, LAB_HERE);
            return true;
        }
    return false;
}

double counted_in_all(const lab::Trial& trial, const std::string& metric) {
    double sum = 0;
    for (const lab::Kernel& kernel : trial.launches()) sum += counted(kernel, metric).value_or(0);
    return sum;
}

// `results`: elements that are computed, `terms`: of each sum, `spare`: requests for whatever else there is.
void expect_requests(lab::Trial& trial, size_t results, int terms, double spare) {
    const double warps = double((results + 31) / 32);
    const double loads = counted_in_all(trial, "global_load_requests"), enough = 2 * terms * warps + spare;
    if (loads > enough)
        return lab::fail(trial,
                         "All kernels together load " + number(loads) + " times; " + number(enough) +
                             " are enough: two numbers for each term of a sum.",
                         "Add up in a variable of the thread; read each number once for each term.",
                         LAB_HERE);
    const double stores =
        counted_in_all(trial, "global_store_requests") + counted_in_all(trial, "global_atomic_requests");
    if (stores > 8 * warps + spare)
        lab::fail(trial,
                  "All kernels together store or add atomically " + number(stores) + " times, for " +
                      number(warps) + " warps of results.",
                  "Add up in a variable of the thread, and store it once, behind the loop: no atomics, and "
                  "the same "
                  "bits each time.",
                  LAB_HERE);
}

void expect_dlogits(const Floats& probabilities, const Labels& labels, int classes) {
    const int batch = int(labels.size());
    CAPTURE(batch);
    CAPTURE(classes);
    lab::Trial trial;
    auto p = trial.input("probabilities", probabilities);
    auto of = trial.input("labels", labels);
    auto dlogits = trial.output<float>("dlogits", probabilities.size());
    trial.rows(p, size_t(classes)).rows(dlogits, size_t(classes));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(softmax_cross_entropy_backward)>("softmax_cross_entropy_backward",
                                                                     player.device(p), player.device(of),
                                                                     batch, classes, player.device(dlogits));
    });
    if (told_about_fault(trial, words_for_labels)) return;
    LAB_EXPECT_OK(trial);
    const Gradient right = dlogits_of(probabilities, labels, classes);
    trial.reference(dlogits, floats_of(right.values));
    if (went_well(trial) && trial.findings().empty() &&
        told_about(trial, "dlogits", trial.values(dlogits), right,
                   dlogits_slips(probabilities, labels, right)))
        return;
    LAB_EXPECT_NEAR(trial, dlogits, right.tolerance(), [&](size_t i) { return right.values[i]; });
    LAB_EXPECT_CLEAN(trial);
}

void expect_dlogits(int batch, int classes) {
    Floats logits = numbers(at(batch, classes, 0), 6);
    const auto answers = lab::lesson_21_mlp_forward::answers_of(logits, labels_of(batch, classes), classes);
    expect_dlogits(floats_of(answers.probabilities), labels_of(batch, classes), classes);
}

uint32_t seed_of(const Shape& s) {
    return static_cast<uint32_t>(s.batch * 131 + s.in * 17 + s.out);
}

Words words_for_grid_of_dw(const lab::Trial& trial, const Shape& s) {
    Words words = lab::lesson_21_mlp_forward::words_for_grid(trial, {"dw", s.in, s.out, "in", "out"});
    if (!words.next.empty())
        words.next = "dw has the shape of w, in x out, whatever the batch. " + words.next;
    return words;
}

void expect_weights(const Floats& x_values, const Floats& dy_values, const Shape& s, bool costs = false) {
    CAPTURE(s.text());
    lab::Trial trial;
    auto x = trial.input("x", x_values), dy = trial.input("dy", dy_values);
    auto dw = trial.output<float>("dw", at(s.in, s.out, 0)), db = trial.output<float>("db", size_t(s.out));
    trial.rows(x, size_t(s.in)).rows(dy, size_t(s.out)).rows(dw, size_t(s.out)).rows(db, size_t(s.out));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(linear_backward_weights)>("linear_backward_weights", player.device(x),
                                                              player.device(dy), player.device(dw),
                                                              player.device(db), s.batch, s.in, s.out);
    });
    if (told_about_fault(trial, [&](const lab::Finding& f) { return words_for_weights(f, s); })) return;
    LAB_EXPECT_OK(trial);
    const Gradient of_w = dw_of(x_values, dy_values, s), of_b = db_of(dy_values, s);
    trial.reference(dw, floats_of(of_w.values));
    trial.reference(db, floats_of(of_b.values));
    if (went_well(trial) && trial.findings().empty() &&
        (told_about(trial, "dw", trial.values(dw), of_w, dw_slips(x_values, dy_values, s, of_w)) ||
         told_about(trial, "db", trial.values(db), of_b, db_slips(dy_values, s, of_b))))
        return;
    if (tell(trial, words_for_grid_of_dw(trial, s))) return;
    LAB_EXPECT_NEAR(trial, dw, of_w.tolerance(), [&](size_t i) { return of_w.values[i]; });
    LAB_EXPECT_NEAR(trial, db, of_b.tolerance(), [&](size_t i) { return of_b.values[i]; });
    LAB_EXPECT_CLEAN(trial);
    if (!costs) return;
    if (told_about_sectors(
            trial,
            "Let threadIdx.x run along the columns: then 32 lanes read 32 neighbours of a row of dy, and "
            "all of them the same element of x.",
            "Let threadIdx.x run along the columns of dw: then 32 lanes write 32 neighbours of a row."))
        return;
    expect_requests(trial, at(s.in, s.out, 0), s.batch, 2.0 * s.batch * ((s.out + 31) / 32));
}

void expect_weights(const Shape& s, bool costs = false) {
    expect_weights(numbers(at(s.batch, s.in, 0), seed_of(s)), numbers(at(s.batch, s.out, 0), seed_of(s) + 1),
                   s, costs);
}

void expect_input(const Floats& dy_values, const Floats& w_values, const Shape& s, bool costs = false) {
    CAPTURE(s.text());
    lab::Trial trial;
    auto dy = trial.input("dy", dy_values), w = trial.input("w", w_values);
    auto dx = trial.output<float>("dx", at(s.batch, s.in, 0));
    trial.rows(dy, size_t(s.out)).rows(w, size_t(s.out)).rows(dx, size_t(s.in));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(linear_backward_input)>("linear_backward_input", player.device(dy),
                                                            player.device(w), player.device(dx), s.batch,
                                                            s.in, s.out);
    });
    if (told_about_fault(trial, [&](const lab::Finding& f) { return words_for_input(f, s); })) return;
    LAB_EXPECT_OK(trial);
    const Gradient right = dx_of(dy_values, w_values, s);
    trial.reference(dx, floats_of(right.values));
    if (went_well(trial) && trial.findings().empty() &&
        told_about(trial, "dx", trial.values(dx), right, dx_slips(dy_values, w_values, s, right)))
        return;
    LAB_EXPECT_NEAR(trial, dx, right.tolerance(), [&](size_t i) { return right.values[i]; });
    LAB_EXPECT_CLEAN(trial);
    if (!costs) return;
    if (told_about_sectors(
            trial,
            "Neighbouring lanes have neighbouring k, and so different rows of w. Let the block load a "
            "tile of w along its rows into shared memory, and read the tile down its columns (lesson 05).",
            "Let threadIdx.x run along the columns of dx: then 32 lanes write 32 neighbours of a row."))
        return;
    expect_requests(trial, at(s.batch, s.in, 0), s.out, 0);
    for (const lab::Kernel& kernel : trial.launches()) {
        const double conflicts = counted(kernel, "shared_load_conflicts").value_or(0);
        if (conflicts > counted(kernel, "shared_load_wavefronts").value_or(0) / 4)
            return lab::fail(
                trial,
                kernel.name + " has " + number(conflicts) +
                    " bank conflicts: the lanes read the tile down a column, and all are in one bank.",
                "Give each row of the tile one number more than it needs: tile[32][33].", LAB_HERE);
    }
}

void expect_input(const Shape& s, bool costs = false) {
    expect_input(numbers(at(s.batch, s.out, 0), seed_of(s)), numbers(at(s.in, s.out, 0), seed_of(s) + 1), s,
                 costs);
}

void expect_mask(const Floats& y_values, const Floats& before) {
    CAPTURE(before.size());
    lab::Trial trial;
    auto y = trial.input("y", y_values);
    auto dy = trial.inout("dy", before);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(relu_backward)>("relu_backward", player.device(y), player.device(dy),
                                                    int(before.size()));
    });
    if (told_about_fault(trial, [](const lab::Finding&) { return Words{}; })) return;
    LAB_EXPECT_OK(trial);
    Gradient right{1, int(before.size()), 0, 0, Doubles(before.begin(), before.end())};
    mask(right, y_values);
    trial.reference(dy, floats_of(right.values));
    if (went_well(trial) && trial.findings().empty() &&
        told_about(trial, "dy", trial.values(dy), right, mask_slips(y_values, before)))
        return;
    LAB_EXPECT_EACH(trial, dy, [&](size_t i) { return float(right.values[i]); });
    LAB_EXPECT_CLEAN(trial);
}

// As a ReLU leaves them: about half are zero.
Floats bent(size_t n, uint32_t seed) {
    Floats y = numbers(n, seed);
    for (float& value : y) value = std::max(value, 0.0f);
    return y;
}

Question samples(uint64_t first, int count) {
    Question q{{}, {}, lab::load_network(lab::find_home(), lab::digit_network)};
    add_samples(first, count, q.x, q.labels);
    return q;
}

}  // namespace

TEST_CASE("dlogits, by hand: two rows of three classes") {
    expect_dlogits({0.5f, 0.25f, 0.25f, 0.125f, 0.125f, 0.75f}, {1, 2}, 3);
}

TEST_CASE("dlogits: 33 rows of 10, 5 rows of 40, one row, one class") {
    for (const auto& [batch, classes] :
         {std::pair{33, 10}, std::pair{5, 40}, std::pair{1, 10}, std::pair{3, 1}})
        expect_dlogits(batch, classes);
}

TEST_CASE("Weights, by hand: two rows of three inputs, four outputs") {
    expect_weights({1, 2, 3, 4, 5, 6}, {1, 0, -1, 2, 0.5f, 1, -2, 3}, {2, 3, 4});
}

TEST_CASE("Weights, ragged: sizes that no block divides, a batch of 1, and single ones") {
    for (const Shape& s :
         {Shape{5, 19, 37}, Shape{33, 8, 10}, Shape{1, 40, 65}, Shape{1, 1, 1}, Shape{7, 3, 140}})
        expect_weights(s);
}

TEST_CASE("Weights, counted: 32 rows of 64 inputs, 64 outputs") {
    expect_weights({32, 64, 64}, true);
}

TEST_CASE("Weights, ten outputs, counted: 32 rows of 64 inputs, 10 outputs") {
    expect_weights({32, 64, 10});
}

TEST_CASE("Input, by hand: two rows of four outputs, three inputs") {
    expect_input({1, 0, -1, 2, 0.5f, 1, -2, 3}, {1, 0, -1, 2, 0, 1, -1, 3, 2, 1, -4, 0}, {2, 3, 4});
}

TEST_CASE("Input, ragged: sizes that no tile divides, a batch of 1, and single ones") {
    for (const Shape& s : {Shape{5, 19, 37}, Shape{33, 40, 10}, Shape{1, 65, 33}, Shape{1, 1, 1}})
        expect_input(s);
}

TEST_CASE("Input, counted: 32 rows of 64 outputs, 64 inputs, neighbours side by side") {
    expect_input({32, 64, 64}, true);
}

TEST_CASE("ReLU, back: eight numbers") {
    expect_mask({0, 0.5f, 2, 0, 1e-30f, 0, 3, 0}, {1, 2, -3, -4, 5, 6, -7, 8});
}

TEST_CASE("ReLU, back: 1, 1000 and 5000 numbers, by 1024 threads") {
    for (const size_t n : {1, 1000, 5000}) expect_mask(bent(n, 5), numbers(n, 6));
}

TEST_CASE("Nudged: 5 pictures of 6, 20 hidden, 10 classes") {
    expect_backward({numbers(5 * 6, 7), labels_of(5, 10), made_up(6, 20, 10)}, Judge::by_nudges);
}

TEST_CASE("Backward: 37 pictures of 7, 33 hidden, 3 classes") {
    expect_backward({numbers(37 * 7, 8), labels_of(37, 3), made_up(7, 33, 3)}, Judge::by_steps);
}

TEST_CASE("Backward: a batch of one picture") {
    expect_backward({numbers(9, 9), labels_of(1, 4), made_up(9, 5, 4)}, Judge::by_steps);
}

TEST_CASE("Three digits, one of them with the label of another") {
    Question q = samples(0, 3);
    q.labels[1] = (q.labels[1] + 5) % 10;
    expect_backward(q, Judge::by_steps);
}

LAB_EXPERIMENT("A digit, and what each weight had to do with it")(const lab::Settings& at) {
    Question q = samples(index_of_sample(at["digit"], at["sample"]), 1);
    if (const auto& drawn = at.drawing("picture"); !drawn.empty()) q.x = scaled_pixels(drawn);
    q.labels[0] = at["label"];
    expect_backward(q, Judge::by_steps);
}

TEST_SUITE_END();
