// The command line: what was typed -> options -> one command.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <functional>
#include <map>

#include "workbench/cli/commands.h"
#include "workbench/cli/console.h"
#include "workbench/lessons/about.h"
#include "workbench/lessons/text.h"

namespace lab {

namespace {

// Everything that was typed, for one command at a time.
struct Typed {
    std::string lesson, folder;
    std::vector<std::string> files;
    bool json = false;
    GradeOptions grade;
    TryOptions try_out;
    RunOptions run;
    WatchOptions watch;
    HintOptions hint;
    SolutionOptions solution;
    QuizOptions quiz;
    LevelsOptions levels;
    CutOptions cut;
    DataOptions data;
    TourOptions tour;
    int beat = 1;
};

using Command = std::function<int(const Home&)>;
using Commands = std::map<const CLI::App*, Command>;

CLI::App* add(CLI::App& app, const char* name, const char* what, const char* examples) {
    CLI::App* command = app.add_subcommand(name, what);
    command->footer(
        fmt::format("Examples:\n{}\nExit code: 0 passed or done, 1 failed, 2 used wrongly.", examples));
    return command;
}

void add_json(CLI::App* command, bool& json, const char* what = "Print JSON in place of words") {
    command->add_flag("--json", json, what);
}

void add_lesson(CLI::App* command, std::string& lesson) {
    command->add_option(
        "lesson", lesson,
        "5, 05, lesson05, 05_shared_memory or its file; left out: the first one that is still to do");
}

// A command over one lesson: resolves what was typed, then calls `then` with the slug.
Command on_lesson(Typed& typed, std::function<int(const Home&, const std::string&)> then,
                  bool questions = false) {
    return [&typed, then, questions](const Home& home) {
        const auto slug = choose_lesson(home, typed.lesson, typed.json, questions);
        return slug ? then(home, *slug) : 2;
    };
}

int grade_typed(const Home& home, const Typed& t, const std::string& slug) {
    GradeOptions options = t.grade;
    options.slug = slug;
    options.json = t.json;
    if (!options.csv.empty()) {
        if (t.json)
            return complain(true, "--json and --csv do not go together: a CSV file has one row a file.");
        if (t.files.empty())
            return complain(
                false, "--csv needs the files to grade: cudalab grade 05 submissions/*.cu --csv class.csv");
        return command_grade_class(home, options, t.files);
    }
    if (t.files.size() > 1 || options.jobs > 0)
        return complain(t.json,
                        "several files are a class: say with --csv FILE where the rows go (`-`: to stdout).");
    options.file = t.files.empty() ? "" : t.files[0];
    options.record = options.file.empty();
    std::error_code none;
    if (!options.record && !std::filesystem::exists(options.file, none))
        return complain(
            t.json, fmt::format("there is no file {}. Look at its name and at the folder that you are in.",
                                options.file));
    return command_grade(home, options);
}

void add_exercises(CLI::App& app, Typed& t, Commands& commands) {
    CLI::App* c = add(app, "lessons", "List the lessons and what is done",
                      "  cudalab lessons\n  cudalab lessons --json\n");
    add_json(c, t.json);
    commands[c] = [&t](const Home& home) { return command_lessons(home, {t.json}); };

    c = add(
        app, "grade", "Grade an exercise: compile it, run it checked, say what went wrong",
        "  cudalab grade 01\n  cudalab grade 01 my_try.cu    grade another file; nothing is noted in "
        "your progress\n"
        "  cudalab grade 01 --json\n"
        "  cudalab grade 05 submissions/*.cu --csv class.csv    a class: one row a file\n"
        "\nOf a class, each file is graded in a child with limits on time, memory and output. Limits are no "
        "sandbox.\n");
    add_lesson(c, t.lesson);
    c->add_option("file", t.files, "Another file in place of the exercise; with --csv files or folders");
    c->add_option("--csv", t.grade.csv, "Write one row a file there; `-`: to stdout");
    c->add_option("--jobs", t.grade.jobs, "With --csv: how many files at once; one a core otherwise")
        ->check(CLI::Range(1, 1024));
    c->add_option("--backend", t.grade.backend,
                  "cpu (the default), cuda (nvcc and the GPU), or auto (cpu, and a second verdict where "
                  "there is a GPU)");
    c->add_flag_callback(
        "--no-times", [&t] { t.grade.times = false; }, "On a GPU: the verdict alone, which is quicker");
    c->add_flag("-v,--verbose", t.grade.verbose, "Every case and every finding");
    add_json(c, t.json, "Print the whole Run as JSON");
    commands[c] =
        on_lesson(t, [&t](const Home& home, const std::string& slug) { return grade_typed(home, t, slug); });

    c = add(app, "try", "Run your exercise once at other sizes: the lesson's sliders, and the grid",
            "  cudalab try 01 n=37 block=64\n  cudalab try 01 n=37 grid=2    what if the grid had 2 blocks?\n"
            "  cudalab try 02 --solution width=9 height=4\n  cudalab lessons --json         lists every "
            "lesson's sliders\nIt is no grading: nothing is noted in your progress.\n");
    add_lesson(c, t.lesson);
    c->get_option("lesson")->required()->description("5, 05, lesson05, 05_shared_memory or its file");
    c->add_option("settings", t.try_out.settings,
                  "NAME=NUMBER; sliders that are not named stay at their start");
    c->add_option("--file", t.try_out.file, "Another file in place of the exercise");
    c->add_flag("--solution", t.try_out.solution, "Play the solution in place of your exercise");
    c->add_option("--live", t.try_out.live,
                  "A file for what the run reports meanwhile; the window reads it while it waits");
    add_json(c, t.json, "Print the whole Run as JSON");
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        TryOptions options = t.try_out;
        options.slug = slug;
        options.json = t.json;
        return command_try(home, options);
    });

