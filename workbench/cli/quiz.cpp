// `cudalab quiz`: the questions, one after the other, each explained at once.
#include "workbench/lessons/quiz.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

using Json = nlohmann::ordered_json;

int columns() {
    return std::min(terminal_columns(), 90);
}

const Quiz* find_quiz(const Lesson& lesson, const std::string& id) {
    for (const Quiz& quiz : lesson.quizzes)
        if (quiz.id == id) return &quiz;
    return nullptr;
}

bool was_right(const LessonProgress& progress, const Quiz& quiz) {
    const auto found = progress.answers.find(quiz.id);
    return found != progress.answers.end() && found->second;
}

std::string option_line(char letter, const std::string& text) {
    std::string lines = wrapped(text, columns() - 6, "      ");
    if (lines.size() > 6) lines.replace(0, 6, fmt::format("   {}  ", letter));
    return lines;
}

void print_options(const Quiz& quiz) {
    const std::vector<int> order = shown_order(quiz);
    if (quiz.kind == QuizKind::match) {
        for (size_t i = 0; i < quiz.options.size(); ++i)
            fmt::print("   {}. {}\n", i + 1, quiz.options[i].text);
        fmt::print("\n");
    }
    for (size_t i = 0; i < order.size(); ++i) {
        const QuizOption& option = quiz.options[size_t(order[i])];
        fmt::print("{}",
                   option_line(char('a' + i), quiz.kind == QuizKind::match ? option.match : option.text));
    }
}

void print_question(const Quiz& quiz) {
    fmt::print("{}", wrapped(trimmed(quiz.question), columns()));
    print_options(quiz);
}

const char* prompt_of(QuizKind kind) {
    switch (kind) {
        case QuizKind::one:
            return "Your answer (a letter)";
        case QuizKind::several:
            return "Your answer (letters, for example a,c)";
        case QuizKind::number:
            return "Your answer (a number)";
        case QuizKind::output:
            return "What does it print (end with an empty line)";
        case QuizKind::order:
            return "The right order (letters, for example b,a,c)";
        case QuizKind::match:
            return "The letters that belong to 1, 2, 3, ... in turn";
    }
    return "";
}

// Where a question has options, each with why it is right or wrong.
void print_every_option(const Quiz& quiz) {
    if (quiz.kind != QuizKind::one && quiz.kind != QuizKind::several) return;
    for (size_t i = 0; i < quiz.options.size(); ++i) {
        const QuizOption& option = quiz.options[i];
        const std::string mark = option.right ? green("✓") : red("✗");
        fmt::print(" {} {}  {}", mark, char('a' + i),
                   wrapped(trimmed(option.explanation), columns() - 6, "      ").substr(6));
    }
}

// False at the end of the input.
bool read_answer(const Quiz& quiz, std::string& typed) {
    fmt::print("{} > ", bold(prompt_of(quiz.kind)));
    std::fflush(stdout);
    typed.clear();
    std::string line;
    bool any = false;
    while (std::getline(std::cin, line)) {
        any = true;
        if (quiz.kind != QuizKind::output) {
            typed = line;
            return true;
        }
        if (line.empty()) return true;
        typed += line + "\n";
    }
    return any;
}

enum class Asked { right, wrong, stopped };

Asked ask(const Lesson& lesson, const Quiz& quiz, Progress& progress) {
    print_question(quiz);
    while (true) {
        std::string typed;
        if (!read_answer(quiz, typed)) return Asked::stopped;
        const std::string word(trimmed(typed));
        if (word == "q" && quiz.options.size() < 17) return Asked::stopped;
        if (word.empty() || word == "s") return Asked::wrong;
        const Judgement judgement = judge(quiz, parse_answer(quiz, typed, shown_order(quiz)));
        if (!judgement.understood) {
            fmt::print("{}\n", judgement.explanation);
            continue;
        }
        progress.record_answer(lesson, quiz.id, word, judgement.right);
        fmt::print("\n{}\n", judgement.right ? green(bold("Right.")) : red(bold("Not so.")));
        const bool choices = quiz.kind == QuizKind::one || quiz.kind == QuizKind::several;
        if (choices && judgement.right) {
            print_every_option(quiz);
            if (!quiz.explanation.empty()) fmt::print("{}", wrapped(trimmed(quiz.explanation), columns()));
        } else {
            fmt::print("{}", wrapped(judgement.explanation, columns()));
        }
        if (judgement.right) return Asked::right;
        fmt::print("{}\n", dim("Try again, or leave the line empty to go on."));
    }
}

int ask_all(const Lesson& lesson, const QuizOptions& options, Progress& progress) {
    const LessonProgress before = progress.of(lesson);
    std::vector<const Quiz*> open;
    for (const Quiz& quiz : lesson.quizzes)
        if (options.again || !was_right(before, quiz)) open.push_back(&quiz);
    if (open.empty()) {
        fmt::print(
            "Every question of lesson {} is answered right. `cudalab quiz {} --again` asks them again.\n",
            lesson.slug, two_digits(lesson.number));
        return 0;
    }
    fmt::print("{}\n", dim("Leave a line empty to go to the next question; q stops."));
    for (size_t i = 0; i < open.size(); ++i) {
        fmt::print("\n{}\n", bold(fmt::format("Question {} of {}", i + 1, open.size())));
        if (ask(lesson, *open[i], progress) == Asked::stopped) break;
    }
    const LessonProgress after = progress.of(lesson);
    const Ticks ticks = ticks_of(lesson, after);
    fmt::print("\n{} of {} questions are answered right.", ticks.quizzes_right, ticks.quizzes_all);
    if (ticks.complete()) {
        fmt::print(" Lesson {} is complete.\n", lesson.slug);
    } else if (ticks.quizzes) {
        fmt::print(" Next: `cudalab watch {}`.\n", two_digits(lesson.number));
    } else {
        fmt::print(" `cudalab quiz {}` asks the others again.\n", two_digits(lesson.number));
    }
    return ticks.quizzes ? 0 : 1;
}

