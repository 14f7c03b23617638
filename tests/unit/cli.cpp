// The command line as a learner, an editor and a script meet it. CUDALAB_PROGRAM names the program.
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/unit/scratch.h"
#include "workbench/lessons/text.h"

namespace fs = std::filesystem;

namespace lab {

namespace {

using Json = nlohmann::json;

struct Result {
    int code = -1;
    std::string out, err;
};

// A workbook of its own: the project's lessons, exercises as they are handed out, no progress.
class Workbook {
  public:
    Workbook() {
        const fs::path source = std::getenv("CUDALAB_SOURCE");
        for (const char* name : {"lessons", "solutions", "simt"})
            fs::create_directory_symlink(source / name, scratch_ / name);
        fs::create_directory(scratch_ / "exercises");
        fs::copy_file(source / "exercises/compile_flags.txt", scratch_ / "exercises/compile_flags.txt");
        REQUIRE(run("reset 01").code == 0);
    }

    std::string command(const std::string& words) const {
        return "env -u NO_COLOR -u DISPLAY -u WAYLAND_DISPLAY CUDALAB_COLOR=never CUDALAB_HOME='" +
               scratch_.folder().string() + "' CUDALAB_DATA='" + (scratch_ / "data").string() + "' '" +
               std::getenv("CUDALAB_PROGRAM") + "' " + words;
    }
    Result run(const std::string& words, const std::string& input = "/dev/null") const {
        const std::string out = (scratch_ / "out").string(), err = (scratch_ / "err").string();
        const int status =
            std::system(("timeout 60 " + command(words) + " >" + out + " 2>" + err + " <" + input).c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out).value_or(""),
                read_file(err).value_or("")};
    }
    Json json(const std::string& words) const { return Json::parse(run(words).out); }
    fs::path operator/(const std::string& name) const { return scratch_ / name; }
    const Scratch& scratch() const { return scratch_; }
    fs::path exercise() const { return scratch_ / "exercises/01_hello_threads.cu"; }
    std::string solution() const { return read_file(scratch_ / "solutions/01_hello_threads.cu").value(); }

  private:
    Scratch scratch_;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::vector<fs::path> backups(const Workbook& book) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(book / "exercises"))
        if (has(entry.path().filename().string(), ".cu.bak-")) found.push_back(entry.path());
    return found;
}

// One `cudalab watch --json`, line by line.
class Watching {
  public:
    Watching(const Workbook& book, const std::string& words) {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        child_ = fork();
        if (child_ == 0) {
            dup2(ends[1], 1);
            close(ends[0]);
            execl("/bin/sh", "sh", "-c", ("exec " + book.command(words)).c_str(), nullptr);
            _exit(127);
        }
        close(ends[1]);
        pipe_ = ends[0];
    }
    ~Watching() {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
        close(pipe_);
    }

