// lesson.md -> Lesson: front matter, then Markdown with live fences. parse.h defines the form.
#include "workbench/lessons/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "workbench/lessons/quiz.h"
#include "workbench/lessons/text.h"
#include "workbench/lessons/toml_reader.h"

namespace lab {

namespace {

struct Fence {
    char mark = 0;
    size_t width = 0, indent = 0;
    std::string_view info;
};

// A line that opens (or, with an empty info, may close) a fenced block.
std::optional<Fence> fence_of(std::string_view line) {
    Fence fence;
    while (fence.indent < line.size() && line[fence.indent] == ' ') ++fence.indent;
    if (fence.indent > 3 || fence.indent == line.size()) return {};
    fence.mark = line[fence.indent];
    if (fence.mark != '`' && fence.mark != '~') return {};
    size_t end = fence.indent;
    while (end < line.size() && line[end] == fence.mark) ++end;
    fence.width = end - fence.indent;
    if (fence.width < 3) return {};
    fence.info = trimmed(line.substr(end));
    if (fence.mark == '`' && fence.info.find('`') != std::string_view::npos) return {};
    return fence;
}

std::optional<Block::Kind> live_kind(std::string_view info) {
    static constexpr std::pair<std::string_view, Block::Kind> kinds[] = {
        {"quiz", Block::Kind::quiz}, {"panel", Block::Kind::panel}, {"code", Block::Kind::code},
        {"hint", Block::Kind::hint}, {"note", Block::Kind::note},   {"goal", Block::Kind::goal}};
    for (const auto& [word, kind] : kinds)
        if (info == word) return kind;
    return {};
}

class TextParser {
  public:
    TextParser(Lesson& lesson, const std::string& text, const std::string& file)
        : lesson_(lesson), lines_(split_lines(text)), file_(file) {}

    void parse() {
        size_t at = front_matter();
        while (at < lines_.size()) at = step(at);
        flush_markdown(lines_.size());
        check_whole();
    }

  private:
    void complain(size_t index, const std::string& sentence) {
        lesson_.problems.push_back(fmt::format("{}:{}: {}", file_, index + 1, sentence));
    }

    std::string join(size_t from, size_t to) const {
        std::string text;
        for (size_t i = from; i < to; ++i) text.append(lines_[i]).push_back('\n');
        return text;
    }

    size_t front_matter() {
        if (lines_.empty() || trimmed(lines_[0]) != "+++") {
            complain(0, "the first line must be +++, and the front matter follows it.");
            return 0;
        }
        size_t end = 1;
        while (end < lines_.size() && trimmed(lines_[end]) != "+++") ++end;
        if (end == lines_.size()) {
            complain(0, "the front matter has no closing +++ line.");
            return end;
        }
        const TomlPlace place{file_, 1, &lesson_.problems};
        toml::table table;
        if (parse_toml(place, join(1, end), table)) read_front(TomlReader(place, table, "the front matter"));
        markdown_from_ = end + 1;
        return end + 1;
    }

    void read_front(TomlReader front) {
        lesson_.title = front.text("title", true);
        lesson_.part = front.text("part", true);
        lesson_.version = front.integer("version", false, 1, 1, 1000000);
        lesson_.minutes = front.integer("minutes", true, 0, 1, 600);
        lesson_.any_grid = front.boolean("any_grid", false);
        lesson_.fast_experiment = front.boolean("fast_experiment", false);
        lesson_.goals = front.texts("goals", true);
        lesson_.concepts = front.texts("concepts", true);
        lesson_.api = front.texts("api", false);
        lesson_.needs = front.texts("needs", false);
        lesson_.panels = front.texts("panels", false);
        lesson_.receipt = front.texts("receipt", true);
        for (TomlReader& slider : front.tables("slider")) read_slider(slider);
        for (TomlReader& drawing : front.tables("drawing")) read_drawing(drawing);
        for (TomlReader& beat : front.tables("beat")) {
            read_beat(beat);
        }
        front.reject_unknown();
    }

