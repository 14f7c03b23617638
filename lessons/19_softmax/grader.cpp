// What exercise 19 must do, a step after the other: values, on rows that break what is unsafe, and how often a row is read.
#include <algorithm>
#include <optional>

#include "lessons/19_softmax/grader_words.h"
#include "lessons/19_softmax/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("19_softmax");

namespace {

using namespace lab::lesson_19_softmax;

bool has_errors(const lab::Trial& trial) {
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse})
        for (const lab::Finding& finding : trial.findings(order))
            if (finding.severity == lab::Severity::error) return true;
    return false;
}

// A metric of the launch; nothing: this backend does not count it.
std::optional<double> counted(const lab::Kernel& kernel, const std::string& metric) {
    const auto found = kernel.metrics.find(metric);
    if (found == kernel.metrics.end()) return std::nullopt;
    return found->second;
}

struct Step {
    const char* function;
    size_t reads;  // of each row; 0: nobody counts
};
const Step naive{"softmax_naive", 0}, safe{"softmax_safe", 3}, online{"softmax_online", 2},
    long_rows{"softmax_long", 2}, any_rows{"softmax_rows", 2};

// What reading (or writing) every row once costs: 32 neighbours at a time, from the row's first number on. A row begins
// anywhere in a sector of 8 numbers.
struct Once {
    double requests = 0, sectors = 0;
};
Once once(const Rows& rows) {
    Once cost;
    for (size_t r = 0; r < rows.rows; ++r)
        for (size_t c = 0; c < rows.columns; c += lanes) {
            const size_t first = r * rows.columns + c, last = first + std::min(lanes, rows.columns - c) - 1;
            cost.requests += 1;
            cost.sectors += static_cast<double>(last / 8 - first / 8 + 1);
        }
    return cost;
}

// Whether lanes went to memory side by side, and often enough for nobody's taste.
void expect_traffic(lab::Trial& trial, const lab::Kernel& kernel, const Rows& rows, const Step& step) {
    const Once cost = once(rows);
    struct Way {
        const char *metric, *verb, *next;
        size_t times;
    };
    const Way ways[] = {
        {"global_load", "read",
         "One pass can find the maximum and the sum together: a lane keeps both, and rescales its sum when a "
         "larger number comes.",
         step.reads},
        {"global_store", "wrote", "Write each share once, when it is known.", 1},
    };
    for (const Way& way : ways) {
        const double sectors = counted(kernel, std::string(way.metric) + "_sectors").value_or(0),
                     requests = counted(kernel, std::string(way.metric) + "_requests").value_or(0);
        const double most = static_cast<double>(way.times) * cost.sectors;
        if (sectors <= most * 1.2) continue;  // a little more, for those who begin a row by single numbers
        if (sectors > 1.6 * requests * cost.sectors / cost.requests) {
            lab::fail(
                trial,
                fmt::format("{} {} {:.0f} sectors in {:.0f} requests: {:.1f} each, where {:.1f} would do.",
                            kernel.name, way.verb, sectors, requests, sectors / requests,
                            cost.sectors / cost.requests),
                "Neighbouring lanes should take neighbouring columns: lane, lane + 32, and so on.", LAB_HERE);
            return;
        }
        if (requests > 2 * static_cast<double>(way.times) * cost.requests) {
            lab::fail(
                trial,
                fmt::format("{} {} by {:.0f} requests, where {:.0f} would do: few lanes take part in each.",
                            kernel.name, way.verb, requests, static_cast<double>(way.times) * cost.requests),
                "All lanes share the row: lane, lane + 32, and so on.", LAB_HERE);
            return;
        }
        lab::fail(trial,
                  fmt::format("{} {} each row {:.1f} times: {:.0f} sectors, where {:.0f} would do for {}.",
                              kernel.name, way.verb, sectors / cost.sectors, sectors, most,
                              way.times == 1 ? "once" : fmt::format("{} times", way.times)),
                  way.next, LAB_HERE);
        return;
    }
}