    Json next_run() {
        while (text_.find('\n') == std::string::npos) {
            pollfd wait{pipe_, POLLIN, 0};
            char piece[65536];
            if (poll(&wait, 1, 30000) != 1) return Json{{"error", "nothing came for 30 s"}};
            const ssize_t count = read(pipe_, piece, sizeof piece);
            if (count <= 0) return Json{{"error", "the watch has ended"}};
            text_.append(piece, size_t(count));
        }
        const size_t end = text_.find('\n');
        const Json run = Json::parse(text_.substr(0, end), nullptr, false);
        text_.erase(0, end + 1);
        return run;
    }
    int end_by(int signal) {
        kill(child_, signal);
        int status = 0;
        waitpid(child_, &status, 0);
        child_ = fork();  // so that the destructor has a child of ours to end
        if (child_ == 0) _exit(0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

  private:
    pid_t child_ = -1;
    int pipe_ = -1;
    std::string text_;
};

}  // namespace

TEST_CASE("every command has help with examples and says its exit codes") {
    const Workbook book;
    const std::string list = book.run("--help").out;
    for (const char* name : {"lessons", "grade", "watch", "hint", "reset", "solution", "quiz", "run",
                             "doctor", "init", "tour", "try", "data"}) {
        CHECK_MESSAGE(has(list, name), name);
        const Result help = book.run(std::string(name) + " --help");
        CHECK(help.code == 0);
        CHECK_MESSAGE((has(help.out, "Examples:") && has(help.out, std::string("cudalab ") + name)), name);
        CHECK(has(help.out, "Exit code: 0"));
        CHECK(has(help.out, "--json"));
    }
    CHECK_FALSE(has(list, "ctest-"));
    CHECK(has(book.run("--version").out, "cudalab "));
}

TEST_CASE("a slip of the keyboard gets a suggestion and exit code 2") {
    const Workbook book;
    const std::pair<const char*, const char*> slips[] = {
        {"graed 01", "Did you mean `grade`?"},
        {"lesons", "Did you mean `lessons`?"},
        {"grade --jsno", "Did you mean `--json`?"},
        {"solution 01 --giveup", "Did you mean `--give-up`?"},
        {"grade hello_thread", "Did you mean `01_hello_threads`?"},
        {"grade 99", "there is no lesson `99`"},
        {"grade 01 nofile.cu", "there is no file nofile.cu"},
        {"quiz 01 --answer", "--help"},
        {"init", "--help"},
        {"hint 01 --step 4", "--help"},
        {"xyzzyq", "`cudalab --help` lists them"}};
    for (const auto& slip : slips) {
        const Result result = book.run(slip.first);
        CHECK_MESSAGE(result.code == 2, slip.first);
        CHECK_MESSAGE(has(result.err, slip.second), slip.first << ": " << result.err);
    }
    CHECK(Json::parse(book.run("graed --json").out).contains("error"));
}

TEST_CASE(
    "run has as many devices as the option or the environment says, and a wrong number is one sentence") {
    const Workbook book;
    write_file(
        (book / "count.cu").string(),
        "#include <cstdio>\nint main() { int n = 0; cudaGetDeviceCount(&n); std::printf(\"%d\\n\", n); }\n");
    const std::string file = " '" + (book / "count.cu").string() + "'";
    const auto with = [&](const std::string& variable, const std::string& options) {
        setenv("CUDALAB_DEVICES", variable.c_str(), 1);
        Result result = book.run("run" + options + file);
        unsetenv("CUDALAB_DEVICES");
        return result;
    };
    CHECK(book.run("run" + file).out == "1\n");
    CHECK(with("3", "").out == "3\n");
    CHECK(with("3", " --devices 2").out == "2\n");
    CHECK(with("16", " --fast").out == "16\n");
    for (const char* wrong : {"0", "17", "two", "4x", "-1"}) {
        const Result refused = with(wrong, "");
        CHECK(refused.code == 2);
        CHECK(has(refused.err, std::string("CUDALAB_DEVICES is \"") + wrong + "\""));
        CHECK(has(refused.err, "from 1 to 16"));
    }
    CHECK(book.run("run --devices 17" + file).code == 2);
    CHECK(book.run("run --default-stream both" + file).code == 2);
    CHECK(book.run("run --default-stream per-thread" + file).out == "1\n");
}

TEST_CASE("lessons --json says what there is and what is done") {
    const Workbook book;
    const Json lessons = book.json("lessons --json");
    REQUIRE(lessons.is_array());
    const Json& first = lessons.at(0);
    CHECK(first["number"] == 1);
    CHECK(first["slug"] == "01_hello_threads");
    CHECK(first["quizzes"].get<int>() >= 5);
    CHECK(first["mutants"].get<int>() >= 8);
    CHECK(first["panels"].at(0) == "thread_map");
    CHECK(first["passed"] == false);
    CHECK(first["complete"] == false);
    CHECK(fs::exists(first["exercise"].get<std::string>()));
    CHECK(fs::exists(first["solution"].get<std::string>()));
    CHECK_FALSE(first.contains("problems"));
}

TEST_CASE("cudalab alone, without a display, lists the lessons and says how to see pictures") {
    const Workbook book;
    const Result result = book.run("");
    CHECK(result.code == 0);
    CHECK(has(result.out, "Hello, threads"));
    CHECK((has(result.out, "cudalab tour") || has(result.out, "-DCUDALAB_APP=ON")));
}

TEST_CASE("hints open one by one") {
    const Workbook book;
    CHECK(book.json("hint 01 --json")["hints"].at(0)["step"] == 1);
    CHECK(has(book.run("hint 01").out, "Hint 2 of 3"));
    CHECK(has(book.run("hint 01").out, "Hint 3 of 3"));
    CHECK(has(book.run("hint 01").out, "That was the last one"));
    CHECK(has(book.run("hint 01 --step 1").out, "Hint 1 of 3"));
    CHECK(book.json("hint 01 --all --json")["hints"].size() == 3);
}

TEST_CASE("the solution stays shut before a pass, opens on --give-up, and has no markers") {
    const Workbook book;
    CHECK(book.run("solution 01").code == 1);
    CHECK(has(book.run("solution 01").err, "--give-up"));
    const Result opened = book.run("solution 01 --give-up");
    CHECK(opened.code == 0);
    CHECK(has(opened.out, "__global__"));
    CHECK_FALSE(has(opened.out, "// >>>"));
    CHECK_FALSE(has(opened.out, "// <<<"));
    CHECK(has(book.run("solution 01 --path").out, "solutions/01_hello_threads.cu"));
}

TEST_CASE("reset keeps the learner's file, and does nothing where nothing was changed") {
    const Workbook book;
    const std::string stub = read_file(book.exercise()).value();
    CHECK(has(book.run("reset 01").out, "nothing to do"));
    CHECK(backups(book).empty());
    for (const char* work : {"my work", "more work"}) {
        book.scratch().write("exercises/01_hello_threads.cu", work);
        const Result result = book.run("reset 01");
        CHECK(result.code == 0);
        CHECK(has(result.out, "Your file is kept as"));
        CHECK(read_file(book.exercise()) == stub);
    }
    const auto kept = backups(book);
    REQUIRE(kept.size() == 2);
    CHECK((read_file(kept[0]) == "my work" || read_file(kept[1]) == "my work"));
    fs::remove(book.exercise());
    CHECK(book.run("reset 01").code == 0);
    CHECK(read_file(book.exercise()) == stub);
}

TEST_CASE("questions can be answered without a terminal, and the ticks show it") {
    const Workbook book;
    const Json list = book.json("quiz 01 --list --json");
    REQUIRE(list["quizzes"].size() >= 5);
    const std::string one = [&] {
        for (const Json& quiz : list["quizzes"])
            if (quiz["kind"] == "one") return quiz["id"].get<std::string>();
        return std::string();
    }();
    REQUIRE_FALSE(one.empty());
    int right = 0;
    for (const char* letter : {"a", "b", "c"}) {
        const Result result = book.run("quiz 01 --json --answer " + one + "=" + letter);
        const Json json = Json::parse(result.out);
        CHECK_FALSE(json["answers"].at(0)["explanation"].get<std::string>().empty());
        CHECK(result.code == (json["answers"].at(0)["right"].get<bool>() ? 0 : 1));
        right += json["answers"].at(0)["right"].get<bool>();
    }
    CHECK(right <= 1);
    CHECK(book.json("lessons --json").at(0)["quizzes_right"] == right);
    CHECK(book.run("quiz 01 --answer " + one + "=z").code == 2);
    CHECK(book.run("quiz 01 --answer nosuch=a").code == 2);
    CHECK(book.run("quiz 01 --answer nonsense").code == 2);
}

TEST_CASE("grade notes an attempt, and another file's grade is noted nowhere") {
    const Workbook book;
    CHECK(book.run("grade 01").code == 1);
    CHECK(book.json("lessons --json").at(0)["attempts"] == 1);
    CHECK(book.run("grade 01 '" + (book / "solutions/01_hello_threads.cu").string() + "'").code == 0);
    CHECK(book.json("lessons --json").at(0)["attempts"] == 1);
    CHECK(book.json("lessons --json").at(0)["passed"] == false);
    book.scratch().write("exercises/01_hello_threads.cu", book.solution());
    CHECK(book.run("grade exercises/01_hello_threads.cu").code == 0);
    CHECK(book.json("lessons --json").at(0)["passed"] == true);
    CHECK(book.run("solution 01").code == 0);
}

TEST_CASE("try runs the exercise at other sizes, and what can't be tried is one sentence with the sliders") {
    const Workbook book;
    const Result right = book.run("try 01 --solution n=37 block=64 grid=2x1");
    CHECK(right.code == 0);
    CHECK(right.out.find("<<<2, 64>>>") != std::string::npos);
    CHECK(right.out.find("asks for a grid of 1") != std::string::npos);
    CHECK(right.out.find("Right with n = 37, block = 64, grid = 2x1.") != std::string::npos);
    const Result small = book.run("try 01 --solution n=100 grid=3");
    CHECK(small.code == 1);
    CHECK(small.out.find("out[12..99] were never written") != std::string::npos);
    CHECK(small.out.find("Put the grid back") != std::string::npos);
    const Json stub = book.json("try 01 --json");
    CHECK_FALSE(stub["passed"]);
    CHECK(stub["cases"].size() == 1);
    CHECK(stub["kernels"][0].count("asked_grid") == 0);
    CHECK(book.json("lessons --json")[0]["attempts"] == 0);

    for (const char* words : {"n=0", "n=2001", "n=many", "n=1.5", "n=", "m=3", "n", "block=7", "grid=0",
                              "grid=2x", "grid=1x1x1x1", "grid=65536", "grid=300x300", "n=99999999999"}) {
        CAPTURE(words);
        const Result result = book.run(std::string("try 01 ") + words);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find("n (1 to 2000), block (1, 2") != std::string::npos);
        CHECK(split_lines(result.err).size() == 1);
    }
    CHECK(book.run("try 01 --file nowhere.cu").code == 2);
    CHECK(book.run("try 01").out.find("never written") != std::string::npos);
}

