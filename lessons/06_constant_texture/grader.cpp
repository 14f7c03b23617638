// What exercise 06 must do: the right values first, then through which memory they came.
#include "lessons/06_constant_texture/grader_words.h"
#include "lessons/06_constant_texture/interface.h"
#include "workbench/grading/lab.h"

TEST_SUITE_BEGIN("06_constant_texture");

namespace {

using namespace lab::lesson_06_constant_texture;

std::string number(double value) {
    return std::to_string(static_cast<long long>(value));
}

// A metric summed over all launches. Nothing: this backend does not count.
std::optional<double> counted(const lab::Trial& trial, const std::string& metric) {
    std::optional<double> sum;
    for (const lab::Kernel& kernel : trial.launches()) {
        if (!kernel.metrics.contains("global_load_requests")) continue;  // the CPU machine counts it always
        const auto found = kernel.metrics.find(metric);
        sum = sum.value_or(0) + (found == kernel.metrics.end() ? 0 : found->second);
    }
    return sum;
}

// True if it said what is wrong: then the plain comparison would only repeat it.
bool told(lab::Trial& trial, const Cause& cause) {
    if (cause.what.empty()) return false;
    lab::fail(trial, cause.what, cause.next, LAB_HERE);
    return true;
}

bool ran_clean(const lab::Trial& trial) {
    return trial.ended_well() && trial.returned() == 0 && trial.findings().empty();
}

// What the machine's own sentence does not know: what was meant.
bool told_about_the_cause(lab::Trial& trial) {
    struct Advice {
        const char *kind, *buffer, *next;
    };
    static constexpr Advice advices[] = {
        {"oob-global", "in",
         "Move the index to the nearest number of the array: min(max(at, 0), n - 1), all of it signed."},
        {"oob-constant", "", "Weight 0 is the first, whatever the radius: k goes from 0 to 2 * radius."},
        {"misaligned", "", "x of a surface is in bytes: x * int(sizeof(float))."},
        {"oob-global", "out_array",
         "x of a surface counts bytes and is a column, y is a row. Threads beyond the picture write nothing: "
         "x < "
         "out_cols and y < out_rows."},
        {"use-after-free", "",
         "Destroy the texture after the kernel has finished; the copy back waits for it."},
    };
    for (const lab::Finding& finding : trial.findings())
        for (const Advice& advice : advices) {
            if (finding.kind != advice.kind || (*advice.buffer != 0 && finding.buffer != advice.buffer))
                continue;
            lab::fail(trial, finding.message + ".", advice.next, LAB_HERE);
            return true;
        }
    return false;
}

// ---- smooth

// Where in memory the weights were, and whether a warp asked for one of them at a time.
void told_about_constant_memory(lab::Trial& trial, const Row& row) {
    const auto requests = counted(trial, "constant_load_requests");
    if (!requests) return;
    const double addresses = counted(trial, "constant_load_addresses").value_or(0);
    if (*requests == 0) {
        lab::fail(trial,
                  "The sums are right, and the kernel never reads constant memory: the weights came from "
                  "elsewhere.",
                  "Read c_weights[k] in the kernel, and bring the weights there by cudaMemcpyToSymbol.",
                  LAB_HERE);
    } else if (addresses > *requests) {
        lab::fail(
            trial,
            "The kernel's warps read constant memory " + number(*requests) + " times and asked for " +
                number(addresses) +
                " different addresses: the constant cache hands out one address at a time, so the lanes of a "
                "warp stand in line.",
            "All lanes should read the same weight in the same step: an index without threadIdx in it. The "
            "radius here is " +
                number(row.radius) + ".",
            LAB_HERE);
    }
}

void expect_smooth(Row row) {
    CAPTURE(row.n);
    CAPTURE(row.radius);
    lab::Trial trial;
    trial.raise("leak");
    auto in = trial.input("in", listed(row.n, [&](int i) { return row.in(i); }));
    auto weights = trial.input("weights", listed(row.last() + 1, [&](int k) { return row.weight(k); }));
    auto out = trial.output<float>("out", static_cast<size_t>(row.n));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(smooth)>("smooth", player.device(in), player.device(out), row.n,
                                             player.host(weights), row.radius);
    });
    if (told_about_the_cause(trial)) return;
    LAB_EXPECT_OK(trial);
    if (ran_clean(trial) && told(trial, cause_of(trial.values(out), row))) {
        trial.reference(out, listed(row.n, [&](int i) { return smoothed(row, i); }));
        return;
    }
    LAB_EXPECT_EACH(trial, out, [=](size_t i) { return smoothed(row, static_cast<int>(i)); });
    LAB_EXPECT_CLEAN(trial);
    if (!ran_clean(trial)) return;
    if (row.n >= 200) told_about_constant_memory(trial, row);  // fewer make no round numbers
}

