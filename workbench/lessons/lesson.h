// A lesson as the workbench and the app see it: front matter, text, quizzes, and the paths that derive from its slug.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workbench/record/goals.h"

namespace lab {

enum class QuizKind { one, several, number, output, order, match };

struct QuizOption {
    std::string text;         // Markdown
    std::string explanation;  // why it is right, or what this mistake would have caused
    bool right = false;
    std::string match;  // kind match: the right-hand side
    std::string value;  // what `verify` prints for it; empty: its text
};

struct Quiz {
    std::string id;  // unique in the lesson; progress is kept under it
    QuizKind kind = QuizKind::one;
    std::string question;             // Markdown
    std::vector<QuizOption> options;  // kind order: in the right order; the app shuffles
    double answer = 0;                // kind number
    double tolerance = 0;
    std::string output;       // kind output: what is printed, without the last newline
    std::string explanation;  // shown after any answer (number, output, order, match)
    std::vector<std::pair<std::string, std::string>>
        wrong;                   // number/output: a likely wrong answer and its explanation
    std::string verify;          // a CUDA program whose output proves the answer; may be empty
    std::string verify_metric;   // it is proved by this metric in place of the output
    std::string verify_finding;  // it is proved by a finding of this kind
    int level = 1;               // 1 terms .. 5 predicting a measured result
    int line = 0;                // of its fence in lesson.md
};

// One stretch of a lesson's text, in order.
struct Block {
    enum class Kind { markdown, quiz, code, panel, hint, note, goal } kind = Kind::markdown;
    std::string text;                            // markdown, hint, note: the Markdown
    int quiz = -1;                               // index into Lesson::quizzes
    int goal = -1;                               // index into Lesson::further
    std::string panel;                           // panel: its name ("thread_map")
    std::map<std::string, std::string> options;  // panel and code: key = value lines
    std::string code;       // code: the excerpt as it stands now in the file it is cut from
    std::string code_file;  // code: that file
    int code_line = 0;      // code: first line of the excerpt there
    std::vector<int>
        code_lines;  // code: the line in code_file of each line of `code` (marker lines are left out)
    int line = 0;    // in lesson.md
};

// A number that a reader may change to run the exercise once more, outside of grading.
struct Slider {
    std::string name;   // the experiment of grader.cpp asks for it by this name
    std::string label;  // what the reader sees; the name where the lesson gives none
    int from = 0, to = 0, start = 0;
    std::vector<int> values;  // the only stops, ascending; empty: every whole number from `from` to `to`
    std::vector<std::string> words;  // what the reader sees in place of each stop's number; empty: the number
    // "pinned", or "2" where the slider has no words.
    std::string word(int value) const;
};

// A grey picture that a reader may draw for a run of the experiment: width * height bytes, row by row, 0 for paper and
// 255 for full ink.
struct Drawing {
    std::string name;  // the experiment of grader.cpp asks for it by this name
    int width = 0, height = 0;
    size_t bytes() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
};
constexpr int largest_drawing = 64;  // a side

// One step of a presentation: the room sees the question, then the picture, then the takeaway.
struct Beat {
    std::string question, takeaway;
    std::string picture;                         // what the picture shows: for the presenter
    std::vector<std::string> answers;            // to the question, for the room to choose from; may be empty
    int right = 0;                               // which of them is right, from 1; 0: there are none
    std::string panel;                           // the picture; empty: the first panel of the lesson
    std::map<std::string, std::string> options;  // of the panel, as in a ```panel block
    std::string from;                            // whose run it shows: exercise, solution or "mutant NAME"
    std::string code;                     // a piece of the line that the code is shown at; empty: no code
    std::map<std::string, int> settings;  // where sliders stand at first; empty: the graded run
    std::string slide;                    // the slider that the arrow keys move; may be empty
};

struct Mutant {
    std::string name, why;      // what mistake it is
    std::string find, replace;  // an edit of the solution; `find` occurs exactly once
    std::vector<std::pair<std::string, std::string>> edits;  // further edits
    std::string finding;                                     // the kind that it must cause, or
    std::string fails;                                       // a part of the name of the case that must fail
    std::string says;  // a part of the verdict's text that must be there; may be empty
};

struct LessonPaths {                                                               // absolute
    std::filesystem::path folder, text, grader, interface_header, mutants, panel;  // panel: may not exist
    std::filesystem::path exercise, solution;
};

struct Lesson {
    int number = 0;
    int version = 1;  // progress is kept per slug and version
    std::string slug, title, part;
    std::vector<std::string> goals, concepts, api, needs, panels, receipt;
    int minutes = 0;
    bool any_grid = false;         // the solution is right with every grid that a reader slides to
    bool fast_experiment = false;  // the experiment is played without checks, on every core
    std::vector<Slider> sliders;
    std::vector<Drawing> drawings;
    std::vector<Beat> beats;
    std::vector<Block> blocks;
    std::vector<Quiz> quizzes;
    std::vector<std::string> hints;  // three, from nudge to nearly there
    std::vector<Goal> further;       // what the text asks for beyond a pass
    std::vector<Mutant> mutants;
    std::vector<std::pair<std::string, std::string>>
        further_edits;  // of the solution: it then reaches `further`
    LessonPaths paths;
    bool has_solution = true;           // false: this copy is handed out without solutions/
    std::vector<std::string> problems;  // what is wrong with its files, as sentences with file and line
};

// Where the workbook's files are. Found from, in this order: $CUDALAB_HOME, a workspace made by `cudalab init`
// (the current folder or one above it), the source tree the program was built from, the installed share folder.
struct Home {
    std::filesystem::path content;    // holds lessons/, solutions/, assets/ (read only)
    std::filesystem::path exercises;  // what the learner edits
};
Home find_home();

// False for a copy that is handed out without solutions/: it grades, and shows nothing that is made from a solution.
bool has_solutions(const Home& home);

// The slugs of the lessons that are there, in the order of the path; a folder `lessons/NN_name` is a lesson.
std::vector<std::string> lesson_slugs(const Home& home);
LessonPaths paths_of(const Home& home, const std::string& slug);

// All lessons in the order of the lesson table. Never throws: what is wrong stands in Lesson::problems.
std::vector<Lesson> load_lessons(const Home& home);
Lesson load_lesson(const Home& home, const std::string& slug);

// "1", "01", "lesson01", "01_hello_threads", "hello_threads" or a path of an exercise -> the slug; nullopt: none.
std::optional<std::string> slug_from(const Home& home, const std::string& text);

// The exercise as it was handed out: the solution cut at its markers (see CONTRIBUTING.md).
// Throws std::runtime_error with file and line when the markers do not pair.
std::string cut_stub(const std::string& solution_text, const std::string& file_name);

}  // namespace lab
