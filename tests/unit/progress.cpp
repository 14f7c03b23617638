// Progress survives what happens to files and processes: in SQLite's file, and, compiled once more with
// PROGRESS_IN_JSON, in the JSON file of a build without SQLite.
#include "workbench/progress/progress.h"

#include <doctest/doctest.h>
#ifndef PROGRESS_IN_JSON
#include <sqlite3.h>
#endif
#include <sys/wait.h>

#include <csignal>
#include <set>

#include "tests/unit/scratch.h"

namespace lab {

namespace {

#ifdef PROGRESS_IN_JSON
constexpr const char* file_name = "progress.json";
#else
constexpr const char* file_name = "progress.sqlite3";
#endif

Lesson lesson_named(const std::string& slug, int quizzes = 2) {
    Lesson lesson;
    lesson.slug = slug;
    for (int i = 0; i < quizzes; ++i) {
        lesson.quizzes.emplace_back();
        lesson.quizzes.back().id = "q" + std::to_string(i);
    }
    return lesson;
}

Attempt attempt(bool passed) {
    return {0, passed, passed ? "ok" : "failed", {"oob-global", "never-written"}, "abc"};
}

int damaged_files(const Scratch& scratch) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.folder()))
        count +=
            entry.path().filename().string().find(std::string(file_name) + ".damaged-") != std::string::npos;
    return count;
}

}  // namespace

TEST_CASE("what was done is there again in the next process") {
    const Scratch scratch;
    const Lesson lesson = lesson_named("01_a");
    {
        Progress progress(scratch.folder());
        CHECK(progress.notice().empty());
        CHECK(progress.record_attempt(lesson, attempt(false)));
        CHECK(progress.record_attempt(lesson, attempt(true)));
        CHECK(progress.record_attempt(lesson, attempt(false)));
        CHECK(progress.record_answer(lesson, "q0", "a", true));
        CHECK(progress.record_hint(lesson, 2));
        CHECK(progress.record_hint(lesson, 1));
        CHECK(progress.record_place(lesson, 0.25));
        CHECK(progress.record_current(lesson));
    }
    Progress progress(scratch.folder());
    const LessonProgress done = progress.of(lesson);
    CHECK(done.passed);
    CHECK(done.passed_at > 1600000000);
    CHECK(done.attempts == 3);
    CHECK(done.hints == 2);
    CHECK(done.place == doctest::Approx(0.25));
    CHECK_FALSE(done.solution_opened);
    CHECK(progress.current() == "01_a");
    const auto attempts = progress.attempts(lesson);
    REQUIRE(attempts.size() == 3);
    CHECK(attempts[1].passed);
    CHECK(attempts[0].kinds == std::vector<std::string>{"oob-global", "never-written"});
    CHECK(progress.attempts(lesson, 1).size() == 1);
}

TEST_CASE(
    "a lesson is complete with its exercise and every question, and a later wrong answer takes nothing "
    "away") {
    const Scratch scratch;
    const Lesson lesson = lesson_named("01_a");
    Progress progress(scratch.folder());
    progress.record_attempt(lesson, attempt(true));
    progress.record_answer(lesson, "q0", "a", true);
    progress.record_answer(lesson, "q1", "b", false);
    CHECK_FALSE(ticks_of(lesson, progress.of(lesson)).complete());
    CHECK(ticks_of(lesson, progress.of(lesson)).quizzes_right == 1);
    progress.record_answer(lesson, "q1", "a", true);
    progress.record_answer(lesson, "q1", "b", false);
    CHECK(ticks_of(lesson, progress.of(lesson)).complete());
}

TEST_CASE("a new version of a lesson starts anew, and the old one is kept") {
    const Scratch scratch;
    Lesson lesson = lesson_named("01_a");
    Progress progress(scratch.folder());
    progress.record_attempt(lesson, attempt(true));
    CHECK(progress.record_further(lesson));
    CHECK(progress.record_further(lesson));
    CHECK(ticks_of(lesson, progress.of(lesson)).further);
    lesson.version = 2;
    CHECK_FALSE(progress.of(lesson).further);
    CHECK_FALSE(progress.of(lesson).passed);
    lesson.version = 1;
    CHECK(progress.of(lesson).passed);
}

TEST_CASE("a damaged file is kept under another name, with a sentence") {
    const Scratch scratch;
    scratch.write(file_name, std::string(5000, 'x'));
    const Lesson lesson = lesson_named("01_a");
    {
        Progress progress(scratch.folder());
        CHECK(progress.notice().find("was damaged. It was kept as") != std::string::npos);
        CHECK(progress.record_attempt(lesson, attempt(true)));
    }
    CHECK(damaged_files(scratch) == 1);
    Progress progress(scratch.folder());
    CHECK(progress.notice().empty());
    CHECK(progress.of(lesson).passed);
}