// No bank of shared memory keeps a warp waiting.
void expect_no_conflicts(lab::Trial& trial, const lab::Kernel& kernel) {
    const double more = counted(kernel, "shared_load_conflicts").value_or(0) +
                        counted(kernel, "shared_store_conflicts").value_or(0);
    if (more == 0) return;
    lab::fail(trial,
              fmt::format("{} made {:.0f} passes through shared memory more than its requests need, because "
                          "words shared a bank.",
                          kernel.name, more),
              "A pair for each warp is all that goes there, and neighbouring lanes read neighbouring pairs.",
              LAB_HERE);
}

// A warp for a short row, a block for a long one.
void expect_warps(lab::Trial& trial, const lab::Kernel& kernel, const Rows& rows) {
    const std::optional<double> warps = counted(kernel, "warps");
    if (!warps) return;
    const double each = *warps / static_cast<double>(rows.rows);
    if (rows.columns <= short_row && each > 1.6 && *warps > 8)
        lab::fail(
            trial,
            fmt::format("{} sent {:.1f} warps to each row of {} numbers: one is enough, and the others only "
                        "come and go.",
                        kernel.name, each, rows.columns),
            "Up to short_row columns, softmax_online has a warp for each row.", LAB_HERE);
    if (rows.columns > short_row && each < 4)
        lab::fail(trial,
                  fmt::format("{} sent {:.1f} warps to each row of {} numbers: most of the card looks on.",
                              kernel.name, each, rows.columns),
                  "Beyond short_row columns, softmax_long has a block for each row.", LAB_HERE);
}

// The first row that is wrong, with the cause where the row tells it. False: all rows are right.
bool told_about_a_row(lab::Trial& trial, const lab::Array<float>& out, const Rows& rows,
                      const std::vector<float>& right, const lab::Tolerance& tolerance) {
    for (const lab::Order order : {lab::Order::forward, lab::Order::reverse}) {
        const std::span<const float> got = trial.values(out, order);
        for (size_t i = 0; i < right.size(); ++i) {
            if (lab::detail::near(got[i], right[i], tolerance)) continue;
            const size_t row = i / rows.columns, first = row * rows.columns;
            const std::span<const float> mine = got.subspan(first, rows.columns);
            const Words words =
                words_for(rows, row, mine, std::span<const float>(right).subspan(first, rows.columns));
            double all = 0;
            for (const float share : mine) all += share;
            lab::fail(
                trial,
                fmt::format(
                    "out[{}], column {} of row {}, is {}, expected {}; the row of {} adds up to {:.6g}. {}",
                    i, i - first, row, lab::describe_value(got[i]), lab::describe_value(right[i]),
                    rows.columns, all, words.what),
                words.next, LAB_HERE);
            return true;
        }
    }
    return false;
}

bool was_written(const lab::Trial& trial) {
    return std::none_of(trial.findings().begin(), trial.findings().end(),
                        [](const lab::Finding& finding) { return finding.kind == "never-written"; });
}

void expect_softmax(const Step& step, const Rows& rows) {
    CAPTURE(rows.rows);
    CAPTURE(rows.columns);
    lab::Trial trial;
    const auto in = trial.input("in", rows.values);
    const auto out = trial.output<float>("out", rows.values.size());
    if (rows.columns > 0) trial.rows(in, rows.columns).rows(out, rows.columns);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(softmax_naive)>(step.function, player.device(in),
                                                    static_cast<int>(rows.rows),
                                                    static_cast<int>(rows.columns), player.device(out));
    });
    LAB_EXPECT_OK(trial);
    const std::vector<float> right = softmax_of(rows);
    trial.reference(out, right);
    if (has_errors(trial)) {
        LAB_EXPECT_CLEAN(trial);  // where the machine knows the cause, a wrong row only repeats it
        return;
    }
    const lab::Tolerance tolerance = lab::tolerance(
        std::ldexp(1.0, -126), tolerance_of(rows),
        "a float's digits in x - max, in up to three exps, and in columns / 32 + 32 additions");
    if (trial.ended_well() && was_written(trial) && told_about_a_row(trial, out, rows, right, tolerance))
        return;
    LAB_EXPECT_NEAR(trial, out, tolerance, [&](size_t i) { return right[i]; });
    for (const lab::Kernel& kernel : trial.launches()) {
        if (step.reads > 0) expect_traffic(trial, kernel, rows, step);
        expect_no_conflicts(trial, kernel);
        if (&step == &any_rows) expect_warps(trial, kernel, rows);
    }
}