    c = add(
        app, "watch", "Grade on every save, show the next step, move on at a pass",
        "  cudalab watch\n  cudalab watch 01\n  cudalab watch 01 --poll    for network and shared folders\n");
    add_lesson(c, t.lesson);
    c->add_flag("--once", t.watch.once, "Stop at the first pass");
    c->add_flag("--poll", t.watch.poll,
                "Look at the file four times a second in place of waiting for a notice");
    add_json(c, t.json, "One Run as JSON a line");
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        WatchOptions options = t.watch;
        options.slug = slug;
        options.json = t.json;
        return command_watch(home, options);
    });
}

void add_mastery(CLI::App& app, Typed& t, Commands& commands) {
    CLI::App* c =
        add(app, "levels", "Quizzes in five levels, over all lessons; wrong answers come back later",
            "  cudalab levels          what there is and what is passed\n"
            "  cudalab levels 1        terms; 2 parts and functions, 3 judging when,\n"
            "                          4 schedules, 5 predictions, which the machine then runs\n"
            "  cudalab levels --due    what comes back today\n");
    CLI::Option* level = c->add_option("level", t.levels.level, "1 to 5")->check(CLI::Range(1, 5));
    c->add_flag("--due", t.levels.due, "Ask what is due, of every level")->excludes(level);
    add_json(c, t.json, "List the levels as JSON");
    commands[c] = [&t](const Home& home) {
        t.levels.json = t.json;
        return command_levels(home, t.levels);
    };

    c = add(app, "progress", "What you master, by part of the path, and what to do next and why",
            "  cudalab progress\n  cudalab progress --json    with every concept\n");
    add_json(c, t.json);
    commands[c] = [&t](const Home& home) { return command_progress(home, {t.json}); };
}

