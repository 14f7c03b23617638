// Which case and which launch a panel shows, and the line that names the launch. Panels keep one each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/model/cursor.h"
#include "app/model/run_bundle.h"
#include "app/theme/theme.h"

namespace lab {

class RunChoice {
  public:
    // case = a part of a case's name: then no other can be chosen. launch = which launch of a case is looked at first:
    // 1, 2, ..., or a part of its kernel's name (the last of several).
    void configure(const std::map<std::string, std::string>& options);
    void load(const RunBundle& bundle);
    // For a panel that shows all launches of a case at once.
    void all_launches() { chooses_launch_ = false; }
    // For a panel that shows cases in which no kernel ran, too, if something was queued.
    void all_queues() { needs_launch_ = false; }
    // Draws the boxes to choose from, where there is something to choose. True: another was chosen.
    bool draw();
    // Pixels that draw() takes.
    float height() const;
    void draw_launch(std::string rest, ImU32 colour = 0) const;

    // Whether the cursor points into the shown run and case; and makes it point there.
    bool holds(const Cursor& cursor) const;
    void put_into(Cursor& cursor) const;
    bool choose_launch(int launch);    // false: there is no such launch
    void choose_case(int case_index);  // nothing changes where the lesson has fixed one

    const RunBundle& bundle() const { return *bundle_; }
    int case_index() const { return case_; }
    int launch() const { return launch_; }
    const Kernel* kernel() const;  // null: the case launched nothing
    TracePtr trace() const;        // null: there is none

  private:
    struct Choice {
        int case_index;
        std::string name;
        bool passed;
    };
    void show_case(int case_index);
    void choose_asked_launch();
    bool draw_cases(float width);
    bool draw_launches();
    bool offers_launches() const { return chooses_launch_ && kernels_.size() > 1; }
    bool chooses_case() const { return fixed_case_.empty() && choices_.size() > 1; }

    RunPtr bundle_;
    std::string fixed_case_, first_launch_;
    std::vector<Choice> choices_;
    std::vector<const Kernel*> kernels_;
    int case_ = 0, launch_ = 0;
    bool chooses_launch_ = true, needs_launch_ = true;
};

std::string place_text(const Dim3& at, const Dim3& extent);  // "3", "(3, 1)"
std::string extent_text(const Dim3& extent);                 // "256", "16×16"
std::string plural(int64_t n, const char* one, const char* many);

}  // namespace lab
