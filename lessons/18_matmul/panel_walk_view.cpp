#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/access_index.h"
#include "app/theme/widgets.h"
#include "lessons/18_matmul/panel_views.h"

namespace lab::lesson_18_matmul {
namespace {

constexpr float gap = 0.5f, most_cell = 1.1f, words = 5.2f, name_high = 1.1f, least_high = 9;  // in em

using Field = WalkView::Field;

// Where a matrix is drawn. Whole pixels, so that neighbours meet without a seam.
struct Corners {
    ImVec2 from, to;
};
Corners corners_of(const Field& field, int64_t row, int64_t first, int64_t end) {
    const float line = std::min(field.wide, field.high) >= 5 ? 1.f : 0.f;
    return {{std::floor(field.at.x + field.wide * float(first)),
             std::floor(field.at.y + field.high * float(row))},
            {std::floor(field.at.x + field.wide * float(end)) - line,
             std::floor(field.at.y + field.high * float(row + 1)) - line}};
}

// Cells of one colour beside each other are one rectangle; of 16,000 single ones a software renderer draws few frames.
class Rows {
  public:
    explicit Rows(const Field& field) : list_(ImGui::GetWindowDrawList()), field_(field) {}
    void put(int64_t row, int64_t column, ImU32 colour) {
        const bool is_small = std::min(field_.wide, field_.high) < 5;
        if (row != row_ || colour != colour_ || begin_ < 0 || !is_small) {
            finish();
            row_ = row, colour_ = colour, begin_ = column;
        }
        end_ = column + 1;
    }
    void finish() {
        if (begin_ < 0) return;
        const auto [from, to] = corners_of(field_, row_, begin_, end_);
        list_->AddRectFilled(from, to, colour_);
        begin_ = -1;
    }

