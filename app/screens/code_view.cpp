// The learner's file: read here, edited in their own editor. Findings and compiler messages stand in the
// margin and under their line; where the run counted costs, a column shows them by line.
#include <fmt/format.h>

#include <cmath>

#include "app/app.h"
#include "app/text/syntax.h"
#include "app/theme/widgets.h"
#include "workbench/lessons/text.h"

namespace lab {
namespace {

struct Mark {
    bool error = true;
    std::string message, fix;
};

std::multimap<int, Mark> marks_of(const Run& run, int only_case) {
    std::multimap<int, Mark> marks;
    for (const Diagnostic& d : run.diagnostics)
        if (d.at.line > 0 && d.level != "note")
            marks.insert({d.at.line,
                          {d.level == "error", d.plain.empty() ? d.message : d.plain,
                           d.plain.empty() ? "" : "The compiler says: " + d.message}});
    for (const Finding& f : run.findings) {
        if (f.at.line <= 0 || (only_case >= 0 && f.case_index != only_case)) continue;
        bool known = false;  // many cases find the same fault in the same line: the first one speaks
        const auto [first, last] = marks.equal_range(f.at.line);
        for (auto it = first; it != last; ++it) known |= it->second.error == (f.severity == Severity::error);
        if (!known) marks.insert({f.at.line, {f.severity == Severity::error, f.message, f.fix}});
    }
    return marks;
}

// Sectors moved by each line, over all launches of the shown case.
std::map<int, Metrics> costs_of(const RunBundle& bundle, int only_case) {
    std::map<int, Metrics> costs;
    const int shown = only_case >= 0 ? only_case : case_to_show(bundle);
    for (const Kernel& kernel : bundle.run.kernels) {
        if (kernel.case_index != shown) continue;
        for (const LineCost& line : kernel.lines)
            for (const auto& [key, value] : line.metrics) costs[line.at.line][key] += value;
    }
    return costs;
}

std::string cost_text(const Metrics& metrics) {
    double sectors = 0;
    for (const char* key : {"global_load_sectors", "global_store_sectors", "global_atomic_sectors"})
        if (const auto found = metrics.find(key); found != metrics.end()) sectors += found->second;
    return sectors > 0 ? fmt::format("{:.0f}", sectors) : "";
}

struct Columns {
    float size, step, advance;  // font, line height, width of a character
    float mark, number, text;   // x of each column
    float cost;                 // width of the cost column; 0: none
};

Columns columns_of(float cost) {
    Columns c;
    c.size = std::round(em(0.92f));
    c.step = std::round(c.size * 1.25f);
    c.advance = text_size(Face::mono, c.size, "0").x;
    c.mark = em(0.4f);
    c.number = c.mark + em(1);
    c.text = c.number + c.advance * 3.6f;
    c.cost = cost;
    return c;
}

void draw_header(App& app, const CodeView& code, const RunPtr& run, bool stale) {
    const std::string shown =
        std::filesystem::relative(code.path, app.options_.home.exercises.parent_path()).string();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    if (ImGui::InvisibleButton("path", {text_size(Face::mono, em(0.88f), shown).x + em(1), em(1.6f)},
                               ImGuiButtonFlags_EnableNav))
        ImGui::SetClipboardText(code.path.c_str());
    app.mark("code/path");
    const bool hovered = ImGui::IsItemHovered();
    draw_text(list, Face::mono, em(0.88f), {at.x + em(0.5f), at.y + em(0.25f)},
              hovered ? palette().accent : palette().dim, shown);
    if (hovered && begin_hint()) {
        hint_title(code.path.string());
        hint_text("Edit it in your own editor and save. Click to copy the path.");
        end_hint();
    }
    const bool costs = run && !stale && run->problem.empty() && !costs_of(*run, code.only_case).empty();
    const std::string note = stale   ? "changed, being graded"
                             : !run  ? "not graded yet"
                             : costs ? "sectors"
                                     : "";
    const float wide = text_size(Face::text, em(0.85f), note).x;
    if (wide + em(1) < width - ImGui::GetItemRectSize().x)
        draw_text(list, Face::text, em(0.85f), {at.x + width - wide - em(0.8f), at.y + em(0.25f)},
                  palette().dim, note);
    list->AddLine({at.x, at.y + em(1.7f)}, {at.x + width, at.y + em(1.7f)}, palette().border);
    ImGui::Dummy({1, em(0.1f)});
}

// The message under a line. Returns its height.
float draw_mark(const Mark& mark, ImVec2 at, float width, const Columns& c) {
    const float pixels = em(0.88f), pad = em(0.4f), inner = std::max(em(8), width - c.text - em(1.4f));
    const ImU32 ink = mark.error ? palette().bad : palette().warn;
    ImFont* font = font_of(Face::text);
    const ImVec2 size = font->CalcTextSizeA(pixels, FLT_MAX, inner, mark.message.c_str());
    const ImVec2 fix =
        mark.fix.empty() ? ImVec2{0, 0} : font->CalcTextSizeA(pixels, FLT_MAX, inner, mark.fix.c_str());
    const float height = size.y + fix.y + pad * 2 + (mark.fix.empty() ? 0 : em(0.2f));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 from{at.x + c.text - em(0.4f), at.y + em(0.1f)};
    list->AddRectFilled(from, {at.x + width - em(0.5f), from.y + height},
                        mark.error ? palette().bad_soft : palette().warn_soft, em(0.3f));
    list->AddRectFilled(from, {from.x + em(0.18f), from.y + height}, ink, em(0.3f), ImDrawFlags_RoundLeft);
    list->AddText(font, pixels, {from.x + em(0.7f), from.y + pad}, palette().text, mark.message.c_str(),
                  nullptr, inner);
    if (!mark.fix.empty())
        list->AddText(font, pixels, {from.x + em(0.7f), from.y + pad + size.y + em(0.2f)}, palette().dim,
                      mark.fix.c_str(), nullptr, inner);
    return height + em(0.25f);
}

void draw_line(const App& app, const CodeView& code, size_t index, ImVec2 at, float width, const Columns& c,
               bool& in_comment, const Mark* mark, const std::string& cost) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int line = int(index) + 1;
    const std::string_view text = code.lines[index];
    const std::vector<TokenSpan> tokens = tokens_of(text, in_comment);
    if (!ImGui::IsRectVisible(at, {at.x + width, at.y + c.step})) return;
    if (code.named == line) list->AddRectFilled(at, {at.x + width, at.y + c.step}, palette().accent_soft);
    if (mark)
        list->AddRectFilled(at, {at.x + width, at.y + c.step},
                            mark->error ? palette().bad_soft : palette().warn_soft);
    if (app.cursor_.line == line)
        list->AddRectFilled(at, {at.x + width, at.y + c.step}, with_alpha(palette().accent, 0.22f));
    const float y = at.y + (c.step - c.size) / 2 - 1;
    if (mark) {
        const ImVec2 centre{at.x + c.mark + em(0.45f), at.y + c.step / 2};
        list->AddCircleFilled(centre, em(0.42f), mark->error ? palette().bad : palette().warn);
        draw_text(list, Face::bold, em(0.72f), {centre.x - em(0.1f), centre.y - em(0.48f)}, palette().surface,
                  "!");
    }
    const std::string number = std::to_string(line);
    const float wide = c.advance * float(number.size());
    draw_text(list, Face::mono, c.size * 0.92f, {at.x + c.number + c.advance * 2.4f - wide, y},
              mark ? palette().bad : palette().faint, number);
    for (const TokenSpan& token : tokens)
        draw_text(list, Face::mono, c.size, {at.x + c.text + c.advance * float(token.begin), y},
                  colour_of(token.token), text.substr(token.begin, token.size));
    if (!cost.empty()) {
        const float cost_wide = text_size(Face::mono, c.size * 0.9f, cost).x;
        list->AddRectFilled({at.x + width - em(1.2f) - cost_wide, at.y}, {at.x + width, at.y + c.step},
                            palette().code);
        draw_text(list, Face::mono, c.size * 0.9f, {at.x + width - em(0.8f) - cost_wide, y}, palette().dim,
                  cost);
    }
}

void point_from_line(App& app, int line, const std::map<int, Metrics>& costs) {
    app.cursor_.pointed = true;
    app.cursor_.line = line;
    const auto found = costs.find(line);
    if (found == costs.end() || !begin_hint()) return;
    hint_title(fmt::format("Line {}, over all warps of the shown case", line));
    for (const auto& [key, value] : found->second) {
        std::string words = key;
        for (char& letter : words)
            if (letter == '_') letter = ' ';
        hint_text(fmt::format("{}: {:.0f}", words, value));
    }
    end_hint();
}

void draw_lines(App& app, CodeView& code, const RunPtr& run) {
    if (code.text.empty() && !std::filesystem::exists(code.path)) {
        ImGui::SetCursorPos({em(1), em(1)});
        wrapped_text(
            Face::text, em(), palette().dim,
            fmt::format("The file is not there. `cudalab reset {:02}` writes it again as it was handed out.",
                        app.now().lesson.number));
        return;
    }
    const std::multimap<int, Mark> marks =
        run ? marks_of(run->run, code.only_case) : std::multimap<int, Mark>{};
    const std::map<int, Metrics> costs = run ? costs_of(*run, code.only_case) : std::map<int, Metrics>{};
    const Columns c = columns_of(costs.empty() ? 0 : em(3.5f));
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float widest = 0, y = origin.y + em(0.3f);
    bool in_comment = false;
    for (size_t i = 0; i < code.lines.size(); ++i) {
        const int line = int(i) + 1;
        if (code.close_gaps && i > 0 && trimmed(code.lines[i]).empty() && trimmed(code.lines[i - 1]).empty())
            continue;
        const auto [first, last] = marks.equal_range(line);
        const auto cost = costs.find(line);
        widest = std::max(widest, c.text + c.advance * float(code.lines[i].size() + 2) + c.cost);
        draw_line(app, code, i, {origin.x, y}, std::max(width, 1.f), c, in_comment,
                  first == last ? nullptr : &first->second,
                  cost == costs.end() ? "" : cost_text(cost->second));
        if (ImGui::IsWindowHovered() &&
            ImGui::IsMouseHoveringRect({origin.x, y}, {origin.x + width, y + c.step}) && !app.cursor_.pinned)
            point_from_line(app, line, costs);
        if (first != last)
            app.mark(fmt::format("code/mark/{}", line), {origin.x, y}, {origin.x + width, y + c.step});
        if (code.reveal == line) {
            ImGui::SetScrollFromPosY(y - ImGui::GetWindowPos().y, 0.35f);
            code.reveal = 0;
        }
        y += c.step;
        for (auto it = first; it != last; ++it) y += draw_mark(it->second, {origin.x, y}, width, c);
    }
    ImGui::Dummy({widest, y - origin.y + em(0.6f)});
}

}  // namespace

void set_text(CodeView& code, std::string text) {
    code.text = std::move(text);
    code.lines = split_lines(code.text);
    if (has_cjk(code.text)) need_cjk_font();
}

void draw_code_lines(App& app, CodeView& code, const RunPtr& run, bool stale) {
    draw_header(app, code, run, stale);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, palette().code);
    ImGui::BeginChild("lines", {0, 0}, 0, ImGuiWindowFlags_HorizontalScrollbar);
    draw_lines(app, code, run && run->problem.empty() ? run : nullptr);
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

void draw_code_view(App& app) {
    if (app.focus_ == "Code") ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    const bool open = ImGui::Begin("Code");
    ImGui::PopStyleVar();
    if (open) {
        app.mark("code", ImGui::GetWindowPos(),
                 {ImGui::GetWindowPos().x + ImGui::GetWindowSize().x,
                  ImGui::GetWindowPos().y + ImGui::GetWindowSize().y});
        const RunPtr run = app.try_.solution && app.try_.active ? app.learner_run() : app.shown_run();
        const bool stale = app.grader_.state_of(app.now().lesson.slug, "exercise") != Grader::State::idle;
        draw_code_lines(app, app.code_, run, stale);
    }
    ImGui::End();
}

}  // namespace lab
