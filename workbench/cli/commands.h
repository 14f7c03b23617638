// One function a command. Each returns the exit code: 0 passed or done, 1 failed, 2 used wrongly.
// main.cpp turns the command line into these options; a command prints to stdout, complaints go to stderr.
// grade.cpp, try.cpp and run.cpp hold command_grade, command_try and command_run; every other command has a
// file of its own name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

struct GradeOptions {
    std::string slug;  // of an existing lesson; main.cpp has resolved what was typed
    std::string file;  // another file in place of the lesson's exercise; empty: the exercise
    std::string backend = "cpu";
    bool times = true;     // on a GPU, once all cases pass: what it is timed with, and the card's ceilings
    bool json = false;     // print the Run in place of the words
    bool record = true;    // note the attempt in the learner's progress (main.cpp: false for another file)
    bool verbose = false;  // every case and every finding, not the first of each
    std::string csv;       // of a class: the file for one row a submission, "-" for stdout
    int jobs = 0;          // of a class: how many at once; 0: one a core
};
int command_grade(const Home& home, const GradeOptions& options);
// Grades each file (of a folder: each .cu in it) and writes the CSV file, anew after each. Exit code 0 when all were
// graded, whatever their verdicts. Throws std::runtime_error with a sentence where the CSV file cannot be written.
int command_grade_class(const Home& home, const GradeOptions& options, const std::vector<std::string>& files);

struct TryOptions {
    std::string slug;
    std::vector<std::string> settings;  // NAME=NUMBER and grid=2x1
    std::string file;                   // in place of the lesson's exercise; empty: the exercise
    bool solution = false;              // play the solution
    std::string live;                   // a file for what it reports while it runs; empty: none
    bool json = false;
};
int command_try(const Home& home, const TryOptions& options);

struct RunOptions {
    std::string backend = "cpu";     // or "cuda"
    bool occupancy = false;          // ask nvcc for registers, and print a table of the launches
    uint64_t device_memory = 0;      // bytes of each device; 0: as much as this computer can spare
    int devices = 0;                 // simulated ones; 0: as $CUDALAB_DEVICES says, else 1
    std::string default_stream;      // "legacy" or "per-thread", as nvcc's --default-stream; empty: legacy
    bool timeline = false;           // print the simulated timeline
    std::string picture;             // a file for the timeline as a picture (.png); empty: none
    std::vector<std::string> files;  // the first is the program's; .cu, .cpp or .c
    std::vector<std::string> include_dirs;  // -I
    std::vector<std::string> defines;       // -D, without the -D
    std::string standard;                   // -std=, e.g. "c++20"; empty: the default
    bool fast = false;                      // without checks, every core
    std::optional<std::string> json;        // where the record goes; "-": stdout in place of the words
    std::vector<std::string> arguments;     // the program's, after --
};
int command_run(const Home& home, const RunOptions& options);

struct LessonsOptions {
    bool json = false;
};
int command_lessons(const Home& home, const LessonsOptions& options);

struct WatchOptions {
    std::string slug;   // empty: the first lesson that is not passed yet
    bool once = false;  // stop at the first pass in place of moving on
    bool json = false;  // one Run a line, no screen and no keys
    bool poll = false;  // ask the file system in place of waiting for it (network and shared folders)
};
int command_watch(const Home& home, const WatchOptions& options);

struct HintOptions {
    std::string slug;
    int step = 0;  // 1..3; 0: the next one that was not opened yet
    bool all = false;
    bool json = false;
};
int command_hint(const Home& home, const HintOptions& options);

struct ResetOptions {
    std::string slug;
    bool json = false;
};
int command_reset(const Home& home, const ResetOptions& options);

struct SolutionOptions {
    std::string slug;
    bool give_up = false;
    bool path = false;  // print where it is in place of its text
    bool json = false;
};
int command_solution(const Home& home, const SolutionOptions& options);

struct QuizOptions {
    std::string slug;
    std::vector<std::string> answers;  // ID=ANSWER
    bool list = false;
    bool again = false;  // ask also what was answered right before
    bool json = false;
};
int command_quiz(const Home& home, const QuizOptions& options);

// levels.cpp holds both.
struct LevelsOptions {
    int level = 0;     // 1..5; 0: list them
    bool due = false;  // ask what is due, of every level
    bool json = false;
};
int command_levels(const Home& home, const LevelsOptions& options);

struct ProgressOptions {
    bool json = false;
};
int command_progress(const Home& home, const ProgressOptions& options);

struct DoctorOptions {
    bool json = false;
};
int command_doctor(const Home& home, const DoctorOptions& options);

struct InitOptions {
    std::string folder;
    bool json = false;
};
int command_init(const Home& home, const InitOptions& options);

struct TourOptions {
    std::string folder;
    std::vector<std::string> arguments;  // after --, for the window program
    bool json = false;
    std::string beats;                    // slug: the beats of that lesson as a PDF file called `folder`
    std::string size, font_scale, theme;  // empty: the window program's own
};
int command_tour(const Home& home, const TourOptions& options);
int command_present(const Home& home, const std::string& slug, int beat);  // from 1

struct DataOptions {
    std::string name;               // "mnist", "fashion-mnist", "digits"; empty: list what is there
    std::string folder;             // to take files from; of digits: to write them to
    std::vector<std::string> from;  // files to take in place of fetching them
    std::string mirror;             // a folder by URL, in place of the known ones
    uint64_t seed = 1;              // of digits, as are the two numbers
    int train = 60000, test = 10000;
    bool json = false;
};
int command_data(const Home& home, const DataOptions& options);

struct CutOptions {
    std::string slug;
    bool check = false;
    bool json = false;
};
int command_cut(const Home& home, const CutOptions& options);  // for authors

int command_none(const Home& home);  // `cudalab` alone

// For ctest alone (cmake/CTestHooks.cmake): the test of one exercise, and the hooks before and after all
// tests.
int command_ctest_grade(const Home& home, const std::string& slug, const std::string& backend);
int command_ctest_before();
int command_ctest_after();

}  // namespace lab
