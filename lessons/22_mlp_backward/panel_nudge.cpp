#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/theme/widgets.h"
#include "lessons/22_mlp_backward/panel_backward.h"

namespace lab::lesson_22_mlp_backward {

namespace {

constexpr float most_nudge = 1;
constexpr int stops = 80;                               // of the curve
constexpr float plot_high = 7.5f, most_plot_wide = 30;  // in em

std::string signed_number(double value) {
    return fmt::format("{:+.4f}", value);
}

}  // namespace

void NudgedLoss::show(const Flow& flow, const LearnedNetwork* network) {
    flow_ = &flow;
    network_ = nullptr;
    const Matrix* x = flow.find("x");
    if (!network || !x || !x->came() || x->columns != network->in || int64_t(flow.labels.size()) != x->rows)
        return;
    network_ = network;
    const LearnedNetwork& net = *network;
    before_bend_.clear();
    logits_.clear();
    for (int picture = 0; picture < int(x->rows); ++picture) {
        std::vector<double> sums(net.b1.begin(), net.b1.end());
        for (int pixel = 0; pixel < net.in; ++pixel) {
            const double ink = at_x(picture, pixel);
            if (ink == 0) continue;
            for (int unit = 0; unit < net.hidden; ++unit)
                sums[size_t(unit)] += ink * double(net.w1[size_t(pixel * net.hidden + unit)]);
        }
        for (int c = 0; c < net.out; ++c) {
            double logit = net.b2[size_t(c)];
            for (int unit = 0; unit < net.hidden; ++unit)
                logit += std::max(0.0, sums[size_t(unit)]) * double(net.w2[size_t(unit * net.out + c)]);
            logits_.push_back(logit);
        }
        before_bend_.insert(before_bend_.end(), sums.begin(), sums.end());
    }
}

double NudgedLoss::at_x(int picture, int pixel) const {
    return double(flow_->find("x")->at(picture, pixel));
}

double NudgedLoss::loss(const Weight& weight, double nudge) const {
    const LearnedNetwork& net = *network_;
    const int batch = int(flow_->labels.size());
    double mean = 0;
    for (int picture = 0; picture < batch; ++picture) {
        std::vector<double> logits(logits_.begin() + picture * net.out,
                                   logits_.begin() + (picture + 1) * net.out);
        const int unit = weight.layer == 1 ? weight.column : weight.row;
        const double sum = before_bend_[size_t(picture * net.hidden + unit)];
        if (weight.layer == 2) {
            logits[size_t(weight.column)] += nudge * std::max(0.0, sum);
        } else {
            const double moved = std::max(0.0, sum + nudge * at_x(picture, weight.row)) - std::max(0.0, sum);
            for (int c = 0; c < net.out; ++c)
                logits[size_t(c)] += moved * double(net.w2[size_t(unit * net.out + c)]);
        }
        const double most = *std::max_element(logits.begin(), logits.end());
        double all = 0;
        for (const double logit : logits) all += std::exp(logit - most);
        mean += (std::log(all) + most - logits[size_t(flow_->labels[size_t(picture)])]) / batch;
    }
    return mean;
}

void NudgeView::show(const Flow& flow, const LearnedNetwork* network) {
    flow_ = &flow;
    network_ = network;
    loss_.show(flow, network);
    curve_.reset();
}

float NudgeView::height() {
    return em(plot_high + 12.5f);
}

std::optional<float> NudgeView::gradient(const Weight& weight) const {
    const Matrix* gradients = flow_->find(weight.layer == 1 ? "dw1" : "dw2");
    if (!gradients || !gradients->came() || weight.row >= gradients->rows ||
        weight.column >= gradients->columns)
        return std::nullopt;
    return gradients->at(weight.row, weight.column);
}

const NudgeView::Curve& NudgeView::curve_of(const Weight& weight) {
    if (curve_ && curve_->weight == weight) return *curve_;
    curve_ = Curve{weight, {}};
    for (int i = 0; i <= stops; ++i)
        curve_->losses.push_back(float(loss_.loss(weight, double(most_nudge) * (2.0 * i / stops - 1))));
    return *curve_;
}

std::string NudgeView::words_of(const Weight& weight, std::optional<float> gradient) const {
    const double before = loss_.loss(weight, 0), after = loss_.loss(weight, double(nudge_));
    std::string words = fmt::format("Nudged by {:+.2f}, the loss goes from {:.4f} to {:.4f}: {}.", nudge_,
                                    before, after, signed_number(after - before));
    if (!gradient) return words + " Its gradient never came.";
    words +=
        fmt::format(" d{}[{}][{}] is {:.4f}, so the line says {}.", weight.layer == 1 ? "w1" : "w2",
                    weight.row, weight.column, *gradient, signed_number(double(*gradient) * double(nudge_)));
    constexpr double little = 1.0 / 1024;
    const double slope = (loss_.loss(weight, little) - loss_.loss(weight, -little)) / (2 * little);
    const double off = std::fabs(slope - double(*gradient));
    if (std::isfinite(off) && off <= 1e-3 * std::fabs(slope) + 1e-4)
        return words + " In the middle the line touches the curve.";
    return words + fmt::format(" In the middle the curve's slope is {:.4f}: the gradient is wrong.", slope);
}

void NudgeView::draw_plot(const Weight& weight, std::optional<float> gradient) {
    const float width = std::min(ImGui::GetContentRegionAvail().x, em(most_plot_wide)), high = em(plot_high);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), from{std::floor(corner.x), std::floor(corner.y)};
    const ImVec2 to{from.x + width, from.y + high};
    ImGui::Dummy({width, high + em(1)});
    const std::vector<float>& losses = curve_of(weight).losses;
    const float middle = losses[stops / 2];
    float least = middle, most = middle;
    for (const float loss : losses) least = std::min(least, loss), most = std::max(most, loss);
    const float room = std::max(0.001f, 0.15f * (most - least));
    least -= room;
    most += room;
    const auto x_of = [&](float nudge) { return from.x + width * (nudge + most_nudge) / (2 * most_nudge); };
    const auto y_of = [&](float loss) { return to.y - high * (loss - least) / (most - least); };
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(from, to, palette().code, 4);
    list->AddLine({x_of(0), from.y}, {x_of(0), to.y}, palette().border);
    list->PushClipRect(from, to, true);
    if (gradient && std::isfinite(*gradient))  // broad: where the two agree, both are seen
        list->AddLine({x_of(-most_nudge), y_of(middle - *gradient * most_nudge)},
                      {x_of(most_nudge), y_of(middle + *gradient * most_nudge)}, palette().warn, 7);
    for (int i = 0; i < stops; ++i)
        list->AddLine({x_of(most_nudge * (2.f * float(i) / stops - 1)), y_of(losses[size_t(i)])},
                      {x_of(most_nudge * (2.f * float(i + 1) / stops - 1)), y_of(losses[size_t(i) + 1])},
                      palette().read, 2.5f);
    const float now = float(loss_.loss(weight, double(nudge_)));
    list->AddLine({x_of(nudge_), from.y}, {x_of(nudge_), to.y}, with_alpha(palette().accent, 0.5f));
    list->AddCircleFilled({x_of(nudge_), y_of(now)}, em(0.28f), palette().accent);
    list->PopClipRect();
    const float size = em(0.75f);
    const std::string top = short_number(most), bottom = short_number(least);
    draw_text(list, Face::mono, size,
              {to.x - text_size(Face::mono, size, top).x - em(0.3f), from.y + em(0.2f)}, palette().dim, top);
    draw_text(list, Face::mono, size, {to.x - text_size(Face::mono, size, bottom).x - em(0.3f), to.y - em(1)},
              palette().dim, bottom);
    const ImVec2 below{from.x, to.y + em(0.15f)};
    const float after =
        below.x + em(1) + draw_text(list, Face::text, size, below, palette().read, "the loss");
    draw_text(list, Face::text, size, {after, below.y}, palette().warn, "what the gradient says of it");
}

void NudgeView::draw(const Weight& weight) {
    const std::string name =
        fmt::format("{}[{}][{}]", weight.layer == 1 ? "w1" : "w2", weight.row, weight.column);
    section_title("Nudge " + name, weight.layer == 1
                                       ? fmt::format("pixel {} of unit {}", weight.row, weight.column)
                                       : fmt::format("unit {} for class {}", weight.row, weight.column));
    const auto g = gradient(weight);
    ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, em(most_plot_wide)));
    ImGui::SliderFloat("##nudge", &nudge_, -most_nudge, most_nudge, "by %.2f", ImGuiSliderFlags_AlwaysClamp);
    draw_plot(weight, g);
    words_ = words_of(weight, g);
    const bool wrong = words_.find("wrong") != std::string::npos;
    wrapped_text(Face::text, em(0.9f), wrong ? palette().bad : palette().text, words_);
}

}  // namespace lab::lesson_22_mlp_backward
