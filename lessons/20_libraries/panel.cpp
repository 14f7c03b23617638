// Each job by hand and by library, on one axis of time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/steps.h"
#include "app/theme/widgets.h"
#include "lessons/20_libraries/panel_jobs.h"

namespace lab::lesson_20_libraries {
namespace {

constexpr float bar_high = 1.05f, row_high = 3.9f, label_wide = 5.2f, axis_high = 1.5f,
                detail_high = 8.2f;  // in em

class BothWays : public Panel {
  public:
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    struct Axis {
        float left, right;
        double low, high;  // us, at its ends; a decade is as wide as the next
        float x(double us) const;
    };
    Axis axis_at(ImVec2 at, float wide) const;
    void draw_axis(const Axis& axis, float top, float bottom) const;
    void draw_row(const Axis& axis, float top, size_t index, Cursor& cursor);
    void draw_bar(const Axis& axis, float top, const Way& way, const char* name, bool is_lit) const;
    void draw_detail() const;
    void point_at(Cursor& cursor, const Job& job, const Way& way, bool click);
    bool is_lit(const Cursor& cursor, const Job& job, const Way& way) const;

    Jobs jobs_;
    uint64_t run_ = 0;
    size_t shown_ = 0;
};

void BothWays::load(const RunBundle& bundle) {
    jobs_ = jobs_of(bundle.run);
    run_ = bundle.id;
    shown_ = std::min(shown_, jobs_.jobs.empty() ? 0 : jobs_.jobs.size() - 1);
}

float BothWays::height_for(float, float most) {
    if (jobs_.jobs.empty()) return std::min(most, em(4));
    return std::min(most, em(2.2f + axis_high + row_high * float(jobs_.jobs.size()) + detail_high));
}

float BothWays::Axis::x(double us) const {
    const double part = std::log(std::clamp(us, low, high) / low) / std::log(high / low);
    return left + float(part) * (right - left);
}

BothWays::Axis BothWays::axis_at(ImVec2 at, float wide) const {
    double low = 10, high = 10;
    for (const Job& job : jobs_.jobs)
        for (const Way* way : {&job.hand, &job.library}) {
            if (!way->is_done() || way->source == Source::unknown) continue;
            low = std::min(low, way->us());
            high = std::max(high, way->us());
        }
    return {at.x + em(label_wide), at.x + wide - em(7.5f), std::pow(10, std::floor(std::log10(low * 0.8))),
            std::pow(10, std::ceil(std::log10(high)))};
}

void BothWays::draw_axis(const Axis& axis, float top, float bottom) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({axis.left, top}, {axis.right, bottom}, palette().code);
    for (double us = axis.low; us <= axis.high * 1.01; us *= 10) {
        const float x = std::round(axis.x(us));
        list->AddLine({x, top}, {x, bottom}, palette().border);
        const std::string text = us >= 1000 ? fmt::format("{:g} ms", us / 1000) : fmt::format("{:g} us", us);
        draw_text(list, Face::text, em(0.76f),
                  {x - text_size(Face::text, em(0.76f), text).x / 2, top - em(1.2f)}, palette().dim, text);
    }
    if (jobs_.queue_us <= axis.low || jobs_.queue_us >= axis.high) return;
    const float x = std::round(axis.x(jobs_.queue_us));
    for (float y = top; y < bottom; y += em(0.6f))
        list->AddLine({x, y}, {x, std::min(y + em(0.3f), bottom)}, palette().warn, 1.5f);
}

bool BothWays::is_lit(const Cursor& cursor, const Job& job, const Way& way) const {
    return cursor.line != 0 && cursor.line == way.line() && cursor.is_in(run_, job.case_index) &&
           cursor.case_index == job.case_index;
}

// A click holds the cursor, a second one lets go.
void BothWays::point_at(Cursor& cursor, const Job& job, const Way& way, bool click) {
    cursor.pointed = true;
    if (cursor.pinned && !click) return;
    const bool again = click && cursor.pinned;
    cursor = Cursor{};
    cursor.pointed = true;
    if (again) return;
    cursor.pinned = click;
    cursor.run = run_;
    cursor.case_index = job.case_index;
    cursor.line = way.line();
}

// Full: the learner's kernels, or measured. Open: no less than that.
void BothWays::draw_bar(const Axis& axis, float top, const Way& way, const char* name, bool is_lit) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float small = em(0.85f), bottom = top + em(bar_high);
    draw_text(list, Face::text, small, {axis.left - em(label_wide) + em(0.5f), top + em(0.05f)},
              palette().dim, name);
    std::string text = "not yet";
    float right = axis.left;
    if (way.is_done() && way.source == Source::unknown) {
        text = "only a GPU can say";
    } else if (way.is_done()) {
        right = std::max(axis.x(way.us()), axis.left + 3);
        const bool is_open = way.source == Source::at_least;
        const ImU32 colour = is_open ? palette().good : palette().read;
        if (is_open)
            list->AddRectFilled({axis.left, top}, {right, bottom}, with_alpha(colour, 0.18f));
        else
            list->AddRectFilled({axis.left, top}, {right, bottom}, colour);
        list->AddRect({axis.left, top}, {right, bottom}, is_lit ? palette().text : colour, 0,
                      is_lit ? 2.f : 1.4f);
        text = (is_open ? "at least " : "") + time_text(way.us());
    }
    const float wide = text_size(Face::text, small, text).x;  // over the dashes
    list->AddRectFilled({right + em(0.25f), top}, {right + em(0.45f) + wide, bottom}, palette().code);
    draw_text(list, Face::text, small, {right + em(0.35f), top + em(0.05f)},
              way.is_done() ? palette().text : palette().faint, text);
}