TEST_CASE("a class is graded into one row a file, and a student's text is no formula") {
    const Workbook book;
    const fs::path folder = book / "submissions";
    fs::create_directory(folder);
    write_file(folder / "anna.cu", book.solution());
    write_file(folder / "=ben, b.cu", std::regex_replace(book.solution(), std::regex("if \\(i < n\\) "), ""));
    write_file(folder / "cleo.cu", "int main( {");
    write_file(folder / "notes.txt", "not a program");
    const Result result =
        book.run("grade 01 '" + folder.string() + "' --csv '" + (book / "class.csv").string() + "'");
    CHECK(result.code == 0);
    CHECK(has(result.err, "Limits are no sandbox"));
    CHECK(has(result.err, "1 of 3 passed"));
    const std::string table = read_file(book / "class.csv").value();
    std::vector<std::string> rows;
    for (size_t at = 0, end; (end = table.find("\r\n", at)) != std::string::npos; at = end + 2)
        rows.push_back(table.substr(at, end - at));
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].rfind("file,verdict,status,cases_passed,cases,first_finding,line,what,try_next,", 0) == 0);
    CHECK(has(rows[1], "ben, b.cu\",failed,failed,"));
    CHECK(has(rows[1], ",oob-global,"));
    CHECK(has(rows[2], "anna.cu,passed,ok,8,8,,,"));
    CHECK(has(rows[3], "cleo.cu,failed,compile_error,0,0,compile-error,1,"));

    const Result local = book.run("grade 01 '" + (folder / "anna.cu").string() + "' --csv - --jobs 1");
    CHECK(has(local.out, "anna.cu,passed,"));
    write_file("=ben.cu", "x");
    CHECK(has(book.run("grade 01 =ben.cu --csv -").out, "\n'=ben.cu,failed,"));
    fs::remove("=ben.cu");
    // Nothing of it is the learner's own progress.
    CHECK(book.json("lessons --json").at(0)["attempts"] == 0);
}

