// What the learner has done, in one SQLite file: $CUDALAB_DATA, else $XDG_DATA_HOME/cudalab, else
// ~/.local/share/cudalab (file progress.sqlite3; progress.json in a build without SQLite, such as a GPU server's). The
// app, the terminal and ctest may write at once; every call is one small transaction, so a kill -9 loses at most the
// call it hit. Keyed by slug and by the lesson's version: raising a version starts anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workbench/lessons/lesson.h"

namespace lab {

struct Attempt {
    int64_t time = 0;  // seconds since 1970
    bool passed = false;
    std::string status;              // name_of(Run::status)
    std::vector<std::string> kinds;  // kinds of findings, the cause first
    std::string source_hash;
};

struct LessonProgress {
    bool passed = false;    // the exercise has passed once
    int64_t passed_at = 0;  // seconds since 1970; 0: never
    int attempts = 0;
    std::map<std::string, bool> answers;  // quiz id -> was it ever answered right
    int hints = 0;                        // how many steps were opened
    bool solution_opened = false;         // before a pass, with --give-up
    double place = 0;                     // where the reader stopped in the text, 0..1
    bool further = false;                 // a pass has reached what the lesson asks for beyond one
};

// The two ticks of a lesson, and the star beside them.
struct Ticks {
    bool exercise = false;
    bool quizzes = false;  // every question answered right
    int quizzes_right = 0, quizzes_all = 0;
    bool further = false;  // beyond both: the goals of "Further" are reached
    bool complete() const { return exercise && quizzes; }
};
Ticks ticks_of(const Lesson& lesson, const LessonProgress& progress);

std::filesystem::path data_folder();   // see above; may not exist yet
std::filesystem::path cache_folder();  // $CUDALAB_CACHE, else $XDG_CACHE_HOME/cudalab, else ~/.cache/cudalab

class Progress {
  public:
    // Never throws. Where the file can't be opened, progress lives in memory for this process; where it is
    // damaged, it is moved aside. notice() says so.
    explicit Progress(const std::filesystem::path& folder = data_folder());
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    const std::string& notice() const { return notice_; }  // one sentence for the learner; mostly empty
    const std::filesystem::path& file() const { return file_; }

    LessonProgress of(const Lesson& lesson);
    std::vector<Attempt> attempts(const Lesson& lesson, int limit = 100);  // newest first

    // Each returns false when it could not be written; notice() then says why.
    bool record_attempt(const Lesson& lesson, const Attempt& attempt);
    bool record_answer(const Lesson& lesson, const std::string& quiz, const std::string& answer, bool right);
    bool record_hint(const Lesson& lesson, int step);  // step: 1..3
    bool record_solution_opened(const Lesson& lesson);
    bool record_place(const Lesson& lesson, double place);
    bool record_further(const Lesson& lesson);  // its goals beyond a pass are reached
    bool record_current(const Lesson& lesson);  // the lesson in front of the reader
    std::string current();                      // its slug; empty: none yet
    // What is measured once and kept, by a key of the caller's ("ceilings/NVIDIA H200/580.159").
    bool keep(const std::string& key, const std::string& value);
    std::string kept(const std::string& key);  // empty: nothing yet

  private:
    struct Store;  // SQLite's file, or the JSON one
    std::filesystem::path file_;
    std::string notice_;
    std::unique_ptr<Store> store_;
};

}  // namespace lab