void expect_lengths(const Step& step, std::initializer_list<size_t> lengths) {
    for (const size_t columns : lengths) expect_softmax(step, mixed(3, columns));
}

// Nothing to do, and an array of one number that must stay as it is.
void expect_nothing(const Step& step, int rows, int columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    lab::Trial trial;
    const auto in = trial.input("in", std::vector<float>{1});
    const auto out = trial.inout("out", std::vector<float>{19});
    trial.kernels_optional();
    trial.play([&](lab::Player& player) {
        return player.call<decltype(softmax_naive)>(step.function, player.device(in), rows, columns,
                                                    player.device(out));
    });
    LAB_EXPECT_OK(trial);
    LAB_EXPECT_EACH(trial, out, [](size_t) { return 19.0f; });
    LAB_EXPECT_CLEAN(trial);
}

Rows with_a_nan(size_t columns) {
    Rows rows = mixed(2, columns);
    rows.values[columns + columns / 2] = std::numeric_limits<float>::quiet_NaN();
    return rows;
}

// One number so large, and the others so far below, that their distance has no room in a float.
Rows one_huge(size_t columns) {
    return make_rows(2, columns, [&](size_t, size_t c) { return c == columns / 2 ? 3e38f : -3e38f; });
}

Rows four_of_eight() {
    return make_rows(4, 8, [](size_t row, size_t column) {
        return static_cast<float>((column * 5 + row * 3) % 8) / 2 - static_cast<float>(row);
    });
}

// Why what is known of two parts may have come out wrong.
std::string words_for_pair(const Running& a, const Running& b, const Running& got, const Running& right) {
    const auto is = [](float x, double y) { return std::fabs(x - y) <= 1e-5 * std::fabs(y); };
    if (got.max != right.max) return "The maximum of both parts is the larger one of the two.";
    if (is(got.sum, static_cast<double>(a.sum) + b.sum))
        return "The sums were added as they are. The part with the smaller maximum has a sum that is too "
               "large "
               "for the new one: multiply it by exp(its maximum - the new one).";
    if (is(got.sum, a.max > b.max ? a.sum : b.sum))
        return "Only the part with the larger maximum is in the sum.";
    if (got.sum > right.sum && !(got.sum < a.sum + b.sum))
        return "A sum became larger by being taken against a larger maximum. The exponent is the old maximum "
               "minus the new one, zero or below.";
    return "Each sum is multiplied by exp(its own maximum - the new one): one of the two by exp(0), which is "
           "1.";
}

void expect_merged(const std::vector<Running>& a, const std::vector<Running>& b) {
    const size_t n = a.size();
    const auto floats = [](const std::vector<Running>& pairs) {
        std::vector<float> flat;
        for (const Running& pair : pairs) flat.insert(flat.end(), {pair.max, pair.sum});
        return flat;
    };
    lab::Trial trial;
    const auto in_a = trial.input("a", floats(a)), in_b = trial.input("b", floats(b));
    const auto out = trial.output<float>("out", 2 * n);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(merge_pairs)>(
            "merge_pairs", reinterpret_cast<const Running*>(player.device(in_a)),
            reinterpret_cast<const Running*>(player.device(in_b)), static_cast<int>(n),
            reinterpret_cast<Running*>(player.device(out)));
    });
    LAB_EXPECT_OK(trial);
    std::vector<Running> right;
    for (size_t i = 0; i < n; ++i) {
        const double max = std::max(a[i].max, b[i].max);
        right.push_back({static_cast<float>(max), static_cast<float>(a[i].sum * std::exp(a[i].max - max) +
                                                                     b[i].sum * std::exp(b[i].max - max))});
    }
    const lab::Tolerance tolerance = lab::tolerance(0, 1e-5, "exp of up to 60, two products and a sum");
    if (trial.ended_well() && !has_errors(trial))
        for (size_t i = 0; i < n; ++i) {
            const std::span<const float> values = trial.values(out);
            const Running got{values[2 * i], values[2 * i + 1]};
            if (got.max == right[i].max && lab::detail::near(got.sum, right[i].sum, tolerance)) continue;
            lab::fail(
                trial,
                fmt::format(
                    "max {:g}, sum {:g} and max {:g}, sum {:g} became max {:g}, sum {:g}; expected max "
                    "{:g}, sum {:g}.",
                    a[i].max, a[i].sum, b[i].max, b[i].sum, got.max, got.sum, right[i].max, right[i].sum),
                words_for_pair(a[i], b[i], got, right[i]), LAB_HERE);
            return;
        }
    const std::vector<float> flat = floats(right);
    LAB_EXPECT_NEAR(trial, out, tolerance, [&](size_t i) { return flat[i]; });
    LAB_EXPECT_CLEAN(trial);
}

}  // namespace

