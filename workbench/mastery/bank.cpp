#include "workbench/mastery/bank.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "workbench/lessons/quiz.h"
#include "workbench/lessons/text.h"
#include "workbench/lessons/toml_reader.h"
#include "workbench/play/run_program.h"

namespace fs = std::filesystem;

namespace lab {
namespace {

const Lesson* find_lesson(const std::vector<Lesson>& lessons, const std::string& slug) {
    for (const Lesson& lesson : lessons)
        if (lesson.slug == slug) return &lesson;
    return nullptr;
}

// The tags; a complaint where they name no lesson or no concept of it.
BankQuestion read_tags(TomlReader& entry, const std::vector<Lesson>& lessons, int level) {
    BankQuestion question;
    question.level = level;
    question.lesson = entry.text("lesson", true);
    question.concepts = entry.texts("concepts", true);
    const Lesson* lesson = find_lesson(lessons, question.lesson);
    if (!lesson) {
        entry.complain(fmt::format("there is no lesson `{}`.", question.lesson));
        return question;
    }
    for (const std::string& name : question.concepts)
        if (std::find(lesson->concepts.begin(), lesson->concepts.end(), name) == lesson->concepts.end())
            entry.complain(fmt::format("`{}` is no concept of {}.", name, question.lesson));
    return question;
}

void read_file_of(Bank& bank, const fs::path& file, const std::vector<Lesson>& lessons) {
    const std::string name = file.filename().string();
    const int level = name[0] - '0';
    const TomlPlace place{"assets/quiz/" + name, 0, &bank.problems};
    toml::table table;
    if (level < 1 || level > quiz_levels) return;
    const auto text = read_file(file);
    if (!text || !parse_toml(place, *text, table)) return;
    TomlReader whole(place, table, "the bank");
    for (TomlReader& entry : whole.tables("question")) {
        BankQuestion question = read_tags(entry, lessons, level);
        question.quiz = read_quiz(entry);
        bank.questions.push_back(std::move(question));
    }
    for (TomlReader& entry : whole.tables("from_lesson")) {
        BankQuestion question = read_tags(entry, lessons, level);
        const std::string id = entry.text("quiz", true);
        entry.reject_unknown();
        const Lesson* lesson = find_lesson(lessons, question.lesson);
        const Quiz* found = nullptr;
        for (size_t i = 0; lesson && i < lesson->quizzes.size(); ++i)
            if (lesson->quizzes[i].id == id) found = &lesson->quizzes[i];
        if (!found) {
            entry.complain(fmt::format("{} has no question `{}`.", question.lesson, id));
            continue;
        }
        question.quiz = *found;
        question.quiz.id = question.lesson + "." + id;
        bank.questions.push_back(std::move(question));
    }
    whole.reject_unknown();
}

// A folder of its own for one program, gone afterwards.
class Scratch {
  public:
    Scratch() : folder_((fs::temp_directory_path() / "cudalab-quiz-XXXXXX").string()) {
        if (!mkdtemp(folder_.data())) throw std::runtime_error("no temporary folder can be made.");
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    fs::path file(const std::string& name) const { return fs::path(folder_) / name; }

  private:
    std::string folder_;
};

}  // namespace

std::vector<int> Bank::of_level(int level) const {
    std::vector<int> found;
    for (size_t i = 0; i < questions.size(); ++i)
        if (questions[i].level == level) found.push_back(int(i));
    return found;
}

Bank load_bank(const Home& home, const std::vector<Lesson>& lessons) {
    Bank bank;
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator it(home.content / "assets" / "quiz", failed), end; !failed && it != end;
         it.increment(failed))
        if (it->path().extension() == ".toml") files.push_back(it->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) read_file_of(bank, file, lessons);
    return bank;
}

const char* name_of_level(int level) {
    constexpr const char* names[] = {"Terms", "Parts and functions", "Judging when", "Choosing a schedule",
                                     "Predicting a measured result"};
    return names[std::clamp(level, 1, quiz_levels) - 1];
}

std::string measured(const Home& home, const Quiz& quiz) {
    const Scratch scratch;
    const fs::path file = scratch.file("question.cu");
    std::ofstream(file) << quiz.verify;
    ProgramRequest request;
    request.files = {file.string()};
    request.streams = Streams::captured;
    const Run run = run_program(home, request).run;
    if (run.status != Status::ok && run.status != Status::findings)
        throw std::runtime_error(fmt::format("the machine could not run it: {}", run.headline));
    if (quiz.verify_metric.empty()) return std::string(trimmed(run.output));
    double sum = 0;
    for (const Kernel& kernel : run.kernels)
        if (const auto metric = kernel.metrics.find(quiz.verify_metric); metric != kernel.metrics.end())
            sum += metric->second;
    return fmt::format("{:g}", sum);
}

}  // namespace lab