// ---- zoom

constexpr const char* edge_names[] = {"wrap", "clamp", "mirror", "border"};

void told_about_the_texture(lab::Trial& trial) {
    const auto fetches = counted(trial, "texture_load_requests");
    if (!fetches) return;
    const double warps = counted(trial, "warps").value_or(0);
    const double stores = counted(trial, "texture_store_requests").value_or(0);
    if (*fetches == 0) {
        lab::fail(trial, "The picture is right, and no texel was fetched through a texture.",
                  "Let the texture unit filter: tex2D<float>(picture, u, v).", LAB_HERE);
    } else if (*fetches > warps) {
        lab::fail(trial,
                  number(warps) + " warps made " + number(*fetches) +
                      " fetches: the kernel gathers texels and weighs them itself.",
                  "One tex2D at the right place gives the weighted mean of four texels. Set filterMode to "
                  "cudaFilterModeLinear.",
                  LAB_HERE);
    } else if (stores == 0) {
        lab::fail(trial, "The picture is right, and nothing was written through the surface.",
                  "surf2Dwrite(value, out, x in bytes, y).", LAB_HERE);
    }
}

bool told_that_nothing_was_written(lab::Trial& trial) {
    const auto stores = counted(trial, "texture_store_requests"),
               others = counted(trial, "global_store_requests");
    if (!stores || *stores + *others > 0 || trial.launches().empty()) return false;
    lab::fail(trial, "The kernel ran and wrote nothing: out holds what was in the surface's memory.",
              "TODO 4: fetch by tex2D, then surf2Dwrite(value, out, x in bytes, y).", LAB_HERE);
    return true;
}

void expect_zoom(const Zoom& z) {
    CAPTURE(z.cols);
    CAPTURE(z.rows);
    lab::Trial trial;
    trial.raise("leak");
    const auto at = [](int i, int columns) { return std::pair{i % columns, i / columns}; };
    auto picture = trial.input("picture", listed(z.cols * z.rows, [&](int i) {
                                   const auto [c, r] = at(i, z.cols);
                                   return z.texel(c, r);
                               }));
    auto out = trial.output<float>("out", static_cast<size_t>(z.out_cols * z.out_rows));
    trial.rows(picture, static_cast<size_t>(z.cols)).rows(out, static_cast<size_t>(z.out_cols));
    trial.play([&](lab::Player& player) {
        return player.call<decltype(zoom)>("zoom", player.host(picture), z.cols, z.rows, z.view, int{z.edge},
                                           player.host(out), z.out_cols, z.out_rows);
    });
    if (told_about_the_cause(trial)) return;
    LAB_EXPECT_OK(trial);
    const auto expected = [=](size_t i) {
        const auto [x, y] = at(static_cast<int>(i), z.out_cols);
        return static_cast<float>(sampled(z, look_at(z, x, y)));
    };
    if (told_that_nothing_was_written(trial)) return;
    if (ran_clean(trial) && told(trial, cause_of(trial.values(out), z))) {
        trial.reference(
            out, listed(z.out_cols * z.out_rows, [&](int i) { return expected(static_cast<size_t>(i)); }));
        return;
    }
    LAB_EXPECT_NEAR(trial, out,
                    lab::tolerance(tolerance_of(z), 0, "the texture unit's weights have 8 bits of fraction"),
                    expected);
    LAB_EXPECT_CLEAN(trial);
    const bool whole =
        z.out_cols % 16 == 0 && z.out_rows % 16 == 0;  // else a block may have warps with nothing to do
    if (whole && ran_clean(trial)) told_about_the_texture(trial);
}

}  // namespace

TEST_CASE("Smooth: few numbers, radius 1 and 0") {
    expect_smooth({7, 1});
    expect_smooth({5, 0});
}

TEST_CASE("Smooth: 1024 numbers, radius 8") {
    expect_smooth({1024, 8});
}

TEST_CASE("Smooth: 300 numbers, radius 5: the last block is not full") {
    expect_smooth({300, 5});
}

TEST_CASE("Smooth: fewer numbers than weights") {
    expect_smooth({5, 8});
    expect_smooth({1, 3});
}

TEST_CASE("Smooth: the largest radius") {
    expect_smooth({200, max_radius});
}