void add_help(CLI::App& app, Typed& t, Commands& commands) {
    CLI::App* c = add(app, "hint", "Open the next hint (there are three, from a nudge to nearly there)",
                      "  cudalab hint 01\n  cudalab hint 01 --step 1\n  cudalab hint 01 --all\n");
    add_lesson(c, t.lesson);
    c->add_option("--step", t.hint.step, "1, 2 or 3")->check(CLI::Range(1, 3));
    c->add_flag("--all", t.hint.all, "All three");
    add_json(c, t.json);
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        HintOptions options = t.hint;
        options.slug = slug;
        options.json = t.json;
        return command_hint(home, options);
    });

    c = add(app, "reset", "Put the exercise back as it was handed out; your file is kept beside it",
            "  cudalab reset 01\n");
    add_lesson(c, t.lesson);
    c->get_option("lesson")->required()->description("5, 05, lesson05, 05_shared_memory or its file");
    add_json(c, t.json);
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        return command_reset(home, {slug, t.json});
    });

    c = add(app, "solution", "Show the solution: after a pass, or with --give-up",
            "  cudalab solution 01\n  cudalab solution 01 --give-up\n  cudalab solution 01 --path    where "
            "its file is\n");
    add_lesson(c, t.lesson);
    c->add_flag("--give-up", t.solution.give_up, "Before a pass");
    c->add_flag("--path", t.solution.path, "Print where it is");
    add_json(c, t.json);
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        SolutionOptions options = t.solution;
        options.slug = slug;
        options.json = t.json;
        return command_solution(home, options);
    });

    c = add(
        app, "quiz", "Answer a lesson's questions",
        "  cudalab quiz 01\n  cudalab quiz 01 --list\n  cudalab quiz 01 --answer guard=b --answer blocks=4\n"
        "  cudalab quiz 01 --answer order=b,a,c    kinds several, order and match: letters in order\n");
    add_lesson(c, t.lesson);
    c->add_flag("--list", t.quiz.list, "Show the questions and which were answered right");
    c->add_option("--answer", t.quiz.answers, "ID=ANSWER, as often as you like; asks nothing");
    c->add_flag("--again", t.quiz.again, "Ask also what you have answered right before");
    add_json(c, t.json);
    commands[c] = on_lesson(
        t,
        [&t](const Home& home, const std::string& slug) {
            QuizOptions options = t.quiz;
            options.slug = slug;
            options.json = t.json;
            return command_quiz(home, options);
        },
        true);
}

void add_data(CLI::App& app, Typed& t, Commands& commands) {
    CLI::App* c = add(
        app, "data", "List, fetch and check the data sets that networks learn from",
        "  cudalab data                               what is here, and where\n"
        "  cudalab data mnist                         fetch it; typed again it goes on from where it was\n"
        "  cudalab data mnist ~/Downloads             take the four files that are there, packed or not\n"
        "  cudalab data mnist --from a.gz b.gz c d    take these\n"
        "  cudalab data fashion-mnist\n"
        "  cudalab data digits DIR --train 1600       write generated digits as IDX files\n\n"
        "Without MNIST, lessons train on generated digits: nothing here needs a network.\n");
    c->add_option("name", t.data.name, "mnist, fashion-mnist or digits; left out: list what is here");
    c->add_option("folder", t.data.folder, "A folder to take the files from; of digits: to write them to");
    c->add_option("--from", t.data.from, "Files to take in place of fetching them, packed or not");
    c->add_option("--mirror", t.data.mirror, "Fetch from this URL, a folder that has the files as NAME.gz");
    c->add_option("--train", t.data.train, "Of digits: how many to train with")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    c->add_option("--test", t.data.test, "Of digits: how many to test with")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    c->add_option("--seed", t.data.seed, "Of digits: which ones")->capture_default_str();
    add_json(c, t.json);
    commands[c] = [&t](const Home& home) {
        t.data.json = t.json;
        return command_data(home, t.data);
    };
}

