#include "app/app.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "workbench/lessons/cuts.h"
#include "workbench/lessons/parse.h"

namespace lab {
namespace {

constexpr float smallest_scale = 0.7f, largest_scale = 3;

std::filesystem::path settings_file(const AppOptions& options) {
    return options.data / "window.txt";
}

}  // namespace

App::App(const AppOptions& options, std::function<void()> wake)
    : options_(options), progress_(options.data), grader_(options.cudalab, std::move(wake), options.has_gpu) {
    read_settings();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().ConfigErrorRecoveryEnableTooltip = false;
    load_fonts();
    apply_style_if_pending();
    for (Lesson& lesson : load_lessons(options_.home)) {
        LessonView view;
        view.lesson = std::move(lesson);
        refresh_progress(view);
        lessons_.push_back(std::move(view));
    }
    const std::string wanted = options_.slug.empty() ? progress_.current() : options_.slug;
    size_t first = 0;
    for (size_t i = 0; i < lessons_.size(); ++i)
        if (lessons_[i].lesson.slug == wanted) first = i;
    if (!has_lessons()) return;
    open_lesson(first);
    if (options_.present > 0) present(size_t(options_.present) - 1);
}

App::~App() {
    save_place();
    write_settings();
}

void App::save_place() {
    if (!has_lessons() || !now().opened || now().scroll_to >= 0 || now().scroll_most <= 0) return;
    const float place = now().scroll / now().scroll_most;
    if (place != place_saved_) progress_.record_place(now().lesson, place);
    place_saved_ = place;
}

void App::read_settings() {
    if (!options_.remember) return;
    std::ifstream in(settings_file(options_));
    std::string key, value;
    while (in >> key >> value) {
        if (key == "theme") options_.theme = value == "light" ? ThemeKind::light : ThemeKind::dark;
        if (key == "scale")
            options_.scale = std::clamp(float(std::atof(value.c_str())), smallest_scale, largest_scale);
        if (key.find('.') != std::string::npos) pane_parts_[key] = float(std::atof(value.c_str()));
    }
}

void App::write_settings() const {
    if (!options_.remember) return;
    std::error_code ignored;
    std::filesystem::create_directories(options_.data, ignored);
    std::ofstream out(settings_file(options_));
    out << "theme " << (options_.theme == ThemeKind::light ? "light" : "dark") << "\nscale " << options_.scale
        << "\n";
    for (const auto& [pane, part] : pane_parts_) out << pane << " " << part << "\n";
}

void App::refresh_progress(LessonView& view) {
    view.progress = progress_.of(view.lesson);
    view.ticks = ticks_of(view.lesson, view.progress);
}

void App::make_quiz_views(LessonView& view) {
    for (const Quiz& quiz : view.lesson.quizzes) {
        QuizView made;
        made.question = DocumentView(quiz.question);
        for (const QuizOption& option : quiz.options) {
            made.options.emplace_back(option.text);
            made.explanations.emplace_back(option.explanation);
            made.matches.emplace_back(option.match);
        }
        made.order = shown_order(quiz);
        if (quiz.kind == QuizKind::order) made.answer.chosen = made.order;
        if (quiz.kind == QuizKind::match) made.answer.chosen.assign(quiz.options.size(), -1);
        made.typed.assign(512, 0);
        const auto before = view.progress.answers.find(quiz.id);
        if (before != view.progress.answers.end() && before->second) {
            made.answered = made.right = true;  // shown as it was left: answered right
            made.result = DocumentView(quiz.explanation);
            if (quiz.kind == QuizKind::one || quiz.kind == QuizKind::several) {
                made.answer.chosen.clear();
                for (size_t i = 0; i < quiz.options.size(); ++i)
                    if (quiz.options[i].right) made.answer.chosen.push_back(int(i));
            } else {
                for (size_t i = 0; i < made.answer.chosen.size(); ++i) made.answer.chosen[i] = int(i);
            }
            const std::string typed =
                quiz.kind == QuizKind::number ? fmt::format("{:g}", quiz.answer) : quiz.output;
            std::copy_n(typed.begin(), std::min(typed.size(), made.typed.size() - 1), made.typed.begin());
        }
        view.quizzes.push_back(std::move(made));
    }
}

void App::make_view(LessonView& view) {
    if (view.opened) return;
    view.opened = true;
    for (size_t i = 0; i < view.lesson.blocks.size(); ++i) {
        const Block& block = view.lesson.blocks[i];
        const bool text = block.kind == Block::Kind::markdown || block.kind == Block::Kind::hint;
        if (text && has_cjk(block.text)) need_cjk_font();
        view.texts.emplace_back(text ? block.text : std::string());
        if (block.kind != Block::Kind::panel) continue;
        PanelSlot& slot = view.embedded[i];
        slot.name = block.panel;
        slot.options = block.options;
        if (const auto from = block.options.find("from"); from != block.options.end())
            slot.origin = from->second;
        if (const auto caption = block.options.find("caption"); caption != block.options.end())
            slot.caption = caption->second;
    }
    make_quiz_views(view);
    for (const std::string& name : view.lesson.panels) {
        PanelSlot slot;
        slot.name = name;
        view.side.push_back(std::move(slot));
    }
    view.scroll_to = float(view.progress.place);
}

void App::open_lesson(size_t index) {
    if (present_.on) end_presentation();  // its beats are the other lesson's
    save_place();
    current_ = std::min(index, lessons_.size() - 1);
    LessonView& view = now();
    make_view(view);
    cursor_ = {};
    next_panel_ = 0;
    progress_.record_current(view.lesson);
    try_ = {};
    try_.wanted = experiment_at_start(view.lesson);
    code_ = {};
    code_.reveal = 1;  // not where the lesson before was scrolled to
    code_.path = view.lesson.paths.exercise;
    grader_.watch(code_.path);
    reload_code();
    frames_until_runs_ = 3;
    place_saved_ = -1;
}

// What the learner has begun is graded again; what was never touched is not: no surprise.
void App::start_first_runs() {
    if (!options_.prefetch) return;
    if (!untouched_ && !code_.text.empty() && !learner_run()) grade();
    if (!now().lesson.panels.empty()) request_run("solution");
}

void App::reload_code() {
    set_text(code_, read_file(code_.path));
    const Lesson& lesson = now().lesson;
    untouched_ = state_of_exercise(lesson.paths) == ExerciseState::newest;
}

void App::grade() {
    if (has_lessons()) grader_.request({now().lesson.slug, "exercise", {}});
}

// Solutions and mutants are graded from files of their own, so that they never count as the learner's
// attempt.
void App::request_run(const std::string& origin) {
    const Lesson& lesson = now().lesson;
    if (!lesson.has_solution || grader_.run_of(lesson.slug, origin) ||
        grader_.state_of(lesson.slug, origin) != Grader::State::idle)
        return;
    if (origin == "solution") return grader_.request({lesson.slug, origin, lesson.paths.solution});
    const std::string name = origin.starts_with("mutant ") ? origin.substr(7) : "";
    for (const Mutant& mutant : lesson.mutants) {
        if (mutant.name != name) continue;
        const auto file = cache_folder() / "mutants" / fmt::format("{}.{}.cu", lesson.slug, mutant.name);
        std::error_code ignored;
        std::filesystem::create_directories(file.parent_path(), ignored);
        try {
            std::ofstream(file, std::ios::binary) << apply_mutant(mutant, read_file(lesson.paths.solution));
        } catch (const std::exception&) {
            return;  // the contract tests say which mutant does not apply
        }
        grader_.request({lesson.slug, origin, file});
    }
}

namespace {

// A run that there is something to see of. What a reader slides to may be copies alone.
bool usable(const RunPtr& run) {
    if (!run || !run->problem.empty()) return false;
    return !run->run.kernels.empty() || (run->origin == "try" && !run->run.timelines.empty());
}

}  // namespace

// The learner's own file, or the solution while there is no run of theirs.
void App::start_try() {
    const Lesson& lesson = now().lesson;
    try_.active = true;
    try_.solution = !usable(learner_run()) && lesson.has_solution;
    RunRequest request{lesson.slug, "try", {}, words_of(try_.wanted), lesson.fast_experiment};
    if (try_.solution) request.file = lesson.paths.solution;
    grader_.request(request);
}

// Without bytes the drawing is taken back: the experiment has a picture of its own.
void App::try_drawing(const Panel::Drawn& drawn) {
    auto& drawings = try_.wanted.drawings;
    if (!drawn.name.empty() && drawn.bytes.empty()) drawings.erase(drawn.name);
    if (!drawn.name.empty() && !drawn.bytes.empty()) drawings[drawn.name] = drawn.bytes;
    for (const auto& [name, value] : drawn.settings) try_.wanted.settings[name] = value;
    start_try();
}

void App::end_try() {
    try_.active = false;
    try_.shown = nullptr;
    try_.wanted = experiment_at_start(now().lesson);
}

RunPtr App::shown_run() const {
    return try_.active && usable(try_.shown) ? try_.shown : learner_run();
}

RunPtr App::learner_run() const {
    return grader_.run_of(lessons_[current_].lesson.slug, "exercise");
}

RunPtr App::gpu_run() const {
    const RunPtr mine = learner_run();
    const RunPtr both = grader_.run_of(lessons_[current_].lesson.slug, "gpu");
    return mine && both && both->run.source_hash == mine->run.source_hash ? both : nullptr;
}

void App::update_slot(PanelSlot& slot) {
    const std::string& slug = now().lesson.slug;
    RunPtr run = grader_.run_of(slug, slot.origin);
    slot.notice.clear();
    if (slot.origin != "exercise") {
        if (!run && frames_until_runs_ == 0) request_run(slot.origin);
        if (slot.origin == "solution") slot.notice = "The solution's run.";
        if (!run)
            slot.notice =
                now().lesson.has_solution ? "Running ..." : "This copy has no solutions/ to run here.";
    } else if (try_.active && usable(try_.shown)) {
        run = try_.shown;
        slot.notice = try_.solution ? "The solution at the sizes that you chose." : "";
    } else if (try_.active && try_.shown && usable(run)) {
        slot.notice = "At these sizes nothing was launched. This is the graded run.";
    } else if (!usable(run)) {
        const bool graded = run != nullptr;
        run = grader_.run_of(slug, "solution");
        if (!run && options_.prefetch && frames_until_runs_ == 0) request_run("solution");
        slot.notice = !now().lesson.has_solution
                          ? "Nothing has been launched yet. Save your file to see its run here."
                      : !run   ? "Running the solution, so that there is something to look at ..."
                      : graded ? "Your file has not got as far as a launch. This is the solution's run."
                               : "This is the solution's run. Save your file to see your own.";
    }
    if (run && !run->problem.empty()) slot.notice = run->problem;
    if (!slot.panel) {
        const PanelRow* row = find_panel(slot.name);
        if (row) {
            slot.panel = row->make();
            slot.panel->configure(slot.options);
        }
    }
    const bool trying = try_.active && grader_.state_of(slug, "try") != Grader::State::idle;
    if (slot.panel && trying && now().lesson.fast_experiment) slot.panel->watch(grader_.live());
    if (slot.panel && usable(run) && run != slot.loaded) {
        slot.panel->load(*run);
        slot.loaded = run;
    }
}

void App::answered(size_t quiz, const std::string& text, bool right) {
    progress_.record_answer(now().lesson, now().lesson.quizzes[quiz].id, text, right);
    refresh_progress(now());
}

void App::opened_hint(int step) {
    progress_.record_hint(now().lesson, step);
    refresh_progress(now());
}

void App::go_to(const std::string& mark) {
    const auto found = marks_.find(mark), text = marks_.find("lesson");
    if (found == marks_.end() || text == marks_.end() || now().scroll_most <= 0) return;
    const float down = found->second.Min.y - text->second.Min.y - em(1.5f);
    now().scroll_to = std::clamp((now().scroll + down) / now().scroll_most, 0.f, 1.f);
    focus_ = "Lesson";
}

void App::set_theme(ThemeKind kind) {
    options_.theme = kind;
    style_pending_ = true;
}

void App::set_scale(float scale) {
    options_.scale = std::clamp(scale, smallest_scale, largest_scale);
    style_pending_ = true;
}

// In front of a class the text grows with the window: 20 pixels of 720 lines, 62 of 2160.
float App::text_scale() const {
    if (!present_.on) return options_.scale * options_.monitor_scale;
    constexpr float height_at_one = 640;
    return std::max(0.5f, ImGui::GetMainViewport()->WorkSize.y / height_at_one) * present_.scale *
           present_.fit;
}

void App::apply_style_if_pending() {
    const float scale = text_scale();
    const bool chosen = std::exchange(style_pending_, false);
    if (!chosen && scale == applied_scale_) return;
    applied_scale_ = scale;
    apply_theme(options_.theme, scale);
    if (chosen) write_settings();
}

void App::mark(const std::string& name) {
    mark(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}
void App::mark(const std::string& name, ImVec2 from, ImVec2 to) {
    marks_[name] = ImRect(from, to);
}

bool App::animates() const {
    return grader_.busy() || present_.settles || frames_until_runs_ > 0 ||
           (has_lessons() && lessons_[current_].scroll_to >= 0);
}

void App::take_try(const RunPtr& run) {
    try_.shown = run;
    if (run->run.kernels.empty()) return;
    const Kernel& kernel = run->run.kernels.front();
    try_.asked = kernel.asked_grid.value_or(kernel.grid);
}

void App::take_news() {
    if (!grader_.poll()) return;
    if (grader_.take_file_changed()) {
        reload_code();
        grade();
        if (try_.active) start_try();
    }
    if (const RunPtr tried = grader_.run_of(now().lesson.slug, "try"); try_.active && tried) take_try(tried);
    const RunPtr run = learner_run();
    if (!run || run == code_.marked || grader_.state_of(now().lesson.slug, "exercise") != Grader::State::idle)
        return;
    code_.marked = run;
    refresh_progress(now());
    // The verdict never waits for nvcc: the GPU is asked once the CPU machine has answered. The file is named, so that
    // this is no attempt of its own.
    if (options_.has_gpu && run->problem.empty() && run->run.status != Status::compile_error && !gpu_run())
        grader_.request({now().lesson.slug, "gpu", now().lesson.paths.exercise});
    if (!run->run.passed && !cursor_.pinned) {
        for (const Finding& finding : run->run.findings)
            if (!code_.reveal) code_.reveal = finding.at.line;
        for (const Diagnostic& diagnostic : run->run.diagnostics)
            if (!code_.reveal && diagnostic.level == "error") code_.reveal = diagnostic.at.line;
    }
}

}  // namespace lab
