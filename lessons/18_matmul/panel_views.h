// The two pictures of the panel: the walk over A and B, and the roofline.
#pragma once

#include <imgui.h>

#include "app/panels/run_choice.h"
#include "lessons/18_matmul/panel_roof.h"
#include "lessons/18_matmul/panel_walk.h"

namespace lab::lesson_18_matmul {

// Two buttons and a slider over 0 .. count - 1, `width` pixels together; `before` and `after` are keys that step it while the window has the focus.
// Returns the new value.
struct Stepper {
    const char* id;
    const char* what;  // "step"
    ImGuiKey before, after;
};
size_t draw_stepper(const Stepper& stepper, size_t shown, size_t count, float width);

// A, B and C as in a hand calculation: B above C, A to its left. Shade: how often an element is fetched; blue: in this step.
class WalkView {
  public:
    void show(const Walk& walk);
    void draw(const RunChoice& choice, Cursor& cursor);
    static float height(float width, const Walk& walk);
    size_t step() const { return step_; }
    size_t block() const { return block_; }

    // Where a matrix is drawn.
    struct Field {
        ImVec2 at;                 // its top left
        float wide = 1, high = 1;  // pixels of an element
    };

  private:
    struct Fields {
        Field a, b, c;
    };
    Fields lay_out(float width) const;
    void draw_steppers();
    void draw_sentence() const;
    void draw_matrix(const Field& field, const Matrix& matrix, Side side) const;
    void draw_c(const Field& field) const;
    void draw_some(const Field& field, const Matrix& matrix, const std::vector<uint32_t>& elements,
                   ImU32 colour) const;
    void point(const Fields& fields, const RunChoice& choice, Cursor& cursor, bool clicked);
    void explain(const Matrix& matrix, int64_t element, const char* name) const;
    void outline(const Field& field, const Matrix& matrix, int64_t element) const;
    const Step* now() const;

    const Walk* walk_ = nullptr;
    size_t block_ = 0, step_ = 0;
};

// Log over log: operations for each byte against operations a second.
class RoofView {
  public:
    void draw(const std::vector<Point>& points, const Card& card, int chosen) const;
    static float height();

  private:
    struct Plot {
        ImVec2 from, to;
        ImVec2 at(double flops_a_byte, double flops) const;
    };
    void draw_axes(const Plot& plot) const;
    void draw_roofs(const Plot& plot, const Card& card) const;
    void draw_point(const Plot& plot, const Point& point, const Card& card, bool is_chosen) const;
    void draw_sentence(const Point& point, const Card& card) const;
};

}  // namespace lab::lesson_18_matmul