    void read_beat(TomlReader& row) {
        Beat beat;
        beat.question = row.text("question", true);
        beat.picture = row.text("picture", true);
        beat.takeaway = row.text("takeaway", true);
        beat.answers = row.texts("answers", false);
        beat.right = row.integer("right", !beat.answers.empty(), 0, beat.answers.empty() ? 0 : 1,
                                 static_cast<int>(beat.answers.size()));
        beat.panel = row.text("panel", false);
        if (beat.panel.empty() && !lesson_.panels.empty()) beat.panel = lesson_.panels.front();
        beat.from = row.text("from", false);
        if (beat.from.empty()) beat.from = "exercise";
        if (beat.from != "solution" && beat.from != "exercise" && beat.from.rfind("mutant ", 0) != 0)
            row.complain("`from` of a beat is exercise, solution or mutant NAME.");
        beat.code = row.text("code", false);
        if (auto options = row.table("options"))
            for (const auto& [key, value] : options->rest()) beat.options[key] = value;
        read_beat_sliders(row, beat);
        row.reject_unknown();
        lesson_.beats.push_back(std::move(beat));
    }

    const Slider* slider_named(const std::string& name) const {
        const auto found = std::find_if(lesson_.sliders.begin(), lesson_.sliders.end(),
                                        [&](const Slider& slider) { return slider.name == name; });
        return found == lesson_.sliders.end() ? nullptr : &*found;
    }

    void read_beat_sliders(TomlReader& row, Beat& beat) {
        if (auto settings = row.table("settings")) {
            for (const Slider& slider : lesson_.sliders)
                beat.settings[slider.name] =
                    settings->integer(slider.name.c_str(), false, slider.start, slider.from, slider.to);
            settings->reject_unknown();
        }
        beat.slide = row.text("slide", false);
        if (!beat.slide.empty() && !slider_named(beat.slide))
            row.complain(
                fmt::format("`slide` names the slider `{}`, which this lesson has not.", beat.slide));
        if (beat.from != "exercise" && !(beat.slide.empty() && beat.settings.empty()))
            row.complain("A beat with `slide` or `settings` shows the exercise: leave `from` out.");
    }

    static bool is_plain(const std::string& name) {
        return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        });
    }

    void read_drawing(TomlReader& row) {
        Drawing drawing;
        drawing.name = row.text("name", true);
        drawing.width = row.integer("width", true, 1, 1, largest_drawing);
        drawing.height = row.integer("height", true, 1, 1, largest_drawing);
        row.reject_unknown();
        const std::string& name = drawing.name;
        const auto has_name = [&](const auto& other) { return other.name == name; };
        if (!is_plain(name) || name == "grid")
            row.complain(fmt::format(
                "`{}` is no name for a drawing: lower-case letters, digits and _, and not grid.", name));
        if (std::any_of(lesson_.sliders.begin(), lesson_.sliders.end(), has_name) ||
            std::any_of(lesson_.drawings.begin(), lesson_.drawings.end(), has_name))
            row.complain(fmt::format("there is another `{}`; name this drawing otherwise.", name));
        lesson_.drawings.push_back(std::move(drawing));
    }

    void read_slider(TomlReader& row) {
        constexpr int most = 1000000;
        Slider slider;
        slider.name = row.text("name", true);
        slider.label = row.text("label", false);
        slider.from = row.integer("from", true, 0, -most, most);
        slider.to = row.integer("to", true, 0, -most, most);
        slider.start = row.integer("start", true, 0, -most, most);
        slider.values = row.integers("values");
        slider.words = row.texts("words", false);
        row.reject_unknown();
        if (slider.label.empty()) slider.label = slider.name;
        const std::string& name = slider.name;
        if (!is_plain(name) || name == "grid")
            row.complain(fmt::format(
                "`{}` is no name for a slider: lower-case letters, digits and _, and not grid.", name));
        for (const Slider& other : lesson_.sliders)
            if (other.name == name)
                row.complain(fmt::format("there is another slider `{}`; name this one otherwise.", name));
        if (!(slider.from <= slider.start && slider.start <= slider.to))
            row.complain(
                fmt::format("`start` of the slider `{}` must lie between its `from` and its `to`.", name));
        const std::vector<int>& stops = slider.values;
        if (!stops.empty() &&
            (std::adjacent_find(stops.begin(), stops.end(), std::greater_equal<>()) != stops.end() ||
             stops.front() != slider.from || stops.back() != slider.to ||
             std::find(stops.begin(), stops.end(), slider.start) == stops.end()))
            row.complain(fmt::format(
                "`values` of the slider `{}` must rise from its `from` to its `to`, and hold its `start`.",
                name));
        const size_t count = stops.empty() ? size_t(std::max(0, slider.to - slider.from + 1)) : stops.size();
        if (!slider.words.empty() && slider.words.size() != count)
            row.complain(
                fmt::format("`words` of the slider `{}` must be one for each of its {} stops.", name, count));
        lesson_.sliders.push_back(std::move(slider));
    }

