#include "lessons/23_mlp_train/panel_stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/model/grader.h"
#include "app/theme/theme.h"
#include "app/theme/widgets.h"
#include "workbench/lessons/lesson.h"

namespace lab::lesson_23_mlp_train {

namespace {

struct StageFile {
    const char* file;
    const char* title;
};
constexpr StageFile files[] = {
    {"1_pytorch.py", "PyTorch"}, {"2_numpy.py", "NumPy"}, {"3_mlp.c", "C"}, {"4_mlp.cu", "CUDA"}};

constexpr float code_size = 0.74f;  // in em

ImU32 colour_of_part(size_t index) {
    const ImU32 colours[] = {palette().read,   palette().good, palette().wrote, palette().bad,
                             palette().accent, palette().warn, palette().dim};
    return colours[index % std::size(colours)];
}

std::string name_after(const std::string& line) {
    const size_t at = line.find("part: ");
    if (at == std::string::npos) return "";
    const size_t from = at + 6;
    return line.substr(from, line.find(' ', from) - from);
}

bool is_comment(const std::string& line) {
    const size_t at = line.find_first_not_of(' ');
    if (at == std::string::npos) return false;
    return line.compare(at, 1, "#") == 0 ? line.compare(at, 2, "#i") != 0 && line.compare(at, 2, "#d") != 0
                                         : line.compare(at, 2, "//") == 0 || line.compare(at, 2, "/*") == 0;
}

}  // namespace

Stage stage_of(const std::string& file, const std::string& title, const std::string& text) {
    Stage stage{file, title, {}, 0, 0};
    stage.parts.push_back({"", {}, 1});
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        ++stage.lines;
        stage.columns = std::max(stage.columns, line.size());
        if (const std::string name = name_after(line); !name.empty())
            stage.parts.push_back({name, {}, stage.lines});
        stage.parts.back().lines.push_back(line);
        at = end + 1;
    }
    return stage;
}

void StagesView::load() {
    if (loaded_) return;
    loaded_ = true;
    const auto folder = find_home().content / "lessons" / "23_mlp_train" / "stages";
    for (const StageFile& one : files) {
        const std::string text = read_file(folder / one.file);
        if (!text.empty()) stages_.push_back(stage_of(one.file, one.title, text));
    }
}

void StagesView::choose(const std::string& part) {
    part_ = part;
    scroll_.fill(3);
}

void StagesView::draw_parts() {
    const Stage& stage = stages_.front();
    for (size_t i = 1; i < stage.parts.size(); ++i) {
        const std::string& name = stage.parts[i].name;
        const float wide = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
        if (i > 1) ImGui::SameLine(0, em(0.3f));
        if (i > 1 && ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        const bool chosen = name == part_;
        if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, palette().accent_soft);
        if (ImGui::Button(name.c_str())) choose(name);
        if (chosen) ImGui::PopStyleColor();
        const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRectFilled({from.x, to.y - 3}, to, colour_of_part(i - 1));
    }
}

void StagesView::draw_column(const Stage& stage, size_t index, ImVec2 size) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, palette().code);
    ImGui::BeginChild(stage.file.c_str(), size, ImGuiChildFlags_Borders,
                      ImGuiWindowFlags_HorizontalScrollbar);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float high = em(code_size * 1.35f);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = corner.y;
    for (const StagePart& part : stage.parts) {
        const bool lit = !part.name.empty() && part.name == part_;
        const float end = y + high * float(part.lines.size());
        const auto& order = stages_.front().parts;
        const auto place =
            std::find_if(order.begin(), order.end(), [&](const StagePart& p) { return p.name == part.name; });
        if (!part.name.empty() && place != order.end())
            list->AddRectFilled({corner.x - em(0.4f), y}, {corner.x - em(0.2f), end - 2},
                                colour_of_part(size_t(place - order.begin()) - 1));
        if (lit)
            list->AddRectFilled({corner.x - em(0.2f), y}, {corner.x + em(200), end}, palette().accent_soft);
        if (lit && scroll_[index] > 0) {
            ImGui::SetScrollY(std::max(0.f, y - corner.y - em(0.5f)));
            --scroll_[index];
        }
        const ImVec2 mouse = ImGui::GetMousePos();
        if (ImGui::IsWindowHovered() && mouse.y >= y && mouse.y < end && !part.name.empty()) {
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
                choose(part.name);
            else if (part_ != part.name)
                part_ = part.name;
        }
        for (const std::string& line : part.lines) {
            const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
            if (y + high >= top && y <= bottom)
                draw_text(list, Face::mono, em(code_size), {corner.x, y},
                          is_comment(line) ? palette().syntax.comment : palette().syntax.plain, line);
            y += high;
        }
    }
    const float letter = text_size(Face::mono, em(code_size), "0").x;
    ImGui::Dummy({letter * float(stage.columns), y - corner.y});
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

void StagesView::draw() {
    load();
    if (stages_.empty()) {
        wrapped_text(Face::text, em(0.9f), palette().dim,
                     "The four programs are not here: lessons/23_mlp_train/stages/.");
        return;
    }
    const float width = ImGui::GetContentRegionAvail().x;
    if (fitted_ != width) {
        fitted_ = width;
        const size_t fit = std::clamp<size_t>(size_t(width / em(17)), 1, stages_.size());
        // The two ends first: least to write, and what the machine does.
        constexpr size_t order[] = {3, 0, 2, 1};
        shown_.fill(false);
        for (size_t i = 0; i < fit; ++i) shown_[order[i]] = true;
    }
    for (size_t i = 0; i < stages_.size(); ++i) {
        const std::string label = fmt::format("{}, {} lines", stages_[i].title, stages_[i].lines);
        const float wide = ImGui::CalcTextSize(label.c_str()).x + ImGui::GetFrameHeight() + em(0.5f);
        if (i > 0) ImGui::SameLine();
        if (i > 0 && ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        ImGui::Checkbox(label.c_str(), &shown_[i]);
    }
    draw_parts();
    const auto count = size_t(std::count(shown_.begin(), shown_.end(), true));
    if (count == 0) return;
    const float gap = em(0.4f), wide = (width - gap * float(count - 1)) / float(count);
    const float high = std::max(em(10), ImGui::GetContentRegionAvail().y - em(0.3f));
    bool first = true;
    for (size_t i = 0; i < stages_.size(); ++i) {
        if (!shown_[i]) continue;
        if (!first) ImGui::SameLine(0, gap);
        first = false;
        draw_column(stages_[i], i, {wide, high});
    }
}

}  // namespace lab::lesson_23_mlp_train
