// The pages: where each page of managed memory was in the course of a run, who faulted for it, and what sent it there.
//
// Options of a ```panel block: case = a part of a case's name.
#include <memory>

#include "app/panels/panel.h"
#include "app/theme/widgets.h"
#include "lessons/11_unified_memory/panel_map.h"

namespace lab::lesson_11_unified_memory {
namespace {

class Pages : public Panel {
  public:
    void configure(const std::map<std::string, std::string>& options) override { choice_.configure(options); }
    void load(const RunBundle& bundle) override;
    void draw(Cursor& cursor) override;
    float height_for(float width, float most) override;

  private:
    bool has_picture() const { return map_.scene().map != nullptr && !map_.scene().rows.empty(); }
    void derive() { map_.load(scene_of(choice_.bundle().run, choice_.case_index())); }

    RunChoice choice_;
    MapView map_;
};

// The case in which most happens to pages.
int case_to_look_at(const Run& run, int otherwise) {
    size_t most = 0;
    for (const Timeline& timeline : run.timelines)
        if (timeline.case_index >= 0 && timeline.page_map.acts.size() > most) {
            most = timeline.page_map.acts.size();
            otherwise = timeline.case_index;
        }
    return otherwise;
}

void Pages::load(const RunBundle& bundle) {
    choice_.load(bundle);
    choice_.all_launches();
    if (bundle.run.passed) choice_.choose_case(case_to_look_at(bundle.run, choice_.case_index()));
    derive();
}

float Pages::height_for(float width, float most) {
    return std::min(most, choice_.height() + (has_picture() ? map_.height(width) : em(3)));
}

void Pages::draw(Cursor& cursor) {
    if (choice_.draw()) {
        derive();
        cursor = Cursor{};
    }
    if (!has_picture())
        return wrapped_text(Face::text, em(), palette().dim,
                            "No managed memory was touched in this case, so there are no pages to show.");
    map_.draw(choice_, cursor);
}

}  // namespace

const char* panel_title() {
    return "Pages";
}

std::unique_ptr<Panel> make_panel() {
    return std::make_unique<Pages>();
}

}  // namespace lab::lesson_11_unified_memory
