// A sitting at one of the five levels, and when a question comes back. No clock and no file in here but what is handed in.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "workbench/lessons/quiz.h"
#include "workbench/mastery/bank.h"
#include "workbench/progress/progress.h"

namespace lab {

// What is remembered of a question: a Leitner box. A right answer moves it one box on, a wrong one back to box 0.
struct Recall {
    int box = 0;              // 0..5; the next one comes after 10 minutes, 1, 3, 7, 16, 35 days
    int64_t due = 0;          // seconds since 1970
    int seen = 0, right = 0;  // first answers
    bool last_right = false;
};
Recall after_answer(const Recall& before, bool right, int64_t now);
bool is_due(const Recall& recall, int64_t now);  // false for a question that was never seen

using Recalls = std::map<std::string, Recall>;  // by the question's id
// Kept in the progress file's `state`, which every progress file has. A value that can't be read counts as never seen.
Recalls read_recalls(Progress& progress, const Bank& bank);
bool keep_recall(Progress& progress, const std::string& id, const Recall& recall);
int64_t level_passed_at(Progress& progress, int level);  // seconds since 1970; 0: not yet
bool keep_level_passed(Progress& progress, int level, int64_t now);

constexpr size_t sitting_length = 8;
constexpr double sitting_needs = 6;

// One question as it is put: `shown[i]` is the option (match: right-hand side) in place i.
struct Asked {
    int question = 0;  // index into Bank::questions
    std::vector<int> shown;
    enum class State { open, right, wrong, skipped } state = State::open;
};

// Questions drawn at random, those that are due first (half of them at most), options shuffled. The first answer to each
// counts: +1 where it is right; where it is wrong, minus what a guess would gain on average, so that guessing
// gains nothing; 0 where the reader says that they don't know.
class Sitting {
  public:
    // level 0: what is due, of any level; it is a review, and passes nothing.
    Sitting(const Bank& bank, int level, const Recalls& recalls, int64_t now, uint64_t seed);

    int level() const { return level_; }
    const std::vector<Asked>& asked() const { return asked_; }
    const BankQuestion& question(size_t index) const {
        return bank_->questions[size_t(asked_[index].question)];
    }
    // Judges; notes the first answer that was understood. A second one changes nothing.
    Judgement answer(size_t index, const Answer& answer);
    void skip(size_t index);
    bool ended() const;
    double score() const;
    int right() const;
    bool passed() const { return level_ > 0 && ended() && score() >= sitting_needs; }

  private:
    const Bank* bank_;
    int level_;
    std::vector<Asked> asked_;
};

}  // namespace lab
