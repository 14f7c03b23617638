// Who waits for whom: the host's calls and the operations of each stream, joined by every edge that makes one come
// after another. What no path joins may run at the same time; where it touches the same memory, that is a race, in red.
//
// Options of a ```panel block: case = a part of a case's name.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/10_events/panel_view.h"

namespace lab::lesson_10_events {
namespace {

class WhoWaits : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    void derive();

    RunChoice choice_;
    GraphView view_;
    std::string sentence_;
};

void WhoWaits::load(const RunBundle& bundle) {
    choice_.load(bundle);
    choice_.all_launches();
    // Of a run that passed, the case with the most streams says most.
    if (bundle.run.passed) {
        size_t most = 0;
        for (size_t i = 0; i < bundle.run.cases.size(); ++i) {
            const size_t columns = scene_of(bundle.run, int(i)).columns.size();
            if (columns >= most) choice_.choose_case(int(i));
            most = std::max(most, columns);
        }
    }
    derive();
}

// A sentence of the machine begins with a noun; the names of functions keep their letters.
std::string sentence(std::string text) {
    for (const char* word : {"kernel ", "line "})
        if (text.starts_with(word)) text[0] = char(text[0] - 'a' + 'A');
    return text + ".";
}

void WhoWaits::derive() {
    view_.load(scene_of(choice_.bundle().run, choice_.case_index()));
    const Scene& scene = view_.scene();
    sentence_ = scene.races.empty() ? scene.side_by_side() : sentence(scene.races.front().message);
    if (scene.races.empty() && sentence_.empty() && !scene.nodes.empty())
        sentence_ = "Every kernel and copy waits for another: nothing may run at the same time.";
    if (scene.left_out > 0)
        sentence_ +=
            fmt::format(" {} more are not shown.", plural(scene.left_out, "operation", "operations"));
}

float WhoWaits::height_for(float width, float most) {
    (void)width;
    return std::min(most, choice_.height() + em(4.2f) + (view_.scene().nodes.empty() ? 0 : view_.height()));
}

void WhoWaits::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    const Scene& scene = view_.scene();
    if (scene.nodes.empty())
        return wrapped_text(Face::text, em(), palette().dim,
                            "Nothing was queued on the device in this case.");
    wrapped_text(Face::text, em(0.92f), scene.races.empty() ? palette().text : palette().bad, sentence_);
    ImGui::Dummy({1, em(0.4f)});
    view_.draw(choice_, cursor, ImGui::GetContentRegionAvail().y);
}

}  // namespace

const char* panel_title() {
    return "Who waits";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<WhoWaits>();
}

}  // namespace lab::lesson_10_events
