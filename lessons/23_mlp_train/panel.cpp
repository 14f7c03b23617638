// The training: a pad that the trained network reads, the curve of the training while it runs, what the hidden units have
// become, the mistakes, and the same program in four languages.
//
// Options of a ```panel block: view = train, units, mistakes or stages; without one all four are tabs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "app/theme/widgets.h"
#include "lessons/21_mlp_forward/panel_views.h"
#include "lessons/23_mlp_train/panel_train.h"
#include "workbench/data/store.h"

namespace lab::lesson_23_mlp_train {

using lesson_21_mlp_forward::bytes_of;
using lesson_21_mlp_forward::centred;
using lesson_21_mlp_forward::colour_of_number;
using lesson_21_mlp_forward::Ink;

namespace {

struct Tab {
    View view;
    const char* name;  // in lesson.md
    const char* title;
};
constexpr Tab tabs[] = {{View::train, "train", "Train and draw"},
                        {View::units, "units", "Hidden units"},
                        {View::mistakes, "mistakes", "Mistakes"},
                        {View::stages, "stages", "Four ways"}};

constexpr int unit_gap = 3;        // pixels between two pictures of units
constexpr float beside_from = 27;  // em: the curve stands beside the pad, else below

bool inside(ImVec2 point, ImVec2 from, ImVec2 to) {
    return ImGui::IsWindowHovered() && point.x >= from.x && point.y >= from.y && point.x < to.x &&
           point.y < to.y;
}

}  // namespace

void TrainPanel::configure(const std::map<std::string, std::string>& options) {
    const auto found = options.find("view");
    if (found == options.end()) return;
    for (const Tab& tab : tabs)
        if (found->second == tab.name) {
            view_ = tab.view;
            fixed_ = true;
        }
}

void TrainPanel::take(Learned learned) {
    learned_ = std::move(learned);
    const LearnedNetwork& net = learned_->network;
    largest_.assign(size_t(net.hidden), 0);
    for (size_t i = 0; i < net.w1.size(); ++i) {
        float& largest = largest_[i % largest_.size()];
        if (std::isfinite(net.w1[i])) largest = std::max(largest, std::fabs(net.w1[i]));
    }
    unit_ = std::min(unit_, net.hidden - 1);
    if (test_.count() == 0) {
        TrainingData data = best_dataset(1, most_tested);
        test_ = std::move(data.dataset.test);
        data_ = data.sentence;
    }
    verdict_ = judge(net, test_);
    ++version_;
}

void TrainPanel::load(const RunBundle& bundle) {
    if (bundle.origin == "try") {
        asked_ = running_ = false;
        failure_ = bundle.run.passed ? "" : bundle.run.headline;
        if (!bundle.run.series.empty()) curve_.show(bundle.run.series);
        std::optional<Learned> learned = learned_of(bundle);
        if (learned && bundle.run.passed) {
            keep(*learned);
            return take(std::move(*learned));
        }
    }
    if (learned_ || !problem_.empty()) return;
    try {
        take(learned_before());
    } catch (const std::exception& error) {
        problem_ = error.what();
    }
}

void TrainPanel::watch(const std::vector<Series>& live) {
    watched_ = true;
    running_ = !live.empty();
    if (live.empty()) return;
    asked_ = false;
    failure_.clear();
    curve_.show(live);
}

// A training that left no run to load has ended all the same.
void TrainPanel::notice_end() {
    if (std::exchange(watched_, false)) {
        seen_ = true;
    } else if (std::exchange(seen_, false)) {
        asked_ = running_ = false;
    }
}

std::optional<Panel::Drawn> TrainPanel::take_drawing() {
    if (!std::exchange(wanted_, false)) return std::nullopt;
    return Drawn{};
}

float TrainPanel::height_for(float width, float most) {
    const float high[] = {width > em(beside_from) ? 19.f : 32.5f, 21, 23, 30};  // in em, by view
    return std::min(most, em(high[size_t(view_)]));
}

void TrainPanel::draw_views() {
    for (const Tab& tab : tabs) {
        if (&tab != tabs) ImGui::SameLine(0, em(0.3f));
        const bool chosen = view_ == tab.view;
        if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, palette().accent_soft);
        if (ImGui::Button(tab.title)) view_ = tab.view;
        if (chosen) ImGui::PopStyleColor();
    }
    ImGui::Dummy({1, em(0.2f)});
}

