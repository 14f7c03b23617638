// The window's state, and its one entry a frame. Everything that the screens share is here.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/model/cursor.h"
#include "app/model/grader.h"
#include "app/panels/panel.h"
#include "app/text/flow.h"
#include "app/theme/theme.h"
#include "workbench/lessons/experiment.h"
#include "workbench/lessons/lesson.h"
#include "workbench/lessons/quiz.h"
#include "workbench/progress/progress.h"

namespace lab {

struct AppOptions {
    Home home;
    std::filesystem::path data;     // where progress and the window's settings are kept
    std::filesystem::path cudalab;  // the program that grades
    ThemeKind theme = ThemeKind::dark;
    float scale = 1;          // of the text, as the reader chose it
    float monitor_scale = 1;  // of the display
    std::string slug;         // the lesson to open; empty: where the reader stopped
    bool remember = true;     // keep the window's settings
    bool prefetch = true;     // run solutions in the background for the panels
    int present = 0;  // begin with this beat of the lesson, from 1, in front of a class; 0: do not present
    // What the presenter wants to know of each beat, where the room does not see it.
    std::function<void(const std::string&)> tell_presenter{};
    // Whether exercises run on a GPU here, too. Asked once, off the window's thread, for it takes a while. None: no.
    std::function<bool()> has_gpu{};
};

// A panel in the text or at the side, with the run that it was loaded from.
struct PanelSlot {
    std::string name, origin = "exercise", caption;
    std::map<std::string, std::string> options;
    std::unique_ptr<Panel> panel;
    RunPtr loaded;
    std::string notice;  // whose run it shows, where that is not the learner's own
    float height = 0;    // in the text, as drawn last, in pixels; 0: not yet
};

struct QuizView {
    DocumentView question, result;
    std::vector<DocumentView> options, explanations, matches;
    std::vector<int> order;  // in which options (match: right-hand sides) are shown
    Answer answer;
    std::vector<char> typed;  // number, output: what stands in the field
    bool answered = false, right = false, show_all = false;
};

// A lesson with everything that its screen needs, made when it is first opened.
struct LessonView {
    Lesson lesson;
    LessonProgress progress;
    Ticks ticks;
    bool opened = false;
    std::vector<DocumentView> texts;  // one a block; empty for those that are no text
    std::vector<QuizView> quizzes;
    std::map<size_t, PanelSlot> embedded;  // by block
    std::vector<PanelSlot> side;
    float scroll_to = -1;               // 0..1: where to scroll in the next frame
    float scroll = 0, scroll_most = 1;  // where the text is scrolled to, and how far it can be, in pixels
    int steady = 0;                     // frames for which scroll_most has not changed
    float width = 0;                    // of its lines, in pixels
    std::vector<float> block_tops;      // in pixels from the top of the text, as drawn last
    size_t anchor = 0;                  // the block that stays in place when one above it changes its height
};

// What the reader slides: the exercise once more at other sizes, outside of grading. While it is active,
// panels and the code show the tried run.
struct TryStrip {
    bool active = false;
    Experiment wanted;                  // where the sliders stand
    bool solution = false;              // the newest request plays the solution: the learner has no run yet
    bool chosen = false, open = false;  // whether the reader opened or closed the strip
    bool focus = false;                 // the keyboard goes to the first slider in the next frame
    RunPtr shown;                       // the newest tried run
    Dim3 asked{0, 0, 0};                // the grid as the program launches it; 0: not known yet
};

// The learner's file as the code view shows it.
struct CodeView {
    std::filesystem::path path;
    std::string text;
    std::vector<std::string_view> lines;
    int reveal = 0;  // the line to scroll to in the next frame; 0: none
    RunPtr marked;   // the run whose marks are shown
    // In front of a class:
    int named = 0;  // the line that is spoken of stands out; 0: none
    int only_case =
        -1;  // marks and costs of this case of the run; -1: marks of all, costs of the first to look at
    bool close_gaps = false;  // one empty line in place of several
};

// A lesson in front of a class: its beats, one after the other, each in three steps.
struct Presentation {
    enum class Step { question, picture, takeaway };
    bool on = false;
    size_t beat = 0;
    Step step = Step::question;
    int said = 0;  // the answer that the room gave, from 1; 0: none yet
    bool blank = false, notes = false, pointer = false;
    bool panel_has_keys = false;  // it was clicked: the arrows walk in it, until Escape or another step
    double started = 0;           // by ImGui's clock, in seconds
    float scale = 1;              // of the text, beside what the height of the window asks for
    float fit = 1;                // what it is made smaller by, so that the picture has room beside the words
    bool settles = false;         // the fit has changed in this frame
    PanelSlot slot;
    CodeView code;       // of a solution or mutant; the learner's own file is App::code_
    RunPtr looked_at;    // the run whose fault the code was moved to
    int fault_line = 0;  // of it; 0: the code stands at the line that the beat names
    ImVec2 code_size;    // as drawn last: another size, and the line has to be found again
};

class App {
  public:
    App(const AppOptions& options, std::function<void()> wake);
    ~App();