void add_tools(CLI::App& app, Typed& t, Commands& commands) {
    CLI::App* c =
        add(app, "run", "Compile and run any CUDA program on the CPU, checked",
            "  cudalab run saxpy.cu -- 1000\n  cudalab run -I include -D N=64 saxpy.cu helper.cpp\n"
            "  cudalab run saxpy.cu --fast\n  cudalab run saxpy.cu --occupancy\n"
            "  cudalab run peers.cu --devices 2\n  cudalab run streams.cu --timeline\n  cudalab run "
            "streams.cu --picture timeline.png\n"
            "  cudalab run saxpy.cu --json record.json\n\n"
            "Of a program without a fault it names the three lines that cost most beyond their need.\n");
    c->add_option("files", t.run.files, "The program's .cu file, then any further .cu, .cpp or .c")
        ->required();
    c->add_option("-I", t.run.include_dirs, "A folder with headers")->allow_extra_args(false);
    c->add_option("-D", t.run.defines, "A macro, NAME or NAME=VALUE")->allow_extra_args(false);
    c->add_option("--std", t.run.standard, "The C++ standard, e.g. c++20");
    c->add_option("--backend", t.run.backend,
                  "cpu (the default, checked), or cuda: nvcc and this computer's GPU");
    c->add_flag("--fast", t.run.fast, "Without checks, on every core");
    c->add_flag("--occupancy", t.run.occupancy,
                "Print each kernel's registers (from nvcc, where there is one), shared memory and occupancy");
    c->add_option(
         "--device-memory", t.run.device_memory,
         "How much memory each device has, e.g. 64MiB: to see cudaMalloc fail, or managed memory make way")
        ->transform(CLI::AsSizeValue(false));
    c->add_option(
         "--devices", t.run.devices,
         "How many devices there are, all alike, 1 to 16; $CUDALAB_DEVICES says it, too; 1 otherwise")
        ->check(CLI::Range(1, 16));
    c->add_option("--default-stream", t.run.default_stream,
                  "legacy (the default) or per-thread: the stream of launches and copies that name none, as "
                  "nvcc's option "
                  "of this name")
        ->check(CLI::IsMember({"legacy", "per-thread"}));
    c->add_flag(
        "--timeline", t.run.timeline,
        "Print what a model of an H200 would run when: streams, copies, kernels, and the host beside them");
    c->add_option("--picture", t.run.picture, "Draw that timeline into this PNG file; needs no display");
    c->add_option("--json", t.run.json, "Write the record there; `-` or nothing: print it in place of words")
        ->expected(0, 1);
    commands[c] = [&t](const Home& home) { return command_run(home, t.run); };

    c = add(app, "doctor", "Say what is there, what is missing, and what to do about it",
            "  cudalab doctor\n  cudalab doctor --json\n");
    add_json(c, t.json);
    commands[c] = [&t](const Home& home) { return command_doctor(home, {t.json}); };

    c = add(app, "init", "Make a separate workspace with the exercises in it",
            "  cudalab init ~/cuda-course\n  cd ~/cuda-course && cudalab watch\n");
    c->add_option("folder", t.folder, "The new folder")->required();
    add_json(c, t.json);
    commands[c] = [&t](const Home& home) { return command_init(home, {t.folder, t.json}); };

    c = add(
        app, "tour", "Draw every lesson and panel to PNG files; needs no display",
        "  cudalab tour pictures/\n  cudalab tour pictures/ --size 1280x720 --font-scale 2 --theme light\n"
        "  cudalab tour handout.pdf --beats 05    what `cudalab present 05` shows, on paper\n");
    c->add_option("folder", t.folder, "Where the pictures go; with --beats, the PDF file")->required();
    c->add_option("--beats", t.lesson, "Only this lesson's beats, as a PDF hand-out for a class");
    c->add_option("--size", t.tour.size, "Of the pictures, as WIDTHxHEIGHT");
    c->add_option("--font-scale", t.tour.font_scale, "1 is the usual size, 2 twice that");
    c->add_option("--theme", t.tour.theme, "dark or light");
    add_json(c, t.json);
    commands[c] = [&t](const Home& home) {
        t.tour.folder = t.folder;
        t.tour.json = t.json;
        if (!t.lesson.empty()) {
            const auto slug = choose_lesson(home, t.lesson, t.json, false);
            if (!slug) return 2;
            t.tour.beats = *slug;
        }
        return command_tour(home, t.tour);
    };

    c = add(
        app, "present", "Show a lesson to a class, full screen: question, picture, takeaway",
        "  cudalab present 05\n  cudalab present 05 --beat 6\n"
        "\nThe notes for the presenter stand in this terminal. F5 in the window presents the open lesson.\n"
        "Keys: page down, space, right: on; page up, left: back; up, down: the slider; 1 to 9: what the\n"
        "room says; B: blank; P: pointer; N: notes; F5, Escape: end.\n");
    add_lesson(c, t.lesson);
    c->add_option("--beat", t.beat, "Begin with this one, from 1")->check(CLI::PositiveNumber);
    commands[c] = on_lesson(
        t, [&t](const Home& home, const std::string& slug) { return command_present(home, slug, t.beat); });

    c = add(app, "cut", "For authors: write the exercise that is handed out from the solution",
            "  cudalab cut 01\n  cudalab cut 01 --check\n");
    add_lesson(c, t.lesson);
    c->get_option("lesson")->required();
    c->add_flag("--check", t.cut.check, "Write nothing; fail where the cut is out of date");
    add_json(c, t.json);
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        return command_cut(home, {slug, t.cut.check, t.json});
    });
}

