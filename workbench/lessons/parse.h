// The text of a lesson -> Lesson. This comment is the definition of lesson.md and mutants.toml.
//
// lesson.md ---------------------------------------------------------------------------------------------------
// The first line is `+++`, then TOML, then a line `+++`, then Markdown.
//
//   +++
//   title = "Hello, threads"                      # required
//   part = "Threads"                              # required; one of the path's parts, without its number
//   version = 1                                   # raise it when old answers no longer count; progress is kept per version
//   minutes = 25                                  # required
//   any_grid = true                               # the solution is right with any grid that a reader slides to; left out: it is
//                                                 # wrong with a grid of one block
//   fast_experiment = true                        # the experiment is long: it is played without checks, on every core
//   goals = ["Launch a kernel ...", "..."]        # required
//   concepts = ["kernel", "block"]                # required
//   api = ["cudaGetLastError"]                    # may be empty
//   needs = ["01_hello_threads"]                  # slugs of earlier lessons; may be left out
//   panels = ["thread_map"]                       # every panel that the text or the side of the window shows
//   receipt = ["You can now ...", "..."]          # required: two or three lines
//   [[slider]]                                    # may be left out; the grader's LAB_EXPERIMENT asks for each by its name
//   name = "n"                                    # required, unique; lower-case letters, digits and _; not "grid"
//   label = "elements"                            # what the reader sees; the name where it is left out
//   from = 1                                      # required, and `to` and `start`, too: whole numbers, from <= start <= to
//   to = 2000
//   start = 10
//   values = [1, 10, 2000]                        # the only stops, ascending; left out: every whole number from `from` to `to`
//   words = ["few", "more", "many"]               # what the reader sees in place of each stop's number; may be left out
//   [[drawing]]                                   # may be left out; a grey picture that a panel lets the reader draw for the experiment
//   name = "picture"                              # required, unique; the experiment asks for at.drawing("picture")
//   width = 28                                    # required, and `height`, too: 1 to 64
//   height = 28
//   [[beat]]                                      # five to eight; `cudalab present` shows them to a class
//   question = "..."
//   picture = "..."                               # what the room then looks at: told to the presenter alone
//   takeaway = "..."
//   answers = ["...", "..."]                      # to the question, for the room to choose from; may be left out
//   right = 2                                     # which of them is right, from 1
//   panel = "tile"                                # one of `panels`; the first one otherwise
//   options = { case = "one whole tile" }         # the panel's own, as in a ```panel block
//                                                 # (the case, where it failed, says what stands below the picture)
//   from = "mutant no_barrier"                    # whose run: exercise (or left out), solution, mutant NAME
//   code = "tile[threadIdx.y]"                    # a piece of the line where the code stands open; without it, no code
//   settings = { padding = 0 }                    # sliders: a try in place of the graded run
//                                                 # (of the solution, while the exercise is as it was handed out)
//   slide = "padding"                             # the slider that the up and down keys move
//   +++
//
// Markdown follows. A fenced block (three or more backticks at the start of a line) is live when its info string is
// exactly `quiz`, `panel`, `code`, `hint`, `note` or `goal`. Any other fence (```cpp, ```text, none) stays Markdown. A hint or
// a note that holds a fence of its own is fenced with four backticks.
//
//   ```quiz                                       # the body is TOML; at least five quizzes a lesson
//   id = "guard"                                  # required, unique in the lesson; letters, digits, - and _
//   kind = "one"                                  # one, several, number, output, order, match
//   level = 2                                     # 1 terms, 2 reading code, 3 predicting, 4 finding a fault, 5 predicting a measured result
//   question = "..."                              # required; Markdown; '''...''' for several lines
//   [[option]]
//   text = "..."                                  # Markdown
//   right = true                                  # one: exactly one option; several: at least one right and one wrong
//   explanation = "..."                           # required for every option, right or wrong
//   ```
//   kind number:  answer = 4.0, tolerance = 0 (the default), explanation = "..." (required), and any number of
//                 [[wrong]] answer = 8, explanation = "..." : likely wrong answers, each with what it would have caused.
//   kind output:  output = '''...''' (what is printed, compared without trailing spaces and newlines), explanation, and
//                 [[wrong]] answer = '''...''', explanation = "..." .
//   kind order:   [[option]] text, explanation: in the right order (the reader sees them shuffled); explanation.
//   kind match:   [[option]] text, match, explanation: left and right-hand side; explanation.
//
//   A quiz of any kind may prove its answer: `verify = '''...'''` is a whole CUDA program (with main) that a test runs
//   on the CPU machine. What it prints must be: number: the number; output: the output; one, several, order, match: for
//   every right option one line, in the order of the options: its `value = "..."`, or without one its text (match: its
//   right-hand side) with the backticks taken off.
//     verify_metric = "global_load_sectors"       # in place of what is printed: this metric, summed over all launches
//     verify_finding = "oob-global"               # in place of what is printed: the run must report this kind
//
//   ```panel                                      # the body is TOML, one key = value a line
//   name = "thread_map"                           # required; must stand in the front matter's `panels`
//   from = "exercise"                             # whose run: exercise (the default), solution, or "mutant NAME"
//   caption = "..."                               # may be left out; any further keys are handed to the panel as they are
//   ```
//
//   ```code
//   from = "solution"                             # solution (the default), exercise, or "mutant NAME"
//   part = "kernel"                               # required: the excerpt between `// [kernel]` and `// [/kernel]`
//   caption = "..."                               # may be left out
//   ```
//   The markers are comments alone on their line. They stay in the exercise, so the learner's own lines can be shown; the
//   excerpt leaves out every marker line, and of a solution the `// >>> TODO`, `// ===`, `//|` and `// <<<` lines.
//
//   ```hint                                       # Markdown; exactly three: a question, the idea by name, all but the last line
//   ```note                                       # Markdown for the presenter; the reader does not see it
//
//   ```goal                                       # what "Further" asks for, by numbers of a run that passes; at least one
//   case = "All blocks work"                      # required: a part of the name of the grader's case that is looked at
//   kernel = "saxpy_kernel"                       # the launches that count; left out: all of the case
//   metric = "global_load_requests"               # required: of a launch (simt/include/simt/report.md), summed over those
//                                                 # launches; "timeline.total_us": of the case's timeline
//   at_most = 256                                 # or at_least
//   ```
//
// mutants.toml ------------------------------------------------------------------------------------------------
// At least eight, each a mistake that somebody really makes.
//
//   [[mutant]]
//   name = "no_guard"                             # required, unique; letters, digits and _
//   why = "Writes past the end when ..."          # required; one sentence
//   find = "if (i < n)"                           # required; occurs exactly once in solutions/SLUG.cu
//   replace = "if (true)"                         # required
//   edits = [["find", "replace"]]                 # further edits, may be left out; each made on the text the one before left
//   finding = "oob-global"                        # the kind that it must cause (simt/include/simt/report.md), or
//   fails = "n = 1000"                            # a part of the name of the case that must fail; both given: both must hold
//   says = "out[200..255]"                        # a part of the headline, a message or a finding; may be left out
//
// Then one table more, which proves that the goals of lesson.md can be reached: edits of the solution that pass and
// reach all of them. The solution alone must miss at least one.
//
//   [further]
//   edits = [["find", "replace"]]                 # required; each made on the text that the one before left
//
// TOML basic strings ("...") read \ as an escape; use literal ones ('...' or '''...''') for code.
#pragma once

#include "workbench/lessons/lesson.h"

namespace lab {

// Reads the text of lesson.md into `lesson`; what is wrong goes to lesson.problems. Takes any bytes, never throws.
// Code blocks are left without their excerpts: resolve_code fills them in.
void parse_lesson_text(Lesson& lesson, const std::string& text, const std::string& file_name);

// Reads the text of mutants.toml into lesson.mutants. Takes any bytes, never throws.
void parse_mutants_text(Lesson& lesson, const std::string& text, const std::string& file_name);

// What a marker pair encloses.
struct Excerpt {
    std::string text;
    std::vector<int> lines;  // 1-based line in the file of each line of text
    std::string problem;     // a sentence, without the file's name; empty: none
};
Excerpt cut_excerpt(const std::string& file_text, const std::string& marker);

// The solution with the mutant's edits made. Throws std::runtime_error with a sentence when a `find` does not
// occur exactly once.
std::string apply_mutant(const Mutant& mutant, const std::string& solution_text);

// The solution with the edits made that reach the lesson's goals. Throws as apply_mutant does.
std::string apply_further(const Lesson& lesson, const std::string& solution_text);

// The solution as a reader should see it: without the lines that only the cut needs.
std::string clean_solution(const std::string& solution_text);

}  // namespace lab
