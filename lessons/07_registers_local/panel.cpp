// The occupancy calculator: what a block needs, against what an SM of a card has. The learner's own launch is where it
// begins, and stays marked.
//
// Options of a ```panel block: case = a part of a case's name, launch = 1, 2, ... of that case; card = a name in
// assets/devices; shared and each_thread = bytes of shared memory a block, and more for each of its threads; registers and
// threads. What is left out comes from the run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "app/panels/panel.h"
#include "app/panels/run_choice.h"
#include "app/theme/widgets.h"
#include "lessons/07_registers_local/panel_views.h"

namespace lab::lesson_07_registers_local {
namespace {

class Calculator : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override;
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();
    void draw_controls();
    int option(const char* name, int otherwise) const;
    const Card& card() const { return cards()[card_]; }

    RunChoice choice_;
    std::map<std::string, std::string> options_;
    Launched launched_;
    Needs needs_;
    size_t card_ = 0;
    bool chosen_ = false;  // the reader has moved something
};

void Calculator::configure(const std::map<std::string, std::string>& options) {
    options_ = options;
    choice_.configure(options);
}

int Calculator::option(const char* name, int otherwise) const {
    const auto found = options_.find(name);
    return found == options_.end() ? otherwise : std::atoi(found->second.c_str());
}

void Calculator::load(const RunBundle& bundle) {
    choice_.load(bundle);
    if (const int launch = option("launch", 0); launch > 0) choice_.choose_launch(launch - 1);
    derive();
}

void Calculator::derive() {
    launched_ = {};
    if (const Kernel* kernel = choice_.kernel())
        launched_ = launched_by(*kernel, choice_.bundle().run, choice_.case_index());
    if (chosen_) return;  // a new run moves the mark, and not what somebody is looking at
    const int each = option("each_thread", 0);
    needs_.threads = option("threads", launched_.threads > 0 ? (launched_.threads + 31) / 32 * 32 : 256);
    needs_.registers = option("registers", launched_.registers > 0 ? launched_.registers : 32);
    needs_.shared_for_each_thread = each;
    needs_.shared = option("shared", std::max(0, launched_.shared_bytes - each * launched_.threads));
    const auto wanted = options_.find("card");
    for (size_t i = 0; i < cards().size(); ++i)
        if (wanted != options_.end() ? cards()[i].profile == wanted->second
                                     : cards()[i].name == launched_.card ||
                                           (launched_.card.empty() && cards()[i].profile == "h200"))
            card_ = i;
}

float Calculator::height_for(float width, float most) {
    (void)width;
    return std::min(most,
                    choice_.height() + em(10.6f) + SmView::height(cards()[card_]) + CurveView::height());
}

void Calculator::draw_controls() {
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##card", card().name.c_str())) {
        for (size_t i = 0; i < cards().size(); ++i)
            if (ImGui::Selectable(cards()[i].name.c_str(), i == card_)) {
                card_ = i;
                chosen_ = true;
            }
        ImGui::EndCombo();
    }
    const auto slider = [&](const char* id, int& value, int from, int to, int step, const char* format) {
        ImGui::SetNextItemWidth(-1);
        int steps = value / step;
        const std::string text = fmt::format(fmt::runtime(format), value);
        if (ImGui::SliderInt(id, &steps, from / step, to / step, text.c_str(),
                             ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp)) {
            value = std::max(from, steps * step);
            chosen_ = true;
        }
    };
    slider("##threads", needs_.threads, 32, 1024, 32, "{} threads a block");
    slider("##registers", needs_.registers, 8, 255, 1, "{} registers a thread");
    slider("##shared", needs_.shared, 0, 98304, 512, "{} bytes of shared memory a block");
    slider("##each", needs_.shared_for_each_thread, 0, 128, 4, "and {} bytes more for each thread");
}

void Calculator::draw(Cursor& cursor) {
    if (choice_.draw()) {
        chosen_ = false;
        derive();
        cursor = Cursor{};
    }
    if (launched_.threads > 0)
        choice_.draw_launch(fmt::format("{} threads, {} shared bytes, {} registers{}: {:.0f} %",
                                        launched_.threads, launched_.shared_bytes, launched_.registers,
                                        launched_.registers_estimated ? " (a guess)" : "",
                                        launched_.percent));
    draw_controls();
    const Filled filled = fill(card(), needs_);
    wrapped_text(Face::bold, em(0.95f), filled.blocks == 0 ? palette().bad : palette().text,
                 sentence_of(card(), needs_, filled));
    SmView().draw(card(), needs_, filled);
    if (const int threads = CurveView().draw(curve(card(), needs_), needs_.threads, launched_.threads);
        threads > 0) {
        needs_.threads = threads;
        chosen_ = true;
    }
}

}  // namespace

const char* panel_title() {
    return "Occupancy";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Calculator>();
}

}  // namespace lab::lesson_07_registers_local
