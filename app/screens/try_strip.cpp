// "Try other sizes": a slider for each of the lesson's sizes, and for the grid. Moving one runs the learner's
// kernel again, outside of grading; the old picture stays until the new one is there.
#include <fmt/format.h>

#include <algorithm>

#include "app/app.h"
#include "app/theme/widgets.h"
#include "workbench/record/text.h"

namespace lab {
namespace {

constexpr const char* axes[] = {"x", "y"};

bool is_flat(const RunPtr& run) {
    if (!run) return true;
    return std::all_of(run->run.kernels.begin(), run->run.kernels.end(),
                       [](const Kernel& k) { return k.grid.y == 1 && k.block.y == 1; });
}

// ImGui takes the text of a slider as a format.
std::string as_format(const std::string& text) {
    std::string format;
    for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
    return format;
}

// Label and value stand in the slider: every line of text here is taken from the picture below.
bool slide_value(const Slider& slider, int& value) {
    if (slider.values.empty() && slider.words.empty())
        return ImGui::SliderInt("##value", &value, slider.from, slider.to,
                                (as_format(slider.label) + " = %d").c_str(), ImGuiSliderFlags_AlwaysClamp);
    if (slider.values.empty())
        return ImGui::SliderInt("##value", &value, slider.from, slider.to,
                                as_format(fmt::format("{} = {}", slider.label, slider.word(value))).c_str(),
                                ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp);
    const std::vector<int>& stops = slider.values;
    int stop = int(std::find(stops.begin(), stops.end(), value) - stops.begin());
    if (!ImGui::SliderInt("##value", &stop, 0, int(stops.size()) - 1,
                          as_format(fmt::format("{} = {}", slider.label, slider.word(value))).c_str(),
                          ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp))
        return false;
    value = stops[size_t(std::clamp(stop, 0, int(stops.size()) - 1))];
    return true;
}

// The leftmost place is "as launched".
bool slide_grid(const std::string& label, unsigned& blocks, unsigned asked, float room) {
    int value = int(blocks);
    const int most = int(std::min(64u, std::max(8u, 2 * asked)));
    std::string text = value != 0 ? fmt::format("{} = {}", label, value) : label + " as launched";
    const std::string more = fmt::format("{} ({})", text, asked);
    if (value == 0 && asked != 0 && ImGui::CalcTextSize(more.c_str()).x < room) text = more;
    if (!ImGui::SliderInt("##value", &value, 0, std::max(most, value), text.c_str(),
                          ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp))
        return false;
    blocks = unsigned(std::max(0, value));
    return true;
}

class Strip {
  public:
    // opens: there is room for the sliders above a panel without the reader asking for them.
    Strip(App& app, bool opens) : app_(app), try_(app.try_), opens_(opens) {}

    void draw() {
        draw_title();
        if (!is_open()) return;
        const auto& sliders = app_.now().lesson.sliders;
        const bool two = try_.asked.y > 1 || try_.wanted.grid[1] != 0 || !is_flat(app_.shown_run()) ||
                         !is_flat(app_.grader_.run_of(app_.now().lesson.slug, "solution"));
        const size_t count = sliders.size() + (two ? 2 : 1);
        const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
        columns_ = size_t(std::clamp(int(width / em(9.5f)), 1, int(count)));
        const size_t rows = (count + columns_ - 1) / columns_;
        columns_ = (count + rows - 1) / rows;
        cell_ = (width - gap * float(columns_ - 1)) / float(columns_);
        bool moved = false;
        for (const Slider& slider : sliders)
            moved |=
                cell(slider.name, [&] { return slide_value(slider, try_.wanted.settings[slider.name]); });
        const unsigned asked[] = {try_.asked.x, try_.asked.y};
        for (size_t axis = 0; axis < (two ? 2u : 1u); ++axis)
            moved |= cell(fmt::format("grid_{}", axes[axis]), [&] {
                return slide_grid(two ? fmt::format("grid {}", axes[axis]) : "grid", try_.wanted.grid[axis],
                                  asked[axis], cell_);
            });
        try_.focus = false;
        if (moved) app_.start_try();
    }

    void draw_verdict() {
        if (!try_.active) return;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const RunPtr& run = try_.shown;
        const bool good = run && run->problem.empty() && run->run.passed;
        const char* back = "Back to the graded run";
        const float button = ImGui::CalcTextSize(back).x + 2 * ImGui::GetStyle().FramePadding.x;
        const float width = ImGui::GetContentRegionAvail().x, indent = em(1.4f);
        const bool beside = width > button + em(18);
        if (run) {
            const ImVec2 centre{at.x + em(0.6f), at.y + em(0.75f)};
            if (good)
                draw_tick(ImGui::GetWindowDrawList(), centre, em(0.42f), palette().good);
            else
                draw_cross(ImGui::GetWindowDrawList(), centre, em(0.42f), palette().bad);
        }
        ImGui::SetCursorScreenPos({at.x + indent, at.y});
        ImGui::BeginGroup();
        const float room = width - indent - (beside ? button + em(1) : 0);
        const std::string words = !run                    ? "Running ..."
                                  : !run->problem.empty() ? run->problem
                                                          : run->run.headline;
        wrapped_text(Face::bold, em(0.95f),
                     !run   ? palette().dim
                     : good ? palette().good
                            : palette().bad,
                     words, room);
        app_.mark("try/headline");
        if (run && !good) draw_finding(run->run, words, room);
        ImGui::EndGroup();
        if (beside) {
            const ImVec2 below = ImGui::GetCursorScreenPos();
            ImGui::SetCursorScreenPos({at.x + width - button, at.y});
            draw_back(back);
            ImGui::SetCursorScreenPos({at.x, std::max(below.y, at.y + ImGui::GetFrameHeight() + em(0.3f))});
        } else {
            draw_back(back);
        }
        ImGui::Dummy({1, 1});
    }

