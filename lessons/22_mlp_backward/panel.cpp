// The way back: a network's matrices and their gradients, as the reader's own kernels left them, and one weight to nudge;
// of a case without pictures the matrices, with their shapes.
//
// Options of a ```panel block: case = a part of a case's name; view = "nudge": only what the slider needs.
#include <exception>
#include <utility>

#include "app/theme/widgets.h"
#include "lessons/22_mlp_backward/panel_backward.h"

namespace lab::lesson_22_mlp_backward {

namespace {

bool has_gradients(const Flow& flow) {
    return flow.has_pictures() && flow.find("dlogits") && flow.find("dhidden");
}

// The case to begin with: the first that failed, else the one with the digits.
int case_to_begin(const RunBundle& bundle, int otherwise) {
    if (!bundle.run.passed) return otherwise;
    for (size_t i = 0; i < bundle.run.cases.size(); ++i)
        if (has_gradients(lesson_21_mlp_forward::flow_of(bundle.run, int(i)))) return int(i);
    return otherwise;
}

}  // namespace

void BackwardPanel::configure(const std::map<std::string, std::string>& options) {
    choice_.configure(options);
    const auto view = options.find("view");
    whole_ = view == options.end() || view->second != "nudge";
}

void BackwardPanel::load(const RunBundle& bundle) {
    if (!network_ && problem_.empty()) {
        try {
            network_ = load_network(find_home(), digit_network);
        } catch (const std::exception& error) {
            problem_ = error.what();
        }
    }
    choice_.all_launches();
    choice_.load(bundle);
    choice_.choose_case(case_to_begin(bundle, choice_.case_index()));
    derive();
}

bool BackwardPanel::has_network() const {
    return network_ && has_gradients(flow_);
}

void BackwardPanel::derive() {
    flow_ = lesson_21_mlp_forward::flow_of(choice_.bundle().run, choice_.case_index());
    matrices_.show(flow_);
    if (!has_network()) return;
    figure_.show(choice_.bundle(), choice_.case_index(), flow_, &*network_);
    nudge_.show(flow_, &*network_);
}

float BackwardPanel::height_for(float width, float most) {
    const float below = has_network() ? FigureView::height(whole_) + NudgeView::height()
                                      : lesson_21_mlp_forward::MatricesView::height(flow_, width);
    return std::min(most, choice_.height() + below);
}

void BackwardPanel::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (!problem_.empty()) wrapped_text(Face::text, em(0.9f), palette().bad, problem_);
    if (!has_network()) return matrices_.draw();
    figure_.draw(whole_, drawn_);
    if (nudge_.is_there()) nudge_.draw(figure_.weight());
}

std::optional<Panel::Drawn> BackwardPanel::take_drawing() {
    return std::exchange(drawn_, std::nullopt);
}

const char* panel_title() {
    return "The way back";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<BackwardPanel>();
}

}  // namespace lab::lesson_22_mlp_backward
