#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/21_mlp_forward/panel_views.h"
#include "workbench/data/digits.h"

namespace lab::lesson_21_mlp_forward {

namespace {

constexpr float head_high = 3.1f, bars_wide = 6.9f, gap = 1.1f;  // in em
constexpr uint64_t seed_of_samples = 2;                          // as the grader's

struct Head {
    std::string name, shape, origin;
};

float stage_high(int scale) {
    return std::max(float(side * scale), em(10.5f));
}

// Of the pad and the input: three pictures and two columns of bars shall stand side by side where there is room.
int scale_for(float width) {
    const float room = width - em(2 * bars_wide + 4 * gap);
    return std::clamp(int(room / 3 / side), int(em(0.2f)), int(em(0.45f)));
}

// Stages from left to right, and in a new row where there is no room.
class Stages {
  public:
    Stages(float width, float high) : corner_(ImGui::GetCursorScreenPos()), width_(width), high_(high) {
        corner_ = {std::floor(corner_.x), std::floor(corner_.y)};
    }
    // Draws the head; where the stage's own picture begins.
    ImVec2 next(float wide, const Head& head) {
        if (x_ > 0 && x_ + wide > width_) {
            x_ = 0;
            y_ += em(head_high + 0.5f) + high_;
        }
        const ImVec2 at{std::floor(corner_.x + x_), corner_.y + y_};
        ImDrawList* list = ImGui::GetWindowDrawList();
        const float after =
            at.x + em(0.5f) + draw_text(list, Face::bold, em(0.92f), at, palette().text, head.name);
        const size_t second = head.origin.find('\n');
        float end =
            after - at.x +
            draw_text(list, Face::mono, em(0.78f), {after, at.y + em(0.14f)}, palette().accent, head.shape);
        end = std::max(end, draw_text(list, Face::text, em(0.78f), {at.x, at.y + em(1.15f)}, palette().dim,
                                      head.origin.substr(0, second)));
        if (second != std::string::npos)
            end = std::max(end, draw_text(list, Face::text, em(0.78f), {at.x, at.y + em(2.0f)}, palette().dim,
                                          head.origin.substr(second + 1)));
        // A head that is longer than its picture keeps its distance from the next one.
        x_ += std::max(wide + em(gap), end + em(gap / 2));
        return {at.x, at.y + em(head_high)};
    }
    void end() const {
        ImGui::SetCursorScreenPos(corner_);
        ImGui::Dummy({width_, y_ + em(head_high + 0.3f) + high_});
    }

  private:
    ImVec2 corner_;
    float width_, high_, x_ = 0, y_ = 0;
};

bool in(ImVec2 point, ImVec2 from, ImVec2 to) {
    return ImGui::IsWindowHovered() && point.x >= from.x && point.y >= from.y && point.x < to.x &&
           point.y < to.y;
}

int columns_of(int units) {
    return std::max(1, int(std::ceil(std::sqrt(float(units)))));
}

}  // namespace

void PictureView::show(const Flow& flow, const LearnedNetwork* network) {
    flow_ = &flow;
    const Matrix* hidden = flow.find("hidden");
    network_ = network && hidden && network->hidden == hidden->columns ? network : nullptr;
    picture_ = std::clamp<int64_t>(picture_, 0, std::max<int64_t>(0, flow.batch() - 1));
    ++version_;
    largest_.clear();
    if (!network_) return;
    largest_.assign(size_t(network_->hidden), 0);
    for (size_t i = 0; i < network_->w1.size(); ++i) {
        float& largest = largest_[i % largest_.size()];
        largest = std::max(largest, std::fabs(network_->w1[i]));
    }
    unit_ = std::clamp(unit_, 0, network_->hidden - 1);
}

float PictureView::height() {
    return em(head_high + 10.5f + 14);
}

int PictureView::answer() const {
    const Matrix* p = flow_ ? flow_->find("probabilities") : nullptr;
    if (!p || !p->came()) return -1;
    int best = -1;
    for (int c = 0; c < int(p->columns); ++c) {
        const float value = p->at(picture_, c);
        if (std::isfinite(value) && (best < 0 || value > p->at(picture_, best))) best = c;
    }
    return best;
}

void PictureView::take_sample(int digit, std::optional<Panel::Drawn>& drawn) {
    int& which = next_sample_[digit];
    for (uint64_t i = 10 * uint64_t(which); i < 10 * uint64_t(which) + 10; ++i) {
        const Digit sample = make_digit(seed_of_samples, i);
        if (sample.label != digit) continue;
        pad_.set(ink_of(sample.pixels));
        drawn = Panel::Drawn{
            "picture", std::string(sample.pixels.begin(), sample.pixels.end()), {{"digit", digit}}};
    }
    which = (which + 1) % 20;
}

void PictureView::draw_pad(std::optional<Panel::Drawn>& drawn, int scale) {
    if (pad_.draw(scale) && !pad_.is_empty())
        drawn = Panel::Drawn{"picture", bytes_of(centred(pad_.ink())), {}};
}

void PictureView::draw_input(ImVec2 at, int scale) {
    const Matrix& x = *flow_->find("x");
    input_.draw(at, side, side, scale, version_ * 1000 + uint64_t(picture_), [&](int column, int row) {
        return mix(palette().code, palette().text, std::clamp(x.at(picture_, row * side + column), 0.f, 1.f));
    });
    const ImVec2 to{at.x + float(side * scale), at.y + float(side * scale)};
    ImGui::GetWindowDrawList()->AddRect({at.x - 1, at.y - 1}, {to.x + 1, to.y + 1}, palette().border);
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!in(mouse, at, to) || !begin_hint()) return;
    const int column = int(mouse.x - at.x) / scale, row = int(mouse.y - at.y) / scale;
    hint_title(fmt::format("x[{}] of picture {}", row * side + column, picture_));
    hint_text(fmt::format("Row {}, column {} of the picture: {}", row, column,
                          short_number(x.at(picture_, row * side + column))));
    end_hint();
}

