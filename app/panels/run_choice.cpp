#include "app/panels/run_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/panels/access_index.h"
#include "app/theme/widgets.h"

namespace lab {

std::string place_text(const Dim3& at, const Dim3& extent) {
    if (extent.y == 1 && extent.z == 1) return std::to_string(at.x);
    if (extent.z == 1) return fmt::format("({}, {})", at.x, at.y);
    return fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

std::string extent_text(const Dim3& d) {
    if (d.y == 1 && d.z == 1) return std::to_string(d.x);
    return d.z == 1 ? fmt::format("{}×{}", d.x, d.y) : fmt::format("{}×{}×{}", d.x, d.y, d.z);
}

std::string plural(int64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

void RunChoice::configure(const std::map<std::string, std::string>& options) {
    if (const auto found = options.find("case"); found != options.end()) fixed_case_ = found->second;
    if (const auto found = options.find("launch"); found != options.end()) first_launch_ = found->second;
}

void RunChoice::load(const RunBundle& bundle) {
    bundle_ = std::make_shared<RunBundle>(bundle);
    choices_.clear();
    int show = case_to_show(bundle);
    for (size_t i = bundle.run.cases.size(); i-- > 0;) {
        // A figure about one case shows that one, also if it launched nothing.
        if (!fixed_case_.empty() && bundle.run.cases[i].name.find(fixed_case_) != std::string::npos)
            show = int(i);
        const bool queued = std::any_of(bundle.run.timelines.begin(), bundle.run.timelines.end(),
                                        [&](const Timeline& t) { return t.case_index == int(i); });
        if (kernels_of(bundle_->run, int(i)).empty() && (needs_launch_ || !queued)) continue;
        choices_.insert(choices_.begin(), {int(i), bundle.run.cases[i].name, bundle.run.cases[i].passed});
    }
    show_case(show);
}

// Of several launches, the one that the lesson names is looked at first, otherwise the one that a finding names.
void RunChoice::show_case(int case_index) {
    case_ = case_index;
    kernels_ = kernels_of(bundle_->run, case_index);
    launch_ = 0;
    const auto& findings = bundle_->run.findings;
    const auto guilty = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
        return f.case_index == case_index && f.launch >= 0;
    });
    for (size_t i = 0; i < kernels_.size() && guilty != findings.end(); ++i)
        if (kernels_[i]->launch == guilty->launch) launch_ = int(i);
    choose_asked_launch();
}

void RunChoice::choose_asked_launch() {
    if (first_launch_.empty()) return;
    if (first_launch_.find_first_not_of("0123456789") == std::string::npos)
        choose_launch(std::atoi(first_launch_.c_str()) - 1);
    for (size_t i = 0; i < kernels_.size(); ++i)
        if (kernels_[i]->name.find(first_launch_) != std::string::npos) launch_ = int(i);
}

bool RunChoice::holds(const Cursor& cursor) const {
    return bundle_ && cursor.is_in(bundle_->id, case_);
}

void RunChoice::put_into(Cursor& cursor) const {
    cursor.run = bundle_->id;
    cursor.case_index = case_;
    cursor.launch = launch_;
}

void RunChoice::choose_case(int case_index) {
    const bool there = std::any_of(choices_.begin(), choices_.end(),
                                   [&](const Choice& choice) { return choice.case_index == case_index; });
    if (fixed_case_.empty() && there && case_index != case_) show_case(case_index);
}

bool RunChoice::choose_launch(int launch) {
    if (launch < 0 || launch >= int(kernels_.size())) return false;
    launch_ = launch;
    return true;
}

const Kernel* RunChoice::kernel() const {
    return launch_ >= 0 && launch_ < int(kernels_.size()) ? kernels_[size_t(launch_)] : nullptr;
}

TracePtr RunChoice::trace() const {
    return bundle_ && size_t(case_) < bundle_->traces.size() ? bundle_->traces[size_t(case_)] : nullptr;
}

float RunChoice::height() const {
    return chooses_case() || offers_launches() ? ImGui::GetFrameHeightWithSpacing() : 0;
}

bool RunChoice::draw() {
    const float room = ImGui::GetContentRegionAvail().x;
    bool changed = false;
    if (chooses_case()) changed |= draw_cases(offers_launches() ? room * 0.6f : room);
    if (!offers_launches()) return changed;
    if (chooses_case()) ImGui::SameLine();
    return draw_launches() || changed;
}

bool RunChoice::draw_cases(float width) {
    const auto shown = std::find_if(choices_.begin(), choices_.end(),
                                    [&](const Choice& c) { return c.case_index == case_; });
    ImGui::SetNextItemWidth(width);
    if (!ImGui::BeginCombo("##case", shown == choices_.end() ? "" : shown->name.c_str())) return false;
    bool changed = false;
    for (const Choice& choice : choices_) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool picked = ImGui::Selectable(
            fmt::format("      {}##{}", choice.name, choice.case_index).c_str(), choice.case_index == case_);
        const ImVec2 centre{at.x + em(0.6f), at.y + em(0.6f)};
        if (choice.passed)
            draw_tick(ImGui::GetWindowDrawList(), centre, em(0.35f), palette().good);
        else
            draw_cross(ImGui::GetWindowDrawList(), centre, em(0.35f), palette().bad);
        if (!picked) continue;
        show_case(choice.case_index);
        changed = true;
    }
    ImGui::EndCombo();
    return changed;
}

bool RunChoice::draw_launches() {
    ImGui::SetNextItemWidth(-1);
    const bool one_name = std::all_of(kernels_.begin(), kernels_.end(), [&](const Kernel* kernel) {
        return kernel->name == kernels_.front()->name;
    });
    auto label = [&](size_t i) {
        return fmt::format("launch {} of {}: {}<<<{}, {}>>>", i + 1, kernels_.size(),
                           one_name ? "" : kernels_[i]->name, extent_text(kernels_[i]->grid),
                           extent_text(kernels_[i]->block));
    };
    if (!ImGui::BeginCombo("##launch", label(size_t(launch_)).c_str())) return false;
    bool changed = false;
    for (size_t i = 0; i < kernels_.size(); ++i) {
        if (!ImGui::Selectable(label(i).c_str(), int(i) == launch_)) continue;
        launch_ = int(i);
        changed = true;
    }
    ImGui::EndCombo();
    return changed;
}

void RunChoice::draw_launch(std::string rest, ImU32 colour) const {
    const Kernel* kernel = this->kernel();
    if (!kernel) return wrapped_text(Face::text, em(0.9f), palette().dim, "This case launched no kernel.");
    if (!colour) colour = palette().dim;
    if (kernel->status == "refused") {
        rest = "refused: " + kernel->error + ". No thread ran.";
        colour = palette().bad;
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string launch =
        fmt::format("{}<<<{}, {}>>>", kernel->name, extent_text(kernel->grid), extent_text(kernel->block));
    const float large = em(0.9f), small = em(0.88f);
    const float x = at.x + draw_text(list, Face::mono_bold, large, at, palette().text, launch);
    const float level = at.y + ascent_of(Face::mono_bold, large) - ascent_of(Face::text, small);
    const bool fits =
        x + em(1) + text_size(Face::text, small, rest).x < at.x + ImGui::GetContentRegionAvail().x;
    draw_text(list, Face::text, small, fits ? ImVec2{x + em(1), level} : ImVec2{at.x, at.y + em(1.3f)},
              colour, rest);
    ImGui::Dummy({1, em(fits ? 1.25f : 2.5f)});
}

}  // namespace lab