TEST_CASE("a file damaged in its middle is found out at once") {
    const Scratch scratch;
    const Lesson lesson = lesson_named("01_a");
    {
        Progress progress(scratch.folder());
        for (int i = 0; i < 200; ++i) progress.record_attempt(lesson, attempt(false));
    }
    const auto file = scratch / file_name;
    const auto size = std::filesystem::file_size(file);
    REQUIRE(size > 8192);
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(4096)
        .write(std::string(size - 4096, 'z').data(), std::streamsize(size - 4096));
    Progress progress(scratch.folder());
    CHECK(damaged_files(scratch) == 1);
    CHECK(progress.record_attempt(lesson, attempt(true)));
}

TEST_CASE("where nothing can be written, grading goes on and says that progress is not kept") {
    Progress progress("/proc/no/such/folder");
    CHECK(progress.notice().find("Progress is not kept") == 0);
    const Lesson lesson = lesson_named("01_a");
    CHECK(progress.record_attempt(lesson, attempt(true)));
    CHECK(progress.of(lesson).passed);
}

TEST_CASE("a file of a newer program is left as it is") {
    const Scratch scratch;
    { Progress progress(scratch.folder()); }
#ifdef PROGRESS_IN_JSON
    scratch.write(file_name, R"({"version": 99, "lessons": {}, "state": {}})");
#else
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open((scratch / file_name).c_str(), &db) == SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
    sqlite3_close(db);
#endif
    Progress progress(scratch.folder());
    CHECK(progress.notice().find("a newer cudalab wrote it") != std::string::npos);
    CHECK(damaged_files(scratch) == 0);
}

TEST_CASE("four processes write at once and none loses a thing") {
    const Scratch scratch;
    constexpr int writers = 4, each = 25;
    std::vector<pid_t> children;
    for (int writer = 0; writer < writers; ++writer) {
        const pid_t child = fork();
        if (child == 0) {
            Progress progress(scratch.folder());
            bool noted = true;
            for (int i = 0; i < each; ++i) {
                noted &= progress.record_attempt(lesson_named("01_a"), attempt(false));
                noted &= progress.record_answer(lesson_named("01_a"), "w" + std::to_string(writer), "a",
                                                i % 2 == 0);
            }
            _exit(noted && progress.notice().empty() ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    Progress progress(scratch.folder());
    CHECK(progress.of(lesson_named("01_a")).attempts == writers * each);
    CHECK(progress.of(lesson_named("01_a")).answers.size() == writers);
}

TEST_CASE("what was noted before kill -9 is there afterwards") {
    for (int round = 0; round < 8; ++round) {
        const Scratch scratch;
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        const pid_t child = fork();
        if (child == 0) {
            Progress progress(scratch.folder());
            for (int i = 0; i < 100000; ++i) {
                const bool noted = progress.record_attempt(lesson_named("01_a"), attempt(false));
                if (!noted || write(ends[1], "x", 1) != 1) break;
            }
            _exit(0);
        }
        close(ends[1]);
        char piece[64];
        ssize_t reported = 0;
        while (reported < 5 + round * 3) {
            const ssize_t count = read(ends[0], piece, 1);
            REQUIRE(count == 1);
            reported += count;
        }
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        for (ssize_t count = 0; (count = read(ends[0], piece, sizeof piece)) > 0;) reported += count;
        close(ends[0]);
        Progress progress(scratch.folder());
        CHECK(progress.notice().empty());
        const int kept = progress.of(lesson_named("01_a")).attempts;
        CHECK(kept >= reported);
        CHECK(kept <= reported + 1);
    }
}

TEST_CASE("what is measured once is kept by its key") {
    const Scratch scratch;
    {
        Progress progress(scratch.folder());
        CHECK(progress.kept("ceilings/card").empty());
        CHECK(progress.keep("ceilings/card", "copy 1\nproduct 2\n"));
        CHECK(progress.keep("ceilings/card", "copy 3\n"));
    }
    Progress progress(scratch.folder());
    CHECK(progress.kept("ceilings/card") == "copy 3\n");
    CHECK(progress.kept("current").empty());
}

TEST_CASE("the folders follow the XDG rules, and our own variables go first") {
    const auto set = [](const char* name, const char* value) {
        value ? setenv(name, value, 1) : unsetenv(name);
    };
    const char* names[] = {"CUDALAB_DATA", "XDG_DATA_HOME", "HOME"};
    std::vector<std::string> before;
    for (const char* name : names) before.push_back(std::getenv(name) ? std::getenv(name) : "");
    set("HOME", "/home/l");
    set("CUDALAB_DATA", nullptr);
    set("XDG_DATA_HOME", nullptr);
    CHECK(data_folder() == "/home/l/.local/share/cudalab");
    set("XDG_DATA_HOME", "relative");
    CHECK(data_folder() == "/home/l/.local/share/cudalab");
    set("XDG_DATA_HOME", "/x");
    CHECK(data_folder() == "/x/cudalab");
    set("CUDALAB_DATA", "/own");
    CHECK(data_folder() == "/own");
    for (size_t i = 0; i < before.size(); ++i) set(names[i], before[i].empty() ? nullptr : before[i].c_str());
}

}  // namespace lab
