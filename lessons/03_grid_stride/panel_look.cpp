#include "lessons/03_grid_stride/panel_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/run_choice.h"
#include "app/theme/theme.h"

namespace lab::lesson_03_grid_stride {

namespace {

SmFields fit_fields(const Waves& waves, float width) {
    SmFields fields;
    if (waves.at_once() == 0) return fields;
    const int64_t count = waves.count();
    fields.waves = {0};
    if (count == 3) fields.waves.push_back(1);
    if (count > 1) fields.waves.push_back(count - 1);
    fields.label = em(8.2f);
    const float room = std::max(em(6), width - fields.label);
    // The largest squares that need no more than four rows.
    fields.size = std::floor(em(0.95f));
    while (fields.size > 6 && std::ceil(float(waves.sms) / std::floor(room / fields.size)) > 4) --fields.size;
    fields.columns = std::max(1, int(room / fields.size));
    fields.rows = int((waves.sms + fields.columns - 1) / fields.columns);
    fields.columns = int((waves.sms + fields.rows - 1) / fields.rows);
    fields.step = std::max(float(fields.rows) * fields.size, em(2.3f)) + em(0.55f);
    return fields;
}

Fold fit_fold(const Shares& shares, float width, float height) {
    Fold fold;
    if (shares.buffer < 0 || shares.count() <= 0) return fold;
    fold.label = em(4.8f);
    fold.head = em(1.35f);
    const float room = std::max(em(6), width - fold.label);
    const float narrowest = std::max(3.f, em(0.28f));
    const auto cells = [&] { return (shares.columns + fold.per_cell - 1) / fold.per_cell; };
    while (float(cells()) * narrowest > room) fold.per_cell *= 2;
    fold.cells = cells();
    fold.wide = std::min(em(2.5f), std::floor(room / float(fold.cells)));
    fold.gap = fold.wide >= em(0.8f) ? std::max(1.f, std::round(em(0.1f))) : fold.wide >= 5 ? 1.f : 0.f;
    const float lowest = std::max(3.f, em(0.3f)), highest = em(1.6f);
    const float fits = (height - fold.head) / float(shares.rows());
    fold.high = std::clamp(std::floor(fits), lowest, highest);
    fold.rows = std::min(shares.rows(), std::max<int64_t>(1, int64_t((height - fold.head) / fold.high)));
    fold.rows_left = shares.rows() - fold.rows;
    return fold;
}

}  // namespace

Layout lay_out(const Shares& shares, const Waves& waves, float width, float height) {
    Layout layout;
    layout.fields = fit_fields(waves, width);
    const float title = em(1.45f), line = em(1.3f);
    const float lower = waves.at_once() == 0 ? 0 : title + line + layout.fields.height() + em(0.5f);
    const float upper = shares.index.threads() == 0 ? 0 : title + line + em(0.6f);
    const float legible = em(1.35f) + em(1.6f) * float(std::clamp<int64_t>(shares.rows(), 1, 6));
    layout.fold = fit_fold(shares, width, std::max(legible, height - lower - upper - line));
    layout.says_more = layout.fold.rows_left > 0;
    layout.height = upper + layout.fold.height() + (layout.says_more ? line : 0) + lower;
    return layout;
}

ImU32 colour_of_block(int64_t block) {
    // No red, which is for what is wrong.
    constexpr float hues[] = {0.58f, 0.13f, 0.45f, 0.78f, 0.52f, 0.88f};
    const bool dark = theme_kind() == ThemeKind::dark;
    ImVec4 colour{0, 0, 0, 1};
    ImGui::ColorConvertHSVtoRGB(hues[block % 6], dark ? 0.5f : 0.38f, dark ? 0.62f : 0.9f, colour.x, colour.y,
                                colour.z);
    return ImGui::ColorConvertFloat4ToU32(colour);
}

Summary summary_of(const Shares& shares) {
    if (shares.buffer < 0) return {"The launch touched no memory.", false};
    const int64_t n = shares.count();
    std::string bad;
    const auto add = [&](const std::string& words) { bad += (bad.empty() ? "" : ", ") + words; };
    if (n > 0 && shares.untaken == n) return {fmt::format("No element of {} was taken.", shares.name), false};
    if (shares.untaken > 0) add(plural(shares.untaken, "element was", "elements were") + " taken by nobody");
    if (shares.repeated > 0)
        add(fmt::format("{} taken more than once, up to {} times",
                        bad.empty() ? plural(shares.repeated, "element was", "elements were")
                                    : std::to_string(shares.repeated),
                        shares.most_times));
    if (!bad.empty()) return {bad + ".", false};
    if (n <= 0) return {"There was no element to take.", true};
    if (std::any_of(shares.wrong.begin(), shares.wrong.end(), [](char wrong) { return wrong != 0; }))
        return {"Every element was taken once, and some are wrong.", false};
    if (shares.unknown > 0)
        return {fmt::format("The trace has {} of the {} blocks, and each took its elements once.",
                            shares.traced_blocks, shares.index.blocks),
                true};
    std::string good = fmt::format("Every element once. The busiest thread took {}", shares.most_rounds);
    if (shares.whole && shares.idle_threads > 0)
        good += fmt::format(", and {} took none", plural(shares.idle_threads, "thread", "threads"));
    return {good + ".", true};
}

std::string text_of(const Waves& waves) {
    return fmt::format("{} SMs × {} = {} at once", waves.sms, plural(waves.per_sm, "block", "blocks"),
                       waves.at_once());
}

std::string verdict_of(const Waves& waves) {
    const int64_t count = waves.count(), last = waves.blocks_in(count - 1);
    if (count == 1 && last == waves.at_once()) return "One wave, and the card is full.";
    if (count == 1) return fmt::format("One wave: {} of {} places taken.", last, waves.at_once());
    if (last == waves.at_once()) return fmt::format("{} full waves.", count);
    return fmt::format("{}, then a tail with {} of {} places taken.",
                       plural(count - 1, "full wave", "full waves"), last, waves.at_once());
}

std::string text_of_wave(const Waves& waves, int64_t wave) {
    const bool is_tail = wave > 0 && waves.blocks_in(wave) < waves.at_once();
    return is_tail ? "the tail" : fmt::format("wave {}", wave);
}

}  // namespace lab::lesson_03_grid_stride
