// `cudalab levels`: the quizzes in five levels. `cudalab progress`: what is mastered, and what to do next.
#include "workbench/mastery/levels.h"

#include <fmt/format.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/text.h"
#include "workbench/mastery/mastery.h"

namespace lab {

namespace {

using Json = nlohmann::ordered_json;

int columns() {
    return std::min(terminal_columns(), 90);
}

std::string option_line(const std::string& label, const std::string& text) {
    std::string lines = wrapped(text, columns() - 6, "      ");
    if (lines.size() > 6) lines.replace(0, 6, fmt::format("   {}  ", label));
    return lines;
}

void print_asked(const Quiz& quiz, const Asked& asked) {
    fmt::print("{}", wrapped(trimmed(quiz.question), columns()));
    const bool match = quiz.kind == QuizKind::match;
    for (size_t i = 0; match && i < quiz.options.size(); ++i)
        fmt::print("{}", option_line(fmt::format("{}", i + 1), quiz.options[i].text));
    if (match) fmt::print("\n");
    for (size_t i = 0; i < asked.shown.size(); ++i) {
        const QuizOption& option = quiz.options[size_t(asked.shown[i])];
        fmt::print("{}", option_line(std::string(1, char('a' + i)), match ? option.match : option.text));
    }
}

void print_reasons(const Quiz& quiz, const Asked& asked) {
    const bool match = quiz.kind == QuizKind::match;
    for (size_t i = 0; i < quiz.options.size(); ++i) {
        const QuizOption& option = quiz.options[match ? i : size_t(asked.shown[i])];
        const std::string label =
            match ? fmt::format("{}{}", i + 1,
                                char('a' + (std::find(asked.shown.begin(), asked.shown.end(), int(i)) -
                                            asked.shown.begin())))
                  : fmt::format("{}{}", option.right ? "✓" : "✗", char('a' + i));
        fmt::print("{}", option_line(label, trimmed(option.explanation).data()));
    }
}

// The program runs, and its number stands beside what was said.
void print_measured(const Home& home, const Quiz& quiz, const std::string& said) {
    if (quiz.verify.empty()) return;
    try {
        fmt::print("The CPU machine runs it: {}. You said {}.\n", bold(measured(home, quiz)),
                   said.empty() ? "that you don't know" : said);
    } catch (const std::exception& error) {
        fmt::print("Not measured: {}\n", error.what());
    }
}

// False: the reader stops.
bool put(const Home& home, Sitting& sitting, size_t index, Progress& progress, Recalls& recalls,
         int64_t now) {
    const Quiz& quiz = sitting.question(index).quiz;
    const Asked& asked = sitting.asked()[index];
    print_asked(quiz, asked);
    std::string word;
    while (asked.state == Asked::State::open) {
        fmt::print("{} > ",
                   bold(quiz.kind == QuizKind::one      ? "Your answer (a letter; empty: I don't know)"
                        : quiz.kind == QuizKind::number ? "Your prediction (a number; empty: I don't know)"
                                                        : "The letters in turn (empty: I don't know)"));
        std::fflush(stdout);
        std::string typed;
        if (!std::getline(std::cin, typed)) return false;
        word = std::string(trimmed(typed));
        if (word == "q") return false;
        if (word.empty()) {
            sitting.skip(index);
            fmt::print("\n");
        } else {
            const Judgement judgement = sitting.answer(index, parse_answer(quiz, word, asked.shown));
            if (!judgement.understood) {
                fmt::print("{}\n", judgement.explanation);
                continue;
            }
            fmt::print("\n{}\n", judgement.right ? green(bold("Right.")) : red(bold("Not so.")));
            if (quiz.options.empty()) fmt::print("{}", wrapped(trimmed(judgement.explanation), columns()));
        }
    }
    print_reasons(quiz, asked);
    print_measured(home, quiz, word);
    Recall& recall = recalls[quiz.id];
    recall = after_answer(recall, asked.state == Asked::State::right, now);
    keep_recall(progress, quiz.id, recall);
    return true;
}

int sit(const Home& home, const Bank& bank, const LevelsOptions& options, Progress& progress) {
    const int64_t now = std::time(nullptr);
    Recalls recalls = read_recalls(progress, bank);
    const int level = options.due ? 0 : options.level;
    Sitting sitting(bank, level, recalls, now, std::random_device{}());
    if (sitting.asked().empty()) {
        if (!options.due)
            return complain(false, "the question bank is missing here: assets/quiz has no questions.", 1);
        fmt::print("No question is due. `cudalab levels 1` asks new ones.\n");
        return 0;
    }
    fmt::print("{}\n",
               dim(fmt::format(
                   "The first answer counts. A wrong one costs what a guess would gain, so say that "
                   "you don't know where you don't. q stops.{}",
                   level > 0 ? fmt::format(" {:g} of {} points pass.", sitting_needs, sitting_length) : "")));
    for (size_t i = 0; i < sitting.asked().size(); ++i) {
        fmt::print("\n{}\n", bold(fmt::format("Question {} of {}", i + 1, sitting.asked().size())));
        if (!put(home, sitting, i, progress, recalls, std::time(nullptr))) {
            fmt::print("\nStopped. What was answered wrong comes back; nothing is passed.\n");
            return 1;
        }
    }
    fmt::print("\n{} of {} right, {:.1f} points.", sitting.right(), sitting.asked().size(), sitting.score());
    if (level == 0) {
        fmt::print(" The next ones come back when they are due.\n");
        return 0;
    }
    if (sitting.passed()) keep_level_passed(progress, level, now);
    fmt::print("{}\n", sitting.passed()
                           ? fmt::format(" Level {} is passed.", level)
                           : fmt::format(" Level {} needs {:g}. The wrong ones come back in ten minutes.",
                                         level, sitting_needs));
    return sitting.passed() ? 0 : 1;
}

Json json_of(const Standing& at) {
    Json json{{"due", at.due},
              {"levels", Json::array()},
              {"parts", Json::array()},
              {"concepts", Json::array()},
              {"next", Json::array()}};
    for (size_t i = 0; i < at.levels.size(); ++i)
        json["levels"].push_back(
            {{"level", i + 1}, {"name", name_of_level(int(i) + 1)}, {"passed", at.levels[i] > 0}});
    for (const PartMastery& part : at.parts)
        json["parts"].push_back({{"name", part.name},
                                 {"mastery", part.value},
                                 {"concepts", part.concepts},
                                 {"mastered", part.mastered},
                                 {"lessons", part.lessons},
                                 {"passed", part.passed}});
    for (const ConceptMastery& one : at.concepts)
        json["concepts"].push_back({{"name", one.name},
                                    {"part", one.part},
                                    {"graded", one.graded},
                                    {"quizzes", one.quizzes},
                                    {"mastered", one.mastered()}});
    for (const NextStep& step : at.next)
        json["next"].push_back({{"what", step.what}, {"why", step.why}, {"command", step.command}});
    return json;
}

std::string bar(double value) {
    constexpr int cells = 20;
    std::string text;
    for (int i = 0; i < cells; ++i) text += i < int(value * cells + 0.5) ? "█" : "·";
    return text;
}

void print_standing(const Standing& at) {
    for (const PartMastery& part : at.parts)
        fmt::print("{:<16} {} {:>3.0f} %  {}\n", part.name, bar(part.value), 100 * part.value,
                   dim(fmt::format("{} of {} exercises, {} of {} concepts mastered", part.passed,
                                   part.lessons, part.mastered, part.concepts)));
    fmt::print("\n");
    for (size_t i = 0; i < at.levels.size(); ++i)
        fmt::print("{} Level {}  {}\n", at.levels[i] > 0 ? green("✓") : dim("·"), i + 1,
                   name_of_level(int(i) + 1));
    if (at.next.empty())
        fmt::print("\nEverything on the path is done.\n");
    else
        fmt::print("\n{}\n", bold("Next"));
    for (const NextStep& step : at.next)
        fmt::print("  {} {}\n     {}\n", step.what, dim(step.why), step.command);
}

}  // namespace

int command_levels(const Home& home, const LevelsOptions& options) {
    const std::vector<Lesson> lessons = load_lessons(home);
    const Bank bank = load_bank(home, lessons);
    Progress progress;
    int code = 0;
    if (options.level > 0 || options.due) {
        code = sit(home, bank, options, progress);
    } else {
        const Standing at = standing(lessons, bank, progress, std::time(nullptr));
        if (options.json) fmt::print("{}\n", json_of(at)["levels"].dump(1));
        for (int level = 1; !options.json && level <= quiz_levels; ++level)
            fmt::print("{} {}  {:<30} {}\n", at.levels[size_t(level) - 1] > 0 ? green("✓") : dim("·"), level,
                       name_of_level(level), dim(fmt::format("{} questions", bank.of_level(level).size())));
        if (!options.json)
            fmt::print("{} due now. `cudalab levels 1` asks level 1; `cudalab levels --due` what is due.\n",
                       at.due == 1 ? "1 question is" : fmt::format("{} questions are", at.due));
    }
    tell_notice(progress);
    return code;
}

int command_progress(const Home& home, const ProgressOptions& options) {
    const std::vector<Lesson> lessons = load_lessons(home);
    Progress progress;
    const Standing at = standing(lessons, load_bank(home, lessons), progress, std::time(nullptr));
    if (options.json)
        fmt::print("{}\n", json_of(at).dump(1));
    else
        print_standing(at);
    tell_notice(progress);
    return 0;
}

}  // namespace lab
