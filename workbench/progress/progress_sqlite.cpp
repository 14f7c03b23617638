// Progress in an SQLite file; where there is no SQLite to build with, progress_json.cpp takes its place.
#include "workbench/progress/progress.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace fs = std::filesystem;

namespace lab {

namespace {

using Values = std::vector<std::string>;
using Row = std::vector<std::string>;

constexpr int schema_version = 1;
constexpr int busy_milliseconds = 10000;

// One row a lesson and version; `answers` keeps the last answer to a question and whether any was right.
constexpr const char* schema = R"(
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS lessons(
  slug TEXT NOT NULL, version INTEGER NOT NULL, hints INTEGER NOT NULL DEFAULT 0,
  solution_opened INTEGER NOT NULL DEFAULT 0, place REAL NOT NULL DEFAULT 0, PRIMARY KEY(slug, version)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts(
  id INTEGER PRIMARY KEY, slug TEXT NOT NULL, version INTEGER NOT NULL, time INTEGER NOT NULL, passed INTEGER NOT NULL,
  status TEXT NOT NULL, kinds TEXT NOT NULL, source_hash TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS attempts_of ON attempts(slug, version, id);
CREATE TABLE IF NOT EXISTS answers(
  slug TEXT NOT NULL, version INTEGER NOT NULL, quiz TEXT NOT NULL, time INTEGER NOT NULL, answer TEXT NOT NULL,
  was_right INTEGER NOT NULL, PRIMARY KEY(slug, version, quiz)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
COMMIT;
)";

bool is_damage(int code) {
    return (code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB;
}

std::string now() {
    return std::to_string(std::time(nullptr));
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> split_words(const std::string& text) {
    std::vector<std::string> words;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

// Held while a damaged file is moved, so that two programs that both find it damaged move it once.
class FolderLock {
  public:
    explicit FolderLock(const fs::path& folder)
        : descriptor_(::open((folder / "progress.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
    }
    ~FolderLock() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int descriptor_;
};

}  // namespace

struct Progress::Store {
    const fs::path& file_;
    std::string& notice_;
    sqlite3* db_ = nullptr;

    Store(const fs::path& file, std::string& notice) : file_(file), notice_(notice) { open(); }
    ~Store() { sqlite3_close(db_); }
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    void open();
    int prepare_schema();
    void set_aside();
    void use_memory(const std::string& why);
    int query(const char* sql, const Values& values, std::vector<Row>* rows);
    bool write(const Lesson* lesson, const char* sql, const Values& values);
    std::vector<Row> read(const char* sql, const Values& values);
};

Progress::Progress(const fs::path& folder)
    : file_(folder / "progress.sqlite3"), store_(std::make_unique<Store>(file_, notice_)) {}

Progress::~Progress() = default;

int Progress::Store::query(const char* sql, const Values& values, std::vector<Row>* rows) {
    sqlite3_stmt* statement = nullptr;
    int code = sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr);
    if (code != SQLITE_OK) return code;
    for (size_t i = 0; i < values.size(); ++i)
        sqlite3_bind_text(statement, int(i) + 1, values[i].data(), int(values[i].size()), SQLITE_TRANSIENT);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        Row row;
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
            row.emplace_back(text ? text : "", text ? size_t(sqlite3_column_bytes(statement, i)) : 0);
        }
        if (rows) rows->push_back(std::move(row));
    }
    const int finished = sqlite3_finalize(statement);
    return code == SQLITE_DONE ? SQLITE_OK : finished;
}

// SQLITE_OK, or what went wrong. SQLITE_MISMATCH: a newer program wrote the file.
int Progress::Store::prepare_schema() {
    sqlite3_busy_timeout(db_, busy_milliseconds);
    std::vector<Row> rows;
    int code = query("PRAGMA user_version", {}, &rows);
    if (code != SQLITE_OK) return code;
    const int version = rows.empty() ? 0 : std::atoi(rows[0][0].c_str());
    if (version > schema_version) return SQLITE_MISMATCH;
    if (version > 0) {
        rows.clear();
        code = query("PRAGMA quick_check(1)", {}, &rows);
        if (code != SQLITE_OK) return code;
        if (rows.empty() || rows[0][0] != "ok") return SQLITE_CORRUPT;
        return SQLITE_OK;
    }
    // Readers never wait for a writer, and a killed writer leaves nothing half done. Where the folder can't
    // do it (a network folder), SQLite keeps its rollback journal, which is as safe and slower.
    query("PRAGMA journal_mode = WAL", {}, nullptr);
    code = sqlite3_exec(db_, schema, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    return code;
}

void Progress::Store::open() {
    std::error_code failed;
    fs::create_directories(file_.parent_path(), failed);
    for (int round = 0; round < 2; ++round) {
        int code = sqlite3_open_v2(file_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
        if (code == SQLITE_OK) code = prepare_schema();
        if (code == SQLITE_OK) return;
        if (is_damage(code) && round == 0) {
            set_aside();
            continue;
        }
        const std::string why = code == SQLITE_MISMATCH ? "a newer cudalab wrote it" : sqlite3_errmsg(db_);
        return use_memory(why);
    }
}

void Progress::Store::use_memory(const std::string& why) {
    sqlite3_close(db_);
    db_ = nullptr;
    notice_ += fmt::format("Progress is not kept: {} can't be used ({}). `cudalab doctor` says more.",
                           file_.string(), why);
    if (sqlite3_open(":memory:", &db_) == SQLITE_OK) sqlite3_exec(db_, schema, nullptr, nullptr, nullptr);
}

void Progress::Store::set_aside() {
    sqlite3_close(db_);
    db_ = nullptr;
    const FolderLock lock(file_.parent_path());
    // Somebody else may have moved it while this process waited.
    sqlite3* again = nullptr;
    int code = sqlite3_open_v2(file_.c_str(), &again, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    std::swap(db_, again);
    if (code == SQLITE_OK) code = prepare_schema();
    sqlite3_close(db_);
    db_ = nullptr;
    if (!is_damage(code)) return;
    std::string aside = fmt::format("{}.damaged-{}", file_.string(), now());
    std::error_code none;
    for (int i = 2; fs::exists(aside, none); ++i)
        aside = fmt::format("{}.damaged-{}-{}", file_.string(), now(), i);
    std::error_code failed;
    for (const char* tail : {"-wal", "-shm"}) fs::rename(file_.string() + tail, aside + tail, none);
    fs::rename(file_, aside, failed);
    if (failed) return;
    notice_ += fmt::format(
        "The progress file was damaged. It was kept as {}, and a new one was begun: lessons and quizzes "
        "count as not done until you pass them again.",
        aside);
}

bool Progress::Store::write(const Lesson* lesson, const char* sql, const Values& values) {
    if (!db_) return false;
    for (int round = 0; round < 2; ++round) {
        int code = query("BEGIN IMMEDIATE", {}, nullptr);
        if (code == SQLITE_OK && lesson)
            code = query("INSERT OR IGNORE INTO lessons(slug, version) VALUES(?, ?)",
                         {lesson->slug, std::to_string(lesson->version)}, nullptr);
        if (code == SQLITE_OK) code = query(sql, values, nullptr);
        if (code == SQLITE_OK) code = query("COMMIT", {}, nullptr);
        if (code == SQLITE_OK) return true;
        const std::string why = sqlite3_errmsg(db_);
        query("ROLLBACK", {}, nullptr);
        if (!is_damage(code) || round == 1) {
            notice_ = fmt::format("This was not noted in {}: {}.", file_.string(), why);
            return false;
        }
        set_aside();
        open();
    }
    return false;
}

std::vector<Row> Progress::Store::read(const char* sql, const Values& values) {
    std::vector<Row> rows;
    if (!db_) return rows;
    const int code = query(sql, values, &rows);
    if (code == SQLITE_OK) return rows;
    rows.clear();
    if (!is_damage(code)) {
        notice_ = fmt::format("{} can't be read: {}.", file_.string(), sqlite3_errmsg(db_));
        return rows;
    }
    set_aside();
    open();
    return rows;
}

LessonProgress Progress::of(const Lesson& lesson) {
    const Values key = {lesson.slug, std::to_string(lesson.version)};
    LessonProgress progress;
    for (const Row& row :
         store_->read("SELECT hints, solution_opened, place FROM lessons WHERE slug=? AND version=?", key)) {
        progress.hints = std::atoi(row[0].c_str());
        progress.solution_opened = row[1] != "0";
        progress.place = std::atof(row[2].c_str());
    }
    for (const Row& row :
         store_->read("SELECT count(*), coalesce(min(CASE WHEN passed THEN time END), 0) FROM attempts "
                      "WHERE slug=? AND version=?",
                      key)) {
        progress.attempts = std::atoi(row[0].c_str());
        progress.passed_at = std::atoll(row[1].c_str());
        progress.passed = progress.passed_at != 0;
    }
    progress.further =
        !store_->read("SELECT 1 FROM state WHERE key = 'further/' || ? || '/' || ?", key).empty();
    for (const Row& row : store_->read("SELECT quiz, was_right FROM answers WHERE slug=? AND version=?", key))
        progress.answers[row[0]] = row[1] != "0";
    return progress;
}

std::vector<Attempt> Progress::attempts(const Lesson& lesson, int limit) {
    std::vector<Attempt> found;
    for (const Row& row : store_->read(
             "SELECT time, passed, status, kinds, source_hash FROM attempts WHERE slug=? AND version=? "
             "ORDER BY id DESC LIMIT ?",
             {lesson.slug, std::to_string(lesson.version), std::to_string(limit)})) {
        found.push_back({std::atoll(row[0].c_str()), row[1] != "0", row[2], split_words(row[3]), row[4]});
    }
    return found;
}

bool Progress::record_attempt(const Lesson& lesson, const Attempt& attempt) {
    return store_->write(
        &lesson,
        "INSERT INTO attempts(slug, version, time, passed, status, kinds, source_hash) VALUES(?,?,?,?,?,?,?)",
        {lesson.slug, std::to_string(lesson.version), attempt.time ? std::to_string(attempt.time) : now(),
         attempt.passed ? "1" : "0", attempt.status, joined(attempt.kinds), attempt.source_hash});
}

bool Progress::record_answer(const Lesson& lesson, const std::string& quiz, const std::string& answer,
                             bool right) {
    return store_->write(
        &lesson,
        "INSERT INTO answers(slug, version, quiz, time, answer, was_right) VALUES(?,?,?,?,?,?) "
        "ON CONFLICT(slug, version, quiz) DO UPDATE SET time=excluded.time, answer=excluded.answer, "
        "was_right=max(was_right, excluded.was_right)",
        {lesson.slug, std::to_string(lesson.version), quiz, now(), answer, right ? "1" : "0"});
}

bool Progress::record_hint(const Lesson& lesson, int step) {
    return store_->write(&lesson,
                         "UPDATE lessons SET hints=max(hints, CAST(? AS INTEGER)) WHERE slug=? AND version=?",
                         {std::to_string(step), lesson.slug, std::to_string(lesson.version)});
}

bool Progress::record_solution_opened(const Lesson& lesson) {
    return store_->write(&lesson, "UPDATE lessons SET solution_opened=1 WHERE slug=? AND version=?",
                         {lesson.slug, std::to_string(lesson.version)});
}

bool Progress::record_place(const Lesson& lesson, double place) {
    return store_->write(&lesson, "UPDATE lessons SET place=CAST(? AS REAL) WHERE slug=? AND version=?",
                         {fmt::format("{}", place), lesson.slug, std::to_string(lesson.version)});
}

// `state` holds it, which every progress file has: a column of its own would shut out older programs.
bool Progress::record_further(const Lesson& lesson) {
    return store_->write(&lesson,
                         "INSERT OR IGNORE INTO state(key, value) VALUES('further/' || ? || '/' || ?, ?)",
                         {lesson.slug, std::to_string(lesson.version), now()});
}

bool Progress::record_current(const Lesson& lesson) {
    return keep("current", lesson.slug);
}

std::string Progress::current() {
    return kept("current");
}

bool Progress::keep(const std::string& key, const std::string& value) {
    return store_->write(
        nullptr,
        "INSERT INTO state(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value",
        {key, value});
}

std::string Progress::kept(const std::string& key) {
    const auto rows = store_->read("SELECT value FROM state WHERE key=?", {key});
    return rows.empty() ? std::string() : rows[0][0];
}

}  // namespace lab