void TrainPanel::draw_source() const {
    if (!learned_) return;
    wrapped_text(
        Face::text, em(0.85f), palette().dim,
        fmt::format(
            "The network is {}: {} hidden units. It gets {} of {} digits right that it has not seen. {}",
            learned_->source, learned_->network.hidden, verdict_.right, verdict_.tested, data_));
}

void TrainPanel::draw_pad(float width) {
    const int scale = std::clamp(int(width / 28), int(em(0.25f)), int(em(0.5f)));
    pad_.draw(scale);
    probabilities_.clear();
    if (learned_ && !pad_.is_empty()) {
        const Ink ink = centred(pad_.ink());
        probabilities_ = probabilities_of(learned_->network, std::vector<float>(ink.begin(), ink.end()));
    }
    if (ImGui::Button("Clear the pad")) pad_.clear();
}

void TrainPanel::draw_answer(float width) {
    const float row = em(0.95f), left = em(1.1f), room = std::max(em(2), width - left);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int best = best_of(probabilities_);
    for (int c = 0; c < classes; ++c) {
        const float y = at.y + row * float(c);
        const float p = probabilities_.empty() ? 0 : probabilities_[size_t(c)];
        draw_text(list, c == best ? Face::mono_bold : Face::mono, em(0.78f), {at.x, y},
                  c == best ? palette().accent : palette().dim, std::to_string(c));
        list->AddRectFilled({at.x + left, y + 1}, {at.x + left + room, y + row - 2}, palette().idle, 2);
        if (std::isfinite(p) && p > 0.004f)
            list->AddRectFilled({at.x + left, y + 1}, {at.x + left + room * p, y + row - 2},
                                c == best ? palette().accent : palette().read, 2);
    }
    ImGui::Dummy({width, row * classes});
    if (probabilities_.empty())
        wrapped_text(Face::bold, em(0.95f), palette().dim, "Draw a digit.", width);
    else if (best < 0)
        wrapped_text(Face::bold, em(0.95f), palette().bad, "None of the ten is a number.", width);
    else {
        wrapped_text(Face::bold, em(0.95f), palette().text, fmt::format("It says {}.", best), width);
        wrapped_text(Face::text, em(0.85f), palette().dim,
                     fmt::format("{:.1f} %", 100 * probabilities_[size_t(best)]), width);
    }
}

void TrainPanel::draw_curve(float width, float height) {
    const bool busy = running_ || asked_;
    ImGui::BeginGroup();
    ImGui::BeginDisabled(busy);
    if (primary_button(busy ? "Training ..." : "Train")) train();
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const std::string words = asked_ && !running_ ? "compiling" : curve_.is_empty() ? "" : curve_.words();
    const float room = std::max(em(4), width - em(7));
    wrapped_text(Face::text, em(0.85f), palette().text, words, room);
    if (!failure_.empty()) wrapped_text(Face::text, em(0.85f), palette().bad, failure_, width);
    curve_.draw({width, std::max(em(8), height - em(2.2f))});
    ImGui::EndGroup();
}

void TrainPanel::draw_train() {
    const float width = ImGui::GetContentRegionAvail().x;
    const bool beside = width > em(beside_from), roomy = width > em(36);
    const float pad = em(roomy ? 9.5f : 8.5f), bars = em(roomy ? 6.5f : 4.8f), gap = em(0.9f);
    ImGui::BeginGroup();
    draw_pad(pad);
    ImGui::EndGroup();
    const float high = std::max(em(13), ImGui::GetItemRectSize().y);
    ImGui::SameLine(0, gap);
    ImGui::BeginGroup();
    draw_answer(bars);
    ImGui::EndGroup();
    if (beside) ImGui::SameLine(0, gap);
    draw_curve(beside ? ImGui::GetContentRegionAvail().x : width, high);
    draw_source();
}

// The largest pictures that need no more than half of a view's height.
TrainPanel::UnitsRoom TrainPanel::room_for_units(float width) const {
    const int hidden = learned_->network.hidden;
    UnitsRoom room{1, 1};
    for (int scale = 1; scale == 1 || scale <= int(em(0.25f)); ++scale) {
        const int tile = side * scale + unit_gap;
        const int across = std::clamp(int(width) / tile, 1, 16), down = (hidden + across - 1) / across;
        if (scale > 1 && float(down * tile) > em(14.5f)) break;
        room = {scale, (hidden + down - 1) / down};  // rows of one length
    }
    return room;
}

