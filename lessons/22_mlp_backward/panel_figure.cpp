#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/cells.h"
#include "app/theme/widgets.h"
#include "lessons/22_mlp_backward/panel_backward.h"
#include "workbench/data/digits.h"

namespace lab::lesson_22_mlp_backward {

namespace {

constexpr uint64_t seed_of_samples = 2;                        // as the grader's
constexpr float head_high = 2.3f, gap = 0.8f, row_gap = 0.5f;  // in em
constexpr int columns = 4, rows = 4;

enum class Look { picture, unit_picture, cells, field, bars };

// A matrix, its place in the grid, and what it is made of.
struct Box {
    const char* name;
    const char* origin;
    int row, column;
    Look look;
};
constexpr Box boxes[] = {
    {"x", "the pictures", 0, 0, Look::picture},
    {"hidden", "ReLU(x w1 + b1)", 0, 1, Look::cells},
    {"logits", "hidden w2 + b2", 0, 2, Look::bars},
    {"probabilities", "softmax", 0, 3, Look::bars},
    {"dhidden", "dlogits w2^T, mask", 1, 1, Look::cells},
    {"dlogits", "(p - wanted) / batch", 1, 2, Look::bars},
    {"w1", "learned", 2, 0, Look::unit_picture},
    {"b1", "learned", 2, 1, Look::cells},
    {"w2", "learned", 2, 2, Look::field},
    {"b2", "learned", 2, 3, Look::bars},
    {"dw1", "x^T dhidden", 3, 0, Look::unit_picture},
    {"db1", "sums of dhidden", 3, 1, Look::cells},
    {"dw2", "hidden^T dlogits", 3, 2, Look::field},
    {"db2", "sums of dlogits", 3, 3, Look::bars},
};

const Box* box_of(const std::string& name) {
    for (const Box& box : boxes)
        if (name == box.name) return &box;
    return nullptr;
}

int scale_for(float width) {
    const float room = (width - em(gap) * (columns - 1)) / columns;
    return std::clamp(int(room) / side, std::max(1, int(em(0.11f))), std::max(2, int(em(0.23f))));
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

Matrix of_network(const std::string& name, const std::vector<float>& numbers, int columns_of_it) {
    Matrix matrix;
    matrix.name = name;
    matrix.numbers = numbers;
    matrix.columns = columns_of_it;
    matrix.rows = int64_t(numbers.size()) / columns_of_it;
    matrix.shape = fmt::format("{} x {}", matrix.rows, matrix.columns);
    return matrix;
}

}  // namespace

const Matrix* FigureView::matrix(const std::string& name) const {
    const Matrix* of_case = flow_->find(name);
    return of_case ? of_case : weights_.find(name);
}

void FigureView::show(const RunBundle& bundle, int case_index, const Flow& flow,
                      const LearnedNetwork* network) {
    flow_ = &flow;
    network_ = network;
    touches_ = touches_of(bundle, case_index);
    if (weights_.matrices.empty())
        weights_.matrices.push_back(of_network("w1", network->w1, network->hidden));
    if (!picture_chosen_) choose_worst_picture();
    picture_ = std::clamp<int64_t>(picture_, 0, std::max<int64_t>(0, flow.batch() - 1));
    ++version_;
    if (!weight_chosen_) choose_weight();
}

// The one with the largest loss: it has the most to teach.
void FigureView::choose_worst_picture() {
    const Matrix* losses = flow_->find("losses");
    picture_ = 0;
    if (!losses || !losses->came()) return;
    picture_ = std::max_element(losses->numbers.begin(), losses->numbers.end()) - losses->numbers.begin();
}

// A unit that speaks loudly where the loss is largest: a nudge either way then leaves it speaking. If silent units were
// told something, one of them.
std::vector<bool> FigureView::units_to_choose_from() const {
    const Matrix *hidden = flow_->find("hidden"), *dhidden = flow_->find("dhidden");
    const size_t units = size_t(hidden->columns);
    std::vector<bool> loud(units), blamed(units);
    const float largest = largest_of(hidden->numbers, size_t(picture_) * units, units);
    bool any_blamed = false;
    for (size_t unit = 0; unit < units; ++unit) {
        loud[unit] = hidden->at(picture_, int64_t(unit)) >= largest / 2;
        bool silent = true, wrong = false;
        for (int64_t picture = 0; picture < hidden->rows; ++picture) {
            silent = silent && hidden->at(picture, int64_t(unit)) == 0;
            wrong = wrong || dhidden->is_wrong(picture, int64_t(unit));
        }
        blamed[unit] = silent && wrong;
        any_blamed = any_blamed || blamed[unit];
    }
    return any_blamed ? blamed : loud;
}

// Of these units the weight with the most to answer for.
void FigureView::choose_weight() {
    const Matrix *dw1 = flow_->find("dw1"), *hidden = flow_->find("hidden");
    if (!dw1 || !dw1->came() || !hidden->came() || dw1->columns != hidden->columns) return;
    const std::vector<bool> units = units_to_choose_from();
    float most = -1;
    for (size_t i = 0; i < dw1->numbers.size(); ++i) {
        const size_t unit = i % units.size();
        const float size = std::fabs(dw1->numbers[i]);
        if (!(size > most) || !units[unit]) continue;
        most = size;
        weight_ = {1, int(i / units.size()), int(unit)};
    }
    unit_ = weight_.column;
}

float FigureView::height(bool whole) {
    const float below = whole ? em(7) : em(0.5f);
    return float(whole ? rows : 1) * (em(head_high + row_gap) + float(std::max(2, int(em(0.23f))) * side)) +
           below;
}

ImVec2 FigureView::place_of(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? ImVec2{0, 0} : found->second;
}

// Out of the trace: which launch wrote the matrix, what it had read, and who read the matrix.
FigureView::Touching FigureView::touching(const std::string& name) const {
    Touching result;
    std::vector<std::string> written, readers;
    for (const LaunchTouches& launch : touches_) {
        if (launch.wrote.count(name)) {
            std::vector<std::string> read;
            for (const std::string& other : launch.read) {
                if (other == name) continue;
                read.push_back(other);
                result.read.insert(other);
            }
            written.push_back(launch.kernel + (read.empty() ? "" : ", which read " + joined(read)));
        } else if (launch.read.count(name)) {
            std::vector<std::string> wrote(launch.wrote.begin(), launch.wrote.end());
            readers.push_back(launch.kernel + (wrote.empty() ? "" : " for " + joined(wrote)));
            result.readers.insert(launch.wrote.begin(), launch.wrote.end());
        }
    }
    const Box* box = box_of(name);
    const Matrix* values = matrix(name);
    const bool given = box && (box->row == 0 || box->row == 2);
    result.words = name + (values ? " (" + values->shape + ")" : "") + ". ";
    if (!written.empty())
        for (size_t i = 0; i < written.size(); ++i)
            result.words +=
                (i == 0 ? "Written by " : "; then by ") + written[i] + (i + 1 == written.size() ? "." : "");
    else
        result.words += given ? "It was there before the way back." : "No kernel of this run wrote it.";
    if (!readers.empty()) result.words += " Read by " + joined(readers) + ".";
    return result;
}

void FigureView::draw_content(const std::string& name, const Place& place) {
    const Box& box = *box_of(name);
    const Matrix* values = matrix(name);
    if (!values || !values->came())
        return draw_hatch(ImGui::GetWindowDrawList(), place.at,
                          {place.at.x + place.width, place.at.y + place.height}, palette().bad);
    switch (box.look) {
        case Look::unit_picture:
            return draw_unit_picture(name, place, name == "w1" ? w1_ : dw1_);
        case Look::cells:
            return draw_cells(*values, place);
        case Look::field:
            return draw_field(*values, place);
        case Look::bars:
            return draw_bars(*values, place);
        case Look::picture:
            break;
    }
    input_.draw(place.at, side, side, std::max(1, int(place.height) / side),
                version_ * 1000 + uint64_t(picture_), [&](int x, int y) {
                    return mix(palette().code, palette().text,
                               std::clamp(values->at(picture_, y * side + x), 0.f, 1.f));
                });
}

void FigureView::draw_box(const std::string& name, const Place& place, const Touching& touching) {
    const Matrix* values = matrix(name);
    const Box& box = *box_of(name);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 head{place.at.x, place.at.y - em(head_high)};
    const ImVec2 to{place.at.x + place.width, place.at.y + place.height};
    const bool chosen = name == chosen_ && !words_.empty(), read = touching.read.count(name) > 0,
               reader = touching.readers.count(name) > 0;
    if (chosen || read || reader) {
        const ImU32 colour = chosen ? palette().accent : read ? palette().read : palette().wrote;
        const ImVec2 a{head.x - em(0.25f), head.y - em(0.1f)}, b{to.x + em(0.25f), to.y + em(0.2f)};
        list->AddRectFilled(a, b, with_alpha(colour, 0.12f), 4);
        list->AddRect(a, b, colour, 4, chosen ? 2.f : 1.f);
    }
    draw_head(head, place.width + em(0.4f), {name, values ? values->shape : "", box.origin});
    draw_content(name, place);
    places_[name] = {head.x + place.width / 2, head.y + em(0.5f)};
    if (!inside(ImGui::GetMousePos(), head, to)) return;
    if (ImGui::IsMouseClicked(0)) chosen_ = name;
}

void FigureView::draw_pad(const Place& place, int scale, std::optional<Panel::Drawn>& drawn) {
    draw_head({place.at.x, place.at.y - em(head_high)}, place.width + em(0.4f),
              {"your pad", "", "draw, let go: it is run"});
    ImGui::SetCursorScreenPos(place.at);
    if (pad_.draw(scale) && !pad_.is_empty())
        drawn = Panel::Drawn{
            "picture", lesson_21_mlp_forward::bytes_of(lesson_21_mlp_forward::centred(pad_.ink())), {}};
}

void FigureView::draw_loss(const Place& place) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Matrix* losses = flow_->find("losses");
    const int label = size_t(picture_) < flow_->labels.size() ? flow_->labels[size_t(picture_)] : -1;
    const ImVec2 head{place.at.x, place.at.y - em(head_high)};
    draw_text(list, Face::bold, em(0.88f), head, palette().text, "loss");
    draw_text(list, Face::text, em(0.72f), {head.x, head.y + em(1.15f)}, palette().dim, "-log p[label]");
    if (!losses || size_t(picture_) >= losses->numbers.size()) return;
    draw_text(list, Face::bold, em(1.5f), {place.at.x, place.at.y + em(0.3f)}, palette().text,
              short_number(losses->numbers[size_t(picture_)]));
    draw_text(list, Face::text, em(0.8f), {place.at.x, place.at.y + em(2.2f)}, palette().accent,
              fmt::format("label {}", label));
    if (flow_->batch() > 1)
        draw_text(list, Face::text, em(0.8f), {place.at.x, place.at.y + em(3.3f)}, palette().dim,
                  fmt::format("one of {}", flow_->batch()));
}

void FigureView::draw_samples(std::optional<Panel::Drawn>& drawn) {
    if (ImGui::Button("Clear the pad")) pad_.clear();
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("or a sample:");
    for (int digit = 0; digit < 10; ++digit) {
        const std::string name = std::to_string(digit);
        const float wide = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
        ImGui::SameLine(0, em(0.25f));
        if (ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        if (!ImGui::Button(name.c_str())) continue;
        int& which = next_sample_[digit];
        for (uint64_t i = 10 * uint64_t(which); i < 10 * uint64_t(which) + 10; ++i) {
            const Digit sample = make_digit(seed_of_samples, i);
            if (sample.label != digit) continue;
            pad_.set(lesson_21_mlp_forward::ink_of(sample.pixels));
            drawn = Panel::Drawn{
                "picture", std::string(sample.pixels.begin(), sample.pixels.end()), {{"digit", digit}}};
        }
        which = (which + 1) % 20;
    }
}

void FigureView::choose_picture() {
    if (flow_->batch() < 2) return;
    int shown = int(picture_);
    ImGui::SetNextItemWidth(em(11));
    const int last = int(flow_->batch()) - 1;
    if (ImGui::SliderInt("##picture", &shown, 0, last, fmt::format("picture %d of 0 to {}", last).c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
        picture_ = shown, picture_chosen_ = true;
}

void FigureView::draw(bool whole, std::optional<Panel::Drawn>& drawn) {
    if (whole) choose_picture();
    const float width = ImGui::GetContentRegionAvail().x;
    const int scale = scale_for(width);
    const float size = float(scale * side), high = em(head_high + row_gap) + size;
    const float pitch = std::max(size + em(gap), std::min((width - size) / (columns - 1), size + em(3)));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const auto place = [&](int row, int column) {
        return Place{{std::floor(corner.x + em(0.3f) + pitch * float(column)),
                      std::floor(corner.y + em(head_high + 0.1f) + high * float(row))},
                     size,
                     size};
    };
    const auto end = [&](int rows_drawn) {
        ImGui::SetCursorScreenPos(corner);
        ImGui::Dummy({width, high * float(rows_drawn) + em(0.2f)});
    };
    if (!whole) {
        constexpr const char* short_row[columns] = {"x", "hidden", "w1", "dw1"};
        for (int column = 0; column < columns; ++column) draw_box(short_row[column], place(0, column), {});
        return end(1);
    }
    const Touching now = touching(chosen_);
    words_ = now.words;
    for (const Box& box : boxes) draw_box(box.name, place(box.row, box.column), now);
    draw_loss(place(1, 3));
    draw_pad(place(1, 0), scale, drawn);
    end(rows);
    wrapped_text(Face::text, em(0.88f), palette().text, words_);
    draw_samples(drawn);
}

}  // namespace lab::lesson_22_mlp_backward
