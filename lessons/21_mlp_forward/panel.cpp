// The network: a digit on its way from the reader's pad to ten probabilities, through the reader's own kernels; of a
// case without pictures the matrices, with their shapes.
//
// Options of a ```panel block: case = a part of a case's name, view = "weights" (what the hidden units look for, and
// nothing else of a case with pictures).
#include <exception>
#include <utility>

#include "app/theme/widgets.h"
#include "lessons/21_mlp_forward/panel_network.h"

namespace lab::lesson_21_mlp_forward {

namespace {

// The case to begin with: the first that failed, else the one with the digits.
int case_to_begin(const RunBundle& bundle, int otherwise) {
    if (!bundle.run.passed) return otherwise;
    for (size_t i = 0; i < bundle.run.cases.size(); ++i)
        if (flow_of(bundle.run, int(i)).has_pictures()) return int(i);
    return otherwise;
}

}  // namespace

void NetworkPanel::configure(const std::map<std::string, std::string>& options) {
    choice_.configure(options);
    const auto view = options.find("view");
    weights_only_ = view != options.end() && view->second == "weights";
}

void NetworkPanel::load(const RunBundle& bundle) {
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

void NetworkPanel::derive() {
    flow_ = flow_of(choice_.bundle().run, choice_.case_index());
    matrices_.show(flow_);
    if (flow_.has_pictures()) picture_.show(flow_, network_ ? &*network_ : nullptr);
}

float NetworkPanel::height_for(float width, float most) {
    const float above = choice_.height();
    return std::min(
        most, above + (flow_.has_pictures() ? PictureView::height() : MatricesView::height(flow_, width)));
}

void NetworkPanel::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (!problem_.empty()) wrapped_text(Face::text, em(0.9f), palette().bad, problem_);
    if (flow_.has_pictures() && weights_only_)
        picture_.draw_weights();
    else if (flow_.has_pictures())
        picture_.draw(drawn_);
    else
        matrices_.draw();
}

std::optional<Panel::Drawn> NetworkPanel::take_drawing() {
    return std::exchange(drawn_, std::nullopt);
}

const char* panel_title() {
    return "The network";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<NetworkPanel>();
}

}  // namespace lab::lesson_21_mlp_forward