void TrainPanel::draw_units() {
    const LearnedNetwork& net = learned_->network;
    section_title("Hidden units", fmt::format("a picture for each of the {} columns of w1", net.hidden));
    const auto room = room_for_units(ImGui::GetContentRegionAvail().x);
    const int scale = room.scale, across = room.across;
    const int tile = side * scale + unit_gap, down = (net.hidden + across - 1) / across;
    const ImVec2 corner = ImGui::GetCursorScreenPos(), at{std::floor(corner.x), std::floor(corner.y)};
    const auto number = [&](int unit, int pixel) { return net.w1[size_t(pixel * net.hidden + unit)]; };
    units_.draw(at, across * tile, down * tile, 1, version_ * 1024 + uint64_t(across * 32 + scale),
                [&](int x, int y) {
                    const int unit = y / tile * across + x / tile, px = x % tile / scale,
                              py = y % tile / scale;
                    if (unit >= net.hidden || px >= side || py >= side) return palette().surface;
                    return colour_of_number(number(unit, py * side + px), largest_[size_t(unit)]);
                });
    ImGui::InvisibleButton("units", {float(across * tile), float(down * tile)});
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const int unit =
            int(mouse.y - at.y) / tile * across + std::min(across - 1, int(mouse.x - at.x) / tile);
        unit_ = unit < net.hidden ? unit : -1;
    }
    if (unit_ < 0) {
        wrapped_text(
            Face::text, em(0.85f), palette().text,
            "Blue: ink there makes the unit speak. Orange: ink there keeps it silent. Point at one.");
    } else {
        const ImVec2 from{at.x + float(unit_ % across * tile), at.y + float(unit_ / across * tile)};
        ImGui::GetWindowDrawList()->AddRect({from.x - 1, from.y - 1},
                                            {from.x + float(tile) - 2, from.y + float(tile) - 2},
                                            palette().accent, 0, 2);
        std::string words = fmt::format("Unit {} speaks", unit_);
        int most = 0, least = 0;
        for (int c = 0; c < classes; ++c) {
            const auto w2 = [&](int k) { return net.w2[size_t(unit_ * classes + k)]; };
            if (w2(c) > w2(most)) most = c;
            if (w2(c) < w2(least)) least = c;
        }
        wrapped_text(Face::text, em(0.85f), palette().text,
                     fmt::format("{} for {} ({:.2f} in w2) and against {} ({:.2f}).", words, most,
                                 net.w2[size_t(unit_ * classes + most)], least,
                                 net.w2[size_t(unit_ * classes + least)]));
    }
    draw_source();
}

void TrainPanel::draw_confusion(ImVec2 at, float cell) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float size = em(0.78f);
    int most = 1;
    for (int label = 0; label < classes; ++label)
        for (int answer = 0; answer < classes; ++answer)
            if (label != answer) most = std::max(most, verdict_.count[size_t(label)][size_t(answer)]);
    const auto centred_text = [&](ImVec2 middle, ImU32 colour, const std::string& text) {
        const ImVec2 wide = text_size(Face::mono, size, text);
        draw_text(list, Face::mono, size, {middle.x - wide.x / 2, middle.y - wide.y / 2}, colour, text);
    };
    for (int label = 0; label < classes; ++label) {
        const float y = at.y + cell * float(label + 1);
        centred_text({at.x + cell / 2, y + cell / 2}, palette().dim, std::to_string(label));
        centred_text({at.x + cell * (float(label) + 1.5f), at.y + cell / 2}, palette().dim,
                     std::to_string(label));
        for (int answer = 0; answer < classes; ++answer) {
            const ImVec2 from{at.x + cell * float(answer + 1), y}, to{from.x + cell - 1, y + cell - 1};
            const int count = verdict_.count[size_t(label)][size_t(answer)];
            const float part = label == answer ? 0.35f : float(count) / float(most);
            const ImU32 colour = label == answer ? palette().read : palette().warn;
            list->AddRectFilled(
                from, to, count == 0 ? palette().idle : mix(palette().code, colour, 0.25f + 0.6f * part), 2);
            if (count > 0)
                centred_text({(from.x + to.x) / 2, (from.y + to.y) / 2}, palette().text,
                             std::to_string(count));
            if (!inside(ImGui::GetMousePos(), from, to) || !begin_hint()) continue;
            hint_title(label == answer
                           ? fmt::format("{} of the {}s were read as {}", count, label, answer)
                           : fmt::format("{} of the {}s were taken for {}", count, label, answer));
            end_hint();
        }
    }
}

