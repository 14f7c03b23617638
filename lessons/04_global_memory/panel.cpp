// Sectors: what each source line of a launch asks of global memory, and one request at a time, its lanes over the
// sectors and lines that they touch. For the ruler's kernel, also what earlier tries have measured.
//
// Options of a ```panel block: case = a part of a case's name, launch = 1, 2, ... of that case.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/panels/access_index.h"
#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/04_global_memory/panel_views.h"

namespace lab::lesson_04_global_memory {
namespace {

class Sectors : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void follow(const Cursor& cursor);
    void draw_steps();
    std::string totals() const;
    bool measures() const { return measuring_ && choice_.bundle().origin == "try"; }
    const Request& now() const { return scene_.requests[shown_]; }

    RunChoice choice_;
    Scene scene_;
    size_t shown_ = 0, most_lines_ = 1;
    Measurements measured_;  // of all tries while the lesson is open
    bool measuring_ = false;
};

void Sectors::load(const RunBundle& bundle) {
    choice_.load(bundle);
    derive();
}

void Sectors::derive() {
    scene_ = scene_of(choice_);
    shown_ = 0;
    most_lines_ = 1;
    for (const Site& site : scene_.sites)
        for (const Cost* cost : {&site.load, &site.store})
            if (cost->requests > 0)
                most_lines_ = std::max(most_lines_, lines_of(scene_.requests[cost->first]).size());
    const Kernel* kernel = choice_.kernel();
    measuring_ = kernel && choice_.bundle().origin == "try" && measured_.note(scene_, kernel->name);
}

std::string Sectors::totals() const {
    int64_t loads = 0, stores = 0;
    for (const Site& site : scene_.sites) {
        loads += site.load.sectors;
        stores += site.store.sectors;
    }
    return fmt::format("{} loaded, {} stored", plural(loads, "sector", "sectors"), stores);
}

float Sectors::height_for(float width, float most) {
    (void)width;
    const float above = choice_.height() + em(2.1f);
    if (scene_.requests.empty()) return std::min(most, above + em(2));
    return std::min(most, above + BillView::height(scene_) + em(4.4f) + MemoryView::height(most_lines_) +
                              (measures() ? MeasuredView::height() : 0));
}

// A thread that is held elsewhere brings its warp here.
void Sectors::follow(const Cursor& cursor) {
    if (!cursor.pinned || !cursor.has_thread() || !choice_.holds(cursor) || cursor.launch != choice_.launch())
        return;
    const auto is_there = [&](const Request& request) {
        return int64_t(request.access.block) == cursor.block && request.access.warp == cursor.warp;
    };
    if (is_there(now())) return;
    const auto found = std::find_if(scene_.requests.begin(), scene_.requests.end(), is_there);
    if (found != scene_.requests.end()) shown_ = size_t(found - scene_.requests.begin());
}

void Sectors::draw_steps() {
    int step = 0;
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::GetIO().WantTextInput) {
        step += ImGui::IsKeyPressed(ImGuiKey_RightArrow);
        step -= ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
    }
    if (ImGui::ArrowButton("before", ImGuiDir_Left)) --step;
    ImGui::SameLine(0, em(0.2f));
    if (ImGui::ArrowButton("after", ImGuiDir_Right)) ++step;
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    const int last = int(scene_.requests.size()) - 1;
    int wanted = int(shown_);
    const WarpAccess& a = now().access;
    const std::string label =
        fmt::format("request {} of {}: block {}, warp {}", shown_ + 1, last + 1,
                    place_text(place_in(a.block, choice_.kernel()->grid), choice_.kernel()->grid), a.warp);
    ImGui::SliderInt("##request", &wanted, 0, last, label.c_str(),
                     ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp);
    shown_ = size_t(std::clamp(wanted + step, 0, last));
}

void Sectors::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    choice_.draw_launch(scene_.requests.empty() ? "" : totals());
    if (!choice_.kernel()) return;
    if (scene_.requests.empty())
        return wrapped_text(Face::text, em(0.95f), palette().dim,
                            "No thread of this launch loads from global memory or stores there.");
    follow(cursor);
    // While somebody slides, the curve is worth more than the bill of a line that loads once.
    if (!measures() || ImGui::GetContentRegionAvail().y > em(26)) {
        shown_ = BillView().draw(scene_, shown_);
        draw_steps();
    }
    const Request& request = now();
    const bool wasteful =
        request.access.sectors > request.fewest_sectors() && request.access.used_bytes * 2 <= request.moved();
    wrapped_text(Face::bold, em(0.95f), palette().text, sentence_of(scene_, request));
    wrapped_text(Face::text, em(0.92f), wasteful ? palette().warn : palette().dim, price_of(request));
    if (measures()) {
        // The picture above takes what the curve below leaves.
        const float high = std::max(em(6), ImGui::GetContentRegionAvail().y - MeasuredView::height());
        ImGui::BeginChild("memory", {0, high}, ImGuiChildFlags_None,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        MemoryView().draw(scene_, now(), choice_, cursor);
        ImGui::EndChild();
        MeasuredView().draw(measured_);
    } else {
        MemoryView().draw(scene_, now(), choice_, cursor);
    }
}

}  // namespace

const char* panel_title() {
    return "Sectors";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Sectors>();
}

}  // namespace lab::lesson_04_global_memory
