// Progress in a JSON file, for a build without SQLite. Every call reads the file and, where it changes something, writes
// a new one beside it and renames it, all under a lock: a kill -9 leaves the old file or the new one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "workbench/lessons/text.h"
#include "workbench/progress/progress.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

using json = nlohmann::json;

constexpr int schema_version = 1;
constexpr size_t most_attempts = 1000;  // of a lesson, the newest

std::string key_of(const Lesson& lesson) {
    return fmt::format("{}/{}", lesson.slug, lesson.version);
}

json empty_book() {
    return {{"version", schema_version}, {"lessons", json::object()}, {"state", json::object()}};
}

template <class T>
T value(const json& record, const char* key, const T& otherwise) {
    try {
        return record.is_object() ? record.value(key, otherwise) : otherwise;
    } catch (const json::exception&) {  // of another type
        return otherwise;
    }
}

class Lock {
  public:
    explicit Lock(const fs::path& file)
        : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
    }
    ~Lock() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    int descriptor_;
};

}  // namespace

struct Progress::Store {
    const fs::path& file;
    std::string& notice;
    json memory;  // what stands in for the file where it can't be used
    bool in_memory = false;

    Store(const fs::path& path, std::string& words) : file(path), notice(words) {
        std::error_code failed;
        fs::create_directories(file.parent_path(), failed);
        change([](json&) {});
    }

    fs::path lock_file() const { return file.parent_path() / "progress.lock"; }

    void use_memory(const std::string& why) {
        in_memory = true;
        memory = empty_book();
        notice += fmt::format("Progress is not kept: {} can't be used ({}). `cudalab doctor` says more.",
                              file.string(), why);
    }

    void set_aside() {
        std::string aside = fmt::format("{}.damaged-{}", file.string(), std::time(nullptr));
        std::error_code none;
        for (int i = 2; fs::exists(aside, none); ++i)
            aside = fmt::format("{}.damaged-{}-{}", file.string(), std::time(nullptr), i);
        fs::rename(file, aside, none);
        notice += fmt::format(
            "The progress file was damaged. It was kept as {}, and a new one was begun: lessons and quizzes "
            "count as not done until you pass them again.",
            aside);
    }

    // Under the lock. An empty book where there is no file, or no whole one.
    json load() {
        std::error_code none;
        if (!fs::exists(file, none)) return empty_book();
        const auto text = read_file(file);
        if (!text) {
            use_memory(std::strerror(errno));
            return memory;
        }
        json book = json::parse(*text, nullptr, false);
        if (!book.is_object() || !value(book, "lessons", json()).is_object() ||
            !value(book, "state", json()).is_object()) {
            set_aside();
            return empty_book();
        }
        if (value(book, "version", 0) > schema_version) {
            use_memory("a newer cudalab wrote it");
            return memory;
        }
        return book;
    }

    json read() {
        if (in_memory) return memory;
        const Lock lock(lock_file());
        return load();
    }

    bool change(const std::function<void(json&)>& edit) {
        if (!in_memory) {
            const Lock lock(lock_file());
            json book = load();
            if (!in_memory) {
                const json before = book;
                edit(book);
                std::error_code none;
                if (book == before && fs::exists(file, none)) return true;
                try {
                    write_file(file, book.dump(1));
                    return true;
                } catch (const std::runtime_error& error) {
                    use_memory(error.what());
                }
            }
        }
        edit(memory);
        return true;  // notice() has said that it does not last
    }

    bool change_lesson(const Lesson& lesson, const std::function<void(json&)>& edit) {
        return change([&](json& book) {
            json& entry = book["lessons"][key_of(lesson)];
            if (!entry.is_object()) entry = json::object();
            edit(entry);
        });
    }

    json lesson(const Lesson& lesson) {
        return value(read()["lessons"], key_of(lesson).c_str(), json::object());
    }
};