TEST_CASE("Given, naive: four rows of 8") {
    expect_softmax(naive, four_of_eight());
}

TEST_CASE("Step 1, safe: four rows of 8") {
    expect_softmax(safe, four_of_eight());
}

TEST_CASE("Step 1, safe: numbers around 89, 1000 and -1000") {
    for (const float centre : {89.0f, 1000.0f, -1000.0f}) expect_softmax(safe, mixed(2, 40, centre));
    expect_softmax(safe, one_huge(33));
}

TEST_CASE("Step 1, safe: lengths from 1 to 1000, -INFINITY, and a NaN") {
    expect_lengths(safe, {1, 31, 32, 33, 1000});
    for (const size_t columns : {1, 20, 65}) expect_softmax(safe, masked(columns));
    expect_softmax(safe, with_a_nan(40));
}

TEST_CASE("Step 2, merge: two parts of a row") {
    expect_merged({{2, 1}, {1, 3}, {5, 1.5f}, {-3, 2}, {700, 4}, {-60, 1}},
                  {{4, 1}, {1, 2}, {2, 8}, {-2, 1}, {701, 1}, {0, 1}});
}

TEST_CASE("Step 3, online: rows of 96 that rise, fall and stay") {
    expect_softmax(online, slopes(96));
}

TEST_CASE("Step 3, online: numbers around 89, 1000 and -1000") {
    for (const float centre : {89.0f, 1000.0f, -1000.0f}) expect_softmax(online, mixed(2, 72, centre));
    expect_softmax(online, one_huge(33));
}

TEST_CASE("Step 3, online: lengths from 1 to 1025, -INFINITY, and a NaN") {
    expect_lengths(online, {1, 31, 32, 33, 1025});
    for (const size_t columns : {1, 20, 65}) expect_softmax(online, masked(columns));
    expect_softmax(online, with_a_nan(40));
}

TEST_CASE("Step 3, online: 9 rows of 1000, read twice") {
    expect_softmax(online, mixed(9, 1000));
}

TEST_CASE("Step 4, long: rows of 1500 that rise, fall and stay") {
    expect_softmax(long_rows, slopes(1500));
}

TEST_CASE("Step 4, long: lengths from 1 to 1025, around 89 and -1000, -INFINITY, and a NaN") {
    for (const size_t columns : {1, 33, 257, 1025}) expect_softmax(long_rows, mixed(2, columns));
    for (const float centre : {89.0f, -1000.0f}) expect_softmax(long_rows, mixed(2, 300, centre));
    for (const size_t columns : {1, 65, 520}) expect_softmax(long_rows, masked(columns));
    expect_softmax(long_rows, one_huge(300));
    expect_softmax(long_rows, with_a_nan(300));
}

TEST_CASE("Step 4, long: 2 rows of 5000, read twice") {
    expect_softmax(long_rows, mixed(2, 5000));
}

TEST_CASE("Step 5, any length: 500 rows of 10, a row of 1024, 3 rows of 1025") {
    expect_softmax(any_rows, mixed(500, 10));
    expect_softmax(any_rows, mixed(1, 1024, 500));
    expect_softmax(any_rows, mixed(3, 1025, 500));
}

TEST_CASE("Step 5, any length: no rows, or no columns") {
    expect_nothing(any_rows, 0, 10);
    expect_nothing(any_rows, 3, 0);
}

LAB_EXPERIMENT("Every step, at the sizes that you chose")(const lab::Settings& at) {
    const auto count = static_cast<size_t>(at["rows"]), columns = static_cast<size_t>(at["columns"]);
    const Rows rows = mixed(count, columns, static_cast<float>(at["centre"]));
    for (const Step* step : {&safe, &online, &long_rows, &any_rows}) expect_softmax(*step, rows);
}

TEST_SUITE_END();