    // Between ImGui::NewFrame and ImGui::Render.
    void frame();
    // Whether something moves, so that the next frame must not wait for an event.
    bool animates() const;

    void open_lesson(size_t index);
    void grade();  // the open lesson's exercise
    void set_theme(ThemeKind kind);
    void set_scale(float scale);
    void request_run(
        const std::string& origin);  // "solution" or "mutant NAME" of the open lesson, if not there yet
    void update_slot(PanelSlot& slot);
    void answered(size_t quiz, const std::string& text, bool right);
    void opened_hint(int step);
    void go_to(const std::string& mark);  // scrolls the lesson's text to it
    void present(size_t beat);            // the open lesson, full screen; nothing where it has no beats
    void end_presentation();
    void show_beat(size_t beat, Presentation::Step step);
    void next_step();
    void step_back();
    std::string notes_of_beat();
    const Beat& beat() { return now().lesson.beats[present_.beat]; }

    LessonView& now() { return lessons_[current_]; }
    bool has_lessons() const { return !lessons_.empty(); }
    RunPtr learner_run() const;
    // The same file on the GPU, too; null where there is none, and until it has ended.
    RunPtr gpu_run() const;
    // What panels and the code show: the tried run, while the reader tries sizes, else the learner's own.
    RunPtr shown_run() const;
    void start_try();  // with the settings of try_.wanted
    void try_drawing(const Panel::Drawn& drawn);
    void end_try();
    // Marks the last item under a name, so that a test can find it.
    void mark(const std::string& name);
    void mark(const std::string& name, ImVec2 from, ImVec2 to);

    AppOptions options_;
    Progress progress_;
    Grader grader_;
    std::vector<LessonView> lessons_;
    size_t current_ = 0;
    Cursor cursor_;
    CodeView code_;
    TryStrip try_;
    Presentation present_;
    std::map<std::string, ImRect> marks_;
    std::string focus_;      // the pane to focus in the next frame
    std::string only_pane_;  // tour: draw the text ("Lesson") or this side panel alone
    bool show_help_ = false;
    bool show_path_ = false;  // narrow windows: the path is a popup
    bool narrow_ = false;
    bool untouched_ = false;  // the exercise is as it was handed out
    double copied_at_ = 0;    // when a question was copied, by ImGui's clock
    size_t next_panel_ = 0;   // which one Ctrl 4 goes to

  private:
    void make_view(LessonView& view);
    void start_first_runs();
    void make_quiz_views(LessonView& view);
    void take_news();
    void take_try(const RunPtr& run);
    void reload_code();
    void apply_style_if_pending();
    void handle_shortcuts();
    void handle_presenter_keys();
    void slide_beat(int steps);
    void set_presenter_scale(float scale);
    void set_up_beat();
    float text_scale() const;
    void lay_out_panes(ImGuiID dock);
    float part_of(const char* pane, float otherwise) const;
    void watch_pane_sizes(ImGuiID dock);
    void draw_panes();
    void draw_one_pane();
    void draw_no_lessons();
    void read_settings();
    void write_settings() const;
    void save_place();
    void refresh_progress(LessonView& view);

    std::string layout_;                       // which arrangement the panes have now
    std::string arrangement_;                  // the same without the lesson
    std::map<std::string, float> pane_parts_;  // "ARRANGEMENT.PANE" -> its part of the width or height
    std::map<std::string, ImGuiID> pane_nodes_;
    bool resizing_ = false;  // a splitter is being dragged
    bool style_pending_ = true;
    float applied_scale_ = 0;
    int frames_until_runs_ = 0;  // frames until a newly opened lesson's runs start: its picture comes first
    int first_tabs_ = 0;         // frames until the first tab of each node is brought forward
    double place_saved_at_ = 0;
    float place_saved_ = -1;
};

// The panes, each in a file of its own.
void draw_top_bar(App& app, float height);
void draw_path(App& app);
void draw_lesson(App& app);
void draw_lesson_text(App& app);
void draw_code_view(App& app);
// A file with what the run says of its lines; stale: it is being graded again.
void draw_code_lines(App& app, CodeView& code, const RunPtr& run, bool stale);
void set_text(CodeView& code, std::string text);
void draw_presentation(App& app);
// Of the run in a presentation's picture: the error that a mutant is kept for, else its cause (record/text.h).
const Finding* fault_shown(const App& app);
void draw_verdict(App& app);
void draw_side_panel(App& app, PanelSlot& slot);
void draw_help(App& app);
void draw_try_strip(App& app);
void draw_quiz(App& app, size_t quiz, float width);
void draw_slot(App& app, PanelSlot& slot, const std::string& mark);

}  // namespace lab