Progress::Progress(const fs::path& folder)
    : file_(folder / "progress.json"), store_(std::make_unique<Store>(file_, notice_)) {}

Progress::~Progress() = default;

namespace {

Attempt attempt_from(const json& record) {
    return {value(record, "time", int64_t{0}), value(record, "passed", false),
            value(record, "status", std::string()), value(record, "kinds", std::vector<std::string>{}),
            value(record, "source_hash", std::string())};
}

}  // namespace

LessonProgress Progress::of(const Lesson& lesson) {
    const json entry = store_->lesson(lesson);
    LessonProgress progress;
    progress.hints = value(entry, "hints", 0);
    progress.solution_opened = value(entry, "solution_opened", false);
    progress.place = value(entry, "place", 0.0);
    progress.attempts = value(entry, "attempts_made", 0);
    progress.passed_at = value(entry, "passed_at", int64_t{0});
    progress.passed = progress.passed_at != 0;
    progress.further = !kept("further/" + key_of(lesson)).empty();
    const json answers = value(entry, "answers", json::object());
    for (const auto& [quiz, answer] : answers.items())
        progress.answers[quiz] = value(answer, "was_right", false);
    return progress;
}

std::vector<Attempt> Progress::attempts(const Lesson& lesson, int limit) {
    std::vector<Attempt> found;
    for (const json& record : value(store_->lesson(lesson), "attempts", json::array()))
        found.push_back(attempt_from(record));
    std::reverse(found.begin(), found.end());
    found.resize(std::min(found.size(), static_cast<size_t>(std::max(0, limit))));
    return found;
}

bool Progress::record_attempt(const Lesson& lesson, const Attempt& attempt) {
    const int64_t time = attempt.time ? attempt.time : std::time(nullptr);
    return store_->change_lesson(lesson, [&](json& entry) {
        json& list = entry["attempts"];
        if (!list.is_array()) list = json::array();
        if (list.size() >= most_attempts) list.erase(0);
        list.push_back({{"time", time},
                        {"passed", attempt.passed},
                        {"status", attempt.status},
                        {"kinds", attempt.kinds},
                        {"source_hash", attempt.source_hash}});
        entry["attempts_made"] = value(entry, "attempts_made", 0) + 1;
        const auto before = value(entry, "passed_at", int64_t{0});
        if (attempt.passed && (before == 0 || time < before)) entry["passed_at"] = time;
    });
}

bool Progress::record_answer(const Lesson& lesson, const std::string& quiz, const std::string& answer,
                             bool right) {
    return store_->change_lesson(lesson, [&](json& entry) {
        json& answers = entry["answers"];
        if (!answers.is_object()) answers = json::object();
        const bool before = value(value(answers, quiz.c_str(), json::object()), "was_right", false);
        answers[quiz] = {{"time", std::time(nullptr)}, {"answer", answer}, {"was_right", before || right}};
    });
}

bool Progress::record_hint(const Lesson& lesson, int step) {
    return store_->change_lesson(
        lesson, [&](json& entry) { entry["hints"] = std::max(step, value(entry, "hints", 0)); });
}

bool Progress::record_solution_opened(const Lesson& lesson) {
    return store_->change_lesson(lesson, [](json& entry) { entry["solution_opened"] = true; });
}

bool Progress::record_place(const Lesson& lesson, double place) {
    return store_->change_lesson(lesson, [&](json& entry) { entry["place"] = place; });
}

bool Progress::record_further(const Lesson& lesson) {
    return keep("further/" + key_of(lesson), std::to_string(std::time(nullptr)));
}

bool Progress::record_current(const Lesson& lesson) {
    return keep("current", lesson.slug);
}

std::string Progress::current() {
    return kept("current");
}

bool Progress::keep(const std::string& key, const std::string& text) {
    return store_->change([&](json& book) { book["state"][key] = text; });
}

std::string Progress::kept(const std::string& key) {
    return value(store_->read()["state"], key.c_str(), std::string());
}

}  // namespace lab