void BothWays::draw_row(const Axis& axis, float top, size_t index, Cursor& cursor) {
    const Job& job = jobs_.jobs[index];
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = axis.left - em(label_wide);
    const Face face = index == shown_ ? Face::bold : Face::text;
    const ImVec2 size = text_size(face, em(0.92f), job.title);
    list->AddRectFilled({axis.left + em(0.2f), top}, {axis.left + em(0.4f) + size.x, top + size.y},
                        palette().code);
    draw_text(list, face, em(0.92f), {axis.left + em(0.3f), top + em(0.1f)}, palette().text, job.title);
    const struct {
        const Way& way;
        const char* name;
    } bars[] = {{job.hand, "by hand"}, {job.library, "library"}};
    float y = top + em(1.4f);
    for (const auto& bar : bars) {
        ImGui::SetCursorScreenPos({left, y});
        ImGui::PushID(int(2 * index) + (&bar == bars ? 0 : 1));
        const bool clicked = ImGui::InvisibleButton("bar", {axis.right - left, em(bar_high)});
        if (ImGui::IsItemHovered() && bar.way.is_done()) {
            shown_ = index;
            point_at(cursor, job, bar.way, clicked);
        }
        ImGui::PopID();
        draw_bar(axis, y, bar.way, bar.name, is_lit(cursor, job, bar.way));
        y += em(bar_high + 0.12f);
    }
}

std::string pieces_text(const Way& way) {
    std::string text;
    for (const Piece& piece : way.pieces) {
        if (!text.empty()) text += ", ";
        text += piece.name;
        if (piece.line > 0) text += fmt::format(" (line {})", piece.line);
        if (way.source != Source::unknown) text += " " + time_text(piece.us);
    }
    return text;
}

void BothWays::draw_detail() const {
    const Job& job = jobs_.jobs[shown_];
    if (job.hand.is_done())
        wrapped_text(Face::text, em(0.92f), palette().text, "By hand: " + pieces_text(job.hand) + ".");
    wrapped_text(Face::text, em(0.92f), palette().text,
                 job.library.is_done() ? "Library: " + pieces_text(job.library) + "."
                                       : "Library: your function has called none yet.");
    std::string note = jobs_.is_measured
                           ? fmt::format("Measured on {}, at the sizes of the lesson's timing.", jobs_.device)
                           : fmt::format(
                                 "A model of an {}. Full: from what was counted in the kernels. Open: the "
                                 "least that the card's "
                                 "arithmetic and memory allow the call.",
                                 jobs_.device);
    if (!jobs_.is_measured && jobs_.queue_us > 0)
        note +=
            fmt::format(" Dashed: {}, which the host needs to queue one call.", time_text(jobs_.queue_us));
    wrapped_text(Face::text, em(0.85f), palette().dim, note);
}

void BothWays::draw(Cursor& cursor) {
    if (jobs_.jobs.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "This run did no job both ways: grade the exercise, and the four jobs are here.");
    if (jobs_.jobs.size() > 1)
        shown_ = draw_steps({"job", fmt::format("job {} of {}", shown_ + 1, jobs_.jobs.size())}, shown_,
                            jobs_.jobs.size());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Axis axis = axis_at(at, std::min(ImGui::GetContentRegionAvail().x, em(52)));
    const float top = at.y + em(axis_high), bottom = top + em(row_high) * float(jobs_.jobs.size());
    draw_axis(axis, top, bottom);
    for (size_t i = 0; i < jobs_.jobs.size(); ++i) draw_row(axis, top + em(row_high) * float(i), i, cursor);
    ImGui::SetCursorScreenPos({at.x, bottom + em(0.3f)});
    draw_detail();
}

}  // namespace

const char* panel_title() {
    return "By hand and by library";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<BothWays>();
}

}  // namespace lab::lesson_20_libraries