    void flush_markdown(size_t end) {
        size_t from = markdown_from_;
        while (from < end && trimmed(lines_[from]).empty()) ++from;
        while (end > from && trimmed(lines_[end - 1]).empty()) --end;
        if (from == end) return;
        Block block;
        block.text = join(from, end);
        block.line = int(from) + 1;
        lesson_.blocks.push_back(std::move(block));
    }

    // Takes one line, or one whole fenced block; returns the index of the line behind it.
    size_t step(size_t at) {
        const auto fence = fence_of(lines_[at]);
        if (!fence) return at + 1;
        const auto kind = live_kind(fence->info);
        size_t end = at + 1;
        while (end < lines_.size() && !closes(*fence, lines_[end])) ++end;
        if (end == lines_.size()) {
            complain(at, "this fenced block has no closing fence.");
            if (kind) {
                flush_markdown(at);
                markdown_from_ = end;
            }
            return end;
        }
        if (kind && fence->indent > 0)
            complain(at, fmt::format("a {} block must start in the first column.", fence->info));
        if (!kind) {
            const auto word = fence->info.substr(0, fence->info.find_first_of(" \t{:"));
            if (word != fence->info && live_kind(word))
                complain(
                    at,
                    fmt::format(
                        "the info string must be `{}` and nothing else; what follows it goes into the body.",
                        word));
            return end + 1;
        }
        flush_markdown(at);
        live(*kind, at, end);
        markdown_from_ = end + 1;
        return end + 1;
    }

    static bool closes(const Fence& open, std::string_view line) {
        const auto fence = fence_of(line);
        return fence && fence->mark == open.mark && fence->width >= open.width && fence->info.empty();
    }

    void live(Block::Kind kind, size_t fence, size_t end) {
        Block block;
        block.kind = kind;
        block.line = int(fence) + 1;
        const std::string body = join(fence + 1, end);
        if (kind == Block::Kind::hint || kind == Block::Kind::note) {
            block.text = body;
            if (trimmed(body).empty()) complain(fence, "this block is empty; write it or take it out.");
            if (kind == Block::Kind::hint) lesson_.hints.push_back(body);
            lesson_.blocks.push_back(std::move(block));
            return;
        }
        const TomlPlace place{file_, int(fence) + 1, &lesson_.problems};
        toml::table table;
        if (!parse_toml(place, body, table)) return;
        if (kind == Block::Kind::quiz) {
            Quiz quiz = read_quiz(TomlReader(place, table, "this quiz"));
            quiz.line = block.line;
            if (!quiz.id.empty() && !quiz_ids_.insert(quiz.id).second)
                complain(fence,
                         fmt::format("there is another quiz `{}`; give this one an id of its own.", quiz.id));
            block.quiz = int(lesson_.quizzes.size());
            lesson_.quizzes.push_back(std::move(quiz));
        } else if (kind == Block::Kind::goal) {
            block.goal = int(lesson_.further.size());
            lesson_.further.push_back(read_goal(TomlReader(place, table, "this goal")));
        } else {
            read_options(block, TomlReader(place, table,
                                           kind == Block::Kind::panel ? "this panel" : "this code block"));
        }
        lesson_.blocks.push_back(std::move(block));
    }

