// cudalab-referee: holds every lesson's grader, plays one lesson's cases, and hands back what it found as a
// Run. It is started by `cudalab grade`, which has compiled the learner's file; the descriptor for the result
// never exists in a player.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // a player has its own handlers; the referee runs no foreign code
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "workbench/grading/collector.h"
#include "workbench/lessons/experiment.h"

namespace lab {

namespace {

// doctest's events -> the collector. What a grader checks with CHECK in place of LAB_EXPECT_... is kept, too.
struct Reporter : doctest::IReporter {
    explicit Reporter(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData& data) override {
        std::string_view name = data.m_name;
        for (const std::string_view mark : {LAB_EXPERIMENT_MARK, LAB_TIMING_MARK})
            if (name.rfind(mark, 0) == 0) name.remove_prefix(mark.size());
        referee().collector.begin_case(std::string(name));
    }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        referee().collector.end_case(stats.failure_flags == 0, stats.seconds);
    }
    void test_case_exception(const doctest::TestCaseException& error) override {
        referee().collector.add_failure(
            {std::string("The grader itself failed: ") + error.error_string.c_str(), "",
             "This is a fault of cudalab, not of your file. Please report it."});
    }
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData& data) override {
        if (data.m_failed)
            referee().collector.add_failure(
                {std::string("Not so: ") + data.m_expr + " (" + data.m_decomp.c_str() + ")", "", ""});
    }
    void log_message(const doctest::MessageData&) override {
    }  // LAB_EXPECT_... has told the collector already
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_REPORTER("lab", 1, Reporter);

struct Options {
    std::string lesson, program, machine, backend = "cpu", trace_prefix, only_case;
    bool experiment = false, fast = false, timing = false;
    std::string live;                   // a file for what a run reports meanwhile
    std::vector<std::string> settings;  // NAME=NUMBER
    std::vector<std::string> drawings;  // NAME=HEXADECIMAL DIGITS
    std::vector<uint32_t> grid;
    int result = 1;
};

void write_all(int descriptor, const std::string& text) {
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
        if (written <= 0)
            throw std::runtime_error("The referee can't hand back its result: the pipe is closed.");
        done += static_cast<size_t>(written);
    }
}

// Names of CUDA's errors, for messages. The machine's own table; a machine without one leaves the numbers
// bare.
const char* (*find_error_name(const std::string& machine))(int) {
    void* library = dlopen(machine.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (!library) return nullptr;
    for (const char* name : {"simt_error_name", "_ZN4simt10error_nameEi"}) {
        if (void* function = dlsym(library, name)) return reinterpret_cast<const char* (*)(int)>(function);
    }
    return nullptr;
}

void choose_cases(doctest::Context& context, const Options& options) {
    if (options.timing) {
        context.setOption("no-skip", true);
        context.addFilter("test-case", LAB_TIMING_MARK "*");
        return;
    }
    if (!options.experiment) {
        if (!options.only_case.empty()) context.addFilter("test-case", options.only_case.c_str());
        return;
    }
    context.setOption("no-skip", true);
    context.addFilter("test-case", LAB_EXPERIMENT_MARK "*");
    Referee& me = referee();
    std::copy_n(options.grid.begin(), std::min<size_t>(3, options.grid.size()), me.grid);
    for (const std::string& word : options.settings) {
        const size_t equals = word.find('=');
        if (equals == std::string::npos) throw std::runtime_error("--set takes NAME=NUMBER.");
        me.settings.set(word.substr(0, equals), std::stoi(word.substr(equals + 1)));
    }
    for (const std::string& word : options.drawings) {
        const size_t equals = word.find('=');
        const auto bytes = equals == std::string::npos ? std::nullopt : bytes_of_hex(word.substr(equals + 1));
        if (!bytes) throw std::runtime_error("--drawing takes NAME=HEX, two digits a byte.");
        me.settings.set_drawing(word.substr(0, equals), *bytes);
    }
}

std::string nothing_played(const Options& options) {
    if (options.timing) return "The grader of " + options.lesson + " times nothing.";
    if (options.experiment) return "The grader of " + options.lesson + " has no experiment.";
    if (options.only_case.empty()) return "The lesson " + options.lesson + " has no grader in this build.";
    return "No case of " + options.lesson + " is named like \"" + options.only_case + "\".";
}

void play_lesson(const Options& options) {
    Referee& me = referee();
    me.machine = load_machine(options.machine, options.backend);
    if (me.machine.lives_long()) me.arrays = std::make_unique<ArraySpace>();
    me.program = options.program;
    me.fast = options.fast;
    me.series =
        options.live.empty() ? std::make_unique<SeriesPage>() : std::make_unique<SeriesPage>(options.live);
    me.collector.set_trace_prefix(options.trace_prefix);
    me.error_name = find_error_name(options.machine);
    doctest::Context context;
    context.setOption("reporters", "lab");
    context.addFilter("test-suite", options.lesson.c_str());
    choose_cases(context, options);
    context.setOption("no-breaks", true);
    context.setOption("order-by", "file");
    context.run();
    if (me.long_player.is_player()) _exit(0);  // its parent has the results
    Run run = me.collector.finish();
    run.lesson = options.lesson;
    run.backend = options.backend;
    if (run.cases.empty()) {
        run.headline = nothing_played(options);
        run.next_action =
            options.only_case.empty() ? "Build again." : "Leave --case out to see the names of all cases.";
    }
    write_all(options.result, to_json(run, -1));
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    lab::Options options;
    CLI::App app(
        "Plays the cases of one lesson against a compiled exercise. cudalab grade starts it; nobody else "
        "needs it.");
    app.add_option("--lesson", options.lesson, "slug")->required();
    app.add_option("--program", options.program, "the compiled exercise")->required();
    app.add_option("--machine", options.machine, "libsimt.so")->required();
    app.add_option("--backend", options.backend, "cpu, or cuda where --machine is the library for the GPU");
    app.add_option("--trace-prefix", options.trace_prefix, "traces go to PREFIX0.trace, PREFIX1.trace, ...");
    app.add_option("--case", options.only_case, "only the cases whose name matches (* matches anything)");
    app.add_flag("--experiment", options.experiment, "play the experiment in place of the cases");
    app.add_flag("--timing", options.timing, "play what a GPU is timed with in place of the cases");
    app.add_flag("--fast", options.fast, "the program was compiled without checks: one order, on every core");
    app.add_option("--live", options.live, "a file for what a case reports while it runs");
    app.add_option("--set", options.settings, "NAME=NUMBER, of the experiment")->allow_extra_args(false);
    app.add_option("--drawing", options.drawings, "NAME=HEX, of the experiment")->allow_extra_args(false);
    app.add_option("--grid", options.grid, "X,Y,Z: of every launch of the experiment; 0: as the program asks")
        ->delimiter(',');
    app.add_option("--result", options.result, "descriptor for the Run's JSON");
    CLI11_PARSE(app, argc, argv);
    signal(SIGPIPE, SIG_IGN);  // a player that has gone is noticed
    prctl(PR_SET_PDEATHSIG,
          SIGKILL);  // a grading that was given up leaves nobody behind; its players go with this process
    try {
        lab::play_lesson(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