TEST_CASE("Smooth: two calls, each with weights of its own") {
    const Row row{100, 2};
    lab::Trial trial;
    auto in = trial.input("in", listed(row.n, [&](int i) { return row.in(i); }));
    auto first =
        trial.input("first_weights", listed(row.last() + 1, [&](int k) { return 10 * row.weight(k); }));
    auto second = trial.input("second_weights", listed(row.last() + 1, [&](int k) { return row.weight(k); }));
    auto out = trial.output<float>("out", static_cast<size_t>(row.n));
    auto again = trial.output<float>("again", static_cast<size_t>(row.n));
    trial.play([&](lab::Player& player) {
        const int status = player.call<decltype(smooth)>("smooth", player.device(in), player.device(out),
                                                         row.n, player.host(first), row.radius);
        if (status != 0) return status;
        return player.call<decltype(smooth)>("smooth", player.device(in), player.device(again), row.n,
                                             player.host(second), row.radius);
    });
    LAB_EXPECT_OK(trial);
    const auto again_by_first = [&](int i) {
        return trial.values(again)[static_cast<size_t>(i)] == 10 * smoothed(row, i);
    };
    if (ran_clean(trial) && again_by_first(0) && again_by_first(row.n / 2) && again_by_first(row.n - 1)) {
        lab::fail(trial, "The second call smoothed with the weights of the first call.",
                  "Bring the weights with every call, before the launch.", LAB_HERE);
        return;
    }
    LAB_EXPECT_EACH(trial, out, [=](size_t i) { return 10 * smoothed(row, static_cast<int>(i)); });
    LAB_EXPECT_EACH(trial, again, [=](size_t i) { return smoothed(row, static_cast<int>(i)); });
    LAB_EXPECT_CLEAN(trial);
}

TEST_CASE("Smooth: more weights than there is room for comes back as an error") {
    const Row row{50, max_radius + 1};
    lab::Trial trial;
    trial.kernels_optional();
    auto in = trial.input("in", listed(row.n, [&](int i) { return row.in(i); }));
    auto weights = trial.input("weights", listed(row.last() + 1, [&](int k) { return row.weight(k); }));
    auto out = trial.output<float>("out", static_cast<size_t>(row.n), lab::Unwritten::is_allowed);
    trial.play([&](lab::Player& player) {
        return player.call<decltype(smooth)>("smooth", player.device(in), player.device(out), row.n,
                                             player.host(weights), row.radius);
    });
    LAB_EXPECT_ERROR(trial, 0);
    LAB_EXPECT_LAUNCHES(trial, ==, 0);
}

TEST_CASE("Zoom: 5 by 4 texels become 12 by 7 pixels") {
    expect_zoom({5, 4, {0, 0, 1, 1}, edge_clamp, 12, 7});
}

TEST_CASE("Zoom: a picture at its own size") {
    expect_zoom({7, 5, {0, 0, 1, 1}, edge_clamp, 7, 5});
}

TEST_CASE("Zoom: a part of 20 by 20 texels, enlarged") {
    expect_zoom({20, 20, {0.2f, 0.4f, 0.35f, 0.25f}, edge_clamp, 40, 24});
}

TEST_CASE("Zoom: past the edges, clamp") {
    expect_zoom({6, 5, {-0.7f, -0.6f, 2.5f, 2.2f}, edge_clamp, 40, 30});
}

TEST_CASE("Zoom: past the edges, wrap") {
    expect_zoom({6, 5, {-0.7f, -0.6f, 2.5f, 2.2f}, edge_wrap, 40, 30});
}

TEST_CASE("Zoom: past the edges, mirror") {
    expect_zoom({6, 5, {-0.7f, -0.6f, 2.5f, 2.2f}, edge_mirror, 40, 30});
}

TEST_CASE("Zoom: past the edges, border") {
    expect_zoom({6, 5, {-0.7f, -0.6f, 2.5f, 2.2f}, edge_border, 40, 30});
}

TEST_CASE("Zoom: one row, one column, one texel") {
    expect_zoom({9, 1, {0, 0, 1, 1}, edge_clamp, 20, 3});
    expect_zoom({1, 9, {0, 0, 1, 1}, edge_mirror, 3, 20});
    expect_zoom({1, 1, {0, 0, 1, 1}, edge_wrap, 17, 2});
}

TEST_CASE("Zoom: 64 by 64 pixels") {
    expect_zoom({16, 16, {0, 0, 1, 1}, edge_clamp, 64, 64});
}

LAB_EXPERIMENT("Zoom: a view that you chose")(const lab::Settings& at) {
    CAPTURE(edge_names[at["edge"]]);
    const View view{at["left"] / 100.0f, 0.1f, at["width"] / 100.0f, 0.8f};
    expect_zoom({6, 5, view, at["edge"], at["out"], 20});
}

TEST_SUITE_END();