  private:
    bool is_open() const { return try_.chosen ? try_.open : opens_; }

    void draw_title() {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const char* title = "Try other sizes";
        const float height = em(1.5f);
        const float wide = text_size(Face::bold, em(0.95f), title).x + em(1.6f);
        if (ImGui::InvisibleButton("try", {wide, height}, ImGuiButtonFlags_EnableNav)) {
            try_.open = !is_open();
            try_.chosen = true;
        }
        app_.mark("try/title");
        const ImU32 ink = ImGui::IsItemHovered() ? palette().accent : palette().text;
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImVec2 c{at.x + em(0.5f), at.y + height / 2};
        const float r = em(0.3f);
        if (is_open())
            list->AddTriangleFilled({c.x - r, c.y - r * 0.6f}, {c.x + r, c.y - r * 0.6f},
                                    {c.x, c.y + r * 0.8f}, ink);
        else
            list->AddTriangleFilled({c.x - r * 0.6f, c.y - r}, {c.x + r * 0.8f, c.y},
                                    {c.x - r * 0.6f, c.y + r}, ink);
        draw_text(list, Face::bold, em(0.95f), {at.x + em(1.2f), at.y + em(0.1f)}, ink, title);
        const char* detail = "each move runs the kernel again; nothing is graded";
        const float size = em(0.85f);
        if (wide + em(1) + text_size(Face::text, size, detail).x < ImGui::GetContentRegionAvail().x)
            draw_text(list, Face::text, size, {at.x + wide + em(0.8f), at.y + em(0.2f)}, palette().dim,
                      detail);
    }

    template <class Slide>
    bool cell(const std::string& name, Slide slide) {
        if (shown_ % columns_ != 0) ImGui::SameLine();
        ImGui::SetNextItemWidth(cell_);
        ImGui::PushID(name.c_str());
        const bool moved = slide();
        app_.mark("try/" + name);
        if (shown_ == 0 && try_.focus) {
            ImGui::FocusItem();
            ImGui::SetNavCursorVisible(true);
        }
        ImGui::PopID();
        ++shown_;
        return moved;
    }

    // The cause, where the headline does not say it already.
    void draw_finding(const Run& run, const std::string& headline, float room) {
        if (const Finding* cause = cause_of(run)) {
            if (cause->at.line > 0 && !try_.solution) {
                if (ImGui::SmallButton(fmt::format("line {}", cause->at.line).c_str())) {
                    app_.code_.reveal = cause->at.line;
                    app_.focus_ = "Code";
                }
                ImGui::SameLine();
            }
            const bool said = headline.find(cause->message) != std::string::npos;
            const std::string& advice = run.next_action.empty() ? cause->fix : run.next_action;
            wrapped_text(Face::text, em(0.9f), palette().text, said ? advice : cause->message, room - em(5));
            app_.mark("try/finding");
            return;
        }
        if (!run.next_action.empty())
            wrapped_text(Face::text, em(0.9f), palette().text, run.next_action, room);
    }

    void draw_back(const char* label) {
        if (ImGui::Button(label)) app_.end_try();
        app_.mark("try/back");
    }

    App& app_;
    TryStrip& try_;
    bool opens_;
    size_t columns_ = 1, shown_ = 0;
    float cell_ = 0;
};

}  // namespace

void draw_try_strip(App& app) {
    if (app.now().lesson.sliders.empty()) return;
    const float width = ImGui::GetContentRegionAvail().x;
    const int across = std::max(1, int(width / em(9.5f))), cells = int(app.now().lesson.sliders.size()) + 2;
    const int rows = (cells + across - 1) / across;
    const bool opens =
        ImGui::GetContentRegionAvail().y > em(16) + float(rows) * ImGui::GetFrameHeightWithSpacing();
    // A child of its own: the panel below takes the arrow keys, the sliders want them, too.
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild("try strip", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar();
    Strip strip(app, opens);
    strip.draw();
    strip.draw_verdict();
    ImGui::EndChild();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y - em(0.1f)},
                                        {at.x + ImGui::GetContentRegionAvail().x, at.y - em(0.1f)},
                                        palette().border);
    ImGui::Dummy({1, em(0.1f)});
}

}  // namespace lab
