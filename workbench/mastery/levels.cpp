#include "workbench/mastery/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <sstream>

namespace lab {
namespace {

constexpr int64_t day = 24 * 60 * 60;
constexpr int64_t intervals[] = {10 * 60, day, 3 * day, 7 * day, 16 * day, 35 * day};
constexpr int last_box = int(std::size(intervals)) - 1;

// What a wrong answer costs: of n options, a guess is right once for n - 1 times that it is wrong.
double cost_of_guess(const Quiz& quiz) {
    constexpr double otherwise = 1.0 / 3;
    return quiz.kind == QuizKind::one && quiz.options.size() > 1 ? 1.0 / double(quiz.options.size() - 1)
                                                                 : otherwise;
}

}  // namespace

Recall after_answer(const Recall& before, bool right, int64_t now) {
    Recall next = before;
    next.box = right ? std::min(before.box + 1, last_box) : 0;
    next.due = now + intervals[next.box];
    next.seen += 1;
    next.right += right;
    next.last_right = right;
    return next;
}

bool is_due(const Recall& recall, int64_t now) {
    return recall.seen > 0 && recall.due <= now;
}

Recalls read_recalls(Progress& progress, const Bank& bank) {
    Recalls recalls;
    for (const BankQuestion& question : bank.questions) {
        std::istringstream text(progress.kept("recall/" + question.quiz.id));
        Recall recall;
        if (text >> recall.box >> recall.due >> recall.seen >> recall.right >> recall.last_right &&
            recall.box >= 0 && recall.box <= last_box && recall.seen > 0)
            recalls[question.quiz.id] = recall;
    }
    return recalls;
}

bool keep_recall(Progress& progress, const std::string& id, const Recall& recall) {
    return progress.keep("recall/" + id, fmt::format("{} {} {} {} {}", recall.box, recall.due, recall.seen,
                                                     recall.right, recall.last_right ? 1 : 0));
}

int64_t level_passed_at(Progress& progress, int level) {
    return std::atoll(progress.kept(fmt::format("level/{}", level)).c_str());
}

bool keep_level_passed(Progress& progress, int level, int64_t now) {
    if (level_passed_at(progress, level) > 0) return true;
    return progress.keep(fmt::format("level/{}", level), std::to_string(now));
}

Sitting::Sitting(const Bank& bank, int level, const Recalls& recalls, int64_t now, uint64_t seed)
    : bank_(&bank), level_(level) {
    std::mt19937_64 random(seed);
    std::vector<int> due, others;
    for (size_t i = 0; i < bank.questions.size(); ++i) {
        const BankQuestion& question = bank.questions[i];
        if (level > 0 && question.level != level) continue;
        const auto recall = recalls.find(question.quiz.id);
        const bool comes_back = recall != recalls.end() && is_due(recall->second, now);
        (comes_back ? due : others).push_back(int(i));
    }
    std::shuffle(due.begin(), due.end(), random);
    std::shuffle(others.begin(), others.end(), random);
    const size_t most_due = level == 0 ? sitting_length : sitting_length / 2;
    std::vector<int> drawn(due.begin(), due.begin() + int(std::min(due.size(), most_due)));
    for (size_t i = 0; level > 0 && i < others.size() && drawn.size() < sitting_length; ++i)
        drawn.push_back(others[i]);
    for (size_t i = most_due; level > 0 && i < due.size() && drawn.size() < sitting_length; ++i)
        drawn.push_back(due[i]);
    std::shuffle(drawn.begin(), drawn.end(), random);
    for (const int question : drawn) {
        Asked asked;
        asked.question = question;
        asked.shown.resize(bank.questions[size_t(question)].quiz.options.size());
        std::iota(asked.shown.begin(), asked.shown.end(), 0);
        std::shuffle(asked.shown.begin(), asked.shown.end(), random);
        asked_.push_back(std::move(asked));
    }
}

Judgement Sitting::answer(size_t index, const Answer& answer) {
    const Judgement judgement = judge(question(index).quiz, answer);
    Asked& asked = asked_[index];
    if (asked.state == Asked::State::open && judgement.understood)
        asked.state = judgement.right ? Asked::State::right : Asked::State::wrong;
    return judgement;
}

void Sitting::skip(size_t index) {
    if (asked_[index].state == Asked::State::open) asked_[index].state = Asked::State::skipped;
}

bool Sitting::ended() const {
    return std::none_of(asked_.begin(), asked_.end(),
                        [](const Asked& asked) { return asked.state == Asked::State::open; });
}

int Sitting::right() const {
    return int(std::count_if(asked_.begin(), asked_.end(),
                             [](const Asked& asked) { return asked.state == Asked::State::right; }));
}

double Sitting::score() const {
    double score = 0;
    for (size_t i = 0; i < asked_.size(); ++i) {
        if (asked_[i].state == Asked::State::right) score += 1;
        if (asked_[i].state == Asked::State::wrong) score -= cost_of_guess(question(i).quiz);
    }
    return score;
}

}  // namespace lab