Json json_of(const Quiz& quiz, const LessonProgress& progress) {
    Json options = Json::array();
    const std::vector<int> order = shown_order(quiz);
    for (size_t i = 0; i < order.size(); ++i) {
        const QuizOption& option = quiz.options[size_t(order[i])];
        options.push_back({{"letter", std::string(1, char('a' + i))},
                           {"text", quiz.kind == QuizKind::match ? option.match : option.text}});
    }
    Json json{
        {"id", quiz.id}, {"kind", name_of(quiz.kind)}, {"level", quiz.level}, {"question", quiz.question}};
    if (!options.empty()) json["options"] = options;
    if (quiz.kind == QuizKind::match) {
        Json left = Json::array();
        for (const QuizOption& option : quiz.options) left.push_back(option.text);
        json["left"] = left;
    }
    json["right"] = was_right(progress, quiz);
    return json;
}

void print_json(const Json& json) {
    fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
}

int list_questions(const Lesson& lesson, const QuizOptions& options, Progress& progress) {
    const LessonProgress done = progress.of(lesson);
    const Ticks ticks = ticks_of(lesson, done);
    if (options.json) {
        Json list = Json::array();
        for (const Quiz& quiz : lesson.quizzes) list.push_back(json_of(quiz, done));
        print_json({{"slug", lesson.slug}, {"quizzes", list}, {"quizzes_right", ticks.quizzes_right}});
        return 0;
    }
    for (const Quiz& quiz : lesson.quizzes) {
        fmt::print("{} {}  {}\n", was_right(done, quiz) ? green("✓") : dim("·"), bold(quiz.id),
                   dim(name_of(quiz.kind)));
        print_question(quiz);
        fmt::print("\n");
    }
    fmt::print("{} of {} are answered right. Answer with `cudalab quiz {} --answer ID=ANSWER`.\n",
               ticks.quizzes_right, ticks.quizzes_all, two_digits(lesson.number));
    return 0;
}

int answer_given(const Lesson& lesson, const QuizOptions& options, Progress& progress) {
    Json list = Json::array();
    bool all_right = true;
    for (const std::string& pair : options.answers) {
        const size_t equals = pair.find('=');
        const std::string id = pair.substr(0, equals);
        const Quiz* quiz = equals == std::string::npos ? nullptr : find_quiz(lesson, id);
        if (!quiz) {
            std::vector<std::string> ids;
            for (const Quiz& known : lesson.quizzes) ids.push_back(known.id);
            const std::string near = nearest(id, ids);
            return complain(
                options.json,
                equals == std::string::npos
                    ? fmt::format("`{}` is no answer; write --answer ID=ANSWER.", pair)
                    : fmt::format("lesson {} has no question `{}`.{} `cudalab quiz {} --list` shows them.",
                                  lesson.slug, id,
                                  near.empty() ? "" : fmt::format(" Did you mean `{}`?", near),
                                  two_digits(lesson.number)));
        }
        const std::string typed = pair.substr(equals + 1);
        const Judgement judgement = judge(*quiz, parse_answer(*quiz, typed, shown_order(*quiz)));
        if (!judgement.understood)
            return complain(options.json, fmt::format("`{}`: {}", id, judgement.explanation));
        progress.record_answer(lesson, id, typed, judgement.right);
        all_right &= judgement.right;
        list.push_back({{"id", id},
                        {"answer", typed},
                        {"right", judgement.right},
                        {"explanation", judgement.explanation}});
        if (!options.json)
            fmt::print("{}: {}\n{}", bold(id), judgement.right ? green("right.") : red("not so."),
                       wrapped(judgement.explanation, columns(), "  "));
    }
    if (options.json) {
        const Ticks ticks = ticks_of(lesson, progress.of(lesson));
        print_json({{"slug", lesson.slug},
                    {"answers", list},
                    {"quizzes_right", ticks.quizzes_right},
                    {"quizzes", ticks.quizzes_all},
                    {"complete", ticks.complete()}});
    }
    return all_right ? 0 : 1;
}

}  // namespace

int command_quiz(const Home& home, const QuizOptions& options) {
    const Lesson lesson = load_lesson(home, options.slug);
    if (lesson.quizzes.empty())
        return complain(options.json, fmt::format("lesson {} has no questions.", lesson.slug), 1);
    Progress progress;
    int code = 0;
    if (!options.answers.empty()) {
        code = answer_given(lesson, options, progress);
    } else if (options.list || options.json || !isatty(0)) {
        code = list_questions(lesson, options, progress);
    } else {
        code = ask_all(lesson, options, progress);
    }
    tell_notice(progress);
    return code;
}

}  // namespace lab