TEST_CASE("what is no class is said in a sentence") {
    const Workbook book;
    CHECK(has(book.run("grade 01 a.cu b.cu").err, "several files are a class: say with --csv"));
    CHECK(has(book.run("grade 01 --csv x.csv").err, "--csv needs the files to grade"));
    CHECK(has(book.run("grade 01 gone.cu --csv x.csv").err, "gone.cu cannot be read. Nothing was graded."));
    CHECK(has(book.run("grade 01 '" + (book / "exercises").string() + "' --csv /nowhere/x.csv").err,
              "/nowhere/x.csv"));
}

TEST_CASE("watch grades on every save, whatever way an editor saves") {
    const Workbook book;
    for (const char* poll : {"", " --poll"}) {
        REQUIRE(book.run("reset 01").code == 0);
        Watching watch(book, std::string("watch 01 --json") + poll);
        CHECK_FALSE(watch.next_run().value("passed", true));
        // In place.
        book.scratch().write("exercises/01_hello_threads.cu", "this is no C++\n");
        CHECK(watch.next_run().value("status", "") == "compile_error");
        // Beside, then renamed over it.
        book.scratch().write("exercises/.swap", book.solution() + "int broken = ;\n");
        fs::rename(book / "exercises/.swap", book.exercise());
        CHECK(watch.next_run().value("status", "") == "compile_error");
        // Deleted, and made again.
        fs::remove(book.exercise());
        CHECK(has(watch.next_run().value("error", ""), "is not there"));
        book.scratch().write("exercises/01_hello_threads.cu", book.solution());
        CHECK(watch.next_run().value("passed", false));
        CHECK(watch.end_by(SIGTERM) == 128 + SIGTERM);
    }
}