  private:
    ImDrawList* list_;
    Field field_;
    int64_t row_ = -1, begin_ = -1, end_ = -1;
    ImU32 colour_ = 0;
};

void draw_name(const Field& field, const char* name, const Matrix& matrix, float x) {
    const std::string text = fmt::format("{} {}×{}", name, matrix.rows, matrix.columns);
    const float size = em(0.76f);
    const float wide = text_size(Face::text, size, text).x;
    draw_text(ImGui::GetWindowDrawList(), Face::text, size,
              {std::max(x, field.at.x + field.wide * float(matrix.columns) - wide), field.at.y - em(1.05f)},
              palette().dim, text);
}

// An element that goes to memory once for all its uses is pale; one that goes for each of them is full.
ImU32 shade_of(uint32_t fetched, int64_t uses) {
    if (fetched == 0) return palette().idle;
    const float full = std::log2(1.f + float(std::max<int64_t>(uses, 1)));
    const float part = std::min(1.f, std::log2(1.f + float(fetched)) / full);
    return mix(palette().idle, palette().warn, 0.12f + 0.6f * part);
}

size_t most_steps(const Walk& walk) {
    size_t most = 0;
    for (const BlockWalk& block : walk.blocks) most = std::max(most, block.steps.size());
    return most;
}

std::string times_text(double times) {
    if (times == 1) return "once";
    if (times == std::floor(times)) return fmt::format("{:.0f} times", times);
    return fmt::format("{:.1f} times", times);
}

}  // namespace

size_t draw_stepper(const Stepper& stepper, size_t shown, size_t count, float width) {
    const float left = ImGui::GetCursorPosX();
    int step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::GetIO().WantTextInput) {
        step += ImGui::IsKeyPressed(stepper.after);
        step -= ImGui::IsKeyPressed(stepper.before);
    }
    ImGui::PushID(stepper.id);
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(std::max(em(3), left + width - ImGui::GetCursorPosX()));
    const int last = int(count) - 1;
    int wanted = int(shown);
    const std::string label = fmt::format("{} {} of {}", stepper.what, shown + 1, count);
    ImGui::SliderInt("##slider", &wanted, 0, last, label.c_str(), ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopID();
    return size_t(std::clamp(wanted + step, 0, last));
}

void WalkView::show(const Walk& walk) {
    walk_ = &walk;
    if (block_ >= walk.blocks.size()) block_ = 0;
    if (walk.blocks.empty() || step_ >= walk.blocks[block_].steps.size()) step_ = 0;
}

const Step* WalkView::now() const {
    if (block_ >= walk_->blocks.size() || step_ >= walk_->blocks[block_].steps.size()) return nullptr;
    return &walk_->blocks[block_].steps[step_];
}

float WalkView::height(float width, const Walk& walk) {
    if (walk.blocks.empty()) return em(3);
    const auto [m, n, k] = walk.sizes;
    const float cell = std::min(em(most_cell), (width - em(gap)) / float(k + n));
    const float steps = walk.blocks.size() > 1 || most_steps(walk) > 1 ? 1.9f : 0;
    return em(words + steps) + cell * float(k + m) + em(gap + 2 * name_high);
}

WalkView::Fields WalkView::lay_out(float width) const {
    const auto [m, n, k] = walk_->sizes;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float between = em(gap + name_high);
    const float room =
        std::max(em(least_high), ImGui::GetContentRegionAvail().y - em(name_high) - between - em(gap));
    const float high = std::min(em(most_cell), room / float(k + m));
    const float wide = std::min({em(most_cell), 2.5f * high, (width - em(gap)) / float(k + n)});
    Field a, b, c;
    b.wide = c.wide = a.wide = wide > 5 ? std::floor(wide) : wide;
    b.high = c.high = a.high = high > 5 ? std::floor(high) : high;
    b.at = {std::floor(at.x + a.wide * float(k) + em(gap)), std::floor(at.y + em(name_high))};
    c.at = {b.at.x, std::floor(b.at.y + a.high * float(k) + between)};
    a.at = {std::floor(at.x), c.at.y};
    return {a, b, c};
}

void WalkView::draw_steppers() {
    const size_t blocks = walk_->blocks.size(), most = most_steps(*walk_);
    const float room = ImGui::GetContentRegionAvail().x;
    const float wide = blocks > 1 && most > 1 ? (room - em(0.6f)) / 2 : room;
    if (blocks > 1)
        block_ = draw_stepper({"block", "block", ImGuiKey_UpArrow, ImGuiKey_DownArrow}, block_, blocks, wide);
    const size_t steps = walk_->blocks[block_].steps.size();
    step_ = std::min(step_, steps - 1);
    if (most <= 1) return;
    if (blocks > 1) ImGui::SameLine(0, em(0.6f));
    step_ = draw_stepper({"step", "step", ImGuiKey_LeftArrow, ImGuiKey_RightArrow}, step_, steps, wide);
}

void WalkView::draw_sentence() const {
    const Step& step = *now();
    const Dim3 place = place_in(walk_->blocks[block_].block, walk_->kernel->grid);
    std::string text =
        fmt::format("Block {} takes {} of A and {} of B from global memory in step {}, line {}. ",
                    place_text(place, walk_->kernel->grid),
                    plural(int64_t(step.elements[matrix_a].size()), "float", "floats"),
                    step.elements[matrix_b].size(), step_ + 1, step.line);
    if (walk_->is_whole)
        text += fmt::format(
            "In the whole launch, a float of A is fetched {} for its {} multiply-adds, one of B {} for its "
            "{}.",
            times_text(walk_->in[matrix_a].average()), walk_->sizes.n,
            times_text(walk_->in[matrix_b].average()), walk_->sizes.m);
    else
        text += fmt::format("The trace has room for {} of this launch's blocks.", walk_->blocks.size());
    wrapped_text(Face::text, em(0.92f), palette().text, text);
}

void WalkView::draw_matrix(const Field& field, const Matrix& matrix, Side side) const {
    const int64_t uses = side == matrix_a ? walk_->sizes.n : walk_->sizes.m;
    Rows rows(field);
    for (int64_t e = 0; e < matrix.rows * matrix.columns; ++e)
        rows.put(e / matrix.columns, e % matrix.columns, shade_of(matrix.fetched[size_t(e)], uses));
    rows.finish();
    draw_some(field, matrix, now()->elements[side], palette().read);
}

void WalkView::draw_c(const Field& field) const {
    const Matrix& c = walk_->c;
    ImGui::GetWindowDrawList()->AddRectFilled(corners_of(field, 0, 0, c.columns).from,
                                              corners_of(field, c.rows - 1, 0, c.columns).to, palette().cell);
    draw_some(field, c, walk_->blocks[block_].stored, palette().wrote);
}

// A stretch of a row at a time, two pixels wide and high at least: a single row of a large matrix has to be seen.
void WalkView::draw_some(const Field& field, const Matrix& matrix, const std::vector<uint32_t>& elements,
                         ImU32 colour) const {
    const bool is_small = std::min(field.wide, field.high) < 5;
    for (size_t i = 0; i < elements.size();) {
        const int64_t row = elements[i] / matrix.columns, first = elements[i] % matrix.columns;
        size_t end = i + 1;
        while (is_small && end < elements.size() && elements[end] == elements[end - 1] + 1 &&
               elements[end] / matrix.columns == row)
            ++end;
        const auto [from, to] = corners_of(field, row, first, first + int64_t(end - i));
        ImGui::GetWindowDrawList()->AddRectFilled(
            from, {std::max(to.x, from.x + 2), std::max(to.y, from.y + 2)}, colour);
        i = end;
    }
}

void WalkView::outline(const Field& field, const Matrix& matrix, int64_t element) const {
    const int64_t row = element / matrix.columns, column = element % matrix.columns;
    const auto [from, to] = corners_of(field, row, column, column + 1);
    const ImVec2 least{std::max(to.x, from.x + em(0.3f)), std::max(to.y, from.y + em(0.3f))};
    ImGui::GetWindowDrawList()->AddRect({from.x - 1, from.y - 1}, {least.x + 1, least.y + 1}, palette().text,
                                        0.f, 2.f);
}

void WalkView::explain(const Matrix& matrix, int64_t element, const char* name) const {
    if (!begin_hint()) return;
    const int64_t row = element / matrix.columns, column = element % matrix.columns;
    hint_title(fmt::format("{}: row {}, column {}", name, row, column));
    if (matrix.fetched.empty()) {
        const int64_t owner = walk_->owner_of(element);
        if (owner < 0)
            hint_text("No block in the trace stored it.", palette().warn);
        else
            hint_text(
                fmt::format("Block {} made it. Click to follow that block.",
                            place_text(place_in(walk_->blocks[size_t(owner)].block, walk_->kernel->grid),
                                       walk_->kernel->grid)));
    } else {
        const uint32_t fetched = matrix.fetched[size_t(element)];
        const int64_t uses = &matrix == &walk_->in[matrix_a] ? walk_->sizes.n : walk_->sizes.m;
        hint_text(fmt::format("It takes part in {}, and {} fetched it from global memory.",
                              plural(uses, "multiply-add", "multiply-adds"),
                              plural(fetched, "request", "requests")));
    }
    end_hint();
}

void WalkView::point(const Fields& fields, const RunChoice& choice, Cursor& cursor, bool clicked) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const std::pair<const Field*, const Matrix*> all[] = {
        {&fields.a, &walk_->in[matrix_a]}, {&fields.b, &walk_->in[matrix_b]}, {&fields.c, &walk_->c}};
    constexpr const char* names[] = {"A", "B", "C"};
    for (size_t i = 0; i < std::size(all); ++i) {
        const auto& [field, matrix] = all[i];
        const auto column = int64_t(std::floor((mouse.x - field->at.x) / field->wide)),
                   row = int64_t(std::floor((mouse.y - field->at.y) / field->high));
        if (row < 0 || column < 0 || row >= matrix->rows || column >= matrix->columns) continue;
        const int64_t element = row * matrix->columns + column;
        const int64_t owner = matrix == &walk_->c ? walk_->owner_of(element) : -1;
        cursor.pointed = true;
        const bool holds = clicked && owner < 0;  // a click on C follows its block
        if (!cursor.pinned || holds) {
            const bool again = holds && cursor.pinned;
            cursor = Cursor{};
            cursor.pointed = true;
            cursor.pinned = holds && !again;
            choice.put_into(cursor);
            cursor.buffer = matrix->buffer;
            cursor.element = element;
            cursor.line = now()->line;
        }
        explain(*matrix, element, names[i]);
        if (clicked && owner >= 0) block_ = size_t(owner);
    }
}