    static Goal read_goal(TomlReader body) {
        Goal goal;
        goal.case_name = body.text("case", true);
        goal.kernel = body.text("kernel", false);
        goal.metric = body.text("metric", true);
        goal.at_least = body.has("at_least");
        if (goal.at_least == body.has("at_most"))
            body.complain("a goal has `at_most` or `at_least`, one of the two.");
        else
            goal.bound = body.number(goal.at_least ? "at_least" : "at_most", true);
        body.reject_unknown();
        return goal;
    }

    void read_options(Block& block, TomlReader body) {
        const bool panel = block.kind == Block::Kind::panel;
        const std::string name = body.text(panel ? "name" : "part", true);
        std::string from = body.text("from", false);
        if (from.empty()) from = panel ? "exercise" : "solution";
        if (from != "solution" && from != "exercise" && from.rfind("mutant ", 0) != 0)
            body.complain(fmt::format(
                "`from` must be \"solution\", \"exercise\" or \"mutant NAME\", not \"{}\".", from));
        block.options["from"] = from;
        if (panel) {
            block.panel = name;
            const auto& named = lesson_.panels;
            if (!name.empty() && std::find(named.begin(), named.end(), name) == named.end())
                body.complain(fmt::format(
                    "the front matter's `panels` do not name the panel `{}`; add it there.", name));
            for (auto& [key, value] : body.rest()) block.options[key] = value;
        } else {
            block.options["part"] = name;
            block.options["caption"] = body.text("caption", false);
            body.reject_unknown();
        }
    }

    void check_whole() {
        if (!lesson_.problems.empty()) return;  // one cause is enough
        if (lesson_.hints.size() != 3)
            complain(lines_.size() - 1,
                     fmt::format("a lesson has three hints, from nudge to nearly there; this one has {}.",
                                 lesson_.hints.size()));
    }

    Lesson& lesson_;
    std::vector<std::string_view> lines_;
    std::string file_;
    size_t markdown_from_ = 0;
    std::set<std::string> quiz_ids_;
};

}  // namespace

void parse_lesson_text(Lesson& lesson, const std::string& text, const std::string& file_name) {
    if (const auto bad = first_bad_line(text)) {
        lesson.problems.push_back(
            fmt::format("{}:{}: this line is not UTF-8 text; save the file as UTF-8.", file_name, *bad));
        return;
    }
    TextParser(lesson, text, file_name).parse();
}

void parse_mutants_text(Lesson& lesson, const std::string& text, const std::string& file_name) {
    const TomlPlace place{file_name, 0, &lesson.problems};
    toml::table table;
    if (!parse_toml(place, text, table)) return;
    TomlReader file(place, table, "mutants.toml");
    std::set<std::string> names;
    for (TomlReader& item : file.tables("mutant")) {
        Mutant mutant;
        mutant.name = item.text("name", true);
        mutant.why = item.text("why", true);
        mutant.find = item.text("find", true);
        mutant.replace = item.text("replace", false);
        mutant.edits = item.pairs("edits");
        mutant.finding = item.text("finding", false);
        mutant.fails = item.text("fails", false);
        mutant.says = item.text("says", false);
        item.reject_unknown();
        if (!item.has("replace"))
            item.complain("this mutant has no `replace`; an empty one (\"\") takes the text out.");
        if (mutant.finding.empty() && mutant.fails.empty())
            item.complain("this mutant states no reason: give `finding` or `fails`.");
        if (!is_plain_name(mutant.name))
            item.complain(fmt::format("`{}` is no name: letters, digits, - and _ only.", mutant.name));
        if (!names.insert(mutant.name).second)
            item.complain(fmt::format("there is another mutant `{}`; name this one otherwise.", mutant.name));
        lesson.mutants.push_back(std::move(mutant));
    }
    if (auto further = file.table("further")) {
        lesson.further_edits = further->pairs("edits");
        if (lesson.further_edits.empty())
            further->complain("[further] has no `edits`: say what in the solution must change.");
        further->reject_unknown();
    }
    file.reject_unknown();
}

}  // namespace lab