TEST_CASE("watch moves on to the next lesson at a pass") {
    const Workbook book;
    if (book.json("lessons --json").size() < 2) return;
    REQUIRE(book.run("reset 02").code == 0);
    Watching watch(book, "watch 01 --json");
    CHECK(watch.next_run().value("lesson", "") == "01_hello_threads");
    book.scratch().write("exercises/01_hello_threads.cu", book.solution());
    CHECK(watch.next_run().value("passed", false));
    usleep(300000);
    const std::string stub = read_file(book / "exercises/02_grids_2d.cu").value();
    book.scratch().write("exercises/02_grids_2d.cu", stub + "\n");
    const Json next = watch.next_run();
    CHECK(next.value("lesson", "") == "02_grids_2d");
    CHECK_FALSE(next.value("passed", true));
}

TEST_CASE("watch --once ends at the first pass") {
    const Workbook book;
    book.scratch().write("exercises/01_hello_threads.cu", book.solution());
    const Result result = book.run("watch 01 --once");
    CHECK(result.code == 0);
}

TEST_CASE(
    "init makes a workspace that editors, ctest and cudalab know, and a second init keeps the learner's "
    "work") {
    const Workbook book;
    const std::string folder = (book / "my course").string();
    REQUIRE(book.run("init '" + folder + "'").code == 0);
    for (const char* name : {"exercises/01_hello_threads.cu", ".clangd", ".vscode/tasks.json",
                             "CTestTestfile.cmake", "CTestCustom.cmake"})
        CHECK_MESSAGE(fs::exists(fs::path(folder) / name), name);
    const Json tasks = Json::parse(read_file(fs::path(folder) / ".vscode/tasks.json").value());
    REQUIRE(tasks["tasks"].size() == 2);
    const Json pattern = tasks["tasks"][0]["problemMatcher"]["pattern"];
    const std::regex finding(pattern["regexp"].get<std::string>());
    std::smatch parts;
    const std::string line =
        "exercises/01_hello_threads.cu:22:5: error: out[0..7] were never written [never-written]";
    REQUIRE(std::regex_match(line, parts, finding));
    CHECK(parts[pattern["file"].get<size_t>()] == "exercises/01_hello_threads.cu");
    CHECK(parts[pattern["line"].get<size_t>()] == "22");
    const std::string clangd = read_file(fs::path(folder) / ".clangd").value();
    CHECK(has(clangd, "simt/include"));
    CHECK_FALSE(has(clangd, "-I.."));
    book.scratch().write("my course/exercises/01_hello_threads.cu", "my work");
    const Json again = book.json("init '" + folder + "' --json");
    CHECK(again["kept"].at(0) == "01_hello_threads");
    CHECK(read_file(fs::path(folder) / "exercises/01_hello_threads.cu") == "my work");
    book.scratch().write("other/file", "x");
    CHECK(book.run("init '" + (book / "other").string() + "'").code == 2);
    // Commands given inside use its exercises.
    const std::string inside = "cd '" + folder + "' && env -u CUDALAB_HOME CUDALAB_DATA='" +
                               (book / "data").string() + "' '" + std::getenv("CUDALAB_PROGRAM") +
                               "' lessons --json >'" + (book / "list").string() + "'";
    REQUIRE(std::system(inside.c_str()) == 0);
    CHECK(Json::parse(read_file(book / "list").value()).at(0)["exercise"] ==
          folder + "/exercises/01_hello_threads.cu");
}