void WalkView::draw(const RunChoice& choice, Cursor& cursor) {
    draw_steppers();
    if (!now()) return;
    draw_sentence();
    section_title("A left, B above", "blue: taken in this step; the stronger amber, the more often in all");
    const Fields fields = lay_out(ImGui::GetContentRegionAvail().x);
    const auto [m, n, k] = walk_->sizes;
    const ImVec2 end{fields.c.at.x + fields.c.wide * float(n), fields.c.at.y + fields.c.high * float(m)};
    const bool clicked = ImGui::InvisibleButton(
        "matrices",
        {std::max(1.f, end.x - fields.a.at.x), std::max(1.f, end.y - ImGui::GetCursorScreenPos().y)});
    draw_matrix(fields.a, walk_->in[matrix_a], matrix_a);
    draw_matrix(fields.b, walk_->in[matrix_b], matrix_b);
    draw_c(fields.c);
    draw_name(fields.a, "A", walk_->in[matrix_a], fields.a.at.x);
    draw_name(fields.b, "B", walk_->in[matrix_b], fields.a.at.x);
    draw_name(fields.c, "C", walk_->c, fields.c.at.x);
    if (ImGui::IsItemHovered()) point(fields, choice, cursor, clicked);
    if (!choice.holds(cursor) || !cursor.has_element()) return;
    if (cursor.buffer == walk_->in[matrix_a].buffer && cursor.element < m * k)
        outline(fields.a, walk_->in[matrix_a], cursor.element);
    if (cursor.buffer == walk_->in[matrix_b].buffer && cursor.element < k * n)
        outline(fields.b, walk_->in[matrix_b], cursor.element);
    if (cursor.buffer == walk_->c.buffer && cursor.element < m * n)
        outline(fields.c, walk_->c, cursor.element);
}

}  // namespace lab::lesson_18_matmul