// What ctest calls is no word for a person: --help does not list it and no typo leads to it.
void add_hidden(CLI::App& app, Typed& t, Commands& commands) {
    CLI::App* c = app.add_subcommand("ctest-grade", "Grade an exercise and leave the verdict for ctest-after")
                      ->group("");
    add_lesson(c, t.lesson);
    c->add_option("--backend", t.grade.backend);
    commands[c] = on_lesson(t, [&t](const Home& home, const std::string& slug) {
        return command_ctest_grade(home, slug, t.grade.backend);
    });
    c = app.add_subcommand("ctest-before", "Forget the verdicts of an earlier ctest")->group("");
    commands[c] = [](const Home&) { return command_ctest_before(); };
    c = app.add_subcommand("ctest-after", "Print the verdicts of this ctest")->group("");
    commands[c] = [](const Home&) { return command_ctest_after(); };
}

std::vector<std::string> names_of(const CLI::App& app, bool hidden) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (hidden || !command->get_group().empty()) names.push_back(command->get_name());
    return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

// What was typed, where it is no command or option of ours, with the nearest that is; empty: all is known.
std::string unknown_word(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* command = nullptr;
    for (const std::string& word : words) {
        if (word.size() > 2 && word.rfind("--", 0) == 0) {
            const std::string name = word.substr(0, word.find('='));
            const std::vector<std::string> known = options_of(command ? *command : app);
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            const std::string near = nearest(name, known);
            return fmt::format("{} knows no option `{}`.{}",
                               command ? "`cudalab " + command->get_name() + "`" : "cudalab", name,
                               near.empty() ? "" : fmt::format(" Did you mean `{}`?", near));
        }
        if (command || word.empty() || word[0] == '-') continue;
        const std::vector<std::string> known = names_of(app, true);
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            const std::string near = nearest(word, names_of(app, false));
            return fmt::format(
                "there is no command `{}`.{}", word,
                near.empty() ? " `cudalab --help` lists them." : fmt::format(" Did you mean `{}`?", near));
        }
        command = app.get_subcommand(word);
    }
    return {};
}

// `-std=c++20` is what compilers call it, and `--json` alone means stdout.
std::vector<std::string> normal_words(std::vector<std::string> words) {
    const bool run = std::find(words.begin(), words.end(), "run") != words.end();
    for (size_t i = 0; run && i < words.size(); ++i) {
        if (words[i].rfind("-std=", 0) == 0) words[i].insert(0, "-");
        if (words[i] != "--json") continue;
        const std::string next = i + 1 < words.size() ? words[i + 1] : "-I";
        const std::string end = std::filesystem::path(next).extension().string();
        const bool to_stdout =
            (next.size() > 1 && next[0] == '-') || end == ".cu" || end == ".cpp" || end == ".c";
        if (to_stdout) words[i] = "--json=-";
    }
    return words;
}

int command_line(std::vector<std::string> words) {
    Typed typed;
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (dashes != words.end()) {
        typed.run.arguments.assign(dashes + 1, words.end());
        typed.tour.arguments = typed.run.arguments;
        words.erase(dashes, words.end());
    }
    words = normal_words(std::move(words));
    const bool json =
        std::any_of(words.begin(), words.end(), [](auto& word) { return word.rfind("--json", 0) == 0; });

    CLI::App app(
        "Learn CUDA by writing it. `cudalab` alone opens the window; a command works in the terminal.",
        "cudalab");
    app.footer(
        "Start with:\n  cudalab lessons      what there is\n  cudalab watch 01     grade lesson 01 on every "
        "save\n"
        "  cudalab COMMAND --help shows examples.\n\nExit code: 0 passed or done, 1 failed, 2 used wrongly.");
    app.set_version_flag("--version", std::string("cudalab ") + version());
    app.require_subcommand(0, 1);
    Commands commands;
    add_exercises(app, typed, commands);
    add_mastery(app, typed, commands);
    add_help(app, typed, commands);
    add_tools(app, typed, commands);
    add_data(app, typed, commands);
    add_hidden(app, typed, commands);

    if (const std::string unknown = unknown_word(app, words); !unknown.empty())
        return complain(json, unknown);
    try {
        std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        std::string name;
        for (const CLI::App* command : app.get_subcommands()) name = " " + command->get_name();
        std::string why = error.what();
        if (!why.empty() && why.back() == '.') why.pop_back();
        return complain(json, fmt::format("{}. `cudalab{} --help` shows how it is used.", why, name));
    }
    const Home home = find_home();
    for (const CLI::App* command : app.get_subcommands()) return commands.at(command)(home);
    return command_none(home);
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_DFL);
    try {
        return lab::command_line({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        return lab::complain(false, error.what(), 1);
    }
}