void TrainPanel::draw_worst(ImVec2 at, float width, int scale) {
    const int tile = side * scale + int(em(0.5f)), high = side * scale + int(em(1.6f));
    const int across = std::max(1, int(width) / tile), down = 3;
    const auto shown = std::min<size_t>(verdict_.worst.size(), size_t(across * down));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int rows = (int(shown) + across - 1) / across;
    if (shown == 0) {
        ImGui::SetCursorScreenPos(at);
        wrapped_text(Face::text, em(0.9f), palette().good, "No mistake among them.", width);
        return;
    }
    worst_.draw(at, across * tile, rows * high, 1, version_ * 1000 + uint64_t(across * 10 + scale),
                [&](int x, int y) {
                    const size_t one = size_t(y / high * across + x / tile);
                    const int px = x % tile / scale, py = y % high / scale;
                    if (one >= shown || px >= side || py >= side) return palette().surface;
                    return mix(palette().code, palette().text,
                               float(verdict_.worst[one].picture[size_t(py * side + px)]) / 255);
                });
    for (size_t i = 0; i < shown; ++i) {
        const Mistake& mistake = verdict_.worst[i];
        const ImVec2 place{at.x + float(int(i) % across * tile),
                           at.y + float(int(i) / across * high + side * scale) + 1};
        const float next =
            draw_text(list, Face::mono, em(0.75f), place, palette().read, std::to_string(mistake.label));
        draw_text(list, Face::mono, em(0.75f), {place.x + next + em(0.2f), place.y}, palette().warn,
                  fmt::format("as {}", mistake.answer));
        const ImVec2 from{place.x, place.y - float(side * scale)}, to{from.x + float(side * scale), place.y};
        if (!inside(ImGui::GetMousePos(), from, to) || !begin_hint()) continue;
        hint_title(fmt::format("A {}, taken for a {}", mistake.label, mistake.answer));
        hint_text(fmt::format("It was {:.1f} % sure.", 100 * mistake.probability));
        end_hint();
    }
    ImGui::SetCursorScreenPos({at.x, at.y + float(rows * high)});
    ImGui::Dummy({1, 1});
}

void TrainPanel::draw_mistakes() {
    const float width = ImGui::GetContentRegionAvail().x, cell = std::floor(em(1.45f));
    section_title("Confusion",
                  fmt::format("{} digits; row: what it is, column: what it was taken for", verdict_.tested));
    const ImVec2 corner = ImGui::GetCursorScreenPos(), at{std::floor(corner.x), std::floor(corner.y)};
    draw_confusion(at, cell);
    const float matrix = cell * (classes + 1);
    const bool beside = width > matrix + em(14);
    ImGui::SetCursorScreenPos({at.x, at.y + matrix + em(0.4f)});
    ImGui::Dummy({1, 1});
    const int scale = std::max(1, int(em(0.13f)));
    if (beside) {
        const ImVec2 below = ImGui::GetCursorScreenPos();
        draw_text(ImGui::GetWindowDrawList(), Face::bold, em(0.9f), {at.x + matrix + em(1.2f), at.y},
                  palette().text, "The worst: surest, and wrong");
        draw_worst({at.x + matrix + em(1.2f), std::floor(at.y + em(1.5f))}, width - matrix - em(1.2f), scale);
        const float end = std::max(below.y, ImGui::GetCursorScreenPos().y);
        ImGui::SetCursorScreenPos({at.x, end});
        ImGui::Dummy({1, 1});
    } else {
        section_title("The worst: surest, and wrong");
        const ImVec2 next = ImGui::GetCursorScreenPos();
        draw_worst({std::floor(next.x), std::floor(next.y)}, width, scale);
    }
    draw_source();
}

void TrainPanel::draw(Cursor&) {
    notice_end();
    if (has_tabs()) draw_views();
    if (!problem_.empty()) wrapped_text(Face::text, em(0.9f), palette().bad, problem_);
    if (view_ == View::stages) return stages_.draw();
    if (!learned_) return;
    if (view_ == View::train) draw_train();
    if (view_ == View::units) draw_units();
    if (view_ == View::mistakes) draw_mistakes();
}

const char* panel_title() {
    return "The training";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<TrainPanel>();
}

}  // namespace lab::lesson_23_mlp_train