TEST_CASE("data lists the sets, writes digits as files, and refuses what is none of a set") {
    const Workbook book;
    const Json list = book.json("data --json");
    REQUIRE(list["sets"].size() == 2);
    CHECK(list["sets"][0]["name"] == "mnist");
    CHECK(list["sets"][0]["complete"] == false);
    CHECK(list["sets"][0]["folder"] == (book / "data/data/mnist").string());
    CHECK(has(list["used"], "generated digits"));
    CHECK(has(book.run("data").out, "`cudalab data mnist` fetches it"));

    const std::string folder = (book / "digits").string();
    CHECK(book.run("data digits " + folder + " --train 20 --test 10").code == 0);
    CHECK(fs::file_size(book / "digits/train-images-idx3-ubyte") == 16 + 20 * 784);
    CHECK(fs::file_size(book / "digits/t10k-labels-idx1-ubyte") == 8 + 10);
    const Result other = book.run("data mnist " + folder);
    CHECK(other.code == 1);
    CHECK(has(other.err, "another data set"));
    CHECK(book.json("data mnist " + folder + " --json").contains("error"));
    CHECK(has(book.run("data cifar").err, "There are: mnist, fashion-mnist, digits"));
    CHECK(book.run("data digits").code == 2);
    CHECK(book.json("data --json")["sets"][0]["complete"] == false);
}

TEST_CASE(
    "doctor says of each thing whether it is there, and of each missing one what that means and what to do") {
    const Workbook book;
    const Json doctor = book.json("doctor --json");
    REQUIRE(doctor["checks"].size() >= 12);
    for (const Json& check : doctor["checks"]) {
        if (check["state"] == "there") continue;
        CHECK_MESSAGE(check["meaning"].get<std::string>().size() > 10, check["name"].get<std::string>());
        CHECK_MESSAGE(check["remedy"].get<std::string>().size() > 10, check["name"].get<std::string>());
    }
    CHECK(doctor["can_grade"] == true);
}

}  // namespace lab