void PictureView::draw_hidden(const Place& place) {
    const Matrix& hidden = *flow_->find("hidden");
    const int units = int(hidden.columns), across = columns_of(units), down = (units + across - 1) / across;
    const float cell = std::floor(std::min(place.width / float(across), place.height / float(down)));
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (!hidden.came())
        return draw_hatch(list, place.at, {place.at.x + place.width, place.at.y + place.height},
                          palette().bad);
    float largest = 0;
    for (int unit = 0; unit < units; ++unit) {
        const float value = std::fabs(hidden.at(picture_, unit));
        if (std::isfinite(value)) largest = std::max(largest, value);
    }
    for (int unit = 0; unit < units; ++unit) {
        const ImVec2 from{place.at.x + cell * float(unit % across), place.at.y + cell * float(unit / across)};
        const ImVec2 to{from.x + cell - 2, from.y + cell - 2};
        const float value = hidden.at(picture_, unit);
        list->AddRectFilled(from, to, colour_of_number(value, largest), 2);
        if (hidden.is_wrong(picture_, unit)) list->AddRect(from, to, palette().bad, 2, 2);
        if (unit == unit_)
            list->AddRect({from.x - 1, from.y - 1}, {to.x + 1, to.y + 1}, palette().accent, 2, 2);
        if (!in(ImGui::GetMousePos(), from, to)) continue;
        unit_ = unit;
        if (!begin_hint()) continue;
        hint_title(fmt::format("hidden[{}] of picture {}: {}", unit, picture_, short_number(value)));
        hint_text("Its weights, as a picture, are below.");
        end_hint();
    }
}

void PictureView::draw_classes(const Place& place, const Matrix& matrix, bool probabilities) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (!matrix.came())
        return draw_hatch(list, place.at, {place.at.x + place.width, place.at.y + place.height},
                          palette().bad);
    const int classes = int(matrix.columns);
    const float row = std::floor(place.height / float(classes)), size = em(0.78f);
    float largest = probabilities ? 1 : 0;
    for (int c = 0; c < classes; ++c)
        if (const float value = std::fabs(matrix.at(picture_, c)); std::isfinite(value))
            largest = std::max(largest, value);
    const int label = size_t(picture_) < flow_->labels.size() ? flow_->labels[size_t(picture_)] : -1;
    const float left = place.at.x + em(1.1f), numbers = em(2.6f);
    const float room = place.width - em(1.1f) - numbers - em(0.3f);
    for (int c = 0; c < classes; ++c) {
        const float y = place.at.y + row * float(c), value = matrix.at(picture_, c);
        const bool wrong = matrix.is_wrong(picture_, c);
        draw_text(list, c == label ? Face::mono_bold : Face::mono, size, {place.at.x, y + (row - em()) / 2},
                  c == label ? palette().accent : palette().dim, std::to_string(c));
        list->AddRectFilled({left, y + 1}, {left + room, y + row - 2}, palette().idle, 2);
        if (std::isfinite(value) && largest > 0) {
            // Logits go both ways from the middle.
            const float zero = probabilities ? 0 : room / 2, full = probabilities ? room : room / 2;
            const float end = zero + full * std::clamp(value / largest, -1.f, 1.f);
            const ImVec2 from{left + std::min(zero, end), y + 1};
            list->AddRectFilled(from, {std::max(left + std::max(zero, end), from.x + 1), y + row - 2},
                                value < 0 ? palette().warn : palette().read, 2);
        }
        if (wrong) list->AddRect({left - 1, y}, {left + room + 1, y + row - 1}, palette().bad, 2, 2);
        draw_text(list, Face::mono, size, {left + room + em(0.3f), y + (row - em()) / 2},
                  wrong || !std::isfinite(value) ? palette().bad : palette().text, short_number(value));
    }
}

void PictureView::draw_words() const {
    const Matrix* p = flow_->find("probabilities");
    const Matrix* losses = flow_->find("losses");
    const int best = answer();
    const int label = size_t(picture_) < flow_->labels.size() ? flow_->labels[size_t(picture_)] : -1;
    std::string words;
    ImU32 colour = palette().text;
    if (!p->came()) {
        words = "The program ended before an answer came back.";
        colour = palette().bad;
    } else if (best < 0) {
        words = "None of the ten probabilities is a number.";
        colour = palette().bad;
    } else {
        words = fmt::format("It says {}, with {:.1f} %.", best, 100 * double(p->at(picture_, best)));
        if (losses && size_t(picture_) < losses->numbers.size() && label >= 0)
            words += fmt::format(" The label is {}: a loss of {}.", label,
                                 short_number(losses->numbers[size_t(picture_)]));
    }
    wrapped_text(Face::bold, em(0.98f), colour, words);
    std::string wrong;
    for (const Matrix& matrix : flow_->matrices)
        if (matrix.output && matrix.wrong > 0)
            wrong += fmt::format("{}{} of {} wrong in {}", wrong.empty() ? "" : ", ", matrix.wrong,
                                 matrix.rows * matrix.columns, matrix.name);
    if (!wrong.empty()) wrapped_text(Face::text, em(0.88f), palette().bad, wrong + ".");
}

ImU32 PictureView::weight_colour(int unit, int pixel) const {
    return colour_of_number(network_->w1[size_t(pixel * network_->hidden + unit)], largest_[size_t(unit)]);
}

// The chosen unit's weights, and what they make of the picture.
void PictureView::draw_unit(const Place& place) {
    const int scale = std::max(1, int(place.height / side));
    unit_picture_.draw(place.at, side, side, scale, uint64_t(unit_),
                       [&](int x, int y) { return weight_colour(unit_, y * side + x); });
    const Matrix& x = *flow_->find("x");
    float more = 0, less = 0;
    for (int pixel = 0; pixel < side * side; ++pixel) {
        const float term = x.at(picture_, pixel) * network_->w1[size_t(pixel * network_->hidden + unit_)];
        (term > 0 ? more : less) += term;
    }
    const float bias = network_->b1[size_t(unit_)], sum = more + less + bias;
    const float left = place.at.x + float(side * scale) + em(0.8f);
    ImGui::SetCursorScreenPos({left, place.at.y});
    ImGui::BeginGroup();
    const float room = std::max(em(8), place.at.x + place.width - left);
    wrapped_text(Face::bold, em(0.9f), palette().text, fmt::format("Unit {}", unit_), room);
    wrapped_text(
        Face::text, em(0.85f), palette().text,
        fmt::format("Ink on blue gives {}, ink on orange {}, the bias {}: {} in all, {} after the ReLU.",
                    short_number(more), short_number(less), short_number(bias), short_number(sum),
                    short_number(std::max(0.f, sum))),
        room);
    ImGui::EndGroup();
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float end = std::max(below.y, place.at.y + float(side * scale) + em(0.4f));
    ImGui::SetCursorScreenPos({place.at.x, end});
    ImGui::Dummy({1, 1});
}

// The pictures as large as they fit where they are all that is shown.
PictureView::Tiles PictureView::tiles_of_units(bool alone) const {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const int units = network_->hidden;
    const auto with_scale = [&](int scale) {
        Tiles tiles;
        tiles.scale = scale;
        tiles.side = side * scale + 2;
        tiles.beside = room.x > float(tiles.side * 8) + em(20);
        const int fit = std::max(1, int((tiles.beside ? room.x - em(18) : room.x) / float(tiles.side)));
        tiles.across = alone || fit >= 16 ? std::min(fit, 16) : std::min(fit, 8);
        tiles.down = (units + tiles.across - 1) / tiles.across;
        return tiles;
    };
    int scale = std::max(1, int(em() / 15));
    const auto fits = [&](const Tiles& tiles) {
        return tiles.beside && float(tiles.down * tiles.side) < room.y - em(1);
    };
    while (alone && fits(with_scale(scale + 1))) ++scale;
    return with_scale(scale);
}

void PictureView::draw_units(bool alone) {
    section_title("What the hidden units look for",
                  fmt::format("a picture for each of the {} columns of w1", network_->hidden));
    const float width = ImGui::GetContentRegionAvail().x;
    const Tiles tiles = tiles_of_units(alone);
    const int scale = tiles.scale, tile = tiles.side, across = tiles.across, down = tiles.down;
    const int units = network_->hidden;
    const ImVec2 corner = ImGui::GetCursorScreenPos(), at{std::floor(corner.x), std::floor(corner.y)};
    // In pixels of the screen, with the gaps between the pictures.
    all_units_.draw(at, across * tile, down * tile, 1, uint64_t(across * 64 + scale), [&](int x, int y) {
        const int unit = y / tile * across + x / tile, px = x % tile / scale, py = y % tile / scale;
        if (unit >= units || px >= side || py >= side) return palette().surface;
        return weight_colour(unit, py * side + px);
    });
    ImGui::InvisibleButton("units", {float(across * tile), float(down * tile)});
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const int unit =
            int(mouse.y - at.y) / tile * across + std::min(across - 1, int(mouse.x - at.x) / tile);
        unit_ = std::clamp(unit, 0, units - 1);
    }
    const ImVec2 from{at.x + float(unit_ % across * tile), at.y + float(unit_ / across * tile)};
    ImGui::GetWindowDrawList()->AddRect({from.x - 1, from.y - 1},
                                        {from.x + float(tile) - 1, from.y + float(tile) - 1},
                                        palette().accent, 0, 2);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float big = std::max(float(2 * side * scale), em(6));
    if (tiles.beside) {
        const float left = float(across * tile) + em(1);
        draw_unit({{at.x + left, at.y}, width - left, big});
        if (ImGui::GetCursorScreenPos().y < below.y) ImGui::SetCursorScreenPos(below);
        ImGui::Dummy({1, 1});
    } else {
        draw_unit({{below.x, below.y + em(0.2f)}, width, big});
    }
}

void PictureView::draw_weights() {
    if (!network_) return;
    choose_picture();
    draw_units(true);
}

void PictureView::choose_picture() {
    if (flow_->batch() < 2) return;
    int shown = int(picture_);
    ImGui::SetNextItemWidth(em(11));
    const int last = int(flow_->batch()) - 1;
    if (ImGui::SliderInt("##picture", &shown, 0, last, fmt::format("picture %d of 0 to {}", last).c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
        picture_ = shown;
}

void PictureView::draw(std::optional<Panel::Drawn>& drawn) {
    const float width = ImGui::GetContentRegionAvail().x;
    const int scale = scale_for(width);
    const float high = stage_high(scale), picture = float(side * scale);
    const Matrix &hidden = *flow_->find("hidden"), &logits = *flow_->find("logits");
    const Matrix& probabilities = *flow_->find("probabilities");
    choose_picture();
    Stages stages(width, high);
    ImGui::SetCursorScreenPos(stages.next(picture, {"your pad", "", "draw, let go:\nit is run"}));
    draw_pad(drawn, scale);
    draw_input(stages.next(picture, {"x", flow_->find("x")->shape, "centred, pixels\nfrom 0 to 1"}), scale);
    const std::string w1 = fmt::format("{} x {}", flow_->find("x")->columns, hidden.columns);
    draw_hidden(
        {stages.next(picture, {"hidden", hidden.shape, "ReLU(x w1 + b1)\nw1: " + w1}), picture, high});
    const std::string w2 = fmt::format("{} x {}", hidden.columns, logits.columns);
    draw_classes({stages.next(em(bars_wide), {"logits", logits.shape, "hidden w2 + b2\nw2: " + w2}),
                  em(bars_wide), high},
                 logits, false);
    draw_classes(
        {stages.next(em(bars_wide), {"probabilities", "", "softmax of the logits\n" + probabilities.shape}),
         em(bars_wide), high},
        probabilities, true);
    stages.end();
    if (ImGui::Button("Clear the pad")) pad_.clear();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("or a generated digit:");
    for (int digit = 0; digit < 10; ++digit) {
        const std::string name = std::to_string(digit);
        const float wide = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
        ImGui::SameLine(0, em(0.25f));
        if (ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        if (ImGui::Button(name.c_str())) take_sample(digit, drawn);
    }
    draw_words();
    if (network_) draw_units(false);
}

}  // namespace lab::lesson_21_mlp_forward
